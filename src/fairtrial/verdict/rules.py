"""The rule table: which design allows which procedure, and why. The first row that fits is taken.

The test is chosen by design, never by looking at the data or by pre-testing assumptions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fairtrial.design import FEWEST_DATASETS, Question
from fairtrial.stats.bibliography import (
    BENAVOLI_2016,
    CLOPPER_PEARSON_1934,
    DELONG_1988,
    DEMSAR_2006,
    DIETTERICH_1998,
    EFRON_1987,
    EFRON_TIBSHIRANI_1997,
    HESTERBERG_2015,
    HUNG_FITHIAN_2019,
    NADEAU_BENGIO_2003,
    ROMANO_WOLF_2005,
    STUDENT_1908,
    WILSON_1927,
)
from fairtrial.verdict.claims import claim_on_each, claim_on_instances, claim_on_one, claim_over_datasets
from fairtrial.verdict.each_dataset import on_each_dataset
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.fixed_models import on_instances
from fairtrial.verdict.no_test import describe_only
from fairtrial.verdict.one_dataset import on_one_dataset
from fairtrial.verdict.one_method import estimate_on_instances, estimate_on_one, estimate_over_datasets
from fairtrial.verdict.over_datasets import over_datasets
from fairtrial.verdict.units import units_of

__all__ = ["MANY", "RULES", "Procedure", "Rule", "Situation", "choose"]

Procedure = Callable[[Evidence, Question, str], Finding]


@dataclass(frozen=True, slots=True)
class Situation:
    """All that the choice of a procedure depends on."""

    methods: int
    datasets: int
    resampled: bool
    these_only: bool
    instances: bool = False
    optimistic: bool = False
    predictions: bool = False
    claim: bool = False

    @classmethod
    def of(cls, evidence: Evidence, question: Question) -> Situation:
        known = all(d.known and len(f) > 1 for d, f in zip(evidence.dependence, evidence.folds, strict=True))
        optimistic = any(d.optimistic for d in evidence.dependence) and not evidence.measure.from_trials
        instances, predictions = evidence.losses is not None, evidence.predictions is not None
        return cls(
            methods=len(evidence.methods),
            datasets=_pieces_of_evidence(evidence, question),
            resampled=known,
            these_only=question.domains == "these",
            instances=instances and not optimistic,
            predictions=predictions and not optimistic,
            optimistic=optimistic,
            claim=question.claim is not None,
        )


def _pieces_of_evidence(evidence: Evidence, question: Question) -> int:
    """The number of data sets; a family of several counts as one, but several data sets are never one alone."""
    if not question.family or len(evidence.datasets) == 1:
        return len(evidence.datasets)
    return max(2, units_of(evidence, question.family).n)


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the table: conditions on the results, and the procedure that answers the question if they hold.

    ``methods`` and ``datasets`` are the least and the most of each. ``resampled``: the row needs splits whose scheme is
    known. ``instances`` and ``predictions``: it needs the losses of single instances, or the predictions, of fixed
    models on one test set. ``optimistic``: it is for methods that were tested on their training data. ``claim``: it is
    for a claim about one method.
    """

    name: str
    methods: tuple[int, int]
    datasets: tuple[int, int]
    resampled: bool
    procedure: str
    interval: str
    effect: str
    figure: str
    why: str
    reference: str
    answer: Procedure
    these_only: bool = False
    instances: bool = False
    predictions: bool = False
    optimistic: bool = False
    claim: bool = False

    def fits(self, s: Situation) -> bool:
        least, most = self.datasets
        if self.claim != s.claim:
            return False
        if s.optimistic and s.methods > 1:
            return self.optimistic
        if self.optimistic:
            return False
        if (self.instances and not s.instances) or (self.predictions and not s.predictions):
            return False
        enough = least <= s.datasets <= most or (self.these_only and s.these_only and s.datasets > 1)
        wanted = self.these_only or not s.these_only or s.datasets == 1 or self.methods[1] == 1 or not s.resampled
        return (
            self.methods[0] <= s.methods <= self.methods[1]
            and enough
            and wanted
            and (s.resampled or not self.resampled)
        )


