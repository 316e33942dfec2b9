"""What tuned methods chose, what they tried, and what that cost."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import fairtrial as ft
from fairtrial.results.analyses.tuned_choices import chosen_frame, threshold_table, tried_frame, tuning_table
from fairtrial.tables.formats import significant

OLD = Path(__file__).parents[2] / "store" / "files" / "version5.trial"


@pytest.fixture(scope="module")
def results():
    tuned = ft.tuned(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]})
    study = ft.Study(datasets=["iris"], methods={"tuned": tuned, "bayes": "majority"}, resampling="3-fold")
    return study.run(None, workers=0, progress=False)


class TestChosen:
    def test_is_the_best_of_what_was_tried(self, results):
        chosen, tried = chosen_frame(results), tried_frame(results)
        assert chosen["fold"].tolist() == [0, 1, 2]
        assert chosen["configurations"].tolist() == [3, 3, 3]
        best = tried[tried["place"] == 1]
        assert best["param_max_depth"].tolist() == chosen["param_max_depth"].tolist()
        assert best["inner_score"].tolist() == chosen["inner_score"].tolist()
        for _, own in tried.groupby("fold"):
            assert sorted(own["param_max_depth"]) == [1, 2, 3]
            assert own["inner_score"].is_monotonic_decreasing  # accuracy: the best first


class TestTuningTable:
    def test_who_was_tuned_and_who_was_not(self, results):
        rows = {row[0]: row for row in tuning_table(results).rows}
        assert rows["tuned"][1].startswith("grid, accuracy over ")
        assert rows["tuned"][2] == 3
        assert rows["bayes"][1] == "not tuned"

    def test_without_tuning_there_is_none(self, made_results):
        plain = made_results(lambda *_: {"accuracy": 0.5, "fit_time": 1.0})
        assert tuning_table(plain) is None
        assert list(chosen_frame(plain).columns)[-4:] == ["inner_score", "configurations", "fits", "seconds"]


@pytest.fixture(scope="module")
def decided():
    random = np.random.default_rng(1)
    y = np.repeat(["no", "yes"], [60, 30])
    data = ft.Dataset.from_arrays(random.normal(size=(90, 1)) + 1.5 * (y == "yes")[:, None], y, name="made")
    ways = {
        "bayes": ft.Method("bayes", GaussianNB(), decide="tuned"),
        "ridge": ft.Method("ridge", RidgeClassifier(), decide="tuned"),  # has scores only
        "costs": ft.Method("costs", GaussianNB(), decide="costs"),
    }
    question = ft.Question(context={"costs": {"yes": 4, "no": 1}})
    study = ft.Study(question, datasets=[data], methods=ways, resampling="3-fold")
    return study.run(workers=0, progress=False)


class TestThresholds:
    def thresholds(self, decided, method):
        trials = decided.source.trials.set_index("trial")["method"]
        details = decided.source.details()
        return sorted(d["decision"]["threshold"] for t, d in details.items() if trials[t] == method)

    def test_median_ends_and_the_share_that_is_flagged(self, decided):
        table = threshold_table(decided)
        assert [row[0] for row in table.rows] == ["bayes", "ridge"]
        for method, middle, low, high, flagged in table.rows:
            assert [low, middle, high] == self.thresholds(decided, method)
            predicted = decided.source.predictions("made", method)
            assert flagged == np.mean(predicted.channels["label"] == predicted.positive)
            assert 0.2 < flagged < 0.9

    def test_the_verdict_the_report_and_the_final_model_say_it(self, decided):
        assert threshold_table(decided) in decided.verdict().finding.more_tables
        assert "tuned thresholds\n" in str(decided.verdict().full)
        assert threshold_table(decided) not in decided.verdict("accuracy").finding.more_tables
        model = decided.final_model("bayes")
        cut = significant(3)(model.estimator.threshold_)
        assert f"It flags a case ('yes') from a probability of {cut} on, as tuned. In its trials it" in str(model)
        assert "from a score of " in str(decided.final_model("ridge"))
        assert "flags" not in str(decided.final_model("costs"))

    def test_thresholds_that_flag_all_or_none(self, decided, monkeypatch):
        found = decided.source.details()
        trials = decided.source.trials.query("method == 'bayes'")["trial"].tolist()
        made = [{"threshold": "none"}, {"threshold": "all"}, {"threshold": 0.5}]
        odd = {**found, **{t: {"decision": d} for t, d in zip(trials, made, strict=True)}}
        monkeypatch.setattr(type(decided.source), "details", lambda _: odd)
        row = next(r for r in threshold_table(decided).to_text().splitlines() if r.startswith("bayes"))
        assert row.split()[1:4] == ["0.500", "all", "none"]

    @pytest.mark.parametrize("decision", [3, {}, {"threshold": "x"}, {"threshold": None}, {"threshold": [0.5]}])
    def test_what_is_no_threshold_is_the_methods_own(self, decided, monkeypatch, decision):
        monkeypatch.setattr(
            type(decided.source), "details", lambda s: {t: {"decision": decision} for t in s.trials["trial"]}
        )
        assert threshold_table(decided) is None

    def test_a_file_without_any(self):
        assert threshold_table(ft.read_study(OLD)) is None
