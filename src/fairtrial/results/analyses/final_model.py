"""The final model: a method fitted on all rows of a data set, and what to expect of it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairtrial.data import Dataset
from fairtrial.design import Study, load_study
from fairtrial.design.factors import TrainingFactor
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import in_words
from fairtrial.methods import Method, digest
from fairtrial.resampling import Dependence
from fairtrial.results.analyses.tuned_choices import flagged_share, threshold_in_words
from fairtrial.results.at_levels import REPLICATE, choice, refuse_several_levels
from fairtrial.shown import ShownAsText
from fairtrial.stats import Interval
from fairtrial.tables import formats
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from fairtrial.engine.fit_on_all import FittedOnAll
    from fairtrial.results.results import Results

WRITE = formats.significant(3)


@dataclass(frozen=True, eq=False)
class FinalModel(ShownAsText):
    """A method fitted on all rows of a data set, ready for new rows; ``print`` says what to expect of it.

    ``predict`` and ``predict_proba`` take a table with the columns of the data set, or a matrix in their order, and
    prepare it as the trials were prepared. ``estimator`` is the fitted estimator itself, ``expected`` the
    cross-validated score with its interval, None where it is unknown.
    """

    method: str
    dataset: Dataset
    measure: str
    expected: Interval | None
    sentences: tuple[str, ...]
    fitted: FittedOnAll

    @property
    def estimator(self) -> Any:
        """The fitted estimator; its inputs must have been prepared."""
        return self.fitted.estimator

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels, in the order of the columns of ``predict_proba``; empty for a target of numbers."""
        return tuple(np.asarray(getattr(self.estimator, "classes_", self.dataset.classes)).tolist())

    @property
    def sentence(self) -> str:
        """What the model learned from, and what to expect of it."""
        return " ".join(self.sentences)

    def predict(self, X: Any) -> Any:
        """The labels, or numbers, that the model predicts for new rows."""
        return self.estimator.predict(self.fitted.prepared(X))

    def predict_proba(self, X: Any) -> Any:
        """The probability of each class for new rows; refused where the method gives none."""
        if not hasattr(self.estimator, "predict_proba"):
            raise InputError(f"{self.method!r} gives no probabilities; take predict")
        return self.estimator.predict_proba(self.fitted.prepared(X))

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"FinalModel({self.method!r} on {self.dataset!r})"


def final_model(
    results: Results, method: str, dataset: str | None, *, study: Study | str | Path | None, measure: str | None
) -> FinalModel:
    """Fit a method on all rows of a data set, and say what to expect of it; see ``Results.final_model``."""
    from fairtrial.engine.fit_on_all import fit_on_all

    refuse_several_levels(results)
    whole = _study(results, study)
    name = _one_dataset(results, dataset)
    chosen, data = _same_method(results, whole, method), _same_data(results, whole, name)
    levels = {factor: level for factor, level in results.chosen.items() if factor != REPLICATE}
    _refuse_changed_training(whole, levels)
    facts = results.measure(measure).name
    expected = _expected(results, facts, name, method)
    fitted = fit_on_all(whole, chosen, data, levels)
    sentences = (*_sentences(results, facts, data, method, expected), *_threshold(results, fitted, method, expected))
    return FinalModel(method, data, facts, expected, sentences, fitted)


def _study(results: Results, given: Study | str | Path | None) -> Study:
    """The study that was run, with its methods and data, which no file keeps."""
    if results.definition is None:
        raise InputError(
            "a final model needs a method that can be fitted, but these results were read from a table of scores or "
            "predictions; run a Study, or fit the model by your own code"
        )
    if given is None and results.study is None:
        raise InputError(
            "a final model needs the study that was run, since a study file keeps no code and no data; give it: "
            "results.final_model('…', study=study), or study='study.toml'"
        )
    found = results.study if given is None else load_study(given) if isinstance(given, (str, Path)) else given
    if not isinstance(found, Study):
        raise InputError(f"study must be a Study or the path of a study in TOML, got {type(found).__name__}")
    return found


def _one_dataset(results: Results, dataset: str | None) -> str:
    names = results.dataset_names()
    if dataset is None and len(names) != 1:
        raise InputError(f"one data set must be named (dataset=…), since there are {len(names)}: {listed(names)}")
    if dataset is not None and dataset not in names:
        raise UnknownName.among("data set of these results", dataset, names)
    return dataset or names[0]


def _same_method(results: Results, study: Study, name: str) -> Method:
    """The method of the study, which must be the one that was run."""
    if results.named_by_setting:
        raise InputError("settings are methods here; choose one by results.at(…) of the results before by_setting()")
    assert results.definition is not None
    own = next((m for m in study.methods if m.name == name), None)
    defined = results.definition.method(name)
    if own is None or defined is None:
        known = [m.name for m in results.definition.methods]
        raise UnknownName.among("method of this study" if own is None else "method of these results", name, known)
    if digest(own.canonical()) != digest(defined.canonical):
        raise InputError(
            f"{name!r} of the study is not the method that was run: class, parameters or code have changed; run the "
            "study again, or give the study as it was"
        )
    return own


