"""The nine questions of Dietterich's taxonomy."""

from __future__ import annotations

from fairtrial.verdict.rules.choose_procedure import NINE, numbered


def test_they_are_numbered_and_differ():
    assert [q.number for q in NINE] == list(range(1, 10))
    assert len({q.name for q in NINE}) == len({q.asks for q in NINE}) == 9


def test_the_tree_of_the_taxonomy():
    for q in NINE[:8]:
        assert ("model" in q.name) == (q.number <= 4)
        assert ("choice between" in q.name) == (q.number in (3, 4, 7, 8))
        assert ("small" in q.name) == (q.number % 2 == 0)
    assert "domains" in NINE[8].name


def test_by_number():
    assert [str(q) for q in numbered((8, 9))] == [
        "8: the choice between algorithms, small sample",
        "9: algorithms over several domains",
    ]
