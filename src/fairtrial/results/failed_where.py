"""What failures concentrate on, in words: single methods, single data sets, or a few pairs of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fairtrial.words import MOST_NAMED, listed, part_of, plural

MOST_ALIKE = 3  # names of methods or data sets among which none stands out
STANDS_OUT = 3  # times as many failures as the next one
Counts = NDArray[np.int64]


def failed_where(
    counts: Counts, datasets: Sequence[str], methods: Sequence[str], reasons: Mapping[str, Mapping[str, int]]
) -> str:
    """Where ``counts`` of failures (data sets × methods) are: 'svm on sonar (3) and …'.

    Of many failures it says which methods have them, if it takes no more methods than data sets to have half of all
    failures; else which data sets. ``reasons`` has the known reasons of each method with their numbers.

    >>> counts = np.array([[9, 0, 1], [8, 1, 0], [9, 0, 0], [9, 1, 0]])
    >>> failed_where(counts, "wxyz", ["slow", "b", "c"], {"slow": {"out of time": 33}})
    'slow 35 times on 4 data sets (33 out of time); 2 other methods up to 2 times each'
    """
    pairs = _by_pair(counts, datasets, methods)
    if len(pairs) <= MOST_NAMED:
        return listed(pairs)
    by_method, by_dataset = counts.sum(axis=0), counts.sum(axis=1)
    if _needed_for_half(by_method) <= _needed_for_half(by_dataset):
        return _told(by_method, [_method(counts[:, m], name, reasons) for m, name in enumerate(methods)], "method")
    return _told(by_dataset, [_dataset(own, name) for own, name in zip(counts, datasets, strict=True)], "data set")


def _by_pair(counts: Counts, datasets: Sequence[str], methods: Sequence[str]) -> list[str]:
    """Each method on each data set, the most frequent first; where several methods fail, it is the data set."""
    found: list[tuple[int, str]] = []
    for own, dataset in zip(counts, datasets, strict=True):
        failing = [int(m) for m in np.flatnonzero(own)]
        if len(failing) >= 3:
            who = "all" if len(failing) == len(methods) else f"{len(failing)} of {len(methods)}"
            found.append((int(own.sum()), f"{who} methods on {dataset}"))
        else:
            found += [(int(own[m]), f"{methods[m]} on {dataset}") for m in failing]
    return [f"{text} ({n})" for n, text in sorted(found, key=lambda entry: -entry[0])]


def _needed_for_half(counts: Counts) -> int:
    """The number of entries that have half of all failures."""
    return int((np.cumsum(np.sort(counts)[::-1]) < counts.sum() / 2).sum()) + 1


def _told(counts: Counts, texts: Sequence[str], noun: str) -> str:
    """The texts of those that stand out, the most frequent first, and how often each of the others failed."""
    order = [int(i) for i in np.argsort(-counts, kind="stable") if counts[i]]
    gaps = [i + 1 for i in range(len(order) - 1) if counts[order[i]] >= STANDS_OUT * counts[order[i + 1]]]
    most = next((gap for gap in gaps if gap <= MOST_NAMED), MOST_ALIKE if len(order) > MOST_NAMED else len(order))
    rest = [int(counts[i]) for i in order[most:]]
    named = ", ".join(texts[i] for i in order[:most])
    if not rest:
        return named
    often = "up to " * (min(rest) < max(rest)) + _times(max(rest))
    return f"{named}; {plural(len(rest), f'other {noun}')} {often}{' each' * (len(rest) > 1)}"


def _method(own: Counts, name: str, reasons: Mapping[str, Mapping[str, int]]) -> str:
    told = reasons.get(name, {})
    why = f" ({listed(f'{n:,} {reason}' for reason, n in told.items())})" if told else ""
    return f"{name} {_times(int(own.sum()))} on {plural(int((own > 0).sum()), 'data set')}{why}"


def _dataset(own: Counts, name: str) -> str:
    failing = int((own > 0).sum())
    who = f"all {plural(failing, 'method')}" if failing == len(own) else part_of(failing, len(own), "method")
    return f"{name} {_times(int(own.sum()))} ({who})"


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n:,} times"
