"""One page of every answer: short, full, explained, as data and in all formats."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from made_scores import CLEAR, few_datasets, table, with_failures

from fairtrial.notices import Notice
from fairtrial.results import read_scores
from fairtrial.statements import Remark, Role, Text, by_role, say
from fairtrial.tables import FORMATS, Facts, Table
from fairtrial.tables import Answer as AnswerBlock
from fairtrial.tables.render_md import escape
from fairtrial.verdict.answer import MOST_DOUBTS, Answer
from fairtrial.verdict.claims import support
from fairtrial.verdict.claims.best import Winner
from fairtrial.verdict.claims.support import DidNotRun, Refused, next_step


@pytest.fixture(scope="module")
def verdict():
    return read_scores(table(CLEAR), measure="accuracy").verdict()


@pytest.fixture(scope="module")
def refused():
    same = np.linspace(0.6, 0.8, 10)
    return read_scores(table({"a": same, "b": same}), measure="accuracy").verdict()


@pytest.fixture(scope="module")
def absent():
    columns = {**CLEAR, "gone": np.where(np.arange(12) < 10, np.nan, 0.5)}
    return read_scores(table(columns), measure="accuracy").verdict()


def lines_of(document) -> list[tuple[str, str]]:
    return [(label, str(text)) for b in document.blocks if isinstance(b, Facts) for label, text in b.entries]


def with_statements(verdict, *more):
    return replace(verdict, finding=verdict.finding.adding(*more))


class TestPage:
    def test_the_answer_then_one_table_then_a_line_each(self, verdict):
        answer, shown, lines = verdict.to_document().blocks
        assert isinstance(answer, AnswerBlock)
        assert isinstance(shown, Table)
        assert [label for label, _ in lines.entries] == ["Read", "Test", "Next"]

    def test_a_method_that_did_not_run_stands_before_the_answer(self, absent):
        assert absent.to_document().blocks[0].pieces[0] == absent.absence
        assert absent.sentence == f"{absent.absence} {absent.answer}"
        [kind] = absent.finding.of_kind(DidNotRun)
        assert [a.method for a in kind.methods] == ["gone"]
        assert absent.did_not_run == kind.methods

    def test_a_grave_doubt_stands_before_the_answer_and_nowhere_else(self, verdict):
        found = with_statements(verdict, Notice("the ruler broke", "grave", remedy="mend it"))
        assert found.to_document().blocks[0].pieces[0] == "The ruler broke."
        assert "the ruler broke" not in str(lines_of(found.to_document()))
        assert "the ruler broke" not in str(lines_of(found.full))  # it is not said twice

    def test_of_many_doubts_the_rest_is_counted(self, verdict):
        found = with_statements(verdict, *(Notice(f"doubt {i}", "doubt") for i in range(MOST_DOUBTS + 2)))
        doubts = [text for label, text in lines_of(found.to_document()) if label == "Beware"]
        assert doubts[:-1] == [f"doubt {i}" for i in range(MOST_DOUBTS)]
        assert doubts[-1].startswith("and 2 more")
        assert str(lines_of(found.full)).count("doubt ") == MOST_DOUBTS + 2

    def test_the_first_step_alone(self, verdict):
        found = with_statements(verdict, next_step("ask", "first", rank=-3), next_step("ask", "second", rank=-2))
        assert [text for label, text in lines_of(found.to_document()) if label == "Next"] == ["first"]
        assert [text for label, text in lines_of(found.full) if label == "Next"][:2] == ["first", "second"]

    def test_what_was_checked_is_on_the_full_page(self, verdict):
        assert "Checked" not in dict(lines_of(verdict.to_document()))
        checked = [text for label, text in lines_of(verdict.full) if label == "Checked"]
        assert len(checked) == len(by_role(verdict.statements)[Role.CHECK]) > 1

    def test_full_has_the_same_claims(self, verdict):
        answer, shown, *_ = verdict.to_document().blocks
        assert verdict.full.blocks[0] == answer
        assert verdict.full.blocks[1].rows == shown.rows
        [tested] = verdict.finding.of_kind(support.ByTest)
        [line] = [text for label, text in lines_of(verdict.full) if label == "Test"]
        assert all(text in line for text in (tested.test, *tested.details, verdict.why))

    def test_explained_says_what_each_column_means(self, verdict):
        columns, _ = (b for b in verdict.explained.blocks if isinstance(b, Facts))
        titles = [c.title for c in verdict.to_table().columns]
        assert [title for title, _ in columns.entries] == [*titles[1:-1], "last column"]

    def test_a_refusal_says_no_more_than_its_reason(self, refused):
        [why] = refused.finding.of_kind(Refused)
        assert refused.is_refused
        assert why.reason in refused.notices
        assert refused.winner is None
        assert dict(lines_of(refused.to_document()))["Test"] == "none"
        assert str(refused).count(why.reason.sentence) == 1


class TestParts:
    def test_sentences_are_answer_and_choice(self, verdict):
        roles = by_role(verdict.statements)
        said = [say(s, verdict.scope).render() for s in (*roles[Role.ANSWER], *roles[Role.CHOICE])]
        assert list(verdict.sentences) == said
        assert verdict.answer == verdict.sentence == said[0]
        assert verdict.absence == ""

    def test_said_are_texts(self, verdict):
        assert verdict.said(Role.STABILITY)
        assert all(isinstance(text, Text) for role in Role for text in verdict.said(role))
        assert verdict.stable == tuple(text.render() for text in verdict.said(Role.STABILITY))
        assert verdict.test == verdict.said(Role.TEST)[0].render()

    def test_a_remark_takes_its_place_by_rank(self, verdict):
        found = with_statements(verdict, Remark(Role.ANSWER, Text("Before."), rank=-1))
        assert found.sentences == ("Before.", *verdict.sentences)


class TestAsData:
    def test_statements_stand_beside_their_words(self, verdict):
        found = verdict.to_dict()
        assert [s["role"] for s in found["statements"]] == [
            str(role) for role, own in by_role(verdict.statements).items() for _ in own
        ]
        assert {s["kind"] for s in found["statements"]} >= {"Winner", "ByTest", "Kept", "NextStep", "Notice"}
        assert all(s["text"] for s in found["statements"])
        [own] = verdict.finding.of_kind(Winner)
        won = found["statements"][0]
        assert (won["kind"], won["role"], won["text"]) == ("Winner", "answer", verdict.answer)
        assert (won["method"], won["runner_up"], won["p_value"]) == (own.method, own.runner_up, own.p_value)
        assert won["lead"]["low"] == own.lead.low

    def test_the_family_is_declared_and_the_pairs_are_another(self, verdict):
        found = verdict.to_dict()
        assert (found["family"], found["winner"], found["decisions"], found["comparisons"]) == (
            "best",
            "high",
            [],
            None,
        )
        assert found["leads"] is not None

    @pytest.mark.parametrize("of", ["verdict", "refused", "absent"])
    def test_in_all_formats(self, of, request):
        answer = request.getfixturevalue(of)
        assert isinstance(answer, Answer)
        found = json.loads(answer.render("json"))
        assert found["answer"] == answer.sentence
        for how in FORMATS:
            assert answer.render(how).strip()
            assert "fairtrial." not in answer.render(how, full=True)
        assert f"**{escape(answer.answer)}**" in answer.render("md")
        assert "<table" in answer._repr_html_()
        assert answer.render("text") == str(answer)
        assert len(answer.render("text", full=True)) > len(str(answer))

    def test_of_each_data_set(self):
        found = few_datasets().verdict().to_dict()
        assert {name: part["winner"] for name, part in found["parts"].items()} == {"d0": "a", "d1": "a", "d2": None}
        assert all(s["role"] == "answer" and s["text"] for part in found["parts"].values() for s in part["statements"])

    def test_failed_trials_are_counted(self):
        assert with_failures(baseline="base").verdict().to_dict()["failed_trials"] == 2
