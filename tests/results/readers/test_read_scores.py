"""read_scores: the shapes that people really have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.data.bundled import UCI
from fairtrial.errors import InputError, UnknownName
from fairtrial.results import COLUMNS, read_scores

GOLDEN = Path(__file__).parents[2] / "golden"  # demsar_2006_table6.csv: Demšar 2006, JMLR 7:1-30, Table 6

WIDE = "dataset,forest,bayes\niris,0.95,0.90\nwine,0.97,0.98\nglass,0.75,0.50\n"


def wide_of(results):
    return results.scores.pivot_table(index="dataset", columns="method", values="value", sort=False)


class TestWide:
    def test_by_hand(self, write):
        results = read_scores(write(WIDE), measure="accuracy")
        assert results.dataset_names() == ("iris", "wine", "glass")
        assert results.method_names() == ("forest", "bayes")
        assert wide_of(results).loc["glass", "bayes"] == 0.5
        assert tuple(results.scores.columns) == COLUMNS
        assert not results.dependence["iris"].known
        assert results.failures.empty

    def test_demsar(self):
        results = read_scores(GOLDEN / "demsar_2006_table6.csv", measure="auc")
        assert len(results.dataset_names()) == 14
        assert wide_of(results).loc["adult (sample)", "C4.5+m+cf"] == 0.798

    def test_garcia_herrera(self, shared_table):
        results = read_scores(shared_table("garcia_herrera_2008.csv"), measure="accuracy")
        assert (len(results.dataset_names()), len(results.method_names())) == (30, 5)

    def test_a_frame_whose_index_names_the_data_sets(self):
        frame = pd.DataFrame({"forest": [0.9, 0.8], "bayes": [0.7, 0.6]}, index=["iris", "wine"])
        for index_name in (None, "problem"):
            results = read_scores(frame.rename_axis(index_name), measure="accuracy")
            assert wide_of(results).loc["wine", "bayes"] == 0.6
        assert list(frame.columns) == ["forest", "bayes"]  # the caller's frame is left as it was

    def test_semicolons_and_decimal_commas(self, write):
        results = read_scores(write("dataset;forest;bayes\niris;0,95;0,9\nwine;0,97;0,5\n"), measure="accuracy")
        assert wide_of(results).loc["wine"].tolist() == [0.97, 0.5]

    def test_a_delimiter_at_the_end_of_each_line_is_no_method(self, write):
        results = read_scores(write("dataset,forest,bayes,\niris,0.95,0.9,\nwine,0.9,0.8,\n"), measure="accuracy")
        assert results.method_names() == ("forest", "bayes")

    def test_whole_numbers_may_name_data_sets(self, write):
        results = read_scores(write("task,forest,bayes\n3,0.95,0.9\n31,0.9,0.8\n"), measure="accuracy")
        assert results.dataset_names() == ("3", "31")

    def test_percentages(self, write):
        results = read_scores(write("dataset,a,b\niris,95,90\nwine,97,0.9\nglass,75.5,61\n"), measure="accuracy")
        facts = results.measures["accuracy"]
        assert (facts.worst, facts.best, facts.unit) == (0, 100, "%")
        assert any("percentage" in note for note in results.notes)

    def test_float_noise_above_one_is_no_percentage(self, write):
        results = read_scores(write("dataset,a,b\niris,1.0000000000000002,0.9\nwine,1,0.8\n"), measure="accuracy")
        assert results.measures["accuracy"].best == 1.0

    def test_some_numbers_above_one_are_no_percentages(self, write):
        with pytest.raises(InputError, match=r"auc lies between 0 and 1, but the scores go from 0\.7 to 2\.5"):
            read_scores(write("dataset,a,b\niris,0.9,0.8\nwine,0.7,2.5\n"), measure="auc")

    def test_a_repeat_column(self, write):
        text = "dataset,resample,a,b\niris,0,0.9,0.8\niris,1,0.8,0.7\nwine,0,0.9,0.6\nwine,1,0.9,0.5\n"
        results = read_scores(write(text), measure="accuracy", resampling="2x holdout 0.3")
        assert results.method_names() == ("a", "b")
        assert results.dependence["iris"].test_share == 0.3
        assert results.scores.query("dataset == 'wine' and method == 'b' and repeat == 1")["value"].item() == 0.5

    def test_a_repeat_column_of_a_real_table(self, shared_table):
        real = read_scores(shared_table("tsc_bakeoff2023_best8_30resamples_long.csv"), measure="accuracy")
        assert real.scores.groupby(["dataset", "method"]).size().eq(30).all()
        assert len(real.method_names()) == 8

    def test_a_single_repeat_is_no_method(self, write):
        results = read_scores(write("dataset,run,a,b\niris,0,0.9,0.8\nwine,0,0.9,0.6\n"), measure="accuracy")
        assert results.method_names() == ("a", "b")

    def test_a_measure_column(self, write):
        text = "dataset,metric,a,b\niris,accuracy,0.9,0.8\niris,rmse,2,3\nwine,accuracy,0.7,0.6\nwine,rmse,1,5\n"
        results = read_scores(write(text), measure="rmse")
        assert results.question.measure == "rmse"
        assert set(results.measures) == {"accuracy", "rmse"}

    def test_rows_that_nothing_tells_apart(self, write):
        with pytest.raises(InputError, match=r"'iris' has several; columns found: dataset, a, b; .*repeat="):
            read_scores(write("dataset,a,b\niris,0.9,0.8\niris,0.8,0.7\n"), measure="accuracy")

    def test_a_row_of_means_is_pointed_out(self, write):
        results = read_scores(write(WIDE + "Average,0.89,0.79\n"), measure="accuracy")
        assert any("'Average' was read as a data set" in note for note in results.notes)


class TestFailures:
    def test_holes_are_failures(self, write):
        results = read_scores(write("dataset,a,b\niris,0.9,\nwine,0.7,0.6\n"), measure="accuracy")
        assert results.failures[["dataset", "method", "error"]].to_numpy().tolist() == [["iris", "b", "no score"]]

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
        assert any("'origin'" in note for note in results.notes)

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
        rows = "".join(f"d{i},0.9,{0.7 if i > 7 else 'OUT OF MEMORY'}\n" for i in range(12))
        message = (
            r"8 cells are not \(d0, b: 'OUT OF MEMORY'; .*; d4, b: 'OUT OF MEMORY'; and 3 more\); "
            "leave the cell of a failed run empty"
        )
        with pytest.raises(InputError, match=message):
            read_scores(write("dataset,a,b\n" + rows), measure="accuracy")

    def test_a_method_that_was_out_of_memory_everywhere_does_not_vanish(self, write):
        with pytest.raises(
            InputError, match="2 cells are not \\(iris, b: 'OUT OF MEMORY'; wine, b: 'OUT OF MEMORY'\\)"
        ):
            read_scores(write("dataset,a,b\niris,0.9,OUT OF MEMORY\nwine,0.8,OUT OF MEMORY\n"), measure="accuracy")

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
        notes = read_scores(path, measure="accuracy").notes
        assert any("not read as scores" in note and "'source', 'kind'" in note for note in notes)

    def test_numbers_may_be_among_the_names_of_data_sets(self, write):
        results = read_scores(write("name,a,b\n1,0.9,0.8\nwine,0.8,0.7\niris,0.8,0.7\n"), measure="accuracy")
        assert results.dataset_names() == ("1", "wine", "iris")

    def test_combinations_that_are_not_there(self, write):
        text = "dataset,method,value\niris,a,0.9\niris,b,0.8\nwine,a,0.7\n"
        results = read_scores(write(text), measure="accuracy")
        assert results.failures[["dataset", "method", "error"]].to_numpy().tolist() == [["wine", "b", "not there"]]

    def test_a_data_set_without_any_score_is_left_out_and_named(self, write):
        results = read_scores(write("dataset,a,b\niris,0.9,0.8\nwine,,\nglass,0.5,0.4\n"), measure="accuracy")
        assert results.dataset_names() == ("iris", "glass")
        assert any("no method has a score of accuracy on wine" in note for note in results.notes)

    def test_automl_benchmark(self, shared_table):
        path = shared_table("amlb2019_1h_all_results_RAW.csv")
        named = {"dataset": "task", "method": "framework", "fold": "fold"}
        results = read_scores(path, value="result", higher_is_better=True, **named)
        assert len(results.method_names()) == 7
        assert "autoweka" in set(results.failures["method"])
        assert len(read_scores(path, value="auc", measure="auc", **named).dataset_names()) == 20  # of two classes
        assert read_scores(path, measure="auc").scores["repeat"].nunique() == 1  # a seed per row numbers no repeats

    def test_infinity_is_refused(self, write):
        with pytest.raises(InputError, match="must be finite"):
            read_scores(write("dataset,a,b\niris,0.9,inf\nwine,0.7,0.6\n"), measure="rmse")

    def test_no_number_at_all(self, write):
        with pytest.raises(InputError):
            read_scores(write("dataset,a,b\niris,failed,failed\n"), measure="accuracy")


class TestLong:
    LONG = "problem,learner,cv_fold,quality\niris,1,0,0.9\niris,1,1,0.8\niris,2,0,0.7\niris,2,1,0.6\n"

    def test_any_titles_and_numeric_methods(self, write):
        results = read_scores(write(self.LONG), value="quality", measure="accuracy", resampling="2-fold")
        assert results.method_names() == ("1", "2")
        assert results.dependence["iris"].scheme == "2-fold"
        assert results.scores.query("method == '2' and fold == 1")["value"].item() == 0.6

    def test_wrong_count(self, write):
        with pytest.raises(InputError, match="means 100 scores for each method on each data set, but 'iris' has 2"):
            read_scores(write(self.LONG), value="quality", measure="accuracy", resampling="10x10-fold")

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

    def test_duplicates_are_refused(self, write):
        text = "dataset,method,value\niris,a,0.9\niris,a,0.8\niris,b,0.8\n"
        with pytest.raises(InputError, match=r"each score must be there once, but 1 are there again.*repeat="):
            read_scores(write(text), measure="accuracy")

    def test_methods(self, write):
        results = read_scores(write(self.LONG), value="quality", measure="accuracy", methods=["2"])
        assert results.method_names() == ("2",)
        with pytest.raises(UnknownName, match="no method in this file is called '3'"):
            read_scores(write(self.LONG), value="quality", measure="accuracy", methods=["3"])


class TestColumnPerFold:
    def test_numbered_titles(self, write):
        text = "classifier,dataset,s0,s1,s2,s3\na,iris,0.9,0.8,0.7,0.6\nb,iris,0.8,0.7,0.6,0.1\n"
        results = read_scores(write(text), measure="accuracy", resampling="2x2-fold")
        last = results.scores.query("method == 'b' and repeat == 1 and fold == 1")
        assert last["value"].item() == 0.1

    def test_other_titles_are_asked_about(self, write):
        text = "classifier,dataset,gain,lift\na,iris,0.9,0.8\nb,iris,0.8,0.7\n"
        with pytest.raises(InputError, match=r"columns found: classifier, dataset, gain, lift; try read_scores\(path"):
            read_scores(write(text), higher_is_better=True)
        one = read_scores(write(text), measure="lift", higher_is_better=True)
        assert wide_of(one).loc["iris", "b"] == 0.7

    def test_baycomp(self, shared_table):
        path = shared_table("baycomp_accuracies_10x10cv.csv")
        results = read_scores(path, measure="accuracy", resampling="10x10-fold")
        means = pd.read_csv(shared_table("baycomp_accuracies_mean.csv")).set_index("dataset")
        np.testing.assert_allclose(wide_of(results)[means.columns].loc[means.index], means, atol=0.002)


class TestWeka:
    def test_results(self, shared_table):
        results = read_scores(shared_table("weka/results_10x10.arff"))
        assert results.question.measure == "Percent_correct"
        assert results.method_names() == ("ZeroR", "NaiveBayes", "J48", "IBk", "Logistic")
        assert results.dependence["iris"].scheme == "10×10-fold"
        assert results.dependence["iris"].test_share == pytest.approx(0.1, abs=0.001)
        assert results.failures.empty  # a measure that WEKA could not compute is not a failed trial
        assert not results.measures["Percent_incorrect"].higher_is_better
        assert results.verdict("percent_incorrect").evidence.means[0, 2] == pytest.approx(5.27, abs=0.01)

    def test_data_are_not_results(self):
        with pytest.raises(InputError, match=r"has no Key_Dataset; to read it as data, use fairtrial\.read_dataset"):
            read_scores(UCI / "labor.arff")


class TestErrors:
    def test_the_direction_is_never_assumed(self, write):
        results = read_scores(write(WIDE))
        for ask in (results.verdict, results.measure, results.cv_intervals, lambda: results.verdict("score")):
            with pytest.raises(InputError, match=r"--measure accuracy, or --higher-is-better / --lower-is-better"):
                ask()
        assert "glass" in str(results)  # looking at it needs no direction
        with pytest.raises(InputError, match=r"--measure accuracy, or --higher-is-better"):
            read_scores(write("dataset,method,measure,value\niris,a,quality,0.9\niris,b,quality,0.8\n"))
        with pytest.raises(InputError, match=r"did you mean 'accuracy'.*; or say which way is better"):
            read_scores(write(WIDE), measure="acuracy")
        assert read_scores(write(WIDE), measure="quality", higher_is_better=True).question.measure == "quality"

    def test_the_measure_may_be_named_when_the_verdict_is_asked_for(self):
        # it said "say measure='accuracy'" to someone who had
        random = np.random.default_rng(2)
        table = pd.DataFrame(random.uniform(60, 99, (12, 3)).round(1), columns=list("abc"))
        table.insert(0, "dataset", [f"d{i}" for i in range(12)])
        later, at_once = (
            read_scores(table).verdict(measure="error_rate"),
            read_scores(table, measure="error_rate").verdict(),
        )
        assert str(later) == str(at_once)
        assert "! error_rate was read as a percentage" in str(later)
        assert not later.measure.higher_is_better
        assert read_scores(table).measure("accuracy").best == 100
        with pytest.raises(InputError, match="did you mean 'accuracy'"):
            read_scores(table).verdict(measure="acuracy")
        with pytest.raises(InputError, match="mcc lies between -1 and 1, but the scores go from"):
            read_scores(table.assign(a=-200)).verdict(measure="mcc")

    def test_the_measure_may_be_named_for_all_levels(self, write):
        rows = "".join(
            f"d{i},{m},{noise},{50 + 5 * i + (m == 'a') - 100 * noise / 4}\n"
            for i in range(6)
            for m in "ab"
            for noise in (0, 0.2)
        )
        path = write("dataset,method,label_noise,value\n" + rows)
        later, at_once = (
            read_scores(path).verdicts(measure="accuracy"),
            read_scores(path, measure="accuracy").verdicts(),
        )
        assert str(later) == str(at_once)

    def test_a_direction_that_contradicts(self, write):
        with pytest.raises(InputError, match="accuracy is known to be better when higher"):
            read_scores(write(WIDE), measure="accuracy", higher_is_better=False)

    def test_shapes_that_can_not_be_made_out(self, write):
        with pytest.raises(InputError, match=r"columns found: a, b; try read_scores\(path, dataset="):
            read_scores(write("a,b\n0.9,0.8\n0.7,0.6\n"), measure="accuracy")
        with pytest.raises(InputError, match=r"columns found: dataset, method, note; try read_scores\(path"):
            read_scores(write("dataset,method,note\niris,a,fine\niris,b,bad\n"), measure="accuracy")

    def test_a_column_that_is_not_there(self, write):
        with pytest.raises(InputError, match="dataset must name a column, got 'task'; columns found: dataset, forest"):
            read_scores(write(WIDE), measure="accuracy", dataset="task")

    def test_nothing_in_it(self, write):
        with pytest.raises(InputError, match="at least one row"):
            read_scores(write("dataset,a,b\n"), measure="accuracy")
        with pytest.raises(InputError, match="at least one row"):
            read_scores(pd.DataFrame({"dataset": [], "a": []}), measure="accuracy")

    def test_no_such_file(self):
        for name in ("nothing.csv", "nothing.arff"):
            with pytest.raises(InputError, match=r"exist"):
                read_scores(name, measure="accuracy")


@settings(max_examples=8)
@given(
    st.integers(2, 4).flatmap(
        lambda k: st.lists(st.lists(st.integers(0, 50), min_size=k, max_size=k), min_size=6, max_size=9)
    ),
    st.randoms(use_true_random=False),
)
def test_wide_and_long_give_the_same_verdict(rows, random):
    wide = pd.DataFrame(np.asarray(rows) / 50, columns=[f"m{j}" for j in range(len(rows[0]))])
    wide.insert(0, "dataset", [f"d{i}" for i in range(len(rows))])
    long = wide.melt(id_vars="dataset", var_name="method", value_name="value")
    first = read_scores(wide, measure="accuracy").verdict()
    second = read_scores(long, measure="accuracy").verdict()
    assert str(first) == str(second)
