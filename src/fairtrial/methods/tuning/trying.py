"""Configurations are tried: each is fitted and scored on every inner split."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from fairtrial.methods.tuning.details import shortened
from fairtrial.methods.tuning.inner_resampling import Pairs
from fairtrial.methods.tuning.scoring import Scoring, Tried, ranked

__all__ = ["Trying"]


@dataclass(slots=True, eq=False)
class Trying:
    """The rows that configurations are tried on, how estimators are made and scored, and how many fits it took."""

    make: Callable[[Mapping[str, Any]], Any]
    X: Any
    y: NDArray[Any]
    scoring: Scoring
    fits: int = 0

    def ranked(self, configurations: Sequence[Mapping[str, Any]], pairs: Pairs) -> list[Tried]:
        """What became of the configurations on these splits, best first."""
        return ranked([self._one(parameters, pairs) for parameters in configurations], self.scoring.measure)

    def _one(self, parameters: Mapping[str, Any], pairs: Pairs) -> Tried:
        """Where a configuration fails on one split, it has failed."""
        rows = min(len(train) for train, _ in pairs)
        found = []
        for train, test in pairs:
            self.fits += 1
            try:
                model = self.make(parameters)
                model.fit(_rows(self.X, train), self.y[train])
                found.append(self.scoring.predicted(model, _rows(self.X, test)))
            except Exception as error:  # noqa: BLE001 - whatever a configuration raises is what became of it
                said = f"{type(error).__name__}: {error}".strip().split("\n")[0]
                return Tried(dict(parameters), error=shortened(said), rows=rows)
        return replace(self.scoring.tried(parameters, [self.y[test] for _, test in pairs], found), rows=rows)


def _rows(X: Any, which: NDArray[Any]) -> Any:
    return X.iloc[which] if hasattr(X, "iloc") else X[which]
