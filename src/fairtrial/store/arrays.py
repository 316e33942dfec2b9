"""Reading the arrays of a study file: of one trial, or of many trials as stacks, which are unpacked together.

The size of each array is checked against the plan before it is unpacked, since a few bytes may hold gigabytes.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from fairtrial.errors import StudyFileError
from fairtrial.store.checks.row_names import ALTERED, damaged_row
from fairtrial.store.checks.seals import row_seal
from fairtrial.store.records import Packed, damaged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fairtrial.store.study_file import StudyFile

MOST_TRUTH = 2**26  # bytes that the truth of a data set may take, in a file of any size
MOST_PER_BYTE = (
    128  # bytes of truth for each byte of the file: rare classes compress better, but splits and predictions do not
)
CURRENT = "SELECT DISTINCT dataset FROM trial WHERE revision = ?"  # a file may also hold older forms of a data set

Form = tuple[tuple[str, str, tuple[int, ...]], ...]  # for each channel: name, kind of number, shape of an instance
ArrayRow = tuple[int, str, Packed]  # trial, channel, array


def stored_arrays(file: StudyFile, trials: Sequence[int], only: Collection[str] | None = None) -> Iterator[ArrayRow]:
    """The arrays of some trials (or some of their channels), each with its trial and channel.

    They have one row per tested instance, a column per class. Trials come in the order of their numbers, channels in
    that of their names. An array that is not what was written, or that is missing, is an error that names its trial.
    """
    classes = max((len(facts["classes"]) for facts in file.facts().values()), default=0)
    chosen = None if only is None else frozenset(only)
    for trial, own in groupby(file.database.execute(*_query(trials, only)), key=itemgetter(0)):
        rows = list(own)
        *_, channels, whole = rows[0]
        there = [] if rows[0][1] is None else rows
        if whole is not None and [row[2] for row in there] != _expected(channels, chosen):
            raise _missing(file, trial, [row[2] for row in there], _expected(channels, chosen))
        for _, _, channel, dtype, shape, data, seal, n_test, key, _, _ in there:
            if seal is not None and seal != row_seal("array", key, channel, dtype, shape, data):
                raise damaged_row(file.database, "array", (trial, channel), ALTERED)
            yield trial, channel, Packed(str(dtype), _fitting(shape, n_test, classes), data)


@functools.lru_cache(maxsize=1000)
def _fitting(shape: object, n_test: int, classes: int) -> tuple[int, ...]:
    """The shape of predictions for so many instances, with a column for each class or fewer."""
    found = _parsed(shape)
    n, *columns = found or (-1,)
    if n != n_test or len(columns) > 1 or any(k > classes for k in columns):
        raise damaged(f"its shape {found} is not that of predictions for {n_test} instances")
    return found


def _query(trials: Sequence[int], only: Collection[str] | None) -> tuple[str, list[str]]:
    """The query for arrays, and what it is given; a trial without any is a row without a channel."""
    chosen = "" if only is None else "AND a.channel IN (SELECT value FROM json_each(?2))"
    return (
        "SELECT t.id, a.trial, a.channel, a.dtype, a.shape, a.data, a.seal, s.n_test, t.key, t.channels, t.seal "
        f"FROM trial t JOIN split s ON s.id = t.split LEFT JOIN array a ON a.trial = t.id {chosen} "
        "WHERE t.id IN (SELECT value FROM json_each(?1)) ORDER BY t.id, a.channel",
        [json.dumps(list(trials)), *([] if only is None else [json.dumps(sorted(only))])],
    )


@functools.lru_cache(maxsize=100)
def _expected(channels: str | None, only: frozenset[str] | None) -> list[str]:
    """The channels that a trial must have in the table of arrays, among those that are asked for."""
    return sorted(c for c in (channels or "").split(",") if c and (only is None or c in only))


def _missing(file: StudyFile, trial: int, there: Sequence[str], expected: Sequence[str]) -> StudyFileError:
    lost = [channel for channel in expected if channel not in there]
    wrong = f"lacks its {lost[0]} in the table 'array'" if lost else "has more arrays than were written"
    return damaged_row(file.database, "trial", (trial,), wrong)


def stored_truth(file: StudyFile) -> dict[str, NDArray[Any]]:
    """The true classes (by number) or values of each data set of the current revision, by its name."""
    facts, found = file.facts(), {}
    most = max(MOST_TRUTH, MOST_PER_BYTE * (0 if file.path is None else file.path.stat().st_size))
    query = f"SELECT id, name, dtype, shape, truth FROM dataset WHERE id IN ({CURRENT})"
    for row in file.rows(query, file.revision()):
        n, packed = facts[row["id"]]["n"], Packed(str(row["dtype"]), _parsed(row["shape"]), row["truth"])
        if packed.shape != (n,):
            raise damaged(f"its shape {packed.shape} is not that of {n} instances")
        if 8 * n > most and file.path is not None:
            raise damaged(f"a file of this size does not hold the results of {n} instances")
        found[row["name"]] = packed.unpack()
    return found


def stored_tests(file: StudyFile) -> dict[int, NDArray[Any]]:
    """The instances that are tested in each split, by the split's number."""
    facts, found = file.facts(), {}
    for row in file.rows("SELECT id, dataset, n_test, test FROM split"):
        n, n_test = facts[row["dataset"]]["n"], row["n_test"]
        rows = Packed("<i4", (n_test,), row["test"]).unpack() if isinstance(n_test, int) and 0 <= n_test <= n else None
        if rows is None or (len(rows) and not 0 <= rows.min() <= rows.max() < n):
            raise damaged(f"a split must test some of {n} instances")
        found[row["id"]] = rows
    return found


