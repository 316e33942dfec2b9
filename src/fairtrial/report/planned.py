"""The guidelines A to G in a report: what was planned before the run, as far as the study file tells."""

from __future__ import annotations

import numpy as np

from fairtrial.definition import StudyDefinition
from fairtrial.design import Guideline, Question, StudyOutline, checklist
from fairtrial.experiments import FactorAnswer
from fairtrial.results import Results
from fairtrial.tables import formats
from fairtrial.verdict import Verdict
from fairtrial.words import plural


def answered_guidelines(results: Results, verdict: Verdict | FactorAnswer) -> tuple[Guideline, ...]:
    """The guidelines with the answers of a study that was run; empty for results from elsewhere.

    The answers are those that were stored before the first trial, where these are known.
    """
    plan, now = results.provenance.plan, results.definition
    trials = None if results.source is None else results.source.trials
    if now is None or trials is None:
        return ()
    study = now if plan is None else plan.definition
    question = Question.from_dict(now.question) if plan is None else plan.question
    these = question.domains == "these" or _is_each(verdict)
    outline = StudyOutline(
        question=question,
        measures=study.measures,
        datasets=[d.name for d in study.datasets],
        methods=[m.name for m in study.methods if not m.yardstick],
        scheme=str(study.dependence["scheme"]),
        seed=study.seed,
        trials=len(trials),
        tests=_tests(verdict),
        conclusions="about each of these data sets" if these else "about data sets such as these",
        fits=plural(len(trials), "fit"),
        cost=_cost(results),
        factors={f.name: f.shown for f in study.factors},
        replicates=study.replicates or 1,
        settings=0 if isinstance(verdict, Verdict) else len(verdict.settings),
        strategy="" if isinstance(verdict, Verdict) else _strategy(study),
    )
    return checklist(outline)


def _strategy(study: StudyDefinition) -> str:
    """How the settings were chosen, in words."""
    return "all combinations of levels" if study.layout is None else str(study.layout["kind"])


def _is_each(verdict: Verdict | FactorAnswer) -> bool:
    """Whether the answer is about each of the data sets by itself."""
    return verdict.finding.each if isinstance(verdict, Verdict) else verdict.kind != "over data sets"


def _tests(verdict: Verdict | FactorAnswer) -> str:
    """The tests that were made, in words; empty if there were none."""
    if not isinstance(verdict, Verdict):
        return verdict.test if verdict.procedures else ""
    return "" if verdict.finding.comparisons is None and not _has_tests(verdict) else verdict.test


def _has_tests(verdict: Verdict) -> bool:
    parts = verdict.parts.values()
    return verdict.claim is not None or any(p.comparisons is not None or p.claim is not None for p in parts)


def _cost(results: Results) -> str:
    """How long all trials took together, in words; empty where no times are known."""
    trials = None if results.source is None else results.source.trials
    seconds = 0.0 if trials is None else float(np.nansum(trials[["fit_time", "predict_time"]].to_numpy(dtype=float)))
    return f"{formats.duration(seconds)} of computing, in all" if seconds > 0 else ""
