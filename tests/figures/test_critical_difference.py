"""The critical difference diagram as data; then that it draws whatever it is given."""

import json
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from fairtrial import stats
from fairtrial.errors import InputError
from fairtrial.figures import critical_difference_data, critical_difference_figure, draw_critical_difference
from fairtrial.figures.comparisons.critical_difference import BAR_GAP, Stretch
from fairtrial.words import listed

# Demšar (2006), table 6: accuracy (AUC) of C4.5 with m, cf, both tuned.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


@st.composite
def diagrams(draw):
    """Names, ranks with ties, and the cliques of any symmetric relation: not only interval orders."""
    k = draw(st.integers(2, 12))
    ranks = draw(st.lists(st.integers(4, 4 * k).map(lambda q: q / 4), min_size=k, max_size=k))
    differ = np.zeros((k, k), dtype=bool)
    for i, j in combinations(range(k), 2):
        differ[i, j] = differ[j, i] = draw(st.booleans())
    return [f"m{i}" for i in range(k)], ranks, stats.cliques(differ)


JOINED = "bars join methods that are not distinguishable"


class TestLabels:
    def test_by_hand(self):
        # in order of rank: c 1.5, a 2.0, e 3.0, d 4.0, b 4.5; the better three left, from the axis downwards
        data = critical_difference_data(list("abcde"), [2.0, 4.5, 1.5, 4.0, 3.0], [])
        placed = {label.name: (label.side, label.row) for label in data.labels}
        assert placed == {"c": ("left", 0), "a": ("left", 1), "e": ("left", 2), "b": ("right", 0), "d": ("right", 1)}
        assert (data.k, data.rows, data.levels, data.bars) == (5, 3, 0, ())

    def test_equal_ranks_stand_at_one_place_in_the_order_given(self):
        data = critical_difference_data(["x", "y", "z", "w"], [2, 2, 2, 4], [])
        assert [label.rank for label in data.labels] == [2, 2, 2, 4]
        assert [(label.side, label.row) for label in data.labels] == [
            ("left", 0),
            ("left", 1),
            ("right", 1),
            ("right", 0),
        ]

    def test_two_decimals_suffice_for_equal_ranks_and_rounding_noise_is_no_difference(self):
        data = critical_difference_data(["a", "b", "c"], [1 + 0.1 + 0.2, 1.3, 2.4], [])
        assert [label.rank_text for label in data.labels] == ["1.30", "1.30", "2.40"]

    @pytest.mark.slow
    @given(diagrams())
    def test_sides_are_balanced_rows_are_used_once_and_lines_do_not_cross(self, diagram):
        data = critical_difference_data(*diagram)
        left = sorted((la for la in data.labels if la.side == "left"), key=lambda la: la.row)
        right = sorted((la for la in data.labels if la.side == "right"), key=lambda la: la.row)
        assert 0 <= len(left) - len(right) <= 1
        assert [la.row for la in left] == list(range(len(left)))
        assert [la.row for la in right] == list(range(len(right)))
        assert [la.rank for la in left] == sorted(la.rank for la in left)
        assert [la.rank for la in right] == sorted((la.rank for la in right), reverse=True)
        assert max(la.rank for la in left) <= min(la.rank for la in right)

    @given(st.lists(st.floats(1, 6), min_size=6, max_size=6))
    def test_texts_are_equal_exactly_where_ranks_are(self, ranks):
        labels = critical_difference_data("abcdef", ranks, []).labels
        for a, b in combinations(labels, 2):
            assert (a.rank_text == b.rank_text) == (a.rank == b.rank)


