"""Several measures at once: do methods differ in any of them, or in a combination? Hotelling's T², or MANOVA."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.statements import Remark, Role, Text
from fairtrial.stats import Outcome, details_table, hotelling, hotelling_repeated, manova
from fairtrial.stats import adjust as adjusted_p
from fairtrial.tables import Column, Table, formats
from fairtrial.verdict.absent_methods import legend
from fairtrial.verdict.claims.support import ByTest, next_step
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.evidence import Evidence, FloatArray, gather
from fairtrial.verdict.finding import Finding
from fairtrial.verdict.words.wording import Scope, Wording
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from fairtrial.choices import FailurePolicy
    from fairtrial.results import Results

FEWEST_MORE = 5
"""There must be more than so many data sets more than measures: each measure takes a degree of freedom."""


def enough_for_all_differences(n: int, methods: int, measures: int) -> bool:
    """Whether there are enough data sets for a test of all differences between methods without further assumptions.

    >>> enough_for_all_differences(12, methods=4, measures=2), enough_for_all_differences(11, methods=4, measures=2)
    (True, False)
    """
    return n > (methods - 1) * measures + FEWEST_MORE


SKEWED = (
    "where they are strongly skewed, it finds a difference between equal means in 6 to 9 % of studies instead of 5 % "
    "(`fairtrial lab several-measures`)"
)
UNEQUAL = (
    "where one method varies much more than the others, or is skewed and the others are not, it finds a difference "
    "between equal means in 6 to 13 % of studies instead of 5 % (`fairtrial lab several-measures`)"
)
"""What the lab found of the tests over 8 to 50 data sets, by two and four measures."""


def gather_all(results: Results, also: Sequence[str], policy: FailurePolicy | None = None) -> Evidence:
    """The evidence by the question's measure and, ``beside`` it, by the other measures on the same data sets."""
    first = gather(results, policy)
    if not also:
        return first
    found: list[Evidence] = []
    for name in also:
        facts = results.measure(name)
        if facts.name in (first.measure.name, *(e.measure.name for e in found)):
            raise InputError(f"measure must name different measures, got {facts.name!r} twice; leave one of them out")
        asked = replace(results.question, measure=facts.name, claim=None, yardsticks={}, smallest_difference=None)
        found.append(gather(replace(results.with_measures(facts.name), question=asked), policy))
    _check_same(first, found)
    return replace(first, beside=tuple(found))


def _check_same(first: Evidence, others: Sequence[Evidence]) -> None:
    """Refuse measures that are known on other data sets, or of other methods, than the first one."""
    for other in others:
        for what, here, there in (
            ("data sets", first.datasets, other.datasets), ("methods", first.methods, other.methods),
        ):  # fmt: skip
            if here != there:
                odd = sorted(set(here) ^ set(there)) or list(there)
                raise InputError(
                    f"several measures must have scores of the same {what}, but {listed(odd)} have scores of "
                    f"only one of {first.measure.name} and {other.measure.name}; leave them out, or ask for one measure"
                )


def jointly_by_measures(evidence: Evidence, question: Question, adjust: str) -> Finding:  # noqa: ARG001
    """Test whether methods differ in several measures jointly: Hotelling's T², MANOVA of several on few data sets."""
    _check_question(evidence, question)
    joint = _scores(evidence, question)
    if len(evidence.methods) == 2:
        return _of_two(joint, question.level)
    return _of_several(joint, question.level)


