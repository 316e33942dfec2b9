"""What verdicts say in situations whose truth is known, as data; and what every page keeps to."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import numpy as np
import pytest
from further_situations import study_of
from made_situations import SITUATIONS, sets, wide
from offenders import for_each

from fairtrial.errors import InputError
from fairtrial.statements import Role
from fairtrial.tables import Facts, Table
from fairtrial.verdict import Verdict, check_consistency

RNG = np.random.default_rng
MOST_OVER, MOST_ON_ONE = 130, 90
"""Words beside the table of a page, over data sets and on one; labels and symbols are not counted."""

TWICE = 8
"""So many words one after the other do not stand twice on a page."""


@cache
def verdict_of(name: str) -> Verdict:
    return SITUATIONS[name].make()


def texts_of(verdict: Verdict) -> list[str]:
    """All texts of the page beside its table, without the labels of lines."""
    texts: list[str] = []
    for block in verdict.to_document().blocks:
        if isinstance(block, Facts):
            texts += [str(entry[1]) for entry in block.entries]
        elif not isinstance(block, Table):
            texts.append(
                block.text if isinstance(getattr(block, "text", None), str) else "".join(map(str, block.pieces))
            )
    return texts


def words_of(text: str) -> list[str]:
    return [word for word in text.split() if re.search(r"[A-Za-z]", word)]


def test_there_are_enough():
    assert len(SITUATIONS) >= 30


def first_line(name: str) -> None:
    first = texts_of(verdict_of(name))[0]
    assert re.fullmatch(SITUATIONS[name].first, first), first


def what_is_found(name: str) -> None:
    statements = verdict_of(name).statements
    for expected in SITUATIONS[name].found:
        same = [s for s in statements if isinstance(s, expected.kind)]
        assert any(expected.matches(s) for s in same), (expected, same)


def nothing_else_is_claimed(name: str) -> None:
    claimed = {s.kind for s in SITUATIONS[name].found}
    found = {type(s) for s in verdict_of(name).statements if s.role in (Role.ANSWER, Role.CHOICE)}
    assert found <= claimed


def marks(name: str) -> None:
    table = verdict_of(name).to_table()
    shown = {row[0]: row[-1] for row in table.rows}
    assert {m: shown[m] for m in SITUATIONS[name].marks} == SITUATIONS[name].marks


def no_contradiction(name: str) -> None:
    assert check_consistency(verdict_of(name)) == ()


def few_words(name: str) -> None:
    verdict = verdict_of(name)
    words = sum(len(words_of(text)) for text in texts_of(verdict))
    assert words <= (MOST_OVER if len(verdict.evidence.datasets) > 1 else MOST_ON_ONE)


def a_table_of_80_columns(name: str) -> None:
    table = verdict_of(name).page_table()
    assert max(map(len, table.render("text").splitlines())) <= 80
    assert not table.caption


def no_footnotes_but_on_scores_that_failed(name: str) -> None:
    verdict = verdict_of(name)
    assert all(note.startswith(("†", "‡")) for note in verdict.page_table().notes), verdict.page_table().notes
    assert "✓" not in str(verdict)
    assert "*" not in {row[-1] for row in verdict.page_table().rows}


def nothing_is_said_twice(name: str) -> None:
    runs = Counter(
        tuple(words[i : i + TWICE])
        for words in (re.findall(r"\w+", text.lower()) for text in texts_of(verdict_of(name)))
        for i in range(len(words) - TWICE + 1)
    )
    assert [run for run, n in runs.items() if n > 1] == []


def sentences_are_sentences(name: str) -> None:
    for sentence in verdict_of(name).sentences:
        assert sentence.endswith(".")
        assert len(sentence) < 300
        assert not re.search(r"\bnan\b|\bNone\b|  |\.\.", sentence), sentence


SITUATION = (first_line, what_is_found, nothing_else_is_claimed, marks, no_contradiction)
PAGE = (
    few_words,
    a_table_of_80_columns,
    no_footnotes_but_on_scores_that_failed,
    nothing_is_said_twice,
    sentences_are_sentences,
)


SLOW = {"tuning budgets", "forty methods", "time order", "groups", "leak", "pure noise", "duplicates"}
NAMES = [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else [], id=name) for name in SITUATIONS]


@pytest.mark.parametrize("name", NAMES)
@for_each("holds", SITUATION + PAGE, ids=lambda holds: holds.__name__)
def test_verdict_and_page(name, holds):
    """One verdict is made for all that must hold of it; all that does not is listed."""
    holds(name)


@pytest.mark.parametrize(
    ("measure", "asked", "name"),
    [
        ("accuracy", {}, "model number {}"),
        ("accuracy", {"control": "model 3"}, "model {}"),
        ("accuracy", {"pairs": True}, "model {}"),
        ("rmse", {}, "model {}"),
        ("rmse", {"control": "m3"}, "m{}"),
        ("rmse", {"pairs": True}, "m{}"),
    ],
)
def test_twelve_methods_fit(measure, asked, name):
    scores = RNG(12).uniform(0.1, 0.99, (30, 12)) * (1 if measure == "accuracy" else 1000)
    scores[:, :3] *= 0.1  # out, or better than all others
    table = wide({name.format(i): scores[:, i] for i in range(12)}, measure).verdict(**asked).page_table()
    assert len(table.rows) == (13 if "pairs" in asked else 12)  # of pairs the rest is counted
    assert max(map(len, table.render("text").splitlines())) <= 80


@pytest.mark.slow
def test_of_more_methods_the_rest_is_counted():
    lead = np.linspace(0, 0.1, 20)
    verdict = wide({f"m{i}": sets(12, lead[i], seed=i)["a"] for i in range(20)}).verdict()
    shown, full = verdict.page_table(), verdict.to_table()
    assert len(full.rows) == 20
    assert shown.rows[:12] == full.rows[:12]
    assert (shown.rows[12][0], *shown.rows[12][1:-1]) == ("and 8 others", *(None,) * 5)
    out = sum(row[-1] == "out" for row in full.rows[12:])
    assert shown.rows[12][-1] == ("all out" if out == 8 else f"{out} of them out" if out else "")


@pytest.mark.parametrize("declared", ["order", "groups"])
def test_declared_order_and_groups_are_not_split_at_random(declared):
    X, y = RNG(1).normal(size=(60, 3)), np.arange(60) % 2
    with pytest.raises(InputError, match=f"made declares {'an order' if declared == 'order' else 'groups'}"):
        study_of(X, y, **{declared: np.arange(60) // 2})
