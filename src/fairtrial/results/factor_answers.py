"""What results with factors can be asked besides a verdict: what matters, what is robust, why it is better."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Unpack, cast

from fairtrial.choices import Criterion, FailurePolicy, SurfaceOptions, VerdictOptions
from fairtrial.doors import door
from fairtrial.results.other_question import with_question

if TYPE_CHECKING:
    from fairtrial.experiments import Ablation, FactorEffects, FittedSurface, RobustSetting
    from fairtrial.experiments.ablation.ablation import ComponentLevels
    from fairtrial.results.results import Results


@door
class FactorAnswers:
    """The questions of :class:`~fairtrial.results.Results` that are about factors, each answered by one method."""

    def effects(
        self, measure: str | None = None, *, method: str | None = None, dataset: str | None = None,
        smallest_difference: float | str | Mapping[str, float | str] | None = None, level: float | None = None,
        interactions: int | None = 2, failures: FailurePolicy | None = None, baseline: str | None = None,
    ) -> FactorEffects:  # fmt: skip
        """Which factors matter, by how much, what interacts, and what to set.

        ``method`` takes the settings of one method, ``dataset`` one data set; ``interactions`` is the number of factors
        in the largest interaction, None for all. The other arguments are those of :meth:`verdict`.
        """
        from fairtrial.experiments import effects_of

        asked = self._asked(measure, smallest_difference, level, failures, baseline)
        return effects_of(asked, method=method, dataset=dataset, interactions=interactions)

    def ablation(
        self, measure: str | None = None, *, components: ComponentLevels | None = None, method: str | None = None,
        dataset: str | None = None, smallest_difference: float | str | Mapping[str, float | str] | None = None,
        level: float | None = None, failures: FailurePolicy | None = None, baseline: str | None = None,
    ) -> Ablation:  # fmt: skip
        """Why is it better? The advantage of a whole pipeline over its base, divided into its components.

        ``components`` are factors, by default all; each goes from its first level (the base) to its last (the whole),
        or between two that are given: ``{"model": ("tree", "boosting")}``. All combinations must have been run. The
        other arguments are those of :meth:`effects`.
        """
        from fairtrial.experiments import ablation_of

        asked = self._asked(measure, smallest_difference, level, failures, baseline)
        return ablation_of(asked, components, method=method, dataset=dataset)

    def robust_setting(
        self, measure: str | None = None, *, criterion: Criterion = "worst quarter", method: str | None = None,
        failures: FailurePolicy | None = None, baseline: str | None = None,
    ) -> RobustSetting:  # fmt: skip
        """Which setting to take for a data set like these, beside the one that the mean would have chosen.

        ``criterion`` is ``"worst quarter"`` (the mean of the worst quarter of the differences from each data set's own
        mean), ``"mean"`` or ``"regret"`` (the smallest largest distance from the best setting). Settings are those of
        factors on methods; levels of uncontrollable factors and of the training data are conditions of use.
        """
        from fairtrial.experiments import robust_setting_of

        asked = self._asked(measure, None, None, failures, baseline)
        return robust_setting_of(asked, criterion=criterion, method=method)

    def surface(self, measure: str | None = None, **options: Unpack[SurfaceOptions]) -> FittedSurface:
        """Which setting of two or more numeric factors is best: a response surface, its best point, and the way on."""
        from fairtrial.experiments import surface_of

        return surface_of(cast("Results", self), measure, **options)

    def _asked(
        self, measure: str | None, smallest_difference: float | str | Mapping[str, float | str] | None,
        level: float | None, failures: FailurePolicy | None, baseline: str | None,
    ) -> Results:  # fmt: skip
        """The results with the question that the arguments ask."""
        options = VerdictOptions(measure=measure, level=level, failures=failures, baseline=baseline)
        options["smallest_difference"] = smallest_difference
        return with_question(cast("Results", self), options, any_levels=True)
