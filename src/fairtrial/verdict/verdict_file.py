"""Reading verdict.json: what a verdict wrote about itself, checked, since the file may be damaged or a stranger's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, NoReturn

from fairtrial.choices import FAILURE_POLICIES, VerdictOptions
from fairtrial.design import Question
from fairtrial.design.amounts import settled_numbers
from fairtrial.errors import InputError
from fairtrial.store.checks.json import (
    LEVELS,
    VERSIONS,
    Wrong,
    a_mapping,
    a_number,
    a_text,
    fields,
    listed,
    mapped,
    one_of,
    or_none,
    parsed,
)
from fairtrial.words import listed as named
from fairtrial.words import visible

MOST_BYTES = 2**28
DATABASE = b"SQLite format 3\0"
KINDS = ("study", "read_scores", "read_predictions")


def _amount(value: Any, place: str) -> None:
    (a_text if isinstance(value, str) else a_number)(value, place)


def _amount_or_amounts(value: Any, place: str) -> None:
    (mapped(_amount) if isinstance(value, dict) else _amount)(value, place)


def _names_or_value(value: Any, place: str) -> None:
    rule = "text, a number, true, false or a list of text"
    plain = isinstance(value, (str, int, float, bool)) or (
        isinstance(value, list) and all(isinstance(item, str) for item in value)
    )
    one_of(rule, lambda _: plain)(value, place)


OPTION = {
    **dict.fromkeys(VerdictOptions.__annotations__, a_text),
    "smallest_difference": _amount_or_amounts,
    "level": a_number,
    "claim": _amount,
    "family": mapped(listed(a_text)),
    "context": a_mapping,
    "failures": one_of(f"one of {', '.join(FAILURE_POLICIES)}", lambda v: v in FAILURE_POLICIES),
}
SOURCE = fields(
    {"kind": one_of(f"one of {', '.join(KINDS)}", lambda v: v in KINDS), "name": a_text},
    {"read": mapped(_names_or_value), "part": mapped(listed(a_text))},
)
BASIS = fields(
    {
        "stated": a_mapping,
        "options": fields({}, OPTION),
        "at_levels": LEVELS,
        "source": SOURCE,
        "content": a_text,
        "versions": VERSIONS,
        "scores": mapped(mapped(or_none(a_number))),
    }
)
FACTOR_OPTION = {
    **{name: OPTION[name] for name in ("measure", "smallest_difference", "level", "failures", "baseline")},
    **dict.fromkeys(("method", "dataset"), or_none(a_text)),
    **dict.fromkeys(("interactions", "order"), or_none(a_number)),
    **dict.fromkeys(("criterion", "scale"), a_text),
    "factors": or_none(listed(a_text)),
    "components": one_of("a list, a mapping or null", lambda v: v is None or isinstance(v, (list, dict))),
}
MADE_BY = ("effects", "ablation", "robust_setting", "surface")
"""Methods of results that answer questions about factors."""

FACTOR_ANSWER = fields(
    {
        "made_by": one_of(f"one of {', '.join(MADE_BY)}", lambda v: v in MADE_BY),
        "stated": a_mapping,
        "options": fields({}, FACTOR_OPTION),
        "at_levels": LEVELS,
        "source": SOURCE,
        "content": a_text,
        "versions": VERSIONS,
    }
)
LEVELS_OF_VERDICTS = fields({"at_levels": LEVELS, "levels": listed(BASIS)})


@dataclass(frozen=True, slots=True)
class RecordedVerdict:
    """A verdict as it was written: the whole of it as data, and the parts from which it can be made again.

    ``several`` is true for verdicts at several levels of factors; ``made_by`` is the method of results that gives an
    answer about factors, empty for verdicts.
    """

    name: str
    whole: Mapping[str, Any]
    several: bool
    stated: Question
    options: Mapping[str, Any]
    at_levels: Mapping[str, Any]
    source: Mapping[str, Any]
    content: str
    versions: Mapping[str, str]
    made_by: str = ""

    @property
    def file_name(self) -> str:
        """The base name of the file that the verdict was made from; empty where it was made from data in memory."""
        name = PurePath(str(self.source["name"]).replace("\\", "/")).name
        return "" if name in ("", ".", "..") or "." not in name else name


def read_verdict(path: str | Path) -> RecordedVerdict:
    """Read the file that ``verdict.render("json")`` or ``--format json`` wrote; nothing in it is executed."""
    path = Path(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} must be the JSON of a verdict, but it has more than {MOST_BYTES:,} bytes")
        with path.open("rb") as file:
            if file.read(len(DATABASE)) == DATABASE:
                raise InputError(
                    f"{path} is a study file, not a verdict; `fairtrial check {path}` says whether it is whole, and "
                    f"`fairtrial compare {path} --format json > verdict.json` writes a verdict to be verified later"
                )
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} must be JSON in UTF-8: {error}") from error
    return recorded_verdict(text, str(path))


def recorded_verdict(text: str, name: str = "the verdict") -> RecordedVerdict:
    """The verdict in a JSON text; what is wrong with it is said in one line."""
    try:
        whole = parsed(text, parse_constant=_refuse)
        a_mapping(whole, "")
        about_factors = "made_by" in whole
        several = "factors" in whole and not about_factors
        (FACTOR_ANSWER if about_factors else LEVELS_OF_VERDICTS if several else BASIS)(whole, "")
        basis = whole["levels"][0] if several else whole
        known = FACTOR_OPTION if about_factors else OPTION
        unknown = [option for option in basis["options"] if option not in known]
        if unknown:
            raise Wrong(f"options has unknown names: {named(unknown)}")
        stated = Question.from_dict(basis["stated"])
    except (Wrong, InputError, ValueError, TypeError, IndexError) as error:
        raise InputError(
            f"{name} must be a verdict as JSON ({visible(str(error))}); write one with --format json or "
            "verdict.render('json')"
        ) from error
    return RecordedVerdict(
        name=name,
        whole=whole,
        several=several,
        stated=stated,
        options={name: _as_recorded(name, value) for name, value in basis["options"].items()},
        at_levels=whole["at_levels"],
        source=basis["source"],
        content=basis["content"],
        versions=basis["versions"],
        made_by=whole.get("made_by", ""),
    )


def _as_recorded(name: str, value: Any) -> Any:
    """An option as it was understood: numbers are in the units of the measure, also those that would be refused now."""
    return settled_numbers(value) if name in ("smallest_difference", "claim") else value


def _refuse(constant: str) -> NoReturn:
    raise Wrong(f"{constant} is not JSON")
