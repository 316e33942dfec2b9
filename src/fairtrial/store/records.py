"""Records: what is kept of one trial, and the columns of the study file that it is kept in."""

from __future__ import annotations

import functools
import math
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from sqlite3 import Row
from typing import TYPE_CHECKING, Any, Literal, Protocol

from fairtrial.errors import StudyFileError
from fairtrial.slotted import sent_by_fields
from fairtrial.store.checks.json import TRAINING_SCORES, WARNINGS, Check, a_mapping, write_json
from fairtrial.store.columns import StoredColumn, columns_of, stored
from fairtrial.words import shortened, visible_lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

Status = Literal["ok", "failed"]

ADVICE = "advice: "  # begins the second line of an error, where there is advice on it
LONGEST_REASON = 500  # characters of the first line of an error
LONGEST_TEXT = 4096  # characters of the rest of an error, of a warning, or of printed output
SMALL = 512  # bytes of an array that is not worth compressing
SAMPLE = 64  # values of an array that show whether they repeat
RAW = "raw "
NUMBERS = re.compile(r"<[iuf][248]|\|[iub]1")  # numpy's kinds of number that are stored

RESOURCE_COLUMNS = (
    StoredColumn("fit_time", "REAL", "seconds"),
    StoredColumn("fit_cpu", "REAL", "seconds"),
    StoredColumn("predict_time", "REAL", "seconds"),
    StoredColumn("predict_cpu", "REAL", "seconds"),
    StoredColumn("peak_memory", "REAL", "bytes"),
    StoredColumn("model_size", "REAL", "bytes"),
)
"""The columns for what a trial cost. ``Record.resources`` has those that were measured, by name."""


@sent_by_fields
@dataclass(frozen=True, slots=True)
class Packed:
    """An array as bytes: nothing in it can run when it is opened.

    ``dtype`` is numpy's text for it. The bytes are compressed by zlib or, after "raw ", uncompressed with a checksum.
    Small arrays, and values that hardly repeat, such as the probabilities of a logistic regression, are not compressed:
    that would save a twentieth at best, and take longer than all else that is done with them.
    """

    dtype: str
    shape: tuple[int, ...]
    data: bytes

    @classmethod
    def of(cls, array: NDArray[Any]) -> Packed:
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        raw = little.tobytes()
        if len(raw) > SMALL and _repeats(array):
            return cls(little.dtype.str, array.shape, zlib.compress(raw, 1))
        return cls(RAW + little.dtype.str, array.shape, raw + _checksum(raw))

    def unpack(self) -> NDArray[Any]:
        import numpy as np

        kind, data = self.opened()
        return np.frombuffer(data, dtype=np.dtype(kind)).reshape(self.shape)

    def opened(self) -> tuple[str, bytes]:
        """The kind of number, as numpy names it, and the bytes: as many as the shape needs.

        No more bytes are unpacked than the shape needs, since a few compressed bytes can hold gigabytes.
        """
        kind, bytes_each, is_raw = _kind_of(self.dtype)
        if not isinstance(self.data, bytes) or not kind:
            raise damaged(f"it must be bytes of numbers, got {self.dtype!r}")
        size = math.prod(self.shape) * bytes_each
        data = _raw(self.data) if is_raw else _decompressed(self.data, size)
        if len(data) != size:
            raise damaged(f"it must have {size} bytes, got {'more' if len(data) > size else len(data)}")
        return kind, data


@functools.lru_cache(maxsize=100)
def _kind_of(dtype: str) -> tuple[str, int, bool]:
    """The kind of number as numpy names it (empty: none), its bytes, and whether it is not compressed."""
    kind = dtype.removeprefix(RAW)
    return (kind, int(kind[2:]), dtype.startswith(RAW)) if NUMBERS.fullmatch(kind) else ("", 0, False)


def _raw(data: bytes) -> bytes:
    raw, sum_of_it = data[:-4], data[-4:]
    if _checksum(raw) != sum_of_it:
        raise damaged("its checksum is wrong")
    return raw


def _decompressed(data: bytes, size: int) -> bytes:
    """The decompressed bytes: ``size`` of them, or one more where there are too many."""
    stream = zlib.decompressobj()
    try:
        raw = stream.decompress(data, size + 1)
    except zlib.error as error:
        raise damaged(error) from error
    if len(raw) <= size and not stream.eof:
        raise damaged("its end is missing")
    return raw


def _checksum(raw: bytes) -> bytes:
    return zlib.crc32(raw).to_bytes(4, "little")


def damaged(error: Exception | str) -> StudyFileError:
    """The error for an array that is not what it should be."""
    return StudyFileError(f"an array in the study file is damaged ({error}); take a copy of the file that is whole")


def _repeats(array: NDArray[Any]) -> bool:
    """Whether each of the first values is there twice on average."""
    first = array.reshape(-1)[:SAMPLE].tolist()
    return 2 * len(set(first)) <= len(first)


