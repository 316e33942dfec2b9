"""The guidelines for experiments as a checklist: what the study answers, and what is missing, before anything runs.

The guidelines are those of Alpaydin's *Introduction to Machine Learning*: (A) aim of the study, (B) response variable,
(C) factors and levels, (D) experimental design, (E) performing the experiment, (F) statistical analysis,
(G) conclusions and recommendations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from fairtrial.design.factors import Level
from fairtrial.design.question import Question
from fairtrial.measures import get, is_known
from fairtrial.methods.baselines import compared_methods
from fairtrial.shown import ShownAsText
from fairtrial.tables import Facts, Point
from fairtrial.words import listed, plural

if TYPE_CHECKING:
    from fairtrial.design.plan import Plan


@dataclass(frozen=True, slots=True)
class StudyOutline:
    """What the guidelines ask of a study; from a plan, or from a study file.

    ``methods`` are those that are compared. ``tests`` and ``conclusions`` say which tests will be made and which
    questions they can answer; ``tests`` is empty where none can be made. ``fits`` is the number of fits in words, and
    ``cost`` how long they take, empty where no pilot estimated it. ``settings`` is the number of settings of the
    compared methods, 0 where no factor acts on a method; ``strategy`` says how they were chosen.
    """

    question: Question
    measures: Sequence[str]
    datasets: Sequence[str]
    methods: Sequence[str]
    scheme: str
    seed: int
    trials: int
    tests: str
    conclusions: str
    fits: str
    cost: str = ""
    factors: Mapping[str, Sequence[Level]] = field(default_factory=dict)
    optimistic: bool = False
    replicates: int = 1
    settings: int = 0
    strategy: str = ""


@dataclass(frozen=True, slots=True)
class Guideline(ShownAsText):
    """One guideline: its letter and its subject, what the study answers, and how to answer what is missing."""

    letter: str
    subject: str
    answer: str
    missing: str = ""

    @property
    def is_answered(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing

    @property
    def text(self) -> str:
        """The answer in one line, with what is missing."""
        return f"{self.answer}; missing: {self.missing}" if self.missing else self.answer

    def __str__(self) -> str:
        return f"{self.letter} {self.subject}: {Point(self.is_answered, self.text)}"

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain data."""
        return asdict(self)


def checklist(outline: StudyOutline) -> tuple[Guideline, ...]:
    """The guidelines A to G, each with the answer of the study."""
    return tuple(Guideline(*parts) for parts in _answers(outline))


def checklist_facts(guidelines: Sequence[Guideline]) -> Facts:
    """The checklist as a block of a document: one line for each guideline, marked where something is missing."""
    return Facts(tuple((f"{g.letter} {g.subject}", Point(g.is_answered, g.text)) for g in guidelines))


def _answers(study: StudyOutline) -> Iterator[tuple[str, ...]]:
    asked, main = study.question, study.measures[0]
    yield "A", "aim", _aim(study), "" if asked.text else "the aim in your own words (Question('…'))"
    more = f"; also recorded: {listed(study.measures[1:], most=None)}" if len(study.measures) > 1 else ""
    yield "B", "measure", f"{main}{_direction(main)}{more}"
    varied = [f"{name} ({', '.join(map(str, levels))})" for name, levels in study.factors.items()]
    settings = f"{plural(study.settings, 'setting')} of " if study.settings else ""
    sizes = [
        f"{settings}{plural(len(study.methods), 'method')} ({listed(study.methods, most=None)})",
        f"{plural(len(study.datasets), 'data set')} ({listed(study.datasets)})",
    ]
    yield "C", "factors", "; ".join([*sizes, *varied])
    strategy, all_of = (f"{study.strategy}; ", "settings") if study.strategy else ("", "methods")
    design = f"{strategy}{study.scheme}, the same splits for all {all_of}, seed {study.seed}"
    tested = "a resampling that tests on new instances" if study.optimistic else ""
    seeds = f" × {plural(study.replicates, 'replicate')}" if study.replicates > 1 else ""
    yield "D", "design", f"{design}{seeds}: {plural(study.trials, 'trial')}", tested
    how_long = "" if study.cost else "how long it takes (--pilot, plan(pilot=True))"
    yield "E", "run", study.cost or study.fits, how_long
    level = f"{study.tests}, level {asked.level:g}"
    no_test = "" if study.tests else "a design that can be tested"
    yield "F", "tests", level if study.tests else "no test can be made", no_test
    yield "G", "answer", _conclusions(study), _missing_difference(study)


def _aim(study: StudyOutline) -> str:
    asked, main = study.question, study.measures[0]
    if asked.text:
        return asked.text
    if len(study.methods) == 1 and study.settings and asked.claim is None:
        return f"which factors matter for the {main} of {study.methods[0]}"
    if len(study.methods) == 1:
        claim = f" is better than {asked.claim:g}" if asked.claim is not None else ""
        return f"whether the {main} of {study.methods[0]}{claim}" if claim else f"the {main} of {study.methods[0]}"
    if asked.control is not None:
        return f"how the other methods compare with {asked.control} in {main}"
    return f"which method has the best {main}"


def _direction(measure: str) -> str:
    if not is_known(measure) or not get(measure).directed:
        return ""
    return f" ({'higher' if get(measure).higher_is_better else 'lower'} is better)"


def _conclusions(study: StudyOutline) -> str:
    measure, delta = study.measures[0], study.question.delta_for(study.measures[0])
    ratio = is_known(measure) and get(measure).compare == "log-ratio"
    size = "" if delta is None else f"{100 * delta:g} %" if ratio else f"{delta:g}"
    matters = size and f"; differences of {size} or more matter"
    return f"{study.conclusions}{matters}"


def _missing_difference(study: StudyOutline) -> str:
    if (len(study.methods) < 2 and not study.settings) or study.question.delta_for(study.measures[0]) is not None:
        return ""
    return "the smallest difference that matters (smallest_difference=…)"


def outline_of(plan: Plan, tests: str) -> StudyOutline:
    """The outline of a plan whose tests are known."""
    study = plan.study
    compared = [m.name for m in compared_methods(study.methods, study.question.control)]
    return StudyOutline(
        question=study.question,
        measures=study.measures,
        datasets=[d.name for d in study.datasets],
        methods=compared,
        scheme=study.resampling.dependence().scheme,
        seed=study.seed,
        trials=len(plan),
        tests=tests,
        conclusions=plan.can_tell(),
        fits=plan.fits(),
        cost="" if plan.seconds is None else plan.cost(),
        factors={f.name: f.levels or (f.in_words(),) for f in study.factors},
        optimistic=study.resampling.dependence().optimistic,
        replicates=study.replicates,
        settings=_settings(plan),
        strategy=_strategy(plan),
    )


def _settings(plan: Plan) -> int:
    """The number of settings of the methods that are compared; 0 where no factor acts on a method."""
    compared = [i for i, m in enumerate(plan.study.methods) if not m.yardstick]
    return sum(method in compared for method in plan.settings.cells[:, 1].tolist()) if plan.effects else 0


def _strategy(plan: Plan) -> str:
    """How the settings were chosen, with the resolution where it limits what can be told; empty without settings."""
    if not plan.effects:
        return ""
    layout = "all combinations of levels" if plan.study.layout is None else plan.study.layout.kind
    known = {str(e.resolution) for e in plan.effects if isinstance(e.resolution, int)}
    return f"{layout} (resolution {listed(sorted(known))})" if known else layout
