"""Guards of plans: what should be known of the whole before it is run.

Guard of data sets that belong together: versions of one source are no independent pieces of evidence.

Guards of methods: what should be known of what is compared, before it is tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from fairtrial.data import Dataset, shared_rows
from fairtrial.design.factors import Factor, Level, TrainingFactor, factors_of, of_methods, write_levels
from fairtrial.methods.baselines import is_baseline
from fairtrial.methods.method import Method
from fairtrial.methods.tuning import configurations_of, tunes_apart, unequal_tuning
from fairtrial.notices import Notice, guard
from fairtrial.tables import formats
from fairtrial.words import listed, plural, verb

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan


def is_compared(method: Method) -> bool:
    """Whether a method competes, which yardsticks and baselines do not."""
    return not (method.yardstick or is_baseline(method))


@guard(stage="plan", sees="methods")
def added_yardstick(methods: Sequence[Method]) -> Iterator[Notice]:
    """A baseline that was added since the study listed none."""
    for method in methods:
        if method.yardstick:
            yield Notice(f"'{method.name}' is added as a yardstick: every method should beat it", "note", method.name)


@guard(stage="plan", sees="methods")
def unequal_searches(methods: Sequence[Method]) -> Iterator[Notice]:
    """Methods that are tuned over different numbers of configurations."""
    tried = {m.name: configurations_of(m.estimator) for m in methods if is_compared(m)}
    if sentence := unequal_tuning(tried):
        yield Notice(sentence, "note", evidence={"configurations": tried})


@guard(stage="plan", sees="plan")
def levels_left_out(plan: Plan) -> Iterator[Notice]:
    """Levels of factors, or combinations of them, for which a data set is too small."""
    training = [f for f in plan.study.factors if isinstance(f, TrainingFactor)]
    names = {f.name for f in training}
    every = [{name: v for name, v in levels.items() if name in names} for levels in plan.levels]
    for i, dataset in enumerate(plan.study.datasets if training else ()):
        there = plan.levels_on(i)
        whole: dict[str, set[Level]] = {}
        for factor in training:
            kept = {every[j][factor.name] for j in there}
            if gone := [v for v in factor.levels if v not in kept]:
                whole[factor.name] = set(gone)
                words = listed(map(factor.write, gone))
                sentence = f"{dataset.name}: too small for {factor.name} {words}, left out for it"
                yield Notice(sentence, "note", dataset.name, {"factor": factor.name, "levels": gone})
        absent = {write_levels(levels): levels for j, levels in enumerate(every) if j not in there}
        for levels in absent.values():
            if not any(level in whole.get(name, ()) for name, level in levels.items()):
                sentence = f"{dataset.name}: too small for {write_levels(levels)} together, left out for it"
                yield Notice(sentence, "note", dataset.name, {"levels": dict(levels)})


@guard(stage="plan", sees="plan")
def blind_search(plan: Plan) -> Iterator[Notice]:
    """A search inside another estimator, which is not given the groups or the order of the data."""
    special = [d.name for d in plan.study.datasets if d.groups is not None or d.order is not None]
    for method in plan.study.methods:
        if special and is_compared(method) and tunes_apart(method):
            yield Notice(
                f"{method.name} searches inside another estimator, where it does not know of the groups or times of "
                f"{listed(special)}",
                "note",
                about=method.name,
                evidence={"datasets": special},
                remedy="put tuned(…) around the whole",
            )


@guard(stage="plan", sees="plan")
def traced_memory(plan: Plan) -> Iterator[Notice]:
    """Fits that are slower since their memory is traced."""
    if plan.study.memory == "exact":
        sentence = "memory='exact' traces allocations, which makes fits slower"
        yield Notice(f"{sentence}: measure times without it", "note")


@guard(stage="plan", sees="plan")
def splits_without_test(plan: Plan) -> Iterator[Notice]:
    """A resampling scheme whose scores on one data set can't be tested."""
    if caution := plan.study.resampling.dependence().caution:
        yield Notice(caution, "note")


@guard(stage="plan", sees="plan")
def same_settings(plan: Plan) -> Iterator[Notice]:
    """Rows of a layout that are the same setting, because levels are rounded or points are repeated."""
    if n := plan.settings.merged:
        yield Notice(
            f"{plural(n, 'row')} of the plan {verb(n, 'has', 'have')} a setting that another row has already: each "
            "setting is run once, since with the same seed and split it would give the same number again",
            "note",
            evidence={"rows": n},
            remedy="replicates=… repeats settings with other seeds, more repeats of the resampling with other splits",
        )


@guard(stage="plan", sees="plan")
def beyond_the_range(plan: Plan) -> Iterator[Notice]:
    """Levels that a layout puts outside the range of a factor, where a method may refuse them."""
    for factor in of_methods(plan.study.factors):
        if factor.ends is None:
            continue
        low, high = factor.ends
        there = {s[factor.name] for s in plan.levels if factor.name in s}
        outside = sorted(v for v in there if isinstance(v, (int, float)) and not low <= v <= high)
        if outside:
            yield Notice(
                f"the plan goes beyond the range of {factor.name}, {factor.in_words()}: it has "
                f"{listed(map(factor.write, outside))}",
                "note",
                about=factor.name,
                evidence={"levels": outside},
                remedy="if a method refuses such values, give a smaller range, or a plan that stays inside",
            )


