"""Verification: a recorded verdict is made again from its file, and both are compared."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.errors import InputError
from fairtrial.notices import all_guards
from fairtrial.shown import ShownAsText
from fairtrial.store import versions
from fairtrial.tables import Column, Document, Paragraph, Shown, Table, render_result
from fairtrial.tables.render_json import plain, render
from fairtrial.verdict.verdict_file import RecordedVerdict, read_verdict, recorded_verdict
from fairtrial.words import listed, plural, shortened

if TYPE_CHECKING:
    from fairtrial.results import Results
    from fairtrial.verdict.answer import Answer

RELATIVE = 1e-9
MOST_SHOWN = 5
NOTHING = "nothing"  # stands for a value that one of two verdicts lacks
NOT_COMPARED = ("versions", "source")
FIRST = ("content", "scores", "answer", "winner", "statements", "decisions")
"""Parts of a verdict whose differences are named before those of all others."""

DECISIONS = ("content", "question", "measure", "higher_is_better", "winner", "best", "order", "family", "decisions")
"""Parts that must be equal whatever fairtrial wrote them, with all their texts."""

NUMBERS = (
    *("scores", "statements", "table", "more_tables", "leads", "comparisons", "claim", "omnibus", "parts"),
    *("failed_trials", "levels", "at_levels", "factors", "effects", "division", "choice", "surface", "stationary"),
    *("path", "means"),
)
"""Parts whose numbers must agree whatever fairtrial wrote them; another one may word their texts otherwise."""

WORDS = ("text", "words", "sentence", "remedy", "details", "notes")
"""Fields of statements and leads that are words; all others are data, and so are the :data:`NAMES` in tables."""

NAMES = ("method", "dataset")


@dataclass(frozen=True, slots=True)
class Difference(ShownAsText):
    """A place where two verdicts differ: the recorded value and the one that was computed now."""

    place: str
    recorded: object
    computed: object

    def __str__(self) -> str:
        return f"{self.place}: {_shown(self.recorded)} recorded, {_shown(self.computed)} computed"


@dataclass(frozen=True, slots=True)
class Verification(Shown):
    """The result of a verification: whether a verdict was found again, and where it was not.

    ``is_exact``: the versions are the same, so that all numbers had to be equal. Else they had to agree within a
    relative error of 1e-9; ``other_versions`` names the versions that differ. Decisions and texts had to be equal. Only
    if another fairtrial wrote the verdict, texts may be worded otherwise: nobody can tell that from a change, so those
    that differ are ``unconfirmed``, and so are parts that only one of the two versions writes.
    """

    name: str
    differences: tuple[Difference, ...]
    other_versions: tuple[str, ...] = ()
    unconfirmed: tuple[Difference, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether the verdict was found again, with all its texts."""
        return not self.differences and not self.unconfirmed

    @property
    def is_exact(self) -> bool:
        """Whether the comparison was bit for bit."""
        return not self.other_versions

    @property
    def sentence(self) -> str:
        """The outcome in a sentence."""
        if self.differences:
            n = len(self.differences)
            return f"{self.name} differs from what its file gives now, in {plural(n, 'place')}."
        if self.unconfirmed:
            return (
                f"{self.name} is confirmed in part: decisions and numbers are (within 1e-9), but "
                f"{plural(len(self.unconfirmed), 'text or part', 'texts or parts')} can't be compared, since another "
                f"fairtrial wrote it ({listed(self.other_versions)}). Trust what is computed now, below."
            )
        if self.is_exact:
            return f"{self.name} is confirmed: all numbers and sentences are the same, under the same versions."
        return (
            f"{self.name} is confirmed: the decisions and sentences are the same, and all numbers agree within 1e-9, "
            f"under other versions ({listed(self.other_versions)})."
        )

    def to_table(self) -> Table:
        """The first differences, one in each row; without any, what is not confirmed."""
        columns = (Column("place", align="left"), Column("recorded", align="left"), Column("computed", align="left"))
        found = self.differences or self.unconfirmed
        shown = found[:MOST_SHOWN]
        rows = tuple((d.place, _shown(d.recorded), _shown(d.computed)) for d in shown)
        left = len(found) - len(shown)
        notes = (f"and {plural(left, 'other difference')}",) if left else ()
        return Table(columns, rows, caption="differences" if self.differences else "not confirmed", notes=notes)

    def to_document(self) -> Document:
        """The sentence, and the first differences."""
        tables = () if self.agrees else (self.to_table(),)
        return Document((Paragraph(self.sentence), *tables))

    def to_dict(self) -> dict[str, Any]:
        """The outcome as plain data, with all differences."""
        return {
            "agrees": self.agrees,
            "exact": self.is_exact,
            "other_versions": list(self.other_versions),
            **{name: [asdict(d) for d in getattr(self, name)] for name in ("differences", "unconfirmed")},
        }

    def render(self, how: str) -> str:
        """The outcome in one of the output formats."""
        return render_result(self, how)


