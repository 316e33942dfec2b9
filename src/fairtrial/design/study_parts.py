"""The parts of a study as people give them, brought into the form that the study keeps, and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from fairtrial.choices import MEMORIES, TIMINGS
from fairtrial.data import Dataset
from fairtrial.data import datasets as find_datasets
from fairtrial.data.named_datasets import as_list
from fairtrial.definition import DefinedMethod
from fairtrial.design.layouts import Layout
from fairtrial.design.question import Question
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import check_classes, in_context
from fairtrial.measures import get as get_measure
from fairtrial.measures.operating_context import costs_of, with_label_costs
from fairtrial.methods import (
    DECIDE,
    ByCosts,
    Decide,
    Method,
    as_methods,
    is_baseline,
    trivial_policy,
    yardstick_for,
)
from fairtrial.methods.decision_rules import check_rule, rule_of
from fairtrial.methods.recipe import recipe
from fairtrial.methods.tuning import configurations_of, with_measure
from fairtrial.resampling import RepeatedKFold, Resampling, Seeds, parse
from fairtrial.words import is_one_of, quoted, shown

DEFAULT_MEASURES = {
    "classes": ("accuracy", "average_recall", "auc", "log_loss", "fit_time", "predict_time"),
    "values": ("rmse", "mae", "r2", "fit_time", "predict_time"),
}
MOST_REPLICATES = 1000


def as_question(given: object) -> Question:
    if given is None or isinstance(given, str):
        return Question(given or "")
    if not isinstance(given, Question):
        raise InputError(f"question must be a text or a Question(…), got {shown(given)}")
    return given


def compared_methods(given: Any, measures: Sequence[str], task: str) -> tuple[Method, ...]:
    """The methods that are compared; those that are tuned use the study's measure, unless they name one."""
    return as_methods(with_measure(as_methods(given), measures, task))


def with_costs(
    methods: tuple[Method, ...], measure: str, decide: Decide, sets: Sequence[Dataset]
) -> tuple[Method, ...]:
    """The methods, each with the way in which it decides by the costs of the study's measure, where it has costs."""
    if not is_one_of(decide, DECIDE):
        raise InputError(f"decide must be {quoted(DECIDE, last='or')}, got {shown(decide)}")
    costs: Any = costs_of(measure)
    if costs is None:
        asked = [f"of method {m.name!r} " for m in methods if m.decide not in ("auto", "labels")]
        if asked or decide not in ("auto", "labels"):
            raise InputError(
                f"decide {asked[0] if asked else ''}may be 'costs' or 'tuned' where mistakes have costs, but the "
                "question has none; give it context={'costs': [1, 30]}, or leave decide out"
            )
        return as_methods([replace(method, decide="auto") for method in methods])
    if decide == "auto":
        decide = "tuned" if all(len(d.classes) == 2 for d in sets) else "costs"
    made = tuple(_deciding(method, costs, decide) for method in methods)
    for method in made:
        for rule in (rule_of(method, dataset) for dataset in sets):
            if rule is not None:
                check_rule(method.name, method.estimator, rule)
    return as_methods(made)


def _deciding(method: Method, costs: Mapping[str, Any], decide: Decide) -> Method:
    wanted = method.decide.by if isinstance(method.decide, ByCosts) else method.decide
    if wanted == "auto":
        wanted = "labels" if is_baseline(method) else decide
    return replace(method, decide=ByCosts(wanted, **costs) if wanted in ("costs", "tuned") else "labels")


def as_resampling(given: Any) -> Resampling:
    if given is None:
        return RepeatedKFold()
    if isinstance(given, str):
        given = parse(given)
    if isinstance(given, Seeds):
        raise InputError(given.refusal("resampling"))
    if isinstance(given, type) or not hasattr(given, "splits") or not hasattr(given, "dependence"):
        raise InputError(
            f"resampling must be a text such as '10x10-fold', or KFold, RepeatedKFold, … of fairtrial.resampling "
            f"(a scikit-learn splitter: from_sklearn(splitter)), got {shown(given)}"
        )
    scheme: Resampling = given
    return scheme


def defined_method(method: Method) -> DefinedMethod:
    """A method as plain data, with the number of configurations that it is tuned over, unless it is a baseline.

    Its recipe is written now, while its class and the default values are loaded, so that readers need to import
    nothing.
    """
    form = method.canonical()
    return DefinedMethod(
        name=method.name,
        canonical=form,
        recipe=recipe(form["estimator"]),
        facts=dict(method.facts),
        yardstick=method.yardstick,
        threads=method.threads,
        configurations=None if is_baseline(method) else configurations_of(method.estimator),
    )


def check_gauges(timing: str, memory: str, training_scores: object) -> None:
    if not isinstance(training_scores, bool):
        raise InputError(f"training_scores must be True or False, got {shown(training_scores)}; leave it out for False")
    if not is_one_of(timing, TIMINGS):
        raise UnknownName.among("timing", timing, TIMINGS)
    if not is_one_of(memory, MEMORIES):
        raise UnknownName.among("way to measure memory", memory, MEMORIES)
    if memory == "exact" and find_spec("memray") is None:
        raise InputError(
            "memory='exact' needs memray (Linux and macOS), which is not installed; install it with: "
            "pip install 'fairtrial[memory]', or leave memory='mark'"
        )


