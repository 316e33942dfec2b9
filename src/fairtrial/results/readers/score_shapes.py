"""The shapes of tables of scores: each knows what its columns mean, and how it is brought into the long form.

Cells that should be numbers and are text: decorated numbers, words for failures, and other words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from fairtrial.data.spellings import COMMAS_BETWEEN_THOUSANDS
from fairtrial.design import FACTORS, Level, level_text, training_factor
from fairtrial.errors import InputError
from fairtrial.resampling import parse
from fairtrial.results.how_read import Remark
from fairtrial.results.readers.read_table import numbered
from fairtrial.words import MOST_NAMED, plural, verb, visible

if TYPE_CHECKING:
    import pandas as pd


OUT_OF_TIME = ("out of time", "timeout", "time out", "timed out", "time limit")
OUT_OF_MEMORY = ("out of memory", "oom", "memory", "memout")
FAILURE_WORDS = ("", "-", "–", "—", "x", "fail", "failed", "failure", "error", "crash", "crashed", "dnf", "none",
                 "n.a.", "na", "n/a", "nan", *OUT_OF_TIME, *OUT_OF_MEMORY)  # fmt: skip
WENT_WELL = frozenset((
    "", "ok", "okay", "success", "successful", "succeeded", "done", "complete", "completed", "finished", "none",
    "nan", "0", "pass", "passed", "fine", "valid", "true", "good", "no", "no error", "-", "optimal", "converged",
))  # fmt: skip
REASON_COLUMNS = ("status", "state", "reason", "error", "failure", "exception", "info")
FLAGS = {"failed": True, "crashed": True, "timeout": True, "timed_out": True, "success": False, "ok": False,
         "succeeded": False, "completed": False, "finished": False}  # fmt: skip
"""Columns of 0 and 1, or True and False, and the value that says that a run failed."""
LONGEST_REASON = 200
REASONS = {word: words[0] for words in (OUT_OF_TIME, OUT_OF_MEMORY) for word in words}
MEANT = 0.25  # least share of numbers and words for failures among the entries of a column that is meant for scores

NUMBER = r"[+−-]?(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][+−-]?\d+)?"
SYMBOLS = r"[\s*_†‡§¶#^~$%{}=|'\"`↑↓▲▼✓✗•]*"
SPREAD = rf"(?:(?:±|\+/[−-]|\+[−-])\s*{NUMBER}|\([^()]*\)|\[[^\]]*\])"
DECORATED = re.compile(rf"{SYMBOLS}({NUMBER}){SYMBOLS}(?:{SPREAD}{SYMBOLS})*[a-z]?{SYMBOLS}")
MARKUP = re.compile(r"\\pm\b|\\[a-zA-Z]+|</?[a-zA-Z]+>")  # LaTeX and HTML
FAILED = re.compile(
    r"out of (?:memory|time)|oom|time[- ]?d?[- ]?out|time ?limit|mem(?:ory)?\W*(?:error|limit|out)|fail|error|crash|"
    r"killed|abort|diverge|did not|not? (?:available|finish|result|score|there)|segfault|exceed|exception|skip|pending|"
    r"running|incomplete|invalid|cancel|preempt|nan|infeasible|missing|unknown",
    re.IGNORECASE,
)


def decorated_number(text: str) -> str | None:
    r"""The number in a cell that holds one and more than that; None where there is none, or only a bound such as <0.01.

    >>> [decorated_number(t) for t in ("95%", "99.2*", "0.9±0.1", r"\textbf{0.93}", "0.93 (2)", "0,676")]
    ['95', '99.2', '0.9', '0.93', '0.93', '0.676']
    >>> [decorated_number(t) for t in ("UCI", "10-fold", "2019-03-01", "iris 2", "3 classes", "> 24h")]
    [None, None, None, None, None, None]
    """
    plain = MARKUP.sub(lambda m: "±" if m[0] == r"\pm" else "", text)
    found = DECORATED.fullmatch(plain.strip())
    if found is None:
        return None
    number = found[1].replace("−", "-")
    return number if "," not in number else _without_commas(number)


def _without_commas(number: str) -> str:
    """A number without commas, which stood for the decimal point or between thousands."""
    if COMMAS_BETWEEN_THOUSANDS.fullmatch(number.lstrip("+-")):
        return number.replace(",", "")
    return number.replace(",", ".") if number.count(",") == 1 and "." not in number else number


def text_cells(column: pd.Series) -> NDArray[np.bool_]:
    """The cells that are neither numbers, nor empty, nor words for a failed run."""
    import pandas as pd

    if pd.api.types.is_numeric_dtype(column):
        return np.zeros(len(column), dtype=np.bool_)
    return of_kinds(column, lambda kinds: ~are_numbers(kinds) & ~_is_lost(kinds).to_numpy())


def of_kinds(column: pd.Series, is_so: Callable[[pd.Series], NDArray[np.bool_]]) -> NDArray[np.bool_]:
    """What holds of each cell, asked once of each kind of entry: a few words may fill millions; not of missing ones."""
    import pandas as pd

    places, kinds = pd.factorize(column)
    found: NDArray[np.bool_] = np.append(is_so(pd.Series(kinds)), False)[places]  # -1 is a missing cell
    return found


def are_numbers(column: pd.Series) -> NDArray[np.bool_]:
    """Which cells are numbers."""
    import pandas as pd

    return np.asarray(pd.to_numeric(column, errors="coerce").notna(), dtype=np.bool_)


def _is_lost(column: pd.Series) -> pd.Series:
    return column.isna() | _lower(column).isin(FAILURE_WORDS)


def _lower(column: pd.Series) -> pd.Series:
    return column.astype(str).str.strip().str.lower()


def reasons_in(column: pd.Series) -> pd.Series:
    """Why runs failed, where cells say so: 'out of time', 'out of memory'; else an empty text.

    >>> import pandas as pd
    >>> reasons_in(pd.Series(["0.9", "OOM", "-", "Timeout"])).tolist()
    ['', 'out of memory', '', 'out of time']
    """
    import pandas as pd

    if pd.api.types.is_numeric_dtype(column):
        return pd.Series("", index=column.index)
    known = {entry: REASONS.get(str(entry).strip().lower(), "") for entry in column.dropna().unique()}
    return column.map(known).fillna("")


def tells_failures(title: str) -> bool:
    """Whether a column is called like one that says which runs failed."""
    return title.strip().lower() in (*FLAGS, *REASON_COLUMNS)


def why_failed(frame: pd.DataFrame, taken: Collection[str]) -> tuple[pd.Series, str, list[str]] | None:
    """Why runs failed by the columns of the frame that say so, the first of these columns, and words that are unclear.

    The reason is empty where all went well. None: no column says it.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"auc": [0.9, None, None], "Status": ["ok", "OOM", "no licence: please renew it"]})
    >>> reasons, *more = why_failed(frame, ["auc"])
    >>> reasons.tolist()
    ['', 'out of memory', 'no licence: please renew it']
    >>> tuple(more)
    ('Status', ['no licence: please renew it'])
    """
    import pandas as pd

    found, first, unclear = pd.Series("", index=frame.index, dtype=object), "", []
    for title in [c for c in frame.columns if c not in taken]:
        plain, column = str(title).strip().lower(), frame[title]
        if plain in FLAGS and column.dropna().isin([0, 1]).all():
            lost = column.eq(FLAGS[plain]) & column.notna()
            said = lost.map({True: plain if FLAGS[plain] else "failed", False: ""})
        elif plain in REASON_COLUMNS and column.dtype.kind not in "iuf":
            texts = {entry: _reason(str(entry)) for entry in column.dropna().unique()}
            said = column.map(texts).fillna("")
            unclear += [str(e) for e, text in texts.items() if text and plain != "error" and not FAILED.search(str(e))]
        else:
            continue
        first, found = first or str(title), found.where(found != "", said)
    return (found, first, unclear) if first else None


def _reason(text: str) -> str:
    """A reason in few words; empty where all went well."""
    plain = text.strip().lower()
    if plain in WENT_WELL:
        return ""
    if plain in FAILURE_WORDS and plain not in REASONS:
        return "failed"
    first = visible(text.strip().split("\n")[0])
    return REASONS.get(plain, first if len(first) <= LONGEST_REASON else f"{first[: LONGEST_REASON - 1]}…")


def has_numbers(column: pd.Series) -> bool:
    """Whether any cell is a number, decorated or not."""
    import pandas as pd

    kinds = pd.Series(column.unique())
    return bool(are_numbers(kinds).any()) or any(map(decorated_number, kinds.astype(str)))


def mostly_numbers(column: pd.Series) -> bool:
    """Whether at least half of the cells are numbers, or all are numbers and words for failures."""
    import pandas as pd

    if pd.api.types.is_bool_dtype(column):
        return False
    if pd.api.types.is_numeric_dtype(column):
        return True
    return bool(of_kinds(column, are_numbers).mean() >= 0.5 or not text_cells(column).any())


def holds_scores(column: pd.Series) -> bool:
    """Whether a column is meant to hold scores: numbers, perhaps decorated, and words for failures."""
    import pandas as pd

    if pd.api.types.is_bool_dtype(column):
        return False
    if pd.api.types.is_numeric_dtype(column):
        return True
    strange = text_cells(column)
    if not strange.any():
        return True
    numbers = int(pd.to_numeric(column, errors="coerce").notna().sum())
    texts = column[strange].astype(str).value_counts()
    meant = sum(int(n) for text, n in texts.items() if decorated_number(str(text)) or FAILED.search(str(text)))
    return numbers + meant >= MEANT * (numbers + int(texts.sum()))


def refuse_cells(
    source: str,
    cells: Iterable[tuple[str, str]],
    what: str = "scores",
    failed: str = "leave the cell of a failed run empty",
) -> None:
    """Refuse cells that are text: the error names their places and what to write instead."""
    found = list(cells)
    if not found:
        return
    shown = "; ".join(f"{place}: {text!r}" for place, text in found[:MOST_NAMED])
    more = f"; and {plural(len(found) - MOST_NAMED, 'other')}" if len(found) > MOST_NAMED else ""
    count = f"{plural(len(found), 'cell')} {verb(len(found), 'is', 'are')}"
    decorated = next(((text, number) for _, text in found if (number := decorated_number(text)) is not None), None)
    remedies = [f"write plain numbers ({decorated[1]} instead of {decorated[0]!r})"] if decorated else []
    others = [text for _, text in found if decorated_number(text) is None]
    if others:
        remedies.append(failed)
    if what == "scores" and any(FAILED.search(text) is None for text in others):
        remedies.append("take out what holds no scores")
    remedy = ", ".join(remedies)
    raise InputError(f"{source}: {what} must be numbers, but {count} not ({shown}{more}); {remedy}")


COLUMN, VALUE = "\0column", "\0value"  # titles that no table has, for its titles and its cells in long form


@dataclass(frozen=True, slots=True)
class Places:
    """The columns that say where a score belongs; ``factors`` hold levels of factors, as an export has them.

    A table without a column of data sets has them in its titles, or has one only, which is called ``sole``; so has one
    without a column of methods.
    """

    dataset: str | None
    method: str | None = None
    repeat: str | None = None
    fold: str | None = None
    measure: str | None = None
    factors: tuple[str, ...] = ()
    replicate: str | None = None
    sole: str = field(default="", kw_only=True)

    def roles(self) -> dict[str, str]:
        """The columns that there are, by their roles."""
        own = {name: getattr(self, name) for name in ("dataset", "method", "replicate", "repeat", "fold", "measure")}
        return {role: title for role, title in own.items() if title} | {name: name for name in self.factors}

    def titles(self) -> list[str]:
        """The titles of the columns that there are."""
        return list(self.roles().values())

    def owner(self) -> tuple[str, ...]:
        """The columns that name the owner of a score: data set and method, where they are in rows."""
        return tuple(title for title in (self.dataset, self.method) if title)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of a frame that should hold scores: the columns ``titles``.

    For error messages, a cell is named by the entries of its row in the columns ``named_by`` and, with ``with_title``,
    by the title of its column.
    """

    frame: pd.DataFrame
    titles: tuple[str, ...]
    named_by: tuple[str, ...]
    with_title: bool = True

    def texts(self) -> list[tuple[str, str]]:
        """The cells that are neither numbers nor words for a failed run, each with its place."""
        return [
            (self._place(int(row), title), str(self.frame[title].iloc[row]))
            for title in self.titles
            for row in np.flatnonzero(text_cells(self.frame[title]))
        ]

    def _place(self, row: int, title: str) -> str:
        names = [str(self.frame[column].iloc[row]) for column in self.named_by]
        return ", ".join([*names, title] if self.with_title else names)


