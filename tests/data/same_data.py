"""The same 30 rows in every form that people hold them in."""

import numpy as np
import pandas as pd

ROWS = 30


def mixed_frame() -> pd.DataFrame:
    """Every kind of column that all libraries have, with missing values, and the target 'churned'."""
    return pd.DataFrame(
        {
            "age": [np.nan, *map(float, range(20, 19 + ROWS))],
            "visits": pd.array([None, *range(1, ROWS)], dtype="Int64"),
            "calls": [i * i % 7 for i in range(ROWS)],
            "plan": (["gold", "basic", None] * ROWS)[:ROWS],
            "colour": pd.Categorical((["red", None, "blue", "blue"] * ROWS)[:ROWS]),
            "member": [True, False] * (ROWS // 2),
            "asked": pd.array([True, None, False] * (ROWS // 3), dtype="boolean"),
            "since": pd.to_datetime((["2024-02-01", "2023-11-30 12:00", None] * ROWS)[:ROWS], format="ISO8601"),
            "seen": pd.to_datetime((["2024-02-01 01:00+02:00", None] * ROWS)[:ROWS], utc=True),
            "wait": pd.to_timedelta((["36h", None, "1h"] * ROWS)[:ROWS]),
            "churned": (["no", "yes", "no"] * ROWS)[:ROWS],
        }
    )


def numbers() -> tuple[np.ndarray, np.ndarray]:
    """Two features and a target of 0 and 1, asymmetric."""
    X = np.column_stack([np.arange(ROWS) * 7 % 11 / 2, np.arange(ROWS) * 3 % 13])
    return X, np.arange(ROWS) % 3 // 2
