"""The lists of names that a detector is tried on are in order."""

from __future__ import annotations

import sys
from itertools import chain
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from benchmark_names import LISTS, SEEN, UNSEEN, BenchmarkList


@pytest.mark.parametrize("key", LISTS)
def test_a_list_is_in_order(key: str) -> None:
    one: BenchmarkList = LISTS[key]
    names = set(one.names)
    assert 8 <= len(one.names) <= 150
    assert len(names) == len(one.names), "a name twice"
    assert all(name == name.strip() and name for name in names)
    for related in (*one.families, *one.uncertain):
        assert len(related) >= 2, related
        assert len(set(related)) == len(related), related
        assert names.issuperset(related), set(related) - names
    in_families = list(chain.from_iterable(one.families))
    assert len(set(in_families)) == len(in_families), "a name in two families"
    assert one.source


def test_every_list_is_seen_or_unseen() -> None:
    assert sorted((*SEEN, *UNSEEN)) == sorted(LISTS)
    assert abs(len(SEEN) - len(UNSEEN)) <= 1
