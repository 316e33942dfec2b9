"""Attributes of libraries that a method has replaced, such as ``numpy.argmax``: other methods would compute with them.

Attributes of modules and classes are compared with those that were there after the imports, and so are the code and
the defaults of functions and the modules in ``sys.modules``. What is imported later is added when it is first seen, and
is no change.

Nothing is looked up in the comparison: the values of all dictionaries are put into one list, which equals the list that
was kept if each of them is the same object. This takes a tenth of a millisecond for the names that people use
(:func:`is_public`) with the classes of a study's methods, and three milliseconds for all 70,000 with 18,000 functions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from operator import attrgetter
from types import FunctionType, ModuleType
from typing import Any

LIBRARIES = frozenset({"numpy", "scipy", "sklearn", "pandas"})
STANDARD = frozenset({"builtins", "math", "random", "time"})
HOMES = frozenset(
    {"sklearn.base", "sklearn.pipeline", "pandas.core.frame", "pandas.core.series", "pandas.core.generic"}
)  # modules of classes that all others stand on
DEEP = frozenset({"sklearn.utils.validation", "sklearn.utils.extmath", "sklearn.metrics.pairwise"})
MISSING: Any = object()
HEAP_TYPE = 1 << 9  # of a class's flags: it was made by Python code, so that its attributes can be set
CODE = ("__code__", "__defaults__", "__kwdefaults__")


@dataclass(frozen=True, slots=True)
class Patch:
    """An attribute that was replaced, removed or (in a class) added, with what was there before."""

    owner: ModuleType | type | FunctionType
    name: str
    before: Any

    def __str__(self) -> str:
        owner = self.owner
        place = owner.__name__ if isinstance(owner, ModuleType) else f"{owner.__module__}.{owner.__qualname__}"
        return f"{place}.{self.name}"

    def put_back(self) -> None:
        with suppress(AttributeError, TypeError):  # its class refuses it; the worker is replaced in any case
            if self.before is MISSING:
                delattr(self.owner, self.name)
            else:
                setattr(self.owner, self.name, self.before)


class Libraries:
    """The attributes of modules whose names are ``watched``, as they were when they were first seen.

    If ``deep``, all classes of these modules and the code of all functions are watched, too.
    """

    def __init__(self, watched: Callable[[str], bool], *, deep: bool = False) -> None:
        self._watched = watched
        self._deep = deep
        self._added: list[type] = []
        self._modules: dict[str, Any] = {}
        self._kept: list[ModuleType | type] = []
        self._spaces: list[Mapping[str, Any]] = []
        self._names: list[list[str]] = []
        self._values: list[Any] = []
        self._functions: list[FunctionType] = []
        self._codes: list[list[Any]] = [[] for _ in CODE]
        self.add_new()

    def add(self, classes: Iterable[type]) -> None:
        """Watch classes with the code of their functions."""
        new = [c for c in classes if c.__flags__ & HEAP_TYPE and c not in self._added]
        self._added += new
        self._keep([c for c in new if c not in self._kept])

    def put_back(self) -> list[str]:
        """Put back all that was replaced, and return the full names."""
        differ = self._differ()
        patches = [*self._patches(), *self._code_patches()] if differ else []
        for patch in patches:
            patch.put_back()
        names = [str(patch) for patch in patches] + self._put_modules_back()
        if differ:
            self._names, self._values = [list(space) for space in self._spaces], self._now()
        if len(sys.modules) != len(self._modules):
            self.add_new()
        return names

    def _differ(self) -> bool:
        return not _same(self._now(), self._values) or not _same(_code(self._functions), self._codes)

    def _patches(self) -> Iterator[Patch]:
        begin = 0
        for owner, space, names in zip(self._kept, self._spaces, self._names, strict=True):
            values = self._values[begin : begin + len(names)]
            begin += len(names)
            if _same(list(space.values()), values):
                continue
            for name, value in zip(names, values, strict=True):
                after = space.get(name, MISSING)
                if after is not value and _is_patch(owner, name, value, after):
                    yield Patch(owner, name, value)
            if isinstance(owner, type):
                new = [name for name in space.keys() - set(names) if not _is_private(name)]
                yield from (Patch(owner, name, MISSING) for name in new if _is_patch(owner, name, MISSING, space[name]))

    def _code_patches(self) -> Iterator[Patch]:
        for name, before, after in zip(CODE, self._codes, _code(self._functions), strict=True):
            if not _same(before, after):
                pairs = zip(self._functions, before, after, strict=True)
                yield from (Patch(f, name, copy(kept)) for f, kept, now in pairs if not _same(kept, now))

    def _put_modules_back(self) -> list[str]:
        """Put back modules that were replaced in ``sys.modules``, or removed."""
        if sys.modules == self._modules:
            return []
        gone = [name for name, module in self._modules.items() if sys.modules.get(name, MISSING) is not module]
        sys.modules.update({name: self._modules[name] for name in gone})
        return [f"sys.modules[{name!r}]" for name in gone]

    def add_new(self) -> None:
        """Add modules that were imported since the last look, as they are now."""
        new: list[ModuleType | type] = []
        for name in sorted(sys.modules.keys() - self._modules.keys()):
            self._modules[name] = module = sys.modules[name]
            if self._watched(name) and isinstance(module, ModuleType):
                new += [module, *(c for c in vars(module).values() if _is_main_class(c, name, deep=self._deep))]
        known = set(self._kept)
        self._keep([owner for owner in dict.fromkeys(new) if owner not in known])

    def _keep(self, owners: Iterable[ModuleType | type]) -> None:
        """Keep the attributes of more modules and classes as they are now."""
        for owner in owners:
            self._kept.append(owner)
            self._spaces.append(vars(owner))
            self._names.append(list(vars(owner)))
            self._values += vars(owner).values()
        coded = owners if self._deep else [owner for owner in owners if owner in self._added]
        new = list(dict.fromkeys(f for owner in coded for f in _functions(vars(owner).values())))
        self._functions += new
        for kept, values in zip(self._codes, _code(new), strict=True):
            kept += [dict(v) if isinstance(v, dict) else v for v in values]  # keyword defaults may change in place

    def _now(self) -> list[Any]:
        values: list[Any] = []
        for space in self._spaces:
            values.extend(space.values())
        return values


def _same(now: Any, before: Any) -> bool:
    """Whether two values are equal; those that can't be compared are not the same object."""
    try:
        return bool(now == before)
    except Exception:  # noqa: BLE001 - code of any class
        return False


