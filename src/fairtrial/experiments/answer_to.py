"""Which answer fits results: effects of factors, a verdict at each level, or one verdict; or the one asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairtrial.choices import AboutFactors, Criterion, VerdictOptions
from fairtrial.design import FACTORS
from fairtrial.errors import InputError
from fairtrial.experiments.factor_answer import FactorAnswer
from fairtrial.verdict.level_verdicts import LevelVerdicts
from fairtrial.verdict.verdict import Verdict
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.results import Results

ResultsAnswer = Verdict | LevelVerdicts | FactorAnswer
TAKEN = ("measure", "smallest_difference", "level", "failures", "baseline")
"""The options of a verdict that questions about factors take as well."""

NO_OPTIONS: VerdictOptions = {}


def answer_to(
    results: Results,
    options: VerdictOptions = NO_OPTIONS,
    *,
    asked: AboutFactors | None = None,
    criterion: Criterion | None = None,
) -> ResultsAnswer:
    """The answer that fits the results: effects where parameters of methods were varied, else verdicts.

    Results at several levels of the training data have a verdict at each level, unless ``asked`` names a question about
    factors; ``criterion`` is that of the most robust setting. An option that only verdicts take, such as a control,
    asks for verdicts.
    """
    others = [name for name in options if name not in TAKEN]
    if not isinstance(options.get("measure"), (str, type(None))):
        others.append("several measures")
    if asked is not None and others:
        raise InputError(
            f"questions about factors take {listed(TAKEN, None)}, got {listed(others)}; leave these out, or ask for "
            "verdicts"
        )
    own: Any = options
    if asked == "ablation":
        return results.ablation(**own)
    if asked == "robust_setting":
        return results.robust_setting(criterion=criterion or "worst quarter", **own)
    if asked == "effects" or (not others and any(name not in FACTORS for name in results.factors)):
        return results.effects(**own)
    return results.verdicts(**options) if results.factors else results.verdict(**options)
