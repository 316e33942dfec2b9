"""Tables of scores: text among the scores is named, measures of unknown direction are left out."""

from __future__ import annotations

import pytest
from reader_examples import WIDE

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.results.absentees import absences


class TestText:
    def test_words_are_failures_too(self, write):
        text = "dataset,a,b\niris,0.9,timeout\nwine,0.7,crash\nglass,0.8,0.5\n"
        results = read_scores(write(text), measure="accuracy")
        assert len(results.failures) == 2
        assert results.method_names() == ("a", "b")

    def test_a_method_that_failed_everywhere_stays(self, write):
        results = read_scores(write("dataset,a,b\niris,0.9,failed\nwine,0.7,failed\n"), measure="accuracy")
        assert results.method_names() == ("a", "b")
        assert len(results.failures) == 2

    def test_a_column_of_other_words_is_left_out_and_named(self, write):
        text = "dataset,a,b,origin\niris,0.9,0.8,UCI\nwine,0.7,0.6,UCI\n"
        results = read_scores(write(text), measure="accuracy")
        assert results.method_names() == ("a", "b")
        assert str(results.reading) == "2 data sets × 2 methods; not used: the column 'origin'"

    @pytest.mark.parametrize("text", ["95%", "99.2*", "0.9±0.1", "'1,5'", "**0.93**", "0.93 (2)", r"\textbf{0.9}"])
    def test_a_column_of_decorated_numbers_is_no_column_of_words(self, write, text):
        # the method was gone, with a note and exit 0
        table = f"dataset;a;b\niris;0.9;{text}\nwine;0.7;{text}\nglass;0.8;{text}\n"
        with pytest.raises(
            InputError, match=r"scores.csv: scores must be numbers, but 3 cells are not \(iris, b: "
        ) as caught:
            read_scores(write(table), measure="accuracy")
        assert "glass, b: " in str(caught.value)
        assert "write plain numbers (" in str(caught.value)

    def test_other_text_among_scores_is_named(self, write):
        # it was called 'no score', and trials were blamed
        rows = "".join(f"d{i},0.9,{0.7 if i > 7 else 'did not converge'}\n" for i in range(12))
        message = (
            r"8 cells are not \(d0, b: 'did not converge'; .*; d4, b: 'did not converge'; and 3 others\); "
            "leave the cell of a failed run empty"
        )
        with pytest.raises(InputError, match=message):
            read_scores(write("dataset,a,b\n" + rows), measure="accuracy")

    def test_a_method_that_was_out_of_memory_everywhere_does_not_vanish(self, write):
        results = read_scores(write("dataset,a,b\niris,0.9,OUT OF MEMORY\nwine,0.8,oom\n"), measure="accuracy")
        assert results.failures["error"].tolist() == ["out of memory"] * 2
        (gone,) = absences(results).everywhere
        assert str(gone) == "b did not run: all 2 trials failed (out of memory)"

    def test_reasons_survive_an_export(self, write, tmp_path):
        table = "dataset,method,fold,value\niris,a,0,0.9\niris,a,1,Timeout\niris,b,0,0.7\niris,b,1,-\n"
        results = read_scores(write(table), measure="accuracy")
        results.export(scores=tmp_path / "again.csv")
        again = read_scores(tmp_path / "again.csv", measure="accuracy")
        assert again.failures["error"].tolist() == results.failures["error"].tolist() == ["out of time", "no score"]

    def test_text_of_methods_that_are_left_out_does_not_matter(self, write):
        path = write("dataset,a,b,c\niris,0.9,0.8,95%\nwine,0.7,0.6,96%\n")
        assert read_scores(path, measure="accuracy", methods=["a", "b"]).method_names() == ("a", "b")

    def test_text_in_long_tables_is_named(self, write):
        path = write("dataset,method,fold,value\niris,a,0,0.9\niris,a,1,0.8\niris,b,0,0.7\niris,b,1,0.9*\n")
        with pytest.raises(
            InputError, match=r"1 cell is not \(iris, b: '0.9\*'\); write plain numbers \(0.9 instead of"
        ):
            read_scores(path, measure="accuracy")
        assert read_scores(path, measure="accuracy", methods=["a"]).method_names() == ("a",)

    def test_text_in_a_column_per_measure_is_named(self, write):
        path = write("dataset,method,accuracy,auc\niris,a,0.9,95%\niris,b,0.8,96%\n")
        with pytest.raises(InputError, match=r"iris, a, auc: '95%'; iris, b, auc: '96%'"):
            read_scores(path)

    def test_words_that_describe_stay_a_note(self, write):
        path = write("dataset,a,source,kind\niris,0.9,UCI,None\nwine,0.8,OpenML 42,Full\nglass,0.7,2019-03-01,None\n")
        assert "not used: the columns 'source' and 'kind'" in str(read_scores(path, measure="accuracy").reading)

    def test_numbers_may_be_among_the_names_of_data_sets(self, write):
        results = read_scores(write("name,a,b\n1,0.9,0.8\nwine,0.8,0.7\niris,0.8,0.7\n"), measure="accuracy")
        assert results.dataset_names() == ("1", "wine", "iris")


