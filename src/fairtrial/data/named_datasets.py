"""The data sets of a study, by name, by file, by folder or by pattern."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairtrial.data.bundled import bundled_names, load_bundled
from fairtrial.data.dataset import Dataset, Task
from fairtrial.data.file_text import home_path
from fairtrial.data.files import SUFFIXES, data_name, data_suffix, read_dataset
from fairtrial.errors import InputError, UnknownName
from fairtrial.words import listed, quoted

__all__ = ["datasets"]


def datasets(
    *names: str | Path | Dataset,
    target: str | Mapping[str, str] | None = None,
    positive: object = None,
    task: Task | Mapping[str, Task] | None = None,
) -> list[Dataset]:
    """The data sets of a study: bundled names, files, folders of files, patterns such as ``"data/*.csv"``, Datasets.

    ``target``, ``positive`` and ``task`` hold for all data sets, or are mappings from the name of a data set to its
    own. A single target or task is used for files only, since bundled data sets have theirs. A single positive class is
    used for every data set with two classes of which it is one.

    >>> datasets("iris", "credit-g", positive="good")
    [Dataset('iris', 150 × 4, 3 classes), Dataset('credit-g', 1000 × 20, 2 classes)]
    """
    sources = [source for name in names for source in _sources(name)]
    if not sources:
        raise InputError("datasets must be given at least one name, file or Dataset, got none")
    _check_choices(sources, target, positive, task)
    found = _different_names([_load(source, target, positive, task) for source in sources])
    if positive is not None and not isinstance(positive, Mapping) and not any(_has(d, positive) for d in found):
        raise InputError(f"positive must be a class of a data set with two classes, got {positive!r}")
    return found


def _sources(name: object) -> list[str | Path | Dataset]:
    """The data sets that one argument means: bundled names stay text, files become paths."""
    if isinstance(name, Dataset):
        return [name]
    if not isinstance(name, (str, Path)):
        raise InputError(f"a data set must be a name, a file or a Dataset, got {name!r}")
    text = str(name)
    if isinstance(name, str) and text.removeprefix("uci/") in bundled_names():
        return [text]
    path = home_path(text)
    if path.is_file():
        return [path]
    if path.is_dir():
        return _files(sorted(path.iterdir()), f"the folder {text!r}")
    if any(c in text for c in "*?["):
        anchor = Path(path.anchor)
        return _files(sorted(anchor.glob(str(path.relative_to(anchor)))), f"the pattern {text!r}")
    if data_suffix(path) in SUFFIXES or len(path.parts) > 1:
        raise InputError(f"a data file must exist, but {text!r} does not (looked in {Path.cwd()}); check the path")
    unknown = UnknownName.among("data set", text, bundled_names())
    raise UnknownName(f"{unknown} (or name a file that exists, such as 'data.csv')")


def _files(paths: list[Path], where: str) -> list[str | Path | Dataset]:
    files: list[str | Path | Dataset] = [p for p in paths if p.is_file() and data_suffix(p) in SUFFIXES]
    if not files:
        raise InputError(f"{where} must hold data files ({listed(SUFFIXES, None, last='or')}), but there are none")
    return files


def _name(source: str | Path | Dataset) -> str:
    if isinstance(source, Dataset):
        return source.name
    if isinstance(source, str):
        return source.removeprefix("uci/")
    return data_name(source)


def _load(source: str | Path | Dataset, target: object, positive: object, task: object) -> Dataset:
    if isinstance(source, Path):
        data = read_dataset(source, target=_choice_for(target, source), task=_choice_for(task, source))
    else:
        data = source if isinstance(source, Dataset) else load_bundled(source)
    chosen = _choice_for(positive, source)
    meant = isinstance(positive, Mapping) or _has(data, chosen)
    return data.with_positive(chosen) if chosen is not None and meant else data


def _choice_for(choice: Any, source: str | Path | Dataset) -> Any:
    return choice.get(_name(source)) if isinstance(choice, Mapping) else choice


def _has(data: Dataset, positive: object) -> bool:
    return len(data.classes) == 2 and str(positive) in {str(c) for c in data.classes}


def _check_choices(sources: list[str | Path | Dataset], target: object, positive: object, task: object) -> None:
    """Refuse a choice for a data set that is not there or can't take it."""
    known = [_name(source) for source in sources]
    files = [_name(source) for source in sources if isinstance(source, Path)]
    for what, choice in (("target", target), ("positive", positive), ("task", task)):
        for name in choice if isinstance(choice, Mapping) else ():
            if name not in known:
                raise UnknownName.among(f"data set (in {what})", name, known)
            if what != "positive" and name not in files:
                raise InputError(f"{what} can be chosen for files only, but {name!r} has its own; leave it out")
        if choice is not None and what != "positive" and not files:
            raise InputError(
                f"{what} can be chosen for files only, but all of {quoted(known)} have their own; leave it out"
            )


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
