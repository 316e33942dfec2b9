"""The numbers of very many verdicts and answers about factors, frozen in a file, so that two commits can be compared.

Words are not frozen: a rewrite of sentences and pages must leave all of this as it is. With one copy of this script and
the package of either commit (the script of the later one, whose accessors below may know more than one shape):

    git worktree add ../before 5ad84ebe
    PYTHONPATH=../before/src python tests/verdict/frozen.py make before.json
    PYTHONPATH=src python tests/verdict/frozen.py make after.json
    python tests/verdict/frozen.py compare before.json after.json

``make --only PATTERN`` makes the cases whose names the regular expression finds. ``compare`` prints a line for each
number, name or decision that differs, with the case and its path, and exits with 1 if there is one; ``--skip PATTERN``
leaves out paths, for instance ``--skip '^table'`` where columns have moved on purpose. A case that raises is frozen as
the name of the error. What no accessor finds is frozen as ``NOWHERE``: then the accessor must learn the new place.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import product
from numbers import Integral, Real
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
TESTS, ROOT = HERE.parent, HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE / "situations"), str(TESTS / "experiments")]

from fairtrial.results import Results, read_predictions, read_scores  # noqa: E402

NOWHERE = "found nowhere"
DIGITS, TOLERANCE = 12, 1e-9
LONGEST_NAME = 8  # words; more are a sentence
A_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:")  # when a study was run, which is another each time

# ------------------------------------------------------------------------- where the numbers are: extend here


def first_of(thing: Any, *paths: str) -> Any:
    """What the first path that exists leads to; ``found nowhere`` if none does."""
    for path in paths:
        found = thing
        for name in path.split("."):
            found = getattr(found, name, NOWHERE)
            if found is NOWHERE:
                break
        if found is not NOWHERE:
            return found
    return NOWHERE


def rule_of(verdict: Any) -> Any:
    rule = first_of(verdict, "rule", "finding.rule")
    return getattr(rule, "name", rule)


def measure_of(verdict: Any) -> Any:
    return first_of(verdict, "measure.name", "evidence.measure.name")


def winner_of(verdict: Any) -> Any:
    """Of a verdict, or of a part of it; so are all below where both paths are given."""
    return first_of(verdict, "finding.winner", "winner")


def best_of(verdict: Any) -> Any:
    return first_of(verdict, "finding.best", "best")


def order_of(verdict: Any) -> Any:
    return first_of(verdict, "finding.order", "order")


def pairs_of(verdict: Any) -> Any:
    return first_of(verdict, "finding.pairs", "pairs")


def comparisons_of(verdict: Any) -> Any:
    return first_of(verdict, "finding.comparisons", "comparisons")


def claim_of(verdict: Any) -> Any:
    return first_of(verdict, "finding.claim", "claim")


def omnibus_of(verdict: Any) -> Any:
    return first_of(verdict, "finding.omnibus", "omnibus")


def joint_test_of(verdict: Any) -> Any:
    return first_of(verdict, "finding.joint_test", "joint_test")


def measures_of(verdict: Any) -> Any:
    """The measures that are tested at once."""
    return first_of(verdict, "finding.measures", "measures")


def parts_of(verdict: Any) -> dict[str, Any]:
    """The finding on each data set, by name."""
    found = first_of(verdict, "finding.parts", "parts")
    return {"": found} if found is NOWHERE else dict(found)


def guards_of(verdict: Any) -> Any:
    return first_of(verdict, "notices", "finding.notices")


def evidence_of(verdict: Any) -> Any:
    return first_of(verdict, "evidence", "finding.evidence")


def methods_of(verdict: Any) -> tuple[str, ...]:
    """The names to which the numbers of a pair belong; a part of a verdict has them in its comparisons alone."""
    for found in (first_of(verdict, "evidence.methods"), first_of(comparisons_of(verdict), "names")):
        if found is not NOWHERE:
            return tuple(found)
    return ()


def means_of(verdict: Any) -> Any:
    """The mean of each method and yardstick on each data set."""
    evidence = evidence_of(verdict)
    means, names, datasets = (first_of(evidence, name) for name in ("means", "columns", "datasets"))
    if NOWHERE in (str(means), names, datasets):
        return NOWHERE
    return {d: dict(zip(names, row, strict=True)) for d, row in zip(datasets, np.asarray(means).tolist(), strict=True)}


def estimates_of(verdict: Any) -> Any:
    """The mean of each method over all data sets, with its interval, at the level of the question."""
    from fairtrial.verdict.estimates import estimates

    evidence = evidence_of(verdict)
    found = estimates(evidence, first_of(verdict, "question.level"))
    return dict(zip(evidence.columns, map(plain, found), strict=True))


def tables_of(verdict: Any) -> list[Any]:
    """The first table and those below it; of a part, its own."""
    table = verdict.to_table() if hasattr(verdict, "to_table") else first_of(verdict, "table")
    more = first_of(verdict, "finding.more_tables", "more_tables")
    return [table, *(() if more is NOWHERE else more)]


def levels_of(verdicts: Any) -> Iterable[tuple[Mapping[str, Any], Any]]:
    """Verdicts at several levels: each with its levels."""
    return zip(first_of(verdicts, "levels"), first_of(verdicts, "verdicts"), strict=True)


def is_several(answer: Any) -> bool:
    return not isinstance(first_of(answer, "verdicts"), str)


def is_verdict(answer: Any) -> bool:
    return first_of(answer, "finding", "pairs") is not NOWHERE and evidence_of(answer) is not NOWHERE


# of the answers about factors: what is words in to_dict(), the keys whose strings are names, and keys that have changed
WORDS = {
    *("answer", "sentences", "test", "why", "next", "checks", "notes", "caption", "stable", "question", "versions"),
    *("statements", "more_tables", "reference", "made_by", "options", "stated", "at_levels", "source", "content"),
}
NAMES = {
    *("kind", "measure", "criterion", "setting", "settings", "best_mean", "conditions", "units", "factors", "active"),
    *("uncontrollable", "shown", "base", "whole", "components", "decisions", "names"),
}
RENAMED: dict[str, str] = {}  # a key of to_dict() as it is now called: as it was called before

# ------------------------------------------------------------------------------------------- from numbers to data


def number(value: Any) -> Any:
    """A number with so many digits; nan and infinities, which JSON has not, as strings."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    value = float(value)
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else str(value)


