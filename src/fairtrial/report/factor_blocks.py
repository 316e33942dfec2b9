"""Parts of a report on a question about factors: the question, key figures, pictures, and the test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from fairtrial.errors import InputError
from fairtrial.experiments import Ablation, FactorAnswer, FactorEffects, FittedSurface, RobustSetting
from fairtrial.figures import KINDS
from fairtrial.results import Results
from fairtrial.stats.procedures import PROCEDURES
from fairtrial.tables import Facts, Numbers, Picture, Table, formats
from fairtrial.verdict.words.wording import Wording
from fairtrial.words import as_sentence, listed, verb

PICTURES = {
    "pareto_effects": "All effects by size, with intervals that hold for all of them together.",
    "main_effects": "The mean score at each level of each factor.",
    "interactions": "The mean score at the levels of two factors: lines that are not parallel interact.",
}

OTHERS = {
    "ablation": (
        "Waterfall",
        "From the base to the whole: what each component adds, on average over all orders of adding.",
    ),
    "robust_setting": ("Mean and worst quarter", "A point for each setting: up is robust, right is good on average."),
}

SURFACES = {
    "contour": ("Contours", "The surface over two factors, with the settings that were run and the best point."),
    "slices": ("Slices", "The surface along each factor through the best point."),
}

HOW_TO_READ = {
    "pareto_effects": "The longer a bar, the more the factor or the interaction changes the score. Where an interval "
    "crosses 0, the direction of the change is open.",
    "main_effects": "A steep line means that the factor matters; a flat one means that its levels are equally good.",
    "interactions": "Where lines are parallel, the effect of one factor is the same at all levels of the other. Where "
    "they cross, the best level of one depends on the other.",
    "ablation": "Each bar begins where the one above it ends. Where the line at the end of a bar reaches back to its "
    "beginning, the component may add nothing.",
    "contour": "Along a line the score is the same. Where lines lie far apart, the setting hardly matters.",
    "slices": "A flat line says that the factor hardly matters near the best point.",
    "robust_setting": "A setting far to the right but low has a good mean that some data sets pay for.",
}


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """How an answer about factors is named in Python, and the titles of its tables in a report."""

    name: str
    title: str
    more: str

    def call(self, measure: str) -> str:
        """The line of Python that makes the answer again."""
        return f"{self.name} = results.{self.name}({measure!r})"


ANSWERS = {
    "effects": AnswerFacts("effects", "What matters", "What adds up"),
    "ablation": AnswerFacts("ablation", "Why it is better", "What works together"),
    "robust_setting": AnswerFacts("robust_setting", "Which setting", "What the choice is worth"),
    "surface": AnswerFacts("surface", "Which setting is best", "The fit, and the way on"),
}


def facts_of(answer: FactorAnswer) -> AnswerFacts:
    """The name of an answer and the titles of its tables."""
    return ANSWERS[answer.name]


def factors_question(answer: FactorAnswer) -> str:
    """The question in the author's words or, without these, in ours."""
    words = Wording(answer.measure)
    if answer.question.text:
        return answer.question.text
    if isinstance(answer, Ablation):
        return f"Why is {answer.chosen.whole} better than {answer.chosen.base}?"
    if isinstance(answer, RobustSetting):
        return f"Which setting is robust in {words.name}?"
    if isinstance(answer, FittedSurface):
        return f"Which {listed(answer.factors)} give the {words.best_word} {words.name}?"
    return f"Which factors matter for {words.name}?"


def factors_numbers(results: Results, answer: FactorAnswer) -> Numbers:
    """The size of an experiment with factors, at a glance."""
    counted = {
        "data set": len(results.dataset_names()),
        "factor": len(answer.factors),
        "setting": len(answer.settings),
        "trial": len(results.scores[results.scores["measure"] == next(iter(results.measures))]),
    }
    shown = [(formats.count(n), verb(n, noun, f"{noun}s")) for noun, n in counted.items()]
    failed = (formats.count(answer.failed), "failed")
    return Numbers((*shown, failed, (f"{100 * answer.question.level:g} %", "confidence")))


def factors_pictures(results: Results, answer: FactorAnswer) -> Iterator[Picture]:
    """The figures of an answer that can be drawn."""
    if isinstance(answer, FittedSurface):
        for kind, (title, caption) in SURFACES.items():
            explain, call = HOW_TO_READ[kind], f"surface.figure({kind!r})"
            yield Picture(title, caption, answer.figure(kind), explain=explain, call=call)
        return
    if not isinstance(answer, FactorEffects):
        title, caption = OTHERS[answer.name]
        yield Picture(title, caption, answer.figure(), explain=HOW_TO_READ[answer.name], call=f"{answer.name}.figure()")
        return
    for kind, caption in PICTURES.items():
        if kind in KINDS:
            with suppress(InputError):
                figure = results.figure(kind, measure=answer.measure.name)
                call = f"results.figure({kind!r}, measure={answer.measure.name!r})"
                title = kind.replace("_", " ").capitalize()
                yield Picture(title, caption, figure, explain=HOW_TO_READ[kind], call=call)


def factors_test(answer: FactorAnswer) -> Facts:
    """The test, why it fits, and its null hypothesis."""
    null = [PROCEDURES[name].null for name in answer.procedures[:1]]
    facts = [("Test", as_sentence(answer.test)), ("Why this one", as_sentence(answer.why))]
    meant = "A small p-value speaks against this; a large one does not speak for it."
    return Facts((*facts, *(("Null hypothesis", f"{as_sentence(text)} {meant}") for text in null if text)))


def factors_table(answer: FactorAnswer) -> Table:
    """The table of an answer, with what its columns mean and the line of Python that makes it."""
    meant = " ".join(as_sentence(f"{title}: {text}", (title,)) for title, text in answer.explanations())
    return replace(answer.to_table(), explain=meant, call=f"{answer.name}.to_table()")
