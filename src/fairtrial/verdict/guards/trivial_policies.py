"""The best trivial policy beside the methods: one decision for all cases, in words, with what it costs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures import Measure
from fairtrial.measures.bulk import computable, compute_on
from fairtrial.measures.operating_context import costs_of
from fairtrial.notices import Notice
from fairtrial.statements import Remark, Role, Statement, Text
from fairtrial.stats import Interval
from fairtrial.tables import formats
from fairtrial.verdict.words.wording import Wording
from fairtrial.verdict.yardsticks.given import beats_levels, unbeaten_on_one
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.design import Question
    from fairtrial.results import Results
    from fairtrial.verdict.evidence import Evidence
    from fairtrial.verdict.finding import Finding

NOT_BETTER = "no_better_than_trivial"
REMEDY = "try better features, other methods, or more data"
RANKED = {
    "auc": (
        "methods rank the classes well",
        "decide by the costs of both errors (context={'costs': [1, 10]} of a study, or without a new run the measure "
        "'decision_cost(costs=(1, 10))'), or compare by auc",
    ),
    "average_recall": (
        "methods tell the classes apart",
        "compare by average_recall; another threshold needs scores or probabilities, not labels alone",
    ),
}
"""What a measure of rankings, or of labels alone, shows if it is not that of chance, and the remedy."""

BY_CHANCE = 3  # standard errors of an auc of ½, within which a ranking may be chance


def not_shown_to(better: str) -> str:
    """That no method is shown to do better, or to be cheaper.

    >>> not_shown_to("do better than majority")
    'no method is shown to do better than majority'
    """
    return f"no method is shown to {better}"


def policy_in_words(evidence: Evidence, name: str) -> str:
    """What a trivial policy does on the data sets of the evidence."""
    by_answer: dict[str, list[str]] = {}
    for dataset in evidence.datasets:
        if answer := evidence.trivial.get((name, dataset)):
            by_answer.setdefault(answer, []).append(dataset)
    if len(by_answer) == 1:
        return next(iter(by_answer))
    return listed(f"{answer} on {listed(datasets, most=3)}" for answer, datasets in by_answer.items())


def amount(measure: Measure, value: float, write: formats.Formatter | None = None) -> str:
    """A cost with its unit and the number of cases that it is for.

    >>> from fairtrial.measures import get
    >>> amount(get("expected_cost(costs=(1, 30), per=1000, unit='EUR')"), 915.27)
    '915.3 EUR per 1,000 cases'
    """
    words = Wording(measure)
    return f"{(write or words.value)(value)} {words.cost_unit}"


def with_policy(finding: Finding, evidence: Evidence, question: Question) -> Finding:
    """The finding with what the best trivial policy costs; if no method is shown to be cheaper, a notice says so."""
    finding = finding.adding(*_notices(evidence, question, finding))
    if any(n.guard == NOT_BETTER and n.severity == "grave" for n in finding.of_kind(Notice)):
        return finding
    return finding.adding(*(Remark(Role.ANSWER, Text(text), "policy", 4) for text in _sentences(evidence)))


def with_rankings(finding: Finding, evidence: Evidence, results: Results) -> Finding:
    """The finding whose notices on trivial methods advise another threshold where methods rank the classes well."""
    if not any(n.guard == NOT_BETTER for n in finding.of_kind(Notice)):
        return finding
    ranked = rankings(evidence, results)

    def advised(s: Statement) -> Statement:
        if not isinstance(s, Notice) or s.guard != NOT_BETTER:
            return s
        own = [ranked[d] for d in _where(s, evidence) if d in ranked]
        return replace(s, remedy=": ".join(ranked_in_words(own))) if own else s

    return replace(finding, statements=tuple(map(advised, finding.statements)))


def _where(notice: Notice, evidence: Evidence) -> Sequence[str]:
    return cast("Sequence[str]", notice.evidence.get("datasets", evidence.datasets))


def ranked_in_words(found: Sequence[tuple[str, float]]) -> tuple[str, str]:
    """What rankings show, 'methods rank the classes well (auc up to 0.931)', and the remedy."""
    measure, best = max(found)
    shown, remedy = RANKED[measure]
    return f"{shown} ({measure} up to {best:.3f})", remedy


def rankings(evidence: Evidence, results: Results) -> dict[str, tuple[str, float]]:
    """The best auc of a method on each data set where it is not that of chance, if labels are judged.

    There, labels no better than a trivial answer come from the threshold. Costs choose the threshold themselves. Where
    a method has labels only, the average recall of all is looked at, unless it is what is judged.
    """
    judged = evidence.measure
    if results.source is None or judged.needs != ("label",) or costs_of(judged.name) is not None:
        return {}
    found = {}
    for dataset in evidence.datasets:
        facts, made = results.datasets.get(dataset, {}), []
        for method in evidence.methods:
            with suppress(InputError):  # all its trials failed there
                made.append(results.source.predictions(dataset, method))
        ranking = [one for one in made if computable(["auc"], one.channels)]
        by = "auc" if len(ranking) == len(made) or judged.name == "average_recall" else "average_recall"
        looked_at = ranking if by == "auc" else made
        scores = [own[np.isfinite(own)] for own in (compute_on(one, [by])[by] for one in looked_at)]
        best = max((float(own.mean()) for own in scores if len(own)), default=0.0)
        shares = facts.get("balance") or [0]
        rarer, chance = min(shares) * facts.get("n", 0), 0.5 if by == "auc" else 1 / len(shares)
        if rarer and best > chance + BY_CHANCE / math.sqrt(12 * rarer):
            found[dataset] = (by, best)
    return found


def _notices(evidence: Evidence, question: Question, finding: Finding) -> Iterator[Notice]:
    """That no method is shown to be cheaper than the best trivial policy, where no comparison of methods says it."""
    known = any(n.guard == NOT_BETTER for n in finding.of_kind(Notice))
    if known or finding.compared is not None or finding.parts:
        return
    for name in policies_in(evidence):
        if len(_not_cheaper(evidence, question, name)) == len(evidence.methods):
            sentence = not_shown_to(f"be {cheaper_than(evidence, name)}")
            yield Notice(sentence, "grave", about=name, guard=NOT_BETTER, stage="verdict", remedy=REMEDY)


def _not_cheaper(evidence: Evidence, question: Question, name: str) -> Sequence[str]:
    """The methods that are not shown to be cheaper, each tested by itself; by their means where there is no test."""
    k, column = len(evidence.methods), evidence.columns.index(name)
    fails = beats_levels(evidence, evidence.means[:, column], question.level, question.family)
    if len(evidence.datasets) == 1:
        fails = unbeaten_on_one(evidence, column - k, question)
    means = evidence.means.mean(axis=0)
    return [m for i, m in enumerate(evidence.methods) if means[i] >= means[column]] if fails is None else fails


def policies_in(evidence: Evidence) -> tuple[str, ...]:
    """The yardsticks that are trivial policies."""
    return tuple(y for y in evidence.yardsticks if any(name == y for name, _ in evidence.trivial))


def cheaper_than(evidence: Evidence, name: str, write: formats.Formatter | None = None) -> str:
    """'cheaper than …', with what the policy does and what it costs."""
    cost = float(evidence.means[:, evidence.columns.index(name)].mean())
    where = " on average over the data sets" if len(evidence.datasets) > 1 else ""
    does = policy_in_words(evidence, name).replace("flag ", "flagging ")
    return f"cheaper than the {name}, {does}, which costs {amount(evidence.measure, cost, write)}{where}"


def saved(method: str, found: Interval, write: formats.Formatter) -> str:
    """How much less or more than a policy a method costs: 'logistic costs 100 less [56 more to 256 less]'.

    ``found`` is the cost of the method minus that of the policy.

    >>> from fairtrial.tables.formats import fixed
    >>> saved("logistic", Interval("mean", -100.2, -256.4, 56.3), fixed(0))
    'logistic costs 100 less [56 more to 256 less]'
    """
    estimate, high, low = (_less_or_more(x, write) for x in (found.estimate, found.high, found.low))
    return f"{method} costs {estimate} [{high} to {low}]"


def _less_or_more(difference: float, write: formats.Formatter) -> str:
    return f"{write(abs(difference))} {'less' if difference <= 0 else 'more'}"


def _sentences(evidence: Evidence) -> Iterator[str]:
    """What the best trivial policy costs, and how much less the method with the lowest mean cost does."""
    for name in policies_in(evidence):
        means = evidence.means.mean(axis=0)
        cost, words = float(means[evidence.columns.index(name)]), Wording(evidence.measure)
        best = min(evidence.methods, key=lambda m: means[evidence.columns.index(m)])
        reached = float(means[evidence.columns.index(best)])
        gap = words.value(abs(cost - reached))
        compared = f"{gap} {'less' if reached < cost else 'more'}" if reached != cost else "the same"
        where = " on average over the data sets" if len(evidence.datasets) > 1 else ""
        yield (
            f"The {name}, {policy_in_words(evidence, name)}, costs {amount(evidence.measure, cost)}{where}; "
            f"{best} costs {words.value(reached)}, {compared}."
        )