def plain(thing: Any, names: bool = False) -> Any:
    """All numbers inside of something, by name or place; with strings only where these are ``names``."""
    if thing is None or thing is NOWHERE:
        return thing
    if isinstance(thing, str):
        name = "a time" if A_TIME.match(thing) else thing
        return name if names and len(thing.split()) <= LONGEST_NAME else None
    if isinstance(thing, Real | np.bool_):
        return number(thing)
    if isinstance(thing, np.ndarray):
        return plain(thing.tolist(), names)
    if is_dataclass(thing) and not isinstance(thing, type):
        thing = {f.name: getattr(thing, f.name) for f in fields(thing) if f.repr}
    if isinstance(thing, Mapping):
        return {str(k): v for k, own in thing.items() if k != "notes" and is_kept(v := plain(own, names))}
    if isinstance(thing, Iterable):
        return [plain(own, names) for own in thing]
    return None


def is_kept(value: Any) -> bool:
    """Whether anything is left when the words are out."""
    return value is not None and not (isinstance(value, list) and value and all(v is None for v in value))


def frozen_p(value: Any) -> Any:
    """A p-value; one that is only a bound, the smallest that random draws can give, says so."""
    if type(value).__name__ == "AtMost":
        return {"at most": number(value)}
    return number(value)


def frozen_pairs(verdict: Any) -> Any:
    pairs = pairs_of(verdict)
    if pairs is NOWHERE:
        return pairs
    names = methods_of(verdict)
    found = {}
    for pair in pairs:
        first, second = (names[m] if m < len(names) else m for m in (pair.first, pair.second))
        found[f"{first} − {second}"] = {
            "decision": first_of(pair, "decision"),
            "different": first_of(pair, "different"),
            "p_value": frozen_p(pair.p_value),
            "p_adjusted": frozen_p(pair.p_adjusted),
            **{name: plain(first_of(pair, name)) for name in ("effect", "own", "spread", "no_better", "no_worse")},
            **{name: first_of(pair, name) for name in ("ahead", "winner")},
        }
    return found


def frozen_comparisons(verdict: Any) -> Any:
    """The tests of all pairs, by the names of the methods."""
    found = comparisons_of(verdict)
    if found is None or found is NOWHERE:
        return found
    pairs = [f"{found.names[i]} − {found.names[j]}" for i, j in found.pairs]
    return {
        "outcomes": dict(zip(pairs, map(plain, found.outcomes), strict=True)),
        "p_adjusted": dict(zip(pairs, map(number, found.p_adjusted), strict=True)),
        "simultaneous": dict(zip(pairs, map(plain, found.simultaneous), strict=False)),
        "adjusted": found.adjusted,
        "level": found.level,
        "details": plain(found.details),
    }


def frozen_guards(verdict: Any) -> Any:
    """What each guard found, without its sentence and without the place among the others."""
    notices = guards_of(verdict)
    if notices is NOWHERE:
        return notices
    found = [
        (n.guard, n.about, {"severity": n.severity, "stage": n.stage, "evidence": plain(n.evidence, names=True)})
        for n in notices
    ]
    named: dict[str, Any] = {}
    for guard, about, known in sorted(found, key=lambda f: json.dumps(f, sort_keys=True, ensure_ascii=False)):
        name = f"{guard} ({about})" if about else guard
        named.setdefault(name, []).append(known)
    return named


def frozen_claim(verdict: Any) -> Any:
    claim = claim_of(verdict)
    return claim if claim in (None, NOWHERE) else {"answer": first_of(claim, "answer"), **plain(claim)}


def frozen_tables(verdict: Any) -> list[Any]:
    """The numbers of each row of each table, by the keys of the columns."""
    return [t if t is NOWHERE else [plain(row) for row in t.to_dict()["rows"]] for t in tables_of(verdict)]


def attempt(make: Callable[[Any], Any], verdict: Any) -> Any:
    """What a function freezes, or the name of its error: the others go on."""
    try:
        return make(verdict)
    except Exception as error:  # noqa: BLE001
        return {"error": type(error).__name__}


