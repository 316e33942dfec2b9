"""Which answer fits results: effects of factors, a verdict at each level, or one verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.choices import VerdictOptions
from fairtrial.design import FACTORS
from fairtrial.errors import InputError
from fairtrial.verdict.factor_effects import FactorEffects
from fairtrial.verdict.level_verdicts import LevelVerdicts
from fairtrial.verdict.verdict import Verdict
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.results import Results

__all__ = ["ResultsAnswer", "answer_to"]

ResultsAnswer = Verdict | LevelVerdicts | FactorEffects
TAKEN = ("measure", "smallest_difference", "level", "failures", "baseline")
"""The options of a verdict that effects take as well."""

NO_OPTIONS: VerdictOptions = {}


def answer_to(results: Results, options: VerdictOptions = NO_OPTIONS, *, effects: bool = False) -> ResultsAnswer:
    """The answer that fits the results: effects where parameters of methods were varied, else verdicts.

    Results at several levels of the training data have a verdict at each level, unless ``effects`` asks for effects.
    An option that only verdicts take, such as a control, asks for verdicts.
    """
    others = [name for name in options if name not in TAKEN]
    if not isinstance(options.get("measure"), (str, type(None))):
        others.append("several measures")
    if effects and others:
        raise InputError(
            f"effects take {listed(TAKEN, None)}, got {listed(others)}; leave these out, or ask for verdicts"
        )
    if effects or (not others and any(name not in FACTORS for name in results.factors)):
        own: Any = options
        found: FactorEffects = results.effects(**own)
        return found
    return results.verdicts(**options) if results.factors else results.verdict(**options)
