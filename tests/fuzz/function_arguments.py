"""Valid arguments of every public function of stats and measures, by the name of the parameter, from a seeded world."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairtrial import measures, stats
from fairtrial.stats.multiplicity import ADJUSTMENTS
from fairtrial.stats.planning.designs import DESIGNS
from fairtrial.stats.procedures import PROCEDURES

Arguments = dict[str, Any]
SCALES = (1.0, 1.0, 1.0, 1.0, 1e-3, 100.0, 1e80, 1e-80, 1e140, 1e-140, 1e300, 1e-300, 1e-310)
SIZES = (1, 2, 3, 4, 5, 6, 8, 11, 17, 30)


@dataclass(frozen=True)
class World:
    """What the arguments of one call have in common: sizes, scale, ties, and the random numbers."""

    random: np.random.Generator
    n: int
    k: int
    scale: float
    kind: str

    @classmethod
    def of(cls, random: np.random.Generator) -> World:
        kind = str(random.choice(["plain", "plain", "plain", "ties", "equal", "shifted"]))
        n, k = int(random.choice(SIZES)), int(random.integers(2, 6))
        return cls(random, n, k, float(random.choice(SCALES)), kind)

    def scores(self, *shape: int) -> np.ndarray:
        """Scores of any scale; some with ties, some all equal, some far from zero."""
        values = {
            "plain": lambda: self.random.normal(0.8, 0.1, shape),
            "ties": lambda: self.random.integers(0, 4, shape).astype(float),
            "equal": lambda: np.full(shape, 0.3),
            "shifted": lambda: self.random.normal(1e6, 1.0, shape),
        }[self.kind]()
        return values * self.scale

    def counts(self, *shape: int) -> np.ndarray:
        return self.random.integers(0, 9, shape)

    def flags(self, *shape: int) -> np.ndarray:
        return self.random.integers(0, 2, shape)

    def one_of(self, *options: Any) -> Any:
        return options[int(self.random.integers(len(options)))]


def _groups(w: World) -> Any:
    made = [w.scores(int(w.random.choice([w.n, w.n, w.n + 2]))) for _ in range(w.k)]
    return w.one_of(made, {f"m{i}": x for i, x in enumerate(made)})


def _measure_tables(w: World) -> list[np.ndarray]:
    return [w.scores(w.n + 4, 2) for _ in range(w.k)]


def _probabilities(w: World) -> np.ndarray:
    p = w.random.random(w.n)
    return w.one_of(p, np.column_stack([1 - p, p]), np.round(p))


def _model(w: World) -> Any:
    return stats.factorial_model({"A": [-1, 1] * 4, "B": [-1, -1, 1, 1] * 2})


NINE = {"A": [-1, 0, 1] * 3, "B": [-1, -1, -1, 0, 0, 0, 1, 1, 1]}


def _surface(w: World) -> Any:
    values = w.one_of(w.scores(9), w.scores(w.n, 9))
    return stats.response_surface(NINE, values, level=w.one_of(0.5, 0.95))


def _curve(w: World) -> Any:
    return measures.roc_curve([0, 1, 0, 1, *w.flags(w.n)], w.random.random(w.n + 4))


def _symmetric(w: World) -> np.ndarray:
    upper = np.triu(w.flags(w.k, w.k), 1)
    return (upper + upper.T).astype(bool)


def _nested(w: World, name: str) -> list[int]:
    rows = [*range(6), 0, 1, 2, 3, 0, 1, 4, 5, 2, 3, 4, 5]
    splits = [0, 0, 1, 1, 2, 2, *[3] * 4, *[4] * 4, *[5] * 4]
    return {"rows": rows, "splits": splits, "repeats": [0] * 18}[name]


MAKERS: dict[str, Callable[[World], Any]] = {
    **dict.fromkeys(("a", "b", "values", "losses_a", "losses_b", "fitted"), lambda w: w.scores(w.n)),
    "table": lambda w: w.scores(w.n + 1, w.k),
    "columns": lambda w: list(w.scores(w.k, w.n)),
    "groups": _groups,
    "pairs": lambda w: [(0, 1), (1, 0)] if w.k == 2 else [(0, 1), (0, 2)],
    "p_values": lambda w: w.one_of(w.random.random(w.n), w.random.random(w.n) ** 40, np.round(w.random.random(w.n), 1)),
    "truth": lambda w: w.flags(w.n),
    **dict.fromkeys(("predicted", "first", "second"), lambda w: w.flags(w.n)),
    **dict.fromkeys(("scores", "scores_a", "scores_b"), lambda w: w.scores(w.n)),
    "probabilities": _probabilities,
    **dict.fromkeys(("std", "high", "naive_scale"), lambda w: np.abs(w.scores(w.n))),
    "low": lambda w: -np.abs(w.scores(w.n)),
    "history": lambda w: w.scores(w.n),
    "quantiles": lambda w: w.scores(w.n, w.k),
    "recorded": lambda w: np.abs(w.scores(w.n)),
    "control": lambda w: w.one_of(0, 1, "1"),
    **dict.fromkeys(("successes", "successes_a", "successes_b"), lambda w: int(w.random.integers(0, w.n + 1))),
    **dict.fromkeys(("n", "n_a", "n_b"), lambda w: w.n),
    "wins": lambda w: w.counts(w.k, w.k) * (1 - np.eye(w.k, dtype=int)),
    "different": _symmetric,
    "folds": lambda w: np.arange(w.n) % 3,
    "effect": lambda w: w.one_of(0.0, 0.1, 0.3, -0.2, 1e-3),
    "standard_error": lambda w: w.one_of(0.1, 1.0, 1e-300, 1e300),
    "effects": lambda w: w.scores(w.n, w.k),
    "pilot": lambda w: w.scores(w.n + 1, w.k),
    "differences_5x2": lambda w: w.scores(5, 2),
    "sizes": lambda w: np.cumsum(1 + w.counts(w.n)),
    "costs": lambda w: np.abs(w.scores(w.n)),
    "design": lambda _: {"A": [-1, 1] * 4, "B": [-1, -1, 1, 1] * 2},
    "model": _model,
    "surface": _surface,
    "mean0": lambda w: w.scale * 0.8,
    "margin": lambda w: w.scale * w.one_of(0.05, 1.0),
    "smallest": lambda w: w.scale * 0.05,
    "rope": lambda w: w.scale * w.one_of(0.0, 0.05),
    "test_share": lambda w: w.one_of(0.1, 0.5),
    "apparent": lambda w: w.random.random(),
    "out_of_bag": lambda w: w.random.random(),
    "curve": _curve,
    "of": _curve,
    "curves": lambda w: [_curve(w), _curve(w)],
    "methods": lambda w: {"first": _curve(w), "second": _curve(w)},
    "names": lambda _: ["accuracy", "recall"],
    "name": lambda w: w.one_of("accuracy", "f_measure(beta=2)", "macro_f1", "auc", "rmse"),
    "channels": lambda w: {"label": w.flags(w.n)},
    "records": lambda w: {"predict_time": np.abs(w.scores(w.n)), "n_test": 1 + w.counts(w.n)},
    "numerator": lambda w: w.scores(w.n),
    "denominator": lambda w: w.scores(w.n),
    "share": lambda w: w.random.random(),
    "context": lambda _: {"positives": 0.2},
    "n_classes": lambda _: 2,
}
"""How required arguments are made, by the name of the parameter."""

OWN: dict[tuple[str, str], Callable[[World], Any]] = {
    ("bayes_hierarchical", "a"): lambda w: list(w.scores(w.k, w.n)),
    ("bayes_hierarchical", "b"): lambda w: list(w.scores(w.k, w.n)),
    ("cochran_q", "table"): lambda w: w.flags(w.n + 1, w.k),
    ("critical_difference", "k"): lambda w: w.k,
    ("critical_values", "test"): lambda w: w.one_of("t", "wilcoxon", "friedman", "sign"),
    ("details_table", "outcome"): lambda _: stats.anova({"A": [1, 2, 3], "B": [5, 6, 10]}),
    ("factorial_anova", "values"): lambda w: w.scores(8),
    ("qualitative_interaction", "d"): lambda w: w.scores(w.n),
    ("qualitative_interaction", "errors"): lambda w: np.abs(w.scores(w.n)),
    ("separating_property", "differences"): lambda w: w.scores(w.n, 2),
    ("separating_property", "properties"): lambda w: {"n": w.scores(w.n), "kind": [f"k{i % 3}" for i in range(w.n)]},
    ("clustering", "scores"): lambda w: w.scores(w.n, w.k),
    ("clustering", "groupings"): lambda w: {"source": [i // 2 for i in range(w.n)]},
    ("response_surface", "design"): lambda _: NINE,
    ("response_surface", "values"): lambda w: w.one_of(w.scores(9), w.scores(w.n, 9)),
    ("response_surface", "order"): lambda w: w.one_of(1, 2),
    ("curvature_test", "design"): lambda _: {"A": [-1, 1, -1, 1, 0, 0], "B": [-1, -1, 1, 1, 0, 0]},
    ("curvature_test", "values"): lambda w: w.one_of(w.scores(6), w.scores(w.n, 6)),
    ("strata_anova", "scores"): lambda w: w.scores(w.n, 8),
    ("divide_advantage", "scores"): lambda w: w.scores(w.n, 4),
    ("divide_advantage", "components"): lambda _: {"a": [0, 1, 0, 1], "b": [0, 0, 1, 1]},
    ("robust_choice", "scores"): lambda w: w.scores(w.n + 1, w.k + 1),
    ("variance_shares", "scores"): lambda w: w.scores(w.n, w.k, 2),
    ("interquartile_mean", "scores"): lambda w: w.scores(w.n, w.k),
    ("probability_of_improvement", "first"): lambda w: w.scores(w.n, w.k),
    ("probability_of_improvement", "second"): lambda w: w.scores(w.n + 1, w.k),
    ("hotelling", "first"): lambda w: w.scores(w.n + 2, 2),
    ("hotelling", "second"): lambda w: w.scores(w.n + 2, 2),
    ("hotelling_repeated", "table"): lambda w: w.scores(w.n + 2, w.k),
    ("manova", "groups"): _measure_tables,
    **{(name, "levels"): lambda w: (np.arange(w.k) + 0.5) / w.k for name in ("wql", "quantile_crps")},
    ("lenth", "effects"): lambda w: w.scores(w.n + 2),
    ("nested_cv_interval", "losses"): lambda w: w.scores(18),
    ("nested_cv_interval", "repeats"): lambda w: _nested(w, "repeats"),
    ("nested_cv_interval", "splits"): lambda w: _nested(w, "splits"),
    ("nested_cv_interval", "rows"): lambda w: _nested(w, "rows"),
    ("nested_cv_interval", "folds"): lambda _: 3,
    ("out_of_bag_error", "losses"): lambda w: np.where(w.flags(w.n, w.k), w.scores(w.n, w.k), np.nan),
    ("simulated_power", "test"): lambda _: stats.paired_t,
    ("simulated_power", "generate"): lambda _: lambda r: (r.normal(size=4), r.normal(size=4)),
    ("simulated_power", "repeats"): lambda _: 5,
    ("computable", "channels"): lambda _: ["label"],
    ("from_records", "names"): lambda _: ["predict_time", "predict_time_per_1000"],
    ("pooled", "name"): lambda w: w.one_of("accuracy", "rmse", "auc"),
    ("information_score", "prior"): lambda _: 0.3,
    ("relative_information_score", "prior"): lambda _: 0.3,
    ("bayes_sign", "prior"): lambda w: w.one_of(1.0, 0.5),
    ("beta_posterior", "prior"): lambda w: w.one_of(1.0, [0.5, 2.0]),
    ("beta_posterior", "rope"): lambda _: 0.01,
    ("bayes_signed_rank", "prior"): lambda _: 0.5,
    ("choose_threshold", "share"): lambda _: 0.3,
    ("equivalent_over_datasets", "share"): lambda _: 0.5,
    ("expected_accuracy", "prior"): lambda w: w.one_of("uniform", 0.2),
    ("power", "n"): lambda w: w.one_of(10, 40, 10**4),
    ("minimum_detectable", "n"): lambda w: w.one_of(10, 40, 10**4),
    ("two_proportions", "n_a"): lambda w: w.n + 3,
}
"""Arguments of single functions, where the name alone does not say what they are."""

OPTIONS: dict[str, Callable[[World], Any]] = {
    "level": lambda w: w.one_of(0.9, 0.99, 0.5, 1 - 1e-9),
    "seed": lambda w: int(w.random.integers(100)),
    "higher_is_better": lambda _: False,
    "blocks": lambda _: True,
    "test_share": lambda _: 0.1,
    "hedges": lambda _: True,
    "interval": lambda _: False,
    "strict": lambda _: False,
    "adjust": lambda w: w.one_of("none", "bonferroni", "holm", "hommel", "rom", "shaffer", "bh"),
    "how": lambda w: w.one_of(*ADJUSTMENTS),
    "p0": lambda w: w.one_of(0.1, 0.7),
    "sd": lambda w: w.scale * 0.1,
    "overlap": lambda w: w.one_of(0.0, 0.5, 1.0),
    "positive": lambda _: 1,
    "beta": lambda w: w.one_of(0.5, 2.0),
    "average": lambda w: w.one_of("macro", "micro", "weighted"),
    "weights": lambda w: w.random.random(w.n),
    "prior": lambda _: 0.2,
    "bins": lambda w: int(w.random.integers(1, 20)),
    "max_fpr": lambda w: w.random.random(),
    "quantile": lambda w: w.one_of(0.1, 0.9),
    "season": lambda w: w.one_of(1, 2, 12),
    "costs": lambda _: (1, 5),
    "weight": lambda _: 0.5,
    "no_information": lambda w: w.random.random(),
    "pseudo": lambda w: w.one_of(0.1, 1.0),
    "points": lambda _: 11,
    "cost_fp": lambda _: 2.0,
    "cost_fn": lambda _: 5.0,
}
"""How optional arguments are made, by the name of the parameter; those that are a Literal take one of its values."""

FEW = {"draws": 99, "replicates": 99, "effective": 20}
"""The number of random draws, kept small."""

MOST_EXACT = 6
"""So many rows at most have exact distributions, which may take seconds for more."""

FORMULAS = {"quade": "f", "aligned_friedman": "chi-square", "friedman": "chi-square", "kruskal": "chi-square"}
FEWEST_ROWS = 4
"""The tests whose exact distributions take seconds for more rows, and the formula that is asked for instead."""

NEEDS = {"groups": 3, "proportion": 0.4, "disagreement": 0.3, "test_share": 0.1}

NOT_CALLED = {
    *("to_table", "all_measures", "names", "measure", "forget", "check_context", "in_words", "function"),
    *("compute_on", "advise_measure"),  # Predictions are made by compute, data sets are read elsewhere
}


def functions() -> dict[str, Callable[..., Any]]:
    """All public functions of stats and measures, by room and name."""
    found = {f"stats.{name}": p.function for name, p in PROCEDURES.items()}
    rooms = (("stats", stats), ("measures", measures))
    for room, module in rooms:
        public = {name: getattr(module, name) for name in module.__all__ if name not in NOT_CALLED}
        found |= {f"{room}.{name}": f for name, f in public.items() if inspect.isfunction(f)}
    return found


def valid(function: Callable[..., Any], w: World) -> Arguments:
    """Arguments of a function by name: all that are required, and some that are not."""
    name = function.__name__
    if name in ("power", "sample_size", "minimum_detectable"):
        return _of_a_design(function, w)
    if w.n > MOST_EXACT and w.random.random() < 0.5:
        w = dataclasses.replace(w, n=MOST_EXACT)
    made: Arguments = {}
    for key, parameter in inspect.signature(function).parameters.items():
        maker = OWN.get((name, key), MAKERS.get(key))
        if parameter.default is parameter.empty:
            made[key] = maker(w)  # type: ignore[misc]
        elif key in FEW:
            made[key] = FEW[key]
        elif w.random.random() < 0.3:
            made |= _option(function, key, w)
    if name in FORMULAS and w.n > FEWEST_ROWS and made.get("method", "auto") in ("auto", "exact"):
        made["method"] = FORMULAS[name]
    return _as_measured(name, made, w)


def _as_measured(name: str, made: Arguments, w: World) -> Arguments:
    """Truth and predictions of the kind that a measure, or a test of one, needs."""
    numeric = measures.is_known(name) and measures.get(name).task == "values"
    if name in ("measure_interval", "measure_permutation", "paired_bootstrap") and w.random.random() < 0.5:
        made["measure"], numeric = w.one_of("mae", "rmse", "r2"), True
        made.pop("positive", None)
    if name == "no_information_rate" and made.get("loss", "zero-one") != "zero-one":
        numeric = True
    if numeric:
        made |= {key: w.scores(w.n) for key in ("truth", "predicted", "first", "second") if key in made}
    if name == "compute":
        made |= {"classes": 2}
    return made


def _option(function: Callable[..., Any], key: str, w: World) -> Arguments:
    if maker := OWN.get((function.__name__, key)):
        return {key: maker(w)}
    values = _literals(function, key)
    if values:
        return {key: w.one_of(*(v for v in values if v != "exact" or w.n <= MOST_EXACT))}
    return {key: OPTIONS[key](w)} if key in OPTIONS else {}


def _literals(function: Callable[..., Any], key: str) -> tuple[Any, ...]:
    try:
        hint = typing.get_type_hints(function).get(key)
    except (NameError, TypeError):
        return ()
    return typing.get_args(hint) if typing.get_origin(hint) is typing.Literal else ()


def _of_a_design(function: Callable[..., Any], w: World) -> Arguments:
    """Arguments of an analysis of power: those that its test needs."""
    test = w.one_of(*DESIGNS)
    made: Arguments = {"test": test, **{key: NEEDS[key] for key in DESIGNS[test].needs}}
    parameters = inspect.signature(function).parameters
    if "n" in parameters:
        made["n"] = w.one_of(10, 40, 10**4)
    if "effect" in parameters:
        made["effect"] = w.one_of(0.1, 0.3, 0.05, 1e-3)
    if w.random.random() < 0.3:
        made["alternative"] = w.one_of("two-sided", "greater", "less")
    if w.random.random() < 0.3:
        made["strict"] = False
    return made
