"""From answers about a question to advice: which of the nine questions it is, the procedure, and the resampling.

Dietterich's nine statistical questions in machine learning, by number and name.

A study in TOML to start from: bundled or made-up data and three methods, to be replaced by one's own.

The walk through the taxonomy of questions: at most seven prompts, asked only where the answer matters.

The rule table as a table and as a text: for ``fairtrial list rules`` and the documentation.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairtrial.errors import InputError
from fairtrial.shown import ShownAsText
from fairtrial.tables import Answer, Column, Document, Facts, Heading, Paragraph, Shown, Table, render_result
from fairtrial.verdict.rules.rule import Rule, Situation
from fairtrial.verdict.rules.rules import RULES, choose
from fairtrial.words import listed


@dataclass(frozen=True, slots=True)
class NineQuestion(ShownAsText):
    """One of the nine questions: its number, a short name, and what it asks in full."""

    number: int
    name: str
    asks: str

    def __str__(self) -> str:
        return f"{self.number}: {self.name}"


NINE: tuple[NineQuestion, ...] = (
    NineQuestion(
        1,
        "the accuracy of a model, large sample",
        "Given a model and a separate test set, how accurate is the model on new instances?",
    ),
    NineQuestion(
        2,
        "the accuracy of a model, small sample",
        "Given a model that was trained on all of a small sample, how accurate is it on new instances?",
    ),
    NineQuestion(
        3,
        "the choice between models, large sample",
        "Given models and a separate test set, which is more accurate on new instances?",
    ),
    NineQuestion(
        4,
        "the choice between models, small sample",
        "Given models that were trained on all of a small sample, which is more accurate on new instances?",
    ),
    NineQuestion(
        5,
        "the accuracy of an algorithm, large sample",
        "Given an algorithm and a large sample, how accurate are its models, trained on new samples of a given size?",
    ),
    NineQuestion(
        6,
        "the accuracy of an algorithm, small sample",
        "Given an algorithm and a small sample, how accurate are its models, trained on new samples of the same size?",
    ),
    NineQuestion(
        7,
        "the choice between algorithms, large sample",
        "Given algorithms and a large sample, which makes the more accurate models from new samples of a given size?",
    ),
    NineQuestion(
        8,
        "the choice between algorithms, small sample",
        "Given algorithms and a small sample, which makes the more accurate models from new samples of the same size?",
    ),
    NineQuestion(
        9,
        "algorithms over several domains",
        "Given algorithms and samples from several domains, which makes the more accurate models in new domains?",
    ),
)
"""The taxonomy of Dietterich (1998), Neural Computation 10:1895-1923, figure 1. He asks about accuracy and two
algorithms; rows of the rule table also answer his questions for other measures, and for more than two.

The sentences are ours. Questions 1 and 8 were compared with the lecture notes of P. Riddle (University of Auckland,
1998), which quote them; that 8 is about two algorithms and a small sample of one domain also follows from the caption
of the figure. The figure itself was not at hand: questions 2 to 7 and 9 follow from its division into models and
algorithms, accuracy and choice, large and small samples, one domain and several."""


def numbered(numbers: Sequence[int]) -> tuple[NineQuestion, ...]:
    """The questions with these numbers."""
    return tuple(NINE[number - 1] for number in numbers)


Answers = Mapping[str, str]
"""The answers so far: the key of each prompt, and the key of the option that was chosen."""


def _always(_: Answers) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Option:
    """A possible answer: its key, its words, and when it can be given."""

    key: str
    text: str
    when: Callable[[Answers], bool] = _always


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question to a person, with numbered answers; it is asked only ``when`` its answer matters."""

    key: str
    text: str
    options: tuple[Option, ...]
    when: Callable[[Answers], bool] = _always


def _of_one(a: Answers) -> bool:
    return a["compared"] == "one"


def _about_models(a: Answers) -> bool:
    return a["about"] == "models"


