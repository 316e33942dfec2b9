"""From results with factors to the effects of the factors: over data sets, on splits, or on one split."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.errors import InputError
from fairtrial.experiments.answer_to import EffectsKind, all_of
from fairtrial.experiments.effects.effect_evidence import EffectEvidence, gather_settings, on_one_dataset, why_averaged
from fairtrial.experiments.effects.effect_factors import VariedFactor, model_of, varied_factors
from fairtrial.experiments.effects.effect_sentences import EffectStory
from fairtrial.experiments.effects.factor_effects import FactorEffects, effect_rows
from fairtrial.measures import in_words
from fairtrial.notices import Notice, Severity
from fairtrial.resampling import Dependence
from fairtrial.statements import Remark, Role, Text
from fairtrial.stats import (
    AnovaTable,
    Effects,
    EffectValues,
    FactorialModel,
    Lenth,
    VarianceShares,
    effects_on_splits,
    effects_over_datasets,
    lenth,
    residual_checks,
    strata_anova,
    variance_shares,
)
from fairtrial.stats.factorial.effects_over_datasets import FEWEST_DATASETS
from fairtrial.verdict.claims.support import ByTest, next_step
from fairtrial.verdict.designs.compare_methods import on_scale
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.preregistered import asked_when
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from fairtrial.results import Results

NOT_NORMAL = 0.05  # p-values of Shapiro and Wilk's test, below which no ✓ stands before the residuals
MOST_EACH = 3  # effects that are named where each data set is judged by itself
MOST_ON_SPLITS = 20  # effects: with more, levels are compared with the first one only
OVER_DATASETS = (
    "each effect is one number on each data set, and data sets are the sample; splits and seeds are averaged before"
)
ON_SPLITS = "fewer than 6 data sets are no sample of data sets; on one, splits share training data (corrected t)"
ONE_SPLIT = "without a second split there is no estimate of error; the small effects show how large an inert one is"
UNTESTED = "neither are there 6 data sets, nor splits of a known scheme, nor a balanced two-level plan on one split"


def effects_of(
    results: Results, *, method: str | None = None, dataset: str | None = None, interactions: int | None = 2
) -> FactorEffects:
    """The effects of all factors of the results on the question's measure.

    Six data sets or more are the sample; fewer are judged one by one, over their splits; one split by Lenth's method.
    """
    gathered = gather_settings(on_one_dataset(results, dataset), method)
    factors = varied_factors(results, gathered.settings)
    if not factors:
        raise InputError(
            "effects need factors with several levels, but these results have none; vary parameters with factors=[…] "
            "in the study, or take results.verdict()"
        )
    options = {"method": method, "dataset": dataset, "interactions": interactions}
    asked = _Asked(results, gathered, factors, interactions, options)
    units = units_of(gathered.evidence, results.question.family)
    if units.n >= FEWEST_DATASETS:
        return asked.over_datasets()
    names = gathered.evidence.datasets
    if len(names) == 1:
        return asked.on_dataset(0, 1, alone=True)
    return asked.each_dataset()


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What was asked, and the scores that answer it."""

    results: Results
    gathered: EffectEvidence
    factors: tuple[VariedFactor, ...]
    interactions: int | None
    options: Mapping[str, Any]

    @property
    def level(self) -> float:
        return self.results.question.level

    @property
    def sign(self) -> float:
        return self.gathered.evidence.sign

    @property
    def delta(self) -> float | None:
        return self.results.question.delta

    def model(self, most: int) -> FactorialModel:
        """The model with all pairs of levels, or, if these are more effects than allowed, all against the first."""
        settings = self.gathered.settings
        every = model_of(self.factors, settings, interactions=self.interactions, against="all")
        if len(every.contrasts) <= most or all(len(f.levels) == 2 or f.scale != "listed" for f in self.factors):
            return every
        return model_of(self.factors, settings, interactions=self.interactions, against="first")

    def over_datasets(self) -> FactorEffects:
        """The effects over data sets, with simultaneous intervals."""
        evidence, question = self.gathered.evidence, self.results.question
        units = units_of(evidence, question.family)
        model = self.model(_most_effects(units.n, self.level))
        values = model.values(self.sign * units.scores)
        found = effects_over_datasets(values, level=self.level)
        words = "families of data sets" if units.n < units.datasets else "data sets"
        where = f"on {words} such as these {units.n}"
        m = len(found.names)
        few = () if _is_bounded(found) else (_too_few(units.n, m, self.level),)
        made = self._made("over data sets", units.names, units.scores, model, values, found, where, evidence.as_ratio)
        return replace(
            made,
            anova=self._anova(model),
            statements=(
                *self._story(made).statements(),
                ByTest(all_of(m, "effect"), "signed ranks, joint flips", units.in_words),
                *few,
                *made.statements,
                *_residuals(units.scores, model),
                *(next_step("more data", notice.remedy) for notice in few),
            ),
            why=OVER_DATASETS,
            procedures=("effects_over_datasets", "strata_anova"),
            options=self.options,
        )

    def each_dataset(self) -> FactorEffects:
        """The effects on each of a few data sets, whose intervals hold together."""
        evidence = self.gathered.evidence
        parts = {d: self.on_dataset(i, len(evidence.datasets)) for i, d in enumerate(evidence.datasets)}
        first = next(iter(parts.values()))
        model = first.model
        values = model.values(self.sign * evidence.comparable)
        untested = effects_over_datasets(values, level=self.level)
        kind: EffectsKind = "on splits" if any(p.kind == "on splits" for p in parts.values()) else "one split"
        each = plural(len(parts), "data set")
        made = self._made(
            kind, evidence.datasets, evidence.comparable, model, values, untested, f"on {each}", evidence.as_ratio
        )
        (tested,) = (s for s in first.statements if isinstance(s, ByTest))
        again = {s for s in made.statements if isinstance(s, Notice)}
        return replace(
            made,
            parts=parts,
            statements=(
                Remark(Role.ANSWER, Text(self._each(parts)), "each"),
                *(replace(s, only_full=True) for s in dict.fromkeys(_remarks(parts, Role.ANSWER))),
                *self._story(made).advice(),
                tested
                if tested.none
                else _tested(first.kind, sum(len(p.rows) for p in parts.values()), f"each of {each}"),
                *dict.fromkeys(_remarks(parts, Role.DOUBT)),
                *made.statements,
                *(n for n in first.notices if n not in again),
                *first.next_steps,
                next_step("more data", f"run {FEWEST_DATASETS} data sets or more"),
            ),
            why=first.why,
            procedures=first.procedures,
            options=self.options,
        )

    def _each(self, parts: Mapping[str, FactorEffects]) -> str:
        """Which effects are shown on which of a few data sets."""
        name = in_words(self.gathered.evidence.measure.name)
        start = f"Each of {plural(len(parts), 'data set')} is judged by itself"
        where: dict[str, list[str]] = {}
        for d, part in parts.items():
            for label in part.active():
                where.setdefault(label, []).append(d)
        shown = [f"of {label} on {listed(own)}" for label, own in list(where.items())[:MOST_EACH]]
        shown += [f"and {plural(len(where) - MOST_EACH, 'more effect')}"] if len(where) > MOST_EACH else []
        if not shown:
            return f"{start}: on none is an effect on {name} shown."
        return f"{start}, and effects on {name} are shown: {', '.join(shown)}."

    def on_dataset(self, i: int, family: int, *, alone: bool = False) -> FactorEffects:
        """The effects on one data set, over its splits if these allow it; ``family`` data sets are judged together."""
        evidence = self.gathered.evidence
        name, folds, known = evidence.datasets[i], evidence.folds[i], evidence.dependence[i]
        ratio = evidence.measure.compare == "log-ratio" and bool((folds > 0).all())
        scores = np.log(folds) if ratio else folds
        splits = len(folds) > 1 and known.known
        model = self.model(MOST_ON_SPLITS)
        notices = []
        if not splits and len(folds) > 1:
            notices.append(Notice(why_averaged(known), "doubt", remedy="name the scheme (resampling='10-fold')"))
            scores = scores.mean(axis=0, keepdims=True)
        values = model.values(self.sign * scores)
        found: Effects | Lenth
        procedures: tuple[str, ...]
        if splits:
            kind: EffectsKind = "on splits"
            found = _for_family(values, known, self.level, family)
            where, why, procedures = f"on {name}", ON_SPLITS, ("effects_on_splits",)
        else:
            kind = "one split"
            where, why, procedures = f"on one split of {name}", ONE_SPLIT, ("lenth",)
            try:
                found = lenth(values, level=1 - (1 - self.level) / family)
            except InputError as error:
                found, procedures, why = effects_over_datasets(values, level=self.level), (), UNTESTED
                notices.append(Notice(f"Lenth's method needs another plan: {error}", stage="verdict"))
        tested = _tested(kind, len(values.names), name) if procedures else ByTest("", "none", none=True)
        units = tuple(f"split {k + 1}" for k in range(len(scores))) if splits else (f"a split of {name}",)
        made = self._made(kind, units, scores, model, values, found, where, ratio)
        story = self._story(made)
        luck = "several splits (resampling='10-fold') would tell effects from luck"
        return replace(
            made,
            statements=(
                *(story.statements() if alone else story.findings()),
                tested,
                *notices,
                *made.statements,
                *(() if splits else (next_step("more repeats", luck),)),
            ),
            why=why,
            procedures=procedures,
            options=self.options if alone else None,
        )

    def _made(
        self, kind: EffectsKind, units: tuple[str, ...], scores: FloatArray, model: FactorialModel,
        values: EffectValues, found: Effects | Lenth, where: str, ratio: bool,
    ) -> FactorEffects:  # fmt: skip
        """The effects with what was checked for all kinds, before anything is said of them."""
        when = asked_when(self.results, self.results.question)
        return FactorEffects(
            kind=kind,
            settings=self.gathered.settings,
            units=units,
            scores=scores,
            model=model,
            values=values,
            effects=found,
            measure=self.gathered.evidence.measure,
            varied=self.factors,
            rows=effect_rows(model, found, self.factors, on_scale(self.delta, ratio)),
            where=where,
            statements=(*self.gathered.notices, *self._notices(model), *when.notices()),
            asked=when,
            as_ratio=ratio,
            question=self.results.question,
            evidence=replace(self.gathered.evidence, notices=self.gathered.notices),
            shares=_shares(self.gathered.seeds),
            results=self.results,
        )

    def _story(self, made: FactorEffects) -> EffectStory:
        return EffectStory(
            measure=made.measure,
            ratio=made.as_ratio,
            factors=self.factors,
            settings=made.settings,
            scores=made.scores,
            rows=made.rows,
            where=made.where,
            unit="split"
            if made.kind == "on splits" and made.units[0] not in self.gathered.evidence.datasets
            else "data set",
            delta=self.delta,
            untested=self._untested(made),
            one_split=isinstance(made.effects, Lenth),
        )

    def _untested(self, made: FactorEffects) -> str:
        """Why nothing could be decided, in words; empty if something could."""
        found = made.effects
        if isinstance(found, Lenth):
            return "" if any(p == p for p in found.p_joint) else "half of the effects or more are zero"
        if all(map(math.isnan, found.p_adjusted)):
            return "nothing could be tested"
        if not _is_bounded(found):
            return _too_few(len(made.units), len(found.names), self.level).sentence
        return ""

    def _notices(self, model: FactorialModel) -> Iterator[Notice]:
        if any(d.optimistic for d in self.gathered.evidence.dependence):
            yield Notice("methods were tested on their training data, so that all scores are too good", "grave")
        largest = max((len(term.factors) for term in model.terms), default=1)
        asked = len(self.factors) if self.interactions is None else min(self.interactions, len(self.factors))
        if largest < asked and len(self.factors) > 1 and not any(c.aliases for c in model.contrasts):
            several = plural(len(self.gathered.settings), "setting")
            yield Notice(f"{several} can't tell interactions of {asked} factors from main effects: they are left out")
        if aliased := [c for c in model.contrasts if c.aliases]:
            many = plural(len(aliased), "effect")
            yield Notice(f"{many} can't be told from others in this plan: what is estimated is their sum")

    def _anova(self, model: FactorialModel) -> AnovaTable | None:
        """The analysis of variance with strata; splits are one of them if all data sets have as many."""
        evidence = self.gathered.evidence
        same = len({len(folds) for folds in evidence.folds}) == 1
        stacked = np.stack(evidence.folds) if same else evidence.means[:, None, :]
        if evidence.as_ratio:
            stacked = np.log(stacked) if (stacked > 0).all() else evidence.comparable[:, None, :]
        return strata_anova(stacked, model, level=self.level)


