"""The curve of each method on one data set: ROC, coverage, precision–recall, cost and reliability."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from fairtrial.choices import FOLDS_OF_CURVES, FoldsOfCurves
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import (
    AverageRoc,
    CostCurve,
    PrecisionRecallCurve,
    ReliabilityCurve,
    RocCurve,
    RocPoint,
    cost_curve,
    precision_recall_curve,
    reliability_curve,
)
from fairtrial.results.analyses.tested_methods import Tested, tested_on
from fairtrial.shown import ShownAsText
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.results.results import Results

AnyCurve: TypeAlias = RocCurve | RocPoint | AverageRoc | PrecisionRecallCurve | CostCurve | ReliabilityCurve


@dataclass(frozen=True, slots=True, eq=False)
class Curves(ShownAsText, Mapping[str, AnyCurve]):
    """The curve of each method on one data set, by name; ``notes`` say which trials and methods are left out."""

    kind: str
    by_method: Mapping[str, AnyCurve]
    notes: tuple[str, ...] = ()

    def __getitem__(self, method: str) -> AnyCurve:
        return self.by_method[method]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_method)

    def __len__(self) -> int:
        return len(self.by_method)

    def __str__(self) -> str:
        return "\n".join((*(f"{m}: {self._line(curve)}" for m, curve in self.items()), *self.notes))

    def _line(self, curve: AnyCurve) -> str:
        """The first line of what the curve says, in counts instead of rates where coverage is shown."""
        shown = curve.coverage() if self.kind == "coverage" and isinstance(curve, RocCurve) else curve
        return str(shown).splitlines()[0]


def _roc(tested: Tested, folds: FoldsOfCurves) -> AnyCurve:
    return tested.roc(folds)


def _merged_roc(tested: Tested, folds: FoldsOfCurves) -> AnyCurve:
    _only_merged(folds)
    return tested.merged_roc()


def _precision_recall(tested: Tested, folds: FoldsOfCurves) -> AnyCurve:
    _only_merged(folds)
    return precision_recall_curve(tested.is_positive, tested.scores(), weights=tested.weights)


def _cost(tested: Tested, folds: FoldsOfCurves) -> AnyCurve:
    _only_merged(folds)
    return cost_curve(tested.merged_roc())


def _reliability(tested: Tested, folds: FoldsOfCurves) -> AnyCurve:
    """The reliability curve of the first repeat: the intervals of its bins need different instances."""
    _only_merged(folds)
    first = replace(tested, predictions=tested.first_repeat())
    matrix = first.predictions.channels["probability"]
    return reliability_curve(first.is_positive, matrix if matrix.ndim == 1 else matrix[:, first.positive])


def _only_merged(folds: FoldsOfCurves) -> None:
    if folds != "merged":
        raise InputError(f"folds={folds!r} is for ROC curves; other curves are made of all test sets merged")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of curve: the function that makes it, and the channels of which it needs one."""

    make: Callable[[Tested, FoldsOfCurves], AnyCurve]
    needs: tuple[str, ...]


CURVES: dict[str, _Kind] = {
    "roc": _Kind(_roc, ("label", "score", "probability")),
    "coverage": _Kind(_merged_roc, ("label", "score", "probability")),
    "precision_recall": _Kind(_precision_recall, ("score", "probability")),
    "cost": _Kind(_cost, ("label", "score", "probability")),
    "reliability": _Kind(_reliability, ("probability",)),
}


def curves_of(
    results: Results, kind: str, *, dataset: str | None, methods: Sequence[str] | None, positive: object,
    folds: FoldsOfCurves,
) -> Curves:  # fmt: skip
    """The curve of each method that has the channels it needs; yardsticks only if they are named."""
    if kind not in CURVES:
        raise UnknownName.among("kind of curve", kind, CURVES)
    if folds not in FOLDS_OF_CURVES:
        raise UnknownName.among("way to put folds together", folds, FOLDS_OF_CURVES)
    chosen = CURVES[kind]
    tested, notes = tested_on(results, dataset, methods, positive)
    able = [t for t in tested if set(chosen.needs) & set(t.predictions.channels)]
    if not able:
        raise InputError(
            f"a {kind} curve needs methods that give a {' or a '.join(chosen.needs)}; none of "
            f"{listed(t.method for t in tested)} does"
        )
    weights = able[0].weights if folds == "merged" and kind != "reliability" else None
    if weights is not None:
        many = f"{len(weights):,} predictions of {able[0].instances:,} instances"
        notes = (*notes, f"{many}: an instance that is predicted several times counts as one")
    return Curves(kind, {t.method: chosen.make(t, folds) for t in able}, notes)
