"""Options inside the name of a measure: ``"f_measure(beta=2)"`` can be used wherever a name can."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence

from fairtrial.errors import InputError

LONGEST = 20_000
"""The largest length of a name with its options, in characters."""


def parse(text: str) -> tuple[str, dict[str, object]]:
    """Split a name from its options. Values are numbers, texts or lists; nothing is executed.

    >>> parse("f_measure(beta=2)"), parse("accuracy")
    (('f_measure', {'beta': 2}), ('accuracy', {}))
    """
    if not isinstance(text, str):
        raise InputError(f"the name of a measure must be text, got {text!r}")
    if "(" not in text:
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
    """The value of an option. Lists become tuples, so that both ways of writing mean the same measure."""
    if keyword.arg is None:
        raise ValueError
    return _frozen(ast.literal_eval(keyword.value))


def _frozen(value: object) -> object:
    return tuple(_frozen(v) for v in value) if isinstance(value, Sequence) and not isinstance(value, str) else value


def written(name: str, options: Mapping[str, object]) -> str:
    """Write a name with its options, as :func:`parse` reads it.

    >>> written("expected_cost", {"costs": (1, 5)}), written("accuracy", {})
    ('expected_cost(costs=(1, 5))', 'accuracy')
    """
    inside = ", ".join(f"{option}={value!r}" for option, value in options.items())
    return f"{name}({inside})" if inside else name


def changed(function: Callable[..., object], given: Mapping[str, object]) -> dict[str, object]:
    """Select the given options that differ from the function's defaults, in the order of its parameters."""
    parameters = inspect.signature(function).parameters
    return {name: given[name] for name, p in parameters.items() if name in given and given[name] != p.default}


def in_words(text: str) -> str:
    """Describe a measure with its options, for use in a sentence.

    >>> in_words("f_measure(average='macro')"), in_words("expected_cost(costs=(1, 30), prior=0.02)")
    ('f measure (macro average)', 'expected cost (false positive 1, false negative 30, 2 % positive)')
    >>> in_words("expected_cost(costs=(1, 30), per=1000, unit='EUR')")
    'cost in EUR per 1,000 cases (false positive 1, false negative 30)'
    """
    try:
        name, given = parse(text)
    except InputError:  # a measure of imported scores may have any name
        name, given = text, {}
    return _plain_words(name, given) + options_in_words(given)


def _plain_words(name: str, given: Mapping[str, object]) -> str:
    """The name of a measure without its options; a cost of many cases says of how many."""
    per, unit = given.get("per"), given.get("unit")
    if not isinstance(per, (int, float)):
        return name.replace("_", " ")
    return f"cost{f' in {unit}' if unit else ''} per {f'{per:,g} cases' if per != 1 else 'case'}"


def titled(title: str, given: Mapping[str, object]) -> str:
    """The title of a measure with its options.

    >>> titled("Expected cost", {"costs": (1, 30)}), titled("Expected cost", {"costs": (1, 30), "per": 1000})[:21]
    ('Expected cost (false positive 1, false negative 30)', 'Cost per 1,000 cases ')
    """
    words = _plain_words(title, given) if "per" in given else title
    return words[0].upper() + words[1:] + options_in_words(given)


def options_in_words(given: Mapping[str, object]) -> str:
    """Describe options, in parentheses."""
    told = {option: value for option, value in given.items() if "per" not in given or option not in ("per", "unit")}
    inside = ", ".join(_option_in_words(option, value) for option, value in told.items())
    return f" ({inside})" if inside else ""


def _option_in_words(option: str, value: object) -> str:
    if option == "prior" and isinstance(value, (int, float)):
        return f"{100 * value:g} % positive"
    if option == "costs" and isinstance(value, tuple) and len(value) == 2 and not isinstance(value[0], tuple):
        return f"false positive {value[0]:g}, false negative {value[1]:g}"
    if option == "average":
        return f"{value} average"
    return "folds pooled" if (option, value) == ("combine", "pooled") else f"{option} {value}"
