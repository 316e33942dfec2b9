"""Notices of data and plan that are stored with a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fairtrial.notices import Notice

__all__ = ["joint_notices", "stored_notices"]


def stored_notices(definition: Mapping[str, Any]) -> tuple[Notice, ...]:
    """The notices in the definition of a study; files of earlier versions hold texts about splits instead.

    >>> stored_notices({"split_warnings": {"iris": ["iris: 3 of 10 test sets lack a class"]}})[0].guard
    'splits'
    """
    texts = definition.get("split_warnings", {})
    earlier = (Notice(text, about=name, guard="splits", stage="plan") for name, own in texts.items() for text in own)
    return (*earlier, *map(Notice.from_dict, definition.get("notices", ())))


def joint_notices(definitions: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The notices of several studies that are merged: what a guard found about one thing, as the first study has it."""
    found: dict[tuple[str, str], list[Notice]] = {}
    for definition in definitions:
        own: dict[tuple[str, str], list[Notice]] = {}
        for notice in stored_notices(definition):
            own.setdefault((notice.guard, notice.about), []).append(notice)
        found = {**found, **{place: notices for place, notices in own.items() if place not in found}}
    by_text = {(n.about, n.text): n for notices in found.values() for n in notices}
    return [notice.to_dict() for notice in by_text.values()]
