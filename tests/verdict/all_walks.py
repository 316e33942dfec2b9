"""All walks through the prompts of ``fairtrial choose``."""

from __future__ import annotations

from fairtrial.verdict.rules.choose_procedure import next_prompt, options_of


def all_walks(answers=None):
    """Each complete set of answers."""
    answers = answers or {}
    prompt = next_prompt(answers)
    if prompt is None:
        yield answers
        return
    for option in options_of(prompt, answers):
        yield from all_walks({**answers, prompt.key: option.key})
