"""What IPython and notebooks show of a value, in place of a list of all its fields."""

from __future__ import annotations

from typing import Any

__all__ = ["ShownAsText"]


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