def _can_have_any_measure(a: Answers) -> bool:
    """Margins, and rows that belong together, need averages over instances if models are fixed."""
    fixed = _about_models(a) and a["sample"] == "large"
    return not (fixed and (a["aim"] == "non-inferiority" or a["rows"] == "groups"))


def _can_have_several_measures(a: Answers) -> bool:
    """Several measures at once are tested for any difference, on instances or over data sets."""
    pairs = a["compared"] in ("two", "several") and a["aim"] == "difference"
    return pairs and (a.get("domains") == "many" or (_about_models(a) and a["sample"] == "large"))


PROMPTS: tuple[Prompt, ...] = (
    Prompt(
        "about",
        "What is your question about?",
        (
            Option("models", "models that are trained already, and will be used as they are"),
            Option("algorithms", "learning algorithms, which will be trained again on other data"),
        ),
    ),
    Prompt(
        "compared",
        "How many are there?",
        (
            Option("one", "one"),
            Option("two", "two, to be compared"),
            Option("several", "three or more, all to be compared"),
            Option("versus control", "one that is in use (the control), and others to be compared with it"),
        ),
    ),
    Prompt(
        "aim",
        "What do you want to know?",
        (
            Option("estimate", "how good it is", _of_one),
            Option("claim", "whether it is better than a given level (a claim)", _of_one),
            Option("difference", "whether they differ, and by how much", lambda a: not _of_one(a)),
            Option("superiority", "only whether the others are better", lambda a: a["compared"] == "versus control"),
            Option("equivalence", "whether they are equal, but for what does not matter", lambda a: not _of_one(a)),
            Option(
                "non-inferiority",
                "whether the others are not worse by more than matters",
                lambda a: a["compared"] == "versus control",
            ),
        ),
    ),
    Prompt(
        "domains",
        "On which data sets?",
        (
            Option("one", "one data set"),
            Option("few", "2 to 5 data sets"),
            Option("many", "6 or more, and the answer is about data sets such as these"),
            Option("each", "several, and the answer is about each of these by itself"),
        ),
        when=lambda a: not _about_models(a),
    ),
    Prompt(
        "sample",
        "How much data is there?",
        (
            Option("large", "enough for a separate test set of some thousand instances"),
            Option("small", "so little that all of it is needed for training"),
        ),
        when=lambda a: _about_models(a) or a["domains"] == "one",
    ),
    Prompt(
        "rows",
        "How do the rows of the data belong together?",
        (
            Option("independent", "not at all: each is drawn by itself"),
            Option("groups", "some belong together, such as those of one patient"),
            Option("time", "they have an order in time", lambda a: not _about_models(a)),
        ),
    ),
    Prompt(
        "measure",
        "What is measured?",
        (
            Option("average", "an average over instances, such as accuracy, the Brier score or the absolute error"),
            Option("other", "another measure of quality, such as auc or the F measure", _can_have_any_measure),
            Option("cost", "a cost, such as time or memory", lambda a: not _about_models(a)),
            Option("several", "several measures at once", _can_have_several_measures),
        ),
    ),
)
"""All prompts, in the order in which they are asked."""


def options_of(prompt: Prompt, answers: Answers) -> tuple[Option, ...]:
    """The options of a prompt that can be chosen after these answers."""
    return tuple(option for option in prompt.options if option.when(answers))


def next_prompt(answers: Answers) -> Prompt | None:
    """The prompt that comes after these answers; None where all is answered."""
    return next((p for p in PROMPTS if p.key not in answers and p.when(answers)), None)


