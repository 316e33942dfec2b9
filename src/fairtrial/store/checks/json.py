"""Checks of the JSON in a study file as it is read, since the file may be damaged or a stranger's.

A check takes a value and its place, and raises ``Wrong`` where the value is not what it must be.
"""

from __future__ import annotations

import datetime
import json
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from fairtrial.choices import FAILURE_POLICIES
from fairtrial.errors import StudyFileError
from fairtrial.notices import SEVERITIES, STAGES
from fairtrial.words import shortened, visible

DEEPEST = 150  # nested mappings and lists, some more than methods may report of themselves
Check = Callable[[Any, str], None]


class Wrong(Exception):
    """An error: a value is not what it must be."""


def read_json(text: object, check: Check, what: str, name: object) -> Any:
    """The content of JSON in a study file; the error says what is wrong with which field."""
    try:
        value = parsed(text)
        check(value, "")
    except (Wrong, ValueError, TypeError) as error:
        raise StudyFileError(
            f"{name} does not hold {what} as a study file must ({visible(str(error))}); "
            "take a copy of the file that is whole"
        ) from error
    return value


def parsed(text: Any, **more: Any) -> Any:
    """The content of JSON that anybody may have written; nesting in which later steps would get lost is a ValueError.

    >>> parsed("[" * 200_000)
    Traceback (most recent call last):
    ...
    ValueError: it is nested too deeply
    """
    with suppress(RecursionError):
        value = json.loads(text, **more)
        if depth_of(value) <= DEEPEST:
            return value
    raise ValueError("it is nested too deeply")


def depth_of(value: Any) -> int:
    """The depth to which mappings and lists are nested; counting stops one above the largest allowed."""
    layer, depth = [value], 0
    while layer and depth <= DEEPEST:
        inside = (part.values() if isinstance(part, dict) else part for part in layer if isinstance(part, (dict, list)))
        layer = [item for items in inside for item in items]
        depth += bool(layer)
    return depth


