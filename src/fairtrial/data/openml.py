"""Data sets of OpenML by number or name: fetched once, kept in a cache of ours, checked whenever they are read.

The cache is the folder ``openml`` in the folder that the environment variable FAIRTRIAL_CACHE names, or else where the
platform keeps caches. For each data set it holds a Parquet file and a small JSON file of facts, with a fingerprint of
both; for each name that was asked for, a JSON file with the number of the data set.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fairtrial.data.build_dataset import Roles, from_columns
from fairtrial.data.bundled import bundled_names
from fairtrial.data.dataset import Dataset, Task
from fairtrial.data.frames import FrameColumns
from fairtrial.errors import InputError
from fairtrial.notices import Notice
from fairtrial.words import error_line, quoted

PREFIX = "openml:"
NAME = re.compile(r"[\w.,()+&'-]+")
"""What names may be made of; others would ask for another address."""

CACHE = "FAIRTRIAL_CACHE"
"""The environment variable that names the folder of the cache."""

PARSER = "liac-arff"
"""It keeps categories as they are declared; "pandas" guesses them from the rows, and fails on numbers with pandas 3."""


def cache_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The folder in which fetched data are kept.

    >>> cache_folder({"FAIRTRIAL_CACHE": "/data/cache"}, "linux").as_posix()
    '/data/cache'
    >>> cache_folder({"XDG_CACHE_HOME": "/home/ann/cache"}, "linux").as_posix()
    '/home/ann/cache/fairtrial'
    """
    if environment.get(CACHE):
        return Path(environment[CACHE]).expanduser()
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "fairtrial" / "Cache"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches" / "fairtrial"
    return Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fairtrial"