def answered(numbers: Sequence[int]) -> dict[str, str]:
    """The answers with these numbers, counted from 1; there must be one for each prompt.

    >>> answered([1, 2, 1, 1, 1, 1])["compared"]
    'two'
    """
    answers: dict[str, str] = {}
    left = list(numbers)
    while (prompt := next_prompt(answers)) is not None:
        options = options_of(prompt, answers)
        texts = listed([f"{n} ({o.text})" for n, o in enumerate(options, 1)], None, last="or")
        if not left:
            raise InputError(f"answers must have one more number: {prompt.text} {texts}; got {_shown(numbers)}")
        number = left.pop(0)
        if not 1 <= number <= len(options):
            raise InputError(f"answer {len(answers) + 1} must be {texts} ({prompt.text}), got {number!r}")
        answers[prompt.key] = options[number - 1].key
    if left:
        raise InputError(f"answers must be {len(answers)} numbers after these choices, got {_shown(numbers)}")
    return answers


def _shown(numbers: Sequence[int]) -> str:
    return repr(",".join(map(str, numbers)))


STUDY = "study.toml"
TWO_CLASSES = ("pima-diabetes", "vote", "ionosphere", "credit-g", "breast-cancer", "labor", "breast_cancer")
MORE_CLASSES = ("glass", "iris", "wine", "digits")
GROUPS, ROWS_OF_GROUP = 40, 5

METHODS = {
    "tree": 'use = "sklearn.tree.DecisionTreeClassifier"',
    "logistic": """use = "sklearn.pipeline.make_pipeline"
args = [
  { use = "sklearn.preprocessing.StandardScaler" },
  { use = "sklearn.linear_model.LogisticRegression", max_iter = 1000 },
]""",
    "forest": 'use = "sklearn.ensemble.RandomForestClassifier"\nn_estimators = 100',
}


def study_files(answers: Answers, resampling: str) -> dict[str, str]:
    """The files of a study to start from, by name: the study in TOML and, if it needs them, tables of example data."""
    files = {STUDY: "\n".join(_lines(answers, resampling)) + "\n"}
    if _has_own_columns(answers):
        files |= {f"{name}.csv": _example(seed) for seed, name in enumerate(_places(answers))}
    return files


def _has_own_columns(answers: Answers) -> bool:
    """Whether the data need a column of groups or times, which no bundled data set has."""
    fixed = answers["about"] == "models" and answers["sample"] == "large"
    return answers["rows"] != "independent" and not fixed


def _lines(answers: Answers, resampling: str) -> Iterator[str]:
    names = ["tree", "logistic", "forest"][: {"one": 1, "two": 2}.get(answers["compared"], 3)]
    measures = {"average": ["accuracy"], "other": ["auc"], "cost": ["fit_time"]}.get(
        answers["measure"], ["accuracy", "brier"]
    )
    yield "# A study to start from, made by `fairtrial choose`: put your own data sets and methods into it."
    yield "# Show what it would run:                fairtrial plan study.toml"
    yield "# Run it, or continue where it stopped:  fairtrial run study.toml"
    yield ""
    yield f"datasets = {_datasets(answers)}"
    yield f'resampling = "{resampling}"'
    yield f"measures = [{_quoted(measures)}]"
    yield "seed = 1"
    yield ""
    yield "[question]"
    yield f'measure = "{measures[0]}"'
    yield from _question(answers, names[0])
    for name in names:
        yield ""
        yield f"[methods.{name}]"
        yield METHODS[name]


def _datasets(answers: Answers) -> str:
    if _has_own_columns(answers):
        column = 'groups = "patient"' if answers["rows"] == "groups" else 'order = "day"'
        yours = [
            f'{{ file = "{name}.csv", target = "outcome", positive = "yes", {column} }}' for name in _places(answers)
        ]
        return yours[0].join("[]") if len(yours) == 1 else "[\n  " + ",\n  ".join(yours) + ",\n]"
    known = TWO_CLASSES if answers["measure"] != "several" else TWO_CLASSES + MORE_CLASSES
    return f"[{_quoted(known[: len(_places(answers))])}]"


def _places(answers: Answers) -> list[str]:
    """A name for each data set that the example needs."""
    most = len(TWO_CLASSES) if answers["measure"] != "several" else len(TWO_CLASSES + MORE_CLASSES)
    n = {"one": 1, "few": 3, "each": 3}.get(answers.get("domains", "one"), most)
    return [f"example_{i + 1}" for i in range(n)]


