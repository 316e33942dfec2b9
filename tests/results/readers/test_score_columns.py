"""Finding out the shape of a table of scores."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from reader_examples import wide_of

from fairtrial.errors import InputError
from fairtrial.results import read_scores
from fairtrial.results.readers.request import Request
from fairtrial.results.readers.score_columns import find_shape
from fairtrial.results.readers.score_shapes import FoldColumns, LongShape, MeasureColumns, Places, WideShape


def shape_of(text, **asked):
    return find_shape(pd.read_csv(io.StringIO(text)), Request(**asked))


class TestFindShape:
    def test_wide(self):
        found = shape_of("problem,forest,note\niris,0.9,good\nwine,0.8,bad\n")
        assert found == WideShape(Places("problem"), ("forest",), unread=("note",))

    def test_long(self):
        text = "dataset,method,fold,metric,value\niris,a,0,auc,0.9\niris,a,1,auc,0.8\n"
        assert shape_of(text) == LongShape(Places("dataset", "method", None, "fold", "metric"), ("value",))

    def test_a_seed_that_tells_nothing_apart_numbers_no_repeats(self):
        text = "dataset,method,seed,value\niris,a,17,0.9\niris,b,18,0.8\n"
        assert shape_of(text).places.repeat is None
        assert shape_of(text, repeat="seed").places.repeat == "seed"

    def test_a_column_per_measure(self):
        text = "dataset,method,auc,gain\niris,a,0.9,3\niris,b,0.8,2\n"
        assert shape_of(text) == MeasureColumns(Places("dataset", "method"), ("auc",), unread=("gain",))
        assert shape_of(text, measure="Gain") == MeasureColumns(Places("dataset", "method"), ("gain",))

    def test_a_column_per_fold(self):
        text = "dataset,method,{0},{1}\niris,a,0.9,0.8\niris,b,0.8,0.7\n"
        places = Places("dataset", "method")
        assert shape_of(text.format("s1", "s2")) == FoldColumns(places, ("s1", "s2"))
        assert shape_of(text.format("x", "y"), resampling="2-fold") == FoldColumns(places, ("x", "y"), "2-fold")

    def test_in_an_export_the_columns_between_method_and_replicate(self):
        rows = (
            "dataset,method,model,C,replicate,repeat,fold,measure,value,n_train,n_test,status\n"
            "iris,a,svm,0.1,0,0,0,accuracy,0.7,10,5,ok\n"
        )
        places = shape_of(rows).places
        assert places.factors == ("model", "C")
        assert (places.method, places.replicate, places.repeat) == ("method", "replicate", None)

    def test_a_column_of_replicates_beside_repeats(self):
        rows = "dataset,method,repeat,replicate,value\niris,a,0,0,0.7\niris,a,0,1,0.8\niris,a,1,0,0.8\niris,a,1,1,0.8\n"
        assert shape_of(rows).places.replicate == "replicate"
        assert shape_of(rows).places.repeat == "repeat"
        alone = "dataset,method,replicate,value\niris,a,0,0.7\niris,a,1,0.8\n"
        assert (shape_of(alone).places.replicate, shape_of(alone).places.repeat) == (None, "replicate")

    def test_columns_of_factors_only_where_they_tell_scores_apart(self):
        rows = "dataset,method,label_noise,value\niris,a,0,0.9\niris,b,0,0.8\n"
        assert shape_of(rows).places.factors == ()
        assert shape_of(rows + "iris,a,0.1,0.7\n").places.factors == ("label_noise",)


class TestErrors:
    def test_shapes_that_can_not_be_made_out(self, write):
        with pytest.raises(InputError, match=r"columns found: a and b; try read_scores\(path, dataset="):
            read_scores(write("a,b\n0.9,0.8\n0.7,0.6\n"), measure="accuracy")
        with pytest.raises(InputError, match=r"columns found: dataset, method and note; try read_scores\(path"):
            read_scores(write("dataset,method,note\niris,a,fine\niris,b,bad\n"), measure="accuracy")

    def test_rows_that_nothing_tells_apart(self, write):
        with pytest.raises(InputError, match=r"'iris' has several; columns found: dataset, a and b; .*repeat="):
            read_scores(write("dataset,a,b\niris,0.9,0.8\niris,0.8,0.7\n"), measure="accuracy")

    def test_other_titles_are_asked_about(self, write):
        text = "classifier,dataset,gain,lift\na,iris,0.9,0.8\nb,iris,0.8,0.7\n"
        with pytest.raises(InputError, match=r"found: classifier, dataset, gain and lift; try read_scores\(path"):
            read_scores(write(text), higher_is_better=True)
        one = read_scores(write(text), measure="lift", higher_is_better=True)
        assert wide_of(one).loc["iris", "b"] == 0.7


def test_a_seed_that_is_not_needed_may_be_empty():
    # as in AMLB's tables: failed runs have no seed, and the fold alone tells scores apart
    frame = pd.DataFrame({"task": ["a", "a", "b", "b"], "framework": ["x", "y", "x", "y"], "seed": [1, 2, 3, None]})
    found = find_shape(frame.assign(auc=[0.9, 0.8, 0.7, 0.6]), Request(measure="auc"))
    assert found.places.repeat is None
    with pytest.raises(InputError, match=r"each row must name its repeat, but 'seed' is empty or NA in row 4"):
        find_shape(frame.assign(auc=[0.9, 0.8, 0.7, 0.6]), Request(measure="auc", repeat="seed"))
