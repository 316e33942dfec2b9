"""The table of readers: a row for each kind of file or frame. The first row that fits is taken.

A new kind of file is a module with its reader, beside this one, and a row here. Study files are our own and have no
row: ``study_results.py`` reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from fairtrial.errors import InputError
from fairtrial.results.readers.long_scores import LongScores
from fairtrial.results.readers.request import Request, Source
from fairtrial.results.readers.tabular_predictions import read_prediction_table
from fairtrial.results.readers.tabular_scores import read_score_table
from fairtrial.results.readers.tested_sets import PredictedSets
from fairtrial.results.readers.weka import is_experimenter_file, read_experimenter

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Reader(Generic[Made]):
    """A reader: the content that it reads, how that is recognised, the function, and the options that it takes.

    ``takes`` is None for one that takes all options of its kind.
    """

    content: str
    fits: Callable[[Source], bool]
    made_by: Callable[[Source, Request], Made]
    takes: tuple[str, ...] | None = None

    def read(self, source: Source, request: Request) -> Made:
        """Read a source; an option that says nothing to this reader is refused, so that none is ignored."""
        strange = [] if self.takes is None else [name for name in request.given() if name not in self.takes]
        if strange:
            raise InputError(
                f"{strange[0]} can't be used here: {self.content} says it itself; leave it out, got "
                f"{request.given()[strange[0]]!r}"
            )
        return self.made_by(source, request)


def _is_table(_: Source) -> bool:
    """True: anything else is taken for a table, and ``read_table`` refuses what is not one."""
    return True


SCORES: tuple[Reader[LongScores], ...] = (
    Reader(
        "a result file of WEKA's Experimenter (.arff)",
        is_experimenter_file,
        read_experimenter,
        ("measure", "methods", "baseline"),
    ),
    Reader("a table of scores in one of the shapes of score_shapes.py", _is_table, read_score_table),
)

PREDICTIONS: tuple[Reader[PredictedSets], ...] = (
    Reader("a table of predictions, wide or long", _is_table, read_prediction_table),
)


def reader_of(source: Source, readers: Sequence[Reader[Made]]) -> Reader[Made]:
    """The first of the readers that fits."""
    return next(reader for reader in readers if reader.fits(source))
