"""The words that sentences are built from, and text of any origin made fit to be shown and stored."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

MOST_NAMED = 5
"""The number of names at which a printed list stops."""


def plural(n: int, noun: str, several: str = "") -> str:
    """A number and its noun.

    >>> plural(1, "data set"), plural(4800, "trial"), plural(0, "entry", "entries")
    ('1 data set', '4,800 trials', '0 entries')
    """
    return f"{n:,} {noun if n == 1 else several or f'{noun}s'}"


def verb(n: int, one: str, several: str) -> str:
    """The form of a verb (or of any other word) that agrees with a number.

    >>> verb(1, "is", "are"), verb(2, "is", "are")
    ('is', 'are')
    """
    return one if n == 1 else several


def listed(names: Iterable[object], most: int | None = MOST_NAMED, *, last: str = "and") -> str:
    """Names as people list them; of many only the first five, and the number of the others.

    >>> listed(["a", "b", "c"]), listed("ab", last="or"), listed(range(49)), listed([1, 2, 3], most=2)
    ('a, b and c', 'a or b', '0, 1, 2, 3, 4 and 44 others', '1, 2 and 1 other')
    """
    shown = list(map(str, names))
    if most is not None and len(shown) > most:
        return f"{', '.join(shown[:most])} {last} {plural(len(shown) - most, 'other')}"
    return f" {last} ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part) if shown else ""


def quoted(items: Iterable[object], most: int | None = MOST_NAMED, *, last: str = "and") -> str:
    """Values as Python writes them, listed as people do, for messages about input.

    >>> print(quoted(["a", 7]))
    'a' and 7
    """
    return listed(map(repr, items), most, last=last)


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """At most three known names that a person may have meant: those that differ only in case, dashes or spaces first.

    >>> nearest("ROC", ["roc", "rocs", "cost"]), nearest("Log loss", ["log_loss"]), nearest("precison", ["precision"])
    (['roc'], ['log_loss'], ['precision'])
    >>> nearest("cd", ["coverage", "critical_difference"])  # initials
    ['critical_difference']
    """
    names = list(dict.fromkeys(known))
    same = [n for n in names if _plain_name(n) == _plain_name(name) != ""][:3]
    same = same or [n for n in names if "".join(part[:1] for part in n.split("_")) == name.lower() != n[:1]][:3]
    return same or difflib.get_close_matches(name, names, n=3, cutoff=0.6)


def no_attribute(owner: str, name: str, prefix: str, near: Iterable[str]) -> AttributeError:
    """The error of a name that a module or an object lacks, with those that a person may have meant."""
    hint = "" if name.startswith("_") else " or ".join(f"{prefix}.{known}" for known in near)
    return AttributeError(f"{owner} has no attribute {name!r}{hint and f'; did you mean {hint}?'}")


def _plain_name(name: str) -> str:
    return "".join(c for c in name.casefold() if c not in "_- ")


def as_sentence(text: str, names: Sequence[str] = ()) -> str:
    """The text as a sentence, with a capital and a full stop; a name at its beginning stays as it is.

    >>> as_sentence("the same winner in all cases"), as_sentence("iris is easy", names=["iris"])
    ('The same winner in all cases.', 'iris is easy.')
    """
    text = text if text.startswith(tuple(names)) else text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def part_of(part: int, whole: int, noun: str, several: str = "") -> str:
    """A part and the whole that it is a part of.

    >>> part_of(3, 48, "split"), part_of(1, 1, "split")
    ('3 of 48 splits', '1 of 1 split')
    """
    return f"{part:,} of {plural(whole, noun, several)}"


def from_to(low: object, high: object) -> str:
    """A span of whole numbers, or the one number that it consists of.

    >>> from_to(2, 5), from_to(3, 3)
    ('2–5', '3')
    """
    return str(low) if low == high else f"{low}–{high}"


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
    """Text of several lines in which control characters are made visible; see :func:`visible`."""
    return "\n".join(map(visible, text.split("\n")))


def shortened(text: str, most: int) -> str:
    """The text, or its beginning and its end where it has more than ``most`` characters, with the number of all.

    >>> shortened("0123456789" * 10, 50)
    '01234567890 … (100 characters in all) … 0123456789'
    """
    if len(text) <= most:
        return text
    mark = f" … ({len(text):,} characters in all) … "
    kept = max(0, most - len(mark))
    return text[: kept - kept // 2] + mark + text[len(text) - kept // 2 :]


def is_one_of(value: object, choices: Iterable[str]) -> bool:
    """Whether a value is one of these texts, whatever it is: to compare a table with a text may raise an error.

    >>> is_one_of("a", ["a", "b"]), is_one_of(["a"], ["a", "b"])
    (True, False)
    """
    return isinstance(value, str) and value in tuple(choices)


MOST_ENTRIES = 20
"""So many entries of a list are shown in a message; a longer one is described."""

LONGEST_SHOWN = 120
"""So many characters of a value are shown in a message, and of a name in a table or a sentence."""


def shown(value: object) -> str:
    """A value that was given, for a message: tables, arrays and long lists are described, never printed.

    >>> import numpy as np
    >>> shown("a"), shown([1, 2]), shown(list(range(1000)))
    ("'a'", '[1, 2]', 'a list of 1,000 entries')
    >>> shown(np.zeros((1000, 12))), shown(np.zeros(3)), shown({"churn": np.zeros((2, 2))})
    ('an array of 1,000 rows and 12 columns', 'an array of 3 entries', "{'churn': an array of 2 rows and 2 columns}")
    """
    if isinstance(value, (str, bytes)):
        return shortened(repr(value), LONGEST_SHOWN)
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        return _shown_entries(value)
    shape = _shape(value)
    if shape:
        return _of_size(value, shape)
    try:
        text = " ".join(repr(value).split())
    except Exception:  # noqa: BLE001 - it is code of whoever wrote the class
        return f"an object of the class {type(value).__name__}"
    return shortened(text, LONGEST_SHOWN)


def _shown_entries(value: Any) -> str:
    """A list, tuple, set or dict as Python writes it, with its entries shown; described where that is long."""
    if len(value) <= MOST_ENTRIES:
        text = repr(value) if not value else _written(value)
        if len(text) <= 2 * LONGEST_SHOWN:
            return text
    return f"{_with_article(type(value).__name__)} of {plural(len(value), 'entry', 'entries')}"


def _written(value: Any) -> str:
    """A list, tuple, set or dict with entries, as Python writes it, with its entries shown."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{shown(key)}: {shown(entry)}" for key, entry in value.items()) + "}"
    inside = ", ".join(map(shown, value))
    if isinstance(value, tuple):
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    return f"[{inside}]" if isinstance(value, list) else f"{{{inside}}}"


