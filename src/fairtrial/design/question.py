"""The question of a study, decided before the run and stored with it.

Whether a question fits its study: its claim, methods and data sets.

Files of levels: a yardstick, such as published scores, with a level for each data set.
"""

from __future__ import annotations

import csv
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from fairtrial.choices import ALTERNATIVES, DOMAINS, ESTIMANDS, Alternatives, Domains, Estimand
from fairtrial.data.file_text import home_path
from fairtrial.design.amounts import Scale, difference, level, parse, scale_of, settled_numbers, share_hint
from fairtrial.doors import door
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import Measure, check_context, get, in_context, is_known
from fairtrial.measures.name_options import parse as parse_name
from fairtrial.measures.name_options import written
from fairtrial.methods.baselines import compared_methods
from fairtrial.shown import ShownAsText, as_written
from fairtrial.words import is_number, is_one_of, listed, quoted, shown

if TYPE_CHECKING:
    from fairtrial.data import Dataset
    from fairtrial.methods import Method


def read_levels(path: str | PathLike[str]) -> dict[str, float | str]:
    """Read a CSV file with two columns: the data set and its level (0.96 or 96%). A header is not needed.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "published.csv"
    >>> _ = path.write_text("data set,accuracy\\niris,0.96\\nwine,0.97\\n")
    >>> read_levels(path)
    {'iris': 0.96, 'wine': 0.97}
    """
    file = home_path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{file} can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file.name} must be UTF-8 text: {error}") from error
    levels: dict[str, float | str] = {}
    for line, name, own in _rows(text, file.name):
        if name in levels:
            raise InputError(f"{file.name} must have each data set once, but line {line} has {name!r} again")
        levels[name] = own
    if not levels:
        raise InputError(f"{file.name} must have a line with data set and level (iris,0.96), but it has none")
    return levels


def _rows(text: str, file: str) -> Iterator[tuple[int, str, float | str]]:
    """The lines of the table, with their numbers; the first may be a header."""
    rows: Iterator[list[str]] = csv.reader(text.splitlines(), delimiter=";" if ";" in text.partition("\n")[0] else ",")
    for line, row in enumerate(_divided(rows, file), start=1):
        cells = [cell.strip() for cell in row]
        level = _level(cells[1], f"line {line} of {file}") if len(cells) == 2 else None
        if not any(cells) or (line == 1 and len(cells) == 2 and level is None):
            continue
        if level is None or (isinstance(level, float) and not math.isfinite(level)):
            raise InputError(
                f"each line of {file} must be a data set and its level (iris,0.96), but line {line} is {row!r}"
            )
        yield line, cells[0], level


def _level(cell: str, where: str) -> float | str | None:
    """A number, or a text with a unit; None for other texts, such as the title of a column."""
    if is_number(cell):
        return float(cell)
    try:
        return None if parse(cell) is None else cell
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _divided(rows: Iterator[list[str]], file: str) -> Iterator[list[str]]:
    try:
        yield from rows
    except csv.Error as error:
        raise InputError(
            f"{file} must be a table with commas or semicolons, but can't be read as one: {error}"
        ) from error


OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}


CONDITION = re.compile(r"\s*([^<>=!]+?)\s*(>=|<=|!=|==|=|>|<)\s*(.+?)\s*")


@dataclass(frozen=True, slots=True)
class Condition(ShownAsText):
    """A condition on a property of data sets: ``n >= 1000``, ``domain = text``.

    >>> Condition.parse("n >= 1000").holds(1500), Condition.parse("domain = text").holds("image")
    (True, False)
    """

    name: str
    sign: str
    value: float | str

    @classmethod
    def parse(cls, text: object) -> Condition:
        """The condition that a text says."""
        found = (
            re.fullmatch(r"\s*([^<>=!]+?)\s*(>=|<=|!=|==|=|>|<)\s*(.+?)\s*", text) if isinstance(text, str) else None
        )
        if found is None:
            raise InputError(
                f"where must be a property of data sets with a value, such as 'n >= 1000', got {shown(text)}"
            )
        name, sign, value = found[1], found[2].replace("==", "="), found[3].strip("'\"")
        number = value.replace(",", "")
        if sign[0] in "<>" and not is_number(number):
            raise InputError(f"where must compare {name} with a number ({sign}), got {value!r}")
        return cls(name, sign, float(number) if is_number(number) else value)

    def holds(self, value: float | str) -> bool:
        """Whether a value of the property fulfils it."""
        if isinstance(value, str) or isinstance(self.value, str):
            return OPERATORS[self.sign](str(value), str(self.value))
        return OPERATORS[self.sign](value, self.value)

    def __str__(self) -> str:
        return f"{self.name} {self.sign} {self.value if isinstance(self.value, str) else f'{self.value:,g}'}"