@dataclass(frozen=True, slots=True, eq=False)
class _Joint:
    """Scores by several measures: a table for each method, with units in rows and measures in columns."""

    evidence: Evidence
    tables: tuple[FloatArray, ...]
    words: tuple[Wording, ...]
    signs: tuple[float, ...]
    where: str
    over: str

    @property
    def names(self) -> list[str]:
        return [w.name for w in self.words]

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(w.measure.name for w in self.words)

    def means(self, method: int) -> list[float]:
        """The mean of a method in each measure; geometric where ratios are compared."""
        own = self.tables[method].mean(axis=0)
        return [math.exp(m) if w.ratio else float(m) for m, w in zip(own, self.words, strict=True)]

    @property
    def order(self) -> tuple[str, ...]:
        """The methods from best to worst in the first measure."""
        best = sorted(range(len(self.tables)), key=lambda m: -self.signs[0] * float(self.tables[m][:, 0].mean()))
        return tuple(self.evidence.methods[m] for m in best)

    def caution(self, text: str) -> str:
        """What the lab found over data sets; instances are many more, and were not measured."""
        return "" if self.evidence.losses is not None else text

    def scope(self, level: float) -> Scope:
        """What statements are about."""
        return Scope(self.words[0], self.where, count=len(self.evidence.methods), level=level)

    @property
    def notes(self) -> tuple[str, ...]:
        """What marks in the table mean."""
        return tuple(legend(self.evidence))

    @property
    def on_log_scale(self) -> str:
        """For a caption: the measures that are compared by ratios, where there are some."""
        ratios = [w.name for w in self.words if w.ratio]
        return f"; {listed(ratios)}: geometric means and ratios, tested on the log scale" if ratios else ""


def _check_question(evidence: Evidence, question: Question) -> None:
    """Refuse what can be asked of one measure only."""
    k = len(evidence.methods)
    if k < 2:
        raise InputError(
            f"several measures at once compare methods, got {evidence.methods[0]!r} alone; ask for one measure"
        )
    if any(e.is_optimistic for e in (evidence, *evidence.beside)):
        raise InputError(
            f"several measures at once need instances that the methods were not trained on, got the scheme "
            f"{evidence.dependence[0].scheme!r}; use another resampling, such as '10-fold'"
        )
    if question.domains == "these" and len(evidence.datasets) > 1:
        raise InputError(
            "several measures at once are tested over data sets, but domains='these' asks about each; leave domains "
            "out, or ask for one measure at a time"
        )
    if question.alternative != "two-sided" or (question.control is not None and k > 2):
        raise InputError(
            "several measures at once are tested for any difference between all methods; leave control and alternative "
            "out, or ask for one measure at a time"
        )


def _scores(evidence: Evidence, question: Question) -> _Joint:
    """The scores to be tested: of instances for fixed models, else one mean per data set."""
    each = (evidence, *evidence.beside)
    k, m = len(evidence.methods), len(each)
    signs = tuple(e.sign for e in each)
    if all(e.losses is not None for e in each):
        losses = [e.losses[:, :k] for e in each if e.losses is not None]
        over = plural(len(losses[0]), "cluster" if evidence.clustered else "instance")
        tables = tuple(np.column_stack([x[:, j] for x in losses]) for j in range(k))
        where = f"on instances such as those of {evidence.datasets[0]}"
        return _Joint(evidence, tables, tuple(Wording(e.measure) for e in each), signs, where, over)
    if evidence.losses is not None or evidence.predictions is not None:
        odd = listed([e.measure.name for e in each if e.losses is None])
        raise InputError(
            f"several measures of fixed models are tested together only if each is an average over instances (such as "
            f"accuracy, brier or mae), which {odd} is not; ask for one measure at a time"
        )
    units = [units_of(e, question.family) for e in each]
    n = units[0].n
    if n <= m + FEWEST_MORE:
        about = " (or, for fixed models, predictions on one test set and about='model')" if n == 1 else ""
        raise InputError(
            f"{plural(m, 'measure')} at once need more than {m + FEWEST_MORE} data sets{about}, since a data set is "
            f"one piece of evidence about algorithms, got {n}; ask for one measure at a time"
        )
    tables = tuple(np.column_stack([u.scores[:, j] for u in units]) for j in range(k))
    words = tuple(Wording(e.measure, e.as_ratio) for e in each)
    return _Joint(evidence, tables, words, signs, units[0].such, units[0].in_words)


