"""How often each guard fires: on worlds that have what it looks for, and on clean ones. ``make guards`` tries 200."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import guard_score_worlds as of_scores
import guard_worlds as of_data
import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).parent / "verdict/guards"))
from benchmark_names import LISTS, SEEN, UNSEEN

import fairtrial.design.plan_guards
import fairtrial.verdict  # noqa: F401 - registers all guards but those of runs
from fairtrial.notices import Guard, all_guards, look
from fairtrial.results import read_scores
from fairtrial.verdict.guards.notices_in_answer import GUARD
from fairtrial.verdict.guards.sources import Family, first_parts, versions

FEW, MANY = 10, 200  # of 10 worlds one may be missed: a guard that fires in half of them passes in one of 90 runs
PLANTED = of_data.PLANTED | of_scores.PLANTED
CLEAN = of_data.CLEAN | of_scores.CLEAN


@dataclass(frozen=True, slots=True)
class Rate:
    """How often a guard fired where something was planted, and where nothing was wrong (None: it always speaks)."""

    guard: str
    stage: str
    planted: int
    clean: int | None
    worlds: int

    @property
    def is_found(self) -> bool:
        """Whether it fires in at least 95 % of the planted worlds; of few, one more may be missed."""
        return self.planted >= 0.95 * self.worlds - (self.worlds < MANY)

    @property
    def is_silent(self) -> bool:
        """Whether it fires in at most 1 % of the clean worlds; of few, in one."""
        return self.clean is None or self.clean <= max(1.0, 0.01 * self.worlds)


def rates(worlds: int) -> Iterator[Rate]:
    """The rate of each guard that has a planted world; the random numbers of a world depend on its number only."""
    seen = {sees: _told(world, worlds) for sees, world in CLEAN.items()}
    for guard in all_guards():
        if guard.name in PLANTED:
            yield Rate(guard.name, guard.stage, _found(guard.name, worlds), _false(guard, seen, worlds), worlds)


@dataclass(frozen=True, slots=True)
class Copies:
    """How often copies were found in tables of one kind: of the whole table, of a part of it, and of nothing."""

    kind: str
    whole: int
    part: int
    clean: int


def copies(worlds: int) -> Iterator[Copies]:
    """Each kind of clean data, also those in which chance makes as many equal rows as copies do."""
    for maker in of_data.MAKERS:
        found = [
            sum(
                any(n.guard == "repeated_rows" for n in look("dataset", of_data.made(rng, [maker], spoil)))
                for rng in (np.random.default_rng([number, 3]) for number in range(worlds))
            )
            for spoil in (of_data.whole_table, of_data.part_of_table, None)
        ]
        yield Copies(maker.__name__.replace("_", " "), *found)


def _found(name: str, worlds: int) -> int:
    fine = name in of_scores.SAID_IF_FINE
    made = (PLANTED[name](np.random.default_rng([number, 1])) for number in range(worlds))
    return sum(any(n.guard == name and (fine or not n.is_fine) for n in notices) for notices in made)


def _false(guard: Guard, seen: Mapping[str, Counter[str]], worlds: int) -> int | None:
    """In how many clean worlds a guard fired: in one of its own if it has one, else in that of its input."""
    if guard.name in of_scores.ALWAYS:
        return None
    own = of_scores.CLEAN_FOR.get(guard.name)
    return (seen[guard.sees] if own is None else _told(own, worlds))[guard.name]


def _told(world: of_data.World, worlds: int) -> Counter[str]:
    """In how many clean worlds each guard fired."""
    made = (world(np.random.default_rng([number, 2])) for number in range(worlds))
    return Counter(guard for notices in made for guard in {n.guard for n in notices if not n.is_fine})


def by_name() -> Iterator[tuple[str, int, int, int, int, int, int]]:
    """Families of real benchmarks, and how many are found by the names of their data sets; seen and unseen lists."""
    for half, lists in (("tuned on", SEEN), ("the others", UNSEEN)):
        strong, wide = (_against_truth(lists, detect) for detect in (versions, _wide))
        yield (f"{half} ({len(lists)})", strong[0], strong[1], strong[2], strong[3], wide[1], wide[3])


def _wide(names: Sequence[str]) -> Family:
    found = versions(names)
    taken = {name for own in found.values() for name in own}
    return found | {part: own for part, own in first_parts(names).items() if taken.isdisjoint(own)}


def _against_truth(lists: Sequence[str], detect: Callable[[Sequence[str]], Family]) -> tuple[int, int, int, int]:
    """The families, those found, the groups that were found, and the wrong ones among these."""
    families = found = groups = wrong = 0
    for name in lists:
        known = LISTS[name]
        true = [set(map(frozenset, combinations(own, 2))) for own in known.families]
        perhaps = set().union(*true, *(set(map(frozenset, combinations(own, 2))) for own in known.uncertain))
        made = [set(map(frozenset, combinations(own, 2))) for own in detect(known.names).values()]
        families, groups = families + len(true), groups + len(made)
        found += sum(any(own & group for group in made) for own in true)
        wrong += sum(not (group & perhaps) for group in made)
    return families, found, groups, wrong


def sources(worlds: int) -> tuple[int, int]:
    """In how many planted and clean worlds of real names sources are doubted."""
    most = [k for k in LISTS.values() if 2 * sum(map(len, k.families)) > len(k.names) and len(k.families) > 5]
    none = [k for k in LISTS.values() if not k.families and not k.uncertain]
    planted = clean = 0
    for number in range(worlds):
        rng = np.random.default_rng([number, 7])
        known = most[int(rng.integers(len(most)))]
        home = {name: i for i, own in enumerate(known.families) for name in own}
        own = rng.normal(0, 0.02, len(known.families))
        lead = [own[home[n]] if n in home else rng.normal(0, 0.02) for n in known.names]
        planted += any(n.evidence["counted"] for n in _doubts(known.names, np.array(lead), rng))
        known = none[int(rng.integers(len(none)))]
        clean += bool(_doubts(known.names, np.zeros(len(known.names)), rng))
    return planted, clean


def _doubts(names: Sequence[str], lead: np.ndarray, rng: np.random.Generator) -> list[object]:
    base = rng.uniform(0.6, 0.8, len(names))
    frame = pd.DataFrame({"dataset": names, "a": base + lead + rng.normal(0, 0.01, len(names)), "b": base})
    frame["c"] = base - 0.02 + rng.normal(0, 0.02, len(names))
    verdict = read_scores(frame, measure="accuracy").verdict()
    return [n for n in verdict.notices if n.guard == GUARD and n.severity == "doubt" and "counted" in n.evidence]
