"""The errors: a tree that callers can rely on, and messages that come back from a worker process."""

from __future__ import annotations

import pickle

import pytest

from fairtrial import errors
from fairtrial.errors import FairtrialError, InputError, StudyFileError, UnknownName, WorkerError


class TestTree:
    @pytest.mark.parametrize(
        ("kind", "builtin"),
        [(InputError, ValueError), (UnknownName, KeyError), (StudyFileError, OSError), (WorkerError, RuntimeError)],
    )
    def test_each_is_what_a_caller_would_catch(self, kind, builtin):
        assert issubclass(kind, FairtrialError)
        assert issubclass(kind, builtin)

    def test_an_unknown_name_is_bad_input(self):
        assert issubclass(UnknownName, InputError)

    @pytest.mark.parametrize(
        "kind", [v for v in vars(errors).values() if isinstance(v, type) and v.__module__ == errors.__name__]
    )
    def test_pickles_with_its_message(self, kind):
        error = kind("it’s 'quoted'\nand long")
        back = pickle.loads(pickle.dumps(error))
        assert type(back) is type(error)
        assert str(back) == "it’s 'quoted'\nand long"

    def test_message_is_not_quoted_as_key_errors_are(self):
        assert str(UnknownName("no measure is called 'x'")) == "no measure is called 'x'"

    def test_without_a_message(self):
        assert str(InputError()) == ""


class TestMessage:
    def test_what_came_from_data_does_no_harm(self):
        error = InputError(f"got {chr(27)}[2J and \ud800 and {'x' * 10**6}; give another")
        assert "\\x1b[2J and \\ud800 and xxx" in str(error)
        assert str(error).endswith("xxx; give another")
        assert len(str(error)) == errors.LONGEST


class TestAmong:
    def test_names_the_nearest(self):
        error = UnknownName.among("measure", "precison", ["recall", "precision"])
        assert str(error) == "no measure is called 'precison'; did you mean 'precision'?"

    @pytest.mark.parametrize(
        ("name", "meant"), [("ROC", "roc"), ("Y", "y"), ("Log-Loss", "log_loss"), ("full factorial", "FullFactorial")]
    )
    def test_case_dashes_and_spaces_are_never_far(self, name, meant):
        error = UnknownName.among("name", name, ["rocs", "x", "log_lost", "fullfactoria", meant])
        assert str(error).endswith(f"; did you mean {meant!r}?")

    def test_what_else_can_be_done(self):
        assert str(UnknownName.among("format", "cvs", ["csv"], "say one")).endswith("did you mean 'csv'? Or say one")
        assert str(UnknownName.among("format", "docx", ["csv"], "say one")).endswith("known are: csv; or say one")

    def test_names_all_when_none_is_near(self):
        assert str(UnknownName.among("format", "docx", ["text", "csv"])) == (
            "no format is called 'docx'; known are: csv, text"
        )

    def test_says_when_there_is_nothing_to_know(self):
        assert str(UnknownName.among("plug-in", "x", [])) == "no plug-in is called 'x'; none is known"

    def test_takes_what_is_not_a_text(self):
        assert "no measure is called 5" in str(UnknownName.among("measure", 5, iter(["auc"])))
