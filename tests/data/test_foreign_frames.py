"""Tables of other libraries: the same data have the same fingerprint, and nothing is read wrongly."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from same_data import mixed_frame

from fairtrial.data import Dataset
from fairtrial.data.frames import as_frame, as_series, is_frame
from fairtrial.errors import InputError

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
nan = np.nan


def entries(values):
    """Five entries, of which some may be missing and one is not."""
    return st.tuples(values, *[st.none() | values] * 4).map(list)


KINDS = [
    entries(st.integers(-(2**53), 2**53)),
    entries(st.floats(-1e9, 1e9)),
    entries(st.booleans()),
    entries(st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=3)),
    entries(st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1))),
    entries(st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1))),
]


def _in_pandas(values):
    """A column as a user of pandas holds it."""
    kind = type(values[0])
    nullable = {int: "Int64", bool: "boolean", float: "float64", str: "object"}
    return pd.array(values, dtype=nullable[kind]) if kind in nullable else pd.to_datetime(pd.Series(values))


class TestAsFrame:
    def test_by_hand(self):
        table = pl.DataFrame(
            {
                "n": [1, None, 3],
                "price": [Decimal("1.50"), None, Decimal("-2.25")],
                "day": [dt.date(1970, 1, 3), None, dt.date(1970, 1, 1)],
                "at": [dt.time(8, 30), None, dt.time(8, 30)],
                "colour": ["red", None, "blue"],
                "nothing": [None, None, None],
                "y": [1.5, 2.5, -1.0],
            },
        ).with_columns(grade=pl.Series(["low", None, "high"], dtype=pl.Enum(["low", "middle", "high"])))
        data = Dataset.from_frame(table, target="y")
        columns = {f.name: (f.categories, data.X[:, j].tolist()) for j, f in enumerate(data.features)}
        assert columns["n"] == ((), pytest.approx([1, nan, 3], nan_ok=True))
        assert columns["price"] == ((), pytest.approx([1.5, nan, -2.25], nan_ok=True))
        assert columns["day"] == ((), pytest.approx([2, nan, 0], nan_ok=True))
        assert columns["at"] == (("08:30:00",), pytest.approx([0, nan, 0], nan_ok=True))
        assert columns["colour"] == (("blue", "red"), pytest.approx([1, nan, 0], nan_ok=True))
        assert columns["grade"] == (("low", "middle", "high"), pytest.approx([0, nan, 2], nan_ok=True))
        assert np.isnan(columns["nothing"][1]).all()
        assert data.target.tolist() == [1.5, 2.5, -1.0]

    @pytest.mark.parametrize(
        "held",
        [
            pa.Table.from_pandas,
            pa.RecordBatch.from_pandas,
            lambda frame: pl.from_pandas(frame),
            lambda frame: pl.from_pandas(frame).rechunk().to_arrow(),
            lambda frame: frame.convert_dtypes(),
            lambda frame: frame.convert_dtypes(dtype_backend="pyarrow"),
            lambda frame: pl.concat([pl.from_pandas(frame[:11]), pl.from_pandas(frame[11:])], rechunk=False),
        ],
        ids=["arrow", "batch", "polars", "polars to arrow", "nullable", "pandas on arrow", "polars in chunks"],
    )
    def test_the_same_data_have_the_same_fingerprint(self, held):
        made, whole = Dataset.from_frame(held(mixed_frame())), Dataset.from_frame(mixed_frame())
        assert made.features == whole.features
        np.testing.assert_array_equal(made.X, whole.X)
        assert made.fingerprint == whole.fingerprint
        assert [n.text for n in made.notes] == [n.text for n in whole.notes]

    @pytest.mark.slow
    @settings(max_examples=25)
    @given(columns=st.lists(st.one_of(KINDS), min_size=1, max_size=4))
    def test_random_tables_have_one_fingerprint(self, columns):
        held = {f"c{i}": values for i, values in enumerate(columns)} | {"y": ["u", "v", "u", "v", "v"]}
        frame = pd.DataFrame({name: _in_pandas(values) for name, values in held.items()})
        expected = Dataset.from_frame(frame)
        for table in (pl.DataFrame(held, strict=False), pa.table(held)):
            made = Dataset.from_frame(table)
            assert made.features == expected.features
            assert made.fingerprint == expected.fingerprint

    def test_categories_in_the_order_that_was_declared(self):
        frame = mixed_frame().assign(
            size=pd.Categorical(["small", "large", "large"] * 10, categories=["small", "middle", "large"])
        )[["size", "age", "churned"]]
        assert Dataset.from_frame(pa.Table.from_pandas(frame)).fingerprint == Dataset.from_frame(frame).fingerprint
        words = pa.table({"c": pa.array(["z", None, "a", "z"]).dictionary_encode(), "y": [0, 1, 0, 1]})
        data = Dataset.from_frame(words)
        assert data.features[0].categories == ("a", "z")  # that z came first is an accident
        np.testing.assert_array_equal(data.X[:, 0], [1, nan, 0, 1])

    def test_polars_categories_after_to_pandas(self):
        # pandas declares the order in which they came; docs/data.md names the two ways around it
        held = pl.DataFrame({"c": ["b", "a", "b", "c"], "y": [0, 1, 0, 1]})

        def fingerprints(kind):
            table = held.with_columns(pl.col("c").cast(kind))
            return [Dataset.from_frame(form).fingerprint for form in (table, table.to_pandas())]

        assert len(set(fingerprints(pl.Categorical))) == 2
        assert len(set(fingerprints(pl.String))) == len(set(fingerprints(pl.Enum(["c", "a", "b"])))) == 1

    def test_nothing_is_converted_to_see_what_it_is(self, monkeypatch):
        monkeypatch.setattr("fairtrial.data.frames._column", None)
        assert is_frame(pl.DataFrame({"a": [1]}))
        assert is_frame(pa.table({"a": [1]}))
        assert not is_frame(pl.Series([1]))
        assert not is_frame(object())

    def test_arrays_with_names(self):
        held = np.array([(1.5, "a"), (2.5, "b")], dtype=[("size", float), ("y", "U1")])
        assert as_frame(held).to_dict("list") == {"size": [1.5, 2.5], "y": ["a", "b"]}

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"must be one in memory, got a LazyFrame, .* its collect\(\)"):
            Dataset.from_frame(pl.DataFrame({"a": [1]}).lazy())
        with pytest.raises(InputError, match=r"column 'a' must hold numbers, text, .*, got List\(Int64\); convert it"):
            Dataset.from_frame(pl.DataFrame({"a": [[1], [2]], "y": [0, 1]}))
        twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
        with pytest.raises(InputError, match=r"must have different names \(.*'a' 2 times\); rename them"):
            Dataset.from_frame(twice)

    @pytest.mark.slow
    def test_polars_needs_no_pyarrow_and_nothing_is_imported_before(self):
        code = (
            "import sys; import fairtrial as ft; assert not {'narwhals', 'polars', 'pyarrow'} & set(sys.modules)\n"
            "sys.modules['pyarrow'] = None\nimport polars as pl\n"
            "frame = pl.DataFrame({'a': [1.5, 2, 3, 4], 'c': ['u', None, 'v', 'u'], 'y': [0, 1, 0, 1]})\n"
            "frame = frame.with_columns(pl.col('c').cast(pl.Categorical))\n"
            "print(ft.Dataset.from_frame(frame).X[:, 1])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.stdout.strip() == "[ 0. nan  1.  0.]", done.stderr


class TestAsSeries:
    def test_every_kind_of_column(self):
        for column in (pa.array([3, 1]), pa.chunked_array([[3], [1]]), pl.Series("n", [3, 1]), pd.Series([3, 1])):
            assert as_series(column).tolist() == [3, 1]
        assert as_series(pl.Series("churned", ["a"])).name == "churned"
        assert as_series(pl.DataFrame({"churned": ["a"]})).name == "churned"
        assert as_series(pl.Series([1])).name is None

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="a target must be one column, got a table of 2 columns"):
            as_series(pl.DataFrame({"a": [1], "b": [2]}))
