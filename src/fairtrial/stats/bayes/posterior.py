"""Bayesian comparisons on one data set in closed form: the correlated t-test, and the posterior of an accuracy.

The result of a Bayesian comparison: three named probabilities, their meaning, and an interval.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincc, betaincinv, stdtr

from fairtrial.errors import InputError
from fairtrial.stats.arguments import is_whole, number, share_ratio
from fairtrial.stats.bibliography import CORANI_BENAVOLI_2015
from fairtrial.stats.distributions.student_t import t_bounds
from fairtrial.stats.outcome import Interval, check_level
from fairtrial.stats.procedures import BAYES, INSTANCES, procedure
from fairtrial.stats.score_arrays import MOST_DRAWS, FloatArray, differences, paired_scores, unit_of
from fairtrial.tables import Column, Shown, Table, formats

Triple = tuple[float, float, float]

LARGEST = "probability that this share of data sets is the largest of the three"


@dataclass(frozen=True, slots=True)
class Posterior(Shown):
    """Posterior probabilities of a difference: below, in and above the region of practical equivalence.

    The region of practical equivalence reaches from −``rope`` to ``rope``. ``left`` is the probability that the true
    value lies below it, ``equivalent`` in it, ``right`` above it. For a difference, ``right`` is evidence for the first
    of the two methods. The three sum to 1. ``meaning`` says what they are probabilities of: of the difference itself,
    or of a region having the largest share of data sets. In the latter case ``shares`` are the expected shares.
    ``words`` are the three statements. ``error`` is the Monte Carlo standard error of the most uncertain of the three,
    at least that of a single draw, and 0 if they are computed in closed form. ``draws`` has a row for each draw and the
    columns left, equivalent and right; it is None in closed form.

    >>> print(Posterior("made up", "difference", 0.01, 0.1, 0.2, 0.7, difference_statements(0.01), "P", "flat", 5))
    the first is larger by more than 0.01: probability 0.700
      the difference is at most 0.01 either way: 0.200
      the second is larger by more than 0.01: 0.100
      made up, n = 5, P; prior: flat
    """

    test: str
    quantity: str
    rope: float
    left: float
    equivalent: float
    right: float
    words: tuple[str, str, str]
    meaning: str
    prior: str
    n: int
    interval: Interval | None = None
    shares: Triple | None = None
    error: float = 0.0
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    draws: FloatArray | None = field(default=None, repr=False, compare=False)

    @property
    def probabilities(self) -> Triple:
        """The probabilities ``left``, ``equivalent`` and ``right``."""
        return self.left, self.equivalent, self.right

    def __str__(self) -> str:
        order = sorted(range(3), key=lambda i: -self.probabilities[i])
        shown = [f"{self.words[i]}: {_probability(self.probabilities[i])}" for i in order if self.words[i]]
        first = shown[0].replace(": ", ": probability ", 1) if not math.isnan(self.right) else "undecided: see the note"
        error = f", Monte Carlo error {self.error:.1g}" if self.error else ""
        lines = [first, *shown[1:], f"{self.test}, n = {self.n}, {self.meaning}{error}; prior: {self.prior}"]
        lines += [] if self.interval is None else [str(self.interval)]
        lines += [f"note: {note}" for note in self.notes]
        return "\n  ".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """All fields except the draws, as plain data."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "draws"}
        values["interval"] = None if self.interval is None else self.interval.to_dict()
        values["details"] = dict(self.details)
        return values

    def to_table(self) -> Table:
        """A table with a row for each of the three statements."""
        shares = self.shares or (None, None, None)
        rows = zip(("left", "equivalent", "right"), self.words, self.probabilities, shares, strict=True)
        columns = (
            Column("region", align="left"),
            Column("statement", align="left"),
            Column("probability", _probability),
            Column("expected share", formats.significant(4)),
        )
        shown = tuple(row for row in rows if row[1])
        caption = f"{self.test}: {self.meaning}; prior: {self.prior}"
        if self.shares is None:
            return Table(columns=columns[:3], rows=tuple(r[:3] for r in shown), caption=caption, notes=self.notes)
        return Table(columns=columns, rows=shown, caption=caption, notes=self.notes)


def _probability(value: object) -> str:
    """A probability with three decimals, or <0.001 and >0.999 if it is not exactly 0 or 1."""
    number = float(value)  # type: ignore[arg-type]
    if 0 < number < 0.0005:
        return "<0.001"
    return ">0.999" if 0.9995 <= number < 1 else formats.fixed(3)(number)


