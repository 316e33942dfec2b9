"""For each row of the rule table a generator of results whose truth is known: no effect, or a clear one."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from fairtrial.results import Results, read_predictions, read_scores

Make = Callable[[np.random.Generator, bool], Results]


def over(random, gaps, n=12, measure="accuracy", noise=0.01):
    """Scores on n data sets; ``gaps`` are what the methods a, b, … are better by."""
    base = random.uniform(0.6, 0.8, n)
    columns = {m: base + g + random.normal(0, noise, n) for m, g in zip("abcd", gaps, strict=False)}
    return read_scores(pd.DataFrame({"dataset": [f"d{i}" for i in range(n)], **columns}), measure=measure)


def measured(random, gaps, n=20):
    """Scores on n data sets by two measures, of which the second has the effect, too."""
    rows = []
    for i in range(n):
        base = random.uniform(0.5, 0.7)
        for m, g in zip("abcd", gaps, strict=False):
            rows.append((f"d{i}", m, "recall", base + g + random.normal(0, 0.01)))
            rows.append((f"d{i}", m, "fpr", base - g + random.normal(0, 0.01)))
    return read_scores(pd.DataFrame(rows, columns=["dataset", "method", "measure", "value"]), measure="recall")


def on_folds(random, gaps, datasets=1, resampling="10-fold", splits=10, noise=0.01, level=0.7):
    """Scores over the splits of some data sets, each split with an effect of its own."""
    parts = []
    for d in range(datasets):
        base = level + random.normal(0, noise, splits)
        for m, g in zip("abcd", gaps, strict=False):
            value = base + g + random.normal(0, noise, splits)
            frame = pd.DataFrame({"dataset": f"d{d}", "method": m, "fold": np.arange(splits), "value": value})
            if resampling == "5x2":
                frame = frame.assign(repeat=np.arange(splits) // 2, fold=np.arange(splits) % 2)
            parts.append(frame)
    return read_scores(pd.concat(parts), measure="accuracy", resampling=resampling)


def models(random, rights, n=300, scores=False, folds=0):
    """Predictions of models that are right in these shares; as scores, or over the folds of one repeat."""
    y = random.integers(0, 2, n)
    frame = pd.DataFrame({"y": y})
    for m, right in zip("abcd", rights, strict=False):
        guess = np.where(random.random(n) < right, y, 1 - y)
        frame[m] = np.clip(0.5 + 0.2 * (2 * guess - 1) + random.normal(0, 0.1, n), 0.01, 0.99) if scores else guess
    if not folds:
        return read_predictions(frame, truth="y", positive=1)
    long = frame.assign(instance=np.arange(n), fold=np.arange(n) % folds).melt(
        ["y", "instance", "fold"], var_name="method", value_name="label"
    )
    return read_predictions(
        long, truth="y", positive=1, method="method", fold="fold", instance="instance", resampling=f"{folds}-fold"
    )


def winner(verdict):
    return verdict.winner is not None


def jointly(verdict):
    return verdict.joint_test.p_value < 0.05


def claimed(verdict):
    found = [part.claim for part in verdict.parts.values()] if verdict.parts else [verdict.claim]
    return any(c.answer == "yes" for c in found)


def above_chance(verdict):
    """Whether the interval of the estimate, over all data sets if there are several, lies above 0.5."""
    table = verdict.to_table()
    column = [c.key for c in table.columns].index("interval")
    return [row[column] for row in table.rows if row[column] is not None][-1][0] > 0.5


def marked(verdict):
    """Whether a method is better than the control on some data set."""
    return any(str(row[-1]).endswith(" v") for row in verdict.to_table().rows)


@dataclass(frozen=True)
class Case:
    """A row's generator, the arguments of the verdict, what counts as found, and whether a clear effect is."""

    make: Make
    found: Callable[[Any], bool] = winner
    asked: dict[str, Any] = field(default_factory=dict)
    finds: bool = True


def gaps(k, gap=0.05):
    """The first of k methods is better by the gap, or not."""
    return lambda effect: [gap * effect, *[0.0] * (k - 1)]


two, three, one = gaps(2), gaps(3), gaps(1, 0.3)


def right(effect, k=2):
    return [0.92 if effect else 0.75, *[0.75] * (k - 1)]


