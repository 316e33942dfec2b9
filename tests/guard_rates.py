"""How often each guard fires: on worlds that have what it looks for, and on clean ones. ``make guards`` tries 200."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import guard_score_worlds as of_scores
import guard_worlds as of_data
import numpy as np

import fairtrial.design.plan_guards
import fairtrial.verdict  # noqa: F401 - registers all guards but those of runs
from fairtrial.notices import Guard, all_guards, look

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
