"""Small multiples of levels: a panel for each level of a second factor."""

import json
import math
from itertools import product

import pandas as pd
import pytest

import fairtrial as ft
from fairtrial.design import Question
from fairtrial.errors import InputError, UnknownName
from fairtrial.figures import level_panels_data, level_panels_figure, view_of_results
from fairtrial.resampling import Dependence
from fairtrial.results import Results

SIZES, NOISE = (10, 20, 40), (0, 0.2)
FOLDS = Dependence("3-fold", folds=3, test_share=1 / 3, disjoint=True)


def made(methods=("a", "b"), yardsticks=(), noise=NOISE, left_out=()):
    """Scores on one data set: more rows are better by 0.05, noise is worse by its level, b is worse by 0.1."""
    rows = [
        ("wine", m, n, x, 0, 0, fold, "accuracy", 0.7 + 0.05 * math.log2(n / 10) - x - 0.1 * (m == "b")
         - 2 * (m == "yard") + 0.01 * fold, n, 30, "ok")
        for m, n, x, fold in product(methods, SIZES, noise, range(3)) if (m, x) not in left_out
    ]  # fmt: skip
    columns = ["dataset", "method", "train_size", "label_noise", "replicate", "repeat", "fold"]
    columns += ["measure", "value", "n_train", "n_test", "status"]
    return Results(
        scores=pd.DataFrame(rows, columns=columns),
        question=Question(measure="accuracy"),
        dependence={"wine": FOLDS},
        measures={"accuracy": ft.measures.get("accuracy")},
        failures=pd.DataFrame(columns=["dataset", "method", "train_size", "label_noise", "repeat", "fold", "error"]),
        factors={"label_noise": noise, "train_size": SIZES},
        yardsticks=yardsticks,
    )


class TestLevelPanelsData:
    def test_by_hand(self):
        data = level_panels_data(made())
        assert (data.by, data.headings) == ("label_noise", ("label_noise 0 %", "label_noise 20 %"))
        assert [panel.factor for panel in data.panels] == ["train_size"] * 2
        assert [row[0] for row in data.panels[0].estimates] == pytest.approx([0.71, 0.76, 0.81])
        assert [row[1] for row in data.panels[1].estimates] == pytest.approx([0.41, 0.46, 0.51])
        assert json.loads(json.dumps(data.to_dict()))["by"] == "label_noise"
        assert len(data.remarks) == 1  # what holds for all panels is said once

    def test_the_panels_are_those_of_one_level(self):
        results = made()
        for panel, x in zip(level_panels_data(results).panels, NOISE, strict=True):
            assert panel.estimates == ft.figures.levels_data(results.at(label_noise=x)).estimates

    def test_the_factor_on_the_axis_can_be_named(self):
        data = level_panels_data(made(), "label_noise")
        assert (data.by, len(data.panels)) == ("train_size", 3)
        assert data.panels[0].levels == ("0 %", "20 %")

    def test_the_table_has_both_factors(self):
        table = level_panels_data(made()).to_table()
        assert [column.key or column.title for column in table.columns] == ["label_noise", "train_size", "a", "b"]
        assert [row[:2] for row in table.rows] == [
            ("0 %", "10"), ("", "20"), ("", "40"), ("20 %", "10"), ("", "20"), ("", "40"),
        ]  # fmt: skip
        assert table.rule_before == (3,)

    def test_a_method_that_did_not_run_in_a_panel_keeps_its_place(self):
        data = level_panels_data(made(left_out=[("a", 0.2)]))
        assert data.panels[0].methods == data.panels[1].methods == ("a", "b")
        assert all(math.isnan(row[0]) for row in data.panels[1].estimates)
        assert data.panels[1].estimates[0][1] == pytest.approx(0.41)

    def test_says_what_was_wrong(self):
        results = made()
        with pytest.raises(UnknownName, match="no factor of these results is called 'train_sise'"):
            level_panels_data(results, "train_sise")
        with pytest.raises(InputError, match="panels are for two factors, got train_size"):
            level_panels_data(results.at(label_noise=0))
        many = made(noise=tuple(i / 100 for i in range(13)))
        with pytest.raises(InputError, match=r"12 panels, but label_noise has 13 levels; .* --at label_noise=0"):
            level_panels_data(many, "train_size")


class TestDrawing:
    def test_axes_are_shared_and_nothing_is_cut(self):
        figure = level_panels_figure(level_panels_data(made()))
        panels = figure.axes[0].child_axes
        assert len({(ax.get_xlim(), ax.get_ylim()) for ax in panels}) == 1
        assert panels[0].get_ylim()[0] < 0.41 < 0.81 < panels[0].get_ylim()[1]
        box = figure.axes[0].get_tightbbox()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.bbox.width
        assert box.y1 <= figure.bbox.height

    def test_a_yardstick_that_is_far_off_is_drawn_in_no_panel(self):
        results = made(("a", "yard"), yardsticks=("yard",))
        figure = level_panels_figure(level_panels_data(results))
        texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        assert texts == ["a"]
        assert any("not drawn, far off: yard" in text.get_text() for text in figure.axes[0].texts)

    @pytest.mark.parametrize("size", [None, "column"])
    def test_by_kind(self, size):
        view = view_of_results(made(), "levels", size=size)
        assert view.words.startswith("accuracy\nlabel_noise")
        headings = [text.get_text() for ax in view.figure.axes[0].child_axes for text in ax.texts]
        assert headings == ["label_noise 0 %", "label_noise 20 %"]

    def test_verdicts_draw_it(self):
        assert len(made().verdicts().figure().axes[0].child_axes) == 2