@guard(stage="plan", sees="plan")
def replicates_without_chance(plan: Plan) -> Iterator[Notice]:
    """Replicates of methods that have no random state, which give the same numbers again."""
    study = plan.study
    if study.replicates == 1:
        return
    fixed = [m.name for m in study.methods if not any(map(_has_open_seed, _estimators(plan, m)))]
    if fixed:
        yield Notice(
            f"replicates vary the seed only, and {listed(fixed)} {verb(len(fixed), 'has', 'have')} no open "
            f"random_state: unless {verb(len(fixed), 'it draws', 'they draw')} from the global generator, all "
            f"{study.replicates} replicates give the same numbers",
            "note",
            evidence={"methods": fixed},
            remedy="more repeats of the resampling vary the splits instead",
        )


def _estimators(plan: Plan, method: Method) -> Iterator[Any]:
    """The estimator of a method, and what its factors put into it."""
    yield method.estimator
    for factor in factors_of(plan.study.factors, method):
        if isinstance(factor, Factor) and factor.values is not None:
            yield from factor.values.values()


def _has_open_seed(estimator: Any) -> bool:
    if not hasattr(estimator, "get_params") or isinstance(estimator, type):
        return False
    parameters = estimator.get_params(deep=True).items()
    return any(value is None and name.split("__")[-1] == "random_state" for name, value in parameters)


SHARED = 0.05
"""The share of the smaller data set's rows from which on two data sets belong together."""

VERSION = re.compile(
    r"(?:[-_. ](?:v?\d+(?:\.\d+)*|[a-z]|old|new|small|large|full|mini|train|test|subset|sample|copy|clean|raw|binary|"
    r"\d+k|red|white|fold\d*|part\d*)|\d+)$"
)
MEANINGLESS = re.compile(r"(?:data|dataset|set|table|file|toy|sample|random|synthetic|simulated|noise|test|train|new)?")
FEWEST_LETTERS = 3


@guard(stage="plan", sees="plan")
def undeclared_families(plan: Plan) -> Iterator[Notice]:
    """Data sets with similar names and the same features, or with rows in common, that count as independent."""
    sets = {d.name: d for d in plan.study.datasets}
    known = {name: family for family, members in plan.study.question.family.items() for name in members}
    shares = {pair: share for pair, share in _shared(list(sets.values())) if not _together(pair, known)}
    alike = [pair for pair in _similar(sets) if not _together(pair, known)]
    for members in _families([*shares, *alike]):
        inside = [share for pair, share in shares.items() if pair[0] in members]
        stem = _stem(members[0]) or members[0]
        why = (
            f"share up to {formats.percent(max(inside))} of their rows" if inside else "have similar names and features"
        )
        yield Notice(
            f"{listed(members)} {why}, but each counts as a data set of its own",
            about=stem,
            evidence={"members": members, "shared": max(inside, default=0.0)},
            remedy=f"count them as one: Question(family={{{stem!r}: [{', '.join(map(repr, members))}]}})",
        )


def _together(pair: tuple[str, str], known: Mapping[str, str]) -> bool:
    """Whether the question already counts both as one."""
    return pair[0] in known and known[pair[0]] == known.get(pair[1])


def _similar(sets: Mapping[str, Dataset]) -> Iterator[tuple[str, str]]:
    """Pairs with the same features and names that differ only in a version: adult and adult-v2, not two spellings."""
    for a, b in combinations(sets, 2):
        stem = _stem(a)
        if stem and stem == _stem(b) and _plain(a) != _plain(b) and _same_features(sets[a], sets[b]):
            yield a, b


def _same_features(a: Dataset, b: Dataset) -> bool:
    """Whether most features of both have the same names."""
    return 2 * len({f.name for f in a.features} & {f.name for f in b.features}) > max(a.p, b.p)


def _stem(name: str) -> str:
    """A name without its version; empty if what remains says nothing.

    >>> _stem("adult-v2"), _stem("letter-a"), _stem("glass2"), _stem("d7"), _stem("data_3")
    ('adult', 'letter', 'glass', '', '')
    """
    stem = VERSION.sub("", _plain(name))
    says = len(re.sub(r"[\W\d_]", "", stem)) >= FEWEST_LETTERS and not MEANINGLESS.fullmatch(stem)
    return stem if says else ""


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")


def _shared(sets: Sequence[Dataset]) -> Iterator[tuple[tuple[str, str], float]]:
    """Pairs with rows in common, beyond chance, and the share of the smaller one's rows."""
    for (i, j), share in shared_rows(sets).items():
        if share >= SHARED:
            yield (sets[i].name, sets[j].name), share


def _families(pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Names that pairs connect, each family once."""
    found: list[list[str]] = []
    for pair in pairs:
        touched = [family for family in found if set(family) & set(pair)]
        found = [family for family in found if family not in touched]
        found.append(list(dict.fromkeys(name for part in [*touched, list(pair)] for name in part)))
    return found
