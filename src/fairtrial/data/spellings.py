"""Spellings of numbers in tables of text: codes such as 007, which are names, decimal commas, signs and units.

Spellings of labels: spaces at their ends and forms of Unicode, which never make two categories.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fairtrial.notices import Notice
from fairtrial.words import listed, quoted, verb

if TYPE_CHECKING:
    import pandas as pd


BLOCK = 1 << 24
EXACT = 2**53  # whole numbers above this are not told apart by floats
MISSING = ("", " ", "?", "NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "NULL", "null")
CODE = re.compile(r"[0-9]+")
WITH_POINT = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
WITH_COMMA = re.compile(r"[-+]?(?:[0-9]+(?:,[0-9]+)?|,[0-9]+)(?:[eE][-+]?[0-9]+)?")
THOUSANDS = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")  # 1,234 may also be a thousand and more
POINTS = re.compile(r"\s*[-+]?[1-9][0-9]{0,2}(?:\.[0-9]{3})?\s*")

SPACES = " \u00a0\u2007\u2009\u202f"
CURRENCY = r"(?:US|CA|AU|NZ|HK|R)?\$|[€£¥₹₩₽₺₪¢]|USD|EUR|GBP|CHF|JPY|CNY|INR"
UNIT = rf"{CURRENCY}|(?:[%‰°]|[^\W\d_])(?:[^\W\d_]|/)*[23]?"
USUAL = re.compile(  # no unit, or one that is also found where few numbers have it
    rf"{CURRENCY}|%|‰|°[CF]?|[kmµμ]?g|t|lbs?|oz|[kcmµμ]?m|mi(les)?|ft|in|[dm]?[lL]|s|sec|ms|min|h|hrs?|hours|d|days|weeks|"
    r"months|y|yrs?|years|[kMG]?Hz|kWh?|m[VA]|[hk]?Pa|bar|kJ|kcal|km/h|mph|m/s|m[23²³]|[kKMGT]B|[kKMB]|bn|"
)
DRESSED = re.compile(
    rf"(?P<open>\()?(?P<sign>[-+−–]?)\s*(?P<before>{CURRENCY})?\s*(?P<inner>[-+−–]?)"
    rf"(?P<digits>[.,]?[0-9](?:[0-9.,'’{SPACES}]*[0-9])?(?:[eE][-+]?[0-9]+)?)\s*(?P<after>{UNIT})?(?P<close>\))?"
)
STYLES = tuple(  # digits, what stands between thousands, the decimal sign
    (re.compile(rf"(?:[1-9][0-9]{{0,2}}(?:[{s}][0-9]{{3}})+|[0-9]*)(?:[{d}][0-9]+)?(?:[eE].+)?"), f"[{s}]", d)
    for s, d in ((",", "."), (".", ","), (SPACES, "."), (SPACES, ","), ("'’", "."), ("'’", ","))
)
COMMAS_BETWEEN_THOUSANDS = STYLES[0][0]
MOST, MANY = 0.8, 10
"""A column is meant for numbers if they are 80 % of its cells, or half of them and at least 10 different ones."""

Texts = Callable[[list[str]], "pd.DataFrame"]


def is_number(text: str) -> bool:
    """Whether a text is a number with a point or a comma, and nothing else.

    >>> [is_number(text) for text in ("5.1", "5,1", " 3 ", "1e3", "$3", "")]
    [True, True, True, True, False, False]
    """
    return WITH_POINT.fullmatch(text.strip()) is not None or WITH_COMMA.fullmatch(text.strip()) is not None


def without_padded_missing(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame in which words for missing values are missing also where spaces stand around them."""
    made = {}
    for title in (c for c, dtype in frame.dtypes.items() if dtype.kind not in "iufb"):
        column = frame[title]
        gone = [t for t in column.dropna().unique().tolist() if isinstance(t, str) and t.strip() in MISSING]
        if gone:
            made[title] = column.mask(column.isin(gone))
    return frame.assign(**made) if made else frame


