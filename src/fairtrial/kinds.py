"""Kinds of things that are made from results by name: what each shows, who makes it, and the options that it takes."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from fairtrial.choices import AskedOptions
from fairtrial.errors import InputError, UnknownName
from fairtrial.words import listed

SCORED = ("failures", "baseline")
"""What can be asked of a kind that shows scores: how failed trials are scored."""

COMPARED = (*SCORED, "estimand", "family", "context")
"""What can be asked of a kind that compares all pairs."""

TESTED = (*COMPARED, "control", "level", "alternative")
"""What can be asked of a kind that shows the tests of a verdict, also those with a control."""

FITTED = (*SCORED, "level")
"""What can be asked of a kind that shows intervals of something else, such as effects of factors."""

Made = TypeVar("Made")
AnyMaker = TypeVar("AnyMaker", bound=Callable[..., Any])


class Kind(NamedTuple):
    """A kind of table or figure: the module that makes it, and what it shows.

    ``of_results`` is False for a kind that needs no results, such as a table of critical values.
    """

    module: str
    shows: str
    of_results: bool = True


class Makers(Generic[Made]):
    """A register of the functions that make each kind; their modules are imported when they are first needed.

    ``what`` is the word for a kind in errors, ``room`` the package of the modules, ``declared`` the TypedDict of all
    options, and ``neutral`` has the values of options that mean the same as leaving them out, besides None. The
    keyword arguments of a function are the options that its kind takes; all others are refused. ``asks`` has options
    that change the question of the results, whatever the maker does with them, and the kinds that take them; ``ask``
    gives the results with that question.
    """

    def __init__(
        self,
        what: str,
        room: str,
        kinds: Mapping[str, Kind],
        declared: type,
        neutral: Mapping[str, object] | None = None,
        ask: Callable[[Any, Any], Any] | None = None,
        asks: Mapping[tuple[str, ...], Sequence[str]] | None = None,
    ) -> None:
        self.what, self.room, self.kinds, self.declared = what, room, kinds, declared
        self.neutral = neutral or {}
        self.ask = ask or (lambda results, _: results)
        self.asks = {kind: asked for asked, kinds in (asks or {}).items() for kind in kinds}
        self._found: dict[str, Callable[..., Made]] = {}

    def __call__(self, kind: str) -> Callable[[AnyMaker], AnyMaker]:
        """Register a function as the maker of a kind, as a decorator."""

        def register(make: AnyMaker) -> AnyMaker:
            self._found[kind] = make
            return make

        return register

    def maker(self, kind: str) -> Callable[..., Made]:
        """The function that makes a kind; an unknown name is refused with its nearest neighbours."""
        if kind not in self.kinds:
            raise UnknownName.among(self.what, kind, self.kinds)
        importlib.import_module(f"{self.room}.{self.kinds[kind].module}")
        return self._found[kind]

    def options_of(self, kind: str) -> tuple[str, ...]:
        """The options that a kind takes, in the order of their declaration, those that all kinds share last."""
        taken = (*inspect.signature(self.maker(kind)).parameters, *self.asks.get(kind, ()))
        shared = AskedOptions.__annotations__
        return tuple(name for name in sorted(self.declared.__annotations__, key=lambda n: n in shared) if name in taken)

    def make(self, kind: str, *of: object, options: Mapping[str, object]) -> Made:
        """Make a kind of these results, with the options that were given."""
        make = self.maker(kind)
        given = {n: v for n, v in options.items() if v is not None and v != self.neutral.get(n)}
        for name in given:
            if name not in self.options_of(kind):
                takers = listed(other for other in self.kinds if name in self.options_of(other))
                if not takers:
                    raise UnknownName.among(f"option of the {self.what} {kind!r}", name, self.options_of(kind))
                raise InputError(f"{name} is for {takers}, not for the {self.what} {kind!r}; leave it out")
        own = inspect.signature(make).parameters
        asked = {name: given.pop(name) for name in list(given) if name not in own}
        if asked:  # measure and control are parts of the question that they change
            parts = {"measure": given.pop("measure", None), "control": given.get("control")}
            of = (self.ask(of[0], parts | asked), *of[1:])
        return make(*of, **given)