def frozen_finding(verdict: Any) -> dict[str, Any]:
    """The answer of a verdict, or of a part of it on one data set."""
    made: dict[str, Callable[[Any], Any]] = {
        "winner": winner_of,
        "best": lambda v: best if (best := best_of(v)) is NOWHERE else sorted(best),
        "order": lambda v: order if (order := order_of(v)) is NOWHERE else list(order),
        "pairs": frozen_pairs,
        "comparisons": frozen_comparisons,
        "claim": frozen_claim,
        "omnibus": lambda v: plain(omnibus_of(v)),
        "joint_test": lambda v: plain(joint_test_of(v)),
        "measures": lambda v: plain(measures_of(v), names=True),
        "parts": lambda v: {name: p if p is NOWHERE else frozen_finding(p) for name, p in parts_of(v).items()},
        "table": frozen_tables,
    }
    return {name: attempt(make, verdict) for name, make in made.items()}


def frozen_verdict(verdict: Any) -> dict[str, Any]:
    made: dict[str, Callable[[Any], Any]] = {
        "rule": rule_of,
        "measure": measure_of,
        "guards": frozen_guards,
        "means": lambda v: plain(means_of(v)),
        "estimates": estimates_of,
        "did_not_run": lambda v: plain(first_of(v, "did_not_run"), names=True),
        "failed": lambda v: first_of(v, "failed"),
    }
    return frozen_finding(verdict) | {name: attempt(make, verdict) for name, make in made.items()}


def frozen_levels(verdicts: Any) -> dict[str, Any]:
    """Verdicts at several levels, each by its levels."""
    return {
        "levels": {json.dumps(plain(at, names=True)): frozen_verdict(v) for at, v in levels_of(verdicts)},
        "guards": attempt(frozen_guards, verdicts),
        "table": attempt(frozen_tables, verdicts),
        "order_effects": plain(first_of(verdicts, "order_effects")),
    }


def leaves_of(known: Any, key: str = "", names: bool = False) -> Any:
    """The numbers of what to_dict() gives, with the strings that are names."""
    if isinstance(known, Mapping):
        kept = ((str(k), own) for k, own in known.items() if k not in WORDS)
        made = {RENAMED.get(k, k): leaves_of(own, k, names or k in NAMES) for k, own in kept}
        return {k: own for k, own in made.items() if is_kept(own)}
    if isinstance(known, list | tuple):
        return [leaves_of(own, key, names) for own in known]
    return plain(known, names)


def frozen(answer: Any) -> dict[str, Any]:
    """The numbers of a verdict, of verdicts at several levels, or of an answer about factors."""
    if is_several(answer):
        return frozen_levels(answer)
    if is_verdict(answer):
        return frozen_verdict(answer)
    return {"answer": leaves_of(answer.to_dict()), "guards": attempt(frozen_guards, answer)}


# -------------------------------------------------------------------------------------------------- made tables

Made = Callable[[], Any]


def long_table(
    seed: int, datasets: int, gaps: Iterable[float], *, noise: float = 0.01, folds: int = 1, repeats: int = 1,
    wobble: float = 0.0, holes: int = 0, top: float = 0.9,
) -> pd.DataFrame:  # fmt: skip
    """Scores of methods m0, m1, … that are better than a base by the gaps; on each data set by ``wobble`` more or less.

    Every hole-th score of the last method is missing.
    """
    random, gaps, rows = np.random.default_rng(seed), tuple(gaps), []
    for d in range(datasets):
        base = random.uniform(0.5, 0.7)
        for m, gap in enumerate(gaps):
            own = base + gap + random.normal(0, wobble) if wobble else base + gap
            for repeat, fold in product(range(repeats), range(folds)):
                value = min(own + random.normal(0, noise), top)
                if holes and m == len(gaps) - 1 and (d + fold) % holes == 0:
                    value = math.nan
                rows.append((f"set{d}", f"m{m}", repeat, fold, value))
    found = pd.DataFrame(rows, columns=["dataset", "method", "repeat", "fold", "value"])
    return found if folds * repeats > 1 else found.drop(columns=["repeat", "fold"])


def scores(*table: Any, measure: str = "accuracy", read: Mapping[str, Any] | None = None, **more: Any) -> Results:
    return read_scores(long_table(*table, **more), measure=measure, **(read or {}))


def rounded(*table: Any) -> Results:
    return read_scores(long_table(*table).round({"value": 2}), measure="accuracy")


def errors(seed: int, datasets: int, factors: Iterable[float], measure: str = "rmse", **read: Any) -> Results:
    """Errors on scales of very different sizes, which differ by factors."""
    random = np.random.default_rng(seed)
    scale = 10 ** random.uniform(-2, 3, datasets)
    columns = {f"m{i}": scale * f * np.exp(random.normal(0, 0.08, datasets)) for i, f in enumerate(factors)}
    return read_scores(
        pd.DataFrame({"dataset": [f"set{d}" for d in range(datasets)], **columns}), measure=measure, **read
    )


def measured(seed: int, datasets: int, methods: int) -> Results:
    """Recall and fpr: each method has more of both than the one before."""
    random, rows = np.random.default_rng(seed), []
    for d, m, measure in product(range(datasets), range(methods), ("recall", "fpr")):
        rows.append((f"set{d}", f"m{m}", measure, 0.4 + 0.02 * (d % 7) + 0.03 * m + random.normal(0, 0.02)))
    return read_scores(pd.DataFrame(rows, columns=["dataset", "method", "measure", "value"]), measure="recall")


