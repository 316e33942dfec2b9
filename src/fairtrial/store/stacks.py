"""Arrays of many trials at once: read with one query, unpacked in one go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from fairtrial.store.records import Packed

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Stack", "stack_up"]

Form = tuple[tuple[str, str, tuple[int, ...]], ...]  # of each channel: its name, kind of number, shape of an instance
ArrayRow = tuple[int, str, Packed]  # trial, channel, array


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """What trials of one form predicted, one below the other.

    ``places`` says which ones of the trials that were asked for, in that order.
    """

    places: tuple[int, ...]
    channels: Mapping[str, NDArray[Any]]

    def form(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Per channel the kind of number and the shape of one instance's prediction."""
        return {name: (array.dtype.str, array.shape[1:]) for name, array in self.channels.items()}


def stack_up(rows: Iterable[ArrayRow], trials: Sequence[int]) -> list[Stack]:
    """Stacks of rows that come trial by trial: one for each form, so that what one trial lacks is not lost for others.

    Forms are told apart by channels, kinds of number and columns.
    """
    place = {trial: i for i, trial in enumerate(trials)}
    alike: dict[Form, list[tuple[int, list[bytes]]]] = {}
    for trial, own in groupby(rows, key=itemgetter(0)):
        parts = [(channel, packed.shape[1:], *packed.opened()) for _, channel, packed in own]
        form = tuple((channel, kind, tail) for channel, tail, kind, _ in parts)
        alike.setdefault(form, []).append((place[trial], [blob for *_, blob in parts]))
    return [_stack(form, sorted(found, key=itemgetter(0))) for form, found in alike.items()]


def _stack(form: Form, found: Sequence[tuple[int, list[bytes]]]) -> Stack:
    columns = zip(*(blobs for _, blobs in found), strict=True)
    channels = {name: _stacked(dtype, tail, blobs) for (name, dtype, tail), blobs in zip(form, columns, strict=True)}
    return Stack(tuple(place for place, _ in found), channels)


def _stacked(dtype: str, tail: tuple[int, ...], blobs: Sequence[bytes]) -> NDArray[Any]:
    """The arrays of some blobs, one below the other; ``tail`` is their shape but for the first axis."""
    import numpy as np

    rows = -1 if 0 not in tail else 0
    return np.frombuffer(b"".join(blobs), dtype=np.dtype(dtype)).reshape(rows, *tail)
