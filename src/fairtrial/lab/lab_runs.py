"""Run experiments in several processes, keep each block of runs as it is done, and go on where a run stopped.

The lab's results with a row for each world and a column for each claim, as documentation shows them.

An experiment of the lab: a world whose truth is known, and the claims that are counted in it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Literal

import numpy as np

from fairtrial.errors import InputError
from fairtrial.tables import Column, Table, formats
from fairtrial.words import part_of

Counts = dict[str, tuple[int, int]]
"""For each claim how often it was made (or held), and of how many runs."""

Kind = Literal["at most", "at least", "shown"]


@dataclass(frozen=True, slots=True)
class Limit:
    """The share of runs that a claim may reach at most, or must reach at least; or it is only shown.

    >>> Limit("at most", 0.05).holds(0.058, runs=2000), Limit("at most", 0.05).holds(0.058, runs=20000)
    (True, False)
    """

    kind: Kind = "shown"
    share: float = math.nan

    def holds(self, found: float, runs: int) -> bool:
        """Whether the share found keeps the limit, allowing for two Monte Carlo standard errors at the limit."""
        if self.kind == "shown":
            return True
        allowance = 2 * math.sqrt(self.share * (1 - self.share) / runs)
        return found >= self.share - allowance if self.kind == "at least" else found <= self.share + allowance

    def __str__(self) -> str:
        return "" if self.kind == "shown" else f"{'≤' if self.kind == 'at most' else '≥'} {100 * self.share:g} %"


@dataclass(frozen=True, slots=True)
class Experiment:
    """A world and what is counted in it.

    ``simulate(generator, runs)`` makes the runs and counts, for each claim, how often it was made. ``limits`` has the
    allowed share of each claim that a recommended procedure makes; claims without a limit are shown beside them.
    """

    grid: str
    world: str
    simulate: Callable[[np.random.Generator, int], Counts]
    limits: Mapping[str, Limit] = field(default_factory=dict)
    block: int = 100

    @property
    def key(self) -> str:
        """The experiment's name in files of results."""
        return f"{self.grid}: {self.world}"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the lab's table: a claim in a world, its share with Monte Carlo error, runs and limit."""

    grid: str
    world: str
    claim: str
    happened: int
    runs: int
    limit: Limit

    @property
    def share(self) -> float:
        """The share of runs in which the claim was made; nan without runs."""
        return self.happened / self.runs if self.runs else math.nan

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of the share, never 0: a count of none is not a certainty."""
        if not self.runs:
            return math.nan
        share = min(max(self.share, 1 / (self.runs + 1)), self.runs / (self.runs + 1))
        return math.sqrt(share * (1 - share) / self.runs)

    @property
    def holds(self) -> bool:
        """Whether the share keeps its limit."""
        return not self.runs or self.limit.holds(self.share, self.runs)


AHEAD = 2  # blocks that wait for each worker


class Journal:
    """A file of results: a line of JSON for each block of runs. A line that was cut off is left out."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.blocks: dict[tuple[str, int], Counts] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._take(line)

    def _take(self, line: str) -> None:
        try:
            found = json.loads(line)
            counts = {claim: (int(made), int(of)) for claim, (made, of) in found["counts"].items()}
            self.blocks[str(found["experiment"]), int(found["block"])] = counts
        except (ValueError, KeyError, TypeError, AttributeError):
            return  # the line under way when the lab was stopped

    def add(self, experiment: str, block: int, counts: Counts) -> None:
        """Keep a block, on disk before anything else happens."""
        self.blocks[experiment, block] = counts
        if self.path is None:
            return
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"experiment": experiment, "block": block, "counts": counts}) + "\n")

    def counts(self, experiment: str) -> Counts:
        """The counts of all blocks of an experiment together."""
        made: defaultdict[str, int] = defaultdict(int)
        of: defaultdict[str, int] = defaultdict(int)
        for (name, _), counts in sorted(self.blocks.items()):
            if name == experiment:
                for claim, (happened, runs) in counts.items():
                    made[claim] += happened
                    of[claim] += runs
        return {claim: (made[claim], of[claim]) for claim in made}