About = Literal["algorithm", "model"]
Yardstick = float | Mapping[str, float | str] | str | PathLike[str]
"""Levels from elsewhere: one for all data sets, one for each, or the path of a file of these, which is read at once.

A text with a unit, such as '95%', is a level; any other text is a path.
"""

NEWER: Mapping[str, object] = {
    "claim": None,
    "alternative": "two-sided",
    "estimand": "typical",
    "family": {},
    "where": "",
}
"""Fields that came later, and their defaults."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    "about": get_args(About),
    "domains": DOMAINS,
    "alternative": ALTERNATIVES,
    "estimand": ESTIMANDS,
}


@door
@dataclass(frozen=True, slots=True)
class Question(ShownAsText):
    """The question that a verdict answers.

    - ``measure``: what "better" means; None means accuracy for classes and rmse for values.
    - ``control``: the method that all others are compared with; None compares all pairs.
    - ``smallest_difference``: the smallest difference that matters, with its unit (``"0.5pp"`` for half a percentage
      point; ``"5%"`` for measures compared as ratios) or as a number in units of the measure (0.005; for ratios 0.05).
      A bare number that could be meant otherwise is refused where it meets the scores: 0.1 or more of a share, less
      than 0.1 of percentages. It belongs to the question's own measure; ``{"accuracy": "1pp", "fit_time": "10%"}``
      also says it for others. A verdict on a measure that it does not name has none.
    - ``about``: ``"algorithm"`` (how would it do with other training data?) or ``"model"`` (these fixed models on other
      instances; for predictions from elsewhere).
    - ``domains``: ``"such as these"`` gives one verdict that generalises to similar data sets, ``"these"`` a separate
      verdict for each data set.
    - ``context``: the operating context, if it differs from the test data: ``positives`` (the share of positives there,
      ``"uniform"`` if any share is equally likely, or ``"beta(2, 5)"``) and ``costs`` (of a false positive and of a
      false negative). The measure is then computed for that context: accuracy becomes expected accuracy or expected
      cost.
    - ``yardsticks``: levels from elsewhere, such as ``{"human": 0.95, "published": {"iris": 0.96, "wine": 0.97}}``: a
      number for all data sets, a number for each, or the path of a CSV file with two columns (data set, level), which
      is read at once. ``"95%"`` is 0.95 of a share, and 95 of a percentage.
    - ``level``: the confidence level of intervals; tests use 1 − level.
    - ``alternative``: what is asked about each method and the control: ``"two-sided"``, ``"better"`` (only whether it
      is better) or ``"not worse"`` (whether it is at most ``smallest_difference`` worse). A question on one side must
      have been decided before the results were seen.
    - ``estimand``: what a difference over data sets is: the ``"typical"`` one (the pseudo-median of the differences),
      or that of the ``"mean"``.
    - ``family``: data sets that belong together, ``{"letters": ["letter-a", "letter-b"]}``: versions of one source are
      one piece of evidence over data sets, and their scores are averaged. Numbered data sets of a table that look like
      versions of few sources are taken for families by themselves, unless there are none: ``{"none": []}``.
    - ``where``: the data sets that the question is about, by a property of them (``"n >= 1000"``, ``"domain = text"``):
      whether the leading method is better there, and better there than on the others. n, p, classes, balance, missing
      and nominal are known of the data sets of a study, and covariates of a table.
    - ``claim``: a level of the measure that one method is claimed to be better than: ``claim=0.02`` with the measure
      error_rate asks whether its error is below 2 %, as ``claim="2%"`` does.

    >>> Question("Is boosting worth it?", measure="accuracy", control="forest", smallest_difference=0.01).control
    'forest'
    >>> Question(smallest_difference={"accuracy": 0.01, "fit_time": 0.1}).delta_for("fit_time")
    0.1
    """

    text: str = ""
    measure: str | None = None
    control: str | None = None
    smallest_difference: float | str | Mapping[str, float | str] | None = None
    about: About = "algorithm"
    domains: Domains = "such as these"
    context: Mapping[str, object] = field(default_factory=dict)
    yardsticks: Mapping[str, Yardstick] = field(default_factory=dict)
    level: float = 0.95
    alternative: Alternatives = "two-sided"
    estimand: Estimand = "typical"
    family: Mapping[str, Sequence[str]] = field(default_factory=dict)
    claim: float | str | None = None
    where: str = ""

    def __post_init__(self) -> None:
        for name in ("text", "measure", "control"):
            if not isinstance(getattr(self, name), str | None):
                raise InputError(f"{name} must be a text, got {shown(getattr(self, name))}")
        if not _is_number(self.level) or not 0 < self.level < 1:
            raise InputError(f"level must lie strictly between 0 and 1 (0.95 for 95 %), got {shown(self.level)}")
        _check_delta(self.smallest_difference)
        self._check_shares()
        if self.claim is not None and not _is_level(self.claim):
            raise InputError(
                f"claim must be a level of the measure, such as 0.02, got {shown(self.claim)}; or leave it out"
            )
        for name, known in CHOICES.items():
            if not is_one_of(getattr(self, name), known):
                raise InputError(f"{name} must be {quoted(known, last='or')}, got {shown(getattr(self, name))}")
        if self.alternative != "two-sided" and self.control is None:
            raise InputError(
                f"alternative={self.alternative!r} compares methods with a control; name it: control='…' (--control)"
            )
        _check_family(self.family)
        if self.where:
            Condition.parse(self.where)
        check_context(self.context)
        if not isinstance(self.yardsticks, Mapping):
            raise InputError(f"yardsticks must map names to numbers ({{'human': 0.95}}), got {shown(self.yardsticks)}")
        read = {name: _levels(name, given) for name, given in self.yardsticks.items()}
        object.__setattr__(self, "yardsticks", read)

    def __str__(self) -> str:
        return as_written(self)

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain data; newer ones are left out at their defaults, as in files of earlier versions."""
        return {name: value for name, value in asdict(self).items() if name not in NEWER or value != NEWER[name]}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Self:
        """The question that :meth:`to_dict` wrote, now or in an older version; it never reads other files.

        Its numbers are in the units of their measures, since they were checked when it was stored.
        """
        yardsticks = stored.get("yardsticks", {})
        texts = [v for v in yardsticks.values() if isinstance(v, str)] if isinstance(yardsticks, Mapping) else []
        if paths := [text for text in texts if parse(text) is None]:
            raise InputError(
                f"yardsticks of a stored question must be levels, not the path of a file, got {shown(paths[0])}"
            )
        amounts = ("smallest_difference", "yardsticks", "claim")
        return cls(**{n: settled_numbers(value) if n in amounts else value for n, value in stored.items()})

    def settled(self, facts: Measure, scale: Scale | None = None) -> Self:
        """The question with all amounts as numbers in units of its measure; what could be meant otherwise is refused.

        ``scale`` is that of the scores, where the facts of the measure don't say it.

        >>> from fairtrial.measures import get
        >>> print(Question(measure="accuracy", smallest_difference="1pp", claim="95%").settled(get("accuracy")))
        Question(measure='accuracy', smallest_difference=0.01, claim=0.95)
        """
        delta = self.smallest_difference
        if isinstance(delta, Mapping):
            own = {name: facts if self._means(name, facts.name) else get(name) for name in delta}
            delta = {name: difference(given, own[name]) for name, given in delta.items()}
        elif delta is not None:
            delta = difference(delta, facts, scale)
        claim = None if self.claim is None else level(self.claim, facts, "claim", scale)
        levels = {name: _settled_levels(name, given, facts, scale) for name, given in self.yardsticks.items()}
        return replace(self, smallest_difference=delta, claim=claim, yardsticks=levels)

    def check_claim(self, measure: Measure) -> None:
        """Refuse a claim that the measure can't be better than, or always is."""
        low, high = sorted((measure.worst, measure.best))
        claim = None if self.claim is None else level(self.claim, measure, "claim")
        if claim is not None and not low < claim < high:
            raise InputError(
                f"claim must lie inside the range of {measure.name} ({measure.range}), got {shown(self.claim)}; no "
                f"test can tell whether a method is better than an end of the range{share_hint(claim, measure)}"
            )

    def level_of(self, yardstick: str, dataset: str) -> float | None:
        """The level of a yardstick on a data set, in a settled question; None where it has none.

        >>> asked = Question(yardsticks={"human": 0.95, "published": {"iris": 0.96}})
        >>> asked.level_of("human", "wine"), asked.level_of("published", "iris"), asked.level_of("published", "wine")
        (0.95, 0.96, None)
        """
        given: Any = self.yardsticks[yardstick]
        return given.get(dataset) if isinstance(given, Mapping) else given

    @property
    def delta(self) -> float | None:
        """The smallest difference that matters in the question's own measure."""
        names = (self.measure,) if self.measure else DEFAULT
        return next((delta for delta in map(self.delta_for, names) if delta is not None), None)

    def _check_shares(self) -> None:
        """Refuse ratios and percentages for measures that are compared by ratios, where the measures are known."""
        given = self.smallest_difference
        if not isinstance(given, Mapping):
            given = {} if self.measure is None or given is None else {self.measure: given}
        for name, delta in given.items():
            if is_known(_registered(name)) and scale_of(get(_registered(name))) == "ratio":
                difference(delta, get(_registered(name)))

    def delta_for(self, measure: str) -> float | None:
        """The smallest difference that matters in a measure; None if the question does not say it.

        >>> asked = Question(measure="accuracy", smallest_difference="1pp")
        >>> asked.delta_for("accuracy"), asked.delta_for("fit_time")
        (0.01, None)
        """
        given = self.stated_for(measure)
        return difference(given, get(_registered(measure))) if isinstance(given, str) else given

    def stated_for(self, measure: str) -> float | str | None:
        """The smallest difference that matters in a measure, with its unit if it was given with one."""
        given = self.smallest_difference
        if not isinstance(given, Mapping):
            return given if self.is_about(measure) else None
        exact = next((delta for name, delta in given.items() if _registered(name) == _registered(measure)), None)
        return exact or next((delta for name, delta in given.items() if self._means(name, measure)), None)

    def is_about(self, measure: str) -> bool:
        """Whether a measure is the question's own, under any of its names, in the question's context or pooled.

        >>> asked = Question(measure="accuracy", context={"positives": 0.1})
        >>> asked.is_about("expected_accuracy(prior=0.1)"), asked.is_about("expected_accuracy(prior=0.5)")
        (True, False)
        """
        return any(self._means(name, measure) for name in ((self.measure,) if self.measure else DEFAULT))

    def _means(self, name: str, measure: str) -> bool:
        """Whether a measure that this question names is the measure, or becomes it in the question's context."""
        names = {_not_pooled(name)}
        if self.context:
            with suppress(InputError):  # costs need a measure about mistakes
                names.add(_not_pooled(in_context(name, self.context)))
        return _not_pooled(measure) in names


