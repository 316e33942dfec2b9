"""From results with numeric factors to their response surface: over data sets, on splits, or of one split."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from fairtrial.choices import SurfaceOptions, VerdictOptions
from fairtrial.errors import InputError
from fairtrial.experiments.answer_to import EffectsKind
from fairtrial.experiments.effects.effect_evidence import EffectEvidence, gather_settings, on_one_dataset
from fairtrial.experiments.effects.effect_factors import VariedFactor
from fairtrial.experiments.surface.fitted_surface import FittedSurface
from fairtrial.experiments.surface.surface_factors import natural_range, surface_factors
from fairtrial.experiments.surface.surface_sentences import SurfaceStory, as_measured, place_in_words
from fairtrial.measures import Measure
from fairtrial.notices import Notice
from fairtrial.results.other_question import with_question
from fairtrial.stats import (
    BestPoint,
    ResponseSurface,
    best_on_surface,
    response_surface,
    stationary_point,
    steepest_path,
)
from fairtrial.stats.factorial.effects_over_datasets import FEWEST_DATASETS
from fairtrial.tables import formats
from fairtrial.verdict.claims.support import ByTest, NextStep, next_step
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.evidence import FloatArray
from fairtrial.verdict.preregistered import asked_when
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import plural

if TYPE_CHECKING:
    from fairtrial.results import Results

POOR = 0.05  # a p-value of the lack of fit below this is a doubt
PATH = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25)  # distances, as shares of that of the farthest setting
OVER_DATASETS = "each data set has a surface of its own, and the mean of them is estimated: data sets are the sample"
ON_SPLITS = "each split has a surface of its own; their covariance is corrected for shared training data"
ONE_SPLIT = "one value of each setting: the error is what the surface does not explain"


@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """The values that a surface is fitted to, and what they are, in words."""

    scores: FloatArray
    units: tuple[str, ...]
    kind: EffectsKind
    where: str
    why: str
    ratio: bool
    surface: ResponseSurface
    notices: tuple[Notice, ...] = ()


def surface_of(results: Results, measure: str | None = None, **options: Unpack[SurfaceOptions]) -> FittedSurface:
    """The response surface of the question's measure over the numeric factors of the results."""
    asked = VerdictOptions(measure=measure, level=options.get("level"))
    asked |= VerdictOptions(failures=options.get("failures"), baseline=options.get("baseline"))
    found = with_question(results, asked, any_levels=True)
    dataset, method, wanted = options.get("dataset"), options.get("method"), options.get("factors")
    order, scale = options.get("order", 2), options.get("scale", "measure")
    gathered = gather_settings(on_one_dataset(found, dataset), method)
    factors = surface_factors(found, gathered.settings, wanted)
    values = _values(found, gathered, factors, order, scale)
    again = {"dataset": dataset, "method": method, "factors": wanted, "order": order, "scale": scale}
    return _answer(found, gathered, factors, values, again)


def _values(
    results: Results, gathered: EffectEvidence, factors: Sequence[VariedFactor], order: int, scale: str
) -> _Values:
    """The rows of values, data sets or splits, and the surface fitted to them."""
    evidence = gathered.evidence
    points = np.array([[f.coded(s[f.name]) for f in factors] for s in gathered.settings], dtype=np.float64)
    facts = {"order": order, "scale": scale, "names": [f.name for f in factors], "level": results.question.level}
    facts["ranges"] = {f.name: natural_range(f) for f in factors}
    if scale == "logit" and {evidence.measure.best, evidence.measure.worst} != {0.0, 1.0}:
        raise InputError(f"scale='logit' is for measures from 0 to 1, and {evidence.measure.name} is not one of them")
    if len(evidence.datasets) > 1:
        units = units_of(evidence, results.question.family)
        surface = response_surface(points, units.scores, **facts)  # type: ignore[arg-type]
        words = "families of data sets" if units.n < units.datasets else "data sets"
        where = f"on {words} such as these {units.n}"
        return _Values(
            units.scores, units.names, "over data sets", where, OVER_DATASETS, evidence.as_ratio, surface,
            tuple(_few(units.n)),
        )  # fmt: skip
    folds, known, name = evidence.folds[0], evidence.dependence[0], evidence.datasets[0]
    ratio = evidence.measure.compare == "log-ratio" and bool((folds > 0).all())
    scores = np.log(folds) if ratio else folds
    if len(scores) > 1 and known.known:
        shares = {"test_share": known.test_share, "overlap": known.overlap}
        surface = response_surface(points, scores, **shares, **facts)  # type: ignore[arg-type]
        rows = tuple(f"split {i + 1}" for i in range(len(scores)))
        return _Values(scores, rows, "on splits", f"on {name}", ON_SPLITS, ratio, surface)
    mean = scores.mean(axis=0)
    surface = response_surface(points, mean, **facts)  # type: ignore[arg-type]
    averaged = "splits of an unknown scheme are averaged" if len(scores) > 1 else "there is only one split"
    luck = Notice(f"{averaged}: nothing is known of others, and the highest point may be luck", "doubt")
    where = f"on one split of {name}" if len(scores) == 1 else f"on {name}"
    return _Values(mean[None], (name,), "one split", where, ONE_SPLIT, ratio, surface, (luck,))