def predictions(
    seed: int, n: int, signals: Iterable[float], *, clusters: int = 0, labels: bool = False, numeric: bool = False
) -> Results:
    """Fixed models on one test set: probabilities, labels or numbers, which know more or less of the truth."""
    random = np.random.default_rng(seed)
    truth = random.normal(0, 1, n) if numeric else random.integers(0, 2, n)
    frame = pd.DataFrame({"y": truth})
    for i, signal in enumerate(signals):
        if numeric:
            frame[f"m{i}"] = truth + random.normal(0, signal, n)
        else:
            guess = 1 / (1 + np.exp(-(signal * (2 * truth - 1) + random.normal(0, 1, n))))
            frame[f"m{i}"] = (guess > 0.5).astype(int) if labels else guess
    if clusters:
        frame["group"] = np.sort(random.integers(0, clusters, n))
    return read_predictions(
        frame, truth="y", cluster="group" if clusters else None, positive=None if numeric else 1,
        measure="rmse" if numeric else None,
    )  # fmt: skip


def with_yardsticks(results: Results, **levels: Any) -> Results:
    return replace(results, question=replace(results.question, yardsticks=levels))


def leveled(
    seed: int, datasets: int, factor: str, levels: Iterable[Any], methods: int = 3, cross: float = 0.1
) -> Results:
    """Methods of which the last is better at the first level, and the first at the last."""
    random, rows, levels = np.random.default_rng(seed), [], tuple(levels)
    base = random.uniform(0.6, 0.7, datasets)
    for (i, level), m, d in product(enumerate(levels), range(methods), range(datasets)):
        tilt = (i / max(1, len(levels) - 1) - 0.5) * (methods / 2 - m)
        rows.append((f"set{d}", f"m{m}", level, base[d] + cross * tilt + random.normal(0, 0.01)))
    frame = pd.DataFrame(rows, columns=["dataset", "method", factor, "value"])
    return read_scores(frame, measure="accuracy")


HALVES = {"odd": [f"set{d}" for d in range(1, 16, 2)], "last": ["set12", "set14"]}
TENS = {f"family{i}": [f"set{d}" for d in range(i, 40, 10)] for i in range(10)}
SPLIT = {"10-fold": {"folds": 10}, "10x10-fold": {"folds": 10, "repeats": 10}, "5x2-fold": {"folds": 2, "repeats": 5}}


def split(seed: int, datasets: int, gaps: Iterable[float], scheme: str = "10-fold", **more: Any) -> Results:
    return scores(seed, datasets, gaps, read={"resampling": scheme}, noise=0.02, **SPLIT[scheme], **more)