@dataclass(frozen=True, slots=True)
class Kept:
    """The data sets and methods whose scores are read; None means all."""

    datasets: Collection[str] | None = None
    methods: Collection[str] | None = None

    def rows(self, frame: pd.DataFrame, places: Places) -> pd.DataFrame:
        """The rows of a frame that belong to them."""
        for title, names in ((places.dataset, self.datasets), (places.method, self.methods)):
            frame = frame if title is None or names is None else frame[frame[title].astype(str).isin(names)]
        return frame


ALL = Kept()


class ScoreShape(Protocol):
    """The protocol of a shape: how a table holds its scores."""

    @property
    def places(self) -> Places: ...

    @property
    def names_measures(self) -> bool:
        """Whether the table says what its scores measure."""
        ...

    @property
    def values(self) -> tuple[str, ...]:
        """The columns that hold scores."""
        ...

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What was decided in finding it."""
        ...

    @property
    def unread(self) -> tuple[str, ...]:
        """The columns that are not used."""
        ...

    def cells(self, frame: pd.DataFrame, kept: Kept = ALL) -> Cells:
        """The cells with the scores of the data sets and methods that are kept."""
        ...

    def long_form(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The table in long form: dataset, method, factors, repeat, fold, value; one row per score.

        If the table names its measures, they are in a further column, and so are reasons of failures.
        """
        ...


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns that all shapes have: those that say where scores belong, and those that hold them."""

    places: Places
    values: tuple[str, ...]
    unread: tuple[str, ...] = field(default=(), kw_only=True)
    remarks: tuple[Remark, ...] = field(default=(), kw_only=True, compare=False)

    @property
    def names_measures(self) -> bool:
        return self.places.measure is not None

    def cells(self, frame: pd.DataFrame, kept: Kept = ALL) -> Cells:
        return Cells(kept.rows(frame, self.places), self.values, self.places.owner())


@dataclass(frozen=True, slots=True)
class LongShape(_Columns):
    """A row for each score, all of which are in one column."""

    def cells(self, frame: pd.DataFrame, kept: Kept = ALL) -> Cells:
        return replace(_Columns.cells(self, frame, kept), with_title=False)

    def long_form(self, frame: pd.DataFrame) -> pd.DataFrame:
        made = _tidy(frame, self.places, self.values[0])
        taken = (*self.places.titles(), *self.values)
        sizes = {c: _size(frame[c]) for c in ("n_train", "n_test") if c in frame.columns and c not in taken}
        if "status" not in frame.columns or "status" in taken:
            return made.assign(**sizes)
        return made.assign(**sizes, status=frame["status"].to_numpy())


@dataclass(frozen=True, slots=True)
class WideShape(_Columns):
    """A row for each data set (and perhaps repeat, fold and measure), a column for each method, or the other way round.

    ``parts`` are method (or data set) and measure of columns whose titles have both, such as ``svm_auc``.
    """

    parts: tuple[tuple[str, str], ...] = ()

    @property
    def names_measures(self) -> bool:
        return self.places.measure is not None or bool(self.parts)

    def names(self) -> tuple[str, ...]:
        """The name in the title of each column."""
        return tuple(name for name, _ in self.parts) or self.values

    def cells(self, frame: pd.DataFrame, kept: Kept = ALL) -> Cells:
        names = kept.methods if self.places.method is None else kept.datasets
        wanted = [c for c, name in zip(self.values, self.names(), strict=True) if names is None or name in names]
        return Cells(kept.rows(frame, self.places), tuple(wanted), self.places.owner())

    def long_form(self, frame: pd.DataFrame) -> pd.DataFrame:
        long = _melted(frame, self.places, self.values)
        if self.parts:
            parts = dict(zip(self.values, self.parts, strict=True))
            measures = long[COLUMN].map({title: measure for title, (_, measure) in parts.items()}).astype(str)
            named = long.assign(**{COLUMN: long[COLUMN].map({title: name for title, (name, _) in parts.items()})})
            return _tidy(named, self.places, VALUE, COLUMN).assign(measure=measures)
        return _tidy(long, self.places, VALUE, COLUMN)


@dataclass(frozen=True, slots=True)
class MeasureColumns(_Columns):
    """A row for each data set, method and split, a column for each measure."""

    @property
    def names_measures(self) -> bool:
        return True

    def long_form(self, frame: pd.DataFrame) -> pd.DataFrame:
        long = _melted(frame, self.places, self.values)
        return _tidy(long, self.places, VALUE).assign(measure=long[COLUMN].astype(str))


@dataclass(frozen=True, slots=True)
class FoldColumns(_Columns):
    """A row for each data set and method, a column for each fold; the ``resampling`` says how many a repeat has."""

    resampling: str | None = None

    def long_form(self, frame: pd.DataFrame) -> pd.DataFrame:
        long = _melted(frame, self.places, self.values)
        made = _tidy(long, self.places, VALUE)
        position = long[COLUMN].map({c: i for i, c in enumerate(self.values)})
        per_repeat = (parse(self.resampling).dependence().folds if self.resampling else 0) or len(self.values)
        return made.assign(repeat=position // per_repeat, fold=position % per_repeat)


def _melted(frame: pd.DataFrame, places: Places, values: tuple[str, ...]) -> pd.DataFrame:
    """A row for each cell of the columns with values, with the column's title."""
    return frame.melt(id_vars=places.titles(), value_vars=list(values), var_name=COLUMN, value_name=VALUE)