@sent_by_fields
@dataclass(frozen=True, slots=True)
class Record:
    """The record of one trial: its predictions and times, or why there are none.

    ``error`` begins with one line that says what happened; a traceback may follow. ``warnings`` are pairs of a text and
    how often it came. ``output`` is what the method printed. ``begun`` is the time of the start, in seconds since 1970.
    ``n_train`` is the number of training rows, for studies with factors. ``details`` is the method's report on itself,
    such as tuned parameters: anything that JSON can hold. ``training_scores`` are the scores on rows that were learned
    from, by measure, if the study records them. Texts from methods are made safe to show and store: control
    characters and halves of surrogate pairs are written as escapes, and long texts are shortened.

    A field with ``stored(…)`` is kept in the column of its name; its default value is stored as NULL.
    """

    key: bytes
    status: Status = field(
        metadata=stored(
            "TEXT NOT NULL DEFAULT 'waiting'", "waiting, ok, failed", rule="status IN ('waiting', 'ok', 'failed')"
        )
    )
    error: str | None = field(default=None, metadata=stored("TEXT"))
    warnings: tuple[tuple[str, int], ...] = field(default=(), metadata=stored("TEXT", "JSON", json=WARNINGS))
    output: str = field(default="", metadata=stored("TEXT"))
    resources: Mapping[str, float] = field(default_factory=dict)
    arrays: Mapping[str, Packed] = field(default_factory=dict)
    begun: float | None = field(
        default=None, metadata=stored("REAL", "seconds since 1970: the order that really was", shown=False)
    )
    n_train: int | None = field(default=None, metadata=stored("INTEGER", "rows learned from; NULL: all of the split's"))
    details: Mapping[str, Any] = field(
        default_factory=dict,
        metadata=stored("TEXT", "JSON: what the method tells of itself", json=a_mapping, shown=False),
    )
    training_scores: Mapping[str, float] = field(
        default_factory=dict,
        metadata=stored("TEXT", "JSON: by measure, scores on rows learned from", json=TRAINING_SCORES),
    )

    def __post_init__(self) -> None:
        if self.error is not None:
            object.__setattr__(self, "error", _storable_error(self.error))
        if self.warnings:
            object.__setattr__(self, "warnings", tuple((_storable(text), n) for text, n in self.warnings))
        if self.output:
            object.__setattr__(self, "output", _storable(self.output))


RECORDED = columns_of(Record)
"""The columns of the table ``trial`` that hold the fields of a record, by name."""

RESOURCES = tuple(column.name for column in RESOURCE_COLUMNS)
"""The columns of the table ``trial`` that hold what a trial cost."""

REALS = frozenset(c.name for c in (*RECORDED.values(), *RESOURCE_COLUMNS) if c.kind == "REAL")
"""Those columns of the table ``trial`` that hold numbers with decimals."""

FILLED = (*RECORDED, *RESOURCES)
"""The columns of the table ``trial`` that a record fills, in the order of :func:`values_of`."""

_fields_of = attrgetter(*RECORDED)
_DEFAULTS = tuple(
    f.default_factory() if callable(f.default_factory) else f.default for f in fields(Record) if f.name in RECORDED
)
_AS_JSON = tuple(i for i, column in enumerate(RECORDED.values()) if column.json)


def values_of(record: Record) -> list[object]:
    """The values of a record for the columns of the table ``trial``, in the order of :data:`FILLED`.

    A trivial trial takes only about 200 µs in all, so names are looked up once, when this module is imported, and not
    by SQLite for each record.
    """
    values = [None if value == default else value for value, default in zip(_fields_of(record), _DEFAULTS, strict=True)]
    for i in _AS_JSON:
        if values[i] is not None:
            values[i] = write_json(values[i])
    values += map(record.resources.get, RESOURCES)
    return values


def record_of(row: Row, arrays: Mapping[str, Packed], read: Callable[[object, Check, str], Any]) -> Record:
    """The record in a row of the table ``trial``; ``read`` reads and checks JSON."""
    values = {
        name: read(row[name], column.json, f"{name} of trials") if column.json else row[name]
        for name, column in RECORDED.items()
        if row[name] is not None
    }
    spent = {name: row[name] for name in RESOURCES if row[name] is not None}
    return Record(row["key"], resources=spent, arrays=arrays, **values)


def _storable(text: str, most: int = LONGEST_TEXT) -> str:
    return shortened(visible_lines(shortened(text, most)), most)


def _storable_error(error: str) -> str:
    """The error with its first line and the rest shortened, each to its own length."""
    first, newline, rest = error.partition("\n")
    return _storable(first, LONGEST_REASON) + newline + _storable(rest)


class Journal(Protocol):
    """The journal of records: all that the engine knows of the store."""

    def append(self, records: Sequence[Record]) -> None: ...

    def read(self) -> Iterator[Record]: ...
