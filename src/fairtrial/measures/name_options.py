"""Options inside a measure's name: ``"f_measure(beta=2)"`` is a measure wherever a name is one."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence

from fairtrial.errors import InputError

__all__ = ["changed", "in_words", "options_in_words", "parse", "written"]

LONGEST = 20_000
"""Of a name with its options, in characters."""


def parse(text: str) -> tuple[str, dict[str, object]]:
    """The name and its options; values are numbers, texts or lists, nothing is executed.

    >>> parse("f_measure(beta=2)"), parse("accuracy")
    (('f_measure', {'beta': 2}), ('accuracy', {}))
    """
    if not isinstance(text, str) or "(" not in text:
        return text, {}
    try:
        if len(text) > LONGEST:
            raise ValueError
        call = ast.parse(text.strip(), mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.args:
            raise ValueError
        found = {str(k.arg): _value(k) for k in call.keywords}
        if len(found) < len(call.keywords):
            raise ValueError
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        shown = text if len(text) <= 80 else text[:77] + "…"
        raise InputError(
            f"a measure with options must look like f_measure(beta=2) or precision(average='macro'), got {shown!r}"
        ) from None
    return call.func.id, found


def _value(keyword: ast.keyword) -> object:
    """A list becomes a tuple, so that two ways of writing an option are one measure."""
    if keyword.arg is None:
        raise ValueError
    return _frozen(ast.literal_eval(keyword.value))


def _frozen(value: object) -> object:
    return tuple(_frozen(v) for v in value) if isinstance(value, Sequence) and not isinstance(value, str) else value


def written(name: str, options: Mapping[str, object]) -> str:
    """The name with its options, as :func:`parse` reads it.

    >>> written("expected_cost", {"costs": (1, 5)}), written("accuracy", {})
    ('expected_cost(costs=(1, 5))', 'accuracy')
    """
    inside = ", ".join(f"{option}={value!r}" for option, value in options.items())
    return f"{name}({inside})" if inside else name


def changed(function: Callable[..., object], given: Mapping[str, object]) -> dict[str, object]:
    """The options among those given that differ from the function's defaults, in the order of its parameters."""
    parameters = inspect.signature(function).parameters
    return {name: given[name] for name, p in parameters.items() if name in given and given[name] != p.default}


def in_words(text: str) -> str:
    """A measure's name with its options, for a sentence.

    >>> in_words("f_measure(average='macro')"), in_words("expected_cost(costs=(1, 30), prior=0.02)")
    ('f measure (macro average)', 'expected cost (false positive 1, false negative 30, 2 % positive)')
    """
    try:
        name, given = parse(text)
    except InputError:  # somebody else's measure, with a name of its own
        name, given = text, {}
    return name.replace("_", " ") + options_in_words(given)


def options_in_words(given: Mapping[str, object]) -> str:
    """Options as people say them, in parentheses."""
    inside = ", ".join(_option_in_words(option, value) for option, value in given.items())
    return f" ({inside})" if inside else ""


def _option_in_words(option: str, value: object) -> str:
    if option == "prior" and isinstance(value, (int, float)):
        return f"{100 * value:g} % positive"
    if option == "costs" and isinstance(value, tuple) and len(value) == 2 and not isinstance(value[0], tuple):
        return f"false positive {value[0]:g}, false negative {value[1]:g}"
    if option == "average":
        return f"{value} average"
    return "folds pooled" if (option, value) == ("combine", "pooled") else f"{option} {value}"