def _tidy(long: pd.DataFrame, places: Places, value: str, names: str | None = None) -> pd.DataFrame:
    """The columns of the long form, from a frame with a row for each score.

    ``names`` is the column of data sets or methods, whichever the rows do not name.
    """
    import pandas as pd

    is_text = long[value].dtype.kind not in "iufb"
    reasons = reasons_in(long[value]) if is_text else pd.Series(dtype=object)
    dataset, method = places.dataset or (names if places.method else None), places.method or names
    return pd.DataFrame({
        "dataset": places.sole if dataset is None else long[dataset].astype(str),
        "method": places.sole if method is None else long[method].astype(str),
        **{name: _levels(long[name]) for name in places.factors},
        **({} if places.replicate is None else {"replicate": numbered(long, places.replicate)}),
        "repeat": numbered(long, places.repeat),
        "fold": numbered(long, places.fold),
        **({} if places.measure is None else {"measure": long[places.measure].astype(str)}),
        "value": pd.to_numeric(long[value], errors="coerce").astype(float),
        **({"reason": reasons} if (reasons != "").any() else {}),
    }, index=long.index)  # fmt: skip


def _size(column: pd.Series) -> NDArray[np.float64]:
    """Numbers of rows that were trained on or tested; empty where they are not known."""
    import pandas as pd

    numbers = pd.to_numeric(column, errors="coerce")
    strange = column[numbers.isna() & column.notna()]
    if len(strange):
        raise InputError(f"{column.name} must hold numbers of rows, or nothing, got {strange.iloc[0]!r}")
    return np.asarray(numbers, dtype=np.float64)


