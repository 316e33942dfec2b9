"""From answers about a question to advice: which of the nine questions it is, the procedure, and the resampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fairtrial.tables import Answer, Column, Document, Facts, Shown, Table, render_result
from fairtrial.verdict.rules.nine_questions import NINE, NineQuestion
from fairtrial.verdict.rules.rule import Rule
from fairtrial.verdict.rules.rules import choose
from fairtrial.verdict.rules.situation import Situation
from fairtrial.verdict.rules.starting_study import study_files
from fairtrial.verdict.rules.taxonomy_walk import Answers


@dataclass(frozen=True, slots=True)
class Advice(Shown):
    """What the answers lead to: one of the nine questions, a row of the rule table, a resampling, and a study file.

    ``files`` has the study in TOML (``"study.toml"``) and, if it needs them, tables of example data. ``commands``
    are what to type.
    """

    question: NineQuestion
    rule: Rule
    resampling: str
    resampling_why: str
    commands: tuple[str, ...]
    files: dict[str, str]

    @property
    def sentence(self) -> str:
        """The question, by number and name."""
        return f"This is question {self.question.number} of Dietterich's nine: {self.question.name}."

    def facts(self) -> tuple[tuple[str, str], ...]:
        """What is advised, with labels."""
        rule = self.rule
        asked = (("asked by", rule.asked_by),) if rule.asked_by else ()
        return (
            ("question", self.question.asks),
            ("rule", rule.name),
            *asked,
            ("procedure", rule.procedure),
            ("interval", rule.interval),
            ("effect", rule.effect),
            ("why", rule.why),
            ("reference", rule.reference),
            ("splits", f"{self.resampling}: {self.resampling_why}"),
            *(("type", command) for command in self.commands),
        )

    def to_document(self) -> Document:
        """The advice, to be printed."""
        return Document((Answer(self.sentence), Facts(self.facts())))

    def to_table(self) -> Table:
        """The advice as a table of labels and texts."""
        columns = (Column("what", align="left"), Column("advice", align="left"))
        return Table(columns=columns, rows=self.facts(), caption=self.sentence)

    def to_dict(self) -> dict[str, Any]:
        """The advice as plain data, with the study file."""
        rule = self.rule
        return {
            "question": self.question.number,
            "name": self.question.name,
            "asks": self.question.asks,
            "rule": rule.name,
            "asked_by": rule.asked_by,
            "procedure": rule.procedure,
            "interval": rule.interval,
            "effect": rule.effect,
            "why": rule.why,
            "reference": rule.reference,
            "resampling": self.resampling,
            "resampling_why": self.resampling_why,
            "commands": list(self.commands),
            "files": dict(self.files),
        }

    def render(self, how: str) -> str:
        """The advice in one of the output formats."""
        return render_result(self, how)


def advise_procedure(answers: Answers) -> Advice:
    """The advice for complete answers, as :func:`~fairtrial.verdict.rules.taxonomy_walk.answered` gives them."""
    rule = choose(situation_of(answers))
    splits, why = _resampling(answers, rule)
    return Advice(
        question=NINE[_number(answers) - 1],
        rule=rule,
        resampling=splits,
        resampling_why=why,
        commands=_commands(answers, rule),
        files=study_files(answers, splits),
    )


def situation_of(answers: Answers) -> Situation:
    """The situation that these answers describe; numbers of methods and data sets stand for their kind."""
    models, large = answers["about"] == "models", answers.get("sample") == "large"
    fixed = models and large
    domains = answers.get("domains", "one")
    return Situation(
        methods={"one": 1, "two": 2}.get(answers["compared"], 3),
        datasets=12 if domains == "many" else 1 if domains == "one" else 3,
        resampled=not fixed and answers["rows"] != "time",
        these_only=domains == "each",
        instances=fixed and answers["measure"] in ("average", "several"),
        predictions=fixed and answers["measure"] == "other",
        claim=answers["aim"] == "claim",
        control=answers["compared"] == "versus control",
        measures=2 if answers["measure"] == "several" else 1,
        test="mcnemar" if _is_for_mcnemar(answers) else "",
    )


def _is_for_mcnemar(answers: Answers) -> bool:
    """Whether models that were trained on all data are compared by counts: their cross-validated copies are."""
    small = answers["about"] == "models" and answers["sample"] == "small" and answers["rows"] == "independent"
    pairs = answers["compared"] != "one" and answers["aim"] != "non-inferiority"
    return small and pairs and answers["measure"] == "average"


def _number(answers: Answers) -> int:
    """The number of the question in Dietterich's taxonomy."""
    if answers.get("domains") == "many":
        return 9
    first = {"models": (1, 3), "algorithms": (5, 7)}[answers["about"]][answers["compared"] != "one"]
    return first + (answers.get("sample", "small") == "small")


def _resampling(answers: Answers, rule: Rule) -> tuple[str, str]:
    """The resampling to use, as studies spell it, and why."""
    fixed = answers["about"] == "models" and answers["sample"] == "large"
    if fixed:
        return "holdout 0.3", "the models stay as they are, so one test set that no model was trained on is enough"
    if answers["rows"] == "groups":
        return "grouped 10-fold", "rows that belong together must not be on both sides of a split"
    if answers["rows"] == "time":
        beware = (
            "; blocks of one series can't be tested, only means over data sets can" if rule.procedure == "none" else ""
        )
        return "forward 5", f"models that will predict the future must be tested on later rows{beware}"
    if rule.asked_by == "test='mcnemar'":
        return "10-fold", "each instance is tested once, by a model that was trained on nearly all of the others"
    if answers.get("domains") == "many":
        return "10-fold", "over data sets only the mean of each data set counts, so that repeats add little"
    if answers.get("sample") == "large":
        return "10x holdout 0.3", "there are many instances, so that large test sets can be held out again and again"
    return (
        "10x10-fold",
        "all data are used for training and for testing, and repeats make the mean less a matter of luck",
    )


def _commands(answers: Answers, rule: Rule) -> tuple[str, ...]:
    if answers["about"] == "models" and answers["sample"] == "large":
        cluster = " --columns cluster=patient" if answers["rows"] == "groups" else ""
        measures = " --measure accuracy,brier" if answers["measure"] == "several" else ""
        return (f"fairtrial compare predictions.csv --truth y{cluster}{measures}", "fairtrial run study.toml")
    more = {"test='mcnemar'": "--test mcnemar", "measure=[…]": "--measure accuracy,brier"}.get(rule.asked_by)
    asked = (f"fairtrial compare study.trial {more}",) if more else ()
    return ("fairtrial plan study.toml", "fairtrial run study.toml", *asked)