MANY = 10**9

RULES: tuple[Rule, ...] = (
    Rule(
        "test data = training data",
        methods=(2, MANY),
        datasets=(1, MANY),
        resampled=False,
        procedure="none",
        interval="none",
        effect="means only",
        figure="dots",
        why="resubstitution rewards learning by heart, so it can't show which method is better",
        reference=EFRON_TIBSHIRANI_1997.short,
        answer=describe_only,
        optimistic=True,
    ),
    Rule(
        "one fixed model, one test set",
        methods=(1, 1),
        datasets=(1, 1),
        resampled=False,
        instances=True,
        procedure="estimate",
        interval="Wilson for counts, else t over instances",
        effect="mean",
        figure="dots",
        why="one fixed model on one test set: the instances are the evidence",
        reference=WILSON_1927.short,
        answer=estimate_on_instances,
    ),
    Rule(
        "several fixed models, one test set",
        methods=(2, MANY),
        datasets=(1, 1),
        resampled=False,
        instances=True,
        procedure="exact McNemar for counts, else paired t over instances, sign flips over clusters; Bonferroni",
        interval="inverted McNemar, or t",
        effect="difference",
        figure="differences",
        why="fixed models on one test set: the instances are the evidence",
        reference=DIETTERICH_1998.short,
        answer=on_instances,
    ),
    Rule(
        "one fixed model, one test set, a measure that is not an average",
        methods=(1, 1),
        datasets=(1, 1),
        resampled=False,
        predictions=True,
        procedure="estimate",
        interval="logit for auc, else bootstrap (BCa) over instances",
        effect="the measure",
        figure="dots",
        why="one fixed model on one test set: the instances are the evidence",
        reference=f"{DELONG_1988.short}; {EFRON_1987.short}",
        answer=estimate_on_instances,
    ),
    Rule(
        "several fixed models, one test set, a measure that is not an average",
        methods=(2, MANY),
        datasets=(1, 1),
        resampled=False,
        predictions=True,
        procedure="DeLong for auc, else paired bootstrap over instances; Bonferroni",
        interval="DeLong, or percentiles widened by t",
        effect="difference",
        figure="differences",
        why="fixed models on one test set: the instances are the evidence",
        reference=f"{DELONG_1988.short}; {HESTERBERG_2015.short}",
        answer=on_instances,
    ),
    Rule(
        "one method, one data set",
        methods=(1, 1),
        datasets=(1, 1),
        resampled=False,
        procedure="estimate",
        interval="corrected t over splits",
        effect="mean",
        figure="dots",
        why="with one method there is nothing to compare, so its level is estimated",
        reference=NADEAU_BENGIO_2003.short,
        answer=estimate_on_one,
    ),
    Rule(
        "one method, several data sets",
        methods=(1, 1),
        datasets=(2, MANY),
        resampled=False,
        procedure="estimate",
        interval="t over data sets",
        effect="mean",
        figure="dots",
        why="with one method there is nothing to compare, so its level is estimated",
        reference=DEMSAR_2006.short,
        answer=estimate_over_datasets,
    ),
    Rule(
        "a claim about one fixed model, one test set",
        methods=(1, 1),
        datasets=(1, 1),
        resampled=False,
        instances=True,
        claim=True,
        procedure="exact binomial (doubled tail) for counts, else one-sample t over instances",
        interval="Clopper–Pearson, or t",
        effect="mean",
        figure="dots",
        why="one fixed model on one test set: the instances are the evidence",
        reference=CLOPPER_PEARSON_1934.short,
        answer=claim_on_instances,
    ),
    Rule(
        "a claim about one fixed model, one test set, a measure that is not an average",
        methods=(1, 1),
        datasets=(1, 1),
        resampled=False,
        predictions=True,
        claim=True,
        procedure="the interval decides",
        interval="logit for auc, else bootstrap (BCa) over instances",
        effect="the measure",
        figure="dots",
        why="one fixed model on one test set: the instances are the evidence",
        reference=f"{DELONG_1988.short}; {EFRON_1987.short}",
        answer=claim_on_instances,
    ),
    Rule(
        "a claim about one method, one data set",
        methods=(1, 1),
        datasets=(1, 1),
        resampled=False,
        claim=True,
        procedure="corrected one-sample t",
        interval="corrected t over splits",
        effect="mean",
        figure="dots",
        why="one data set, splits whose training sets overlap: the variance is corrected for it",
        reference=NADEAU_BENGIO_2003.short,
        answer=claim_on_one,
    ),
    Rule(
        "a claim about one method, few data sets",
        methods=(1, 1),
        datasets=(2, FEWEST_DATASETS - 1),
        resampled=False,
        claim=True,
        procedure="per data set: corrected one-sample t, Bonferroni",
        interval="corrected t over splits, Bonferroni",
        effect="mean",
        figure="dots",
        why=f"each data set is judged by itself: fewer than {FEWEST_DATASETS} are no sample of data sets",
        reference=NADEAU_BENGIO_2003.short,
        answer=claim_on_each,
        these_only=True,
    ),
    Rule(
        "a claim about one method over data sets",
        methods=(1, 1),
        datasets=(FEWEST_DATASETS, MANY),
        resampled=False,
        claim=True,
        procedure="one-sample t over the means of data sets",
        interval="t over data sets",
        effect="mean",
        figure="dots",
        why="several data sets, one mean per data set: folds of one data set are not independent evidence",
        reference=STUDENT_1908.short,
        answer=claim_over_datasets,
    ),
    Rule(
        "several methods, one data set",
        methods=(2, MANY),
        datasets=(1, 1),
        resampled=True,
        procedure="corrected resampled t, Bonferroni",
        interval="corrected t, for all pairs together",
        effect="mean difference",
        figure="differences",
        why="one data set, shared splits whose training sets overlap: the variance is corrected for it",
        reference=NADEAU_BENGIO_2003.short,
        answer=on_one_dataset,
    ),
    Rule(
        "several methods, few data sets",
        methods=(2, MANY),
        datasets=(2, FEWEST_DATASETS - 1),
        resampled=True,
        procedure="per data set: corrected resampled t, Bonferroni over pairs and data sets",
        interval="corrected t, for all pairs and data sets together",
        effect="mean difference",
        figure="dots",
        why=f"fewer than {FEWEST_DATASETS} data sets can't show a difference over data sets: each is judged by itself",
        reference=NADEAU_BENGIO_2003.short,
        answer=on_each_dataset,
        these_only=True,
    ),
    Rule(
        "two methods over data sets",
        methods=(2, 2),
        datasets=(FEWEST_DATASETS, MANY),
        resampled=False,
        procedure="Wilcoxon signed ranks",
        interval="inverted Wilcoxon",
        effect="Hodges–Lehmann difference",
        figure="differences",
        why="several data sets, one mean per data set: folds of one data set are not independent evidence",
        reference=DEMSAR_2006.short,
        answer=over_datasets,
    ),
    Rule(
        "several methods over data sets",
        methods=(3, MANY),
        datasets=(FEWEST_DATASETS, MANY),
        resampled=False,
        procedure="Wilcoxon signed ranks: the winner by its own tests, all pairs by joint flips; Friedman reported",
        interval="Hodges–Lehmann, for all pairs together",
        effect="Hodges–Lehmann difference",
        figure="critical difference",
        why="several methods and data sets, one mean per data set (folds of one data set aren't independent evidence); "
        "tests of pairs don't depend on which other methods are compared",
        reference=f"{DEMSAR_2006.short}; {BENAVOLI_2016.short}; {HUNG_FITHIAN_2019.short}; {ROMANO_WOLF_2005.short}",
        answer=over_datasets,
    ),
    Rule(
        "too little is known",
        methods=(2, MANY),
        datasets=(1, MANY),
        resampled=False,
        procedure="none",
        interval="none",
        effect="means only",
        figure="dots",
        why="few data sets, and no splits on them whose scheme is known: there is nothing to test against",
        reference=DEMSAR_2006.short,
        answer=describe_only,
        these_only=True,
    ),
)


def choose(situation: Situation) -> Rule:
    """The first rule that fits a situation."""
    return next(rule for rule in RULES if rule.fits(situation))