DEFAULT = ("accuracy", "rmse")
"""The measures of a question that names none: of classes, and of values."""


def _registered(name: str) -> str:
    """The registered name of a measure, which may be written in any case or as an alias; scores may have any name."""
    return next((get(n).name for n in (name, name.lower()) if is_known(n)), name.lower())


def _not_pooled(name: str) -> str:
    """The registered name without the option to pool folds: a pooled measure is the same quantity in the same unit."""
    name = _registered(name)
    if not is_known(name):
        return name
    plain, options = parse_name(name)
    return written(plain, {option: value for option, value in options.items() if option != "combine"})


def _levels(name: object, given: object) -> float | str | Mapping[str, float | str]:
    """The levels of a yardstick: a number, or a number for each data set; a file is read."""
    must = (
        f"the yardstick {shown(name)} must be a number, the numbers of data sets ({{'iris': 0.96}}) or a CSV file of "
        "these"
    )
    if isinstance(given, (str, PathLike)) and not _is_level(given):
        try:
            return read_levels(given)
        except InputError as error:
            raise InputError(f"{must}, but {error}") from error
    levels = given.values() if isinstance(given, Mapping) else [given]
    if not isinstance(name, str) or not all(map(_is_level, levels)) or (isinstance(given, Mapping) and not given):
        raise InputError(f"{must}, got {shown(given)}")
    return dict(given) if isinstance(given, Mapping) else given  # type: ignore[return-value]


