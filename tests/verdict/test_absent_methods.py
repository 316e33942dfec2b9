"""Verdicts when a method did not run: it is named first, and has no number anywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.figures import figures_for
from fairtrial.figures.comparisons.verdict_pictures import dots_of
from fairtrial.notices import Notice
from fairtrial.results import read_scores
from fairtrial.results.absentees import DidNotRun
from fairtrial.statements import Remark, Role
from fairtrial.tables import Marked
from fairtrial.verdict.claims import support
from fairtrial.verdict.claims.difference import Better
from fairtrial.verdict.claims.steadiness import OnPolicy

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


DATASETS = tuple(f"d{i}" for i in range(7))
LEVEL = {"good": 0.9, "fair": 0.8, "shaky": 0.85, "yard": 0.5}
NEVER = "never did not run: all 35 trials failed (ValueError: no), so nothing is said about it."


class Trial(NamedTuple):
    dataset: str
    method: str
    level: float | None
    fold: int


def score(fails):
    """Accuracies that differ by method, a little by fold; None where the trial fails."""

    def of(dataset, method, level, fold):
        if fails(Trial(dataset, method, level, fold)):
            return None
        wiggle = 0.01 * np.sin(7 * fold + hash_of(dataset) + hash_of(method))
        return {"accuracy": LEVEL.get(method, 0.7) + wiggle, "fit_time": 0.1 + 0.01 * fold}

    return of


def hash_of(name):
    return sum(map(ord, name))


@pytest.fixture
def made(made_results):
    def make(fails=lambda t: t.method == "never", datasets=DATASETS, methods=("good", "fair", "never", "yard"), **more):
        found = made_results(score(fails), datasets=datasets, methods=methods, yardsticks=("yard",), **more)
        return replace(found, failures=found.failures.assign(error="ValueError: no\nTraceback"))

    return make


class TestOverDatasets:
    def test_the_first_sentence_names_it(self, made):
        verdict = made().verdict()
        assert str(verdict).startswith(NEVER)
        assert verdict.sentence == f"{NEVER} {verdict.answer}"
        (found,) = verdict.finding.of_kind(Better)
        assert (found.method, found.other) == ("good", "fair")

    def test_it_has_no_number(self, made):
        verdict = made(methods=("good", "fair", "shaky", "never", "yard")).verdict()
        assert verdict.evidence.methods == ("good", "fair", "shaky")
        assert verdict.finding.order == ("good", "shaky", "fair")
        assert verdict.comparisons.names == ("good", "fair", "shaky")
        assert len(verdict.omnibus.details["average_ranks"]) == 3
        assert verdict.finding.leads.names == ("good", "fair", "shaky")
        name, *numbers, mark = verdict.to_table().rows[-1]
        assert (name, {*numbers}, mark) == ("never", {None}, "did not run: all 35 trials failed")

    def test_as_data(self, made):
        told = made().verdict().to_dict()["did_not_run"]
        assert told == [{"method": "never", "failed": 35, "total": 35, "reason": "ValueError: no", "dataset": "",
                         "unit": "trial"}]  # fmt: skip

    def test_figures_don_t_have_it(self, made):
        for picture in figures_for(made().verdict()):
            assert "Left out: never did not run." in picture.caption
            assert not any(
                "never" in text.get_text() for text in picture.figure.findobj(lambda a: hasattr(a, "get_text"))
            )

    def test_the_failure_policy_has_nothing_to_say(self, made):
        verdict = made().verdict()
        assert not any("failure polic" in text for text in verdict.stable)
        assert not any("failed" in check.text for check in verdict.notices)

    def test_one_left(self, made):
        verdict = made(methods=("good", "never", "yard")).verdict()
        assert verdict.sentence.startswith(f"{NEVER} good has a mean accuracy of 0.9")

    def test_one_data_set_that_it_fails_on_is_scored_by_the_policy_and_marked(self, made):
        verdict = made(lambda t: t.method == "shaky" and t.dataset == "d3", methods=("good", "shaky", "yard")).verdict()
        assert verdict.did_not_run == ()
        mean = verdict.to_table().rows[1][1]
        assert (mean.mark, mean.note) == ("†", "5 of 35 trials failed")
        assert verdict.evidence.means[3, 1] == verdict.evidence.means[3, 2]
        assert "† mean with scores that the failure policy gave" in verdict.to_table().notes
        failed = "5 of 105 trials failed: shaky on d3 (5); scored as the baseline 'yard' on those splits"
        assert [n.sentence for n in verdict.finding.of_kind(Notice) if "trials failed" in n.sentence] == [failed]
        assert str(verdict).replace("\n          ", " ").count(failed) == 1
        (policy,) = verdict.finding.of_kind(OnPolicy)
        assert (policy.winner, [p for p, _ in policy.others], policy.changed) == ("good", ["worst", "drop"], ())

    def test_dots_are_not_drawn_where_it_did_not_run(self, made):
        verdict = made(lambda t: t.method == "shaky" and t.dataset == "d3", methods=("good", "shaky", "yard")).verdict()
        data = dots_of(verdict)
        drawn = np.array([data.estimates, data.low, data.high])[:, :, data.methods.index("shaky")]
        assert np.isnan(drawn[:, 3]).all()
        assert np.isfinite(np.delete(drawn, 3, axis=1)).all()
        assert "Left out: shaky did not run on d3." in figures_for(verdict)[-1].caption


class TestRefusals:
    def test_the_control_did_not_run(self, made):
        expected = (
            r"compared with the control, but never did not run: all 35 trials failed \(ValueError: no\); name another"
        )
        with pytest.raises(DidNotRun, match=expected):
            made().verdict(control="never")

    def test_the_baseline_did_not_run(self, made):
        fails = lambda t: t.method == "yard" or (t.method == "fair" and t.fold == 0)  # noqa: E731
        with pytest.raises(
            InputError, match=r"and the baseline 'yard' did not run, so that its scores can't replace theirs; name"
        ):
            made(fails).verdict()
        assert made(fails).verdict(failures="worst").sentence.startswith("yard did not run: all 35 trials")

    def test_nobody_ran(self, made):
        with pytest.raises(
            DidNotRun, match=r"no method is left .*: good did not run: all 35 .* and never did not run: all"
        ):
            made(lambda t: t.method != "yard", methods=("good", "never", "yard")).verdict()

    def test_refuse_means_refuse(self, made):
        with pytest.raises(InputError, match=r"35 of 140 trials failed: .*the failure policy is 'refuse'"):
            made().verdict(failures="refuse")

    def test_other_splits_are_still_seen_as_such(self):
        apart = {m: [i if i // 2 == j else None for i in range(6)] for j, m in enumerate("xyz")}
        frame = pd.DataFrame({"dataset": list("abcdef"), **apart})
        with pytest.raises(InputError, match="no two methods have a score on the same split"):
            read_scores(frame, measure="rmse").verdict()


class TestPerDataset:
    def test_it_is_judged_where_it_ran(self, made):
        found = made(lambda t: t.method == "shaky" and t.dataset == "d1", datasets=("d0", "d1"),
                     methods=("good", "fair", "shaky", "yard"))  # fmt: skip
        verdict = found.verdict()
        first = "shaky did not run on d1: all 5 trials failed (ValueError: no), so nothing is said about it there."
        assert verdict.absence == first
        assert verdict.parts["d0"].order == ("good", "shaky", "fair")
        assert verdict.parts["d1"].order == ("good", "fair")
        assert verdict.parts["d1"].said(Role.ANSWER)[0].render() == first
        assert verdict.parts["d1"].table.rows[-1][-1] == "did not run on d1: all 5 trials failed"
        assert not any("failed" in check.text for check in verdict.notices)
        assert not any("failure polic" in text for text in verdict.stable)

    def test_some_failures_are_scored_by_the_policy(self, made):
        found = made(
            lambda t: t.method == "shaky" and t.fold == 0, datasets=("d0", "d1"), methods=("good", "shaky", "yard")
        )
        verdict = found.verdict()
        assert verdict.did_not_run == ()
        cells = [row[1] for row in verdict.parts["d1"].table.rows]
        assert [isinstance(cell, Marked) for cell in cells] == [False, True, False]
        legend = "† 1 of 15 trials failed: shaky on d1 (1); scored as the baseline 'yard' on those splits"
        assert legend in verdict.parts["d1"].table.notes

    def test_one_left_on_a_data_set(self, made):
        found = made(
            lambda t: t.method == "shaky" and t.dataset == "d1",
            datasets=("d0", "d1"),
            methods=("good", "shaky", "yard"),
        )
        verdict = found.verdict()
        assert [s.about for s in verdict.parts["d1"].of_kind(Remark)] == ["estimate"]
        assert verdict.answer == "good is better in accuracy on d0."
        assert "On d1" not in " ".join(verdict.sentences)  # where only one ran, nobody could beat the other
        assert verdict.to_table().rows[1][-1] == "only good ran"
        (tested,) = verdict.finding.of_kind(support.ByTest)
        assert tested.test == "corrected resampled t"

    def test_nobody_on_a_data_set(self, made):
        found = made(
            lambda t: t.method != "yard" and t.dataset == "d1",
            datasets=("d0", "d1", "d2"),
            methods=("good", "fair", "yard"),
        )
        verdict = found.verdict()
        assert [s.about for s in verdict.parts["d1"].of_kind(Remark)] == ["nothing"]
        assert verdict.to_table().rows[1][-1] == "no method ran"

    def test_against_a_control(self, made):
        fails = lambda t: (t.method, t.dataset) in {("shaky", "d1"), ("good", "d2")}  # noqa: E731
        found = made(fails, datasets=("d0", "d1", "d2"), methods=("good", "fair", "shaky", "yard"))
        verdict = found.verdict(control="good")
        assert verdict.answer.endswith("fair worse on 2 of 2; shaky worse on 1 of 1.")
        assert verdict.to_table().rows[1][4].text == "failed"
        assert [s.about for s in verdict.parts["d2"].of_kind(Remark)] == ["nothing"]

    def test_the_table_of_weka(self, made):
        found = made(lambda t: t.method == "shaky" and t.dataset == "d1", methods=("good", "fair", "shaky", "yard"))
        verdict = found.verdict(control="good", per_dataset="corrected_t")
        assert verdict.absence.startswith("shaky did not run on d1: ")
        assert verdict.to_table().rows[1][4].strip() == "failed"
        assert verdict.to_table().rows[-1][4].strip() == "(0/0/6)"

    def test_the_table_of_weka_with_nobody_to_compare(self, made):
        with pytest.raises(DidNotRun, match="no method is left to compare with 'good': never did not run"):
            made(methods=("good", "never", "yard")).verdict(control="good", per_dataset="corrected_t")


class TestLevels:
    def levels(self, made, fails, **more):
        return made(fails, factor="train_size", levels=(50, 100), datasets=("d0", "d1"), **more)

    def test_at_every_level(self, made):
        verdicts = self.levels(made, lambda t: t.method == "never").verdicts()
        assert verdicts.sentence.startswith(
            "never did not run: all 20 trials failed (ValueError: no), so nothing is said"
        )
        assert "never" not in [column.title for column in verdicts.to_table().columns]

    def test_at_one_level_only(self, made):
        found = self.levels(made, lambda t: t.method == "shaky" and t.level == 50, methods=("good", "shaky", "yard"))
        verdicts = found.verdicts()
        assert verdicts.absence == "shaky did not run at train_size 50: all 10 trials failed (ValueError: no)."
        table = verdicts.to_table()
        assert [row[3] if isinstance(row[3], float) else row[3].text for row in table.rows] == [
            "failed",
            pytest.approx(0.85, abs=0.02),
        ]
        assert "train_size 50: shaky did not run: all 10 trials failed (ValueError: no)" in table.notes
        data = found.figure("levels", measure="accuracy")
        assert data is not None

    def test_a_level_without_the_control_is_left_out(self, made):
        found = self.levels(made, lambda t: t.method == "good" and t.level == 50, methods=("good", "shaky", "yard"))
        verdicts = found.verdicts(control="good")
        assert [levels["train_size"] for levels, _ in verdicts] == [100]
        assert (
            "Nothing is said at train_size 50: all others are compared with the control, but good did"
            in verdicts.absence
        )
        with pytest.raises(DidNotRun, match="at train_size 50, all others are compared with the control"):
            self.levels(made, lambda t: t.method == "good", methods=("good", "shaky", "yard")).verdicts(control="good")


class TestFront:
    def test_costs_over_few_data_sets_have_no_infinite_interval(self, made):
        front = made(datasets=("d0", "d1")).pareto()
        assert "∞" not in str(front)
        assert str(front).startswith("never did not run: all 10 trials failed (ValueError: no)")
        assert sorted(s.method for s in front.standings) == ["fair", "good", "yard"]
