"""Statements: what was found, as data; and the register of the words that say it.

A statement is a small frozen dataclass with typed fields and a role: it answers the question, advises a choice, names
the test, doubts, was checked, says how stable the answer is, or what to do next. The order of a page follows from roles
and ranks. The words of a kind are made by one function, and nobody asks what a sentence says: words are a
:class:`Text`, which can be joined and rendered, but not searched.

>>> @dataclass(frozen=True, slots=True)
... class Longest(Statement):
...     "One stick is the longest."
...     role = Role.ANSWER
...     stick: str
>>> @says(Longest)
... def _(s: Longest, words: object) -> str:
...     return f"{s.stick} is the longest."
>>> print(say(Longest("oak"), None))
oak is the longest.
>>> Longest("oak").to_dict()
{'kind': 'Longest', 'role': 'answer', 'stick': 'oak'}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar, TypeVar


class Role(StrEnum):
    """What a statement is for; pages have them in this order."""

    ANSWER = "answer"
    CHOICE = "choice"
    TEST = "test"
    DOUBT = "doubt"
    CHECK = "check"
    STABILITY = "stability"
    NEXT = "next"


class Text:
    """Words that can be joined and rendered; they have no methods of a string, so that no code can read them."""

    __slots__ = ("_words",)

    def __init__(self, words: str | Text) -> None:
        self._words: str = words._words if isinstance(words, Text) else words

    @classmethod
    def joined(cls, texts: Iterable[Text | str], between: str = " ") -> Text:
        """The texts one after the other; empty ones are left out."""
        return cls(between.join(words for text in texts if (words := cls(text)._words)))

    def render(self) -> str:
        """The words, for a document or a file."""
        return self._words

    def __bool__(self) -> bool:
        return bool(self._words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self._words == other._words

    def __hash__(self) -> int:
        return hash(self._words)

    def __str__(self) -> str:
        return self._words

    def __repr__(self) -> str:
        return f"Text({self._words!r})"


class Statement:
    """What was found, as data; a kind is a frozen dataclass with a role, and a rank among statements of that role.

    Smaller ranks come first. ``only_full`` statements stand on the page only where all is asked for. ``title``
    is that of their line on the full page, where it is not the usual one of the role.
    """

    __slots__ = ()

    role: ClassVar[Role]
    rank: ClassVar[int] = 0
    only_full: ClassVar[bool] = False
    title: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """The kind, the role, and all fields as plain data."""
        names = [f.name for f in fields(self) if f.name != "role"]  # type: ignore[arg-type]
        own = {name: plain(getattr(self, name)) for name in names}
        return {"kind": type(self).__name__, "role": str(self.role), **own}


def plain(value: Any) -> Any:
    """A field as plain data."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Text):
        return value.render()
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True, slots=True)
class Remark(Statement):
    """A statement in words alone, which has one producer, and of which no code asks anything.

    ``about`` names what it was made by, so that tests and pages can find it.
    """

    role: Role  # type: ignore[misc]
    words: Text
    about: str = ""
    rank: int = 0  # type: ignore[misc]
    only_full: bool = False  # type: ignore[misc]


Kind = TypeVar("Kind", bound=Statement)
Words = TypeVar("Words")

_sayers: dict[type[Statement], Callable[[Any, Any], Text | str]] = {Remark: lambda s, _: s.words}


def says(kind: type[Kind]) -> Callable[[Callable[[Kind, Words], Text | str]], Callable[[Kind, Words], Text | str]]:
    """Register the function that puts a kind of statement into words."""

    def register(function: Callable[[Kind, Words], Text | str]) -> Callable[[Kind, Words], Text | str]:
        _sayers[kind] = function
        return function

    return register


def say(statement: Statement, words: Any) -> Text:
    """The statement in words; ``words`` says how numbers and names are written."""
    return Text(_sayers[type(statement)](statement, words))


def with_words(statement: Statement, words: Any) -> dict[str, Any]:
    """The statement as plain data, with its words: what files have of it."""
    return {
        "kind": type(statement).__name__,
        "role": str(statement.role),
        **statement.to_dict(),
        "text": say(statement, words).render(),
    }


def by_role(statements: Iterable[Statement]) -> dict[Role, tuple[Statement, ...]]:
    """The statements of each role, in the order of the roles and ranks."""
    kept = sorted(statements, key=lambda s: s.rank)
    return {role: tuple(s for s in kept if s.role == role) for role in Role}
