"""Rows of the rule table about learning algorithms: one or several, on one data set, on each of a few, or over many.

Rows of the rule table about fixed models on one test set: the instances are the evidence.
"""

from __future__ import annotations

from fairtrial.design import FEWEST_DATASETS
from fairtrial.stats.bibliography import (
    BENAVOLI_2016,
    CLOPPER_PEARSON_1934,
    DELONG_1988,
    DEMSAR_2006,
    DIETTERICH_1998,
    EFRON_1987,
    EFRON_TIBSHIRANI_1997,
    HESTERBERG_2015,
    HSU_1984,
    HUNG_FITHIAN_2019,
    NADEAU_BENGIO_2003,
    ROMANO_WOLF_2005,
    STUDENT_1908,
    WILSON_1927,
)
from fairtrial.verdict.claims.level import claim_on_each, claim_on_instances, claim_on_one, claim_over_datasets
from fairtrial.verdict.designs.each_dataset import on_each_dataset
from fairtrial.verdict.designs.fixed_models import on_instances
from fairtrial.verdict.designs.no_test import describe_only
from fairtrial.verdict.designs.one_dataset import on_one_dataset
from fairtrial.verdict.designs.one_method import estimate_on_instances, estimate_on_one, estimate_over_datasets
from fairtrial.verdict.designs.over_datasets import over_datasets
from fairtrial.verdict.rules.rule import Aim, Rule

NOTHING_TO_COMPARE = "with one method there is nothing to compare, so its level is estimated"
OVERLAP = "splits whose training sets overlap: the variance is corrected for it"


def one_mean(folds: str = "folds") -> str:
    """The piece of evidence over data sets, and why it is one."""
    return f"one mean per data set, since {folds} of one data set aren't independent evidence"


def _several(piece: str) -> str:
    return f"several data sets, {piece}"


def _about_means(piece: str) -> str:
    return f"the question is about means; several data sets, {piece}"


def _with_the_best(piece: str) -> str:
    return f"{piece}; the question is which is best, and every claim is about that"


ANY_DIFFERENCE: tuple[Aim, ...] = ("difference", "superiority", "equivalence", "non-inferiority")

OPTIMISTIC_RULE = Rule(
    "test data = training data",
    when=lambda s: s.methods > 1 and s.optimistic,
    condition="two or more methods that were tested on their training data",
    questions=(),
    compared=("two", "several", "versus control"),
    aims=(),
    procedure="none",
    interval="none",
    effect="means only",
    figure="dots",
    why="resubstitution rewards learning by heart, so it can't show which method is better",
    reference=EFRON_TIBSHIRANI_1997.short,
    answer=describe_only,
)

ONE_METHOD_RULES: tuple[Rule, ...] = (
    Rule(
        "one method, one data set",
        when=lambda s: s.methods == 1 and s.datasets == 1 and not s.claim,
        condition="one method, one data set",
        questions=(2, 5, 6),
        compared=("one",),
        aims=("estimate",),
        procedure="estimate",
        interval="corrected t over splits",
        effect="mean",
        figure="dots",
        why=NOTHING_TO_COMPARE,
        reference=NADEAU_BENGIO_2003.short,
        answer=estimate_on_one,
    ),
    Rule(
        "one method, several data sets",
        when=lambda s: s.methods == 1 and not s.claim,
        condition="one method, two or more data sets",
        questions=(5, 6, 9),
        compared=("one",),
        aims=("estimate",),
        procedure="estimate",
        interval="t over data sets",
        effect="mean",
        figure="dots",
        why=NOTHING_TO_COMPARE,
        reference=STUDENT_1908.short,
        answer=estimate_over_datasets,
    ),
    Rule(
        "a claim about one method, one data set",
        when=lambda s: s.methods == 1 and s.datasets == 1,
        condition="a claim about one method, one data set",
        questions=(2, 5, 6),
        compared=("one",),
        aims=("claim",),
        procedure="corrected one-sample t",
        interval="corrected t over splits",
        effect="mean",
        figure="dots",
        why=f"one data set, {OVERLAP}",
        reference=NADEAU_BENGIO_2003.short,
        answer=claim_on_one,
    ),
    Rule(
        "a claim about one method over data sets",
        when=lambda s: s.methods == 1 and s.is_over_datasets,
        condition=f"a claim about one method, {FEWEST_DATASETS} or more data sets",
        questions=(9,),
        compared=("one",),
        aims=("claim",),
        procedure="one-sample t over the means of data sets",
        interval="t over data sets",
        effect="mean",
        figure="dots",
        why=_several(one_mean()),
        why_of=_several,
        reference=STUDENT_1908.short,
        answer=claim_over_datasets,
    ),
    Rule(
        "a claim about one method, few data sets",
        when=lambda s: s.methods == 1,
        condition=f"a claim about one method, fewer than {FEWEST_DATASETS} data sets, or domains='these'",
        questions=(2, 5, 6),
        compared=("one",),
        aims=("claim",),
        procedure="per data set: corrected one-sample t, Bonferroni",
        interval="corrected t over splits, Bonferroni",
        effect="mean",
        figure="dots",
        why=f"each data set is judged by itself: fewer than {FEWEST_DATASETS} are no sample of data sets",
        reference=NADEAU_BENGIO_2003.short,
        answer=claim_on_each,
    ),
)

