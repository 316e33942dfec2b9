"""The data sets of a study, in whatever form people hold them: names, files, folders, patterns, tables, pairs.

What people hold in memory, as a Dataset: a table of any library, or a pair (X, y).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fairtrial.data.build_dataset import Roles, from_arrays, from_columns
from fairtrial.data.bundled import bundled_names, load_bundled
from fairtrial.data.dataset import Dataset, Task
from fairtrial.data.file_text import home_path
from fairtrial.data.files import SUFFIXES, data_name, data_suffix, near_files, read_dataset
from fairtrial.data.frames import FrameColumns, as_frame, as_series, is_frame
from fairtrial.data.openml import PREFIX, openml_copy
from fairtrial.doors import door
from fairtrial.errors import InputError, UnknownName
from fairtrial.notices import Notice
from fairtrial.words import listed, quoted, shown

UNNAMED_TARGET = "target"
"""The name of a target that comes without one."""


def is_pair(given: object) -> bool:
    """Whether it is a tuple (X, y): a table or matrix, and a single column.

    >>> is_pair(([[1.0], [2.0]], [0, 1])), is_pair(("iris", "vote")), is_pair([[[1.0], [2.0]], [0, 1]])
    (True, False, False)
    """
    if not isinstance(given, tuple) or len(given) != 2 or any(isinstance(g, _NO_ARRAYS) for g in given):
        return False
    return _columns_of(given[0]) is not None and _columns_of(given[1]) in (None, 1)


_NO_ARRAYS = (str, bytes, Path, Dataset, Mapping, int, float, type(None))


def _columns_of(given: Any) -> int | None:
    """The number of columns of a table, a matrix or a list of rows; None if it is one-dimensional."""
    shape = getattr(given, "shape", None)
    if isinstance(shape, tuple):
        return shape[1] if len(shape) == 2 else None
    first = given[0] if isinstance(given, (list, tuple)) and given else None
    return len(first) if isinstance(first, (list, tuple, np.ndarray)) else None


FORMS = "a name, a file, a Dataset, a DataFrame (of pandas, polars, Arrow, …) or a pair (X, y)"
"""The forms in which data sets are given."""


def check_form(given: object, called: str = "a data set") -> None:
    """Refuse what is neither a table nor a pair (X, y)."""
    if not is_pair(given) and not is_frame(given):
        raise InputError(f"{called} must be {FORMS}, got {shown(given)}{_remedy(given)}")


def dataset_of(given: Any, roles: Roles, *, name: str, notes: tuple[Notice, ...] = ()) -> Dataset:
    """The Dataset of a table, in which ``roles`` name columns, or of a pair (X, y)."""
    if is_pair(given):
        X, y = given
        return _from_pair(X, y, roles, name, notes)
    return from_columns(FrameColumns(given), roles, name=name, source="", notes=notes)


def _remedy(given: object) -> str:
    """What to do with something that is nearly data."""
    if isinstance(given, Mapping) and {"data", "target"} <= set(given):
        return "; give its parts: (bunch.data, bunch.target)"
    if isinstance(given, list) or getattr(given, "ndim", 0) in (1, 2) or as_series(given) is not None:
        return "; give features and target together, as a tuple (X, y), or a DataFrame, whose columns have names"
    return ""


def _from_pair(X: Any, y: Any, roles: Roles, name: str, notes: tuple[Notice, ...]) -> Dataset:
    frame, column = as_frame(X), as_series(y)
    if frame is None:
        target = np.ravel(y) if column is None else column
        return from_arrays(X, target, roles, name=name, feature_names=None, source="", notes=notes)
    called = str(UNNAMED_TARGET if column is None or column.name is None else column.name)
    _check_rows(frame, y if column is None else column, name)
    _check_apart(frame, called, roles.target, name)
    table = frame.copy(deep=False)
    table.insert(frame.shape[1], called, np.ravel(y) if column is None else column.array)
    columns = Roles(called, roles.task, roles.positive, roles.groups, roles.order, roles.weights)
    return from_columns(FrameColumns(table), columns, name=name, source="", notes=notes)


def _check_rows(frame: Any, y: Any, name: str) -> None:
    """Refuse a target of another length, and one whose rows are in another order than those of the table."""
    if len(frame) != len(y):
        raise InputError(f"X and y of {name!r} must have the same number of rows, got {len(frame):,} and {len(y):,}")
    index: Any = getattr(y, "index", None)
    if not hasattr(index, "equals") or index.equals(frame.index):
        return
    if index.is_unique and frame.index.is_unique and index.isin(frame.index).all():
        raise InputError(
            f"X and y of {name!r} must have their rows in one order, but y has the index of X in another; "
            "give y.loc[X.index], or reset both indexes if the rows do match"
        )


def _check_apart(frame: Any, called: str, target: str | None, name: str) -> None:
    """Refuse a target that is also among the features."""
    inside = [str(c) for c in frame.columns if str(c) in (called, target)]
    if inside:
        raise InputError(
            f"X of {name!r} must not hold the target, but has {quoted(inside)}; give X.drop(columns={inside!r})"
        )


UNNAMED = "data"
"""The name of data that come without one; the next are data_2, data_3, …"""


@dataclass(frozen=True, slots=True)
class Source:
    """A data set before it is read: what was given, and the name by which choices are made for it.

    ``named`` says whether the name was given or found, not made up.
    """

    kind: Literal["bundled", "dataset", "file", "memory", "openml"]
    given: Any
    name: str
    named: bool = True

    def takes_target(self, target: object) -> bool:
        """Whether this target can be chosen: of columns with names, not of what has its own."""
        if self.kind == "openml":
            return isinstance(target, Mapping) or self.given.can_have(target)
        return self.kind == "file" or (self.kind == "memory" and not is_pair(self.given))

    @property
    def takes_task(self) -> bool:
        """Whether a task can be chosen."""
        return self.kind in ("file", "memory", "openml")


@door
def datasets(
    *given: Any,
    target: str | Mapping[str, str] | None = None,
    positive: object = None,
    task: Task | Mapping[str, Task] | None = None,
) -> list[Dataset]:
    """The data sets of a study, in whatever form they are held.

    A data set is a bundled name, a file, a folder of files, a pattern such as ``"data/*.csv"``, a name of OpenML
    (``"openml:31"``), a Dataset, a DataFrame (of pandas, polars, Arrow, …) or a pair ``(X, y)``. A mapping gives names:
    ``{"churn": frame}``. Data in memory without a name are called data, data_2, ….

    ``target``, ``positive`` and ``task`` hold for all data sets, or are mappings from the name of a data set to its
    own. A single target is used for files and DataFrames, since others have theirs. A single positive class is
    used for every data set with two classes of which it is one.

    >>> datasets("iris", "credit-g", positive="good")
    [Dataset('iris', 150 × 4, 3 classes), Dataset('credit-g', 1000 × 20, 2 classes)]
    >>> datasets({"line": ([[1.0], [2.0], [4.0]], [0.5, 1.5, 2.5])})
    [Dataset('line', 3 × 1, values)]
    """
    sources = _named([source for one in given for source in _sources(one)])
    if not sources:
        raise InputError("datasets must be given at least one name, file or Dataset, got none")
    _check_choices(sources, target, positive, task)
    found = _different_names([_load(source, target, positive, task) for source in sources])
    if positive is not None and not isinstance(positive, Mapping) and not any(_has(d, positive) for d in found):
        raise InputError(f"positive must be a class of a data set with two classes, got {shown(positive)}")
    return found


def as_list(given: Any) -> list[Any]:
    """What was given for data sets, as a list: one data set may stand alone.

    >>> as_list("iris"), as_list(("iris", "vote"))
    (['iris'], ['iris', 'vote'])
    """
    plain = isinstance(given, (str, bytes, Path, Dataset, Mapping)) or not isinstance(given, Iterable)
    if plain or getattr(given, "shape", None) == () or is_pair(given) or is_frame(given):
        return [given]
    entries = list(given)
    is_array = hasattr(given, "shape") and not all(isinstance(entry, str) for entry in entries)
    return [given] if is_array else entries


def _sources(given: Any, called: str = "a data set") -> list[Source]:
    """The data sets that one argument means: bundled names stay text, files become paths."""
    if isinstance(given, Dataset):
        return [Source("dataset", given, given.name)]
    if isinstance(given, (str, Path)):
        return _by_name(given)
    if isinstance(given, Mapping) and not {"data", "target"} <= set(given):
        return [_called(name, one) for name, one in given.items()]
    check_form(given, called)
    return [Source("memory", given, UNNAMED, named=False)]


def _called(name: object, given: Any) -> Source:
    """A data set that was given a name."""
    if not isinstance(name, str) or not name:
        raise InputError(f"a data set must have a text as its name, got {shown(name)}")
    if isinstance(given, Mapping):
        check_form(given, repr(name))
    found = _sources(given, repr(name))
    if len(found) != 1:
        raise InputError(
            f"{name!r} must be one data set, but {shown(given)} means {len(found)}; give them without a name"
        )
    return replace(found[0], name=name, named=True)


def _by_name(name: str | Path) -> list[Source]:
    text = str(name)
    if isinstance(name, str) and text.startswith(PREFIX):
        copy = openml_copy(text)
        return [Source("openml", copy, copy.name)]
    if isinstance(name, str) and text.removeprefix("uci/") in bundled_names():
        return [Source("bundled", text, text.removeprefix("uci/"))]
    path = home_path(text)
    if path.is_file():
        return [_file(path)]
    if path.is_dir():
        return _files(sorted(path.iterdir()), f"the folder {text!r}")
    if any(c in text for c in "*?["):
        anchor = Path(path.anchor)
        return _files(sorted(anchor.glob(str(path.relative_to(anchor)))), f"the pattern {text!r}")
    if data_suffix(path) in SUFFIXES or len(path.parts) > 1:
        hint = near_files(path) or "; check the path"
        raise InputError(f"a data file must exist, but {text!r} does not (looked in {Path.cwd()}){hint}")
    known = [*bundled_names(), *([text.lower()] if text.lower().startswith(PREFIX) else [])]
    raise UnknownName.among("data set", text, known, "name a file that exists, such as 'data.csv'")


def _file(path: Path) -> Source:
    return Source("file", path, data_name(path))


def _files(paths: list[Path], where: str) -> list[Source]:
    files = [_file(p) for p in paths if p.is_file() and data_suffix(p) in SUFFIXES]
    if not files:
        raise InputError(f"{where} must hold data files ({listed(SUFFIXES, None, last='or')}), but there are none")
    return files


def _named(sources: list[Source]) -> list[Source]:
    """The sources, in which data without a name are called data, data_2, … as far as these are free."""
    taken = {source.name for source in sources if source.named}
    named = []
    for source in sources:
        name, count = source.name, 1
        while not source.named and name in taken:
            count += 1
            name = f"{UNNAMED}_{count}"
        taken.add(name)
        named.append(replace(source, name=name))
    return named


def _load(source: Source, target: object, positive: object, task: object) -> Dataset:
    own = source.kind == "openml" and not source.takes_target(target)
    data = _read(source, None if own else _choice_for(target, source), _choice_for(task, source))
    chosen = _choice_for(positive, source)
    meant = isinstance(positive, Mapping) or _has(data, chosen)
    return data.with_positive(chosen) if chosen is not None and meant else data


def _read(source: Source, target: Any, task: Any) -> Dataset:
    if source.kind == "file":
        return read_dataset(source.given, target=target, task=task, name=source.name)
    if source.kind == "memory":
        notes = () if source.named else (_unnamed(source.name),)
        return dataset_of(source.given, Roles(target, task), name=source.name, notes=notes)
    if source.kind == "openml":
        return source.given.dataset(source.name, target, task)  # type: ignore[no-any-return]
    data: Dataset = source.given if source.kind == "dataset" else load_bundled(source.given)
    return data if data.name == source.name else replace(data, name=source.name)


def _unnamed(name: str) -> Notice:
    return Notice(f"name: {name!r} (none was given)", "note", "name", {"name": name}, "to name it: {'churn': …}")


def _choice_for(choice: Any, source: Source) -> Any:
    return choice.get(source.name) if isinstance(choice, Mapping) else choice


def _has(data: Dataset, positive: object) -> bool:
    return len(data.classes) == 2 and str(positive) in {str(c) for c in data.classes}


def _check_choices(sources: list[Source], target: object, positive: object, task: object) -> None:
    """Refuse a choice for a data set that is not there or can't take it."""
    known = [source.name for source in sources]
    able = {
        "target": {s.name for s in sources if s.takes_target(target)},
        "task": {s.name for s in sources if s.takes_task},
        "positive": set(known),
    }
    for what, choice in (("target", target), ("positive", positive), ("task", task)):
        rule = f"{what} can only be chosen for {CHOOSABLE.get(what)}"
        for name in choice if isinstance(choice, Mapping) else ():
            if name not in known:
                raise UnknownName.among(f"data set (in {what})", name, known)
            if name not in able[what]:
                raise InputError(f"{rule}, but {name!r} has its own; leave it out")
        if choice is not None and not able[what]:
            raise InputError(f"{rule}, but all of {quoted(known)} have their own; leave it out")


CHOOSABLE = {
    "target": "files and DataFrames, and among the columns of a data set of OpenML",
    "task": "files, DataFrames, pairs (X, y) and data sets of OpenML",
}
"""The forms for which a target or task can be chosen."""


def _different_names(found: list[Dataset]) -> list[Dataset]:
    """Number data sets that have the same name; refuse the same data under one name."""
    named: dict[str, Dataset] = {}
    for data in found:
        name, count = data.name, 1
        while name in named:
            if named[name].fingerprint == data.fingerprint:
                raise InputError(f"data sets must differ, but {data.name!r} is given twice; leave one out")
            count += 1
            name = f"{data.name}-{count}"
        named[name] = data if name == data.name else replace(data, name=name)
    return list(named.values())
