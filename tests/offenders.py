"""One test for all entries of a registry: it tries each, and lists all that fail with their reasons."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

import pytest

FAILURES = (Exception, pytest.fail.Exception)


def for_each(names: str | tuple[str, ...], cases: Iterable[Any], *, ids: Any = None) -> Callable[[Any], Any]:
    """Give each case to a test, or to each test of a class, as ``pytest.mark.parametrize`` does, but in one item.

    It goes on after a failure, and skips only where a case is skipped and none fails. Fixtures are made once for all
    cases, so a test that changes what a fixture gives must be parametrized instead.
    """
    names = tuple(name.strip() for name in names.split(",")) if isinstance(names, str) else names
    given = [_case(case, len(names)) for case in cases]
    if not given:
        raise ValueError(f"there is no {names[0]} to test")
    labels = [_label(values, ids, number) for number, values in enumerate(given)]

    def over_all(test: Any) -> Any:
        if inspect.isclass(test):
            for name, method in list(vars(test).items()):
                if name.startswith("test") and set(names) <= set(inspect.signature(method).parameters):
                    setattr(test, name, over_all(method))
            return test

        @wraps(test)
        def every(*args: Any, **fixtures: Any) -> None:
            offenders, skipped, first = [], [], None
            for label, values in zip(labels, given, strict=True):
                try:
                    test(*args, **fixtures, **dict(zip(names, values, strict=True)))
                except pytest.skip.Exception as reason:
                    skipped.append(str(reason))
                except FAILURES as error:
                    offenders.append(f"{label}: {error or type(error).__name__}")
                    first = first or error
            if offenders:
                told = "\n".join(offenders)
                raise AssertionError(f"{len(offenders)} of {len(given)} fail\n{told}") from first
            if skipped:
                pytest.skip(f"{len(skipped)} of {len(given)}: {'; '.join(sorted(set(skipped)))}")

        del every.__wrapped__
        signature = inspect.signature(test)
        kept = [p for name, p in signature.parameters.items() if name not in names]
        every.__signature__ = signature.replace(parameters=kept)
        return every

    return over_all


def _case(case: Any, n: int) -> tuple[Any, ...]:
    """The values of a case, which may be a ``pytest.param``."""
    if isinstance(case, type(pytest.param())):
        return tuple(case.values)
    return (case,) if n == 1 else tuple(case)


def _label(values: tuple[Any, ...], ids: Any, number: int) -> str:
    if callable(ids):
        return ", ".join(str(ids(value)) for value in values)
    if ids is not None:
        return str(list(ids)[number])
    return ", ".join(str(getattr(value, "name", value))[:60] for value in values)