def made_cases() -> dict[str, Made]:
    """Tables that are made here, over as many kinds of questions as there are."""
    five, ten = (0, 0.01, 0.01, 0.02, 0.04), np.linspace(0, 0.09, 10)
    return {
        "2 methods, 12 data sets": lambda: scores(1, 12, (0, 0.02)).verdict(),
        "2 methods, 6 data sets": lambda: scores(2, 6, (0, 0.02)).verdict(),
        "2 methods, 5 data sets": lambda: scores(3, 5, (0, 0.05)).verdict(),
        "2 methods, 40 data sets, wobble": lambda: scores(4, 40, (0, 0.01), wobble=0.03).verdict(
            smallest_difference=0.01
        ),
        "2 methods, equal, 40 data sets": lambda: scores(5, 40, (0, 0), noise=0.003).verdict(smallest_difference="1pp"),
        "3 methods, 40 data sets, δ": lambda: scores(6, 40, (0, 0.01, 0.03)).verdict(smallest_difference=0.02),
        "4 methods, 20 data sets, level 0.9": lambda: scores(7, 20, (0, 0, 0.01, 0.02), wobble=0.01).verdict(level=0.9),
        **{
            f"5 methods, 15 data sets, {how}": lambda how=how: scores(8, 15, five).verdict(adjust=how)
            for how in ("simultaneous", "holm", "shaffer", "bonferroni", "none")
        },
        "10 methods, 12 data sets": lambda: scores(9, 12, ten).verdict(),
        "12 methods, 30 data sets": lambda: scores(10, 30, np.linspace(0, 0.02, 12), wobble=0.01).verdict(),
        "12 methods, 30 data sets, control": lambda: scores(10, 30, np.linspace(0, 0.02, 12)).verdict(control="m6"),
        "control, δ": lambda: scores(11, 14, (0, 0.02, -0.02, 0)).verdict(control="m0", smallest_difference=0.01),
        "control, one method": lambda: scores(12, 14, (0, 0.02)).verdict(control="m0"),
        "control, greater": lambda: scores(11, 14, (0, 0.02, -0.02, 0)).verdict(control="m0", alternative="better"),
        "not worse": lambda: scores(13, 20, (0, -0.002, -0.02)).verdict(
            control="m0", alternative="not worse", smallest_difference=0.01
        ),
        "not worse, folds": lambda: split(14, 1, (0, 0.0, -0.05), "10x10-fold").verdict(
            control="m0", alternative="not worse", smallest_difference=0.02
        ),
        "means": lambda: scores(15, 20, (0, 0.01, 0.03), wobble=0.02).verdict(estimand="mean"),
        "means, two": lambda: scores(16, 20, (0, 0.01), wobble=0.02).verdict(
            estimand="mean", smallest_difference=0.02
        ),
        "means, control": lambda: scores(17, 20, (0, 0.01, 0.03)).verdict(estimand="mean", control="m1"),
        "ties": lambda: rounded(18, 20, (0, 0.01, 0.02)).verdict(),
        "ties, two, means": lambda: rounded(18, 20, (0, 0.01)).verdict(estimand="mean"),
        "ratios, two": lambda: errors(19, 15, (1, 1.2)).verdict(),
        "ratios, four": lambda: errors(20, 25, (1, 1.02, 1.2, 1.5)).verdict(smallest_difference="10%"),
        "ratios, times": lambda: errors(21, 12, (1, 3, 3.1), measure="fit_time").verdict(),
        "ratios, few data sets": lambda: errors(22, 4, (1, 3, 3.1)).verdict(),
        "ratios, unknown measure": lambda: errors(23, 14, (1, 1.1, 1.3), "loss", higher_is_better=False).verdict(),
        "failures, baseline": lambda: scores(
            24, 16, (0, 0.03, 0.05), holes=5, read={"baseline": "m0"}
        ).verdict(),
        **{
            f"failures, {policy}": lambda policy=policy: scores(25, 16, (0, 0.03, 0.05), holes=5).verdict(
                failures=policy, baseline="m0"
            )
            for policy in ("baseline", "worst", "drop", "refuse")  # the last: an error
        },
        "failures, folds": lambda: split(26, 3, (0, 0.03, 0.05), holes=4, ).verdict(failures="worst"),
        "a method that failed nearly everywhere": lambda: scores(27, 12, (0, 0.03, 0.05), holes=1).verdict(),
        "families": lambda: scores(28, 16, (0, 0.03)).verdict(family=HALVES),
        "families, three methods, δ": lambda: scores(29, 16, (0, 0.03, 0.03)).verdict(
            family=HALVES, smallest_difference=0.01
        ),
        "ten families": lambda: scores(76, 40, (0, 0.01, 0.02)).verdict(family=TENS, smallest_difference=0.01),
        "ten families, two": lambda: scores(77, 40, (0, 0.01), wobble=0.02).verdict(family=TENS),
        "ten families, means, control": lambda: scores(78, 40, (0, 0.01, 0.02), wobble=0.02).verdict(
            family=TENS, estimand="mean", control="m1"
        ),
        "yardsticks": lambda: with_yardsticks(scores(30, 12, (0, 0.03)), human=0.65).verdict(),
        "yardsticks by data set": lambda: with_yardsticks(
            scores(31, 10, (0, 0.03, 0.04)), published={f"set{d}": 0.6 + d / 100 for d in range(10)}, people=0.9
        ).verdict(),
        "yardsticks, folds": lambda: with_yardsticks(split(32, 1, (0, 0.03)), human=0.7).verdict(),
        "ceiling": lambda: scores(33, 12, (0.3, 0.32, 0.4), top=0.999).verdict(),
        "10-fold": lambda: split(34, 1, (0, 0.04)).verdict(),
        "10-fold, four methods, δ": lambda: split(35, 1, (0, 0.0, 0.04, 0.06)).verdict(smallest_difference=0.01),
        "10-fold, control": lambda: split(35, 1, (0, 0.0, 0.04, 0.06)).verdict(control="m0"),
        "10x10-fold": lambda: split(36, 1, (0, 0.01, 0.03), "10x10-fold").verdict(),
        "10x10-fold, equal": lambda: split(37, 1, (0, 0.0), "10x10-fold").verdict(smallest_difference=0.02),
        "5x2-fold": lambda: split(38, 1, (0, 0.05), "5x2-fold").verdict(),
        "five_by_two_f": lambda: split(38, 1, (0, 0.05), "5x2-fold").verdict(test="five_by_two_f"),
        "five_by_two_t": lambda: split(38, 1, (0, 0.05), "5x2-fold").verdict(test="five_by_two_t"),
        "repeated_anova": lambda: scores(39, 12, (0, 0.01, 0.03)).verdict(test="repeated_anova"),
        "folds, unknown scheme": lambda: scores(40, 8, (0, 0.02), folds=5).verdict(),
        "few data sets, 10-fold": lambda: split(41, 3, (0, 0.03, 0.05), wobble=0.03).verdict(),
        "few data sets, 10-fold, two, δ": lambda: split(42, 4, (0, 0.03)).verdict(smallest_difference=0.01),
        "these domains": lambda: split(43, 7, (0, 0.02, 0.03), wobble=0.03).verdict(domains="these"),
        "many data sets, 10-fold": lambda: split(44, 12, (0, 0.02, 0.03), wobble=0.02).verdict(
            smallest_difference="1pp"
        ),
        "per_dataset, corrected_t": lambda: split(45, 6, (0, 0.02, -0.05), wobble=0.03).verdict(
            control="m0", per_dataset="corrected_t"
        ),
        "per_dataset, paired_t": lambda: split(45, 6, (0, 0.02, -0.05), wobble=0.03).verdict(
            control="m0", per_dataset="paired_t", adjust="none"
        ),
        "one method": lambda: scores(46, 10, (0,)).verdict(),
        "one method, folds": lambda: split(47, 1, (0,)).verdict(),
        "one method, few data sets": lambda: split(48, 4, (0,)).verdict(),
        "a claim, data sets": lambda: scores(49, 12, (0,)).verdict(claim=0.55),
        "a claim, open": lambda: scores(49, 12, (0,)).verdict(claim="60%"),
        "a claim, folds": lambda: split(50, 1, (0,)).verdict(claim=0.5),
        "a claim, few data sets": lambda: split(51, 3, (0,)).verdict(claim=0.6),
        "a claim, few data sets, none": lambda: split(51, 3, (0,)).verdict(claim=0.6, adjust="none"),
        "a claim, ratios": lambda: errors(52, 12, (1,)).verdict(claim=5.0),
        "a claim, two methods": lambda: scores(53, 12, (0, 0.1)).verdict(claim=0.5),  # an error
        **{
            f"models, {measure}": lambda measure=measure: predictions(54, 300, (0.8, 1.0, 1.6)).verdict(measure)
            for measure in ("accuracy", "auc", "brier", "log_loss", "f_measure", "average_recall")
        },
        "models, two, auc, δ": lambda: predictions(55, 200, (1.0, 1.05)).verdict("auc", smallest_difference=0.05),
        "models, labels": lambda: predictions(56, 400, (0.5, 1.0), labels=True).verdict(),
        "models, labels, control": lambda: predictions(57, 400, (0.5, 1.0, 1.5), labels=True).verdict(control="m0"),
        "models, not worse": lambda: predictions(58, 800, (1.0, 1.0), labels=True).verdict(
            control="m0", alternative="not worse", smallest_difference=0.05
        ),
        "models, clusters": lambda: predictions(59, 400, (0.5, 1.0, 1.1), clusters=30, labels=True).verdict(),
        "models, clusters, auc": lambda: predictions(60, 400, (0.5, 1.0), clusters=30).verdict("auc"),
        "models, few clusters": lambda: predictions(61, 60, (0.5, 1.5), clusters=7).verdict("accuracy"),
        "models, rmse": lambda: predictions(62, 200, (0.5, 0.6), numeric=True).verdict(),
        "models, mae": lambda: predictions(62, 200, (0.5, 0.6), numeric=True).verdict("mae"),
        "one model": lambda: predictions(63, 200, (1.0,), labels=True).verdict(),
        "one model, claim": lambda: predictions(63, 200, (1.0,), labels=True).verdict(claim=0.75),
        "one model, auc, claim": lambda: predictions(64, 200, (1.0,)).verdict("auc", claim=0.7),
        "models, costs": lambda: predictions(65, 300, (0.8, 1.6)).verdict("cost", context={"costs": [1, 30]}),
        "models, several measures": lambda: predictions(66, 300, (0.8, 1.0)).verdict(["brier", "accuracy"]),
        "several measures": lambda: measured(67, 20, 2).verdict(["recall", "fpr"]),
        "several measures, δ": lambda: measured(68, 25, 3).verdict(
            ["recall", "fpr"], smallest_difference={"recall": 0.02, "fpr": 0.02}
        ),
        "several measures, four": lambda: measured(69, 40, 4).verdict(["recall", "fpr"], level=0.99),
        "several measures, few data sets": lambda: measured(70, 9, 3).verdict(["recall", "fpr"]),
        "several measures, control": lambda: measured(69, 25, 4).verdict(["recall", "fpr"], control="m0"),  # an error
        "levels": lambda: leveled(71, 9, "label_noise", (0.0, 0.1, 0.3)).verdicts(),
        "levels, control, δ": lambda: leveled(72, 9, "label_noise", (0.0, 0.1)).verdicts(
            control="m1", smallest_difference=0.02
        ),
        "levels, few data sets": lambda: leveled(73, 4, "train_size", (50, 500)).verdicts(),
        "levels, one of them": lambda: leveled(71, 9, "label_noise", (0.0, 0.1, 0.3)).at(label_noise=0.3).verdict(),
        "levels, claim": lambda: leveled(74, 9, "label_noise", (0.0, 0.1), 1).verdicts(claim=0.6),
        "levels, order": lambda: leveled(75, 9, "row_order", (0, 1, 2, 3), 2, cross=0.01).verdicts(),
    }  # fmt: skip


