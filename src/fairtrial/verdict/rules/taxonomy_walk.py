"""The walk through the taxonomy of questions: at most seven prompts, asked only where the answer matters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fairtrial.errors import InputError
from fairtrial.words import listed

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