def _parsed(shape: object) -> tuple[int, ...]:
    """The shape of a stored array: "15,3" is 15 × 3."""
    sizes = str(shape).split(",")
    if not all(size.isdecimal() and len(size) < 13 for size in sizes):
        raise damaged(f"its shape must be numbers such as 15,3, got {shape!r}")
    return tuple(map(int, sizes))


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """The predictions of trials of one form, one below the other.

    ``places`` are the positions of these trials among those that were requested.
    """

    places: tuple[int, ...]
    channels: Mapping[str, NDArray[Any]]

    def form(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The kind of number and the shape of one instance's prediction, by channel."""
        return {name: (array.dtype.str, array.shape[1:]) for name, array in self.channels.items()}


def stack_up(rows: Iterable[ArrayRow], trials: Sequence[int]) -> list[Stack]:
    """Stacks of rows that come trial by trial: one for each form, so that a channel that one trial lacks is kept.

    Two forms differ in their channels, kinds of number or columns.
    """
    place = {trial: i for i, trial in enumerate(trials)}
    alike: dict[Form, list[tuple[int, list[bytes]]]] = {}
    for trial, own in groupby(rows, key=itemgetter(0)):
        form, blobs = [], []
        for _, channel, packed in own:
            kind, blob = packed.opened()
            form.append((channel, kind, packed.shape[1:]))
            blobs.append(blob)
        alike.setdefault(tuple(form), []).append((place[trial], blobs))
    return [_stack(form, sorted(found, key=itemgetter(0))) for form, found in alike.items()]


def _stack(form: Form, found: Sequence[tuple[int, list[bytes]]]) -> Stack:
    columns = zip(*(blobs for _, blobs in found), strict=True)
    channels = {name: _stacked(dtype, tail, blobs) for (name, dtype, tail), blobs in zip(form, columns, strict=True)}
    return Stack(tuple(place for place, _ in found), channels)


def _stacked(dtype: str, tail: tuple[int, ...], blobs: Sequence[bytes]) -> NDArray[Any]:
    """The arrays of some blobs, one below the other; ``tail`` is their shape but for the first axis."""
    import numpy as np

    rows = -1 if 0 not in tail else 0
    return np.frombuffer(b"".join(blobs), dtype=np.dtype(dtype)).reshape(rows, *tail)
