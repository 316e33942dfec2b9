"""From results with components that are on or off to the division of an advantage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.experiments.ablation.ablation import Ablation, Chosen, ComponentLevels, chosen_components
from fairtrial.experiments.ablation.ablation_sentences import AblationStory
from fairtrial.experiments.answer_to import EffectsKind, all_of, answers
from fairtrial.experiments.effects.effect_evidence import EffectEvidence, gather_settings, on_one_dataset, why_averaged
from fairtrial.measures import in_words
from fairtrial.notices import Notice
from fairtrial.resampling import Dependence
from fairtrial.statements import Remark, Role, Statement, Text
from fairtrial.stats import AdvantageParts, Effects, divide_advantage
from fairtrial.stats.factorial.effects_over_datasets import FEWEST_DATASETS
from fairtrial.verdict.claims.support import ByTest, next_step
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.preregistered import asked_when
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from fairtrial.results import Results

WHY = "only means add up; a component may help much on a few data sets, and the bootstrap of data sets allows for that"
ON_SPLITS = "fewer than 6 data sets are no sample of data sets; on one, splits share training data (corrected t)"
ALONE = "Only splits carry the error: this holds for {} alone, and says nothing about other data sets."
NO_ERROR = "without a second split of a known scheme there is no estimate of error"


def ablation_of(
    results: Results,
    components: ComponentLevels | None = None,
    *,
    method: str | None = None,
    dataset: str | None = None,
) -> Ablation:
    """The advantage of all components over none of them, divided into their parts.

    Six data sets or more are the sample; fewer are judged one by one, over their splits.
    """
    gathered = gather_settings(on_one_dataset(results, dataset), method)
    options = {"components": components, "method": method, "dataset": dataset}
    asked = _Asked(results, gathered, chosen_components(results, gathered, components), options)
    if units_of(gathered.evidence, results.question.family).n >= FEWEST_DATASETS:
        return asked.over_datasets()
    names = gathered.evidence.datasets
    return asked.on_dataset(0, 1) if len(names) == 1 else asked.each_dataset()


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What was asked, and the scores that answer it."""

    results: Results
    gathered: EffectEvidence
    chosen: Chosen
    options: Mapping[str, Any]

    @property
    def level(self) -> float:
        return self.results.question.level

    def over_datasets(self) -> Ablation:
        """The division over data sets."""
        evidence = self.gathered.evidence
        units = units_of(evidence, self.results.question.family)
        scores = units.scores[:, list(self.chosen.settings)]
        found = self._divided(scores, level=self.level)
        words = "families of data sets" if units.n < units.datasets else "data sets"
        made = self._made("over data sets", units.names, scores, found, f"on {words} such as these {units.n}")
        tested = ByTest(all_of(len(found.components), "part"), "Shapley values, bootstrap-t", units.in_words)
        return replace(made, statements=self._said(made, tested), why=WHY, options=self.options)

    def each_dataset(self) -> Ablation:
        """The division on each of a few data sets, whose intervals hold together."""
        evidence = self.gathered.evidence
        parts = {d: self.on_dataset(i, len(evidence.datasets)) for i, d in enumerate(evidence.datasets)}
        first = next(iter(parts.values()))
        scores = evidence.comparable[:, list(self.chosen.settings)]
        each = plural(len(parts), "data set")
        found = self._divided(scores, level=self.level)
        made = self._made(first.kind, evidence.datasets, scores, found, f"on {each}")
        each_said = list(self._each(parts))
        said = (*each_said, *((d, part.answer) for d, part in parts.items()))
        others = dict.fromkeys(notice for part in parts.values() for notice in part.notices)
        return replace(
            made,
            parts=parts,
            statements=(
                *answers(said, most=len(each_said)),
                _tested(first.kind, len(self.chosen.components) * len(parts), f"the splits of each of {each}"),
                *made.statements,
                *(notice for notice in others if notice not in made.statements),
                next_step("more data", f"run {FEWEST_DATASETS} data sets or more"),
            ),
            why=first.why,
            procedures=first.procedures,
            options=self.options,
        )

    def _each(self, parts: Mapping[str, Ablation]) -> Iterator[tuple[str, str]]:
        """On which of a few data sets the whole is better or worse, and which parts are shown where."""
        name, whole, base = in_words(self.gathered.evidence.measure.name), self.chosen.whole, self.chosen.base
        shown = {d: part.found.advantage.estimate for d, part in parts.items() if part.found.total.active()[0]}
        better, worse = [d for d, lead in shown.items() if lead > 0], [d for d, lead in shown.items() if lead < 0]
        on = [f"better than {base} on {listed(better)}"] if better else []
        on += [f"worse {'' if better else f'than {base} '}on {listed(worse)}"] if worse else []
        seen = f"{whole} is {' and '.join(on)}" if on else f"{whole} is nowhere shown to differ from {base}"
        yield "each", f"Each of {plural(len(parts), 'data set')} is judged by itself; in {name}, {seen}."
        where = {c.title: [d for d, part in parts.items() if c.name in part.shown()] for c in self.chosen.components}
        if own := [f"of {title} on {listed(names)}" for title, names in where.items() if names]:
            yield "parts", f"Parts are shown {', '.join(own)}."

    def on_dataset(self, i: int, family: int) -> Ablation:
        """The division on one data set, over its splits if these allow it; ``family`` are judged together."""
        evidence = self.gathered.evidence
        name, folds, known = evidence.datasets[i], evidence.folds[i], evidence.dependence[i]
        own = folds[:, list(self.chosen.settings)]
        ratio = evidence.measure.compare == "log-ratio" and bool((own > 0).all())
        scores = np.log(own) if ratio else own
        splits = len(folds) > 1 and known.known
        doubts: list[Statement] = []
        if splits:
            doubts.append(Remark(Role.DOUBT, Text(ALONE.format(name)), "one data set"))
        elif len(folds) > 1:
            doubts.append(Notice(why_averaged(known), "doubt", remedy="name the scheme (resampling='10-fold')"))
            scores = scores.mean(axis=0, keepdims=True)
        level = 1 - (1 - self.level) / family
        found = _of_family(self._divided(scores, level=level, splits=known if splits else None), self.level, family)
        kind: EffectsKind = "on splits" if splits else "one split"
        units = tuple(f"split {k + 1}" for k in range(len(scores))) if splits else (f"a split of {name}",)
        where = f"on {name}" if splits else f"on one split of {name}"
        made = replace(self._made(kind, units, scores, found, where), as_ratio=ratio)
        tested = _tested(kind, len(self.chosen.components) * family, f"{plural(len(scores), 'split')} of {name}")
        return replace(
            made,
            statements=self._said(made, tested, doubts),
            why=ON_SPLITS if splits else NO_ERROR,
            procedures=("divide_advantage", "effects_on_splits") if splits else made.procedures,
            options=self.options if family == 1 else None,
        )

    def _divided(self, scores: FloatArray, *, level: float, splits: Dependence | None = None) -> AdvantageParts:
        share = None if splits is None else splits.test_share
        return divide_advantage(
            scores,
            self.chosen.design,
            higher_is_better=self.gathered.evidence.measure.higher_is_better,
            test_share=share,
            overlap=1.0 if splits is None else splits.overlap,
            level=level,
        )

    def _made(
        self, kind: EffectsKind, units: tuple[str, ...], scores: FloatArray, found: AdvantageParts, where: str
    ) -> Ablation:
        """The ablation without its sentences."""
        evidence, question = self.gathered.evidence, self.results.question
        when = asked_when(self.results, question)
        return Ablation(
            kind=kind,
            chosen=self.chosen,
            found=found,
            units=units,
            scores=scores,
            measure=evidence.measure,
            as_ratio=evidence.as_ratio,
            question=question,
            evidence=replace(evidence, notices=self.gathered.notices),
            results=self.results,
            where=where,
            statements=(*self.gathered.notices, *self._trained_on(), *when.notices()),
            procedures=("divide_advantage",),
            asked=when,
        )

    def _trained_on(self) -> Iterator[Notice]:
        if any(d.optimistic for d in self.gathered.evidence.dependence):
            yield Notice("methods were tested on their training data, so that all scores are too good", "grave")

    def _said(self, made: Ablation, tested: ByTest, doubts: Sequence[Statement] = ()) -> tuple[Statement, ...]:
        """The answer, the test, doubts, checks and next steps."""
        story = AblationStory(
            measure=made.measure,
            ratio=made.as_ratio,
            chosen=self.chosen,
            found=made.found,
            scores=made.scores,
            where=made.where,
            delta=self.results.question.delta,
            untested=NO_ERROR if tested.none else "",
        )
        luck = "several splits (resampling='10-fold') would tell parts from luck"
        steps = (next_step("more repeats", luck),) if tested.none else ()
        said = answers(story.sentences())
        return (*said, tested, *story.notices(), *doubts, *made.statements, *steps, *story.next_steps())


def _tested(kind: EffectsKind, parts: int, over: str) -> ByTest:
    """The test of so many parts on single data sets, where there is one."""
    if kind == "one split":
        return ByTest("", "none", none=True)
    return ByTest(all_of(parts, "part"), "Shapley values, corrected t, adjusted by Bonferroni,", over)


def _of_family(found: AdvantageParts, level: float, family: int) -> AdvantageParts:
    """The division on one of several data sets, whose intervals and p-values hold for all of them together."""
    if family == 1:
        return found

    def widened(effects: Effects) -> Effects:
        return replace(
            effects,
            p_adjusted=tuple(min(1.0, family * p) if p == p else p for p in effects.p_adjusted),
            intervals=tuple(replace(interval, level=level) for interval in effects.intervals),
            level=level,
        )

    pairs = found.interactions
    return replace(
        found,
        total=widened(found.total),
        parts=widened(found.parts),
        interactions=None if pairs is None else widened(pairs),
    )
