"""Text that can be shown and stored, whoever wrote it."""

from __future__ import annotations

import unicodedata

__all__ = [
    "error_line",
    "from_spreadsheet",
    "is_formula",
    "is_number",
    "shortened",
    "spreadsheet_text",
    "visible",
    "visible_lines",
]


def visible(text: str) -> str:
    r"""Control characters (terminal escapes from data among them) made visible, odd spaces made plain ones.

    Halves of surrogate pairs are made visible too, since no file in UTF-8 and no database takes them.

    >>> print(visible("a\x1b[31m b \ud800"))
    a\x1b[31m b \ud800
    """
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(c: str) -> str:
    if c.isprintable():
        return c
    return " " if unicodedata.category(c) == "Zs" else repr(c)[1:-1]


def visible_lines(text: str) -> str:
    """The same for text that may have several lines."""
    return "\n".join(map(visible, text.split("\n")))


def shortened(text: str, most: int) -> str:
    """The text, or its beginning and its end where it has more than so many characters, with the number of all.

    >>> shortened("0123456789" * 10, 50)
    '01234567890 … (100 characters in all) … 0123456789'
    """
    if len(text) <= most:
        return text
    mark = f" … ({len(text):,} characters in all) … "
    kept = max(0, most - len(mark))
    return text[: kept - kept // 2] + mark + text[len(text) - kept // 2 :]


def error_line(error: BaseException) -> str:
    """What happened, in one line: the kind of error and the first line of what it says, if it can say anything.

    >>> error_line(ValueError("did not converge\\nafter 3 steps"))
    'ValueError: did not converge'
    """
    try:
        message = str(error).strip().split("\n")[0]
    except KeyboardInterrupt:
        raise
    except BaseException as trouble:  # noqa: BLE001 - it is code of whoever wrote the error
        message = f"it can't say what happened, since its text raises {_kind(trouble)}"
    return f"{_kind(error)}: {message}"


def _kind(error: BaseException) -> str:
    """The name of its class, even where a metaclass gives another or none."""
    return str(vars(type)["__name__"].__get__(type(error)))


def is_formula(text: str) -> bool:
    """Whether a spreadsheet that opens a CSV file would take the text for a formula, and compute it.

    >>> is_formula("=cmd|' /C calc'!A0"), is_formula("-2+3"), is_formula("-2.5"), is_formula("-")
    (True, True, False, False)
    """
    if text[:1] in ("=", "@", "\t", "\r"):
        return True
    return text[:1] in ("+", "-") and len(text) > 1 and not is_number(text)


def is_number(text: str) -> bool:
    """Whether a text is a number, as Python writes it."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def spreadsheet_text(text: str) -> str:
    """The text for a CSV file: a formula is kept from being one by an apostrophe, which spreadsheets do not show."""
    return f"'{text}" if is_formula(text.lstrip("'")) else text


def from_spreadsheet(text: str) -> str:
    """The text of a CSV file without the apostrophe of :func:`spreadsheet_text`.

    >>> from_spreadsheet(spreadsheet_text("=A1")), from_spreadsheet("'quoted'")
    ('=A1', "'quoted'")
    """
    return text[1:] if text[:1] == "'" and is_formula(text.lstrip("'")) else text