class TestBars:
    def test_demsar(self):
        # figure 1a of the paper: CD 1.12 at 0.10; ranks 3.143, 2.000, 2.893, 1.964
        found = stats.nemenyi(DEMSAR, names=["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"], level=0.9)
        critical = found.details["critical_difference"]
        ranks = found.details["average_ranks"]
        data = critical_difference_data(
            found.names, ranks, stats.cliques(found.different()), critical_difference=critical
        )
        assert critical == pytest.approx(1.12, abs=0.005)
        assert [bar.members for bar in data.bars] == [(3, 1, 2), (2, 0)]
        assert [bar.level for bar in data.bars] == [0, 1]
        assert all(s.solid for bar in data.bars for s in bar.stretches)
        assert data.key == (JOINED,)

    def test_a_bar_never_lies_across_a_method_that_differs(self):
        # PEERS 12: 0 and 2 are not distinguishable, but 1, which lies between, differs from both
        data = critical_difference_data(["A", "B", "C", "D"], [1.0, 2.0, 3.0, 4.0], [(0, 2, 3)])
        (bar,) = data.bars
        assert bar.dots == (1.0, 3.0, 4.0)
        assert bar.stretches == (Stretch(1.0, 3.0, solid=False), Stretch(3.0, 4.0, solid=True))
        assert data.caption[1:] == ("The group of A, C and D does not include B, which lies between them.",)
        assert data.key == (
            JOINED,
            "dotted: the bar passes a method that is not in its group",
        )

    def test_a_tied_outsider_makes_the_dot_hollow(self):
        data = critical_difference_data(["A", "B", "C"], [1.5, 1.5, 3.0], [(0, 2)])
        (bar,) = data.bars
        assert (bar.dots, bar.shared) == ((1.5, 3.0), (1.5,))
        assert data.caption[1:] == ("The group of A and C does not include B, which has the rank of a member.",)
        assert data.key == (
            JOINED,
            "hollow dot: a method outside the group has the same rank",
        )

    def test_all_tied_is_one_dot(self):
        (bar,) = critical_difference_data(["A", "B", "C"], [2, 2, 2], [(0, 1, 2)]).bars
        assert (bar.dots, bar.stretches, bar.shared) == ((2.0,), (), ())

    def test_bars_apart_share_a_level_and_bars_that_touch_do_not(self):
        names, ranks = list("abcdef"), [1, 2, 3, 4, 5, 6]
        assert [b.level for b in critical_difference_data(names, ranks, [(4, 5), (0, 1), (2, 3)]).bars] == [0, 0, 0]
        assert [b.level for b in critical_difference_data(names, ranks, [(0, 1), (1, 2), (3, 4)]).bars] == [0, 1, 0]

    def test_bars_too_near_to_be_seen_apart_take_two_levels(self):
        data = critical_difference_data(list("abcd"), [1.0, 2.0, 2.05, 3.0], [(0, 1), (2, 3)])
        assert [bar.level for bar in data.bars] == [0, 1]

    def test_single_and_repeated_groups_draw_nothing_more(self):
        data = critical_difference_data(list("abc"), [1, 2, 3], [(0, 1), (1, 0), (2,), ()])
        assert [bar.members for bar in data.bars] == [(0, 1)]

    @given(diagrams())
    def test_each_group_is_drawn_once_with_a_dot_for_each_member(self, diagram):
        _, ranks, groups = diagram
        data = critical_difference_data(*diagram)
        assert sorted(tuple(sorted(bar.members)) for bar in data.bars) == sorted(groups)
        for bar in data.bars:
            assert set(bar.dots) == {ranks[i] for i in bar.members}
            assert [s.start for s in bar.stretches] == list(bar.dots[:-1])
            assert [s.end for s in bar.stretches] == list(bar.dots[1:])

    @pytest.mark.slow
    @given(diagrams())
    def test_no_solid_stretch_passes_a_method_from_outside_and_no_dotted_one_is_without(self, diagram):
        _, ranks, _ = diagram
        for bar in critical_difference_data(*diagram).bars:
            outside = [ranks[i] for i in range(len(ranks)) if i not in bar.members]
            for s in bar.stretches:
                assert s.solid != any(s.start < rank < s.end for rank in outside)
            assert set(bar.shared) == set(bar.dots) & set(outside)

    @pytest.mark.slow
    @given(diagrams())
    def test_bars_of_one_level_are_apart_and_levels_are_as_few_as_can_be(self, diagram):
        data = critical_difference_data(*diagram)
        gap = BAR_GAP * (data.k - 1)
        for a, b in combinations(data.bars, 2):
            if a.level == b.level:
                assert a.end + gap < b.start or b.end + gap < a.start
        crowds = [sum(other.start <= bar.start <= other.end + gap for other in data.bars) for bar in data.bars]
        assert data.levels == max(crowds, default=0)

    @given(diagrams())
    def test_the_caption_names_every_exception(self, diagram):
        names, ranks, _ = diagram
        data = critical_difference_data(*diagram)
        said = " ".join(data.caption)
        for bar in data.bars:
            spanned = [i for i in range(data.k) if i not in bar.members and bar.start <= ranks[i] <= bar.end]
            assert not spanned or listed((names[i] for i in bar.members), None) in said