# ------------------------------------------------------------------------------ tables of others, situations, rules


def bundled_cases() -> dict[str, Made]:
    """The tables of examples/ and tests/golden."""
    examples, golden = ROOT / "examples", TESTS / "golden"
    demsar, uci = examples / "demsar_2006_auc.csv", golden / "seed_ten_uci_accuracy.csv"
    c45 = {"measure": "error_rate", "sign": "P"}
    kernels = {"measure": "accuracy", "resampling": "10-fold"}

    def read(name: Path, **more: Any) -> Callable[..., Made]:
        return lambda **asked: lambda: read_scores(name, **more).verdict(**asked)

    def folds_of_one(**asked: Any) -> Any:
        frame = pd.read_csv(golden / "seed_ten_folds_accuracy.csv").assign(dataset="labor")
        return read_scores(frame, measure="accuracy", resampling="10-fold").verdict(**asked)

    def of_weka(**asked: Any) -> Any:
        return read_scores(golden / "weka" / "results_10x10.arff").verdict(**asked)

    return {
        "Demšar": read(demsar, measure="auc")(),
        "Demšar, control": read(demsar, measure="auc")(control="C4.5"),
        "Demšar, control, δ": read(demsar, measure="auc")(control="C4.5", smallest_difference=0.01),
        "Demšar, golden": read(golden / "demsar_2006_table6.csv", measure="auc")(),
        "Demšar, means, holm": read(demsar, measure="auc")(estimand="mean", adjust="holm"),
        "C4.5 ensembles": read(examples / "c45_ensembles.csv", **c45)(),
        "C4.5 ensembles, control": read(examples / "c45_ensembles.csv", **c45)(control="C4.5"),
        "C4.5 ensembles, golden": read(golden / "seed_c45_ensembles_error.csv", measure="error_rate")(),
        "kernels": read(examples / "kernels.csv", **kernels)(failures="worst"),
        "kernels, these": read(examples / "kernels.csv", **kernels)(failures="drop", domains="these", adjust="none"),
        "plant disease": read(examples / "plant_disease.csv")(measure="accuracy"),
        "breast cancer": read(examples / "breast_cancer_measures.csv")(measure="accuracy"),
        "breast cancer, several": read(examples / "breast_cancer_measures.csv")(measure=["tpr", "fpr"]),
        "two cities": read(examples / "two_cities.csv")(measure="rmse"),
        "two cities, r2": read(examples / "two_cities.csv")(measure="r2"),
        "ten folds": lambda: folds_of_one(),
        "ten folds, control": lambda: folds_of_one(control="naive bayes"),
        "ten UCI": read(uci, measure="accuracy")(),
        "ten UCI, repeated_anova": read(uci, measure="accuracy")(test="repeated_anova"),
        "WEKA": lambda: of_weka(),
        "WEKA, these": lambda: of_weka(domains="these"),
        "WEKA, corrected": lambda: of_weka(control="J48", per_dataset="corrected_t", adjust="none"),
        "WEKA, paired": lambda: of_weka(control="J48", per_dataset="paired_t", adjust="holm"),
    }