def _levels(column: pd.Series) -> pd.Series:
    """Levels as numbers, or as texts where some are no numbers; those that a factor can't have are refused.

    A factor of methods is missing where it does not exist.
    """
    import pandas as pd

    name = str(column.name)
    numbers = pd.to_numeric(column, errors="coerce")
    if name not in FACTORS:
        if column.dtype.kind != "b" and (numbers.notna() == column.notna()).all():
            return numbers
        return column.map(level_text, na_action="ignore").astype(object)
    strange = column[numbers.isna()]
    if len(strange):
        raise InputError(f"levels of {name} must be numbers, got {strange.iloc[0]!r}; fill in or remove such rows")
    training_factor(name, {"levels": levels_in(numbers)})
    return numbers


def levels_in(column: pd.Series) -> tuple[Level, ...]:
    """The distinct levels of a factor in a column, numbers in rising order; levels without a fraction are ints.

    >>> import pandas as pd
    >>> levels_in(pd.Series([100.0, 0.5, 100.0])), levels_in(pd.Series(["svm", None, "b"]))
    ((0.5, 100), ('svm', 'b'))
    """
    import pandas as pd

    there = column.dropna().unique()
    if not pd.api.types.is_numeric_dtype(column):
        return tuple(there.tolist())
    return tuple(int(v) if float(v).is_integer() else float(v) for v in sorted(there))