def as_codes(
    frame: pd.DataFrame, texts: Texts, names: Collection[str], *, padded: bool
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The frame with columns of codes as text, and the titles of these columns.

    ``texts`` reads columns as text. Only columns of whole numbers are looked at; those in ``names`` are text already.
    With ``padded`` some cell of the table is a number with a leading zero.
    """
    kinds = "iufO" if padded else "ufO"  # whole numbers of at most 19 digits without leading zeros are what they are
    looked_at = (c for c, dtype in frame.dtypes.items() if dtype.kind in kinds and c not in names)
    suspects = [c for c in looked_at if _may_be_codes(frame[c], padded)]
    if not suspects:
        return frame, ()
    read = texts(suspects)
    codes = tuple(c for c in suspects if is_code(read[c]))
    made = {c: read[c] for c in suspects if c in codes or frame[c].dtype.kind == "O"}
    return frame.assign(**made), codes


def _may_be_codes(column: pd.Series, padded: bool) -> bool:
    if column.dtype.kind == "O":  # pandas leaves whole numbers of more than 19 digits, and what is missing, as they are
        whole = column.dtype == object and any(isinstance(v, int) and not isinstance(v, bool) for v in column)
        return whole or bool(column.isin(MISSING).any())
    if column.dtype.kind != "f":
        return True
    values = column.to_numpy()
    known = values[~np.isnan(values)]
    suspicious = known.size > 0 and (padded or bool((np.abs(known) >= EXACT).any()))
    return suspicious and bool((known == np.trunc(known)).all())


def is_code(column: pd.Series) -> bool:
    """Whether all cells are digits, with a leading zero or with more of them than numbers keep.

    >>> import pandas as pd
    >>> is_code(pd.Series(["007", "7"])), is_code(pd.Series(["0", "7"])), is_code(pd.Series(["007", "1.5"]))
    (True, False, False)
    """
    known = [str(text).strip() for text in column.dropna().unique()]
    if not known or not all(CODE.fullmatch(text) for text in known):
        return False
    return any((text[0] == "0" and len(text) > 1) or len(text) > 18 for text in known)


def has_padded_numbers(content: bytes, delimiter: str) -> bool:
    """Whether a digit follows a zero at the beginning of some cell; looked at in blocks, since files may be large.

    >>> has_padded_numbers(b"a,b" + bytes([10]) + b"1,007", ","), has_padded_numbers(b"0.5,100,0", ",")
    (True, False)
    """
    before = np.zeros(256, dtype=np.bool_)
    before[list(f'{delimiter}\n\r"\t '.encode())] = True
    for at in range(0, len(content), BLOCK):
        block = np.frombuffer(content[max(at - 2, 0) : at + BLOCK], dtype=np.uint8)
        zeros = np.flatnonzero(block[1:-1] == ord("0")) + 1
        zeros = zeros[before[block[zeros - 1]]]
        if np.any((block[zeros + 1] >= ord("0")) & (block[zeros + 1] <= ord("9"))):
            return True
    return False


def with_long_numbers(frame: pd.DataFrame, names: Collection[str]) -> pd.DataFrame:
    """The frame with columns of numbers that pandas left as text, since one of them has more than 19 digits."""
    texts = (c for c, dtype in frame.dtypes.items() if dtype.kind not in "iufb" and c not in names)
    made = {c: frame[c].map(_value, na_action="ignore").astype(float) for c in texts if _are_numbers(frame[c])}
    return frame.assign(**made) if made else frame


def _are_numbers(column: pd.Series) -> bool:
    known = column.dropna().unique().tolist()
    return bool(known) and all(isinstance(text, str) and WITH_POINT.fullmatch(text.strip()) for text in known)


def with_decimal_commas(
    frame: pd.DataFrame, delimiter: str, names: Collection[str]
) -> tuple[pd.DataFrame, list[Notice]]:
    """The frame with columns such as 0,5 as numbers, and notes where a comma may have meant something else.

    1,234 may be a thousand and more. It is read as a decimal if another cell of the table can be nothing else, or if
    semicolons separate the cells, as where decimal commas are usual; a note says the latter.
    """
    texts = (c for c, dtype in frame.dtypes.items() if dtype.kind not in "iufb" and c not in names)
    found = {c: t for c in texts if (t := _comma_numbers(frame[c]))}
    if not found:
        return frame, []
    sure = any(not THOUSANDS.fullmatch(text) for texts in found.values() for text in texts if "," in text)
    if not sure and delimiter != ";":
        return frame, [_comma_note(c, texts, "is read as text", "or") for c, texts in found.items()]
    made = {c: frame[c].map(_values(texts)).astype(float) for c, texts in found.items()}
    unusual = not sure or delimiter == ","
    notes = [_comma_note(c, texts, "is read with a decimal comma", "not") for c, texts in found.items() if unusual]
    return frame.assign(**made), notes


def point_doubts(before: pd.DataFrame, after: pd.DataFrame, texts: Texts) -> list[Notice]:
    """Warnings on columns such as 1.234, perhaps a thousand and more, in a table whose decimal commas were now read."""
    floats = [c for c, dtype in before.dtypes.items() if dtype.kind == "f"]
    if not floats or sum(dtype.kind == "f" for dtype in after.dtypes) == len(floats):
        return []
    read = {c: column.dropna().unique().tolist() for c, column in texts(floats).items()}
    found = {c: max(t, key=len).strip() for c, t in read.items() if t and all(map(POINTS.fullmatch, t))}
    how, remedy = "is read with a decimal point, and others with a decimal comma", "write thousands without a point"
    return [
        Notice(f"column {c!r} {how}: {t} may also mean {t.replace('.', '')}", "warning", f"column {c!r}", {}, remedy)
        for c, t in found.items()
        if "." in t
    ]


def _comma_numbers(column: pd.Series) -> list[str]:
    """The different texts of a column, if all are numbers and some have a comma; else nothing."""
    known: list[Any] = column.dropna().unique().tolist()
    if not all(isinstance(text, str) and WITH_COMMA.fullmatch(text.strip()) for text in known):
        return []
    return known if any("," in text for text in known) else []


def _values(texts: list[str]) -> dict[str, float]:
    return {text: _value(text.replace(",", ".")) for text in texts}


def _value(text: str) -> float:
    return float(text.strip())  # float() itself leaves separators of units around a number


def _comma_note(title: str, texts: list[str], how: str, between: str) -> Notice:
    shown = next(text.strip() for text in texts if "," in text)
    point, plain = shown.replace(",", "."), shown.replace(",", "")
    sentence = f"column {title!r} {how}: {shown} may mean {point} or {plain}"
    if between == "not":
        sentence = f"column {title!r} {how}: {shown} is {point}, not {plain}"
    return Notice(sentence, "note", f"column {title!r}", {"column": title}, "write numbers with a point")


class NumbersOfText(NamedTuple):
    """The numbers that texts stand for, none where they stay text; and what a person should know of it."""

    values: dict[str, float]
    notice: Notice | None = None


class _Parts(NamedTuple):
    dress: tuple[str, str]  # before and after the number
    minus: str
    digits: str


def numbers_of_text(title: str, counts: Mapping[str, int]) -> NumbersOfText:
    """Read the texts of a column, each with the number of its cells, as numbers if all are written in one way.

    That is: with the same currency or unit, with the same signs between thousands and before decimals, negative ones
    with a minus or in parentheses. Plain numbers need no notice. Where most texts are numbers, but not all or not all
    in one way, they stay text and a warning says why.

    >>> read = numbers_of_text("price", {"$1,000.50": 1, "($3)": 2})
    >>> read.values, read.notice.text
    ({'$1,000.50': 1000.5, '($3)': -3.0}, "column 'price' is read as numbers without '$': '$1,000.50' is 1000.5")
    >>> print(numbers_of_text("weight", {"2 kg": 1, "300 g": 1}).notice.sentence)
    column 'weight' is read as text: its numbers are written in different ways, as '2 kg' and '300 g'
    """
    beginning = list(islice(counts, 1000))
    if 2 * sum(_parts(text) is not None for text in beginning) < len(beginning):
        return NumbersOfText({})
    parts = {text: found for text in counts if (found := _parts(text)) is not None}
    usual = {text: found for text, found in parts.items() if USUAL.fullmatch(found.dress[1])}
    ways = {found.dress for found in parts.values()}
    if len(parts) == len(counts) and len(ways) == 1 and (usual or len(parts) >= MANY):
        readings = list(_readings(parts))
        if readings and all(values == readings[0] for values in readings):
            return NumbersOfText(readings[0], _dress_note(title, readings[0], parts))
        if readings:
            return NumbersOfText({}, _comma_note(title, list(counts), "is read as text", "or"))
    return NumbersOfText({}, _mixture(title, counts, usual))


def _parts(text: str) -> _Parts | None:
    """The dress, the sign and the digits of a number; None where a text is none."""
    found = DRESSED.fullmatch(text.strip())
    if found is None or bool(found["open"]) != bool(found["close"]) or (found["sign"] and found["inner"]):
        return None
    if not any(whole.fullmatch(found["digits"]) for whole, *_ in STYLES):
        return None
    minus = "-" if found["open"] or (found["sign"] or found["inner"] or "+") in "-−–" else ""
    return _Parts((found["before"] or "", found["after"] or ""), minus, found["digits"])


def _readings(parts: Mapping[str, _Parts]) -> Iterator[dict[str, float]]:
    """What all the texts mean in each style that fits them; where there are points only, these are decimal points."""
    plain = all(WITH_POINT.fullmatch(found.digits) for found in parts.values())
    for whole, between, point in STYLES[:1] if plain else STYLES:
        if all(whole.fullmatch(found.digits) for found in parts.values()):
            yield {
                text: float(found.minus + re.sub(between, "", found.digits).replace(point, "."))
                for text, found in parts.items()
            }


def _dress_note(title: str, values: Mapping[str, float], parts: Mapping[str, _Parts]) -> Notice | None:
    """The note on a column that is read as numbers, with the text that has most besides its digits."""
    dressed = [text for text in parts if not WITH_POINT.fullmatch(text.strip())]
    if not dressed:
        return None
    shown = max(dressed, key=lambda text: len(re.sub("[0-9]", "", text)))
    signs = [sign for sign in parts[shown].dress if sign]
    without = f" without {quoted(signs)}" if signs else ""
    sentence = f"column {title!r} is read as numbers{without}: {shown!r} is {repr(values[shown]).removesuffix('.0')}"
    return Notice(sentence, "note", f"column {title!r}", {"column": title})


def _mixture(title: str, counts: Mapping[str, int], numbers: Mapping[str, _Parts]) -> Notice | None:
    """A warning if most cells are numbers, but some are not or are written in another way."""
    share = sum(counts[text] for text in numbers) / max(1, sum(counts.values()))
    if share < MOST and (share < 0.5 or len(numbers) < MANY):
        return None
    others = [text for text in counts if text not in numbers]
    if others:
        makes = verb(len(others), "makes", "make")
        sentence = f"column {title!r} is mostly numbers, but {quoted(others, 3)} among them {makes} it text"
        remedy = "write missing values as ? or leave them empty, and numbers as numbers only"
    else:
        ways = {(found.dress, re.sub("[0-9]", "", found.digits)): text for text, found in numbers.items()}
        written = listed(map(repr, list(ways.values())[:3]), last="and")
        sentence = f"column {title!r} is read as text: its numbers are written in different ways, as {written}"
        remedy = "write all in one unit, with a point before decimals and nothing between thousands"
    return Notice(sentence, "warning", f"column {title!r}", {"column": title}, remedy)


def with_one_spelling(title: str, column: pd.Series) -> tuple[pd.Series, list[Notice]]:
    """The column with texts without spaces at their ends, in one form of Unicode, and a note where two became one.

    >>> import pandas as pd
    >>> column, [note] = with_one_spelling("answer", pd.Series(["yes", "no", "yes "]))
    >>> column.tolist()
    ['yes', 'no', 'yes']
    >>> print(note.text)
    column 'answer' has 'yes' and 'yes ' as one label (spaces at the ends and forms of Unicode make no label)
    """
    import pandas as pd

    if pd.api.types.infer_dtype(column, skipna=True) != "string":
        return column, []
    codes, found = pd.factorize(column)
    texts = list(map(str, found))
    plain = [text.strip() if text.isascii() else unicodedata.normalize("NFC", text).strip() for text in texts]
    if plain == texts:
        return column, []
    spellings: dict[str, list[str]] = {}
    for text, label in zip(texts, plain, strict=True):
        spellings.setdefault(label, []).append(text)
    joined = [same for same in spellings.values() if len(same) > 1]
    made = np.array([*plain, None], dtype=object)[codes]  # -1 is a missing cell
    return pd.Series(made, index=column.index, name=column.name, dtype=object), list(_note(title, joined))


def _note(title: str, joined: list[list[str]]) -> Iterator[Notice]:
    if joined:
        shown = [f"{listed(map(ascii, same))} as one label" for same in joined]
        sentence = f"column {title!r} has {listed(shown, 3)} (spaces at the ends and forms of Unicode make no label)"
        yield Notice(sentence, "note", f"column {title!r}", {"column": title, "labels": joined})


def alike(labels: Iterable[str]) -> list[list[str]]:
    """Labels that differ only in capitals, in spaces, or in characters that look the same or can't be seen.

    >>> alike(["no", "Yes", "yes", "New  York", "New York", "YES"])
    [['Yes', 'yes', 'YES'], ['New  York', 'New York']]
    """
    found: dict[str, list[str]] = {}
    for label in labels:
        visible = "".join(c for c in unicodedata.normalize("NFKC", label) if unicodedata.category(c) != "Cf")
        found.setdefault(" ".join(visible.casefold().split()), []).append(label)
    return [same for same in found.values() if len(same) > 1]
