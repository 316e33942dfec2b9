"""Notices: what guards find, and the register of guards."""

import pickle

import pytest

from fairtrial.errors import InputError, StudyFileError
from fairtrial.notices import SEVERITIES, STAGES, Notice, all_guards, check, forget, guard, look


@pytest.fixture
def too_short():
    @guard(stage="plan", sees="texts")
    def too_short(text):
        """Texts that are too short.

        Only the first line is listed.
        """
        if len(text) < 3:
            yield Notice(f"{text!r} is short", "note", about=text, evidence={"length": len(text)}, remedy="write more")

    yield too_short
    forget("too_short")


class TestGuard:
    def test_signs_what_it_finds(self, too_short):
        (found,) = too_short("ab")
        assert (found.guard, found.stage, found.severity, found.about) == ("too_short", "plan", "note", "ab")
        assert list(too_short("abc")) == []

    def test_is_asked_with_all_others_that_see_the_same(self, too_short):
        assert [n.sentence for n in look("texts", "x")] == ["'x' is short"]
        assert list(look("numbers", 1)) == []

    def test_is_listed_with_what_it_looks_for(self, too_short):
        (listed,) = (g for g in all_guards() if g.name == "too_short")
        assert (listed.stage, listed.sees, listed.looks_for) == ("plan", "texts", "Texts that are too short.")

    def test_guards_are_listed_by_stage(self):
        stages = [STAGES.index(g.stage) for g in all_guards()]
        assert stages == sorted(stages)

    def test_refuses_the_name_of_a_guard_elsewhere(self, too_short):
        def another(text):
            yield Notice("")

        another.__name__, another.__module__ = "too_short", "elsewhere"
        with pytest.raises(InputError, match="a guard called 'too_short' exists already"):
            guard(stage="data", sees="texts")(another)


class TestCheck:
    def test_raises_refusals_and_nothing_else(self, too_short):
        @guard(stage="plan", sees="texts")
        def no_text(text):
            """A text that is empty."""
            if not text:
                yield Notice("a text must not be empty", "refusal")

        try:
            check("texts", "ab")
            with pytest.raises(InputError, match="a text must not be empty"):
                check("texts", "")
        finally:
            forget("no_text")


class TestPassingOn:
    def test_what_another_guard_found_keeps_its_signature(self):
        @guard(stage="verdict", sees="stored")
        def found_earlier(stored):
            """What was found earlier."""
            yield stored
            yield Notice("and this now")

        earlier = Notice("then", guard="other", stage="data")
        assert [(n.guard, n.stage) for n in look("stored", earlier)] == [
            ("other", "data"),
            ("found_earlier", "verdict"),
        ]
        forget("found_earlier")


class TestNotice:
    def test_as_text(self):
        assert str(Notice("all is well", "fine")) == "✓ all is well"
        assert str(Notice("a row is twice there", remedy="leave one out")) == "! a row is twice there; leave one out"

    def test_comes_back_from_plain_data_and_from_a_worker(self):
        made = Notice("s", "grave", "iris", {"rows": [1, 2]}, "r", "twins", "verdict")
        assert Notice.from_dict(made.to_dict()) == made == pickle.loads(pickle.dumps(made))

    def test_a_refusal_says_the_same_and_has_the_notice(self):
        notice = Notice("no", remedy="do", evidence={"rows": 3}, guard="g")
        error = pickle.loads(pickle.dumps(notice.refusal(StudyFileError)))
        assert (type(error), str(error), error.notice) == (StudyFileError, "no; do", notice)

    def test_a_notice_can_be_put_into_a_set_whatever_its_evidence(self):
        assert len({Notice("a", evidence={"rows": [1]}), Notice("a", evidence={"rows": [1]})}) == 1

    def test_severities_rise(self):
        assert SEVERITIES == ("fine", "note", "warning", "doubt", "grave", "refusal")
