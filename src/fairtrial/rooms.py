"""Rooms whose names are imported when they are first used: a map says which module has which names."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping

from fairtrial.words import nearest, no_attribute


def lazy_names(
    room: str, homes: Mapping[str, str], own: Iterable[str] = ()
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """``__all__``, ``__getattr__`` and ``__dir__`` of a package; ``homes`` has for each module its names, in a line.

    Editors and type checkers see the names in the package's ``__init__.pyi``, which a test makes from the map.

    >>> names, find, _ = lazy_names("fairtrial.stats", {"outcome": "Interval Outcome"})
    >>> names, find("Outcome")
    (['Interval', 'Outcome'], <class 'fairtrial.stats.outcome.Outcome'>)
    """
    home_of = {name: module for module, names in homes.items() for name in names.split()}
    every = sorted({*home_of, *own})

    def find(name: str) -> object:
        if name not in home_of:
            raise no_attribute(f"module {room!r}", name, room.rpartition(".")[2], nearest(name, every))
        found = getattr(importlib.import_module(f"{room}.{home_of[name]}"), name)
        setattr(sys.modules[room], name, found)  # the next time it is there
        return found

    return every, find, lambda: every