def check_rope(rope: float) -> None:
    """Refuse a half-width of the region of practical equivalence that is negative or not a number."""
    if not 0 <= number(rope) < math.inf:
        raise InputError(
            "rope must be the largest difference that does not matter, a finite number of at least 0 (0.01 for a "
            f"percentage point of accuracy), got {rope!r}"
        )


def check_draws(draws: int) -> None:
    """Refuse a number of draws that is not a whole number of at least 100, or that no machine can make."""
    if not (isinstance(draws, int | np.integer) and 100 <= draws <= MOST_DRAWS):
        raise InputError(f"draws must be a whole number of at least 100 (50_000 is usual), got {draws!r}")


def difference_statements(rope: float) -> tuple[str, str, str]:
    """The statements of left, equivalent and right about a difference; without a region the middle one is empty."""
    if rope == 0:
        return "the second is larger", "", "the first is larger"
    by = f"by more than {rope:g}"
    return f"the second is larger {by}", f"the difference is at most {rope:g} either way", f"the first is larger {by}"


def largest_share(draws: FloatArray) -> FloatArray:
    """For each draw of three shares, 1 for the largest and 0 for the others; equally large ones divide the 1.

    >>> largest_share(np.array([[0.2, 0.5, 0.3], [0.5, 0.0, 0.5]])).tolist()
    [[0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]
    """
    left, equivalent, right = columns = draws.T
    best = columns >= np.maximum(np.maximum(left, equivalent), right) - 1e-12
    return np.asarray((best / best.sum(axis=0)).T)


CORRELATED = "normal differences; the scores of any two resamples have the same correlation, test_share"
IN_REGION = "probability of the region"


@procedure(question=BAYES, assumes=CORRELATED, references=(CORANI_BENAVOLI_2015,), test="Bayesian correlated t")
def bayes_correlated_t(
    a: npt.ArrayLike, b: npt.ArrayLike, *, test_share: float, rope: float = 0.0, level: float = 0.95
) -> Posterior:
    r"""Bayesian correlated t-test of two methods over the same folds or resamples of one data set.

    Question: how probable is it that the first method has the larger expected score, by more than ``rope``?

    The differences :math:`d_i = a_i - b_i` of k resamples are taken as normal, each two with the same correlation
    :math:`\rho`. It can't be estimated from the data and is set to the share of the data that is held out
    (``test_share``: 0.1 for 10-fold, once or repeated). Under the prior :math:`p(\mu, \sigma) \propto 1/\sigma` the
    expected difference has the posterior

    .. math:: \mu \sim t_{k-1}\!\left(\bar d,\ \left(\tfrac1k + \tfrac{\rho}{1-\rho}\right) s_d^2\right),

    which is also the distribution behind the corrected t-test: the two have the same interval, and without a region of
    practical equivalence ``left`` is the one-sided p-value. What the Bayesian test adds is that region, and
    probabilities of the hypotheses themselves. The printed probability is that of each region.

    If all differences are equal, their variance is zero: the region in which they lie has probability 1, with a note.
    If they are all zero and there is no region, left and right have ½ each.

    Reference: Corani & Benavoli (2015), Machine Learning 100:285-304, doi:10.1007/s10994-015-5486-z.

    >>> a, b = [0.82, 0.80, 0.86, 0.84], [0.80, 0.79, 0.81, 0.80]
    >>> print(bayes_correlated_t(a, b, test_share=0.25, rope=0.01))
    the first is larger by more than 0.01: probability 0.877
      the difference is at most 0.01 either way: 0.091
      the second is larger by more than 0.01: 0.032
      Bayesian correlated t, n = 4, probability of the region; prior: flat in mean and log sd
      mean difference 0.03000, 95 % interval [−0.01438, 0.07438] (posterior t)
    """
    check_rope(rope)
    check_level(level)
    ratio = share_ratio(test_share)
    first, second = paired_scores(a, b)
    k = len(first)
    if k < 2:
        raise InputError(f"a and b must hold at least two pairs, since one has no variance, got {k}")
    unit = unit_of(first, second)
    d = first / unit - second / unit
    mean, scale = float(d.mean()) * unit, math.sqrt(1 / k + ratio) * float(d.std(ddof=1)) * unit
    whole = differences(first, second)
    notes: tuple[str, ...] = ()
    if (whole.whole == whole.whole[0]).all():
        mean, scale = whole.value(whole.whole[0]), 0.0
        notes = ("all differences are equal: with zero variance the probabilities are about these splits only",)
        left, right = _point_mass(mean, rope)
        bounds = (mean, mean)
    else:
        left, right = (float(stdtr(k - 1, (-rope - sign * mean) / scale)) for sign in (1, -1))
        bounds = t_bounds(mean, scale, k - 1, level, "two-sided")
    return Posterior(
        test="Bayesian correlated t",
        quantity="mean difference",
        rope=rope,
        left=left,
        equivalent=max(0.0, 1 - left - right) if rope else 0.0,
        right=right,
        words=difference_statements(rope),
        meaning=IN_REGION,
        prior="flat in mean and log sd",
        n=k,
        interval=Interval("mean difference", mean, *bounds, level, "posterior t"),
        notes=notes,
        details={"mean": mean, "scale": scale, "df": k - 1, "correlation": test_share},
    )


