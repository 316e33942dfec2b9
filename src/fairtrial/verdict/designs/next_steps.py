"""What would settle an open question: how many data sets it takes to show a difference that matters."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from itertools import count

import numpy as np
from scipy.special import chdtri, ndtr

from fairtrial.design import FEWEST_DATASETS, smallest_p
from fairtrial.resampling import score_unit
from fairtrial.stats import power
from fairtrial.verdict.claims.support import NextStep, next_step
from fairtrial.verdict.designs.compare_methods import Compared
from fairtrial.verdict.designs.decide import decide
from fairtrial.verdict.designs.units import Units
from fairtrial.words import listed

POWER = 0.8
MOST = 5000
RANGE = 0.8  # the confidence of the range of the spread


def next_over_datasets(compared: Compared, units: Units) -> Iterator[NextStep]:
    """The number of data sets that would show a true difference δ between the leader and its nearest open rival.

    It is computed from δ and the spread of the differences, never from the difference that was seen: such a number
    would only restate the p-value. The range is that of the spread's uncertainty (80 %, χ²). Where many single data
    sets favour one method and many the other, no number of them would settle who is better on the next one.
    """
    if compared.family in ("control", "pairs") and not compared.tests.bounded:
        m = len(compared.pairs)
        enough = fewest_for_all_pairs(m, compared.question.level)
        yield next_step("more data", f"{enough} {units.several} or more allow intervals for all {m} pairs together")
        return
    if compared.family == "pair" and compared.pairs[0].decision in ("equivalent", "better but negligible"):
        yield next_step("ask", "choose by something else, such as cost: this difference does not matter")
        return
    rival = _open_rival(compared)
    splits = compared.leading is not None and compared.leading.is_split(compared.delta, compared.question.level)
    if splits and (compared.delta is not None or compared.winner is None):
        several = compared.family == "best" and len(compared.best) > 2
        which = listed(map(compared.name, compared.best)) if several else "both"
        yield next_step(
            "ask",
            f"try {which} on your own data: more {units.several} would show who is typically ahead, not who wins there",
        )
        return
    if compared.delta is None:
        if compared.winner is not None:
            yield NextStep("say what matters")
        elif rival is not None:
            yield NextStep("say what matters", unit=units.several, methods=_names(compared, rival))
        return
    if compared.winner is not None and compared.leads is not None:
        won = next(lead for lead in compared.leads.leads if lead.standing == "winner")
        if decide(won.interval, True, compared.delta) == "better, size open":
            yield next_step("more data", f"more {units.several} would show whether the lead is as large as matters")
        return
    if rival is None:
        yield from _noise_or_not(compared)
        return
    d = units.scores[:, compared.leader] - units.scores[:, rival]
    sd, n = float(d.std(ddof=1)), units.n
    if sd > 0:
        each = _own_level(compared, n)
        low, high = (sd * math.sqrt((n - 1) / chdtri(n - 1, tail)) for tail in ((1 - RANGE) / 2, (1 + RANGE) / 2))
        needed = [_data_sets_needed(compared.delta / s, each) for s in (low, sd, high)]
        yield NextStep("more data", needed[1], units.several, _names(compared, rival), needed[0], needed[2])


def _names(compared: Compared, rival: int) -> tuple[str, str]:
    return compared.name(compared.leader), compared.name(rival)


def _open_rival(compared: Compared) -> int | None:
    """The nearest method whose difference from the leader is open; None where all is settled."""
    if compared.winner is not None:
        return None
    if compared.family == "best":
        return next(
            (m for m in (row.method for row in compared.rows) if m in compared.best and m != compared.leader), None
        )
    against = compared.against_reference()
    return next((m for m in compared.order if m in against and against[m].decision == "undecided"), None)


def fewest_for_all_pairs(pairs: int, level: float) -> int:
    """The smallest number of data sets that allows intervals for all pairs together."""
    return next(n for n in count(1) if smallest_p(n) * pairs < 1 - level)


def _noise_or_not(compared: Compared) -> Iterator[NextStep]:
    """What would tell whether differences on single data sets are noise, where methods are equal on average."""
    if compared.family == "best":
        return
    spreads = [p.spread for p in compared.pairs if p.decision == "equal on average; on single data sets open"]
    if any(s is not None and math.isnan(s.noise) for s in spreads):
        single = "bring the scores of single splits, and say how these were made (resampling='10-fold')"
        several = "bring scores on several splits of each data set"
        bring = several if score_unit(compared.evidence.dependence) == "seed" else single
        yield next_step("bring", f"{bring}: then noise within the data sets can be told from differences between them")


def _own_level(compared: Compared, n: int) -> float:
    """The level of one pair's interval, by which all intervals hold together."""
    level, k = compared.question.level, len(compared.evidence.methods)
    if compared.family in ("best", "pair"):
        return 1 - (1 - level) / max(k - 1, 1)
    tests = compared.tests
    if tests.joint is not None and tests.bounded:
        z = tests.joint.maxima.critical(1 - level) / 2 / math.sqrt(n * (n + 1) * (2 * n + 1) / 6)
        return float(np.clip(2 * ndtr(z) - 1, level, 1 - 1e-9))
    return 1 - (1 - level) / tests.family


def _data_sets_needed(effect: float, level: float) -> int | None:
    """The smallest number of data sets with enough power; None above 5,000."""

    def reached(n: int) -> float:  # sample_size asks the same, but imports a solver, which takes longer than all this
        return power("wilcoxon", n=n, effect=effect, level=level).power

    found = bisect_left(range(MOST + 1), POWER, lo=FEWEST_DATASETS, key=reached)
    return found if found <= MOST else None