COMPARISON_RULES: tuple[Rule, ...] = (
    Rule(
        "several methods, one data set",
        when=lambda s: s.datasets == 1 and s.resampled,
        condition="two or more methods, one data set, splits whose scheme is known",
        questions=(4, 7, 8),
        compared=("two", "several", "versus control"),
        aims=ANY_DIFFERENCE,
        procedure="corrected resampled t, Bonferroni",
        interval="corrected t, for all pairs together",
        effect="mean difference",
        figure="differences",
        why=f"one data set, shared {OVERLAP}",
        reference=NADEAU_BENGIO_2003.short,
        answer=on_one_dataset,
    ),
    Rule(
        "several methods, few data sets",
        when=lambda s: s.resampled and not s.is_over_datasets,
        condition=f"two or more methods, fewer than {FEWEST_DATASETS} data sets or domains='these', "
        "splits whose scheme is known",
        questions=(7, 8),
        compared=("two", "several", "versus control"),
        aims=ANY_DIFFERENCE,
        procedure="per data set: corrected resampled t, Bonferroni over pairs and data sets",
        interval="corrected t, for all pairs and data sets together",
        effect="mean difference",
        figure="dots",
        why=f"fewer than {FEWEST_DATASETS} data sets can't show a difference over data sets: each is judged by itself",
        reference=NADEAU_BENGIO_2003.short,
        answer=on_each_dataset,
    ),
    Rule(
        "means of methods over data sets",
        when=lambda s: s.is_over_datasets and s.means,
        condition=f"two or more methods, {FEWEST_DATASETS} or more data sets, estimand='mean'",
        questions=(9,),
        compared=("two", "several", "versus control"),
        aims=ANY_DIFFERENCE,
        procedure="comparisons with the best by sign flips of the means; paired t of two, or with a control",
        interval="lead over the best of the others, for all methods together; paired t",
        effect="mean lead",
        figure="differences",
        why=_about_means(one_mean()),
        why_of=_about_means,
        reference=DEMSAR_2006.short,
        answer=over_datasets,
    ),
    Rule(
        "two methods over data sets",
        when=lambda s: s.is_over_datasets and s.methods == 2,
        condition=f"two methods, {FEWEST_DATASETS} or more data sets",
        questions=(9,),
        compared=("two", "versus control"),
        aims=ANY_DIFFERENCE,
        procedure="Wilcoxon signed ranks",
        interval="Hodges–Lehmann (inverted Wilcoxon)",
        effect="typical difference (pseudo-median)",
        figure="differences",
        why=_several(one_mean()),
        why_of=_several,
        reference=DEMSAR_2006.short,
        answer=over_datasets,
    ),
    Rule(
        "several methods and a control over data sets",
        when=lambda s: s.is_over_datasets and s.control,
        condition=f"three or more methods, one of which is the control, {FEWEST_DATASETS} or more data sets",
        questions=(9,),
        compared=("versus control",),
        aims=ANY_DIFFERENCE,
        procedure="Wilcoxon signed ranks of each method and the control, by joint flips; Friedman reported",
        interval="Hodges–Lehmann, for all pairs with the control together",
        effect="typical difference (pseudo-median)",
        figure="differences",
        why=_several(one_mean()),
        why_of=_several,
        reference=f"{DEMSAR_2006.short}; {ROMANO_WOLF_2005.short}",
        answer=over_datasets,
    ),
    Rule(
        "several methods over data sets",
        when=lambda s: s.is_over_datasets,
        condition=f"three or more methods, {FEWEST_DATASETS} or more data sets",
        questions=(9,),
        compared=("several",),
        aims=("difference", "equivalence"),
        procedure="comparisons with the best by Wilcoxon signed ranks: the winner by its own tests, the others by "
        "joint flips; all pairs if asked (--pairs); Friedman reported",
        interval="lead over the best of the others, for all methods together",
        effect="typical lead (pseudo-median)",
        figure="leads",
        why=_with_the_best(one_mean()),
        why_of=_with_the_best,
        reference=f"{DEMSAR_2006.short}; {HUNG_FITHIAN_2019.short}; {HSU_1984.short}; {ROMANO_WOLF_2005.short}",
        answer=over_datasets,
    ),
)
"""Rows that follow those for one method, and so need not say that there are two or more."""

