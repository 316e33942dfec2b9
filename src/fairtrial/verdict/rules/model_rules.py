"""Rows of the rule table about fixed models on one test set: the instances are the evidence."""

from __future__ import annotations

from fairtrial.stats.bibliography import (
    CLOPPER_PEARSON_1934,
    DELONG_1988,
    DIETTERICH_1998,
    EFRON_1987,
    HESTERBERG_2015,
    WILSON_1927,
)
from fairtrial.verdict.claims.level import claim_on_instances
from fairtrial.verdict.designs.fixed_models import on_instances
from fairtrial.verdict.designs.one_method import estimate_on_instances
from fairtrial.verdict.rules.rule import Rule

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
        procedure="exact McNemar for counts, else paired t over instances, sign flips over clusters; Bonferroni",
        interval="Clopper–Pearson and Bonett–Price, which agree with McNemar, or paired t; subset means for clusters",
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
