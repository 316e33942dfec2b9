"""Seeds on one fixed split: scores that exist already, and tell the noise of training only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from fairtrial.data import Dataset
from fairtrial.errors import InputError
from fairtrial.resampling.allocation import check_at_least
from fairtrial.resampling.split import Dependence, Split
from fairtrial.words import plural

CAUTION = "seeds show the noise of training on one fixed split, not how scores vary with the data"


@dataclass(frozen=True, slots=True)
class Seeds:
    """One fixed split, on which each method was trained with several random seeds, as deep-learning papers report.

    It names how scores from elsewhere were made. It makes no splits: a study has ``replicates`` for other seeds.
    Scores over seeds are averaged, and no test uses their spread, since all of them share their training and test data.
    """

    name, written, analysis = "seeds", "5 seeds", "averaged, not tested"
    use: ClassVar[str] = "scores that exist: several seeds on the one split of each data set"
    beware: ClassVar[str] = "seeds tell nothing about other data; a study varies seeds by replicates=5"
    seeds: int = 5

    def __post_init__(self) -> None:
        check_at_least("seeds", self.seeds, 1)

    def splits(self, dataset: Dataset, seed: int) -> Iterator[Split]:  # noqa: ARG002
        raise InputError(self.refusal("resampling"))

    def dependence(self, dataset: Dataset | None = None) -> Dependence:  # noqa: ARG002
        return Dependence(plural(self.seeds, "seed"), self.seeds, caution=CAUTION, seeds=True)

    def refusal(self, argument: str) -> str:
        """Why seeds make no splits, and what does."""
        return (
            f"{argument} must say how data are split, got {plural(self.seeds, 'seed')}, which share one split; run a "
            f"study with replicates={self.seeds} (other seeds on the same splits) and splits such as '10-fold' or "
            "'holdout 0.3'"
        )