def situation_cases() -> dict[str, Made]:
    from made_situations import SITUATIONS

    return {name: getattr(made, "make", None) or made[0] for name, made in SITUATIONS.items()}  # once a tuple


def rule_cases() -> dict[str, Made]:
    """The made results of each rule, with an effect and without."""
    from made_rows import CASES, verdict_of

    return {
        f"{name}, {'an effect' if effect else 'no effect'}": lambda name=name, effect=effect: verdict_of(
            name, 1, effect
        )
        for name, effect in product(CASES, (True, False))
    }


def score_cases() -> dict[str, Made]:
    """What other tests of this folder judge again and again."""
    import made_scores as made

    def clear(**asked: Any) -> Any:
        return read_scores(made.table(made.CLEAR), measure="accuracy").verdict(**asked)

    return {
        "clear": lambda: clear(),
        "clear, control": lambda: clear(control="low"),
        "few data sets": lambda: made.few_datasets().verdict(),
        "six data sets": lambda: made.few_datasets(6).verdict(),
        "with failures": lambda: made.with_failures().verdict(),  # an error
        "with failures, baseline": lambda: made.with_failures(baseline="base").verdict(),
        "without spread": lambda: made.without_spread().verdict(),
    }


def guard_cases() -> dict[str, Made]:
    """What the guards of scores and verdicts find in worlds that have what they look for."""
    sys.path.insert(0, str(TESTS))
    from guard_score_worlds import PLANTED

    def told(world: Callable[..., Iterable[Any]], seed: int) -> Any:
        return SimpleNamespace(notices=tuple(world(np.random.default_rng([seed, 1]))), to_dict=dict)

    return {
        f"{name}, {seed}": lambda world=world, seed=seed: told(world, seed)
        for (name, world), seed in product(PLANTED.items(), range(2))
    }