def _settled_levels(yardstick: str, given: Any, facts: Measure, scale: Scale | None) -> Any:
    """The levels of a yardstick in the units of a measure, each in its range."""
    if isinstance(given, Mapping):
        return {name: _settled_levels(yardstick, one, facts, scale) for name, one in given.items()}
    found = level(given, facts, f"levels of the yardstick {yardstick!r}", scale)
    low, high = sorted((facts.worst, facts.best))
    if found < low or found > high:
        raise InputError(
            f"levels of the yardstick {yardstick!r} must lie in the range of {facts.name} ({facts.range}), got "
            f"{shown(given)}{share_hint(found, facts)}"
        )
    return found


def _check_delta(given: object) -> None:
    unit = "write it as a number, or with a unit ('0.5pp', '5%')"
    advice = unit if isinstance(given, str) else "leave it out when every difference matters"
    if isinstance(given, Mapping):
        for name, delta in given.items():
            if not isinstance(name, str) or not _is_positive(delta):
                raise InputError(
                    f"smallest_difference must map measures to numbers above 0 ({{'accuracy': 0.01}}), got "
                    f"{shown(name)}: {shown(delta)}; {advice}"
                )
    elif given is not None and not _is_positive(given):
        raise InputError(f"smallest_difference must be a number above 0, got {shown(given)}; {advice}")