def verify(recorded: str | Path | Answer, source: str | Path | Results | None = None) -> Verification:
    """Make a verdict again from the file that it was made from, and compare.

    ``recorded`` is the path of a verdict.json, or an answer: a verdict, or an answer about factors. ``source`` is the
    study file or the table; without it, the file with the recorded name is taken, beside verdict.json or in the current
    folder. For data in memory it must be the results. Nothing is written, not even into the log of verdicts of the
    study file.
    """
    is_path = isinstance(recorded, (str, Path))
    before = read_verdict(recorded) if is_path else recorded_verdict(recorded.render("json"))  # type: ignore[arg-type, union-attr]
    if source is None or isinstance(source, (str, Path)):
        source = _read(before, Path(source) if source is not None else _file_of(before))
    now = json.loads(render(_made_again(before, source).to_dict()))
    here = versions()
    same_words = before.versions.get("fairtrial") == here["fairtrial"]
    named = [*before.versions, *(name for name in here if name not in before.versions)]
    other = tuple(
        f"{name} {before.versions.get(name, 'unknown')} → {here.get(name, 'not installed')}"
        for name in named
        if before.versions.get(name) != here.get(name)
    )
    parts = (_comparable(whole, in_order=same_words) for whole in (before.whole, now))
    found = sorted(_between("", *parts, exact=not other), key=_rank)
    sure = [same_words or not _may_be_wording(difference) for difference in found]
    return Verification(
        Path(before.name).name, tuple(compress(found, sure)), other, tuple(compress(found, (not s for s in sure)))
    )


def _file_of(recorded: RecordedVerdict) -> Path:
    name = recorded.file_name
    if not name:
        raise InputError(f"{recorded.name} does not name its file, so the file must be given as well")
    for folder in (Path(recorded.name).parent, Path()):
        if (folder / name).is_file():
            return folder / name
    raise InputError(f"{name}, which {recorded.name} was made from, is not beside it; give its path as well")


def _read(recorded: RecordedVerdict, path: Path) -> Results:
    """The results in a file, read with the recorded options."""
    from fairtrial.results import read_predictions, read_scores, read_study

    if not path.is_file():
        raise InputError(f"the file of a verdict must exist, got {path}")
    if recorded.source["kind"] == "study":
        return read_study(path)
    read = read_scores if recorded.source["kind"] == "read_scores" else read_predictions
    try:
        return read(path, **recorded.source.get("read", {}))
    except TypeError as error:
        raise InputError(f"{recorded.name}: source.read must have the options of {read.__name__}: {error}") from error


def _made_again(recorded: RecordedVerdict, results: Results) -> Answer:
    """The answer to the recorded question, made again; results without a path write no log."""
    results = replace(results, question=recorded.stated, path=None)
    part = recorded.source.get("part", {})
    results = results.only(methods=part.get("methods"), datasets=part.get("datasets")) if part else results
    chosen = results.at(recorded.at_levels) if recorded.at_levels else results
    chosen = chosen.by_setting() if recorded.source.get("by_setting") else chosen
    options: Any = recorded.options
    if recorded.made_by:
        return getattr(chosen, recorded.made_by)(**options)  # type: ignore[no-any-return]
    return chosen.verdicts(**options) if recorded.several else chosen.verdict(**options)