class TestMeasures:
    def test_a_row_of_means_is_left_out(self, write):
        results = read_scores(write(WIDE + "Average,0.89,0.79\n"), measure="accuracy")
        assert results.dataset_names() == ("iris", "wine", "glass")
        assert str(results.reading).endswith("; the row 'Average' was left out (the mean of the others)")

    def test_a_measure_column(self, write):
        text = "dataset,metric,a,b\niris,accuracy,0.9,0.8\niris,rmse,2,3\nwine,accuracy,0.7,0.6\nwine,rmse,1,5\n"
        results = read_scores(write(text), measure="rmse")
        assert results.question.measure == "rmse"
        assert set(results.measures) == {"accuracy", "rmse"}

    def test_several_measures(self, write):
        rows = "iris,a,accuracy,0.9\niris,a,gain,0.8\niris,b,accuracy,0.7\niris,b,gain,0.5\n"
        text = f"dataset,method,metric,value\n{rows}"
        results = read_scores(write(text))
        assert list(results.measures) == ["accuracy"]
        assert any("gain" in note for note in results.notes)  # nobody said which way is better
        both = read_scores(write(text), measure="gain", higher_is_better=True)
        assert both.question.measure == "gain"
        with pytest.raises(UnknownName, match="accuracy"):
            read_scores(write(text), measure="auc")

    def test_a_column_per_measure(self, write):
        rows = "iris,a,0.9,2,100\niris,b,0.8,1,10\nwine,a,0.7,3,100\nwine,b,0.6,1,10\n"
        text = f"dataset,method,accuracy,fit_time,n_trees\n{rows}"
        results = read_scores(write(text), measure="fit_time")
        assert results.question.measure == "fit_time"
        assert results.measures["fit_time"].compare == "log-ratio"
        every = read_scores(write(text))
        assert list(every.measures) == ["accuracy", "fit_time"]
        assert (
            every.verdict("acc" if "acc" in every.measures["accuracy"].aliases else "Accuracy").measure.name
            == "accuracy"
        )


class TestHolte:
    def test_the_table_as_it_is_printed(self, write):
        # "Data set" stands above the methods: it was read as eight methods on three data sets
        rows = "C4,93.8,77.2,77.5,100,97.7,97.5,95.6,89.4\n1R,95.9,87.4,77.3,98.4,95,87,95.2,87.9\n"
        best = "Max,95.9,87.4,77.5,100,97.7,97.5,95.6,89.4\n"
        results = read_scores(write("Data set,IR,LA,LY,MU,SE,SO,VO,VI\n" + rows + best), measure="accuracy")
        assert results.method_names() == ("C4", "1R")
        assert results.dataset_names() == ("IR", "LA", "LY", "MU", "SE", "SO", "VO", "VI")
        assert "the row 'Max' was left out (the largest of the others); the rows are methods" in str(results.reading)
