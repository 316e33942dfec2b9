"""What must hold of every answer of stats and measures, and of the answers to changed questions."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from function_arguments import Arguments
from scipy import stats as scipy_stats

from fairtrial import measures
from fairtrial.stats import Comparisons, Interval, Outcome
from fairtrial.tables import Table

Ask = Callable[[Arguments], Any]
NOTES = "notes"


def strange(found: Any) -> str | None:
    """What is wrong with an answer as such, or None; everything that can be shown is shown."""
    str(found)
    repr(found)
    for show in ("to_dict", "to_table"):
        if hasattr(found, show) and not isinstance(found, type):
            getattr(found, show)()
    return next((wrong for part in _parts(found) if (wrong := _wrong_part(part))), None)


def _parts(found: Any) -> Iterator[Any]:
    if isinstance(found, tuple | list):
        for part in found:
            yield from _parts(part)
    elif isinstance(found, Comparisons):
        yield found
        yield from found.outcomes
        yield from found.simultaneous
    else:
        yield found


def _wrong_part(part: Any) -> str | None:
    if isinstance(part, Outcome):
        return _wrong_outcome(part)
    if isinstance(part, Interval):
        return _wrong_interval(part, part.notes)
    if isinstance(part, Comparisons):
        bad = [p for p in part.p_adjusted if not (0 <= p <= 1 or math.isnan(p))]
        return f"adjusted p of {bad}" if bad else None
    return None


def _wrong_outcome(found: Outcome) -> str | None:
    if not (0 <= found.p_value <= 1) and not (math.isnan(found.p_value) and found.notes):
        return f"p is {found.p_value!r} with notes {found.notes!r}"
    return None if found.effect is None else _wrong_interval(found.effect, (*found.notes, *found.effect.notes))


def _wrong_interval(found: Interval, notes: tuple[str, ...]) -> str | None:
    numbers = (found.low, found.estimate, found.high)
    if any(math.isnan(x) for x in numbers):
        only_an_estimate = math.isfinite(found.estimate) and math.isnan(found.low) and math.isnan(found.high)
        return None if notes or only_an_estimate else f"{numbers!r} is nan without a note"
    slack = 1e-9 * max(abs(x) for x in numbers if math.isfinite(x)) if any(map(math.isfinite, numbers)) else 0.0
    if found.low > found.high + slack:
        return f"the interval is turned around: {numbers!r}"
    apart = "noncentral F" in found.method  # estimates and F may be smaller than any effect allows
    if not found.low - slack <= found.estimate <= found.high + slack and not notes and not apart:
        return f"the interval does not hold its estimate: {numbers!r} ({found.quantity}, {found.method})"
    return None


def alike(first: Any, second: Any, close: float = 1e-9) -> bool:
    """Whether two answers agree up to rounding."""
    if isinstance(first, str | bytes | bool | type(None)):
        return type(first) is type(second) and first == second
    if isinstance(first, float | int | np.number | np.ndarray):
        return _close(first, second, close)
    if isinstance(first, Mapping):
        return first.keys() == second.keys() and all(alike(first[k], second[k], close) for k in first)
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(alike(a, b, close) for a, b in zip(first, second, strict=True))
    if isinstance(first, Table):
        return str(first) == str(second)
    if dataclasses.is_dataclass(first):
        names = [f.name for f in dataclasses.fields(first) if f.name not in (NOTES, "names")]
        return all(alike(getattr(first, n), getattr(second, n), close) for n in names if not n.startswith("_"))
    return True


def _close(first: Any, second: Any, close: float) -> bool:
    a, b = np.asarray(first), np.asarray(second)
    if a.shape != b.shape:
        return False
    if a.dtype.kind not in "biuf" or b.dtype.kind not in "biuf":
        return bool((a == b).all())
    largest = float(np.nanmax(np.abs(np.where(np.isfinite(a), a, 0.0)), initial=0.0))
    return bool(np.allclose(a.astype(float), b.astype(float), rtol=close, atol=close * largest, equal_nan=True))


def other_than(name: str, arguments: Arguments, found: Any, ask: Ask, random: np.random.Generator) -> str | None:
    """What the answer contradicts: the same question asked in another order, unit or direction, or scipy."""
    for oracle in (_rows_in_another_order, _methods_swapped, _another_unit, _measure_in_range, _scipy):
        if wrong := oracle(name, arguments, found, ask, random):
            return wrong
    return None


TOGETHER = (
    "a",
    "b",
    "truth",
    "predicted",
    "scores",
    "probabilities",
    "std",
    "naive_scale",
    "quantiles",
    "low",
    "high",
    "weights",
    "first",
    "second",
    "scores_a",
    "scores_b",
)
DRAWN = {"seed", "draws", "replicates"}
ORDERED = {
    "stats.nested_cv_interval",
    "measures.ratio",
    "measures.from_records",
    "stats.bayes_hierarchical",
    "measures.compute",
}


def _rows_in_another_order(
    name: str, arguments: Arguments, found: Any, ask: Ask, random: np.random.Generator
) -> str | None:
    """Instances, data sets and folds have no order; nor have random draws, which are left out."""
    if DRAWN & set(arguments) or name in ORDERED:
        return None
    keys = [k for k in (*TOGETHER, "table") if isinstance(arguments.get(k), np.ndarray) and arguments[k].ndim]
    sizes = {len(arguments[k]) for k in keys}
    if len(sizes) != 1 or "folds" in arguments or "model" in arguments:
        return None
    order = random.permutation(sizes.pop())
    other = ask({**arguments, **{k: arguments[k][order] for k in keys}})
    if isinstance(other, type(found)) and not alike(_core(found), _core(other), 1e-6):
        return f"depends on the order of rows: {_core(found)} and {_core(other)}"
    return None


SWAPPED = {"a": "b", "b": "a", "scores_a": "scores_b", "scores_b": "scores_a"}
SIGNED = {"paired_t", "corrected_t", "wilcoxon", "sign_test", "delong", "paired_permutation", "mean_difference"}


def _methods_swapped(name: str, arguments: Arguments, found: Any, ask: Ask, random: np.random.Generator) -> str | None:
    """Two methods that change places flip the sign of the effect, and keep the p-value of both sides."""
    if name.split(".")[1] not in SIGNED or arguments.get("alternative", "two-sided") != "two-sided":
        return None
    if arguments.get("truth_b") is not None or arguments.get("method") == "monte-carlo":
        return None
    other = ask({**arguments, **{k: arguments[v] for k, v in SWAPPED.items() if v in arguments}})
    p, q = (getattr(x, "p_value", math.nan) for x in (found, other))
    first, second = (x if isinstance(x, Interval) else getattr(x, "effect", None) for x in (found, other))
    if not _close(p, q, 1e-7) and getattr(found, "p_error", 0.0) == 0:
        return f"p is {p} and, with methods swapped, {q}"
    if first is not None and second is not None and not alike(first.negated(), second, 1e-6):
        return f"the effect is {first} and, with methods swapped, {second}"
    return None


NO_UNIT = {
    *("paired_t", "corrected_t", "wilcoxon", "sign_test", "friedman", "iman_davenport", "quade", "aligned_friedman"),
    *("kruskal", "anova", "repeated_anova", "five_by_two_t", "five_by_two_f", "kendall_w", "rank_biserial", "tukey"),
    *("cliffs_delta", "vargha_delaney", "superiority", "cohen_d", "eta_squared", "hotelling_repeated", "r2", "auc"),
    *("hotelling", "manova", "dunn", "nemenyi", "pairwise_t", "average_precision", "explained_variance", "rae"),
}
UNIT = 2.0**-7


def _another_unit(name: str, arguments: Arguments, found: Any, ask: Ask, random: np.random.Generator) -> str | None:
    """A test or measure without a unit does not see that of the scores, if it is divided by a power of two."""
    if name.split(".")[1] not in NO_UNIT:
        return None
    changed = {k: _scaled(v) for k, v in arguments.items() if k != "weights"}
    other = ask({**arguments, **changed})
    p, q = (
        x if isinstance(x, float) else getattr(x, "p_value", getattr(x, "p_adjusted", math.nan)) for x in (found, other)
    )
    if other is not None and type(found) is type(other) and not _close(p, q, 1e-4):
        return f"depends on the unit: {p} and {q}"
    return None


def _scaled(value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        small = np.abs(value).max(initial=0.0) * UNIT
        return value if small < 1e-300 else value * UNIT
    if isinstance(value, list) and value and isinstance(value[0], np.ndarray):
        return [_scaled(v) for v in value]
    if isinstance(value, Mapping):
        return {k: _scaled(v) for k, v in value.items()}
    return value


def _measure_in_range(name: str, arguments: Arguments, found: Any, ask: Ask, random: np.random.Generator) -> str | None:
    if not isinstance(found, float) or not measures.is_known(name.split(".")[1]) or name.startswith("stats"):
        return None
    facts = measures.get(name.split(".")[1])
    if not facts.directed or "prior" in arguments:
        return None
    low, high = sorted((facts.worst, facts.best))
    slack = 1e-9
    return None if math.isnan(found) or low - slack <= found <= high + slack else f"{found} is not in {facts.range}"


def _core(found: Any) -> Any:
    """The numbers of an answer by which it is compared."""
    if isinstance(found, Outcome):
        e = found.effect
        return (found.p_value, None if e is None else (e.estimate, e.low, e.high))
    if isinstance(found, Interval):
        return (found.estimate, found.low, found.high)
    if isinstance(found, Comparisons):
        return found.p_adjusted
    return found if isinstance(found, float | tuple) else None


PEERS: dict[str, Callable[[Arguments], float]] = {
    "stats.paired_t": lambda a: scipy_stats.ttest_rel(a["a"], a["b"]).pvalue,
    "stats.sign_test": lambda a: _sign(a["a"] - a["b"]),
    "stats.kruskal": lambda a: scipy_stats.kruskal(*_samples(a["groups"])).pvalue,
    "stats.anova": lambda a: scipy_stats.f_oneway(*_samples(a["groups"])).pvalue,
    "stats.binomial_test": lambda a: scipy_stats.binomtest(a["successes"], a["n"], a.get("p0", 0.5)).pvalue,
    "stats.one_sample_t": lambda a: scipy_stats.ttest_1samp(a["values"], a["mean0"]).pvalue,
    "stats.friedman": lambda a: scipy_stats.friedmanchisquare(*a["table"].T).pvalue,
    "measures.auc": lambda a: _auc(a["truth"], a["scores"]),
    "measures.mae": lambda a: float(np.abs(a["truth"] - a["predicted"]).mean()),
}
ASK_AS = {"stats.kruskal": {"method": "chi-square"}, "stats.friedman": {"method": "chi-square"}}
ALONE = {
    "a",
    "b",
    "groups",
    "successes",
    "n",
    "p0",
    "values",
    "mean0",
    "table",
    "truth",
    "scores",
    "predicted",
    "level",
    "seed",
    "draws",
    "method",
    "positive",
    "names",
}


def _scipy(name: str, arguments: Arguments, found: Any, ask: Ask, random: np.random.Generator) -> str | None:
    """The p-value of scipy's test where it is the same test, on scores of a size that scipy can take."""
    if name not in PEERS or set(arguments) - ALONE or not _plain(arguments):
        return None
    if arguments.get("method") not in (None, "exact") and name == "stats.binomial_test":
        return None
    found = ask({**arguments, **ASK_AS[name]}) if name in ASK_AS else found
    ours = found if isinstance(found, float) else getattr(found, "p_value", math.nan)
    try:
        theirs = float(PEERS[name](arguments))
    except ValueError:
        return None
    if math.isnan(ours) or math.isnan(theirs) or _close(ours, theirs, 1e-6):
        return None
    return f"scipy has {theirs}, not {ours}"


def _plain(arguments: Arguments) -> bool:
    arrays = [
        np.asarray(x) for v in arguments.values() for x in (_samples(v) if isinstance(v, list | Mapping) else [v])
    ]
    numbers = [x for x in arrays if x.dtype.kind == "f" and x.ndim]
    return all(1e-6 < np.ptp(x) < 1e6 and np.abs(x).max() < 1e4 for x in numbers)


def _samples(groups: Any) -> list[Any]:
    return list(groups.values()) if isinstance(groups, Mapping) else list(groups)


def _sign(differences: np.ndarray) -> float:
    wins, losses = int((differences > 1e-12).sum()), int((differences < -1e-12).sum())
    return scipy_stats.binomtest(wins, wins + losses).pvalue if wins + losses else math.nan


def _auc(truth: np.ndarray, scores: np.ndarray) -> float:
    positive, negative = scores[truth == 1], scores[truth == 0]
    if not len(positive) or not len(negative):
        return math.nan
    return float(scipy_stats.mannwhitneyu(positive, negative).statistic / len(positive) / len(negative))


__all__ = ["alike", "other_than", "strange"]
