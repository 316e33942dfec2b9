"""What was found, as data, and the register of the words that say it."""

from __future__ import annotations

import dataclasses
import importlib
import json
import sys
from dataclasses import FrozenInstanceError, dataclass

import pytest

import fairtrial.statements
from fairtrial.notices import Notice
from fairtrial.statements import Remark, Role, Statement, Text, by_role, plain, say, says
from fairtrial.stats import Interval


@dataclass(frozen=True, slots=True)
class Longest(Statement):
    """One stick is the longest."""

    role = Role.ANSWER
    stick: str
    lead: Interval | None = None


@dataclass(frozen=True, slots=True)
class Shaky(Statement):
    """The ruler is shaky."""

    role = Role.DOUBT
    rank = 1


@pytest.fixture
def words(monkeypatch):
    """The words of both kinds, in a register of their own."""
    monkeypatch.setattr(fairtrial.statements, "_sayers", dict(fairtrial.statements._sayers))
    says(Longest)(lambda s, unit: f"{s.stick} is the longest in {unit}.")
    says(Shaky)(lambda *_: Text("the ruler is shaky"))


class TestText:
    def test_is_joined_and_rendered(self):
        text = Text.joined([Text("a"), "", "b"], "; ")
        assert (text.render(), str(text), repr(text)) == ("a; b", "a; b", "Text('a; b')")
        assert Text(text) == text
        assert hash(Text("a")) == hash(Text(Text("a")))
        assert text != "a; b"
        assert not Text("")

    def test_no_code_can_read_it(self):
        for method in ("startswith", "lower", "split", "__contains__", "__getitem__", "__iter__", "__len__", "__add__"):
            assert not hasattr(Text("a"), method)


class TestStatement:
    def test_said_in_the_words_of_its_kind(self, words):
        assert say(Longest("oak"), "metres") == Text("oak is the longest in metres.")
        assert say(Shaky(), None).render() == "the ruler is shaky"

    def test_a_kind_without_words_can_not_be_said(self):
        with pytest.raises(KeyError):
            say(Longest("oak"), None)

    def test_as_data(self):
        found = Longest("oak", Interval("difference", 0.5, 0.25, 1.0)).to_dict()
        assert {name: found[name] for name in ("kind", "role", "stick")} == {
            "kind": "Longest", "role": "answer", "stick": "oak",
        }  # fmt: skip
        assert (found["lead"]["estimate"], found["lead"]["low"]) == (0.5, 0.25)
        json.dumps(found)

    def test_can_not_be_changed(self):
        with pytest.raises(FrozenInstanceError):
            Longest("oak").stick = "ash"

    def test_a_remark_is_plain_data_too(self):
        found = Remark(Role.NEXT, Text("measure again"), "ruler").to_dict()
        assert found["words"] == "measure again"
        assert type(found["role"]) is str

    def test_fields_become_plain(self):
        assert plain((Text("a"), {1: (2, Longest("oak"))}))[1]["1"][1]["stick"] == "oak"


def kinds(of: type[Statement] = Statement) -> set[type[Statement]]:
    """All kinds of the package; of a class with slots, which is made twice, the one that its module has."""
    found = {k for kind in of.__subclasses__() for k in (kind, *kinds(kind)) if k.__module__.startswith("fairtrial.")}
    found = {kind for kind in found if not kind.__subclasses__()}  # no bases
    return {kind for kind in found if getattr(sys.modules[kind.__module__], kind.__name__, None) is kind}


class TestEveryKind:
    def test_has_words_and_a_role(self):
        importlib.import_module("fairtrial.verdict")
        assert len(kinds()) > 20
        for kind in kinds():
            assert kind in fairtrial.statements._sayers, kind
            assert hasattr(kind, "role"), kind
            assert dataclasses.is_dataclass(kind), kind
            assert kind.__dataclass_params__.frozen, kind


class TestByRole:
    def test_order_follows_from_roles_and_ranks(self):
        late, first, second = Remark(Role.ANSWER, Text("c"), rank=2), Longest("oak"), Longest("ash")
        grave, doubt = Notice("the ruler broke", "grave"), Notice("the ruler bends", "doubt")
        checked = Notice("the sticks are dry", "fine")
        roles = by_role([late, doubt, checked, first, Shaky(), grave, second])
        assert tuple(roles) == tuple(Role)
        assert roles[Role.ANSWER] == (first, second, late)
        assert roles[Role.DOUBT] == (grave, doubt, Shaky())
        assert roles[Role.CHECK] == (checked,)
        assert roles[Role.NEXT] == ()