def _point_mass(mean: float, rope: float) -> tuple[float, float]:
    """The probabilities of left and right if the posterior is a single point."""
    if mean == rope == 0:
        return 0.5, 0.5
    return float(mean < -rope), float(mean > rope)


@procedure(question=BAYES, assumes=INSTANCES, test="Beta posterior")
def beta_posterior(
    successes: int,
    n: int,
    *,
    prior: float | Sequence[float] = 1.0,
    reference: float = 0.5,
    rope: float = 0.0,
    level: float = 0.95,
    quantity: str = "accuracy",
) -> Posterior:
    r"""Beta posterior of the accuracy of one fitted model, from its successes on n independent test instances.

    Question: how probable is it that the accuracy is above ``reference``, by more than ``rope``?

    With a Beta(α, β) prior and x successes,

    .. math:: \theta \mid x \sim \text{Beta}(\alpha + x,\ \beta + n - x).

    ``prior`` is (α, β), or one number for both. 1 (default) makes every accuracy equally likely; 0.5 is Jeffreys's
    prior, whose interval is the ``jeffreys`` one of ``proportion_interval``; (80, 20) has the weight of a hundred
    instances of which 80 were right. The estimate is the posterior mean, the interval has equal tails, and the printed
    probabilities are those of each region. The answer is about this model and instances from the same population.

    >>> print(beta_posterior(16, 20, reference=0.6, rope=0.05))
    accuracy above 0.65: probability 0.908
      accuracy from 0.55 to 0.65: 0.080
      accuracy below 0.55: 0.013
      Beta posterior, n = 20, probability of the region; prior: Beta(1, 1)
      accuracy 0.7727, 95 % interval [0.5809, 0.9178] (posterior Beta)
    """
    check_rope(rope)
    check_level(level)
    both = isinstance(prior, Sequence) and len(prior) == 2
    alpha, beta = map(number, prior if both else (prior, prior))  # type: ignore[arg-type]
    if not (0 < alpha < math.inf and 0 < beta < math.inf):
        raise InputError(f"prior must be one positive number, or two such as (1, 1), got {prior!r}")
    if not 0 < number(reference) < 1:
        raise InputError(f"reference must lie strictly between 0 and 1, got {reference!r}")
    if not (is_whole(n) and is_whole(successes) and 0 <= successes <= n):
        raise InputError(f"successes must be a whole number from 0 to n, got {successes!r} of {n!r}")
    a, b = alpha + successes, beta + n - successes
    low, high = reference - rope, reference + rope
    left = float(betainc(a, b, low)) if low > 0 else 0.0
    right = float(betaincc(a, b, high)) if high < 1 else 0.0
    words = (f"{quantity} below {low:g}", f"{quantity} from {low:g} to {high:g}", f"{quantity} above {high:g}")
    tails = ((1 - level) / 2, (1 + level) / 2)
    bounds = [float(betaincinv(a, b, tail)) for tail in tails]
    return Posterior(
        test="Beta posterior",
        quantity=quantity,
        rope=rope,
        left=left,
        equivalent=max(0.0, 1 - left - right) if rope else 0.0,
        right=right,
        words=words if rope else (words[0], "", words[2]),
        meaning=IN_REGION,
        prior=f"Beta({alpha:g}, {beta:g})",
        n=int(n),
        interval=Interval(quantity, a / (a + b), bounds[0], bounds[1], level, "posterior Beta"),
        details={"alpha": a, "beta": b, "reference": reference},
    )
