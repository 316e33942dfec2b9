"""Guards that look at a run before it begins; what they find is shown above the progress bar."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.design import Plan
from fairtrial.engine.executor import Executor
from fairtrial.notices import Notice, guard
from fairtrial.words import listed, plural, verb


@dataclass(frozen=True, slots=True)
class ComingRun:
    """A run that is about to begin; ``failed`` trials of its plan failed before and are not run again."""

    plan: Plan
    executor: Executor
    failed: int = 0


@guard(stage="run", sees="run")
def no_difference_can_show(run: ComingRun) -> Iterator[Notice]:
    """Too few data sets for the number of methods: no difference over data sets could be significant."""
    if not run.plan.can_tell_anything():
        yield Notice(run.plan.can_tell(), about="plan", evidence={"pairs": run.plan.pairs})


@guard(stage="run", sees="run")
def limits_not_kept(run: ComingRun) -> Iterator[Notice]:
    """Time or memory limits that the executor can't keep."""
    limits = {"time_limit": run.plan.study.time_limit, "memory_limit": run.plan.study.memory_limit}
    given = {name: limit for name, limit in limits.items() if limit is not None}
    if given and not run.executor.keeps_limits:
        yield Notice(
            f"{listed(given)} {verb(len(given), 'is', 'are')} not kept by {run.executor!r}",
            about="executor",
            evidence=given,
            remedy="run in worker processes (workers=1 or more) to keep limits",
        )


@guard(stage="run", sees="run")
def failed_before(run: ComingRun) -> Iterator[Notice]:
    """Trials of the plan that failed in an earlier run and are not run again."""
    if run.failed:
        yield Notice(
            f"{plural(run.failed, 'trial')} failed before",
            about="plan",
            evidence={"failed": run.failed},
            remedy=f"--retry-failed (retry_failed=True) runs {verb(run.failed, 'it', 'them')} again",
        )
