"""Families of data sets that were not declared: by similar names and features, and by rows in common."""

from __future__ import annotations

import numpy as np
import pytest

import fairtrial as ft
from fairtrial.data import Dataset
from fairtrial.design.plan_guards import undeclared_families


def made(name, seed, n=60, p=3):
    X = np.random.default_rng(seed).normal(size=(n, p))
    return Dataset.from_arrays(X, np.where(np.arange(n) % 2, "a", "b"), name=name)


def found(*sets, **question):
    study = ft.Study(
        datasets=sets, methods=["one_rule"], resampling="2-fold", question=ft.Question(**question) if question else None
    )
    return [notice.text for notice in undeclared_families(study.plan())]


def named(*names, **question):
    return found(*(made(name, seed) for seed, name in enumerate(names)), **question)


class TestNames:
    @pytest.mark.parametrize("names", [("adult", "adult-v2"), ("letter-a", "letter-b"), ("glass1", "glass_2")])
    def test_versions(self, names):
        stem = names[0].strip("1").removesuffix("-a")
        assert named("other", *names) == [
            f"{names[0]} and {names[1]} have similar names and features, but each counts as a data set of its own; "
            f"count them as one: Question(family={{{stem!r}: [{names[0]!r}, {names[1]!r}]}})"
        ]

    @pytest.mark.parametrize(
        "names",
        [
            ("breast_cancer", "breast-cancer"),
            ("diabetes", "pima-diabetes"),
            ("d1", "d2"),
            ("data-1", "data-2"),
            ("a", "b"),
        ],
    )
    def test_different_data_sets(self, names):
        assert named(*names) == []

    def test_other_features_are_other_data(self):
        assert found(made("credit-a", 1, p=3), made("credit-g", 2, p=7)) == []

    def test_a_declared_family_is_none_to_report(self):
        assert named("monks-1", "monks-2", "monks-3", family={"monks": ["monks-1", "monks-2", "monks-3"]}) == []
        (text,) = named("monks-1", "monks-2", "monks-3", family={"monks": ["monks-1", "monks-2"]})
        assert text.startswith("monks-1, monks-3 and monks-2 have similar names")


class TestRows:
    def test_in_common(self):
        whole = made("whole", 1, n=100)
        part = Dataset.from_arrays(whole.X[:40], whole.target[:40], name="subset of it")
        assert found(whole, part, made("other", 2)) == [
            "whole and subset of it share up to 100 % of their rows, but each counts as a data set of its own; count "
            "them as one: Question(family={'whole': ['whole', 'subset of it']})"
        ]
        assert found(whole, part, family={"w": ["whole", "subset of it"]}) == []

    def test_the_remedy_works(self):
        whole = made("adult", 1, n=100)
        part = Dataset.from_arrays(whole.X[:40], whole.target[:40], name="adult-v2")
        assert found(whole, part, family={"adult": ["adult", "adult-v2"]}) == []


def test_bundled_data_are_no_families():
    names = ["breast_cancer", "breast-cancer", "iris", "wine", "vote", "glass", "credit-g", "pima-diabetes"]
    assert found(*ft.datasets(*names)) == []