def _tested(kind: EffectsKind, effects: int, where: str) -> ByTest:
    """The test of effects on a data set, or on each of a few."""
    split = "Lenth's method on one split of"
    test = "corrected t, adjusted by Bonferroni, over the splits of" if kind == "on splits" else split
    return ByTest(all_of(effects, "effect"), f"{test} {where}")


def _remarks(parts: Mapping[str, FactorEffects], role: Role) -> Iterator[Remark]:
    """What is said of each data set."""
    return (s for part in parts.values() for s in part.statements if isinstance(s, Remark) and s.role == role)


def _for_family(values: EffectValues, known: Dependence, level: float, family: int) -> Effects:
    """The effects on one of several data sets, with intervals and p-values that hold for all of them together."""
    each = 1 - (1 - level) / family
    found = effects_on_splits(values, test_share=known.test_share, overlap=known.overlap, level=each)
    if family == 1:
        return found
    return replace(
        found,
        p_adjusted=tuple(min(1.0, family * p) if p == p else p for p in found.p_adjusted),
        intervals=tuple(replace(interval, level=level) for interval in found.intervals),
        terms={name: min(1.0, family * p) for name, p in found.terms.items()},
        level=level,
    )


def _datasets_needed(effects: int, level: float) -> int:
    """About how many data sets a number of effects needs, for the smallest possible p-value to be small enough."""
    return max(FEWEST_DATASETS, math.ceil(math.log2(2 * effects / (1 - level))))


