"""Choices stand once: those who use them follow."""

import inspect
from dataclasses import fields
from typing import Annotated, get_args, get_origin, get_type_hints

import pytest

from fairtrial.choices import (
    DOMAINS,
    FAILURE_POLICIES,
    FOLDS_OF_CURVES,
    OBJECTIVES,
    FailurePolicy,
    FigureOptions,
    Objective,
    TableOptions,
    VerdictOptions,
)
from fairtrial.cli import cli
from fairtrial.design import Question
from fairtrial.measures import ConfusionMatrix, ContextMap, Measure
from fairtrial.results import Results
from fairtrial.results.analyses.method_curves import Curves
from fairtrial.results.other_question import PARTS
from fairtrial.verdict import LevelVerdicts, Verdict


def test_types_and_values_are_the_same():
    assert get_args(FailurePolicy) == FAILURE_POLICIES == ("baseline", "worst", "drop", "refuse")
    assert get_args(Objective) == tuple(OBJECTIVES)
    assert DOMAINS == ("such as these", "these")
    assert FOLDS_OF_CURVES[0] == "merged"


def signature_of(method):
    """The keywords of a method of Results and their types."""
    names = {c.__name__: c for c in (ConfusionMatrix, ContextMap, Measure, Curves, Verdict, LevelVerdicts)}
    hints = get_type_hints(method, localns={**names, "Figure": object})
    return {name: hints[name] for name in inspect.signature(method).parameters if name in hints}


class TestDeclaredOptions:
    @pytest.mark.parametrize(
        ("declaration", "method", "besides"),
        [(VerdictOptions, Results.verdict, set())],
    )
    def test_methods_for_users_have_the_declared_keywords(self, declaration, method, besides):
        found = {name: hint for name, hint in signature_of(method).items() if name not in besides}
        assert found == get_type_hints(declaration)

    @pytest.mark.parametrize(
        ("declaration", "command"),
        [(VerdictOptions, "compare"), (VerdictOptions, "report"), (FigureOptions, "draw"), (TableOptions, "table")],
    )
    def test_commands_have_an_option_for_each(self, declaration, command):
        options = {o.removeprefix("--").replace("-", "_") for p in cli.commands[command].params for o in p.opts}
        assert set(declaration.__annotations__) - {"context"} <= options

    @pytest.mark.parametrize("declaration", [VerdictOptions, FigureOptions, TableOptions])
    def test_each_says_what_it_does(self, declaration):
        for name, hint in get_type_hints(declaration, include_extras=True).items():
            assert get_origin(hint) is Annotated
            called, text = hint.__metadata__
            assert called == called.upper(), name
            assert len(text) <= 54, name  # one line of help

    def test_parts_of_a_question(self):
        kept = (
            "control",
            "smallest_difference",
            "domains",
            "context",
            "level",
            "alternative",
            "estimand",
            "family",
            "claim",
            "where",
        )
        assert kept == PARTS
        assert set(PARTS) < {f.name for f in fields(Question)}
