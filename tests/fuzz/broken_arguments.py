"""Arguments as they must not be, or as they seldom are: what people pass by mistake, and what other libraries make."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

Breaker = Callable[[Any], Any]
HUGE = 10**400


def _array(value: Any) -> np.ndarray:
    return (
        np.array(value, dtype=object) if not isinstance(value, dict) else np.array(list(value.values()), dtype=object)
    )


def _with(entry: Any) -> Breaker:
    """Put an entry into the middle of an array, which becomes one of objects."""

    def put(value: Any) -> Any:
        array = _array(value)
        if array.size == 0 or array.ndim == 0:
            return entry
        array = array.copy()
        array.flat[array.size // 2] = entry
        return array

    return put


def _with_float(entry: float) -> Breaker:
    def put(value: Any) -> Any:
        try:
            array = np.array(value, dtype=float)
        except (TypeError, ValueError):
            return entry
        if array.ndim == 0 or array.size == 0:
            return entry
        array.flat[array.size // 2] = entry
        return array

    return put


def _each(convert: Callable[[Any], Any]) -> Breaker:
    def made(value: Any) -> Any:
        array = _array(value)
        return np.array([convert(x) for x in array.flat] + [None], dtype=object)[:-1].reshape(array.shape)

    return made


SAME: dict[str, Breaker] = {
    "a list": lambda v: np.asarray(v).tolist(),
    "Fractions": _each(lambda x: Fraction(float(x)) if not isinstance(x, str) else x),
    "Decimals": _each(lambda x: Decimal(float(x)) if not isinstance(x, str) else x),
    "objects": _each(lambda x: x),
    "a view with negative strides": lambda v: np.asarray(v)[::-1].copy()[::-1],
    "in the order of Fortran": lambda v: np.asfortranarray(np.asarray(v)),
    "big endian": lambda v: np.asarray(v).astype(np.asarray(v).dtype.newbyteorder(">")),
    "read only": lambda v: _read_only(np.asarray(v).copy()),
    "masked without a mask": lambda v: np.ma.masked_array(np.asarray(v)),
    "pandas": lambda v: pd.Series(v) if np.ndim(v) == 1 else pd.DataFrame(v) if np.ndim(v) == 2 else v,
    "nullable pandas": lambda v: pd.Series(v).convert_dtypes() if np.ndim(v) == 1 else v,
}
"""Other forms of the same numbers: refused, or of the same result."""

BROKEN: dict[str, Breaker] = {
    **{f"with {x!r}"[:30]: _with(x) for x in (None, "x", b"x", pd.NA, pd.NaT, HUGE, -HUGE, 1j, Decimal("NaN"), [], {})},
    **{f"with float {x}": _with_float(x) for x in (np.nan, np.inf, -np.inf, 1e300, -1e300, 5e-324, 1.7e308, -0.0)},
    "with a date": _with(datetime.datetime(2020, 1, 1)),
    "with Fraction of huge": _with(Fraction(HUGE, 3)),
    "with Decimal 1e999": _with(Decimal("1e999")),
    "with True": _with(True),
    "text": lambda _: "0.95",
    "letters": lambda _: "two-sidd",
    "bytes": lambda _: b"0.95",
    "None": lambda _: None,
    "NA": lambda _: pd.NA,
    "nan": lambda _: np.nan,
    "inf": lambda _: np.inf,
    "minus one": lambda _: -1,
    "zero": lambda _: 0,
    "one": lambda _: 1,
    "half": lambda _: 0.5,
    "two and a half": lambda _: 2.5,
    "huge": lambda _: HUGE,
    "minus huge": lambda _: -HUGE,
    "Fraction": lambda _: Fraction(1, 3),
    "Decimal": lambda _: Decimal("0.9"),
    "True": lambda _: True,
    "complex": lambda _: 1j,
    "subnormal": lambda _: 5e-324,
    "1e300": lambda _: 1e300,
    "empty list": lambda _: [],
    "empty table": lambda _: np.empty((0, 3)),
    "table of no columns": lambda _: np.empty((3, 0)),
    "empty mapping": lambda _: {},
    "list of None": lambda _: [None, None],
    "0-d": lambda _: np.array(0.5),
    "1 × 1": lambda _: np.array([[0.5]]),
    "3-d": lambda _: np.zeros((2, 2, 2)),
    "ragged": lambda _: [[1.0, 2.0], [3.0]],
    "transposed": lambda v: np.asarray(v).T,
    "shorter": lambda v: v[:-1],
    "once more nested": lambda v: [v],
    "flat": lambda v: np.ravel(v),
    "a generator": lambda _: (x for x in [0.5, 0.7]),
    "an iterator over itself": lambda v: iter(v),
    "a set": lambda _: {0.5, 0.7},
    "a mapping": lambda _: {"a": 0.5, "b": 0.7},
    "datetimes": lambda _: np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"),
    "timedeltas": lambda _: np.array([1, 2], dtype="timedelta64[D]"),
    "complex array": lambda v: np.asarray(v) + 1j,
    "text of numbers": lambda v: np.asarray(v).astype(str),
    "structured": lambda _: np.zeros(3, dtype=[("x", float)]),
    "sparse": lambda v: sparse.csr_matrix(np.atleast_2d(np.asarray(v, dtype=float))),
    "matrix": lambda v: np.asmatrix(np.asarray(v, dtype=float)),
    "masked": lambda v: np.ma.masked_array(v, mask=np.arange(np.size(v)).reshape(np.shape(v)) == 0),
    "bools": lambda v: np.asarray(v).astype(bool),
    "single precision": lambda v: np.asarray(v, dtype=np.float32),
    "half precision": lambda v: np.asarray(v, dtype=np.float16),
    "long double": lambda v: np.asarray(v, dtype=np.longdouble),
    "small ints": lambda v: np.asarray(v).astype(np.int8),
    "unsigned": lambda v: np.abs(np.asarray(v)).astype(np.uint8),
    "another index": lambda v: pd.Series(v, index=range(5, 5 + len(v))),
    "categories": lambda v: pd.Series(v).astype("category"),
    "a frame with text": lambda _: pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}),
    "a frame": lambda _: pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": [2.0, 2.5, 3.0]}),
    "a frame of equal names": lambda _: pd.DataFrame([[1.0, 2.0], [3.0, 5.0], [2.0, 2.0]], columns=["a", "a"]),
    "a function": lambda _: len,
    "a class": lambda _: float,
}
"""What is wrong, and what makes it so."""


def changed_by(breaker: Breaker, value: Any) -> Any:
    """The changed value, or None where this one can't be changed so; numpy may warn of its own conversions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return breaker(value)
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError):
            return None


def _read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array
