"""Worlds for guards of verdicts: scores that have what a guard looks for, and clean ones.

Scores are put into results that were made once, by a small study or by reading a table, so that a world costs little
more than its verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
from guard_worlds import WORDS, Random, World, plain
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from fairtrial.data import Dataset
from fairtrial.design import Question, Study
from fairtrial.measures import Predictions
from fairtrial.notices import Notice, look
from fairtrial.resampling import parse
from fairtrial.results import Results, read_predictions, read_scores
from fairtrial.store import EarlierVerdicts
from fairtrial.verdict import gather
from fairtrial.verdict.guards.training_guards import promised_costs

SETS = 12
CAUTIOUS = ("resubstitution", "forward 3")


@cache
def study() -> Results:
    """Three methods and a listed baseline by 10-fold on twelve data sets; nothing is wrong with it."""
    rng = np.random.default_rng(1)
    data = [plain(rng, 300 + i, name=word) for i, word in enumerate(WORDS)]
    methods = {
        "bayes": GaussianNB(),
        "rule": "one_rule",
        "tree": DecisionTreeClassifier(max_depth=2),
        "majority": "majority",
    }
    return Study(datasets=data, methods=methods, resampling="10-fold", measures="accuracy").run(
        workers=0, progress=False
    )


def of_study(rng: Random, gaps: tuple[float, ...] = (0.06, 0.03, 0.0), sd: float = 0.01) -> Results:
    """The study with other scores: data sets of different difficulty, methods apart by gaps, a baseline at 0.5."""
    results = study()
    level = dict(zip(WORDS, rng.uniform(0.62, 0.82, SETS), strict=True))
    own = {
        (d, m): gap + rng.normal(0, sd) for d in WORDS for m, gap in zip(("bayes", "rule", "tree"), gaps, strict=True)
    }
    frame = results.scores
    mean = [
        level[d] + own[d, m] if (d, m) in own else 0.5 for d, m in zip(frame["dataset"], frame["method"], strict=True)
    ]
    noise = np.where(frame["method"] == "majority", 0.0, rng.normal(0, 0.02, len(frame)))
    return replace(results, scores=frame.assign(value=np.array(mean) + noise))


@cache
def empty_table(methods: tuple[str, ...], n: int, measure: str) -> Results:
    frame = pd.DataFrame({m: np.linspace(0.5, 0.6, n) for m in methods})
    frame.insert(0, "dataset", [f"d{i}" for i in range(n)])
    more = {"higher_is_better": False} if measure == "my_error" else {}
    return read_scores(frame, measure=measure, **more)


def table(columns: Mapping[str, np.ndarray], measure: str = "accuracy") -> Results:
    """Scores from elsewhere: one per data set and method."""
    n = len(next(iter(columns.values())))
    results = empty_table(tuple(columns), n, measure)
    frame = results.scores
    place = frame["dataset"].str[1:].astype(int)
    value = [columns[m][i] for m, i in zip(frame["method"], place, strict=True)]
    return replace(results, scores=frame.assign(value=value))


def columns(
    rng: Random, *gaps: float, n: int = SETS, sd: float = 0.01, names: str = "abcdefgh"
) -> dict[str, np.ndarray]:
    base = rng.uniform(0.6, 0.82, n)
    return {names[i]: base + gap + rng.normal(0, sd, n) for i, gap in enumerate(gaps)}


def errors(rng: Random, k: int = 4) -> dict[str, np.ndarray]:
    scores = 10 ** (rng.uniform(-2, 2, (SETS, 1)) + rng.normal(0, 0.15, (SETS, k)))
    return {f"m{i}": scores[:, i] for i in range(k)}


def of_results(results: Results) -> Iterable[Notice]:
    """What the guards of results and grids say; nothing is tested."""
    evidence = gather(results)
    return [*evidence.notices, *look("results", results, evidence)]


def judged(results: Results, **asked: object) -> Iterable[Notice]:
    return results.verdict(**asked).notices


# --- planted: results ------------------------------------------------------------------------------------------------


def changed_scores(rng: Random) -> Iterable[Notice]:
    found = of_study(rng)
    failed = (found.scores["method"] == "tree") & (rng.random(len(found.scores)) < rng.uniform(0.05, 0.3))
    scores = found.scores.assign(
        value=found.scores["value"].mask(failed), status=found.scores["status"].mask(failed, "failed")
    )
    return gather(replace(found, scores=scores, baseline="majority")).notices


def datasets_not_begun(rng: Random) -> Iterable[Notice]:
    found = of_study(rng)
    return gather(replace(found, scores=found.scores[found.scores["dataset"] != rng.choice(WORDS)])).notices


def splits_not_tested(rng: Random) -> Iterable[Notice]:
    scheme = parse(CAUTIOUS[int(rng.integers(len(CAUTIOUS)))]).dependence()
    found = of_study(rng)
    return look("results", found, replace(gather(found), dependence=(scheme,) * SETS))


def found_before(rng: Random) -> Iterable[Notice]:
    found = of_study(rng)
    many = [Notice(f"warning {i}", about=str(rng.choice(WORDS))) for i in range(int(rng.integers(5, 20)))]
    return of_results(replace(found, definition=replace(found.definition, notices=tuple(many))))


def one_sided_question(rng: Random) -> Iterable[Notice]:
    found = table(columns(rng, 0.05, 0.0))
    return of_results(replace(found, question=replace(found.question, control="b", alternative="better")))


def few_instances_a_fold(rng: Random) -> Iterable[Notice]:
    found = of_study(rng)
    return of_results(replace(found, scores=found.scores.assign(n_test=int(rng.integers(2, 30)))))


def imbalance(rng: Random) -> Iterable[Notice]:
    found = of_study(rng)
    share = rng.uniform(0.9, 0.99)
    facts = {d: {**f, "balance": [share, 1 - share]} for d, f in found.datasets.items()}
    return of_results(replace(found, datasets=facts))


def floor(rng: Random) -> Iterable[Notice]:
    found = of_study(rng, (0.0, 0.0, 0.0))
    low = found.scores["dataset"].isin(rng.choice(WORDS, int(rng.integers(2, 5)), replace=False))
    value = found.scores["value"].mask(low, 0.5 + rng.normal(0, 0.01, len(low)))
    return of_results(replace(found, scores=found.scores.assign(value=value), yardsticks=("majority",)))


def ceiling(rng: Random) -> Iterable[Notice]:
    found = columns(rng, 0.02, 0.01, 0.0)
    places = rng.choice(SETS, int(rng.integers(1, SETS)), replace=False)
    for values in found.values():
        values[places] = rng.uniform(0.985, 0.999, len(places))
    return of_results(table(found))


def diverged(rng: Random) -> Iterable[Notice]:
    found = errors(rng)
    found["m2"][int(rng.integers(SETS))] *= 10 ** rng.uniform(5, 12)
    return of_results(table(found, "rmse"))


def scales_apart(rng: Random) -> Iterable[Notice]:
    scale = 10 ** rng.permutation(np.linspace(-1, rng.uniform(2, 4), SETS))
    return of_results(table({m: scale * rng.uniform(1, 2, SETS) for m in "ab"}, "my_error"))


def same_method_twice(rng: Random) -> Iterable[Notice]:
    found = columns(rng, 0.02, 0.01, 0.0)
    if rng.random() < 0.5:
        return of_results(table({**found, "copy": found["a"].copy()}))
    return of_results(table({"forest_seed1": found["a"], "forest_seed2": found["b"], "c": found["c"]}))


def unequal_effort(rng: Random) -> Iterable[Notice]:
    """A method that was tuned over many configurations beside others that were not tuned."""
    found = of_study(rng)
    tried = {"bayes": int(rng.integers(2, 100)), "rule": 0, "tree": 0}
    methods = tuple(replace(m, configurations=tried.get(m.name)) for m in found.definition.methods)
    return of_results(replace(found, definition=replace(found.definition, methods=methods)))


def equal_replicates(rng: Random) -> Iterable[Notice]:
    found = of_study(rng)
    again = [found.scores.assign(replicate=i) for i in range(int(rng.integers(2, 6)))]
    return of_results(replace(found, scores=pd.concat(again, ignore_index=True)))


def picked_methods(rng: Random) -> Iterable[Notice]:
    found = of_study(rng)
    dropped = tuple(f"tried{i}" for i in range(int(rng.integers(1, 9))))
    return of_results(replace(found, provenance=replace(found.provenance, dropped=dropped)))


# --- planted: comparisons --------------------------------------------------------------------------------------------


def no_better_than_trivial(rng: Random) -> Iterable[Notice]:
    found = columns(rng, 0.0, -0.01, sd=0.01)
    return judged(table({**found, "majority": np.maximum(found["a"], found["b"]) + rng.uniform(-0.005, 0.02, SETS)}))


def rarely_much_worse(rng: Random, loss: float) -> dict[str, np.ndarray]:
    """b is a little better than a on 18 data sets, and much worse on two."""
    base = rng.uniform(0.6, 0.7, 20)
    ahead = np.r_[rng.uniform(0.01, 0.02, 18), np.full(2, -loss)]
    return {"a": base, "b": base + rng.permutation(ahead), "low": base - 0.2 + rng.normal(0, 0.01, 20)}


def omnibus_disagrees(rng: Random) -> Iterable[Notice]:
    """Two methods that win three times each, and two that are far worse, on too few data sets to show a pair."""
    found = columns(rng, 0.0, 0.0, -0.1, -0.2, n=6)
    found["b"] = found["a"] + rng.permutation([1, 1, 1, -1, -1, -1]) * rng.uniform(0.001, 0.03, 6)
    return judged(table(found), pairs=True)


def too_few_datasets(rng: Random) -> Iterable[Notice]:
    """Six data sets: too few for all pairs of five methods, and for bounded leads of eight that are equal."""
    if rng.random() < 0.5:
        return judged(table(columns(rng, *rng.normal(0, 0.1, 5), n=6)), pairs=True)
    return judged(table(columns(rng, *[0.0] * 8, n=6)))


def equal_on_some(rng: Random) -> Iterable[Notice]:
    found = columns(rng, 0.05, 0.0)
    same = rng.choice(SETS, int(rng.integers(2, 5)), replace=False)
    found["b"][same] = found["a"][same]
    return judged(table(found))


def zero_scores(rng: Random) -> Iterable[Notice]:
    found = errors(rng, 2)
    found["m0"][int(rng.integers(SETS))] = 0.0
    return judged(table(found, "rmse"))


def on_folds(scores: np.ndarray) -> Results:
    """Two methods (columns) on the ten folds of one data set."""
    frame = pd.DataFrame({"dataset": "d", "method": np.repeat(["a", "b"], 10), "fold": [*range(10)] * 2})
    return read_scores(frame.assign(value=scores.T.reshape(-1)), measure="accuracy", resampling="10-fold")


def no_spread(rng: Random) -> Iterable[Notice]:
    level, gap = rng.uniform(0.6, 0.8), rng.uniform(0.01, 0.1)
    return judged(on_folds(np.tile([level + gap, level], (10, 1))))


def fixed_models(rng: Random) -> Iterable[Notice]:
    y = rng.integers(0, 2, 100)
    right = {m: np.where(rng.random(100) < rate, y, 1 - y) for m, rate in (("a", 0.9), ("b", 0.7))}
    return judged(read_predictions(pd.DataFrame({"y": y, **right}), truth="y"))


def numbered(rng: Random) -> Iterable[Notice]:
    """Folds of a few tasks that are given as data sets."""
    names = [f"task{t}_{f}" for t in range(int(rng.integers(3, 6))) for f in range(int(rng.integers(2, 6)))]
    found = columns(rng, 0.05, 0.0, n=len(names))
    return judged(read_scores(pd.DataFrame({"dataset": names, **found}), measure="accuracy"))


def train_test_gap(rng: Random) -> Iterable[Notice]:
    """A nearest neighbour, which knows its training rows by heart, where labels are nearly noise."""
    X = rng.normal(size=(150, 3))
    y = (X[:, 0] + rng.normal(0, 3, 150) > 0).astype(int)
    data = Dataset.from_arrays(X, y, name="noisy")
    asked = {"methods": [KNeighborsClassifier(1)], "resampling": "3-fold", "measures": "accuracy"}
    return judged(Study(datasets=[data], training_scores=True, **asked).run(workers=0, progress=False))


def variance_of_seeds(rng: Random) -> Iterable[Notice]:
    """Two data sets and a method that depends on its seed, under two seeds."""
    data = [plain(rng, 60 + i, name=f"d{i}") for i in range(2)]
    tree = DecisionTreeClassifier(splitter="random", max_depth=2)
    asked = {"methods": {"tree": tree}, "resampling": "2-fold", "measures": "accuracy", "replicates": 2}
    results = Study(datasets=data, seed=int(rng.integers(1000)), **asked).run(workers=0, progress=False)
    return of_results(results)


def vaguely_named(rng: Random) -> Iterable[Notice]:
    """Scores whose title does not say what was measured."""
    frame = pd.DataFrame(columns(rng, 0.05, 0.0, 0.02))
    frame.insert(0, "dataset", [f"d{i}" for i in range(len(frame))])
    name = str(rng.choice(["score", "main_score", "metric", "test score", "result"]))
    return of_results(read_scores(frame, measure=name, higher_is_better=True))


def answers(rng: Random, fewest: int = 14, most: int = 29) -> Iterable[Notice]:
    """Right and wrong answers of three models to the same questions, most of which all get right."""
    n, hard = int(rng.integers(fewest, most + 1)), 0.3
    right = rng.random((n, 3)) > np.where(rng.random((n, 1)) < hard, 0.5, 0.0)
    return judged(table({m: right[:, i].astype(float) for i, m in enumerate("abc")}))


def mostly_equal(rng: Random) -> Iterable[Notice]:
    """Three methods with the same scores on most of some data sets."""
    base = rng.uniform(0.6, 0.8, int(rng.integers(14, 29)))
    found = {m: base.copy() for m in "abc"}
    for name in "bc":
        found[name][: len(base) // 3] += rng.normal(0, 0.02, len(base) // 3)
    return judged(table(found))


@cache
def cost_study() -> Results:
    """A method that decides by costs of 1 and 30, on one data set."""
    asked, methods = Question(context={"costs": [1, 30]}), {"bayes": GaussianNB()}
    made = Study(
        asked, datasets=[plain(np.random.default_rng(1), 60)], methods=methods, resampling="2-fold", decide="costs"
    )
    return made.run(workers=0, progress=False)


def probabilities(rng: Random, times: float) -> Iterable[Notice]:
    """Decisions by probabilities whose log odds are that many times the true ones."""
    odds = rng.normal(rng.uniform(-3, -1), 1.5, int(rng.integers(500, 2000)))
    truth, given = (rng.random(len(odds)) < 1 / (1 + np.exp(-odds))).astype(int), 1 / (1 + np.exp(-times * odds))
    channels = {"label": (given > 1 / 31).astype(np.int32), "probability": given}
    predicted = Predictions.checked(truth, channels, n_classes=2, positive=1)
    results = cost_study()
    return promised_costs(replace(results, source=SimpleNamespace(predictions=lambda *_: predicted)), gather(results))


PLANTED: dict[str, World] = {
    "decided_by_costs": lambda rng: judged(cost_study(), context={"costs": [1, int(rng.integers(2, 30))]}),
    "promised_costs": partial(probabilities, times=3.0),
    "at_chosen_levels": lambda rng: of_results(replace(of_study(rng), chosen={"label_noise": rng.random()})),
    "parts_of_sources": numbered,
    "mostly_equal_scores": mostly_equal,
    "listed_baselines": lambda rng: of_results(
        replace(table({**columns(rng, 0.05, 0.0), "ZeroR": np.full(SETS, 0.5)}), trivial=("ZeroR",))
    ),
    "units_that_belong_together": partial(answers, fewest=40, most=90),
    "one_scale": vaguely_named,
    "train_test_gap": train_test_gap,
    "variance_of_seeds": variance_of_seeds,
    "changed_scores": changed_scores,
    "datasets_not_begun": datasets_not_begun,
    "notes_on_results": lambda rng: of_results(replace(of_study(rng), notes=("read with care",))),
    "shared_splits": lambda rng: of_results(table(columns(rng, 0.05, 0.0))),
    "one_sided_question": one_sided_question,
    "splits_not_tested": splits_not_tested,
    "found_before": found_before,
    "few_instances_a_fold": few_instances_a_fold,
    "misled_by_imbalance": imbalance,
    "floor": floor,
    "ceiling": ceiling,
    "diverged": diverged,
    "scales_apart": scales_apart,
    "same_method_twice": same_method_twice,
    "unequal_effort": unequal_effort,
    "equal_replicates": equal_replicates,
    "picked_methods": picked_methods,
    "talkative_methods": lambda rng: of_results(replace(of_study(rng), warnings={"tree": int(rng.integers(1, 100))})),
    "memory_of_warm_workers": lambda rng: of_results(table(errors(rng, 2), "peak_memory")),
    "optional_stopping": lambda rng: look("earlier verdicts", EarlierVerdicts(int(rng.integers(1, 9)))),
    "measures_tried": lambda rng: look(
        "earlier verdicts", EarlierVerdicts(0, tuple(f"m{i}" for i in range(int(rng.integers(3, 9)))))
    ),
    "levels_alone": lambda rng: look("levels", SimpleNamespace(verdicts=range(int(rng.integers(2, 9))))),
    "no_better_than_trivial": no_better_than_trivial,
    "asked_about_these": lambda rng: judged(table(columns(rng, 0.05, 0.0)), domains="these"),
    "too_few_datasets": too_few_datasets,
    "head_to_head": lambda rng: judged(table(rarely_much_worse(rng, 0.3)), pairs=True),
    "means_do_not_show_it": lambda rng: judged(table(rarely_much_worse(rng, 0.15)), pairs=True),
    "omnibus_disagrees": omnibus_disagrees,
    "equal_scores": equal_on_some,
    "zero_scores": zero_scores,
    "no_spread": no_spread,
    "fixed_models": fixed_models,
}


def clean_results(rng: Random) -> Iterable[Notice]:
    """Clear differences or none; the baseline is one of the methods, or their yardstick."""
    found = of_study(rng, (0.06, 0.03, 0.0) if rng.random() < 0.5 else (0.0, 0.0, 0.0))
    return of_results(replace(found, yardsticks=("majority",)) if rng.random() < 0.5 else found)


def similar_scales(rng: Random) -> Iterable[Notice]:
    scale = rng.uniform(1, 20, SETS)
    return of_results(table({m: scale * rng.uniform(1, 2, SETS) for m in "ab"}, "my_error"))


CLEAN_FOR: dict[str, World] = {
    "promised_costs": partial(probabilities, times=1.0),
    "diverged": lambda rng: of_results(table(errors(rng), "rmse")),
    "scales_apart": similar_scales,
    "zero_scores": lambda rng: judged(table(errors(rng, 2), "rmse")),
    "no_spread": lambda rng: judged(on_folds(rng.uniform(0.7, 0.8, (10, 2)))),
}
"""Clean worlds for guards that look at other measures or designs than those of the study."""

CLEAN: dict[str, World] = {
    "grid": lambda rng: gather(of_study(rng)).notices,
    "results": clean_results,
    "comparison": lambda rng: judged(of_study(rng, (0.12, 0.06, 0.0))),  # clear: near the border, tests may disagree
    "earlier verdicts": lambda rng: look(
        "earlier verdicts", EarlierVerdicts(0, ("accuracy", "auc")[: rng.integers(3)])
    ),
}
ALWAYS = {"levels_alone"}
"""Guards that say something of every input that they see, so that nothing is clean for them."""

SAID_IF_FINE = {"equal_scores", "variance_of_seeds", "listed_baselines"}
"""Guards whose notices are always fine: they say how equal scores were treated, or what seeds make."""