def write_json(value: object) -> str:
    """The text of plain data in a study file; equal data have the same text, whatever the order of their names."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def fits(value: Any, check: Check) -> bool:
    """Whether a value is what a check asks for."""
    try:
        check(value, "")
    except Wrong:
        return False
    return True


def moment(text: object, name: object) -> datetime.datetime:
    """A point in time as study files write it."""
    try:
        found = datetime.datetime.fromisoformat(text)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise StudyFileError(f"{name} must have moments such as 2026-01-31T12:00:00, got {text!r}") from error
    return found if found.tzinfo else found.replace(tzinfo=datetime.UTC)


def one_of(rule: str, fits: Callable[[Any], bool]) -> Check:
    def check(value: Any, place: str) -> None:
        if not fits(value):
            raise Wrong(f"{place or 'it'} must be {rule}, got {shortened(repr(value), 80)}")

    return check


def or_none(check: Check) -> Check:
    return lambda value, place: None if value is None else check(value, place)


def listed(each: Check) -> Check:
    def check(value: Any, place: str) -> None:
        a_list(value, place)
        for i, item in enumerate(value):
            each(item, f"{place}[{i}]")

    return check


def mapped(each: Check) -> Check:
    def check(value: Any, place: str) -> None:
        a_mapping(value, place)
        for name, item in value.items():
            each(item, f"{place}.{name}".lstrip("."))

    return check


def fields(checks: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """The check of a mapping that has these fields, and perhaps the optional ones; others are not checked."""

    def check(value: Any, place: str) -> None:
        a_mapping(value, place)
        for name, own in {**checks, **(optional or {})}.items():
            where = f"{place}.{name}".lstrip(".")
            if name in value:
                own(value[name], where)
            elif name in checks:
                raise Wrong(f"{where} is missing")

    return check


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, float) or _is_whole(value)


def anything(value: Any, place: str) -> None:
    """A check that everything passes: the value is only shown, or checked elsewhere."""


a_text = one_of("text", lambda v: isinstance(v, str))
a_flag = one_of("true or false", lambda v: isinstance(v, bool))
a_whole = one_of("a whole number", _is_whole)
a_count = one_of("a whole number of at least 0", lambda v: _is_whole(v) and 0 <= v < 2**53)
a_number = one_of("a number", lambda v: _is_number(v) and math.isfinite(v))
a_share = one_of("a number from 0 to 1", lambda v: _is_number(v) and 0 <= v <= 1)
a_level = one_of(
    "a number, text, true, false or null",
    lambda v: v is None or isinstance(v, (str, bool)) or (_is_number(v) and math.isfinite(v)),
)
a_range = one_of(
    "two numbers, the lower one first",
    lambda v: (
        isinstance(v, list) and len(v) == 2 and all(_is_number(e) and math.isfinite(e) for e in v) and v[0] < v[1]
    ),
)
a_list = one_of("a list", lambda v: isinstance(v, list))
a_mapping = one_of("a mapping", lambda v: isinstance(v, dict))
a_task = one_of("'classes' or 'values'", lambda v: v in ("classes", "values"))
a_policy = one_of("a failure policy", lambda v: v in FAILURE_POLICIES)

DEPENDENCE = fields(
    {"scheme": a_text, "repeats": a_count, "folds": a_count, "test_share": or_none(a_share)},
    {"disjoint": a_flag, "shared": a_flag, "caution": a_text, "optimistic": a_flag},
)
DATASET = fields({"name": a_text, "fingerprint": a_text}, {"source": or_none(a_text), "dependence": DEPENDENCE})
METHOD = fields(
    {
        "name": a_text,
        "canonical": fields({"inputs": a_text, "estimator": anything}),
        "facts": mapped(a_text),
        "yardstick": a_flag,
    },
    {"threads": a_flag, "configurations": or_none(a_count), "recipe": a_text},
)
FACTOR = fields(
    {"name": a_text, "levels": listed(a_level)},
    {
        "of": a_text,
        "linear": a_range,
        "log": a_range,
        "values": mapped(anything),
        "when": mapped(listed(a_level)),
        "role": one_of("'controllable' or 'uncontrollable'", lambda v: v in ("controllable", "uncontrollable")),
        "ordered": a_flag,
    },
)
RESAMPLING = fields({"scheme": a_text}, {"stratify": a_flag, "outer": or_none(a_count), "folds": anything})
NOTICE = fields(
    {"sentence": a_text},
    {
        "severity": one_of(f"one of {', '.join(SEVERITIES)}", lambda v: v in SEVERITIES),
        "about": a_text,
        "evidence": a_mapping,
        "remedy": a_text,
        "guard": a_text,
        "stage": one_of(f"one of {', '.join(STAGES)}", lambda v: v in STAGES),
    },
)
DEFINITION = fields(
    {
        "question": a_mapping,
        "datasets": listed(DATASET),
        "methods": listed(METHOD),
        "resampling": RESAMPLING,
        "dependence": DEPENDENCE,
        "measures": listed(a_text),
        "seed": a_whole,
        "failures": a_policy,
    },
    {
        "factors": listed(FACTOR),
        "layout": or_none(fields({"kind": a_text})),
        "replicates": or_none(one_of("a whole number of at least 1", lambda v: _is_whole(v) and 1 <= v < 2**53)),
        "time_limit": or_none(a_number),
        "memory_limit": or_none(a_number),
        "timing": a_text,
        "memory": a_text,
        "training_scores": a_flag,
        "notices": listed(NOTICE),
        "split_warnings": mapped(listed(a_text)),  # of earlier versions
        "merged": listed(a_text),
    },
)


def FACTS(value: Any, place: str) -> None:  # noqa: N802 - a check like the others, of which parts depend on each other
    """The check of the facts of a data set."""
    fields(
        {"task": a_task, "classes": listed(a_text), "positive": or_none(a_count), "n": a_count, "p": a_count},
        {
            "source": or_none(a_text),
            "notes": listed(a_text),
            "balance": listed(a_share),
            "missing": a_share,
            "nominal": a_share,
        },
    )(value, place)
    if (value["task"] == "classes") != bool(value["classes"]):
        raise Wrong("classes must be there where the task is classes, and only there")
    if value["positive"] is not None and value["positive"] >= len(value["classes"]):
        raise Wrong(f"positive must be the number of a class, got {value['positive']!r}")


TUNING = fields(
    {
        "chosen": a_mapping,
        "score": or_none(a_number),
        "measure": a_text,
        "search": a_text,
        "inner": a_text,
        "configurations": a_count,
        "failed": a_count,
        "fits": a_count,
        "seconds": a_number,
        "refit_seconds": or_none(a_number),
        "tried": listed(
            fields(
                {"parameters": a_mapping, "score": or_none(a_number), "rows": a_count},
                {"scores": listed(or_none(a_number)), "error": a_text},
            )
        ),
    }
)
DECISION = fields(
    {"threshold": one_of("a number, 'all' or 'none'", lambda v: v in ("all", "none") or fits(v, a_number))}
)
LEVELS = mapped(a_level)
TRAINING_SCORES = mapped(a_number)
VERSIONS = mapped(a_text)


def WARNINGS(value: Any, place: str) -> None:  # noqa: N802 - a check like the others
    """The check of warnings: texts with their counts."""
    a_list(value, place)
    for pair in value:
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and _is_whole(pair[1])):
            raise Wrong(f"warnings must be texts with counts, got {shortened(repr(pair), 80)}")
