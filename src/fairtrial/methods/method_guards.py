"""Guards of methods: what should be known of what is compared, before it is tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairtrial.methods.baselines import is_baseline
from fairtrial.methods.method import Method
from fairtrial.methods.tuning import configurations_of, unequal_tuning
from fairtrial.notices import Notice, guard


def is_compared(method: Method) -> bool:
    """Whether a method competes, which yardsticks and baselines do not."""
    return not (method.yardstick or is_baseline(method))


@guard(stage="plan", sees="methods")
def added_yardstick(methods: Sequence[Method]) -> Iterator[Notice]:
    """A baseline that was added since the study listed none."""
    for method in methods:
        if method.yardstick:
            yield Notice(f"'{method.name}' is added as a yardstick: every method should beat it", "note", method.name)


@guard(stage="plan", sees="methods")
def unequal_searches(methods: Sequence[Method]) -> Iterator[Notice]:
    """Methods that are tuned over different numbers of configurations."""
    tried = {m.name: configurations_of(m.estimator) for m in methods if is_compared(m)}
    if sentence := unequal_tuning(tried):
        yield Notice(sentence, "note", evidence={"configurations": tried})
