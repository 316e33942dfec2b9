"""Which picture a verdict gets, with which groups, numbers and captions."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from offenders import for_each

from fairtrial.errors import InputError
from fairtrial.figures import figure_for, figures_for, nemenyi_figure
from fairtrial.figures.comparisons.verdict_pictures import differences_of, dots_of, leads_of
from fairtrial.figures.drawing.style import on_paper
from fairtrial.results import Results, read_predictions, read_scores
from fairtrial.stats import corrected_t, joint_intervals
from fairtrial.tables import Picture
from fairtrial.verdict import RULES, Rule
from fairtrial.verdict.estimates import intervals

LEADS = "Leads with their intervals"
LONG = "a forest of five hundred trees, each tuned by itself"

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


def wide(n: int, levels: dict[str, float], seed: int = 1) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    difficulty = random.uniform(0.5, 0.8, n)
    columns = {m: difficulty + level + random.normal(0, 0.01, n) for m, level in levels.items()}
    return pd.DataFrame({"dataset": [f"d{i}" for i in range(n)], **columns})


def folds(datasets: int, splits: int = 10) -> Results:
    random = np.random.default_rng(2)
    rows = [
        (f"d{d}", m, f, 0.7 + 0.05 * (m == "A") + random.normal(0, 0.02))
        for d in range(datasets)
        for m in "ABC"
        for f in range(splits)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "fold", "value"])
    return read_scores(frame, measure="accuracy", resampling=f"{splits}-fold")


@pytest.fixture(scope="module")
def many() -> Results:
    return read_scores(wide(12, {"A": 0.1, "B": 0.098, "C": 0.0}), measure="accuracy")


def texts(figure: object) -> list[str]:
    from matplotlib.text import Text

    return [t.get_text() for t in figure.findobj(Text) if t.get_text()]  # type: ignore[attr-defined]


class TestWhichPicture:
    def test_three_methods_over_data_sets(self, many: Results) -> None:
        titles = [p.title for p in figures_for(many.verdict())]
        assert titles == [LEADS, "Levels on each data set"]
        assert "typical lead over the best of the others in accuracy" in texts(figure_for(many.verdict()))

    def test_all_pairs_if_they_are_asked_for(self, many: Results) -> None:
        verdict = many.verdict(adjust="simultaneous")
        titles = [p.title for p in figures_for(verdict)]
        assert titles == ["Critical-difference diagram", LEADS, "Levels on each data set"]
        assert "average rank" in texts(figure_for(verdict))

    def test_against_a_control(self, many: Results) -> None:
        pictures = figures_for(many.verdict(control="C"))
        assert [p.title for p in pictures] == [LEADS, "Levels on each data set"]
        assert "typical lead over C in accuracy" in texts(pictures[0].figure)

    def test_many_methods_have_rank_intervals_and_a_map_instead_of_bars(self) -> None:
        levels = {f"m{i}": 0.002 * i for i in range(16)}
        results = read_scores(wide(12, levels), measure="accuracy")
        titles = [p.title for p in figures_for(results.verdict(adjust="simultaneous"))]
        assert titles == ["Rank intervals", "All pairs", LEADS, "Levels on each data set"]
        assert [p.title for p in figures_for(results.verdict())] == [LEADS, "Levels on each data set"]

    def test_two_methods(self) -> None:
        verdict = read_scores(wide(8, {"A": 0.1, "B": 0.0}), measure="accuracy").verdict()
        assert [p.title for p in figures_for(verdict)] == [LEADS, "A and B on each data set", "Levels on each data set"]

    def test_one_data_set(self) -> None:
        pictures = figures_for(folds(1).verdict())
        assert [p.title for p in pictures] == [LEADS, "Levels on d0"]

    def test_per_data_set(self) -> None:
        pictures = figures_for(folds(3).verdict())
        assert [p.title for p in pictures] == ["Levels on each data set"]

    def test_like_weka(self) -> None:
        pictures = figures_for(folds(3).verdict(control="B", per_dataset="corrected_t"))
        assert [p.title for p in pictures] == ["Levels on each data set"]

    def test_one_method(self) -> None:
        verdict = read_scores(wide(8, {"A": 0.1}), measure="accuracy").verdict()
        assert [p.title for p in figures_for(verdict)] == ["Levels on each data set"]

    def test_fixed_models(self) -> None:
        random = np.random.default_rng(3)
        truth = random.integers(0, 2, 200)
        guess = {m: np.where(random.random(200) < share, truth, 1 - truth) for m, share in (("A", 0.9), ("B", 0.6))}
        verdict = read_predictions(pd.DataFrame({"y": truth, **guess}), truth="y").verdict()
        assert [p.title for p in figures_for(verdict)] == [LEADS]

    @for_each("rule", RULES, ids=lambda rule: rule.name)
    def test_the_row_of_the_rule_table_names_the_first(self, rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "verdict"))
        made = importlib.import_module("made_rows")
        first = figures_for(made.verdict_of(rule.name, 0, True))[0].title
        assert first.startswith("Levels on") if rule.figure == "dots" else first == LEADS

    def test_the_verdict_has_it(self, many: Results) -> None:
        assert texts(many.verdict().figure()) == texts(figure_for(many.verdict()))


class TestCaptions:
    def test_say_what_over_what_and_which_interval(self, many: Results) -> None:
        leads, dots = figures_for(many.verdict(smallest_difference=0.01))
        assert leads.caption.startswith("Typical lead over the best of the others in accuracy, over 12 data sets. ")
        assert "95 % intervals, which all hold together" in leads.caption
        assert "too small to matter" in leads.caption
        assert "intervals" not in dots.caption
        assert isinstance(leads, Picture)
        ranks = figures_for(many.verdict(adjust="simultaneous"))[0]
        assert "Wilcoxon signed ranks of each pair, joint flips over 3 pairs" in ranks.caption

    @pytest.mark.parametrize("asked", [{}, {"control": LONG}, {"adjust": "simultaneous"}])
    def test_are_the_same_on_any_paper(self, asked: dict[str, str]) -> None:
        verdict = read_scores(wide(12, {LONG: 0.1, "B": 0.098, "C": 0.0}), measure="accuracy").verdict(**asked)
        captions = [p.caption for p in figures_for(verdict)]  # by these a report finds its pictures for phones
        with on_paper("column"):
            assert [p.caption for p in figures_for(verdict)] == captions

    def test_many_methods_are_counted(self) -> None:
        results = read_scores(wide(12, {f"m{i}": -0.01 * i for i in range(44)}), measure="accuracy")
        data = leads_of(results.verdict())
        assert len(data.rows) == 40
        assert data.note == "4 more methods, all of them out: not drawn."
        assert len(leads_of(results.verdict(control="m43")).rows) == 41

    def test_a_few_data_sets_leave_ends_open(self) -> None:
        results = read_scores(wide(6, {f"m{i}": -0.001 * i for i in range(8)}), measure="accuracy")
        assert "Arrow: the interval goes on." in figures_for(results.verdict())[0].caption

    def test_intervals_are_named_where_they_are_drawn(self) -> None:
        assert "corrected for shared training data" in figures_for(folds(3).verdict())[-1].caption


class TestLeads:
    @pytest.mark.parametrize("seed", range(8))
    def test_are_the_rows_of_the_page(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        k, measure = int(random.integers(2, 7)), ["accuracy", "error_rate", "rmse"][seed % 3]
        frame = wide(int(random.integers(6, 20)), {f"m{i}": 0.01 * random.normal() for i in range(k)}, seed)
        question = {"control": "m1"} if seed % 4 == 3 else {"adjust": "simultaneous"} if seed == 5 else {}
        verdict = read_scores(frame, measure=measure).verdict(**question)
        data, compared = leads_of(verdict), verdict.finding.compared
        assert compared is not None
        table = verdict.more_tables()[0] if compared.family == "pairs" else verdict.to_table()
        keys = [c.key for c in table.columns]
        for drawn, cells, texts, row in zip(data.rows, table.rows, table.cells(), compared.rows, strict=True):
            page, text = dict(zip(keys, cells, strict=True)), dict(zip(keys, texts, strict=True))
            assert (drawn.name, drawn.mark) == (page["method"], page["mark"])
            assert drawn.name == verdict.evidence.methods[row.method]
            assert drawn.closed == row.closed
            if row.effect is None:
                assert page["effect"] is page["interval"] is None
                assert np.isnan([drawn.lead, drawn.low, drawn.high]).all()
                continue
            assert (drawn.lead, (drawn.low, drawn.high)) == (page["effect"], page["interval"])
            assert drawn.text == f"{text['effect']} [{text['interval']}]"
            seen = verdict.scope.wording.as_measured(row.effect) if data.ratio else row.effect
            assert (drawn.lead, drawn.low, drawn.high) == pytest.approx((seen.estimate, seen.low, seen.high))

    def test_ratios_have_their_own_band_and_direction(self) -> None:
        verdict = read_scores(wide(8, {"A": 0.1, "B": 0.0}), measure="rmse").verdict(smallest_difference=0.25)
        data = leads_of(verdict)
        assert (data.ratio, data.higher_is_better, data.rows[0].name) == (True, False, "B")
        assert data.rows[0].lead < 1 < data.rows[1].lead
        assert data.band == pytest.approx((0.8, 1.25))

    def test_need_tests(self) -> None:
        with pytest.raises(InputError, match="'leads' needs tests of methods, but here"):
            leads_of(folds(3).verdict())


class TestDifferences:
    def test_are_those_of_the_test(self, many: Results) -> None:
        verdict = many.verdict()
        data = differences_of(verdict)
        scores = verdict.evidence.means
        effect = joint_intervals(scores[:, [0, 2, 1]]).simultaneous[0].negated()
        row = next(r for r in data.rows if r.name == "C")
        assert (row.estimate, row.low, row.high) == pytest.approx((effect.estimate, effect.low, effect.high))
        assert row.mark == "*"

    def test_lower_is_better_keeps_the_sign_of_the_measure(self) -> None:
        verdict = read_scores(wide(8, {"A": 0.1, "B": 0.0}), measure="error_rate").verdict()
        data = differences_of(verdict)
        assert (data.reference, data.higher_is_better) == ("B", False)
        assert data.rows[0].estimate == pytest.approx(0.1, abs=0.02)

    def test_ratios_of_what_has_no_common_scale(self) -> None:
        frame = wide(8, {"A": 0.1, "B": 0.0})
        frame["A"] = 2 * frame["B"]
        data = differences_of(read_scores(frame, measure="rmse").verdict(smallest_difference=0.25))
        assert data.ratio
        assert data.rows[0].estimate == pytest.approx(2)
        assert data.band == pytest.approx((0.8, 1.25))


class TestDots:
    def test_intervals_are_corrected(self) -> None:
        verdict = folds(2).verdict()
        low, high = intervals(verdict.evidence, 0.95)
        scores = verdict.evidence.folds[1][:, 2]
        effect = corrected_t(scores, np.zeros(10), test_share=0.1).effect
        assert effect is not None
        assert (low[1, 2], high[1, 2]) == pytest.approx((effect.low, effect.high))

    def test_stay_inside_the_range_of_the_measure(self) -> None:
        random = np.random.default_rng(4)
        rows = [("d", m, f, 1 - 0.05 * random.random() ** 4) for m in "AB" for f in range(5)]
        frame = pd.DataFrame(rows, columns=["dataset", "method", "fold", "value"])
        data = dots_of(read_scores(frame, measure="accuracy", resampling="5-fold").verdict())
        assert max(max(row) for row in data.high) == 1

    def test_levels_that_hold_for_all_data_sets_are_lines(self) -> None:
        results = read_scores(wide(7, {"A": 0.1}), measure="accuracy")
        yardsticks = {"human": 0.9, "published": {f"d{i}": 0.8 + i / 100 for i in range(7)}}
        asked = replace(results, question=replace(results.question, yardsticks=yardsticks))
        assert dots_of(asked.verdict()).reference == {"human": 0.9}
        assert dots_of(asked.verdict(claim=0.7)).reference == {"human": 0.9, "claim": 0.7}


class TestNemenyi:
    def test_has_the_rod_and_the_note(self, many: Results) -> None:
        said = " ".join(" ".join(texts(nemenyi_figure(many.verdict()))).split())
        assert "critical difference 0.957" in said  # q 2.3437 · sqrt(3 · 4 / (6 · 12))
        assert "depends on which others are compared" in said

    def test_says_what_it_needs(self) -> None:
        with pytest.raises(InputError, match=r"3 methods and 6 data sets at least, got 3 and 2"):
            nemenyi_figure(folds(2).verdict())
