"""Parts of a report on the effects of factors: the question, key figures, pictures, and the test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from fairtrial.errors import InputError
from fairtrial.figures import KINDS
from fairtrial.results import Results
from fairtrial.stats.procedures import PROCEDURES
from fairtrial.tables import Facts, Numbers, Picture, formats
from fairtrial.verdict import FactorEffects
from fairtrial.verdict.wording import Wording
from fairtrial.words import verb

__all__ = ["effects_numbers", "effects_pictures", "effects_question", "effects_test"]

PICTURES = {
    "pareto_effects": "All effects by size, with intervals that hold for all of them together.",
    "main_effects": "The mean score at each level of each factor.",
    "interactions": "The mean score at the levels of two factors: lines that are not parallel interact.",
}

HOW_TO_READ = {
    "pareto_effects": "The longer a bar, the more the factor or the interaction changes the score. Where an interval "
    "crosses 0, the direction of the change is open.",
    "main_effects": "A steep line means that the factor matters; a flat one means that its levels are equally good.",
    "interactions": "Where lines are parallel, the effect of one factor is the same at all levels of the other. Where "
    "they cross, the best level of one depends on the other.",
}


def effects_question(effects: FactorEffects) -> str:
    """The question in the author's words or, without these, in ours."""
    return effects.question.text or f"Which factors matter for {Wording(effects.measure).name}?"


def effects_numbers(results: Results, effects: FactorEffects) -> Numbers:
    """The size of an experiment with factors, at a glance."""
    counted = {
        "data set": len(results.dataset_names()),
        "factor": len(effects.factors),
        "setting": len(effects.settings),
        "trial": len(results.scores[results.scores["measure"] == next(iter(results.measures))]),
    }
    shown = [(formats.count(n), verb(n, noun, f"{noun}s")) for noun, n in counted.items()]
    failed = (formats.count(effects.failed), "failed")
    return Numbers((*shown, failed, (f"{100 * effects.question.level:g} %", "confidence")))


def effects_pictures(results: Results, effects: FactorEffects) -> Iterator[Picture]:
    """The figures of effects that can be drawn."""
    for kind, caption in PICTURES.items():
        if kind in KINDS:
            with suppress(InputError):
                figure = results.figure(kind, measure=effects.measure.name)
                call = f"results.figure({kind!r}, measure={effects.measure.name!r})"
                title = kind.replace("_", " ").capitalize()
                yield Picture(title, caption, figure, explain=HOW_TO_READ[kind], call=call)


def effects_test(effects: FactorEffects) -> Facts:
    """The test, why it fits, and its null hypothesis."""
    null = [PROCEDURES[name].null for name in effects.procedures[:1]]
    facts = [("Test", effects.test), ("Why this one", f"{effects.why[0].upper()}{effects.why[1:]}.")]
    meant = "A small p-value speaks against this; a large one does not speak for it."
    return Facts((*facts, *(("Null hypothesis", f"{text[0].upper()}{text[1:]}. {meant}") for text in null)))