def _few(datasets: int) -> Iterator[Notice]:
    if datasets < FEWEST_DATASETS:
        text = f"{plural(datasets, 'data set')} are hardly a sample: intervals assume that surfaces vary normally"
        yield Notice(text, "doubt", remedy=f"run {FEWEST_DATASETS} or more, or ask for one: surface(dataset='…')")


def _answer(
    results: Results, gathered: EffectEvidence, factors: tuple[VariedFactor, ...], values: _Values,
    options: Mapping[str, Any],
) -> FittedSurface:  # fmt: skip
    surface, measure = values.surface, gathered.evidence.measure
    goal = "maximum" if measure.higher_is_better else "minimum"
    distances = surface.reach()[2] * np.array(PATH)
    when = asked_when(results, results.question)
    made = FittedSurface(
        surface=surface,
        top=stationary_point(surface) if surface.terms.order > 1 else None,
        best=best_on_surface(surface, goal=goal),
        way=steepest_path(surface, distances=distances, goal=goal),
        measure=measure,
        varied=factors,
        settings=gathered.settings,
        units=values.units,
        kind=values.kind,
        where=values.where,
        scores=values.scores,
        as_ratio=values.ratio,
        question=results.question,
        evidence=replace(gathered.evidence, notices=gathered.notices),
        results=results,
        why=values.why,
        procedures=("response_surface", "stationary_point", "steepest_path"),
        asked=when,
        options=options,
    )
    story = SurfaceStory(
        measure, values.ratio, surface, made.top, made.best, made.way, factors, gathered.settings, values.scores,
        values.units, made.unit, values.where,
    )  # fmt: skip
    degree = "a plane" if surface.terms.order == 1 else "a quadratic surface"
    over = plural(len(values.units), made.unit) if values.kind != "one split" else values.units[0]
    return replace(
        made,
        statements=(
            *story.statements(),
            ByTest("", f"least squares, {degree}", over),
            *gathered.notices,
            *values.notices,
            *_fit_notices(surface, factors, values.ratio),
            *_bounds(made.best, measure, values),
            *when.notices(),
            *_next_steps(made),
        ),
    )


def _fit_notices(surface: ResponseSurface, factors: Sequence[VariedFactor], ratio: bool) -> Iterator[Notice]:
    """Whether a polynomial describes the settings: its lack of fit, and the largest deviation."""
    lack = surface.lack_of_fit
    left = surface.heights - surface.terms.columns(surface.points) @ surface.coefficients
    i = int(np.abs(left).argmax())
    away = abs(float(left[i]))
    size = formats.percent(math.expm1(min(away, 700.0))) if ratio else formats.significant(2)(away)
    place = place_in_words(factors, surface.points[i].tolist())
    apart = f"it misses the mean at {place} by {size}"
    if lack is None or lack.p_value != lack.p_value:
        yield Notice(f"the lack of fit of the surface can't be tested; {apart}", stage="verdict")
    elif lack.p_value < POOR:
        text = f"the surface does not fit all settings (lack of fit {formats.p_equals(lack.p_value)}): {apart}"
        yield Notice(text, "doubt", remedy="narrow the ranges around the best setting, where a polynomial fits better")
    else:
        text = f"the data show no lack of fit ({formats.p_equals(lack.p_value)}); {apart}"
        yield Notice(text, "fine", stage="verdict")


def _bounds(best: BestPoint, measure: Measure, values: _Values) -> Iterator[Notice]:
    """Whether the surface promises more than the measure allows."""
    value = as_measured(best.height, measure, ratio=values.ratio).estimate
    low, high = sorted((measure.worst, measure.best))
    if low <= value <= high:
        return
    text = f"the surface is better there than {Wording(measure).name} can be ({measure.best:g})"
    logit = {low, high} == {0.0, 1.0}
    remedy = "narrow the ranges" + (", or fit it on the logit scale (scale='logit')" if logit else "")
    yield Notice(text, "doubt", remedy=remedy, stage="verdict")


def _next_steps(found: FittedSurface) -> Iterator[NextStep]:
    """Confirm, go on, or look closer."""
    setting = ", ".join(f"{name}={value!r}" for name, value in found.setting.items())
    if found.best.inside:
        yield next_step(
            "bring", f"confirm {setting} on rows that were held back: the best of a surface is over-estimated"
        )
    else:
        ends = place_in_words(found.varied, found.way.points[-1].tolist())
        yield next_step("ask", f"move the ranges, so that their middle lies near {ends}")
    if found.top is not None and found.top.open and found.best.inside:
        few = "data sets" if found.unit == "data set" else "splits"
        words = f"more {few}, or narrower ranges around the best setting, would make its region smaller"
        yield next_step("more data" if found.unit == "data set" else "more repeats", words)
