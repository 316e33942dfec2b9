"""Splits of one's own: from a file, from a splitter of scikit-learn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from made import digests, valued
from sklearn import model_selection as theirs

from fairtrial.data import datasets
from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling import Holdout, KFold, RepeatedKFold, describe, from_sklearn, parse, read_splits

IRIS = datasets("iris")[0]


@pytest.fixture
def write(tmp_path):
    def write(text, name="mine.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


class TestReadSplits:
    def test_rows_that_test(self, write):
        path = write("repeat,fold,row\n1,0,2\n0,0,3\n0,0,0\n0,1,1\n")
        splits = list(read_splits(path).splits(valued(4), 1))
        assert [(s.repeat, s.fold, s.test.tolist(), s.train_rows().tolist()) for s in splits] == [
            (0, 0, [0, 3], [1, 2]),
            (0, 1, [1], [0, 2, 3]),
            (1, 0, [2], [0, 1, 3]),
        ]

    def test_parts(self, write):
        path = write("fold,row,part\n0,0,train\n0,3,train\n0,0,train\n0,1,validation\n0,2,test\n")
        (split,) = read_splits(path).splits(valued(5), 1)
        assert (split.train_rows().tolist(), split.test.tolist()) == ([0, 3, 0], [2])  # as drawn, and twice
        assert split.left_out().tolist() == [1, 4]

    def test_several_data_sets(self, write):
        scheme = read_splits(write("dataset,fold,row\na,0,0\na,1,1\nb,0,2\n"))
        assert [s.test.tolist() for s in scheme.splits(valued(3, "a"), 1)] == [[0], [1]]
        assert [s.test.tolist() for s in scheme.splits(valued(3, "b"), 1)] == [[2]]
        with pytest.raises(UnknownName, match=r"no data set in mine.csv is called 'c'"):
            list(scheme.splits(valued(3, "c"), 1))

    def test_makes_the_same_splits_as_the_scheme_that_they_came_from(self, write):
        made = list(RepeatedKFold(5, 2).splits(IRIS, 1))
        lines = [f"{s.repeat},{s.fold},{row}" for s in made for row in s.test]
        scheme = read_splits(write("repeat,fold,row\n" + "\n".join(lines)), like="2x5-fold")
        assert digests(scheme, IRIS) == [s.digest().hex() for s in made]

    def test_the_content_is_its_identity(self, write):
        first, second = read_splits(write("fold,row\n0,1\n")), read_splits(write("fold,row\n0,2\n"))
        assert first != second
        assert describe(first) != describe(second)
        assert set(describe(first)) == {"scheme", "file", "digest", "like"}

    def test_nobody_said_how_they_were_drawn(self, write):
        path = write("fold,row\n0,0\n0,1\n1,2\n1,3\n")
        unknown = read_splits(path).dependence(valued(4))
        assert (unknown.repeats, unknown.folds, unknown.disjoint, unknown.known) == (1, 2, True, False)
        assert "the scheme of these splits is unknown" in unknown.caution
        known = read_splits(path, like="2-fold").dependence(valued(4))
        assert (known.test_share, known.disjoint, known.caution) == (0.5, True, "")
        assert known.scheme == "own splits (mine.csv), like 2-fold"
        with pytest.raises(InputError, match=r"like='3-fold' means 3 splits, but own splits .* has 2"):
            read_splits(path, like="3-fold").dependence(valued(4))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "must have a head and at least one row"),
            ("fold,instance\n0,1\n", "must have the columns repeat, fold and row, but has fold and instance"),
            ("fold,row,parts\n0,1,test\n", "no column of splits .* is called 'parts'; did you mean 'part'"),
            ("fold,row\n0,-1\n", "row must be a whole number of at least 0, got '-1' in line 2 of mine.csv"),
            ("fold,row\n0,1\nx,1\n", "fold must be a whole number of at least 0, got 'x' in line 3"),
            ("fold,row,part\n0,1,tset\n", "part must be train, validation or test, got 'tset' in line 2"),
            ("fold,row,part\n0,1,train\n", "each split must have rows that test, but repeat 0, fold 0 has none"),
            ("fold,row,part\n0,1,test\n", "each split must have rows that train, but repeat 0, fold 0 has none"),
        ],
    )
    def test_files_that_make_no_sense(self, write, text, message):
        with pytest.raises(InputError, match=message):
            read_splits(write(text))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("fold,row\n0,1\n0,4\n", r"row must be below the number of instances, .* rows 1 to 4 and data has 4"),
            ("fold,row\n0,1\n0,1\n", "a row must be tested once in a split"),
            ("fold,row\n0,0\n0,1\n0,2\n0,3\n", "leaves one side of data empty"),
            ("fold,row,part\n0,1,test\n0,1,train\n", r"no row may train and test in one split, .* \(row 1 first\)"),
        ],
    )
    def test_splits_that_do_not_fit_the_data(self, write, text, message):
        with pytest.raises(InputError, match=message):
            list(read_splits(write(text)).splits(valued(4), 1))

    def test_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(InputError, match=r"the splits in .*none.csv can't be read"):
            read_splits(tmp_path / "none.csv")

    def test_likeness_to_nothing(self, write):
        with pytest.raises(InputError, match="resampling must read like"):
            read_splits(write("fold,row\n0,1\n"), like="ten")


GROUPED = replace(IRIS, groups=np.arange(150) // 6)


class TestFromSklearn:
    @pytest.mark.parametrize(
        ("splitter", "places"),
        [
            (theirs.KFold(5), [(0, f) for f in range(5)]),
            (theirs.StratifiedKFold(3, shuffle=True, random_state=1), [(0, f) for f in range(3)]),
            (
                theirs.RepeatedKFold(n_splits=3, n_repeats=2, random_state=1),
                [(r, f) for r in range(2) for f in range(3)],
            ),
            (theirs.ShuffleSplit(4, test_size=0.4, random_state=1), [(r, 0) for r in range(4)]),
            (theirs.TimeSeriesSplit(4), [(0, f) for f in range(4)]),
            (theirs.GroupKFold(5), [(0, f) for f in range(5)]),
            (theirs.LeaveOneGroupOut(), [(0, f) for f in range(25)]),
            (theirs.PredefinedSplit(np.arange(150) % 4), [(0, f) for f in range(4)]),
        ],
        ids=lambda v: type(v).__name__,
    )
    def test_the_same_splits(self, splitter, places):
        made = list(from_sklearn(splitter).splits(GROUPED, 1))
        assert [(s.repeat, s.fold) for s in made] == places
        groups = GROUPED.groups if "Group" in type(splitter).__name__ else None
        for split, (train, test) in zip(made, splitter.split(IRIS.X, IRIS.codes, groups), strict=True):
            assert split.train_rows().tolist() == train.tolist()
            assert split.test.tolist() == sorted(test.tolist())

    def test_small_test_sets_that_meet_by_chance_only_later(self):
        made = from_sklearn(theirs.ShuffleSplit(12, test_size=2, random_state=1)).splits(valued(30), 1)
        assert {s.fold for s in made} == {0}

    def test_how_it_was_drawn_can_be_said(self):
        splitter = theirs.ShuffleSplit(7, test_size=0.25, random_state=1)
        assert not from_sklearn(splitter).dependence(IRIS).known
        said = from_sklearn(splitter, like="7x holdout 0.25").dependence(IRIS)
        assert said.to_dict() == {
            **Holdout(0.25, 7).dependence().to_dict(),
            "scheme": "ShuffleSplit, like 7× holdout of 25 %",
        }
        with pytest.raises(InputError, match="like='10-fold' means 10 splits, but ShuffleSplit has 7"):
            from_sklearn(splitter, like="10-fold").dependence(IRIS)

    def test_is_written_down_with_its_parameters(self):
        first = from_sklearn(theirs.RepeatedKFold(n_splits=3, n_repeats=2, random_state=1))
        written = describe(first)
        assert written["kind"] == "sklearn.model_selection._split.RepeatedKFold"
        assert written["parameters"]["n_repeats"] == 2
        assert first == from_sklearn(theirs.RepeatedKFold(n_splits=3, n_repeats=2, random_state=1))
        assert first != from_sklearn(theirs.RepeatedKFold(n_splits=3, n_repeats=2, random_state=2))
        one, other = (from_sklearn(theirs.PredefinedSplit(np.arange(12) % k)) for k in (3, 4))
        assert describe(one) != describe(other)

    @pytest.mark.parametrize("state", [None, np.random.RandomState(1)])
    def test_random_splits_are_refused(self, state):
        for splitter in (theirs.KFold(5, shuffle=True, random_state=state), theirs.ShuffleSplit(random_state=state)):
            with pytest.raises(InputError, match=r"random_state of .* must be a whole number"):
                from_sklearn(splitter)

    def test_a_splitter_of_your_own_that_changes_its_mind(self):
        class Fickle:
            calls = 0

            def split(self, X, y, groups):
                Fickle.calls += 1
                yield np.arange(1, len(X)), np.array([0])
                yield np.arange(Fickle.calls, len(X)), np.array([0])

        with pytest.raises(InputError, match=r"Fickle must make the same splits each time, but made others .* on data"):
            list(from_sklearn(Fickle()).splits(valued(9), 1))

    def test_leakage_is_refused(self):
        class Leaky:
            def split(self, X, y, groups):
                yield np.arange(len(X)), np.array([0, 1])

        with pytest.raises(InputError, match=r"no row may train and test in one split, .* 2 on both sides"):
            list(from_sklearn(Leaky()).splits(valued(9), 1))

    @pytest.mark.parametrize("given", [theirs.KFold, "KFold", None, 5])
    def test_what_is_no_splitter(self, given):
        with pytest.raises(InputError, match=r"splitter must be an object with split\(X, y, groups\)"):
            from_sklearn(given)

    def test_like_our_own(self):
        scheme = from_sklearn(theirs.KFold(10), like="10-fold")
        assert (
            scheme.dependence().test_share
            == KFold(10).dependence().test_share
            == parse("10-fold").dependence().test_share
        )
