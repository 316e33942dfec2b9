"""From results with components that are on or off to the division of an advantage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.experiments.ablation.ablation import Ablation
from fairtrial.experiments.ablation.ablation_sentences import AblationStory
from fairtrial.experiments.ablation.components import Chosen, ComponentLevels, chosen_components
from fairtrial.experiments.effects.effect_evidence import EffectEvidence, gather_settings, on_one_dataset, why_averaged
from fairtrial.experiments.effects.effect_sentences import among_doubts
from fairtrial.experiments.effects.factor_effects import EffectsKind
from fairtrial.notices import Notice
from fairtrial.resampling import Dependence
from fairtrial.stats import AdvantageParts, Effects, divide_advantage
from fairtrial.stats.factorial.effects_over_datasets import FEWEST_DATASETS
from fairtrial.verdict.asked_when import asked_when
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.evidence import FloatArray
from fairtrial.words import plural

if TYPE_CHECKING:
    from fairtrial.results import Results

__all__ = ["ablation_of"]

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
    asked = _Asked(results, gathered, chosen_components(results, gathered, components))
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
        several = plural(len(found.components), "part")
        test = f"Shapley values over {units.in_words}, bootstrap-t of {several} together."
        return self._told(replace(made, test=test, why=WHY))

    def each_dataset(self) -> Ablation:
        """The division on each of a few data sets, whose intervals hold together."""
        evidence = self.gathered.evidence
        parts = {d: self.on_dataset(i, len(evidence.datasets)) for i, d in enumerate(evidence.datasets)}
        first = next(iter(parts.values()))
        scores = evidence.comparable[:, list(self.chosen.settings)]
        where = f"on {plural(len(parts), 'data set')}"
        found = self._divided(scores, level=self.level)
        made = self._made(first.kind, evidence.datasets, scores, found, where)
        each = f"Each of {plural(len(parts), 'data set')} is judged by itself: fewer than 6 are no sample of data sets."
        said = [part.sentence for part in parts.values()]
        notices = (*made.notices, *dict.fromkeys(n for part in parts.values() for n in part.notices))
        return replace(
            made,
            parts=parts,
            sentences=among_doubts((*said, each), notices),
            notices=notices,
            test=first.test.replace("on one data set", f"on each of {plural(len(parts), 'data set')}"),
            why=first.why,
            procedures=first.procedures,
            next_steps=(f"run {FEWEST_DATASETS} data sets or more",),
        )

    def on_dataset(self, i: int, family: int) -> Ablation:
        """The division on one data set, over its splits if these allow it; ``family`` are judged together."""
        evidence = self.gathered.evidence
        name, folds, known = evidence.datasets[i], evidence.folds[i], evidence.dependence[i]
        own = folds[:, list(self.chosen.settings)]
        ratio = evidence.measure.compare == "log-ratio" and bool((own > 0).all())
        scores = np.log(own) if ratio else own
        splits = len(folds) > 1 and known.known
        doubts = []
        if not splits and len(folds) > 1:
            doubts.append(Notice(why_averaged(known), "doubt", remedy="name the scheme (resampling='10-fold')"))
            scores = scores.mean(axis=0, keepdims=True)
        level = 1 - (1 - self.level) / family
        found = _of_family(self._divided(scores, level=level, splits=known if splits else None), self.level, family)
        kind: EffectsKind = "on splits" if splits else "one split"
        units = tuple(f"split {k + 1}" for k in range(len(scores))) if splits else (f"a split of {name}",)
        where = f"on {name}" if splits else f"on one split of {name}"
        made = replace(self._made(kind, units, scores, found, where), as_ratio=ratio)
        test = "Shapley values on one data set, corrected t over splits, Bonferroni." if splits else "none."
        why = ON_SPLITS if splits else NO_ERROR
        used = ("divide_advantage", "effects_on_splits") if splits else made.procedures
        made = replace(made, test=test, why=why, procedures=used, notices=(*doubts, *made.notices))
        return self._told(made, more=(ALONE.format(name),) if splits else ())

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
            notices=(*self.gathered.notices, *self._trained_on(), *when.notices()),
            asked=when,
        )

    def _trained_on(self) -> Iterator[Notice]:
        if any(d.optimistic for d in self.gathered.evidence.dependence):
            yield Notice("methods were tested on their training data, so that all scores are too good", "grave")

    def _told(self, made: Ablation, more: tuple[str, ...] = ()) -> Ablation:
        """The ablation with its sentences, checks and next steps."""
        untested = NO_ERROR if made.kind == "one split" else ""
        story = AblationStory(
            measure=made.measure,
            ratio=made.as_ratio,
            chosen=self.chosen,
            found=made.found,
            scores=made.scores,
            where=made.where,
            delta=self.results.question.delta,
            untested=untested,
        )
        notices = (*story.notices(), *made.notices)
        steps = ("several splits (resampling='10-fold') would tell parts from luck",) if untested else ()
        return replace(
            made,
            sentences=among_doubts((*story.sentences(), *more), notices),
            notices=notices,
            next_steps=(*steps, *story.next_steps()),
        )


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