class TestData:
    def test_to_dict_is_plain(self):
        data = critical_difference_data(
            ["A", "B"], [1.25, 1.75], [(0, 1)], critical_difference=0.9, title="T", note="N"
        )
        back = json.loads(json.dumps(data.to_dict()))
        label = {"name": "A", "rank": 1.25, "rank_text": "1.25", "side": "left", "row": 0, "against": ""}
        assert back["labels"][0] == label
        assert back["bars"][0]["stretches"] == [{"start": 1.25, "end": 1.75, "solid": True}]
        assert (back["critical_difference"], back["title"], back["note"]) == (0.9, "T", "N")

    def test_nothing_in_common(self):
        assert "All methods differ" in critical_difference_data(["A", "B"], [1, 2], []).caption[0]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((["A"], [1], []), "names must have at least 2 entries, got 1"),
            ((["A", "B"], [1, 2, 3], []), r"ranks must be 2 numbers, got shape \(3,\)"),
            ((["A", "B"], [1, 2.5], []), "ranks must lie between 1 and 2, the number of methods, got 2.5"),
            ((["A", "B"], [1, math.nan], []), "ranks must lie between 1 and 2.*got nan"),
            ((["A", "B"], [1, 2], [(0, 2)]), r"groups must hold indices from 0 to 1, got 2 in \(0, 2\)"),
        ],
    )
    def test_says_what_was_wrong(self, arguments, message):
        with pytest.raises(InputError, match=message):
            critical_difference_data(*arguments)

    @pytest.mark.parametrize("length", [0.0, -1.0, math.nan, math.inf])
    def test_the_critical_difference_is_positive(self, length):
        with pytest.raises(InputError, match="critical_difference must be a positive number"):
            critical_difference_data(["A", "B"], [1, 2], [], critical_difference=length)


class TestDrawing:
    @pytest.mark.slow
    @pytest.mark.parametrize("k", [2, 3, 8, 25, 40])
    def test_every_name_is_inside_the_figure(self, k):
        names = [f"a rather long name of method {i}, cut" for i in range(k)]
        ranks = np.linspace(1.1, k - 0.1, k)
        data = critical_difference_data(names, ranks, [(0, 1), (0, k - 1)], critical_difference=0.7, title="t" * 90)
        figure = critical_difference_figure(data)
        width, height = figure.bbox.width, figure.bbox.height
        box = figure.axes[0].get_tightbbox()
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= width
        assert box.y1 <= height

    def test_a_rod_longer_than_the_axis_stays_on_it(self):
        figure = critical_difference_figure(critical_difference_data("AB", [1, 2], [], critical_difference=3.2))
        assert max(np.max(line.get_xdata()) for line in figure.axes[0].lines) <= 2.04
        assert "critical difference 3.20" in {text.get_text() for text in figure.axes[0].texts}

    def test_draws_on_axes_given(self):
        ax = Figure().add_subplot(2, 1, 1)
        draw_critical_difference(critical_difference_data("AB", [1, 2], []), ax)
        assert {"A", "B", "1.00", "2.00"} <= {text.get_text() for text in ax.texts}