@dataclass(frozen=True, slots=True)
class OpenmlCopy:
    """The local copy of a data set of OpenML: its table and the facts about it."""

    frame: Any
    facts: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Its name on OpenML."""
        return str(self.facts["name"])

    def can_have(self, target: object) -> bool:
        """Whether a target is one of its columns, or OpenML names not exactly one."""
        return target in list(self.frame.columns) or len(self.facts["targets"]) != 1

    def dataset(self, name: str, target: str | None, task: Task | None) -> Dataset:
        """The Dataset; the target is the one that OpenML names, unless it is chosen."""
        number, version, own = self.facts["id"], self.facts["version"], list(self.facts["targets"])
        if target is None and len(own) != 1:
            found = f"names {quoted(own)}" if own else "names none"
            raise InputError(f"the target of {PREFIX}{number} must be chosen, as OpenML {found}; say target='…'")
        target = target or own[0]
        others = [column for column in own if column != target]
        roles = Roles(target, task)
        source = f"OpenML data set {number} ({self.name}, version {version}), {self.facts['url']}"
        notes = [
            Notice(f"OpenML data set {number}: {self.name!r}, version {version}", "note", "source", {"id": number})
        ]
        if others:
            left_out = f"left out: {quoted(others)} (OpenML names it as a target)"
            notes.append(Notice(left_out, "note", "columns", {"columns": others}))
        columns = FrameColumns(self.frame.drop(columns=others))
        return from_columns(columns, roles, name=name, source=source, notes=notes)


def openml_copy(name: str) -> OpenmlCopy:
    """The data set that ``openml:31`` or ``openml:credit-g`` names: the local copy, or fetched if there is none."""
    wanted = name.removeprefix(PREFIX).strip().lower()  # as OpenML compares names
    if not wanted:
        raise InputError(f"a data set of OpenML must be named by number or name, such as 'openml:31', got {name!r}")
    if not NAME.fullmatch(wanted):
        raise InputError(
            f"a name of OpenML must be made of letters, digits and . , ( ) + & ' _ -, got {name!r}; "
            "a data set is named by number ('openml:31') or name ('openml:credit-g')"
        )
    _check_pyarrow(name)
    folder = cache_folder() / "openml"
    number = str(int(wanted)) if wanted.isdecimal() else _number_of(wanted, folder)
    if number is not None and (folder / f"{number}.json").is_file():
        return _read(number, folder)
    copy = _fetched(name, wanted, folder)
    _keep(copy, wanted, folder)
    return _read(str(copy.facts["id"]), folder)  # what later runs will read


def _check_pyarrow(name: str) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise InputError(
            f"{name!r} needs pyarrow, which keeps fetched data and is not there; pip install 'fairtrial[arrow]'"
        ) from error


def _name_file(wanted: str, folder: Path) -> Path:
    return folder / "names" / f"{quote(wanted, safe='')}.json"


def _number_of(wanted: str, folder: Path) -> str | None:
    """The number of the data set with this name, if it was asked for before."""
    file = _name_file(wanted, folder)
    if not file.is_file():
        return None
    try:
        return str(int(json.loads(file.read_text(encoding="utf-8"))["id"]))
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise _damaged(f"{PREFIX}{wanted}", f"{file.name} can't be read", [file]) from error


def _read(number: str, folder: Path) -> OpenmlCopy:
    """The copy in the cache, if it is what was fetched."""
    import pandas as pd

    name, facts_file, table_file = f"{PREFIX}{number}", folder / f"{number}.json", folder / f"{number}.parquet"
    files = [facts_file, table_file]
    try:
        facts = dict(json.loads(facts_file.read_text(encoding="utf-8")))
        content = table_file.read_bytes()
    except (OSError, ValueError, TypeError) as error:
        raise _damaged(name, "a file of it can't be read", files) from error
    if facts.pop("fingerprint", None) != _fingerprint(facts, content):
        raise _damaged(name, "its fingerprint is not the one that was stored", files)
    return OpenmlCopy(pd.read_parquet(table_file), facts)


def _damaged(name: str, why: str, files: list[Path]) -> InputError:
    return InputError(
        f"the local copy of {name!r} in {str(files[0].parent)!r} is damaged ({why}); delete "
        f"{' and '.join(file.name for file in files)} there, and it will be fetched again"
    )


def _fingerprint(facts: Mapping[str, Any], content: bytes) -> str:
    """A hash of the facts and of the table as they are kept."""
    digest = hashlib.blake2b(json.dumps(facts, sort_keys=True).encode(), digest_size=16)
    digest.update(content)
    return digest.hexdigest()


def _fetched(name: str, wanted: str, folder: Path) -> OpenmlCopy:
    """What scikit-learn gets from OpenML."""
    from http.client import HTTPException

    from sklearn import datasets

    asked: dict[str, Any] = {"data_id": int(wanted)} if wanted.isdecimal() else {"name": wanted}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on retries, and on versions, which a note names
            bunch = datasets.fetch_openml(**asked, as_frame=True, parser=PARSER, cache=False, n_retries=1, delay=0.5)
    except (OSError, HTTPException) as error:
        raise InputError(
            f"{name!r} must be fetched once, but OpenML can't be reached ({error_line(error)}) and there is no copy in "
            f"{str(folder)!r}; {_offline(wanted)}connect to the network, copy that folder from a machine that has it, "
            f"or name another by {CACHE}"
        ) from error
    except Exception as error:
        raise InputError(
            f"{name!r} must be a table of OpenML that scikit-learn can read, but it says: {error_line(error)}; "
            "check the name on openml.org"
        ) from error
    details = bunch.details
    facts = {
        "id": int(details["id"]),
        "name": str(details["name"]),
        "version": str(details["version"]),
        "targets": [str(column) for column in bunch.target_names or ()],
        "url": str(bunch.url),
        "licence": str(details.get("licence", "")),
        "fetched": datetime.now(UTC).date().isoformat(),
    }
    return OpenmlCopy(bunch.frame, facts)


def _offline(wanted: str) -> str:
    """The advice to take a data set that comes with fairtrial, if one is called so."""
    return f"take {wanted!r}, which comes with fairtrial under that name, or " if wanted in bundled_names() else ""


def _keep(copy: OpenmlCopy, wanted: str, folder: Path) -> None:
    """Write a fetched data set into the cache; each file appears whole or not at all, the facts after the table."""
    number = copy.facts["id"]
    table = folder / f"{number}.parquet"
    try:
        (folder / "names").mkdir(parents=True, exist_ok=True)
        _write_whole(table, lambda file: copy.frame.to_parquet(file, index=False))
        facts = {**copy.facts, "fingerprint": _fingerprint(copy.facts, table.read_bytes())}
        _write_whole(folder / f"{number}.json", lambda file: _write_json(file, facts))
        if not wanted.isdecimal():
            _write_whole(_name_file(wanted, folder), lambda file: _write_json(file, {"id": number}))
    except OSError as error:
        raise InputError(
            f"the cache {str(folder)!r} must be a folder that can be written, but: {error_line(error)}; name another "
            f"by {CACHE}"
        ) from error


def _write_json(file: Path, content: Mapping[str, Any]) -> None:
    file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _write_whole(file: Path, write: Callable[[Path], object]) -> None:
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        write(beside)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
