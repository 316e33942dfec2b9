"""Splits that were made elsewhere: from a file, or by a scikit-learn splitter.

Rows that are held back before a study is planned, so that what it chooses can be confirmed on them.
"""

from __future__ import annotations

import csv
import hashlib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fairtrial.data import Dataset, datasets
from fairtrial.data.file_text import check_name
from fairtrial.doors import door
from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling.allocation import check_share
from fairtrial.resampling.holdout import Holdout, Seeds
from fairtrial.resampling.split import Dependence, Indices, Split, generator
from fairtrial.words import listed, plural

PARTS = ("train", "validation", "test")
ANY_DATASET = ""
UNWRITTEN = {"written": False}
CAUTION = "the scheme of these splits is unknown (like='10x10-fold' would name it), so their scores are only averaged"

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class OwnSplits:
    """Splits of your own, from a file with the columns repeat, fold, row and perhaps part and dataset.

    Rows count from 0, as in the data file. Without ``part`` the rows listed are the test rows, and all others are
    training rows. With it each row is ``train``, ``validation`` or ``test``, and rows that are not listed are left out.
    Without ``dataset`` the splits hold for every data set. ``like`` names the split scheme, such as ``"10x10-fold"``.
    Without it the dependence between scores is unknown, and the folds of one data set are only averaged.
    """

    name, written, analysis = "own splits", "splits.csv", "averaged, or as like= says"
    use: ClassVar[str] = "published splits; splits that only somebody who knows the data can make"
    beware: ClassVar[str] = "say how they were drawn (like=), else folds of one data set can't be tested"
    file: str
    digest: str
    like: str | None = None
    rows: Mapping[str, Mapping[Place, Mapping[str, Indices]]] = field(
        default_factory=dict, repr=False, compare=False, metadata=UNWRITTEN
    )

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:  # noqa: ARG002
        own = self.rows.get(dataset.name, self.rows.get(ANY_DATASET))
        if own is None:
            raise UnknownName.among(f"data set in {self.file}", dataset.name, self.rows)
        for (repeat, fold), parts in sorted(own.items()):
            where = f"repeat {repeat}, fold {fold} of {self.file}"
            made = Split(repeat, fold, dataset.n, np.sort(parts["test"]), train=parts.get("train"))
            yield _checked(made, dataset, where)

    def dependence(self, dataset: Dataset | None = None) -> Dependence:
        made = None if dataset is None else list(self.splits(dataset, 0))
        return _dependence(f"own splits ({self.file})", self.like, made, dataset)


