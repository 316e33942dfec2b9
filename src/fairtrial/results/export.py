"""Export of scores and predictions as long tables, part after part: large studies do not fit into memory."""

from __future__ import annotations

import csv
import gzip
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO, cast

from fairtrial.data.file_text import check_name
from fairtrial.errors import InputError, StudyFileError
from fairtrial.results.prediction_source import stored_predictions
from fairtrial.store import part_beside
from fairtrial.words import listed, spreadsheet_text

if TYPE_CHECKING:
    import pandas as pd

    from fairtrial.results.results import Results

STDOUT = "-"
ENDINGS = (".csv", ".csv.gz", ".parquet")


@dataclass(frozen=True, slots=True, eq=False)
class LongTable:
    """A table that comes in parts. ``kinds`` has the type of each column; a part may lack some columns."""

    kinds: dict[str, type]
    parts: Callable[[], Iterable[pd.DataFrame]]

    def frames(self) -> Iterator[pd.DataFrame]:
        """The parts, all with the same columns."""
        return (part.reindex(columns=list(self.kinds)) for part in self.parts())


def write_long(table: LongTable, path: str | Path) -> Path:
    """Write a table to a file, by its ending: .csv, .csv.gz or .parquet; "-" is CSV on the standard output.

    An older file is replaced only when the new one is complete.
    """
    write = _writer(path)
    check_name(path)
    target = Path(path)
    if str(path) == STDOUT:
        write(table, sys.stdout)
        return target
    beside = _beside(target)
    try:
        write(table, beside)
        beside.replace(target)
    except StudyFileError:
        raise  # predictions are read while they are written: the study file is the trouble
    except OSError as error:
        raise InputError(
            f"{str(target)!r} can't be written: {error.strerror or error}; choose another place"
        ) from error
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
    return target


def export_results(
    results: Results, scores: str | Path | None, predictions: str | Path | None, anonymous: str | Path | None
) -> tuple[Path, ...]:
    """Write scores, predictions and an anonymous copy of the study file, where a path is given; return the paths."""
    if scores is None and predictions is None and anonymous is None:
        raise InputError("nothing to export; say scores='scores.csv', predictions='predictions.csv', or both")
    _refuse_one_place(scores, predictions)
    for path in (scores, predictions):
        if path is not None:
            _writer(path)  # refused before anything is computed
    source = None if predictions is None else stored_predictions(results)  # refused before anything is written
    written = [] if scores is None else [write_long(_score_table(results), scores)]
    if predictions is not None and source is not None:
        written.append(write_long(source.table(), predictions))
    return (*written, *([] if anonymous is None else [_anonymous_copy(results, anonymous)]))


def _score_table(results: Results) -> LongTable:
    return LongTable(kinds_of(results.scores, list(results.scores.columns)), lambda: [results.scores])


def _anonymous_copy(results: Results, path: str | Path) -> Path:
    if results.source is None:
        raise no_study_file()
    return results.source.copy_anonymously(path)


def no_study_file() -> InputError:
    """The error for an anonymous copy of results that come from elsewhere."""
    return InputError(
        "anonymous= copies a study file, but these results come from a table; say scores= or predictions="
    )


def _refuse_one_place(*paths: str | Path | None) -> None:
    """Refuse one place for two tables: the second would replace the first."""
    given = [str(p) if str(p) == STDOUT else str(Path(p).resolve()) for p in paths if p is not None]
    if len(set(given)) < len(given):
        raise InputError(f"scores and predictions must go to two files, got {str(paths[0])!r} for both")


def _beside(target: Path) -> Path:
    """The temporary name of a file while it is written."""
    return part_beside(target, max((e for e in ENDINGS if target.name.lower().endswith(e)), key=len))


def _writer(path: str | Path) -> Callable[[LongTable, Any], None]:
    name = str(path).lower()
    if name == STDOUT or name.endswith((".csv", ".csv.gz")):
        return _write_csv
    if not name.endswith(".parquet"):
        raise InputError(f"the file must end in {listed(ENDINGS, last='or')}, got {str(path)!r}")
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise InputError(
            f"writing {str(path)!r} needs pyarrow, which is not there; pip install 'fairtrial[arrow]', or write .csv"
        ) from error
    return _write_parquet


def _write_csv(table: LongTable, where: Path | TextIO) -> None:
    with _opened(where) as stream:
        header = True
        for frame in table.frames():
            for name in (name for name, kind in table.kinds.items() if kind is str):
                frame[name] = _for_spreadsheets(frame[name])
            frame.to_csv(stream, index=False, header=header, lineterminator="\n", quoting=_quoting(frame, table.kinds))
            header = False
        if header:
            stream.write(",".join(table.kinds) + "\n")


def _quoting(frame: pd.DataFrame, kinds: Mapping[str, type]) -> Literal[0, 2]:
    """The way to quote: all texts where one has a carriage return, which ends a row for some readers; else few."""
    texts = (t for name, kind in kinds.items() if kind is str for t in frame[name].dropna().unique())
    return csv.QUOTE_NONNUMERIC if any("\r" in t for t in texts if isinstance(t, str)) else csv.QUOTE_MINIMAL


def _for_spreadsheets(column: pd.Series) -> pd.Series:
    """The texts, changed so that a spreadsheet takes none of them for a formula."""
    texts = [t for t in column.dropna().unique() if isinstance(t, str)]
    changed = {t: spreadsheet_text(t) for t in texts if spreadsheet_text(t) != t}
    return column.replace(changed) if changed else column


@contextmanager
def _opened(where: Path | TextIO) -> Iterator[TextIO]:
    if not isinstance(where, Path):
        yield where
    elif where.name.lower().removesuffix(".part").endswith(".gz"):
        with gzip.open(where, "wb", compresslevel=6) as packed, io.TextIOWrapper(cast(Any, packed), "utf-8") as stream:
            yield stream
    else:
        with where.open("w", encoding="utf-8", newline="") as stream:
            yield stream


def _write_parquet(table: LongTable, where: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(name, _arrow(kind)) for name, kind in table.kinds.items()])
    with parquet.ParquetWriter(where, schema) as writer:
        for frame in table.frames():
            writer.write_table(pa.Table.from_pandas(frame, schema=schema, preserve_index=False))


def _arrow(kind: type) -> Any:
    import pyarrow as pa

    return {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}[kind]


def kinds_of(frame: pd.DataFrame, columns: Sequence[str]) -> dict[str, type]:
    """The type of each column of a frame: bool, int, float or str."""
    import pandas as pd

    def kind(column: pd.Series) -> type:
        if pd.api.types.is_bool_dtype(column):
            return bool
        if pd.api.types.is_integer_dtype(column):
            return int
        return float if pd.api.types.is_numeric_dtype(column) else str

    return {name: kind(frame[name]) for name in columns}
