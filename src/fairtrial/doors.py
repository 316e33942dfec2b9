"""Public doors: an argument may be what its type hint says, and what goes wrong with anything else is said in words.

``@door`` before a function, or before a class for its constructor and its public methods, is all that is to be written:

>>> @door
... def shorten(text: str, most: int | None = None) -> str:
...     return text[:most]
>>> shorten("abcdef", most="3")
Traceback (most recent call last):
    ...
fairtrial.errors.InputError: most must be a whole number or None, got '3'

A function's own checks come first: they know more than a hint, such as which numbers are right. The door speaks where
an error comes out that is not ours and an argument is not what its hint says; so it costs nothing where all goes well,
and an error in a user's own code stays what it is. Hints are read as people mean them: numpy's numbers are numbers, a
tuple is a list; an array, a protocol or a name imported for type checkers only may be anything.
"""

from __future__ import annotations

import builtins
import collections.abc
import functools
import inspect
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, repeat
from numbers import Integral, Real
from typing import Any, NamedTuple, TypeVar

from fairtrial.errors import FairtrialError, InputError
from fairtrial.words import listed, shown

Guarded = TypeVar("Guarded")


class Kind(NamedTuple):
    """What an argument may be: the test, and the words for one and for several."""

    fits: Callable[[Any], bool]
    one: str
    several: str


UNFIT = re.compile("[\0\ud800-\udfff]")  # no file name, no line of a file
KINDS: dict[Any, Kind] = {
    str: Kind(lambda value: isinstance(value, str) and UNFIT.search(value) is None, "a text", "texts"),
    bool: Kind(lambda value: type(value).__name__ in ("bool", "bool_"), "True or False", "True or False"),
    int: Kind(lambda value: _is_computable(value, Integral), "a whole number", "whole numbers"),
    float: Kind(lambda value: _is_computable(value), "a number", "numbers"),
    types.NoneType: Kind(lambda value: value is None, "None", "None"),
}
LARGEST = 2**1000
ANYTHING = (object, Any, inspect.Parameter.empty)


def door(guarded: Guarded) -> Guarded:
    """The function, or the class with its public methods, with arguments held to their type hints."""
    if not isinstance(guarded, type):
        return typing.cast(Guarded, _held(typing.cast(Any, guarded)))
    for name, member in list(vars(guarded).items()):
        function = getattr(member, "__func__", member)  # of a class method
        if inspect.isfunction(function) and (name == "__init__" or not name.startswith("_")):
            held = _held(function, guarded.__module__)
            setattr(guarded, name, held if member is function else type(member)(held))
    return guarded


def _held(function: Callable[..., Any], module: str | None = None) -> Callable[..., Any]:
    @functools.cache
    def declared() -> tuple[dict[str, Kind | None], list[str], Iterable[str]]:
        names = _Names(vars(sys.modules[module or function.__module__]))
        kinds: dict[str, Kind | None] = {}
        parameters = inspect.signature(function).parameters.values()
        for p in parameters:
            hint = eval(p.annotation, {}, names) if isinstance(p.annotation, str) else p.annotation
            if typing.get_origin(hint) is typing.Unpack:  # **options: Unpack[VerdictOptions]
                options = typing.get_type_hints(typing.get_args(hint)[0])
                kinds |= {name: kind_of(option) for name, option in options.items()}
            else:
                kinds[p.name] = kind_of(hint)
        placed = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        rest = [repeat(p.name) for p in parameters if p.kind is p.VAR_POSITIONAL]
        return kinds, placed, rest[0] if rest else ()

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        except FairtrialError:
            raise
        except Exception as error:
            kinds, placed, rest = declared()
            for name, value in chain(zip(chain(placed, rest), args, strict=False), options.items()):
                kind = kinds.get(name)
                if kind is not None and not kind.fits(value):
                    raise InputError(f"{name} must be {kind.one}, got {shown(value)}") from error
            raise

    return call


def _is_computable(value: Any, kind: type = Real) -> bool:
    """Whether it is a number that a float can hold, at least about: 10**400 is not, and neither is True."""
    if isinstance(value, bool) or not isinstance(value, kind):
        return False
    return not isinstance(value, Integral) or abs(int(value)) < LARGEST


class _Unknown:
    """What stands for a name that is imported for type checkers only; with all that is made of it, it is anything."""

    def __or__(self, other: object) -> _Unknown:
        return self

    __ror__ = __getattr__ = __getitem__ = __or__


class _Names(dict[str, Any]):
    """The names of a module, for its hints, which are texts."""

    def __missing__(self, name: str) -> Any:
        return vars(builtins).get(name, _Unknown())


def kind_of(hint: Any) -> Kind | None:
    """What a hint allows; None for anything.

    >>> kind_of(Mapping[str, float] | None).one
    'a mapping of texts to numbers or None'
    """
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    whole = origin or hint
    if whole in (typing.Annotated, typing.Required, typing.NotRequired):
        return kind_of(args[0])
    if whole is typing.Literal:
        return _either([kind_of(type(choice)) for choice in args])
    if whole in (typing.Union, types.UnionType):
        return _either([kind_of(part) for part in args])
    if whole in KINDS:
        return KINDS[whole]
    if whole is collections.abc.Callable:
        return Kind(callable, "a function", "functions")
    if not isinstance(whole, type) or whole in ANYTHING or (origin is None and getattr(whole, "_is_protocol", False)):
        return None
    if issubclass(whole, Mapping) or typing.is_typeddict(whole):
        return _mapping(*(kind_of(part) for part in args[:2])) if len(args) == 2 else _mapping(None, None)
    if issubclass(whole, Iterable) and whole.__module__ in ("builtins", "collections.abc"):
        return _list(kind_of(args[0]) if args else None, once=whole in (Iterable, Iterator))
    return Kind(lambda value: isinstance(value, whole), f"a {whole.__name__}", f"{whole.__name__}s")


def _either(kinds: list[Kind | None]) -> Kind | None:
    known = list(dict.fromkeys(kind for kind in kinds if kind is not None))
    if len(known) < len(set(kinds)):
        return None
    one, several = (listed([kind[i] for kind in known], None, last="or") for i in (1, 2))
    return Kind(lambda value: any(kind.fits(value) for kind in known), one, several)


def _list(entry: Kind | None, *, once: bool) -> Kind:
    def fits(value: Any) -> bool:
        if isinstance(value, str | bytes) or not isinstance(value, Iterable) or hasattr(value, "shape"):
            return False
        return once if isinstance(value, Iterator) else entry is None or all(map(entry.fits, value))

    return Kind(fits, f"a list of {entry.several}" if entry else "a list", "lists")


def _mapping(key: Kind | None, entry: Kind | None) -> Kind:
    def fits(value: Any) -> bool:
        return (
            isinstance(value, Mapping)
            and (key is None or all(map(key.fits, value)))
            and (entry is None or all(map(entry.fits, value.values())))
        )

    of = f" of {key.several} to {entry.several}" if key and entry else f" of {key.several}" if key else ""
    return Kind(fits, f"a mapping{of}", "mappings")
