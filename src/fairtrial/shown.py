"""How a value shows itself: in IPython and notebooks, as a person would write it, and drawn."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ShownAsText:
    """A value that IPython shows as ``print`` does, by its first line inside a list; ``repr`` stays complete."""

    __slots__ = ()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 - as IPython calls it
        first, *others = str(self).split("\n")
        printer.text(first)
        if len(printer.stack) > 1:  # in a list or a mapping
            return
        for line in others:
            printer.break_()
            printer.text(line)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # IPython takes the __repr__ of a class before the _repr_pretty_ of its bases.
        cls._repr_pretty_ = ShownAsText._repr_pretty_  # type: ignore[method-assign]


def as_written(value: Any) -> str:
    """A dataclass as a person would write it: fields that have their defaults are left out.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Point:
    ...     x: int
    ...     y: int = 0
    ...     name: str = ""
    >>> as_written(Point(3, name="a"))
    "Point(x=3, name='a')"
    """
    parts = []
    for field in fields(value):
        usual = field.default if field.default_factory is MISSING else field.default_factory()
        if usual is MISSING or getattr(value, field.name) != usual:
            parts.append(f"{field.name}={getattr(value, field.name)!r}")
    return f"{type(value).__name__}({', '.join(parts)})"


def drawn(by: str, *what: object, **options: Any) -> Figure:
    """What a function of :mod:`fairtrial.figures` draws: the ``figure`` of every room below that one comes here.

    The room is imported when something is first drawn.
    """
    from fairtrial import figures

    figure: Figure = getattr(figures, by)(*what, **options)
    return figure
