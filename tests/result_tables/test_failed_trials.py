"""How often each method failed, for which reasons, and where."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from fairtrial.errors import UnknownName
from fairtrial.results import read_scores

FAILED = {("b", "d1", 0): "timeout", ("b", "d1", 1): "timeout", ("b", "d2", 0): "oom", ("c", "d2", 1): "timeout"}


def made(failed: dict[tuple[str, str, int], str]):
    cells = [(d, m, f) for d in ("d1", "d2", "d3") for m in "abc" for f in (0, 1, 2)]
    rows = [(d, m, f, None if (m, d, f) in failed else 0.5, failed.get((m, d, f), "")) for d, m, f in cells]
    frame = pd.DataFrame(rows, columns=["dataset", "method", "fold", "accuracy", "error"])
    return read_scores(frame, measure="accuracy", resampling="3-fold")


def test_by_hand():
    table = made(FAILED).table("failures")
    assert [c.title for c in table.columns] == [
        "method", "failed trials", "of", "out of time", "out of memory", "data sets", "most on",
    ]  # fmt: skip
    assert table.rows == (("b", 3, 9, 2, 1, 2, "d1 (2) and d2 (1)"), ("c", 1, 9, 1, 0, 1, "d2 (1)"))
    assert table.notes == ("1 method without a failed trial",)


def test_rare_reasons_are_counted_together():
    reasons = ["no licence", "no licence", "no licence", "no disk", "no disk", "late", "late", "lost", "odd"]
    cells = [("b", d, f) for d in ("d1", "d2", "d3") for f in (0, 1, 2)]
    table = made(dict(zip(cells, reasons, strict=True))).table("failures")
    assert [c.title for c in table.columns][3:7] == ["no licence", "no disk", "late", "other reasons"]
    assert table.rows[0][1:8] == (9, 9, 3, 2, 2, 2, 3)


def test_without_failures():
    table = made({}).table("failures")
    assert (table.rows, table.notes) == ((), ("3 methods without a failed trial",))


def test_of_some_methods():
    table = made(FAILED).table("failures", methods=["a", "c"])
    assert [row[0] for row in table.rows] == ["c"]
    assert table.notes == ("without a failed trial: a",)
    with pytest.raises(UnknownName, match="'d'"):
        made(FAILED).table("failures", methods=["d"])


def test_advice_is_no_reason_but_a_note():
    results = made(FAILED)
    error = 'ValueError: no\nadvice: set labels="codes"\nTraceback (most recent call last):\n…'
    told = replace(results, failures=results.failures.assign(error=error)).table("failures")
    assert told.columns[3].title == "ValueError: no"
    assert told.notes == ("1 method without a failed trial", 'set labels="codes"')
