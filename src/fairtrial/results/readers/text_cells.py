"""Cells that should be numbers and are text: decorated numbers, words for failures, and other words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairtrial.data.spellings import COMMAS_BETWEEN_THOUSANDS
from fairtrial.errors import InputError
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
    places, entries = pd.factorize(column)  # a few different words may fill millions of cells
    different = pd.Series(entries)
    strange = ~pd.to_numeric(different, errors="coerce").notna() & ~_is_lost(different)
    found: NDArray[np.bool_] = np.append(strange.to_numpy(dtype=np.bool_), False)[places]  # -1 is a missing cell
    return found


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

    return bool(pd.to_numeric(column, errors="coerce").notna().any()) or any(map(decorated_number, column.astype(str)))


def mostly_numbers(column: pd.Series) -> bool:
    """Whether at least half of the cells are numbers, or all are numbers and words for failures."""
    import pandas as pd

    if pd.api.types.is_bool_dtype(column):
        return False
    numbers = pd.to_numeric(column, errors="coerce").notna()
    return bool(numbers.mean() >= 0.5 or not text_cells(column).any())


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