def check_task(method: Method, task: str) -> None:
    """Refuse a classifier for values, or the reverse, which would fail on every trial or be scored on nonsense."""
    from sklearn.base import is_classifier, is_regressor

    if task == "values" and method.labels == "codes":
        raise InputError(f"labels='codes' of method {method.name!r} is for classes, but the data sets have values")
    with method.asked():
        if not hasattr(method.estimator, "__sklearn_tags__"):
            return
        wrong = is_classifier(method.estimator) if task == "values" else is_regressor(method.estimator)
    if wrong:
        kind, other = ("classifier", "regressor") if task == "values" else ("regressor", "classifier")
        raise InputError(
            f"method {method.name!r} is a {kind}, but the data sets of this study have {task}; give a {other}, "
            "or read the data with another task="
        )


def as_datasets(given: Any, target: str | Mapping[str, str] | None = None) -> tuple[Dataset, ...]:
    """The data sets in whatever form people hold them; ``target`` is the column of all files and tables."""
    sets = tuple(find_datasets(*as_list(given), target=target))
    tasks = {d.task: d.name for d in sets}
    if len(tasks) > 1:
        raise InputError(
            f"all data sets of a study must have one task, but {tasks['classes']!r} has classes and "
            f"{tasks['values']!r} has values; make two studies, or say task='classes' when reading"
        )
    same: dict[str, str] = {}
    for d in sets:
        twin = same.setdefault(d.fingerprint, d.name)
        if twin != d.name:
            raise InputError(f"each data set must be there once, but {twin!r} and {d.name!r} have the same content")
    return sets


def as_measures(
    names: Sequence[str] | str | None, question: Question, sets: Sequence[Dataset]
) -> tuple[tuple[str, ...], Question]:
    """The measures with the question's first, by their registered names, all fit for the data; and the question."""
    task = sets[0].task
    names = [names] if isinstance(names, str) else names
    if names is not None and not (isinstance(names, (list, tuple)) and all(isinstance(n, str) for n in names)):
        raise InputError(f"measures must be names such as ['accuracy', 'auc'], got {shown(names)}")
    wanted = list(names) if names is not None else list(DEFAULT_MEASURES[task])
    question = replace(question, context=_context_for(question.context, sets))
    main = in_context(question.measure or (wanted[0] if wanted else DEFAULT_MEASURES[task][0]), question.context)
    chosen = tuple(dict.fromkeys(get_measure(name).name for name in [main, *wanted]))
    for name in chosen:
        if get_measure(name).task not in ("any", task):
            raise InputError(
                f"measure {name!r} is for {get_measure(name).task}, but the data sets of this study have {task}"
            )
        for data in sets:
            try:
                check_classes(name, len(data.classes))
            except InputError as error:
                raise InputError(f"measure {name!r} does not fit {data.name!r}: {error}") from None
    return chosen, replace(question, measure=chosen[0]).settled(get_measure(chosen[0]))


def _context_for(context: Mapping[str, object], sets: Sequence[Dataset]) -> Mapping[str, object]:
    """The context with costs in the order of the classes; if given by label, all data sets must have these labels."""
    if not isinstance(context.get("costs"), Mapping):
        return context
    found = []
    for data in sets:
        positive = None if data.positive is None else data.classes.index(data.positive)
        try:
            found.append(with_label_costs(context, data.classes, positive))
        except InputError as error:
            raise InputError(f"costs do not fit {data.name!r}: {error}") from None
    if any(other != found[0] for other in found):
        raise InputError("costs by label must mean the same on all data sets, but classes differ; make two studies")
    return found[0]


def with_yardstick(
    methods: tuple[Method, ...], task: str, control: str | None, measure: str = ""
) -> tuple[Method, ...]:
    """The methods, with a yardstick if no baseline is listed: a sound study compares with a trivial method.

    A baseline that is named as the control counts as listed: it is compared like any other method. With costs, the
    yardstick is the best trivial policy, and only a baseline that decides by the costs is one.
    """
    costs: Any = costs_of(measure)
    if any(is_baseline(m) and (costs is None or isinstance(m.decide, ByCosts)) for m in methods):
        return methods
    yardstick = yardstick_for(task) if costs is None else trivial_policy(ByCosts("costs", **costs))
    taken = {m.name for m in methods}
    name = yardstick.name if yardstick.name not in taken else f"{yardstick.name} baseline"
    return (*methods, replace(yardstick, name=name, yardstick=name != control))


def as_layout(given: Any) -> Layout | None:
    """The layout of a plan: as it is, from its kind as text, or from a table with kind and options; None for all."""
    if given is None or (hasattr(given, "lay_out") and hasattr(given, "to_dict") and not isinstance(given, type)):
        layout: Layout | None = given
        return layout
    if not isinstance(given, (str, Mapping)):
        raise InputError(
            f"plan must be a kind such as 'full factorial', a table with kind and options, or a Layout, got "
            f"{shown(given)}"
        )
    from fairtrial.design import layouts

    parse_layout = getattr(layouts, "parse_layout", None)
    if parse_layout is None:
        raise InputError(f"plan = {shown(given)} can't be read by this version; give a Layout, or leave it out")
    parsed: Layout = parse_layout(given)
    return parsed


def check_seed_and_replicates(seed: Any, replicates: Any) -> None:
    """Refuse a seed or a number of replicates that is no whole number, or too small or large."""
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise InputError(f"seed must be a whole number of at least 0, got {shown(seed)}")
    whole = isinstance(replicates, int) and not isinstance(replicates, bool)
    if not whole or not 1 <= replicates <= MOST_REPLICATES:
        raise InputError(f"replicates must be a whole number from 1 to {MOST_REPLICATES}, got {shown(replicates)}")