CASES: dict[str, Case] = {
    "against a control on each data set": Case(
        lambda r, e: on_folds(r, two(e), 3), marked, {"control": "b", "per_dataset": "corrected_t"}
    ),
    "against a control on each data set, uncorrected": Case(
        lambda r, e: on_folds(r, two(e), 3), marked, {"control": "b", "per_dataset": "paired_t"}
    ),
    "5×2 cv F": Case(lambda r, e: on_folds(r, gaps(2, 0.1)(e), resampling="5x2"), asked={"test": "five_by_two_f"}),
    "5×2 cv t": Case(lambda r, e: on_folds(r, gaps(2, 0.1)(e), resampling="5x2"), asked={"test": "five_by_two_t"}),
    "repeated-measures ANOVA": Case(lambda r, e: over(r, three(e)), jointly, {"test": "repeated_anova"}),
    "McNemar on one repeat": Case(lambda r, e: models(r, right(e), folds=5), asked={"test": "mcnemar"}),
    "several measures, two fixed models, one test set": Case(
        lambda r, e: models(r, right(e), scores=True), jointly, {"measure": ["brier", "accuracy"]}
    ),
    "several measures, several fixed models, one test set": Case(
        lambda r, e: models(r, right(e, 3), scores=True), jointly, {"measure": ["brier", "accuracy"]}
    ),
    "several measures, two methods over data sets": Case(
        lambda r, e: measured(r, two(e)), jointly, {"measure": ["recall", "fpr"]}
    ),
    "several measures, several methods over data sets": Case(
        lambda r, e: measured(r, three(e)), jointly, {"measure": ["recall", "fpr"]}
    ),
    "several measures, several methods over few data sets": Case(
        lambda r, e: measured(r, three(e), n=9), jointly, {"measure": ["recall", "fpr"]}
    ),
    "test data = training data": Case(
        lambda r, e: on_folds(r, two(e), resampling="resubstitution", splits=1), finds=False
    ),
    "one fixed model, one test set": Case(lambda r, e: models(r, [0.8 if e else 0.5]), above_chance),
    "several fixed models, one test set": Case(lambda r, e: models(r, right(e))),
    "one fixed model, one test set, a measure that is not an average": Case(
        lambda r, e: models(r, [0.8 if e else 0.5], scores=True), above_chance, {"measure": "auc"}
    ),
    "several fixed models, one test set, a measure that is not an average": Case(
        lambda r, e: models(r, right(e), scores=True), asked={"measure": "auc"}
    ),
    "a claim about one fixed model, one test set": Case(
        lambda r, e: models(r, [0.8 if e else 0.5]), claimed, {"measure": "accuracy", "claim": 0.5}
    ),
    "a claim about one fixed model, one test set, a measure that is not an average": Case(
        lambda r, e: models(r, [0.8 if e else 0.5], scores=True), claimed, {"measure": "auc", "claim": 0.5}
    ),
    "one method, one data set": Case(lambda r, e: on_folds(r, one(e), level=0.5), above_chance),
    "one method, several data sets": Case(lambda r, e: on_folds(r, one(e), 8, level=0.5), above_chance),
    "a claim about one method, one data set": Case(lambda r, e: on_folds(r, two(e)[:1]), claimed, {"claim": 0.7}),
    "a claim about one method over data sets": Case(lambda r, e: on_folds(r, two(e)[:1], 8), claimed, {"claim": 0.7}),
    "a claim about one method, few data sets": Case(lambda r, e: on_folds(r, two(e)[:1], 3), claimed, {"claim": 0.7}),
    "several methods, one data set": Case(lambda r, e: on_folds(r, three(e))),
    "several methods, few data sets": Case(lambda r, e: on_folds(r, three(e), 3)),
    "means of methods over data sets": Case(lambda r, e: over(r, three(e)), asked={"estimand": "mean"}),
    "two methods over data sets": Case(lambda r, e: over(r, two(e))),
    "several methods and a control over data sets": Case(
        lambda r, e: over(r, [0.05 * e] * 2 + [0.0]),
        lambda v: any(p.different for p in v.finding.pairs),
        {"control": "c"},
    ),
    "several methods over data sets": Case(lambda r, e: over(r, three(e))),
    "too little is known": Case(lambda r, e: over(r, two(e), 3), finds=False),
}


def verdict_of(name, seed, effect):
    """The verdict on results that were made for a row."""
    case = CASES[name]
    return case.make(np.random.default_rng(seed), effect).verdict(**case.asked)


WITH_THE_BEST = "comparisons with the best"
SAME = {"t, corrected for shared training data": "corrected t", "DeLong, logit": "logit", "logit (DeLong)": "logit"}
"""Names of intervals that procedures give, where the table uses other words."""

QUANTITIES = {
    "pseudo-median difference": "typical difference (pseudo-median)",
    "difference of accuracies": "difference",
    "difference of AUCs": "difference",
    "proportion": "mean",
    "AUC": "the measure",
}
LEADS = {"pseudo-median difference": "typical lead (pseudo-median)", "mean difference": "mean lead"}
"""Names of effects that procedures give, where the table uses other words."""


def effect_of(verdict):
    """The interval object behind what the verdict shows first; None if there is none."""
    finding = next(iter(verdict.parts.values()), verdict.finding)
    if finding.leads is not None:
        return finding.leads.leads[0].interval
    if finding.comparisons is not None:
        return finding.comparisons.outcomes[0].effect
    if finding.claim is not None:
        return finding.claim.interval
    if finding.joint_test is not None and "interval" not in {c.key for c in finding.table.columns}:
        return finding.joint_test.effect if finding.pairs == () and not finding.measures else None
    return None


def interval_called(verdict):
    """The name of the interval that the verdict reports, in the words of the table; empty if it reports none."""
    effect = effect_of(verdict)
    if effect is None:
        told = [re.match(r"interval: (.+)|(.+) interval over", detail) for detail in verdict.test_details]
        name = next((found[1] or found[2] for found in told if found), "")
    elif WITH_THE_BEST in effect.method:
        name = "lead over the best of the others, for all methods together"
    else:
        name = "" if math.isnan(effect.low) else effect.method
    return SAME.get(name, name).replace("-", "–").replace("mid–p", "mid-p")


def effect_called(verdict):
    """The name of the effect that the verdict reports, in the words of the table; empty if it has no test."""
    effect = effect_of(verdict)
    if effect is None:
        return ""
    words = LEADS if WITH_THE_BEST in effect.method else QUANTITIES
    return words.get(effect.quantity, effect.quantity)
