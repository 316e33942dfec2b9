"""Assertions about methods for tests of your own: not worse than the control, better than it, equivalent to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

from fairtrial.choices import FailIf, VerdictOptions
from fairtrial.errors import InputError, UnknownName
from fairtrial.results import Results
from fairtrial.words import listed

if TYPE_CHECKING:
    from fairtrial.experiments import ResultsAnswer

Undecided = Literal["fail", "pass"]


def assert_not_worse(
    results: Results | ResultsAnswer, *, control: str | None = None, delta: float | str | None = None,
    measure: str | None = None, level: float | None = None, candidates: Sequence[str] | None = None,
    undecided: Undecided = "fail",
) -> None:  # fmt: skip
    """Assert that the methods are shown not to be worse than the control, by ``delta`` or more where it is given.

    ``delta`` has a unit (``"2pp"`` for two percentage points) or is in units of the measure.
    The error has the result of the gate and the sentence of the verdict. What is undecided is an error, too, unless
    ``undecided="pass"``: then only a method that is shown to be worse is one. ``candidates`` are the methods that
    matter, by default all but the control. ``results`` may be a verdict, for a question with other options; it then has
    the control, δ, measure and level.

    >>> import pandas as pd
    >>> from fairtrial.results import read_scores
    >>> old = [0.81, 0.62, 0.77, 0.85, 0.90, 0.68, 0.74]
    >>> new = [0.82, 0.61, 0.78, 0.85, 0.89, 0.69, 0.75]
    >>> results = read_scores(pd.DataFrame({"dataset": list("abcdefg"), "old": old, "new": new}), measure="accuracy")
    >>> assert_not_worse(results, control="old", delta=0.02)
    """
    __tracebackhide__ = True
    _assert("worse", results, control, delta, measure, level, candidates, undecided)


def assert_better(
    results: Results | ResultsAnswer, *, control: str | None = None, delta: float | str | None = None,
    measure: str | None = None, level: float | None = None, candidates: Sequence[str] | None = None,
    undecided: Undecided = "fail",
) -> None:  # fmt: skip
    """Assert that the methods are shown to be better than the control, by more than ``delta`` where it is given.

    The arguments are those of :func:`assert_not_worse`.
    """
    __tracebackhide__ = True
    _assert("not-better", results, control, delta, measure, level, candidates, undecided)


def assert_equivalent(
    results: Results | ResultsAnswer, *, control: str | None = None, delta: float | str | None = None,
    measure: str | None = None, level: float | None = None, candidates: Sequence[str] | None = None,
    undecided: Undecided = "fail",
) -> None:  # fmt: skip
    """Assert that the methods are shown to be equivalent to the control: they differ by less than ``delta``.

    The arguments are those of :func:`assert_not_worse`.
    """
    __tracebackhide__ = True
    _assert("not-equivalent", results, control, delta, measure, level, candidates, undecided)


def _assert(
    fail_if: FailIf, results: Results | ResultsAnswer, control: str | None, delta: float | str | None,
    measure: str | None, level: float | None, candidates: Sequence[str] | None, undecided: Undecided,
) -> None:  # fmt: skip
    from fairtrial.verdict import gate_of

    __tracebackhide__ = True
    if undecided not in get_args(Undecided):
        raise UnknownName.among("way to treat what is undecided", undecided, get_args(Undecided))
    asked = VerdictOptions(control=control, smallest_difference=delta, measure=measure, level=level)
    answer = _answer(results, fail_if, asked)
    gate = gate_of(answer, fail_if, candidates=candidates)
    if gate.state == "failed" or (gate.state == "undecided" and undecided == "fail"):
        raise AssertionError(f"{gate.sentence}\n{answer.sentence}")


def _answer(results: Results | ResultsAnswer, fail_if: FailIf, options: VerdictOptions) -> ResultsAnswer:
    """The verdict on results, or the verdict that was given instead of them."""
    from fairtrial.experiments import answer_to
    from fairtrial.verdict import check_gate

    if not isinstance(results, Results):
        if given := [name for name, value in options.items() if value is not None]:
            raise InputError(f"a verdict has its question already; give {listed(given)} to results.verdict(…) instead")
        return results
    if options.get("control") is None:
        check_gate(fail_if, results.question, results.method_names())
    return answer_to(results, options)
