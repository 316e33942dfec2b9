"""What a method predicted, from the columns of a table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.results import read_predictions
from fairtrial.results.readers.predicted_columns import MethodRows, Truth, label_text, labels_of

TWO = Truth(np.array([0, 1, 1]), ("no", "yes"), 1)


class TestLabels:
    @pytest.mark.parametrize(
        "column",
        [
            pd.Series(["b", "a", "b", None]),
            pd.Series([2.0, 1.0, np.nan, 2.5]),
            pd.Series([1, 1.0, True, "1"], dtype=object),  # pandas takes the first three for one value
            pd.Series([True, False, True]),
            pd.Series(["b", "a"], dtype="category"),
        ],
    )
    def test_each_row_has_its_own_text(self, column):
        labels = labels_of(column)
        assert [labels.texts[code] for code in labels.codes] == [label_text(value) for value in column]
        assert list(labels.texts) == sorted(set(labels.texts))

    def test_what_is_none_of_the_classes(self):
        assert labels_of(pd.Series(["c", "a", "x", "b"])).coded(["a", "b", "c"]).tolist() == [2, 0, -1, 1]


class TestUnlabelled:
    """A column of predictions whose title does not say what it holds."""

    def channels(self, values, truth=TWO):
        return MethodRows(pd.DataFrame({"y": [0, 1, 1]}), pd.Series(values)).channels(truth, "'a' on 'd'")[0]

    def test_labels(self):
        assert self.channels(["no", "yes", "maybe"])["label"].tolist() == [0, 1, -1]

    def test_shares_are_probabilities_of_the_positive_class(self):
        found = self.channels([0.25, 0.5, 1.0])
        assert found["probability"].tolist() == [[0.75, 0.25], [0.5, 0.5], [0.0, 1.0]]
        assert found["label"].tolist() == [0, 0, 1]
        other = Truth(TWO.truth, TWO.classes, 0)
        assert self.channels([0.25, 0.5, 1.0], other)["probability"][0].tolist() == [0.25, 0.75]

    def test_other_numbers_are_scores(self):
        assert set(self.channels([-2.0, 0.5, 7.0])) == {"score"}

    def test_values(self):
        assert self.channels([1, 2, 3], Truth(np.array([1.0, 2.0, 3.5])))["value"].tolist() == [1, 2, 3]

    def test_it_takes_the_place_of_label_value_and_score_only(self):
        rows = pd.DataFrame({"label": ["no"] * 3, "p_no": [0.9, 0.2, 0.3], "p_yes": [0.1, 0.8, 0.7]})
        found = MethodRows(rows, pd.Series(["yes"] * 3)).channels(TWO, "'a' on 'd'")[0]
        assert found["label"].tolist() == [1, 1, 1]
        assert found["probability"][:, 1].tolist() == [0.1, 0.8, 0.7]

    def test_fractions_and_ranks(self):
        whole, fraction = (MethodRows(pd.DataFrame(), pd.Series(v)) for v in ([1, 0, 1], [0.5, 0, 1]))
        assert (whole.predicts_fractions(), fraction.predicts_fractions()) == (False, True)
        assert (whole.ranks({"0", "1"}), fraction.ranks({"0", "1"})) == (False, True)

    def test_nothing_predicted(self):
        with pytest.raises(InputError, match="'a' on 'd': no column holds predictions; columns: y"):
            MethodRows(pd.DataFrame({"y": [0, 1, 1]})).channels(TWO, "'a' on 'd'")


class TestDeviations:
    def frame(self):
        rows = np.arange(40)
        truth = np.sin(rows)
        parts = [
            pd.DataFrame({"instance": rows, "method": m, "truth": truth, "value": truth + shift, "std": std})
            for m, shift, std in (("wide", 0.1, 2.0 + rows), ("narrow", 0.2, 1.0 + rows))
        ]
        return pd.concat(parts, ignore_index=True).sample(frac=1, random_state=3)

    def test_are_kept_besides_the_values(self):
        results = read_predictions(self.frame())
        assert results.question.measure == "rmse"
        own = results.predictions.query("method == 'narrow'")
        np.testing.assert_array_equal(own["std"], 1.0 + np.arange(40))
        np.testing.assert_allclose(own["value"] - own["truth"], 0.2)

    def test_besides_a_column_called_prediction(self):
        results = read_predictions(self.frame().rename(columns={"value": "prediction"}))
        np.testing.assert_array_equal(results.predictions.query("method == 'wide'")["std"], 2.0 + np.arange(40))

    def test_a_method_may_have_none(self):
        frame = self.frame()
        frame.loc[frame["method"] == "wide", "std"] = np.nan
        channels = read_predictions(frame).source.sets[0].channels
        assert set(channels["wide"]) == {"value"}
        assert set(channels["narrow"]) == {"value", "std"}

    @pytest.mark.parametrize(("bad", "shown"), [(np.nan, "nan"), (-1.0, "-1.0"), (np.inf, "inf"), ("much", "much")])
    def test_nonsense_is_refused(self, bad, shown):
        frame = self.frame().astype({"std": object if isinstance(bad, str) else float})
        frame.iloc[3, frame.columns.get_loc("std")] = bad
        with pytest.raises(InputError, match=f"std must be a number of at least 0 .* 1 are not, such as {shown}"):
            read_predictions(frame)


class TestText:
    LONG = pd.DataFrame({"instance": range(10), "method": "m", "y": ["no", "yes"] * 5})

    @pytest.mark.parametrize(
        ("frame", "message"),
        [
            (
                pd.DataFrame({"y": [1.5, 2.5, "3.5*", 4.0], "a": [1.0, 2.0, 3.0, 4.0]}),
                r"the truth's values must be numbers, but 1 cell is not \(row 2: '3.5\*'\); write plain numbers",
            ),
            (
                pd.DataFrame({"y": [1.5, 2.5, 3.5, 4.0], "a": [1.0, 2.0, 3.0, "4.0*"]}),
                r"'a' on .*: predictions must be numbers, but 1 cell is not \(row 3: '4.0\*'\)",
            ),
            (
                LONG.assign(p_no=["95%", "5%"] * 5, p_yes=[0.05, 0.95] * 5),
                r"probabilities \(p_no\) must be numbers, but 10 cells are not \(row 0: '95%'; .*; and 5 others\)",
            ),
            (LONG.assign(score=["95%", "5%"] * 5), r"predictions must be numbers, but 10 cells are not"),
            (LONG.assign(score=["high", "low"] * 5), r"must predict one of the classes no or yes, or give numbers"),
        ],
    )
    def test_are_named(self, frame, message):
        with pytest.raises(InputError, match=message):
            read_predictions(frame, positive="yes" if "no" in set(frame["y"]) else None)


class TestTextAmongProbabilities:
    def test_is_named(self, write):
        rows = "".join(f"{m},{i},{'ab'[i % 2]},{'much' if i == 2 else 0.5},0.5\n" for m in "xy" for i in range(4))
        with pytest.raises(
            InputError, match=r"'x' on 'p': probabilities \(p_a\) must be numbers, but 1 cell is not \(row 2"
        ):
            read_predictions(write("method,instance,truth,p_a,p_b\n" + rows, "p.csv"))


class TestForecasts:
    """Quantiles, and the naive error of the series of each instance."""

    def wide(self, sign=":", **more):
        truth = np.array([3.5, 1, 4, 8, 5, 2])
        columns = {
            f"{m}{sign}{q}": truth + shift + 2 * (q - 0.5) for m, shift in (("a", 0.1), ("b", -1)) for q in (0.1, 0.5)
        }
        return pd.DataFrame({"y": truth, **columns, **more})

    @pytest.mark.parametrize("sign", [":", "_q", ":q", " q", ".Q"])
    def test_of_a_wide_table(self, sign):
        frame = self.wide(sign)
        results = read_predictions(frame, truth="y", measure="wql")
        assert results.method_names() == ("a", "b")
        assert list(results.measures) == ["wql", "rmse", "mae", "r2"]  # the median is the value
        own = results.predicted(results.dataset_names()[0], "b")
        np.testing.assert_array_equal(own.channels["quantiles"], frame[[f"b{sign}0.1", f"b{sign}0.5"]])
        np.testing.assert_array_equal(own.channels["levels"], [[0.1, 0.5]] * 6)
        np.testing.assert_array_equal(own.channels["value"], frame[f"b{sign}0.5"])
        assert f"quantiles: 'b{sign}0.1' and 'b{sign}0.5'" in str(results.reading)

    def test_a_column_of_the_model_is_its_value(self):
        frame = self.wide(b=7.0, c=[3.0, 1, 4, 8, 5, 3])
        results = read_predictions(frame, truth="y", measure="mae")
        assert set(results.method_names()) == {"a", "b", "c"}
        assert (results.predicted(results.dataset_names()[0], "b").channels["value"] == 7).all()
        with pytest.raises(InputError, match="wql needs quantiles and levels, but 'c' has only value"):
            read_predictions(frame, truth="y", measure="wql")
        assert read_predictions(frame, truth="y", measure="wql", methods=["a", "b"]).method_names() == ("a", "b")

    def test_of_a_long_table_and_back(self):
        wide = read_predictions(self.wide(naive_scale=[1, 2, 1, 2, np.nan, 1]), truth="y", measure="wql")
        long = wide.predictions
        assert {"q0.1", "q0.5", "naive_scale"} <= set(long.columns)
        again = read_predictions(long, measure="wql")
        for measure in ("wql", "interval_score(level=0.8)", "mase"):
            if measure == "interval_score(level=0.8)":
                with pytest.raises(InputError, match=r"the quantile 0\.9 is needed"):
                    again.with_measures(measure)
                continue
            values = [r.with_measures(measure).scores.query("measure == @measure")["value"] for r in (wide, again)]
            np.testing.assert_array_equal(*values)

    def test_the_naive_error(self):
        found = read_predictions(self.wide(naive_scale=[1, 2, 1, 2, 4, 0.5]), truth="y", measure="mase")
        # errors of a are 0.1, of b 1
        expected = np.mean([1, 1 / 2, 1, 1 / 2, 1 / 4, 2])
        values = found.scores.query("measure == 'mase'").set_index("method")["value"]
        assert values.to_dict() == pytest.approx({"a": expected / 10, "b": expected})
        empty = read_predictions(self.wide(naive_scale=[1, 2, np.nan, 2, 4, 0.5]), truth="y", measure="mase")
        assert empty.scores.query("measure == 'mase'")["value"].isna().all()
        with pytest.raises(InputError, match="naive errors"):
            read_predictions(self.wide(naive_scale=["1", "2", "x", "2", "4", "5"]), truth="y", measure="mase")

    def test_different_levels_are_refused(self):
        frame = self.wide().assign(**{"b:0.9": 12.0})
        with pytest.raises(
            InputError, match=r"of the same levels, but 'a' \(0\.1, 0\.5\) and 'b' \(0\.1, 0\.5, 0\.9\)"
        ):
            read_predictions(frame, truth="y")

    def test_models_at_several_temperatures_are_no_quantiles(self):
        truth = np.array(["yes", "no"] * 5)
        frame = pd.DataFrame({"y": truth, "gpt:0.2": truth, "gpt:0.7": truth[::-1]})
        assert read_predictions(frame, truth="y").method_names() == ("gpt:0.2", "gpt:0.7")
        rng = np.random.default_rng(1)
        values = pd.DataFrame(rng.normal(size=(50, 3)), columns=["y", "net:0.2", "net:0.7"])  # these cross
        assert read_predictions(values, truth="y").method_names() == ("net:0.2", "net:0.7")

    def test_text_is_named(self):
        rows = pd.DataFrame({
            "instance": range(4), "method": "a", "truth": [1.5, 2, 3, 4], "q0.1": ["1", "2", "x", "3"], "q0.5": 2.0,
        })  # fmt: skip
        with pytest.raises(InputError, match=r"quantiles \(q0\.1\)"):
            read_predictions(rows, measure="wql")