def factor_cases() -> dict[str, Made]:
    """Effects of factors, ablations, robust settings and response surfaces."""
    import made_effects as effects
    import made_surfaces as surfaces

    planted, nothing, two, three = effects.planted, effects.nothing, effects.TWO, effects.THREE
    folds = {"datasets": 3, "folds": 10, "resampling": "10-fold"}
    deep = {"depth": [3, 6, 12], "rate": [0.1, 1]}
    sure = {"model": ["tree", "boosting"], "tuning": ["no", "yes"], "encoding": ["none", "target"]}

    def pipeline(setting: Mapping[str, str]) -> float:
        tuned, encoded = setting["tuning"] == "yes", setting["encoding"] == "target"
        return 0.012 * tuned + 0.006 * encoded + 0.008 * tuned * encoded

    def risky(measure: str = "accuracy") -> Results:
        found = effects.crossed(lambda s: 0.02 * (s["depth"] == 6), deep, datasets=16, measure=measure, noise=0.001)
        deepest = found["depth"] == 12
        found.loc[deepest, "value"] += 0.035
        found.loc[deepest & found["dataset"].isin(["d1", "d5", "d9"]), "value"] -= 0.06
        return read_scores(found, measure=measure)

    def surface(form: str, measure: str = "accuracy", **made: Any) -> Any:
        return surfaces.surface_results(getattr(surfaces, form), measure=measure, **made).surface()

    return {
        "effects": lambda: effects.results(planted, three).effects(),
        "effects, two": lambda: effects.results(planted, two).effects(),
        "effects, δ": lambda: effects.results(planted, three).effects(smallest_difference=0.01),
        "effects, all interactions": lambda: effects.results(planted, three).effects(interactions=None),
        "effects, none": lambda: effects.results(nothing, two, seed=3).effects(),
        "effects, by hand": lambda: effects.two_by_two(7).effects(),
        "effects, one data set by hand": lambda: effects.two_by_two().effects(),
        "effects, folds": lambda: effects.results(planted, two, **folds).effects(),
        "effects, one data set": lambda: effects.results(planted, two, **folds).effects(dataset="d1"),
        "effects, error_rate": lambda: effects.results(planted, two, measure="error_rate").effects(),
        "effects, rmse": lambda: effects.results(planted, deep, measure="rmse").effects(),
        "effects, by setting": lambda: effects.results(planted, two).by_setting().verdict(),
        "ablation": lambda: effects.results(pipeline, sure).ablation(),
        "ablation, δ": lambda: effects.results(pipeline, sure).ablation(smallest_difference=0.005),
        "ablation, folds": lambda: effects.results(pipeline, sure, **folds).ablation(),
        "ablation, rmse": lambda: effects.results(pipeline, sure, measure="rmse").ablation(),
        "ablation, components": lambda: effects.results(planted, deep).ablation(
            components={"depth": (3, 12), "rate": (1, 0.1)}
        ),
        "robust, worst quarter": lambda: risky().robust_setting(),
        "robust, mean": lambda: risky().robust_setting(criterion="mean"),
        "robust, regret": lambda: risky().robust_setting(criterion="regret"),
        "robust, rmse": lambda: risky("rmse").robust_setting(),
        **{f"surface, {form}": lambda form=form: surface(form) for form in ("hill", "slope", "saddle")},
        "surface, rmse": lambda: surface("hill", "rmse"),
        "surface, one data set": lambda: surface("hill", datasets=1, folds=10, resampling="10-fold"),
    }


GROUPS = {
    "made": made_cases,
    "bundled": bundled_cases,
    "situation": situation_cases,
    "rule": rule_cases,
    "scores": score_cases,
    "guard": guard_cases,
    "factors": factor_cases,
}


def all_cases() -> Iterator[tuple[str, Made]]:
    """Each case by name; a group that can't be imported is one case, which raises."""
    for group, cases in GROUPS.items():
        try:
            found = cases()
        except Exception as error:  # noqa: BLE001
            yield group, lambda error=error: raised(error)
            continue
        for name, make in found.items():
            yield f"{group}: {name}", make


def raised(error: Exception) -> None:
    raise error


# ------------------------------------------------------------------------------------------------- make and compare


def make(out: Path, only: str) -> None:
    """Write the numbers of all cases."""
    warnings.simplefilter("ignore")
    begun, found, slow = time.monotonic(), {}, []
    for name, case in all_cases():
        if not re.search(only, name):
            continue
        start = time.monotonic()
        try:
            found[name] = frozen(case())
        except Exception as error:  # noqa: BLE001
            found[name] = {"error": type(error).__name__}
            print(f"{name}: {type(error).__name__}: {' '.join(str(error).split())[:160]}", file=sys.stderr)
        slow.append((time.monotonic() - start, name))
    text = json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False)
    out.write_text(text + "\n", encoding="utf-8")
    n = sum(1 for _ in leaves(found))
    print(f"{len(found)} cases, {n:,} numbers and names, {time.monotonic() - begun:.0f} seconds")
    print("slowest:", ", ".join(f"{name} {s:.1f} s" for s, name in sorted(slow, reverse=True)[:5]), file=sys.stderr)


def leaves(known: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All that is inside, with its path; an empty list or mapping is nothing."""
    if isinstance(known, dict | list):
        for key, own in known.items() if isinstance(known, dict) else enumerate(known):
            yield from leaves(own, (*path, str(key)))
    else:
        yield path, known


def is_same(old: Any, new: Any) -> bool:
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (old, new))
    return math.isclose(old, new, rel_tol=TOLERANCE) if numbers else (type(old), old) == (type(new), new)


def differences(old: Mapping[str, Any], new: Mapping[str, Any], skip: str = "") -> Iterator[str]:
    """A line for each leaf that differs: the case, the path, what was there, what is."""
    for case in dict.fromkeys([*old, *new]):
        if case not in old or case not in new:
            yield f"{case}  |  only in the {'new' if case in new else 'old'} file"
            continue
        before, after = dict(leaves(old[case])), dict(leaves(new[case]))
        for path in dict.fromkeys([*before, *after]):
            place = " / ".join(path)
            was, now = before.get(path, "(absent)"), after.get(path, "(absent)")
            if not is_same(was, now) and not (skip and re.search(skip, place)):
                yield f"{case}  |  {place}  |  {was}  |  {now}"


def compare(old: Path, new: Path, skip: str) -> int:
    known = (json.loads(path.read_text(encoding="utf-8")) for path in (old, new))
    found = list(differences(*known, skip))
    for line in found:
        print(line)
    return 1 if found else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="freeze the numbers of all cases")
    making.add_argument("out", type=Path)
    making.add_argument("--only", default="", help="a regular expression that the name of a case must contain")
    comparing = commands.add_parser("compare", help="print what differs; exit with 1 if anything does")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--skip", default="", help="a regular expression: paths that contain it are left out")
    asked = parser.parse_args()
    if asked.command == "compare":
        return compare(asked.old, asked.new, asked.skip)
    make(asked.out, asked.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