def _same_data(results: Results, study: Study, name: str) -> Dataset:
    """The data set of the study, which must be the one that was run."""
    assert results.definition is not None
    own = next((d for d in study.datasets if d.name == name), None)
    if own is None:
        raise UnknownName.among("data set of this study", name, [d.name for d in study.datasets])
    stored = next(d.fingerprint for d in results.definition.datasets if d.name == name)
    if own.fingerprint != stored:
        raise InputError(
            f"the data of {name!r} have changed since the study was run (fingerprint {own.fingerprint[:8]}… instead of "
            f"{stored[:8]}…): the cross-validated score is not about them; run the study again"
        )
    return own


def _refuse_changed_training(study: Study, levels: dict[str, Any]) -> None:
    """Refuse levels at which the training data were changed: the final model learns from the data as they are."""
    for factor in study.factors:
        level = levels.get(factor.name)
        if isinstance(factor, TrainingFactor) and level is not None and factor.changes(level):
            same = [own for own in factor.levels if not factor.changes(own)]
            remedy = f"choose results.at({choice(factor.name, same[0])})" if same else "run the study without it"
            raise InputError(
                f"a final model learns from all rows as they are, but these results are at {factor.name} "
                f"{factor.write(level)}; {remedy}"
            )


def _expected(results: Results, measure: str, dataset: str, method: str) -> Interval | None:
    """The cross-validated score of the method on the data set, with an interval where the scheme allows one."""
    from fairtrial.results.analyses.cv_intervals import cv_intervals

    results = results.with_measures(measure)
    scores = results.scores[(results.scores["dataset"] == dataset) & (results.scores["method"] == method)]
    own = scores[scores["measure"] == measure]
    if not len(own) or own["value"].isna().any():
        return None
    level = results.question.level
    try:
        found = cv_intervals(replace(results, scores=scores), measure=measure, level=level)[dataset, method]
    except InputError:  # the scheme allows no interval
        found = None
    if found is None:
        return Interval(measure, float(own["value"].mean()), math.nan, math.nan, level)
    low, high = sorted((results.measure(measure).worst, results.measure(measure).best))
    return replace(found, low=max(found.low, low), high=min(found.high, high))


def _sentences(
    results: Results, measure: str, dataset: Dataset, method: str, expected: Interval | None
) -> Iterator[str]:
    known = results.dependence.get(dataset.name, Dependence.unknown())
    yield f"{method} is fitted on all {plural(dataset.n, 'row')} of {dataset.name}."
    if expected is None:
        yield f"Its expected {in_words(measure)} is unknown, since some of its trials failed or have not run."
        return
    ends = "" if expected.low != expected.low else f" [{WRITE(expected.low)}, {WRITE(expected.high)}]"
    interval = f" ({100 * expected.level:g} % interval)" if ends else ""
    yield (
        f"Its expected {in_words(measure)} on new rows is the one that {known.scheme} found, "
        f"{WRITE(expected.estimate)}{ends}{interval}."
    )
    if known.optimistic:
        yield "That is too optimistic: the rows that were tested had been learned from."
        return
    own = results.scores[(results.scores["dataset"] == dataset.name) & (results.scores["method"] == method)]
    learned = round(float(own["n_train"].mean())) if own["n_train"].notna().any() else dataset.n
    if "bootstrap" in known.scheme:
        yield "That is slightly pessimistic, since the models that were tested learned from about 63 % of the rows."
    elif learned < dataset.n:
        yield f"That is slightly pessimistic, since the models that were tested learned from {learned:,} rows only."
    yield from _selection(results, measure, dataset.name, method)


def _threshold(results: Results, fitted: FittedOnAll, method: str, expected: Interval | None) -> Iterator[str]:
    """The threshold that the model tuned for its decisions, and what such thresholds did in the trials."""
    from fairtrial.methods.estimators import Decided

    model, data = fitted.estimator, fitted.dataset
    if not isinstance(model, Decided) or model.threshold_ is None:
        return
    what = "a probability" if hasattr(model, "predict_proba") else "a score"
    yield f"It flags a case ({data.positive!r}) from {what} of {threshold_in_words(model.threshold_)} on, as tuned."
    if expected is not None:
        yield f"In its trials it flagged {formats.percent(flagged_share(results, data.name, method))} of the cases."


def _selection(results: Results, measure: str, dataset: str, method: str) -> Iterator[str]:
    """A remark on the best of several methods, whose score is the best partly by chance."""
    scores = results.with_measures(measure).scores
    own = scores[(scores["dataset"] == dataset) & (scores["measure"] == measure)]
    means = own[~own["method"].isin(results.yardsticks)].groupby("method", sort=False)["value"].mean()
    best = means.max() if results.measure(measure).higher_is_better else means.min()
    if len(means) > 1 and means.get(method) == best:
        several = plural(len(means), "method")
        yield f"But it is the best of {several} here: if it was chosen for that, its score is slightly optimistic."
