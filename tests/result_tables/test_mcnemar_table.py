"""McNemar's tests as a table."""

import pandas as pd

from fairtrial.results import read_predictions


def test_a_pair_by_hand():
    y = list("aabbab") * 5
    predicted = pd.DataFrame({"y": y, "first": list("aabbaa") * 5, "second": ["b"] * 30, "third": y})
    results = read_predictions(predicted, truth="y")
    table = results.table("mcnemar", methods=["first", "second"], level=0.9)
    # first is right on 5 of 6 rows, second on 3: both on the two b, only the second on the last
    assert [table.rows[0][i] for i in range(1, 7)] == ["first", "second", 10, 15, 5, 0]
    assert table.columns[8].title == "90 % interval"
    assert "tossing a coin" in table.explain
    assert len(results.table("mcnemar").rows) == 3