def _code(functions: list[FunctionType]) -> list[list[Any]]:
    return [list(map(attrgetter(name), functions)) for name in CODE]


def classes_of(estimator: Any) -> set[type]:
    """The classes of an estimator, of its steps and of all their parameters, with their bases.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> sorted(c.__name__ for c in classes_of(GaussianNB()) if "NB" in c.__name__)
    ['GaussianNB', '_BaseNB']
    """
    parts = [estimator]
    with suppress(Exception):  # the estimator's own code
        parts += estimator.get_params(deep=True).values()
    return {base for part in parts for base in type(part).__mro__}


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


def _is_main_class(value: object, module: str, *, deep: bool) -> bool:
    """Whether a value of a module is one of the classes that all others stand on; if ``deep``, any of the libraries."""
    if not (deep or module in HOMES) or not isinstance(value, type):
        return False
    return is_any(value.__module__) and bool(value.__flags__ & HEAP_TYPE)


def _functions(values: Iterable[Any]) -> Iterator[FunctionType]:
    """The functions among values, also those of class methods and properties, and those that decorators wrapped."""
    for value in values:
        inner = value.fget if isinstance(value, property) else value
        inner = inner.__func__ if isinstance(inner, (classmethod, staticmethod)) else inner
        while isinstance(inner, FunctionType):
            yield inner
            inner = getattr(inner, "__wrapped__", None)


def _is_private(name: str) -> bool:
    return name.startswith("_")


def _is_patch(owner: ModuleType | type, name: str, before: Any, after: Any) -> bool:
    """Whether a change is one that code from elsewhere made, and not a cache or counter that a module keeps itself.

    A submodule that was imported may take the place of a function of its name. In classes of one's own, only methods
    and properties count, since they may count their fits.
    """
    if name == "_" or before is None:
        return False
    if isinstance(owner, type) and not is_any(owner.__module__):
        return any(callable(value) or hasattr(value, "__get__") for value in (before, after))
    if isinstance(after, ModuleType) and isinstance(owner, ModuleType):
        return after.__name__ != f"{owner.__name__}.{name}"
    return callable(before) or isinstance(before, ModuleType) or not _is_private(name)
