"""Attributes of libraries that a method has replaced, such as ``numpy.argmax``: other methods would compute with them.

Attributes of modules and of main classes are compared with those that were there after the imports. What is imported
later is added when it is first seen, and is no change.

Nothing is looked up in the comparison: the values of all dictionaries are put into one list, which equals the list that
was kept if each of them is the same object. This takes a tenth of a millisecond for the names that people use
(:func:`is_public`), and one to three milliseconds for all 50,000.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import is_
from types import ModuleType
from typing import Any

__all__ = ["Libraries", "Patch", "is_any", "is_public"]

LIBRARIES = frozenset({"numpy", "scipy", "sklearn", "pandas"})
STANDARD = frozenset({"builtins", "math", "random", "time"})
HOMES = frozenset(
    {"sklearn.base", "sklearn.pipeline", "pandas.core.frame", "pandas.core.series", "pandas.core.generic"}
)  # modules of classes that all others stand on
DEEP = frozenset({"sklearn.utils.validation", "sklearn.utils.extmath", "sklearn.metrics.pairwise"})
MISSING: Any = object()
HEAP_TYPE = 1 << 9  # of a class's flags: it was made by Python code, so that its attributes can be set


@dataclass(frozen=True, slots=True)
class Patch:
    """An attribute that was replaced, removed or (in a class) added, with what was there before."""

    owner: ModuleType | type
    name: str
    before: Any

    def __str__(self) -> str:
        owner = self.owner
        return (
            f"{owner.__name__ if isinstance(owner, ModuleType) else f'{owner.__module__}.{owner.__name__}'}.{self.name}"
        )

    def put_back(self) -> None:
        if self.before is MISSING:
            delattr(self.owner, self.name)
        else:
            setattr(self.owner, self.name, self.before)


class Libraries:
    """The attributes of modules whose names are ``watched``, as they were when they were first seen."""

    def __init__(self, watched: Callable[[str], bool]) -> None:
        self._watched = watched
        self._owners: list[ModuleType | type] = []
        self._spaces: list[Mapping[str, Any]] = []
        self._names: list[list[str]] = []
        self._values: list[Any] = []
        self._modules: dict[str, ModuleType] = {}
        self._seen: set[str] = set()
        self._add_new()

    def put_back(self) -> list[str]:
        """Put back all attributes that were replaced, and return their full names."""
        differ = self._differ()
        patches = list(self._patches()) if differ else []
        for patch in patches:
            patch.put_back()
        names = [str(patch) for patch in patches] + self._put_modules_back()
        if differ or len(sys.modules) != len(self._seen):
            self._add_new()
        return names

    def _differ(self) -> bool:
        try:
            return self._now() != self._values
        except Exception:  # noqa: BLE001 - values that can't be compared are not the same object
            return True

    def _patches(self) -> Iterator[Patch]:
        begin = 0
        for owner, space, names in zip(self._owners, self._spaces, self._names, strict=True):
            before = dict(zip(names, self._values[begin : begin + len(names)], strict=True))
            begin += len(names)
            for name, value in before.items():
                after = space.get(name, MISSING)
                if after is not value and _is_patch(owner, name, value, after):
                    yield Patch(owner, name, value)
            if isinstance(owner, type):
                yield from (
                    Patch(owner, name, MISSING) for name in space.keys() - before.keys() if not _is_private(name)
                )

    def _put_modules_back(self) -> list[str]:
        """Put back modules that were replaced in ``sys.modules``."""
        if all(map(is_, map(sys.modules.get, self._modules), self._modules.values())):
            return []
        gone = [name for name, module in self._modules.items() if sys.modules.get(name) is not module]
        sys.modules.update({name: self._modules[name] for name in gone})
        return [f"sys.modules[{name!r}]" for name in gone]

    def _add_new(self) -> None:
        """Add modules that were imported since the last look, and keep all attributes as they are now."""
        for name in sorted(sys.modules.keys() - self._seen):
            module = sys.modules[name]
            if self._watched(name) and isinstance(module, ModuleType):
                self._modules[name] = module
                known = set(self._owners)
                self._owners += [module, *{c for c in vars(module).values() if _is_main_class(c, name)} - known]
        self._seen = set(sys.modules)
        self._spaces = [vars(owner) for owner in self._owners]
        self._names = [list(space) for space in self._spaces]
        self._values = self._now()

    def _now(self) -> list[Any]:
        values: list[Any] = []
        for space in self._spaces:
            values.extend(space.values())
        return values


def is_public(name: str) -> bool:
    """Whether a module has names that people use: a library or a part of it, or a part of the language.

    >>> [name for name in ("numpy", "numpy.linalg", "sklearn.utils.validation", "numpy._core") if is_public(name)]
    ['numpy', 'numpy.linalg', 'sklearn.utils.validation']
    """
    library, *parts = name.split(".")
    if library not in LIBRARIES:
        return name in STANDARD
    return name in HOMES or name in DEEP or (len(parts) <= 1 and not any(part.startswith("_") for part in parts))


def is_any(name: str) -> bool:
    """Whether a module belongs to one of the libraries."""
    return name.partition(".")[0] in LIBRARIES


def _is_main_class(value: object, module: str) -> bool:
    """Whether a value of a module is one of the classes that all others stand on."""
    if module not in HOMES or not isinstance(value, type):
        return False
    return is_any(value.__module__) and bool(value.__flags__ & HEAP_TYPE)


def _is_private(name: str) -> bool:
    return name.startswith("_")


def _is_patch(owner: ModuleType | type, name: str, before: Any, after: Any) -> bool:
    """Whether a change is one that code from elsewhere made, and not a cache or counter that a module keeps itself.

    A submodule that was imported may take the place of a function of its name.
    """
    if name == "_" or before is None:
        return False
    if isinstance(after, ModuleType) and isinstance(owner, ModuleType):
        return after.__name__ != f"{owner.__name__}.{name}"
    return callable(before) or isinstance(before, ModuleType) or not _is_private(name)
