"""Verdicts at each level."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from made_scores import CLEAR, table

import fairtrial as ft
from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.resampling import Dependence
from fairtrial.results import Results, read_scores


def leveled(values) -> Results:
    """Scores of two methods on seven data sets at two levels, made by hand."""
    rows = [
        (d, m, level, 0, 0, 0, "accuracy", v, 90.0, 10.0, "ok")
        for level, own in values.items()
        for m, scores in own.items()
        for d, v in zip("abcdefg", scores, strict=True)
    ]
    names = ["dataset", "method", "label_noise", "replicate", "repeat", "fold", "measure"]
    names += ["value", "n_train", "n_test", "status"]
    return Results(
        scores=pd.DataFrame(rows, columns=names),
        question=Question(measure="accuracy"),
        dependence={d: Dependence.unknown() for d in "abcdefg"},
        measures={"accuracy": ft.measures.get("accuracy")},
        failures=pd.DataFrame(columns=["dataset", "method", "label_noise", "repeat", "fold", "error"]),
        factors={"label_noise": tuple(values)},
    )


LOW = [0.5, 0.52, 0.51, 0.55, 0.56, 0.57, 0.6]
HIGH = [0.6, 0.63, 0.64, 0.65, 0.69, 0.7, 0.75]


class TestLevelVerdicts:
    def test_who_leads_where(self):
        verdicts = leveled({0: {"A": HIGH, "B": LOW}, 0.2: {"A": LOW, "B": HIGH}}).verdicts()
        assert verdicts.sentence == (
            "A has the highest mean accuracy at label_noise 0 %, and B at 20 %. A beats all others at 0 %, and B at "
            "20 %. Means from 0 % to 20 %: B 0.544 to 0.666 and A 0.666 to 0.544."
        )
        assert [v.winner for _, v in verdicts] == ["A", "B"]
        assert verdicts.to_table().rows[0] == ("0 %", 7, pytest.approx(np.mean(HIGH)), pytest.approx(np.mean(LOW)), "A")

    def test_claims(self):
        verdicts = leveled({0: {"A": HIGH}, 0.2: {"A": LOW}}).verdicts(claim=0.6)
        at_zero, at_twenty = verdicts.sentence.split(" At ")
        assert at_zero.startswith(
            "At label_noise 0 %: Yes: the mean accuracy of A on data sets such as these 7 is above 0.6"
        )
        assert at_twenty.startswith("label_noise 20 %: No: ")

    def test_no_clear_winner(self):
        mixed = [0.55, 0.5, 0.53, 0.54, 0.57, 0.56, 0.6]
        verdicts = leveled({0: {"A": LOW, "B": mixed}, 0.2: {"A": LOW, "B": mixed}}).verdicts()
        assert "No method beats all others at any level." in verdicts.sentence

    def test_equals_share_the_first_place(self):
        verdicts = leveled({0: {"A": LOW, "B": LOW}, 0.2: {"A": HIGH, "B": LOW}}).verdicts()
        assert verdicts.sentence == (
            "A and B share the highest mean accuracy at label_noise 0 %, and A at 20 %. A beats all others at 20 %; no "
            "method does at 0 %. Means from 0 % to 20 %: A 0.544 to 0.666 and B 0.544 to 0.544."
        )

    def test_with_a_control_it_says_who_beats_that(self):
        middle = [0.53, 0.55, 0.56, 0.58, 0.59, 0.61, 0.64]
        values = {"A": LOW, "B": HIGH, "C": middle}
        verdicts = leveled({0: values, 0.2: {**values, "A": HIGH, "B": LOW}}).verdicts(control="A")
        assert verdicts.sentence == (
            "B has the highest mean accuracy at label_noise 0 %, and A at 20 %. B and C beat A at 0 %; no method does "
            "at 20 %. Means from 0 % to 20 %: A 0.544 to 0.666, C 0.580 to 0.580 and B 0.666 to 0.544."
        )
        table = verdicts.to_table()
        assert table.columns[-1].title == "beat A"
        assert [row[-1] for row in table.rows] == ["B and C", "none"]

    def test_times_are_averaged_as_they_are_compared(self):
        fast, slow = [1.0, 2, 4, 8, 16, 32, 64], [2.0, 4, 8, 16, 32, 64, 1000]
        results = leveled({0: {"A": fast, "B": slow}, 0.2: {"A": fast, "B": slow}})
        scores = results.scores.assign(measure="fit_time")
        timed = replace(results, scores=scores, measures={"fit_time": ft.measures.get("fit_time")})
        table = replace(timed, question=Question(measure="fit_time")).verdicts().to_table()
        assert table.rows[0][2] == pytest.approx(8.0)
        assert "geometric mean over data sets" in table.caption

    def test_the_verdict_at_a_level_is_that_of_the_level_alone(self):
        results = leveled({0: {"A": HIGH, "B": LOW}, 0.2: {"A": LOW, "B": HIGH}})
        both = dict(zip((0, 0.2), results.verdicts(control="A").verdicts, strict=True))
        assert str(both[0.2]) == str(results.at(label_noise=0.2).verdict(control="A"))

    def test_says_that_levels_are_not_adjusted_for(self):
        verdicts = leveled({0: {"A": HIGH, "B": LOW}, 0.2: {"A": LOW, "B": HIGH}}).verdicts()
        (notice,) = [n for n in verdicts.notices if not n.is_fine and "not over 2 levels" in n.text]
        assert notice.text in " ".join(str(verdicts.full).split())

    def test_in_every_format(self):
        verdicts = leveled({0: {"A": HIGH, "B": LOW}, 0.2: {"A": LOW, "B": HIGH}}).verdicts()
        told = json.loads(verdicts.render("json"))
        assert [level["levels"] for level in told["levels"]] == [{"label_noise": 0}, {"label_noise": 0.2}]
        assert told["answer"] == verdicts.sentence
        assert " ".join(verdicts.render("text").split()).startswith(verdicts.sentence)
        assert "label\\_noise 0 %, and B at 20 %" in verdicts.render("md")
        assert verdicts.render("csv").splitlines()[0].startswith("label_noise,")
        assert "\\begin{tabular}" in verdicts.render("latex")
        assert "<strong>A has the highest mean accuracy" in verdicts._repr_html_()

    def test_charts_at_each_level(self):
        first, second = leveled({0: {"A": HIGH, "B": LOW}, 0.2: {"A": LOW, "B": HIGH}}).verdicts().charts()
        assert (first.columns[0].title, first.rows) == ("label_noise 0 %", (("B", "0–7–0"),))
        assert (second.columns[0].title, second.rows) == ("label_noise 20 %", (("B", "7–0–0"),))

    def test_without_factors(self):
        with pytest.raises(InputError, match="no factors with several levels"):
            read_scores(table(CLEAR), measure="accuracy").verdicts()

    @pytest.mark.slow
    def test_fewer_data_sets_are_judged_one_by_one(self, tmp_path):
        results = ft.Study(
            datasets=["iris", "breast_cancer"], methods=["majority", "one_rule"], resampling="5-fold",
            factors={"train_size": [20, 200]}, measures=["accuracy"],
        ).run(tmp_path / "few.trial", workers=1, progress=False)  # fmt: skip
        verdicts = results.verdicts()
        assert verdicts.sentence.startswith("On iris: one_rule has the highest mean accuracy at train_size 20. ")
        other = "On breast_cancer: one_rule has the highest mean accuracy at every level of train_size. "
        assert other in verdicts.sentence
        assert "no trial has been run yet" not in str(verdicts)
        assert "means at different levels are of different data sets" in str(verdicts)
        page = results.report(tmp_path / "few.html").read_text(encoding="utf-8")
        assert "At train_size 200" in page
        assert verdicts.sentence in page