def _quoted(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _question(answers: Answers, control: str) -> Iterator[str]:
    """The parts of the question that follow from the answers."""
    if answers["about"] == "models" and answers["sample"] == "large":
        yield 'about = "model"'
    if answers.get("domains") == "each":
        yield 'domains = "these"'
    if answers["compared"] == "versus control":
        yield f'control = "{control}"'
    if answers["aim"] == "claim":
        yield f"claim = {1.0 if answers['measure'] == 'cost' else 0.7}  # the level to be better than"
    if answers["aim"] == "superiority":
        yield 'alternative = "better"'
    if answers["aim"] == "non-inferiority":
        yield 'alternative = "not worse"'
    if answers["aim"] in ("equivalence", "non-inferiority"):
        yield f"smallest_difference = {0.1 if answers['measure'] == 'cost' else 0.01}  # the smallest that matters"


def _example(seed: int) -> str:
    """Made-up visits of patients: a group (patient), a time (day), two features and an outcome."""
    draw = random.Random(seed)
    text = io.StringIO()
    write = csv.writer(text, lineterminator="\n")
    write.writerow(["patient", "day", "age", "dose", "outcome"])
    for patient in range(GROUPS):
        age = draw.randint(20, 80)
        for visit in range(ROWS_OF_GROUP):
            dose = round(draw.uniform(0, 10), 1)
            sick = draw.random() < 0.2 + 0.006 * age
            write.writerow([f"p{patient + 1}", visit * GROUPS + patient + 1, age, dose, "yes" if sick else "no"])
    return text.getvalue()


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
    """The advice for complete answers, as :func:`~fairtrial.verdict.rules.choose_procedure.answered` gives them."""
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


CAPTION = "rules, the first that fits is taken"
ORDER = "Those that are asked for by name, or by several measures, come first; the others follow from the design."
NUMBERS = "The numbers of questions are those of Dietterich's taxonomy (1998, doi:10.1162/089976698300017197)."


def to_table() -> Table:
    """All rules, a row for each, with all that is said about it."""
    titles = ("rule", "when", "asked by", "questions", "compared", "aims", "procedure", "interval", "effect", "figure")
    rows = tuple((*_cells(rule), rule.why, rule.reference) for rule in RULES)
    columns = tuple(Column(t, align="left") for t in (*titles, "why", "reference"))
    return Table(columns=columns, rows=rows, caption=CAPTION)


def rules_document() -> Document:
    """All rules one after the other, to be read on a terminal."""
    first = (Paragraph(f"{CAPTION[0].upper()}{CAPTION[1:]}."), Paragraph(ORDER), Paragraph(NUMBERS))
    return Document((*first, *(block for rule in RULES for block in (Heading(rule.name), Facts(_facts(rule))))))


def _cells(rule: Rule) -> tuple[str, ...]:
    return (
        rule.name,
        rule.condition,
        rule.asked_by,
        ", ".join(map(str, rule.questions)),
        ", ".join(rule.compared),
        ", ".join(rule.aims),
        rule.procedure,
        rule.interval,
        rule.effect,
        rule.figure,
    )


def _facts(rule: Rule) -> tuple[tuple[str, str], ...]:
    """What is said about a rule, with labels; what there is none of is left out."""
    found = (
        ("when", rule.condition),
        ("asked by", rule.asked_by),
        ("question", "; ".join(map(str, numbered(rule.questions)))),
        ("compared", ", ".join(rule.compared)),
        ("aims", ", ".join(rule.aims)),
        ("procedure", rule.procedure),
        ("interval", rule.interval),
        ("effect", rule.effect),
        ("figure", rule.figure),
        ("why", rule.why),
        ("reference", rule.reference),
    )
    return tuple((label, text) for label, text in found if text)
