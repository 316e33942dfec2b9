"""What statements are about, for tests of their words."""

from __future__ import annotations

from dataclasses import replace

from fairtrial.measures import get
from fairtrial.stats import Interval
from fairtrial.verdict.words.wording import Scope, Wording

ACCURACY = Scope(Wording(get("accuracy")), "here", n=12, count=3, typical=True)
MEANS = replace(ACCURACY, typical=False)
MATTERS = replace(ACCURACY, delta=0.01)
RATIOS = replace(ACCURACY, wording=Wording(get("rmse"), ratio=True))
COSTS = replace(ACCURACY, wording=Wording(get("expected_cost(costs=(1, 30), per=1000, unit='EUR')")))
CLUSTERS = replace(ACCURACY, unit="cluster", units="clusters")


def interval(estimate: float, low: float, high: float) -> Interval:
    return Interval("difference", estimate, low, high)


LEAD = interval(0.03, 0.02, 0.04)
OPEN = interval(0.01, -0.02, 0.04)
