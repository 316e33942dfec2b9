"""How two methods differ, and all others from a control: which kind is said, and of which methods."""

from __future__ import annotations

import numpy as np
import pytest
from made_scores import BASE, CLEAR, NOISE, table

from fairtrial.results import read_scores
from fairtrial.verdict.claims.difference import (
    AgainstControl,
    Alike,
    Better,
    Differences,
    Equivalent,
    EquivalentPairs,
    NotShown,
    OnSingle,
)

TWO = (Better, NotShown, Equivalent, Alike)
HALF = np.repeat([0.05, -0.05], 20)


def said(columns, *kinds, **asked):
    verdict = read_scores(table(columns), measure="accuracy").verdict(**asked)
    return [s for kind in kinds for s in verdict.finding.of_kind(kind)]


def two(d, **asked):
    d = np.asarray(d)
    base = np.resize(BASE, len(d))
    return said({"a": base + d, "b": base}, *TWO, OnSingle, **asked)


class TestOfTwo:
    @pytest.mark.parametrize(
        ("d", "kind"),
        [
            (0.05 + NOISE[:, 0], Better),
            (10 * (NOISE[:, 0] - NOISE[:, 0].mean()), NotShown),
            (NOISE[:, 0] / 10, Equivalent),
        ],
    )
    def test_one_kind_and_on_how_many_data_sets(self, d, kind):
        first, *rest = two(d, smallest_difference=0.02)
        assert type(first) is kind
        assert {first.method, first.other} == {"a", "b"}
        if kind is Equivalent:
            assert rest == []
        else:
            (single,) = rest
            sign = 1 if single.method == "a" else -1
            assert (single.better, single.worse) == ((sign * d >= 0.02).sum(), (sign * d <= -0.02).sum())

    def test_without_delta_nothing_is_counted(self):
        assert [type(s) for s in two(0.05 + NOISE[:, 0])] == [Better]

    def test_equal_on_average_only(self):
        (first,) = two(HALF + 1e-4 * np.sin(np.arange(40)), smallest_difference=0.01)
        assert isinstance(first, Alike)
        assert (first.better, first.worse, first.n, first.differ) == (20, 20, 40, True)

    def test_equal_scores_are_counted(self):
        d = np.r_[np.zeros(8), 0.01, -0.01, 0.02, -0.02]
        (first,) = two(d)
        assert (type(first), first.equal) == (NotShown, 8)


class TestAgainstControl:
    def test_each_method_stands_in_one_list(self):
        columns = CLEAR | {"same": CLEAR["middle"] + NOISE[:, 3] - NOISE[:, 3].mean()}
        (found,) = said(columns, AgainstControl, control="middle")
        assert (found.better, found.worse, found.open) == (("high",), ("low",), ("same",))
        assert (found.not_worse, found.equivalent) == ((), ())

    def test_equivalent_ones(self):
        columns = CLEAR | {"same": CLEAR["middle"] + NOISE[:, 3] / 10}
        (found,) = said(columns, AgainstControl, control="middle", smallest_difference=0.02)
        assert (found.better, found.worse, found.equivalent, found.open) == (("high",), ("low",), ("same",), ())
        assert (found.better_is_small, found.worse_is_small) == (False, False)

    def test_by_less_than_matters(self):
        (found,) = said(CLEAR, AgainstControl, control="middle", smallest_difference=0.09)
        assert (found.better_is_small, found.worse_is_small) == (True, True)

    def test_not_worse(self):
        columns = CLEAR | {"same": CLEAR["middle"] + NOISE[:, 3] - NOISE[:, 3].mean()}
        asked = {"control": "middle", "alternative": "not worse", "smallest_difference": 0.02}
        (found,) = said(columns, AgainstControl, **asked)
        assert (found.better, found.not_worse, found.open) == (("high",), ("same",), ("low",))
        assert found.alternative == "not worse"

    def test_only_better_is_asked(self):
        (found,) = said(CLEAR, AgainstControl, control="middle", alternative="better")
        assert (found.better, found.worse, found.open) == (("high",), (), ("low",))

    @pytest.mark.parametrize(("control", "ahead", "behind"), [("low", "high", "low"), ("high", "high", "low")])
    def test_the_size_where_there_is_one_other(self, control, ahead, behind):
        columns = {m: CLEAR[m] for m in ("low", "high")}
        (size,) = said(columns, Better, control=control)
        assert (size.method, size.other, size.alone) == (ahead, behind, False)
        assert size.lead.low > 0

    def test_and_not_where_there_are_several(self):
        assert said(CLEAR, Better, OnSingle, control="low", smallest_difference=0.01) == []


class TestAllPairs:
    def test_the_better_one_first_by_p(self):
        (found,) = said(CLEAR, Differences, pairs=True)
        assert set(found.different) == {("high", "low"), ("high", "middle"), ("middle", "low")}
        assert (found.winner, found.pairs, found.bounded) == ("high", 3, True)

    def test_nothing_for_all_together_on_few_data_sets(self):
        (found,) = said({m: v[:6] for m, v in CLEAR.items()}, Differences, pairs=True)
        assert (found.different, found.winner, found.bounded) == ((), "", False)  # no winner of pairs

    def test_equivalent_ones(self):
        columns = CLEAR | {"same": CLEAR["middle"] + NOISE[:, 3] / 10}
        (found,) = said(columns, EquivalentPairs, pairs=True, smallest_difference=0.02)
        assert [set(pair) for pair in found.pairs] == [{"middle", "same"}]