def _comparable(whole: Mapping[str, Any], *, in_order: bool) -> dict[str, Any]:
    """The parts of a verdict that must be found again: without versions, places, and what the log of verdicts says.

    Where statements needn't be ``in_order``, since another fairtrial may say more, they are found by what they are.
    """
    logged = {guard.name for guard in all_guards() if guard.sees == "earlier verdicts"}

    def kept(name: str, value: Any) -> Any:
        if name == "statements" and isinstance(value, list):
            own = [s for s in value if not (isinstance(s, dict) and s.get("guard") in logged)]
            return own if in_order else _by_kind(own)
        if name == "levels" and isinstance(value, list):
            return [inner(one) for one in value]
        return (
            {part: inner(one) for part, one in value.items()} if name == "parts" and isinstance(value, dict) else value
        )

    def inner(value: Any) -> Any:
        return _comparable(value, in_order=in_order) if isinstance(value, dict) else value

    return {name: kept(name, value) for name, value in whole.items() if name not in NOT_COMPARED}


def _by_kind(statements: list[Any]) -> dict[str, Any]:
    """Statements by role, then by guard or kind; those of one kind are numbered."""
    named: dict[str, Any] = {}
    counts: Counter[str] = Counter()
    for one in statements:
        own = one if isinstance(one, dict) else {}
        name = f"{own.get('role', '')}.{own.get('guard') or own.get('kind', '')}"
        counts[name] += 1
        named[f"{name}[{counts[name] - 1}]"] = one
    return named


def _may_be_wording(difference: Difference) -> bool:
    """Whether a difference may be due to the words and parts of another fairtrial: no decision, and no number."""
    place = re.sub(r"^levels\[\d+\]\.", "", difference.place)
    names = [n for n in re.split(r"[.\[\]]+", place) if n and not n.isdigit()]
    if names[0] in DECISIONS:
        return False
    sides = (difference.recorded, difference.computed)
    in_statement = "statements" in names[:-1]
    if NOTHING in sides:
        return not (in_statement and names[names.index("statements") + 1] in ("answer", "choice"))
    if names[0] not in NUMBERS or names[-1] in WORDS:
        return True
    is_data = in_statement or names[0] == "leads" or names[-1] in NAMES
    return not is_data and all(isinstance(side, str) for side in sides)


def _between(place: str, a: Any, b: Any, *, exact: bool) -> Iterator[Difference]:
    """The differences between two values of JSON; only if they are ``exact``, numbers must be equal in all digits."""
    if isinstance(a, dict) and isinstance(b, dict):
        for name in (*a, *(n for n in b if n not in a)):
            yield from _between(f"{place}.{name}".lstrip("."), a.get(name, NOTHING), b.get(name, NOTHING), exact=exact)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for i, pair in enumerate(zip(a, b, strict=True)):
            yield from _between(f"{place}[{i}]", *pair, exact=exact)
    elif not _same(a, b, exact=exact):
        yield Difference(place, plain(a), plain(b))


def _same(a: object, b: object, *, exact: bool) -> bool:
    if _is_number(a) and _is_number(b):
        return a == b if exact else math.isclose(a, b, rel_tol=RELATIVE, abs_tol=1e-300)  # type: ignore[arg-type]
    return type(a) is type(b) and a == b


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _rank(difference: Difference) -> int:
    """The place of a difference in the list: what it is about first, then the scores, then the rest in its order."""
    parts = difference.place.replace("[", ".").split(".")
    return next((i for i, name in enumerate(FIRST) if name in parts[:3:2] or name == parts[0]), len(FIRST))


def _shown(value: object) -> str:
    return shortened(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str), 80)