def _most_effects(datasets: int, level: float) -> int:
    """How many effects so many data sets allow."""
    return int((1 - level) * 2 ** min(datasets, 40) / 2)


def _is_bounded(found: Effects) -> bool:
    """Whether any effect could have been shown: some intervals have an end."""
    return any(math.isfinite(end) for interval in found.intervals for end in (interval.low, interval.high))


def _too_few(n: int, effects: int, level: float) -> Notice:
    need = _datasets_needed(effects, level)
    text = f"{plural(n, 'data set')} are too few for {plural(effects, 'effect')} together, which need about {need}"
    remedy = f"ask for fewer effects (interactions=1), or run {need} data sets or more"
    numbers = {"datasets": n, "effects": effects, "needed": need}
    return Notice(text, "warning", evidence=numbers, remedy=remedy, stage="verdict")


def _shares(seeds: FloatArray | None) -> VarianceShares | None:
    """The shares in the variance of scores, which take several seeds, splits and data sets."""
    return None if seeds is None or min(seeds.shape[:2]) < 2 else variance_shares(seeds)


def _residuals(scores: FloatArray, model: FactorialModel) -> Iterator[Notice]:
    """The residuals of the settings' scores, without data sets and the terms of the model; reported only."""
    columns = np.hstack([np.ones((model.settings, 1)), *(term.columns for term in model.terms)])
    mean = scores.mean(axis=0)
    fitted = columns @ np.linalg.lstsq(columns, mean, rcond=None)[0]
    whole = fitted[None, :] + scores.mean(axis=1, keepdims=True) - mean.mean()
    found = residual_checks(scores.ravel(), whole.ravel())
    if not math.isnan(found.largest):
        normal: Severity = "note" if found.normality < NOT_NORMAL else "fine"
        yield Notice(f"{found}; reported, no test depends on it", normal, stage="verdict")