def run_lab(
    experiments: Mapping[str, Experiment],
    runs: int,
    *,
    path: Path | None = None,
    workers: int = 1,
    find: Callable[[], Mapping[str, Experiment]] | None = None,
    report: Callable[[int, int], None] | None = None,
) -> list[Row]:
    """Run each experiment so many times, in blocks, and give the rows of the table.

    Blocks that are in the file at ``path`` are not run again. Every block has random numbers of its own, so that the
    result depends neither on the number of workers nor on the order. ``find`` gives the same experiments inside a
    worker process, where they can't be sent; without it all runs in this process. ``report`` is called with the
    number of blocks that are done and of all.
    """
    if not (isinstance(runs, int) and runs > 0):
        raise InputError(f"runs must be a whole number above 0, got {runs!r}")
    journal = Journal(path)
    todo = [
        (key, block)
        for key, experiment in experiments.items()
        for block in range(-(-runs // experiment.block))
        if (key, block) not in journal.blocks
    ]
    total = sum(-(-runs // e.block) for e in experiments.values())
    done = total - len(todo)
    say = report or (lambda _done, _total: None)
    say(done, total)
    for key, block, counts in _blocks(experiments, todo, workers, find):
        journal.add(key, block, counts)
        done += 1
        say(done, total)
    return [row for key, experiment in experiments.items() for row in _rows(experiment, journal.counts(key))]


def _blocks(
    experiments: Mapping[str, Experiment],
    todo: Sequence[tuple[str, int]],
    workers: int,
    find: Callable[[], Mapping[str, Experiment]] | None,
) -> Iterator[tuple[str, int, Counts]]:
    if workers <= 1 or find is None:
        for key, block in todo:
            yield key, block, simulate_block(experiments[key], block)
        return
    waiting = iter(todo)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        under_way = {pool.submit(_in_worker, find, *one): one for one in islice(waiting, AHEAD * workers)}
        while under_way:
            finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in finished:
                key, block = under_way.pop(future)
                yield key, block, future.result()
                if (following := next(waiting, None)) is not None:
                    under_way[pool.submit(_in_worker, find, *following)] = following


def _in_worker(find: Callable[[], Mapping[str, Experiment]], key: str, block: int) -> Counts:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):  # one thread for each worker: more would only wait for each other
        return simulate_block(find()[key], block)


def simulate_block(experiment: Experiment, block: int) -> Counts:
    """One block of runs, with the random numbers of this experiment and block."""
    seed = int.from_bytes(hashlib.blake2b(f"{experiment.key} {block}".encode(), digest_size=8).digest(), "big")
    return experiment.simulate(np.random.default_rng(seed), experiment.block)


def _rows(experiment: Experiment, counts: Counts) -> Iterator[Row]:
    for claim, (happened, runs) in counts.items():
        limit = experiment.limits.get(claim, Limit())
        yield Row(experiment.grid, experiment.world, claim, happened, runs, limit)


def to_table(rows: Iterable[Row]) -> Table:
    """The lab's table: a row for each claim in each world, and a mark where a limit is not kept."""
    shown = list(rows)
    columns = (
        Column("world", align="left"),
        Column("what is counted", align="left", key="claim"),
        Column("share", formats.percent),
        Column("Monte Carlo error", formats.percent, key="error"),
        Column("runs"),
        Column("limit"),
        Column("", align="left", key="mark"),
    )
    cells: list[tuple[Any, ...]] = [
        (r.world, r.claim, r.share, r.error, r.runs, str(r.limit), "" if r.holds else "✗ not kept") for r in shown
    ]
    kept, limited = sum(r.holds for r in shown if str(r.limit)), sum(bool(str(r.limit)) for r in shown)
    note = f"{part_of(kept, limited, 'limit')} kept, allowing for two Monte Carlo errors"
    grids = list(dict.fromkeys(r.grid for r in shown))
    return Table(columns, tuple(cells), caption=f"lab: {', '.join(grids)}", notes=(note,))


def wide_tables(rows: Iterable[Row]) -> list[Table]:
    """A table for each group of worlds in which the same claims are counted.

    A limit stands in the title of its column, or in the cells where the worlds have different limits.
    """
    worlds: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        worlds.setdefault((row.grid, row.world), []).append(row)
    groups: dict[tuple[str, ...], list[list[Row]]] = {}
    for (grid, _), own in worlds.items():
        own.sort(key=lambda r: r.limit.kind == "shown")  # claims with a limit come first; the order is kept otherwise
        groups.setdefault((grid, *(r.claim for r in own)), []).append(own)
    return [_table(grid, found) for (grid, *_), found in groups.items()]


def _table(grid: str, worlds: Sequence[Sequence[Row]]) -> Table:
    shared = [len({str(r.limit) for r in column}) == 1 for column in zip(*worlds, strict=True)]
    titles = [_with_limit(r.claim, r) if same else r.claim for r, same in zip(worlds[0], shared, strict=True)]
    columns = (Column("world", align="left"), *(Column(title) for title in titles), Column("runs"))
    cells = tuple((own[0].world, *map(_cell, own, shared), min(r.runs for r in own)) for own in worlds)
    return Table(columns, cells, caption=f"lab: {grid}", notes=tuple(_notes([r for own in worlds for r in own])))


def _with_limit(text: str, row: Row) -> str:
    return f"{text} ({row.limit})" if str(row.limit) else text


def _cell(row: Row, shared: bool) -> str:
    share = f"{100 * row.share:.1f} %{'' if row.holds else ' ✗'}"
    return share if shared else _with_limit(share, row)


def _notes(rows: Sequence[Row]) -> Iterator[str]:
    fewest = min(row.runs for row in rows)
    yield (
        f"share of runs; the Monte Carlo error is at most {formats.percent(max(row.error for row in rows))}, "
        f"and {formats.percent(math.sqrt(0.0475 / fewest))} where the share is 5 %"
    )
    if not all(row.holds for row in rows):
        yield "✗ the limit is not kept, allowing for two Monte Carlo errors"