def _of_two(joint: _Joint, level: float) -> Finding:
    """Two methods by Hotelling's T², and each measure with Bonferroni's interval."""
    first, second = joint.evidence.methods
    found = hotelling(*joint.tables, names=joint.names, level=level)
    different = found.p_value < 1 - level
    rows, ahead, sizes = [], [], []
    for i, (row, words) in enumerate(zip(found.details["measures"], joint.words, strict=True)):
        ends = row["low (Bonferroni)"], row["high (Bonferroni)"]
        better = _side(ends, joint.signs[i]) if different else 0
        ahead.append(better)
        shown = (row["difference"], *ends)
        size, low, high = map(math.exp, shown) if words.ratio else shown
        sizes.append(_by(words, (size, low, high)))
        means = (joint.means(m)[i] for m in range(2))
        name = f"{words.name} (ratio)" if words.ratio and not all(w.ratio for w in joint.words) else words.name
        rows.append((name, *means, size, (low, high), _better(joint, better)))
    number, signed = formats.significant(4), formats.significant(3)
    kinds = {w.ratio for w in joint.words}
    title = "difference" if len(kinds) > 1 else f"{first} {'/' if True in kinds else '−'} {second}"
    columns = (
        Column("measure", align="left"),
        Column(first, number),
        Column(second, number),
        Column(title, signed, key="difference"),
        Column(f"{100 * level:g} % interval", formats.span(signed), key="interval"),
        Column("", align="left", key="mark"),
    )
    winner = first if all(a > 0 for a in ahead) else second if all(a < 0 for a in ahead) else None
    split = any(a > 0 for a in ahead) and any(a < 0 for a in ahead)
    follow = _follow_ups(joint, ahead, sizes, different=different)
    which = (next_step("ask", "decide which measure matters more, or weigh both in one (costs=, --costs)"),)
    test = _hotelling("Hotelling's T², paired", "it needs differences that are jointly normal", joint, SKEWED)
    intervals = f"intervals of single measures are t, Bonferroni over {plural(len(rows), 'measure')}"
    test = replace(test, details=(*test.details, intervals))
    return Finding(
        statements=(*_remarks(_answer(found, joint, level), *follow), test, *(which if split else ())),
        scope=joint.scope(level),
        table=Table(
            columns=columns,
            rows=tuple(rows),
            caption=f"means of {plural(len(rows), 'measure')}, over {joint.over}{joint.on_log_scale}",
            notes=joint.notes,
        ),
        winner=winner,
        order=joint.order,
        joint_test=found,
        measures=joint.measures,
    )


def _better(joint: _Joint, side: int) -> str:
    """The mark of a measure: the better method, where the joint test and the interval show one."""
    first, second = joint.evidence.methods
    return f"{first if side > 0 else second} better" if side else ""


def _side(ends: tuple[float, float], sign: float) -> int:
    """+1 if the interval shows the first method to be better, −1 for the second, 0 if it holds 0."""
    low, high = ends
    return 0 if not (low > 0 or high < 0) else int(sign) if low > 0 else -int(sign)


def _by(words: Wording, numbers: tuple[float, float, float]) -> str:
    """The size of a difference, which is told without its sign: 'by 0.108 [0.094, 0.123]'."""
    write = formats.significant(3)
    if words.ratio:
        return f"by a ratio of {write(numbers[0])}"
    size, low, high = sorted(map(abs, numbers))[1], min(map(abs, numbers[1:])), max(map(abs, numbers[1:]))
    return f"by {write(size)} [{write(low)}, {write(high)}]"


def _follow_ups(joint: _Joint, ahead: Sequence[int], sizes: Sequence[str], *, different: bool) -> Iterator[str]:
    """Which of two methods is better in which measure."""
    if not different:
        return
    if any(a > 0 for a in ahead) and any(a < 0 for a in ahead):
        yield "Neither is better in every measure."
    for side, method in ((1, joint.evidence.methods[0]), (-1, joint.evidence.methods[1])):
        told = zip(joint.words, ahead, sizes, strict=True)
        if won := [f"{w.better_word} {w.name} ({size})" for w, a, size in told if a == side]:
            yield f"{method} has the {listed(won, None)}."
    if left := [w.name for w, a in zip(joint.words, ahead, strict=True) if a == 0]:
        yield f"In {listed(left, None)} alone no difference is shown."


def _remarks(*texts: str) -> Iterator[Remark]:
    """The sentences in their order."""
    return (Remark(Role.ANSWER, Text(text), "measures", rank) for rank, text in enumerate(texts))


