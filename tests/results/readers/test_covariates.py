"""Columns of a table that describe its data sets."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_scores
from fairtrial.verdict.claims.dependence import Separates
from fairtrial.verdict.verify import verify

NAMES = [f"{c}w" for c in "abcdefghijklmnop"]
BASE = np.random.default_rng(1).uniform(0.6, 0.8, 16)
NOISE = np.random.default_rng(2).normal(0, 0.003, 16)
DOMAIN = ["text" if i % 2 else "image" for i in range(16)]
WIDE = pd.DataFrame({"dataset": NAMES, "domain": DOMAIN, "size": np.arange(16) + 0.5,
                     "a": BASE + np.tile([0.03, -0.03], 8) + NOISE, "b": BASE})  # fmt: skip


def test_of_a_wide_table():
    results = read_scores(WIDE, measure="accuracy", covariates=["domain", "size"])
    assert results.method_names() == ("a", "b")
    assert results.datasets["aw"] == {"covariates": {"domain": "image", "size": 0.5}}
    (said,) = results.verdict().finding.of_kind(Separates)
    assert (said.what, said.label, said.properties) == ("domain", "image", 2)


def test_of_a_long_file(tmp_path):
    long = WIDE.melt(["dataset", "domain", "size"], var_name="method", value_name="accuracy")
    path = tmp_path / "long.csv"
    long.to_csv(path, index=False)
    results = read_scores(path, measure="accuracy", covariates=["domain", "size"])
    assert results.datasets["bw"]["covariates"]["domain"] == "text"
    verdict = results.verdict()
    assert verdict.to_dict()["source"]["name"] == "long.csv"
    saved = tmp_path / "verdict.json"
    saved.write_text(verdict.render("json"), encoding="utf-8")
    assert verify(saved, path).agrees


def test_one_that_changes_within_a_data_set():
    long = WIDE.melt(["dataset", "domain", "size"], var_name="method", value_name="accuracy")
    long.loc[3, "domain"] = "sound"
    with pytest.raises(InputError, match="'domain' has several values on dw; leave 'domain' out"):
        read_scores(long, measure="accuracy", covariates=["domain", "size"])


def test_no_such_column():
    with pytest.raises(UnknownName, match=r"column \(for covariates\) is called 'domian'; did you mean 'domain'"):
        read_scores(WIDE, measure="accuracy", covariates=["domian"])


def test_not_a_list():
    with pytest.raises(InputError, match="covariates must be a list of columns"):
        read_scores(WIDE, measure="accuracy", covariates="domain")
