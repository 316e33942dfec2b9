"""Text that can be shown and stored, whoever wrote it."""

from __future__ import annotations

import re

__all__ = ["error_line", "printable", "shortened"]

UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters except tab and newline, and halves of surrogate pairs, which UTF-8 does not have."""


def printable(text: str) -> str:
    r"""The same text with each control character written as its escape: nothing in it steers a terminal.

    Halves of surrogate pairs are escaped too, since no file in UTF-8 and no database takes them.

    >>> print(printable("bad \ud800 text\x1b[2J"))
    bad \ud800 text\x1b[2J
    """
    if text.isprintable():
        return text
    return UNPRINTABLE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


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
    kind = type(error).__name__
    try:
        said = str(error).strip().split("\n")[0]
    except Exception as trouble:  # noqa: BLE001 - it is code of whoever wrote the error
        said = f"it can't say what happened, since its text raises {type(trouble).__name__}"
    return f"{kind}: {said}"