def read_splits(path: str | Path, *, like: str | None = None) -> OwnSplits:
    """Read splits from a CSV file with the columns repeat, fold, row and perhaps part and dataset.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "halves.csv"
    >>> _ = path.write_text("repeat,fold,row\\n0,0,1\\n0,0,3\\n0,1,0\\n0,1,2\\n0,1,4\\n")
    >>> data = Dataset.from_arrays([[1.0], [2.0], [3.0], [4.0], [5.0]], [0.1, 0.2, 0.3, 0.4, 0.5])
    >>> [(s.fold, s.train_rows().tolist(), s.test.tolist()) for s in read_splits(path).splits(data, seed=1)]
    [(0, [0, 2, 4], [1, 3]), (1, [1, 3], [0, 2, 4])]
    """
    check_name(path)
    path = Path(path)
    _check_like(like)
    try:
        content = path.read_bytes()
        lines = list(csv.DictReader(content.decode("utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the splits in {path} can't be read: {error}") from error
    return OwnSplits(path.name, _hash(content), like, _sorted_out(lines, path.name))


def _sorted_out(lines: list[dict[str, str]], file: str) -> dict[str, dict[Place, dict[str, Indices]]]:
    """The rows of a file by data set, place and part."""
    if not lines:
        raise InputError(f"{file} must have a head and at least one row of splits, got none")
    known, given = ("repeat", "fold", "row", "part", "dataset"), [k for k in lines[0] if k is not None]
    for column in ("fold", "row"):
        if column not in given:
            raise InputError(f"{file} must have the columns repeat, fold and row, but has {listed(given)}")
    for column in given:
        if column not in known:
            raise UnknownName.among(f"column of splits ({file})", column, known)
    found: dict[str, dict[Place, dict[str, list[int]]]] = {}
    for number, line in enumerate(lines, start=2):
        part = (line.get("part") or "test").strip().lower()
        if part not in PARTS:
            raise InputError(f"part must be train, validation or test, got {part!r} in line {number} of {file}")
        numbers = (_whole(line.get(name, "0"), name, number, file) for name in ("repeat", "fold", "row"))
        repeat, fold, row = numbers
        places = found.setdefault((line.get("dataset") or ANY_DATASET).strip(), {})
        places.setdefault((repeat, fold), {}).setdefault(part, []).append(row)
    for places in found.values():
        for (repeat, fold), parts in places.items():
            if "test" not in parts or ("part" in given and "train" not in parts):
                lacking = "test" if "test" not in parts else "train"
                raise InputError(f"each split must have rows that {lacking}, but repeat {repeat}, fold {fold} has none")
    return {
        name: {place: {p: np.asarray(r, dtype=np.int32) for p, r in parts.items()} for place, parts in places.items()}
        for name, places in found.items()
    }


def _whole(text: str | None, name: str, line: int, file: str) -> int:
    try:
        value = int(str(text))
    except ValueError:
        value = -1
    if not 0 <= value < 2**31:
        raise InputError(f"{name} must be a whole number of at least 0, got {text!r} in line {line} of {file}")
    return value


@dataclass(frozen=True, slots=True)
class SplitterSplits:
    """The splits that a scikit-learn splitter makes, kept with the study; make one with :func:`from_sklearn`.

    They are made twice and compared: a splitter that gives different splits each time is refused. They may change with
    the version of scikit-learn; then the study file runs the new splits beside the old ones.
    """

    name, written, analysis = "splitter", "from_sklearn(splitter)", "averaged, or as like= says"
    use: ClassVar[str] = "any scheme that scikit-learn or another package has, and fairtrial lacks"
    beware: ClassVar[str] = "say how they were drawn (like=), else folds of one data set can't be tested"
    kind: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    like: str | None = None
    splitter: Any = field(default=None, repr=False, compare=False, metadata=UNWRITTEN)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:  # noqa: ARG002
        first, again = self._made(dataset), self._made(dataset)
        if [(a.tobytes(), b.tobytes()) for a, b in first] != [(a.tobytes(), b.tobytes()) for a, b in again]:
            raise InputError(
                f"{self._title} must make the same splits each time, but made others when asked again on "
                f"{dataset.name}; give it a whole number as random_state"
            )
        if not first:
            raise InputError(f"{self._title} must make at least one split, but made none of {dataset.name}")
        places = _places([test for _, test in first], dataset.n)
        for (repeat, fold), (train, test) in zip(places, first, strict=True):
            where = f"split {repeat}, {fold} of {self._title}"
            yield _checked(Split(repeat, fold, dataset.n, np.sort(test), train=train), dataset, where)

    def dependence(self, dataset: Dataset | None = None) -> Dependence:
        made = None if dataset is None else list(self.splits(dataset, 0))
        return _dependence(self._title, self.like, made, dataset)

    @property
    def _title(self) -> str:
        return self.kind.rpartition(".")[2]

    def _made(self, dataset: Dataset) -> list[tuple[Indices, Indices]]:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The groups parameter is ignored")  # the plan says whether they are torn
            pairs = list(self.splitter.split(dataset.X, dataset.target, dataset.groups))
        return [(np.asarray(a).astype(np.int32), np.asarray(b).astype(np.int32)) for a, b in pairs]


def from_sklearn(splitter: Any, *, like: str | None = None) -> SplitterSplits:
    """A resampling from anything with scikit-learn's ``split(X, y, groups)``.

    ``like`` says how the splits are drawn, such as ``"5-fold"``, so that scores on one data set can be tested.

    >>> from sklearn.model_selection import TimeSeriesSplit
    >>> from_sklearn(TimeSeriesSplit(n_splits=3)).parameters["n_splits"]
    3
    """
    if isinstance(splitter, (type, str)) or not callable(getattr(splitter, "split", None)):
        raise InputError(f"splitter must be an object with split(X, y, groups), as in scikit-learn, got {splitter!r}")
    _check_like(like)
    own = getattr(splitter, "__dict__", {})
    if own.get("shuffle", True) and "random_state" in own and not isinstance(splitter.random_state, (int, np.integer)):
        raise InputError(
            f"random_state of {type(splitter).__name__} must be a whole number, so that it makes the same splits each "
            f"time, got {splitter.random_state!r}"
        )
    return SplitterSplits(_path(type(splitter)), _plain(own), like, splitter)


def _plain(value: Any) -> Any:
    """A parameter as plain data: what is large is hashed, what is an object is its class."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in sorted(value.items())}
    if isinstance(value, np.ndarray):
        return _hash(repr((value.dtype.str, value.shape)).encode() + value.tobytes())
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return _path(value if isinstance(value, type) else type(value))


def _path(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _places(tests: Sequence[Indices], n: int) -> list[Place]:
    """Repeat and fold of each test set, from the sets themselves.

    Consecutive test sets that together cover all rows once are a repeat of k-fold. Disjoint sets are folds of one
    repeat. Other sets, such as those of repeated holdout, are repeats of their own.
    """
    if np.concatenate([[0], np.bincount(np.concatenate(tests), minlength=n)]).max() <= 1:
        return [(0, fold) for fold in range(len(tests))]
    found, seen = [(0, 0)], set(tests[0].tolist())
    for test in tests[1:]:
        repeat, fold = found[-1]
        if len(seen) == n:
            repeat, fold, seen = repeat + 1, -1, set()
        if not seen.isdisjoint(test.tolist()):
            return [(i, 0) for i in range(len(tests))]
        seen.update(test.tolist())
        found.append((repeat, fold + 1))
    return found if len(seen) == n else [(i, 0) for i in range(len(tests))]


def _checked(split: Split, dataset: Dataset, where: str) -> Split:
    """Check a split and give it back; rows that aren't there, or that are on both sides, are refused."""
    train = split.train if split.train is not None else np.empty(0, dtype=np.int32)
    used: NDArray[np.int32] = np.concatenate([split.test, train])
    if len(used) and not 0 <= used.min() <= used.max() < dataset.n:
        raise InputError(
            f"row must be below the number of instances, but {where} has rows {used.min()} to {used.max()} and "
            f"{dataset.name} has {plural(dataset.n, 'instance')}, counted from 0"
        )
    if not split.n_test or not split.n_train:
        raise InputError(
            f"each split must have rows on both sides, but {where} leaves one side of {dataset.name} empty"
        )
    if len(np.unique(split.test)) < split.n_test:
        raise InputError(f"a row must be tested once in a split, but {where} names one twice")
    both = np.intersect1d(split.test, train)
    if len(both):
        raise InputError(
            f"no row may train and test in one split, but {where} has {len(both)} on both sides (row {both[0]} first); "
            "for the optimistic estimate use 'resubstitution'"
        )
    whole = split.train is not None and len(used) == dataset.n == len(np.unique(used))
    return replace(split, train=None) if whole and (np.diff(train) > 0).all() else split


def _check_like(like: str | None) -> None:
    if like is not None:
        from fairtrial.resampling.spellings import parse

        if isinstance(declared := parse(like), Seeds):
            raise InputError(declared.refusal("like"))


def _dependence(scheme: str, like: str | None, made: list[Split] | None, dataset: Dataset | None) -> Dependence:
    """The dependence that was declared, checked against the splits; otherwise only what can be seen of them."""
    if like is not None:
        from fairtrial.resampling.spellings import parse

        declared = parse(like).dependence(dataset)
        if made is not None and len(made) != declared.repeats * declared.folds:
            wanted = declared.repeats * declared.folds
            raise InputError(
                f"like={like!r} means {plural(wanted, 'split')}, but {scheme} has {len(made)}; say how they were drawn"
            )
        return replace(declared, scheme=f"{scheme}, like {declared.scheme}")
    if made is None:
        return Dependence(scheme, 1, 0, caution=CAUTION)
    repeats = len({s.repeat for s in made})
    tests = np.concatenate([s.test + np.int64(s.repeat) * s.n for s in made])
    disjoint = len(np.unique(tests)) == len(tests) and len(made) > repeats
    return Dependence(scheme, repeats, max(1, len(made) // repeats), disjoint=disjoint, caution=CAUTION)


@dataclass(frozen=True, eq=False)
class HeldBack:
    """Data sets in two parts: ``searched`` is what a study may see, ``held`` what it is confirmed on.

    ``whole`` are the data sets with all rows, ``rows`` the rows of each that are held back.
    """

    whole: tuple[Dataset, ...]
    rows: Mapping[str, Indices]

    @cached_property
    def searched(self) -> tuple[Dataset, ...]:
        """The data sets without the rows that are held back, to plan and run a study on."""
        return tuple(_part(data, np.setdiff1d(np.arange(data.n), self.rows[data.name])) for data in self.whole)

    @cached_property
    def held(self) -> tuple[Dataset, ...]:
        """The rows that are held back."""
        return tuple(_part(data, self.rows[data.name]) for data in self.whole)

    @property
    def resampling(self) -> OwnSplits:
        """One split of each whole data set: methods learn from the searched rows, and are tested on the others."""
        digest = hashlib.blake2b(digest_size=16)
        for name in sorted(self.rows):
            digest.update(f"{name}:{self.rows[name].tolist()};".encode())
        rows = {name: {(0, 0): {"test": own}} for name, own in self.rows.items()}
        return OwnSplits("rows held back", digest.hexdigest(), None, rows)


@door
def hold_back(given: Any, share: float = 0.3, *, seed: int = 0, target: str | None = None) -> HeldBack:
    """Hold a share of the rows of each data set back, before anything is planned.

    The best of many settings looks better than it is on the rows that it was chosen on, and fresh splits of the same
    rows do not help against that. ``given`` are data sets as a :class:`~fairtrial.Study` takes them. Classes keep their
    shares. Rows that belong together (groups) stay together; of rows in order the last ones are held back.

    >>> parts = hold_back(["iris"], 0.2, seed=1)
    >>> parts.searched[0].n, parts.held[0].n, parts.held[0].balance["setosa"].__round__(2)
    (120, 30, 0.33)
    """
    check_share("share", share)
    whole = tuple(datasets(*(given if isinstance(given, list | tuple) else [given]), target=target))
    return HeldBack(whole, {data.name: _held_rows(data, share, seed) for data in whole})


def _held_rows(data: Dataset, share: float, seed: int) -> Indices:
    wanted = max(round(share * data.n), 1)
    if data.order is not None:
        return np.sort(np.argsort(data.order, kind="stable")[data.n - wanted :]).astype(np.int32)
    if data.groups is None:
        (split,) = Holdout(share).splits(data, seed)
        return split.test
    names, sizes = np.unique(data.groups.astype(str), return_counts=True)
    order = generator(seed, "held back", data.name).permutation(len(names))
    taken = order[: 1 + int(np.searchsorted(np.cumsum(sizes[order]), wanted))]
    return np.flatnonzero(np.isin(data.groups.astype(str), names[taken])).astype(np.int32)


def _part(data: Dataset, rows: Indices) -> Dataset:
    parts = {name: getattr(data, name) for name in ("groups", "order", "weights")}
    chosen: dict[str, Any] = {name: None if value is None else value[rows] for name, value in parts.items()}
    return replace(data, X=data.X[rows], target=data.target[rows], **chosen)