def _hotelling(test: str, needs: str, joint: _Joint, caution: str) -> ByTest:
    """The test line, with what the test needs and how often it errs where that does not hold."""
    return ByTest(
        "",
        test,
        joint.over,
        tuple(filter(None, (needs, joint.caution(caution)))),
    )


def _all_differences(joint: _Joint, level: float) -> tuple[Outcome, ByTest, str]:
    """Hotelling's T² of the differences from the first method, by all measures: no matter which method is the first.

    It is the multivariate test of repeated measures, and needs no equal covariances. The other two results are its
    sentence in the Test line, and the title of its follow-ups: the same test of each measure by itself.
    """
    first, *others = joint.tables
    found = hotelling(np.hstack(others), np.hstack([first] * len(others)), level=level)
    alone = [hotelling_repeated(np.column_stack([t[:, i] for t in joint.tables])) for i in range(len(joint.names))]
    together = adjusted_p([o.p_value for o in alone], "bonferroni").tolist()
    rows = [
        {"measure": name, "T²": o.statistic, "p": o.p_value, "p (Bonferroni)": p}
        for name, o, p in zip(joint.names, alone, together, strict=True)
    ]
    test = _hotelling(
        "Hotelling's T² of all differences between methods", "it needs differences that are jointly normal", joint,
        SKEWED,
    )  # fmt: skip
    title = "each measure by itself: Hotelling's T² of repeated measures"
    return replace(found, details={**found.details, "follow_ups": rows}), test, title


def _as_blocks(joint: _Joint, level: float) -> tuple[Outcome, ByTest, str]:
    """MANOVA with the units as blocks, and an analysis of variance of each measure."""
    groups: dict[str, Any] = dict(zip(joint.evidence.methods, joint.tables, strict=True))
    found = manova(groups, blocks=True, adjust="bonferroni", measures=joint.names, level=level)
    needs = "scores that are jointly normal, and differences between methods with equal covariances"
    test = _hotelling("MANOVA (Pillai)", f"these are blocks; it needs {needs}", joint, UNEQUAL)
    return found, test, "each measure by itself: repeated-measures ANOVA"


def _of_several(joint: _Joint, level: float) -> Finding:
    """Several methods by all their differences; on few data sets by an analysis of variance."""
    methods = joint.evidence.methods
    n, m = joint.tables[0].shape
    free = joint.evidence.losses is not None or enough_for_all_differences(n, len(methods), m)
    found, test, title = (_all_differences if free else _as_blocks)(joint, level)
    columns = (
        Column("method", align="left"),
        *(Column(w.name, w.value, key=w.measure.name) for w in joint.words),
    )
    rows = tuple((name, *joint.means(m)) for m, name in enumerate(methods))
    follow = replace(details_table(found, "follow_ups"), caption=title)
    sentences = [_answer(found, joint, level)]
    if found.p_value < 1 - level:
        adjusted = [list(row.values())[-1] for row in found.details["follow_ups"]]
        alone = [n for n, p in zip(joint.names, adjusted, strict=True) if p < 1 - level]
        told = f"They differ in {listed(alone, None)}" if alone else "In no measure alone is a difference shown"
        sentences.append(f"{told} (Bonferroni over {plural(len(joint.names), 'measure')}).")
    return Finding(
        statements=(*_remarks(*sentences), test, next_step("ask", "which methods differ: a verdict on each measure")),
        scope=joint.scope(level),
        table=Table(
            columns=columns,
            rows=rows,
            caption=f"means of {plural(len(joint.names), 'measure')}, over {joint.over}{joint.on_log_scale}",
            notes=joint.notes,
        ),
        more_tables=(follow,),
        order=joint.order,
        joint_test=found,
        measures=joint.measures,
    )


def _answer(found: Outcome, joint: _Joint, level: float) -> str:
    """The sentence on all measures together."""
    methods, measures = listed(joint.evidence.methods), listed(joint.names, None)
    p = formats.p_equals(found.p_value)
    if math.isnan(found.p_value):
        return f"Whether {methods} differ in {measures} jointly {joint.where} is undefined: {listed(found.notes)}."
    if found.p_value < 1 - level:
        return f"{methods} differ in {measures} jointly {joint.where} ({p})."
    return f"The data show no difference in {measures} jointly between {methods} {joint.where} ({p})."