def _is_positive(value: object) -> bool:
    if isinstance(value, str):
        return (amount := parse(value)) is not None and amount.number > 0
    return _is_number(value) and 0 < value < math.inf  # type: ignore[operator]


def _is_level(value: object) -> bool:
    if isinstance(value, str):
        return parse(value) is not None
    return _is_number(value) and -math.inf < value < math.inf  # type: ignore[operator]


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _check_family(family: object) -> None:
    """Refuse families that are not lists of names."""
    good = isinstance(family, Mapping) and all(
        isinstance(name, str)
        and isinstance(members, list | tuple)
        and (members or name == "none")
        and all(isinstance(m, str) for m in members)
        for name, members in family.items()
    )
    if not good:
        raise InputError(
            f"family must map names to lists of data sets ({{'letters': ['letter-a', 'letter-b']}}), got "
            f"{shown(family)}"
        )


def check_question(question: Question, measure: str, methods: Sequence[Method], sets: Sequence[Dataset]) -> None:
    """Refuse data sets that a settled question misspells, and claims that can't be meant."""
    question.check_claim(get(measure))
    _check_claim(question, [m.name for m in compared_methods(methods, alone=True)])
    for yardstick in question.yardsticks:
        _check_names(question, yardstick, [d.name for d in sets])


def _check_names(question: Question, yardstick: str, known: Sequence[str]) -> None:
    given = question.yardsticks[yardstick]
    for name in given if isinstance(given, Mapping) else ():
        if name not in known:
            raise UnknownName.among(
                f"data set of this study (with a level of the yardstick {yardstick!r})", name, known
            )


def _check_claim(question: Question, compared: Sequence[str]) -> None:
    if question.claim is not None and len(compared) > 1:
        raise InputError(
            f"claim must be about one method, but {question.claim!r} was given for {listed(compared)}; name one "
            "method, to which a yardstick is added by itself, or leave the claim out to compare them"
        )