LAST_RULE = Rule(
    "too little is known",
    when=lambda s: s.methods > 1,
    condition=f"fewer than {FEWEST_DATASETS} data sets, and no splits whose scheme is known",
    questions=(),
    compared=("two", "several", "versus control"),
    aims=(),
    procedure="none",
    interval="none",
    effect="means only",
    figure="dots",
    why="few data sets (or families of them), and no splits on them whose scheme is known; post hoc tests of mean "
    "ranks are not made, since they depend on which other methods are compared",
    reference=BENAVOLI_2016.short,
    answer=describe_only,
)


ONE_MODEL = "one fixed model on one test set: the instances are the evidence"
MODELS = "fixed models on one test set: the instances, or their clusters, are the evidence"

MODEL_RULES: tuple[Rule, ...] = (
    Rule(
        "one fixed model, one test set",
        when=lambda s: s.methods == 1 and s.is_about_models and s.instances and not s.claim,
        condition="one fixed model, one test set, a measure that is an average over instances",
        questions=(1,),
        compared=("one",),
        aims=("estimate",),
        procedure="estimate",
        interval="Wilson for counts, else t over instances",
        effect="mean",
        figure="dots",
        why=ONE_MODEL,
        reference=WILSON_1927.short,
        answer=estimate_on_instances,
    ),
    Rule(
        "several fixed models, one test set",
        when=lambda s: s.is_comparison and s.is_about_models and s.instances,
        condition="two or more fixed models, one test set, a measure that is an average over instances",
        questions=(3,),
        compared=("two", "several", "versus control"),
        aims=("difference", "superiority", "equivalence", "non-inferiority"),
        procedure="McNemar (mid-p) for counts, else paired t over instances, sign flips over clusters; Bonferroni",
        interval="mid-p and Bonett–Price, which agree with McNemar, or paired t; subset means for clusters",
        effect="difference",
        figure="differences",
        why=MODELS,
        reference=DIETTERICH_1998.short,
        answer=on_instances,
    ),
    Rule(
        "one fixed model, one test set, a measure that is not an average",
        when=lambda s: s.methods == 1 and s.is_about_models and not s.claim,
        condition="one fixed model, one test set, auc or another measure that is not an average over instances",
        questions=(1,),
        compared=("one",),
        aims=("estimate",),
        procedure="estimate",
        interval="logit for auc, else bootstrap (BCa) over instances",
        effect="the measure",
        figure="dots",
        why=ONE_MODEL,
        reference=f"{DELONG_1988.short}; {EFRON_1987.short}",
        answer=estimate_on_instances,
    ),
    Rule(
        "several fixed models, one test set, a measure that is not an average",
        when=lambda s: s.is_comparison and s.is_about_models,
        condition="two or more fixed models, one test set, auc or another measure that is not an average",
        questions=(3,),
        compared=("two", "several", "versus control"),
        aims=("difference", "superiority", "equivalence"),
        procedure="DeLong for auc, else paired bootstrap over instances; Bonferroni",
        interval="DeLong, or percentiles widened by t",
        effect="difference",
        figure="differences",
        why=MODELS,
        reference=f"{DELONG_1988.short}; {HESTERBERG_2015.short}",
        answer=on_instances,
    ),
    Rule(
        "a claim about one fixed model, one test set",
        when=lambda s: s.methods == 1 and s.is_about_models and s.instances,
        condition="a claim about one fixed model, one test set, a measure that is an average over instances",
        questions=(1,),
        compared=("one",),
        aims=("claim",),
        procedure="exact binomial (doubled tail) for counts, else one-sample t over instances",
        interval="Clopper–Pearson, or t",
        effect="mean",
        figure="dots",
        why=ONE_MODEL,
        reference=CLOPPER_PEARSON_1934.short,
        answer=claim_on_instances,
    ),
    Rule(
        "a claim about one fixed model, one test set, a measure that is not an average",
        when=lambda s: s.methods == 1 and s.is_about_models,
        condition="a claim about one fixed model, one test set, auc or another measure that is not an average",
        questions=(1,),
        compared=("one",),
        aims=("claim",),
        procedure="the interval decides",
        interval="logit for auc, else bootstrap (BCa) over instances",
        effect="the measure",
        figure="dots",
        why=ONE_MODEL,
        reference=f"{DELONG_1988.short}; {EFRON_1987.short}",
        answer=claim_on_instances,
    ),
)
