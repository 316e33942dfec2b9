"""Who did not run, counted once per trial; tables, curves and figures leave them out and say so."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.text import Text
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.figures import view_of_results
from fairtrial.methods import Method
from fairtrial.results import read_scores
from fairtrial.results.absentees import Absentee, DidNotRun, absences, sentence_about

sys.path.insert(0, str(Path(__file__).parents[1]))
from refusing_methods import Refuses, RefusesSome, RefusesWide

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


REASON = "ValueError: Invalid classes inferred from unique values of `y`. Expected: [0 1], got ['benign' 'malignant']"
BOTH = ["breast_cancer", "wine"]


def fails_below(first):
    """Scores of a and b, which fails on so many folds."""

    def score(dataset, method, level, fold):
        return None if method == "b" and fold < first else {"accuracy": 0.5}

    return score


def refusing(**more):
    """bayes and tree run; xgb never does, wide does on wine only, some does mostly."""
    methods = {
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
        "xgb": Method("xgb", Refuses(), version="1"),
        "wide": Method("wide", RefusesWide(20), version="1"),
        "some": Method("some", RefusesSome(0.3), version="1"),
    }
    parts = {"datasets": BOTH, "methods": methods, "resampling": "2x5-fold", "measures": ["accuracy", "fit_time"]}
    return ft.Study(**{**parts, **more}).run(None, workers=0, progress=False)


@pytest.fixture(scope="module")
def results():
    found = refusing()
    counts = found.failures.groupby(["method", "dataset"]).size()
    assert 0 < counts["some", "breast_cancer"] <= 5
    return found


class TestAbsences:
    def test_by_hand(self, results):
        found = absences(results)
        assert found.everywhere == (Absentee("xgb", 20, 20, REASON),)
        assert found.cells() == {("breast_cancer", "xgb"), ("wine", "xgb"), ("breast_cancer", "wide")}
        assert str(found.on["breast_cancer"][1]).startswith(
            "wide did not run on breast_cancer: all 10 trials failed (Val"
        )

    def test_half_is_not_most(self, made_results):
        half = made_results(fails_below(2), folds=4, measures=("accuracy",))
        assert absences(half).everywhere == ()
        most = made_results(fails_below(3), folds=5, measures=("accuracy",))
        assert absences(most).everywhere == (Absentee("b", 3, 5, "no reason recorded"),)

    def test_a_fold_that_spoils_each_repeat_is_not_most_trials(self, results):
        name = "accuracy(combine='pooled')"
        own = results.with_measures(name)
        spoiled = own.scores.query("measure == @name and method == 'some' and dataset == 'breast_cancer'")
        assert (spoiled["status"] == "failed").all()
        assert absences(own, name).methods() == {"xgb"}
        assert "some" in results.verdict(name).evidence.methods

    def test_the_reason_is_one_line_of_the_commonest_error_and_not_long(self, made_results):
        found = made_results(fails_below(5), folds=5, measures=("accuracy",))
        errors = ["B: rare", *["A: \x1b[31m" + "very " * 60 + "long\nTraceback"] * 4]
        found = ft.Results(**{**vars(found), "failures": found.failures.assign(error=errors)})
        reason = absences(found).everywhere[0].reason
        assert reason.startswith("A: [31mvery very")
        assert len(reason) <= 120
        assert reason.endswith("…")

    def test_scores_from_elsewhere(self):
        frame = pd.DataFrame({"dataset": [f"d{i}" for i in range(8)], "a": 0.5, "b": [0.5, 0.6, 0.7, *[None] * 5]})
        (absentee,) = absences(read_scores(frame, measure="accuracy")).everywhere
        assert str(absentee) == "b has no score on 5 of 8 data sets"
        assert absentee.brief == "has no score on 5 of 8 data sets"


class TestSentence:
    def test_one(self, results):
        text = f"xgb did not run: all 20 trials failed ({REASON}), so nothing is said about it."
        assert sentence_about(absences(results).everywhere) == text

    def test_the_same_reason_is_told_once(self):
        absent = [Absentee(m, 10, 10, "E: no") for m in "abc"]
        told = "a, b and c did not run: all 30 trials failed (E: no), so nothing is said about them."
        assert sentence_about(absent) == told

    def test_at_most_five_names(self):
        absent = [Absentee(m, 10, 10, f"E: {m}") for m in "abcdefg"]
        told = sentence_about(absent)
        assert "e did not run: all 10 trials failed (E: e); 2 others did not run either; nothing is said" in told
        assert "(E: f)" not in told


class TestTables:
    def test_means(self, results):
        lines = str(results).splitlines()
        assert lines[2].split()[:1] + lines[2].split()[3:5] == ["breast_cancer", "failed", "failed"]
        assert lines[2].split()[5].endswith("†")
        assert lines[3].split()[3] == "failed"
        assert not lines[3].split()[4].endswith("†")  # wide ran on wine
        failed = "failed: more than half of the trials there, so that there is no mean "
        assert f"{failed}(xgb on breast_cancer, wide on breast_cancer and xgb on wine)" in str(results)

    def test_csv_has_no_number_and_a_note(self, results):
        keys, rows = results.to_table().flat()
        first = dict(zip(keys, rows[0], strict=True))
        assert first["xgb"] != first["xgb"]
        assert first["xgb_note"] == "10 of 10 trials failed"
        assert first["some_note"].endswith("of 10 trials failed")
        assert "bayes_note" not in keys

    def test_tuning(self):
        methods = {
            "tuned": ft.tuned(DecisionTreeClassifier(), {"max_depth": [1, 2]}),
            "never": Method("never", ft.tuned(Refuses(), {"var_smoothing": [1e-9, 1e-8]}), version="1"),
        }
        found = refusing(datasets=["wine"], methods=methods, resampling="3-fold")
        assert {row[0]: row[1] for row in found.tuning_table().rows}["never"] == "did not run"


class TestCurves:
    def test_leave_them_out_and_say_so(self, results):
        curves = results.curves("roc", dataset="breast_cancer")
        assert list(curves) == ["bayes", "tree", "some"]
        assert f"left out: xgb did not run on breast_cancer: all 10 trials failed ({REASON})" in curves.notes
        assert any(note.startswith("left out: wide did not run on breast_cancer") for note in curves.notes)

    @pytest.mark.parametrize(
        ("kind", "more"),
        [("roc", {}), ("contexts", {}), ("reliability", {}), ("pareto", {}), ("confusion", {"methods": ["tree"]})],
    )
    def test_every_figure_can_be_drawn(self, results, kind, more):
        dataset = None if kind == "pareto" else "breast_cancer"
        words = view_of_results(results, kind, dataset=dataset, **more).words
        assert ("xgb did not run" in words) == (kind != "confusion")

    @pytest.mark.parametrize(
        "look",
        [
            lambda r: r.confusion_matrix("xgb", "wine"),
            lambda r: r.curves("roc", dataset="breast_cancer", methods=["bayes", "xgb"]),
            lambda r: r.figure("confusion", dataset="wine", methods=["xgb"]),
            lambda r: r.pareto(methods=["xgb", "bayes"]),
        ],
    )
    def test_by_name_it_is_an_error_that_says_why(self, results, look):
        with pytest.raises(DidNotRun, match=r"xgb did not run.* \(ValueError: Invalid .*leave 'xgb' out, or repair it"):
            look(results)

    def test_the_confusion_matrix_lists_those_that_ran(self, results):
        figure = results.figure("confusion", dataset="wine")
        shown = {text.get_text().split("\n")[0] for text in figure.findobj(Text)}
        assert shown & set(results.method_names()) == {"bayes", "tree", "wide", "some"}

    def test_what_has_not_been_run_yet_is_left_out_too(self, results):
        scores = results.scores.query("method != 'tree' or dataset != 'breast_cancer'")
        curves = replace(results, scores=scores).curves("roc", dataset="breast_cancer")
        assert "left out: tree has not been run on breast_cancer yet" in curves.notes
        assert list(curves) == ["bayes", "some"]

    def test_nobody_left(self):
        alone = refusing(datasets=["breast_cancer"], methods={"xgb": Method("xgb", Refuses(), version="1")})
        with pytest.raises(DidNotRun, match="no method has predictions on breast_cancer: xgb"):
            alone.curves("roc")
