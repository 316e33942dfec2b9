"""Every guard says what it looks for, stands where its input is seen, and finds what was planted for it.

A new guard needs a case in PLANTED: data, a plan or results that have what it looks for, given to whoever calls
``look``, so that it is also known to be asked. It also needs a world of random cases in ``guard_worlds.py`` or
``guard_score_worlds.py``; ``make guards`` tries 200 of each and writes docs/guards.md.
"""

from __future__ import annotations

import inspect
import json
import re
import warnings
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

import guard_rates
import numpy as np
import pandas as pd
import pytest
from offenders import for_each
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import fairtrial
import fairtrial.design.plan_guards
import fairtrial.verdict  # the room above all other guards
from fairtrial.data import Dataset, bundled_names, datasets
from fairtrial.design import Factor, Study
from fairtrial.design.layouts import CodedRows
from fairtrial.engine.run import ComingRun
from fairtrial.errors import InputError
from fairtrial.methods import Method, tuned
from fairtrial.notices import SEVERITIES, Notice, all_guards, look
from fairtrial.resampling import from_sklearn
from fairtrial.results import read_predictions, read_scores
from fairtrial.results.provenance import Provenance
from fairtrial.store import EarlierVerdicts
from fairtrial.verdict import gather

HOUSE = Path(fairtrial.__file__).parent
ROOMS = {
    "data": {"data"},
    "plan": {"resampling", "methods", "design"},
    "run": {"store", "engine"},
    "verdict": {"results", "verdict"},
}
GUARDS = [g for g in all_guards() if g.look.__module__.startswith("fairtrial.")]

BASE = np.linspace(0.6, 0.8, 12)
RISING = np.linspace(0.01, 0.012, 12)
SPREAD = np.linspace(0.4, 0.6, 20)
PERIODS = {"a": 9, "b": 11, "c": 13}  # of wrong answers, which are few
SMOOTHING = {"var_smoothing": [1e-9, 0.1]}


def refused(X=((1.0,), (2.0,)), y=(1.5, 2.5), **parts):
    with pytest.raises(InputError) as caught:
        Dataset.from_arrays(X, y, **parts)
    assert str(caught.value) == caught.value.notice.text
    return [caught.value.notice]


def numbered(names):
    frame = pd.DataFrame({"dataset": names, "a": BASE[: len(names)], "b": (BASE - RISING)[: len(names)]})
    return read_scores(frame, measure="accuracy")


def rows(n=60, rare=0.5, name="d", **parts):
    target = np.where(np.arange(n) < rare * n, "a", "b")
    return Dataset.from_arrays(np.random.default_rng(1).normal(size=(n, 2)), target, name=name, **parts)


def spoilt(n=60, copies=0, drift=0.0, **column):
    """Noise with one more column, with copies of rows, or with features that drift from row to row."""
    X = np.random.default_rng(1).normal(size=(n, 2)) + drift * np.sin(np.arange(n) / 9)[:, None]
    X, names = np.column_stack([X, *column.values()]), ["a", "b", *column]
    some = np.r_[np.arange(n), np.arange(copies)]
    return Dataset.from_arrays(X[some], np.where(some % 2, "a", "b"), features=names)


def planned(*sets, methods=("one_rule",), resampling="2-fold", **more):
    return Study(datasets=sets or [rows()], methods=methods, resampling=resampling, **more).plan().notices


def not_planned(data):
    with pytest.raises(InputError) as caught:
        planned(data)
    return [caught.value.notice]