def _shape(value: object) -> tuple[int, ...]:
    """The shape of a table, a column or an array; empty for all else."""
    shape = None if isinstance(value, type) else getattr(value, "shape", None)
    if isinstance(shape, tuple) and all(isinstance(n, int) for n in shape):
        return shape
    is_arrow = type(value).__module__.startswith("pyarrow") and hasattr(value, "__len__")
    return (len(value),) if is_arrow else ()  # type: ignore[arg-type]


def _of_size(value: object, shape: tuple[int, ...]) -> str:
    what = {"ndarray": "array"}.get(type(value).__name__, type(value).__name__)
    if len(shape) == 1:
        return f"{_with_article(what)} of {plural(shape[0], 'entry', 'entries')}"
    if len(shape) == 2:
        return f"{_with_article(what)} of {plural(shape[0], 'row')} and {plural(shape[1], 'column')}"
    return f"{_with_article(what)} of shape {shape}"


def _with_article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def error_line(error: BaseException) -> str:
    """An error in one line: its kind and the first line of its message, if it has one.

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
    """Whether a text is a number, as tables have them: without underscores, and in the digits 0 to 9.

    >>> is_number("1e3"), is_number("1_000"), is_number("٣")
    (True, False, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return text.isascii() and "_" not in text


def spreadsheet_text(text: str) -> str:
    """The text for a CSV file: a formula is kept from being one by an apostrophe, which spreadsheets do not show."""
    return f"'{text}" if is_formula(text.lstrip("'")) else text


def from_spreadsheet(text: str) -> str:
    """The text of a CSV file without the apostrophe of :func:`spreadsheet_text`.

    >>> from_spreadsheet(spreadsheet_text("=A1")), from_spreadsheet("'quoted'")
    ('=A1', "'quoted'")
    """
    return text[1:] if text[:1] == "'" and is_formula(text.lstrip("'")) else text
