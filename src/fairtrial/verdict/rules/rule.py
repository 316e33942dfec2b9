"""A row of the rule table: when it applies, what it answers, and how.

The situation of a verdict: all that the choice of a procedure depends on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from fairtrial.design import FEWEST_DATASETS, Question
from fairtrial.verdict.designs.units import units_of
from fairtrial.verdict.evidence import Evidence
from fairtrial.verdict.finding import Finding


@dataclass(frozen=True, slots=True)
class Situation:
    """All that the choice of a procedure depends on: the design and the question, never the scores.

    ``resampled``: there are scores of several splits, whose scheme is known. ``these_only``: each data set is judged by
    itself. ``instances`` and ``predictions``: fixed models met one test set, and the losses of its instances, or the
    predictions, are known. ``optimistic``: the methods were tested on their training data. ``claim``: a claim about one
    method is tested. ``control``: all others are compared with one method. ``means``: the question is about differences
    of means over data sets instead of typical ones. ``measures`` is the number of measures that are tested together.
    ``test`` and ``per_dataset`` name a procedure that was asked for.
    """

    methods: int
    datasets: int
    resampled: bool
    these_only: bool
    instances: bool = False
    optimistic: bool = False
    predictions: bool = False
    claim: bool = False
    control: bool = False
    means: bool = False
    measures: int = 1
    test: str = ""
    per_dataset: str = ""

    @classmethod
    def of(
        cls, evidence: Evidence, question: Question, *, test: str | None = None, per_dataset: str | None = None
    ) -> Situation:
        """The situation of some evidence and a question; ``test`` and ``per_dataset`` are procedures asked for."""
        known = all(d.known and len(f) > 1 for d, f in zip(evidence.dependence, evidence.folds, strict=True))
        optimistic = evidence.is_optimistic
        instances, predictions = evidence.losses is not None, evidence.predictions is not None
        return cls(
            methods=len(evidence.methods),
            datasets=_pieces_of_evidence(evidence, question),
            resampled=known,
            these_only=question.domains == "these",
            instances=instances and not optimistic,
            predictions=predictions and not optimistic,
            optimistic=optimistic,
            claim=question.claim is not None,
            control=question.control is not None,
            means=question.estimand == "mean",
            measures=1 + len(evidence.beside),
            test=test or "",
            per_dataset=per_dataset or "",
        )

    @property
    def is_comparison(self) -> bool:
        """Whether two or more methods are compared, on data that they were not trained on."""
        return self.methods > 1 and not self.optimistic

    @property
    def is_about_models(self) -> bool:
        """Whether the evidence is the instances of one test set, which fixed models met."""
        return (self.instances or self.predictions) and self.datasets == 1

    @property
    def is_over_datasets(self) -> bool:
        """Whether one answer over data sets is wanted, and there are enough of them."""
        return self.datasets >= FEWEST_DATASETS and not (self.these_only and (self.resampled or self.claim))


def _pieces_of_evidence(evidence: Evidence, question: Question) -> int:
    """The number of data sets; a family of several counts as one, but several data sets are never one alone."""
    if not question.family or len(evidence.datasets) == 1:
        return len(evidence.datasets)
    return max(2, units_of(evidence, question.family).n)


Procedure = Callable[[Evidence, Question, str], Finding]

Compared = Literal["one", "two", "several", "versus control"]
COMPARED: tuple[Compared, ...] = get_args(Compared)
"""How many methods a question is about, and whether one of them is the control."""

Aim = Literal["estimate", "claim", "difference", "superiority", "equivalence", "non-inferiority"]
AIMS: tuple[Aim, ...] = get_args(Aim)
"""What is to be shown: how good a method is (estimate), that it is better than a level (claim), that methods differ,
that they are better than the control (superiority), equal but for what matters, or not worse by what matters."""

FigureName = Literal["dots", "differences", "leads"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the table: the situations that it is for, and the procedure that answers the question there.

    ``when`` decides whether the row fits a situation, ``condition`` says the same in words. ``questions`` are numbers
    of Dietterich's nine questions. ``interval`` and ``effect`` are what the finding reports, ``figure`` is drawn first.
    A row with ``asked_by`` is taken only if it is asked for with this argument of a verdict. ``why_of`` makes the
    reason from the words for a piece of evidence, where these depend on the data.
    """

    name: str
    when: Callable[[Situation], bool]
    condition: str
    questions: tuple[int, ...]
    compared: tuple[Compared, ...]
    aims: tuple[Aim, ...]
    procedure: str
    interval: str
    effect: str
    figure: FigureName
    why: str
    reference: str
    answer: Procedure
    asked_by: str = ""
    why_of: Callable[[str], str] | None = None