class Talks(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        warnings.warn("hello", stacklevel=1)
        return super().fit(X, y, sample_weight)


@cache
def ran():
    """Five small data sets whose splits tear groups apart, tried by a tuned method and by one that talks."""
    sets = [rows(40, rare=0.1 if i else 0.5, name=f"d{i}", groups=np.arange(40) // 2) for i in range(5)]
    sets = [replace(d, X=d.X + i) for i, d in enumerate(sets)]
    methods = {"talks": Method("talks", Talks(), version="1"), "tuned": tuned(GaussianNB(), SMOOTHING, inner="2-fold")}
    splits = from_sklearn(KFold(2, shuffle=True, random_state=1))
    return Study(datasets=sets, methods=methods, resampling=splits, measures="accuracy").run(workers=0, progress=False)


def scores(measure="accuracy", **columns):
    frame = pd.DataFrame(columns or {"a": BASE, "b": BASE + RISING, "c": BASE - RISING})
    frame.insert(0, "dataset", [f"d{i}" for i in range(len(frame))])
    return read_scores(frame, measure=measure)


def vague():
    """A table of scores whose title says nothing."""
    return pd.DataFrame({"dataset": [f"d{i}" for i in range(12)], "a": BASE, "b": BASE + RISING})


def judged(results, **asked):
    return results.verdict(**asked).notices


def without_spread():
    frame = pd.DataFrame({"dataset": "d", "method": np.repeat(["a", "b"], 10), "fold": [*range(10)] * 2})
    return read_scores(frame.assign(value=np.repeat([0.9, 0.8], 10)), measure="accuracy", resampling="10-fold")


def at_two_levels():
    parts = (pd.DataFrame({"dataset": range(8), "label_noise": n, "a": BASE[:8], "b": BASE[4:]}) for n in (0.0, 0.1))
    long = pd.concat(parts).melt(["dataset", "label_noise"], var_name="method")
    return read_scores(long, measure="accuracy").verdicts().notices


def replicated():
    tree = DecisionTreeClassifier(splitter="random", max_depth=2)
    sets = [rows(name="d0"), rows(name="d1", n=64)]
    study = Study(datasets=sets, methods={"tree": tree}, resampling="2-fold", replicates=2)
    return judged(study.run(workers=0, progress=False))


def chosen_level():
    parts = (pd.DataFrame({"dataset": range(8), "label_noise": n, "a": BASE[:8], "b": BASE[4:]}) for n in (0.0, 0.1))
    long = pd.concat(parts).melt(["dataset", "label_noise"], var_name="method")
    return judged(read_scores(long, measure="accuracy").at(label_noise=0.1))


def about_to_run(sets=1, **more):
    study = Study(datasets=[rows(name=f"d{i}", n=60 + i) for i in range(sets)], resampling="2-fold", **more)
    return look("run", ComingRun(study.plan(), fairtrial.Serial(), failed=2))


def not_begun():
    results = ran()
    return gather(replace(results, scores=results.scores[results.scores["dataset"] != "d1"])).notices


FAILED = {"a": BASE, "b": np.where(np.arange(12) == 3, np.nan, BASE + RISING), "base": np.full(12, 0.5)}
Y = np.arange(100) % 2
MODELS = pd.DataFrame(
    {"y": Y, "a": np.where(np.arange(100) < 3, 1 - Y, Y), "b": np.where(np.arange(100) > 80, 1 - Y, Y)}
)


class TwiceTheFirst:
    """A layout that has its first row twice."""

    kind = "twice the first"

    def __init__(self, coded=0.0):
        self.coded = coded

    def lay_out(self, axes, seed):
        return CodedRows(tuple(axes), np.full((2, len(axes)), self.coded))

    def to_dict(self):
        return {"kind": self.kind}


PLANTED = {
    "repeated_names": partial(refused, ((1.0, 2.0), (2.0, 3.0)), features=["a", "a"]),
    "missing_values": partial(refused, y=("a", None)),
    "unusable_features": partial(refused, np.empty((2, 0))),
    "unequal_lengths": partial(refused, y=(1.5, 2.5, 3.5)),
    "infinite_features": partial(refused, ((1.0,), (np.inf,))),
    "unusable_classes": partial(refused, y=("a", "a")),
    "unusable_values": partial(refused, y=(2.5, 2.5)),
    "unusable_weights": partial(refused, weights=[1, -1]),
    "revealing_feature": lambda: planned(spoilt(copy=np.arange(60) % 2)),
    "date_columns": lambda: planned(spoilt(when=20240101 + np.arange(60) % 28)),
    "identifier_columns": lambda: planned(spoilt(row=np.arange(60))),
    "undeclared_groups": lambda: planned(spoilt(patient=np.arange(60) // 3)),
    "repeated_rows": lambda: planned(spoilt(copies=20)),
    "undeclared_order": lambda: planned(spoilt(drift=5.0)),
    "reader_choices": planned,
    "imbalanced_classes": lambda: planned(rows(rare=0.05)),
    "alike_labels": lambda: planned(Dataset.from_arrays(rows().X, np.resize(["yes", "Yes", "no"], 60))),
    "placeholder_numbers": lambda: planned(spoilt(income=np.where(np.arange(60) % 9, np.arange(60) % 7, -999))),
    "small_folds": lambda: planned(rows(20)),
    "missing_classes": lambda: planned(rows(60, rare=0.05), resampling="4-fold"),
    "torn_groups": lambda: planned(
        rows(groups=np.arange(60) // 2), resampling=from_sklearn(KFold(2, shuffle=True, random_state=1))
    ),
    "uneven_groups": lambda: planned(rows(groups=np.r_[np.zeros(50), np.arange(1, 11)]), resampling="grouped 2-fold"),
    "groups_not_kept": lambda: not_planned(rows(groups=np.arange(60) // 2)),
    "order_not_kept": lambda: not_planned(rows(order=np.arange(60))),
    "training_on_the_future": lambda: planned(
        rows(order=np.arange(60)[::-1]), resampling=from_sklearn(KFold(2, shuffle=True, random_state=1))
    ),
    "added_yardstick": lambda: planned(methods={"bayes": GaussianNB()}),
    "unequal_searches": lambda: planned(methods={"bayes": GaussianNB(), "tuned": tuned(GaussianNB(), SMOOTHING)}),
    "undeclared_families": lambda: planned(rows(name="adult"), rows(61, name="adult-v2")),
    "levels_left_out": lambda: planned(factors={"train_size": [10, 300]}),
    "same_settings": lambda: planned(
        methods={"bayes": GaussianNB()}, factors=[Factor("var_smoothing", [1e-9, 1e-8])], plan=TwiceTheFirst()
    ),
    "beyond_the_range": lambda: planned(
        methods={"bayes": GaussianNB()}, factors=[Factor("var_smoothing", log=(1e-9, 1e-7))], plan=TwiceTheFirst(1.5)
    ),
    "replicates_without_chance": lambda: planned(methods={"bayes": GaussianNB()}, replicates=2),
    "blind_search": lambda: planned(
        rows(groups=np.arange(60) // 2),
        methods={"bag": BaggingClassifier(tuned(GaussianNB(), SMOOTHING))},
        resampling="grouped 2-fold",
    ),
    "traced_memory": lambda: pytest.importorskip("memray") and planned(memory="exact"),
    "splits_without_test": lambda: planned(resampling="resubstitution"),
    "changed_scores": lambda: judged(scores(**FAILED), baseline="base"),
    "datasets_not_begun": not_begun,
    "notes_on_results": lambda: judged(replace(scores(), notes=("read with care",))),
    "shared_splits": lambda: judged(ran()),
    "one_sided_question": lambda: judged(scores(), control="a", alternative="better"),
    "splits_not_tested": lambda: judged(ran()),
    "found_before": lambda: judged(ran()),
    "few_instances_a_fold": lambda: judged(ran()),
    "misled_by_imbalance": lambda: judged(ran()),
    "floor": lambda: judged(ran()),
    "no_better_than_trivial": lambda: judged(scores(a=BASE, b=BASE - RISING, majority=BASE + RISING / 2)),
    "diverged": lambda: judged(scores("rmse", a=BASE, b=BASE + RISING, c=np.r_[BASE[1:], 1e9])),
    "scales_apart": lambda: judged(
        read_scores(
            pd.DataFrame({"dataset": list("abcdef"), "a": [0.1, 900, 3, 4, 5, 6], "b": [0.2, 901, 3, 4.5, 5, 7]}),
            measure="my_error",
            higher_is_better=False,
        )
    ),
    "at_chosen_levels": chosen_level,
    "variance_of_seeds": replicated,
    "parts_of_sources": lambda: judged(numbered([f"task{i // 4}_{i % 4}" for i in range(12)])),
    "listed_baselines": lambda: judged(scores(a=BASE, b=BASE - RISING, zeroR=BASE - 0.2)),
    "mostly_equal_scores": lambda: judged(scores(a=BASE, b=BASE + np.r_[np.zeros(8), RISING[:4]], c=BASE)),
    "units_that_belong_together": lambda: judged(
        scores(**{m: (np.arange(60) % p > 0) * 1.0 for m, p in PERIODS.items()})
    ),
    "one_scale": lambda: judged(read_scores(vague(), measure="main_score", higher_is_better=True)),
    "same_method_twice": lambda: judged(scores(a=BASE, b=BASE, c=BASE - RISING)),
    "ceiling": lambda: judged(scores(a=np.full(12, 0.999), b=np.full(12, 0.998))),
    "train_test_gap": lambda: judged(
        Study(datasets=[rows()], methods=[KNeighborsClassifier(1)], resampling="2-fold", training_scores=True).run(
            workers=0, progress=False
        )
    ),
    "limits_not_kept": partial(about_to_run, methods=["one_rule"], time_limit=1.0),
    "failed_before": partial(about_to_run, methods=["one_rule"]),
    "no_difference_can_show": partial(
        about_to_run, 6, methods={f"nb{i}": GaussianNB(var_smoothing=10.0**-i) for i in range(9)}
    ),
    "unequal_effort": lambda: judged(ran()),
    "equal_replicates": lambda: judged(
        Study(datasets=[rows()], methods={"bayes": GaussianNB()}, resampling="2-fold", replicates=2).run(
            workers=0, progress=False
        )
    ),
    "picked_methods": lambda: judged(replace(scores(), provenance=Provenance(dropped=("d", "e")))),
    "talkative_methods": lambda: judged(ran()),
    "memory_of_warm_workers": lambda: judged(scores("peak_memory")),
    "optional_stopping": lambda: look("earlier verdicts", EarlierVerdicts(2)),
    "measures_tried": lambda: look("earlier verdicts", EarlierVerdicts(0, ("accuracy", "auc", "mcc"))),
    "levels_alone": at_two_levels,
    "asked_about_these": lambda: judged(scores(), domains="these"),
    "too_few_datasets": lambda: judged(
        scores(**{m: BASE[:6] + i * RISING[:6] + RISING[i : i + 6] % 0.0007 for i, m in enumerate("abcd")}),
        pairs=True,
    ),
    "head_to_head": lambda: judged(
        scores(a=SPREAD, b=SPREAD + np.r_[np.linspace(0.01, 0.02, 18), -0.3, -0.3], low=SPREAD - 0.2), pairs=True
    ),
    "means_do_not_show_it": lambda: judged(
        scores(a=SPREAD, b=SPREAD + np.r_[np.linspace(0.01, 0.02, 18), -0.15, -0.15], c=SPREAD - 0.3), pairs=True
    ),
    "omnibus_disagrees": lambda: judged(scores()),
    "equal_scores": lambda: judged(scores(a=BASE, b=np.where(np.arange(12) < 3, BASE, BASE + RISING))),
    "zero_scores": lambda: judged(scores("rmse", a=np.r_[0.0, BASE[1:]], b=BASE + RISING)),
    "no_spread": lambda: judged(without_spread()),
    "fixed_models": lambda: judged(read_predictions(MODELS)),
    "decided_by_costs": lambda: judged(ran(), context={"costs": [1, 30]}),
    "promised_costs": lambda: guard_rates.PLANTED["promised_costs"](np.random.default_rng(1)),
}


def names(guards):
    return [g.name for g in guards]


@cache
def asked_for():
    """What guards are asked about anywhere in the house."""
    calls = re.compile(r'\b(?:look|check)\("([^"]+)"')
    return {sees for file in HOUSE.rglob("*.py") for sees in calls.findall(file.read_text(encoding="utf-8"))}


def test_each_has_a_planted_case():
    assert sorted(PLANTED) == sorted(names(GUARDS))


@for_each("guard", GUARDS, ids=names(GUARDS))
class TestEveryGuard:
    def test_says_what_it_looks_for_in_one_line(self, guard):
        assert re.fullmatch(r"[A-Z].{15,118}\.", guard.looks_for), guard.looks_for

    def test_stands_in_the_room_that_sees_its_input(self, guard):
        assert guard.room in ROOMS[guard.stage]

    def test_is_asked_somewhere(self, guard):
        assert guard.sees in asked_for()

    def test_takes_what_the_others_take_that_see_the_same(self, guard):
        same = [g for g in GUARDS if g.sees == guard.sees]
        assert {g.stage for g in same} == {guard.stage}
        assert {tuple(inspect.signature(g.look).parameters) for g in same} == {
            tuple(inspect.signature(guard.look).parameters)
        }

    def test_finds_what_was_planted(self, guard):
        found = [notice for notice in PLANTED[guard.name]() if notice.guard == guard.name]
        assert found
        for notice in found:
            assert notice.severity in SEVERITIES
            assert Notice.from_dict(json.loads(json.dumps(notice.to_dict()))) == notice
            assert not re.search(r"\bnan\b|\bNone\b|  |\.$|^[A-Z][a-z]+ (?!\()", notice.text), notice.text


@pytest.fixture(scope="module")
def rates():
    return {rate.guard: rate for rate in guard_rates.rates(guard_rates.FEW)}


@pytest.mark.slow
class TestRates:
    """A part of what ``make guards`` tries; all worlds are the same each time."""

    def test_each_has_its_worlds(self, rates):
        without = set() if find_spec("memray") else {"traced_memory"}
        assert set(rates) == set(names(GUARDS)) - without

    def test_each_fires_where_something_was_planted(self, rates):
        assert [r for r in rates.values() if not r.is_found] == []

    def test_each_is_silent_where_nothing_is_wrong(self, rates):
        assert [r for r in rates.values() if not r.is_silent] == []

    def test_the_page_has_each(self):
        page = (HOUSE.parents[1] / "docs" / "guards.md").read_text(encoding="utf-8")
        assert [g for g in names(GUARDS) if f"| `{g}` |" not in page] == [], "run make guards"


def test_bundled_data_are_clean():
    """Of data that come with fairtrial, nothing is said but what a reader chose, and which class is rare."""
    told = [(d.name, n.guard) for d in datasets(*bundled_names()) for n in look("dataset", d)]
    assert [found for found in told if found[1] not in ("reader_choices", "imbalanced_classes")] == []


def test_no_two_have_one_name():
    sources = [file.read_text(encoding="utf-8") for file in HOUSE.rglob("*.py")]
    written = [name for source in sources for name in re.findall(r"@guard\(.*\)\ndef (\w+)\(", source)]
    assert sorted(written) == sorted(names(GUARDS))
