"""How a difference depends on the data set: does the better method change, and which data sets are outliers?"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, gammaln, logsumexp, ndtri_exp, stdtr, stdtrit

from fairtrial.errors import InputError
from fairtrial.stats.arguments import is_whole
from fairtrial.stats.bibliography import COCHRAN_1954, DERSIMONIAN_LAIRD_1986, GAIL_SIMON_1985, ROSNER_1983
from fairtrial.stats.distributions.student_t import UNDERFLOW, t_tail
from fairtrial.stats.distributions.tail import Tail, chi_square_tail
from fairtrial.stats.outcome import Outcome, check_level
from fairtrial.stats.procedures import OVER_DATASETS, procedure
from fairtrial.stats.score_arrays import FloatArray, index_list, numbers, sample, whole_values
from fairtrial.words import part_of, plural, verb

QUALITATIVE = "one of the two methods is nowhere better than the other"
TITLE_QUALITATIVE = "Gail–Simon qualitative interaction"
FEWEST_FOR_OUTLIERS = 6
FEW_FOR_ROSNER = 15  # values: with fewer, his limits for a second and third outlier are too low
FAR = 4.0  # standard deviations, estimated from the median absolute deviation
MAD_OF_NORMAL = 1.4826  # the standard deviation of a normal distribution in units of its median absolute deviation


@procedure(
    question=OVER_DATASETS,
    null=QUALITATIVE,
    assumes="independent data sets; normal differences with known standard errors, or t with their degrees of freedom",
    references=(GAIL_SIMON_1985, COCHRAN_1954, DERSIMONIAN_LAIRD_1986),
    test=TITLE_QUALITATIVE,
)
def qualitative_interaction(d: npt.ArrayLike, errors: npt.ArrayLike, *, df: npt.ArrayLike = math.inf) -> Outcome:
    r"""Test whether the better of two methods depends on the data set (Gail and Simon's likelihood ratio test).

    Null hypothesis: one of the two methods is nowhere better than the other. All true differences are at least 0, or
    all are at most 0.

    ``d`` has the difference on each data set, and ``errors`` its standard error, which must contain the correction for
    shared training data. With :math:`z_i = d_i / e_i`,

    .. math:: Q^+ = \sum_{d_i > 0} z_i^2, \qquad Q^- = \sum_{d_i < 0} z_i^2, \qquad
              p = \sum_{h=1}^{N-1} \binom{N-1}{h} 2^{-(N-1)} \, P\{\chi^2_h \ge \min(Q^+, Q^-)\}.

    A small p says that each method is better somewhere. It does not say where, and a large p does not say that one
    method is better everywhere. Differences of one sign have the statistic 0 and p = 1.

    ``df`` has the degrees of freedom of the errors, one number for each data set or one for all. Where they are finite,
    each :math:`z_i` is the normal score of the t-probability of :math:`d_i / e_i`, accurate in the far tails.

    ``details`` has both sums, how many differences favour the first method (``better``) and the second (``worse``), and
    how much differences vary: Cochran's Q with its p-value (null: all true differences are equal), ``tau``, the
    standard deviation of the true differences (DerSimonian and Laird's estimate), and ``noise_share``, the share of the
    observed variance that is noise within data sets (1 − I²). With the weights
    :math:`w_i = \frac{\nu_i - 2}{\nu_i} / e_i^2` and the weighted mean :math:`\bar d_w`,

    .. math:: \tau^2 = \frac{H - (N - 1)}{\sum w_i - \sum w_i^2 / \sum w_i}, \qquad
              H = \sum w_i (d_i - \bar d_w)^2, \qquad \text{noise share} = \frac{N - 1}{H},

    cut off at 0 and at 1. Q is the sum of squared normal scores of :math:`(d_i - \bar d_w) / e_i`, which is H for
    infinite df. H itself would reject too often for few degrees of freedom.

    A standard error of 0 leaves :math:`z_i` undefined: such data sets are left out, with a note. If none is left, the
    statistic and p are nan. One data set has no heterogeneity: Q, ``tau`` and ``noise_share`` are nan. The last two are
    also nan if fewer than two data sets have more than 2 degrees of freedom.

    References: Gail & Simon (1985), Biometrics 41:361-372, doi:10.2307/2530862; Cochran (1954), Biometrics 10:101-129,
    doi:10.2307/3001666; DerSimonian & Laird (1986), Controlled Clinical Trials 7:177-188,
    doi:10.1016/0197-2456(86)90046-2.

    >>> found = qualitative_interaction([0.03, -0.02, 0.04, -0.02], [0.01, 0.01, 0.02, 0.01])
    >>> found.statistic, found.p_value   # 3² + 2² = 13 and 2² + 2² = 8; the critical value of 4 data sets is 5.43
    (8.0, 0.0144)
    >>> found.details["better"], found.details["tau"], found.details["noise_share"]
    (2, 0.0279, 0.1429)
    """
    x, e = sample(d, "d"), sample(errors, "errors")
    nu = _degrees(df, len(x))
    if len(x) != len(e):
        raise InputError(f"d and errors must be of one length, got {len(x)} and {len(e)}")
    if (e < 0).any():
        bad = np.flatnonzero(e < 0).tolist()
        raise InputError(
            f"errors must be standard errors of at least 0, but {part_of(len(bad), len(e), 'entry', 'entries')} "
            f"{verb(len(bad), 'is', 'are')} negative ({index_list(bad)})"
        )
    usable = e > 0
    left_out = int((~usable).sum())
    note = (
        f"{part_of(left_out, len(e), 'data set')} {verb(left_out, 'has', 'have')} a standard error of 0 and "
        f"{verb(left_out, 'was', 'were')} left out"
    )
    x, e, nu = x[usable], e[usable], nu[usable]
    z = _normal_scores(x, e, nu)
    with np.errstate(over="ignore"):  # z of 1e200 has no square
        plus, minus = float((z[z > 0] ** 2).sum()), float((z[z < 0] ** 2).sum())
    none = len(x) == 0
    statistic = math.nan if none else min(plus, minus)
    tail = Tail(math.nan, math.nan) if none else _mixture_tail(statistic, len(x))
    return Outcome(
        test=TITLE_QUALITATIVE,
        null=QUALITATIVE,
        statistic=statistic,
        p_value=tail.value,
        log10_p=tail.log10,
        n=len(x),
        method="chi-square mixture",
        notes=(note,) if left_out else (),
        details={
            "q_plus": plus,
            "q_minus": minus,
            "better": int((x > 0).sum()),
            "worse": int((x < 0).sum()),
            **_heterogeneity(x, e, nu),
        },
    )


def _degrees(df: npt.ArrayLike, n: int) -> FloatArray:
    """The degrees of freedom of each standard error."""
    nu = numbers(df, "df")
    if nu.shape not in ((), (n,)) or not (nu > 0).all():
        raise InputError(f"df must be one number above 0, or one for each of {plural(n, 'data set')}, got {df!r}")
    return np.broadcast_to(nu, (n,))


def _normal_scores(d: FloatArray, errors: FloatArray, df: FloatArray) -> FloatArray:
    """The normal scores of the t-probabilities of d / errors; where these underflow, from their logarithms."""
    with np.errstate(over="ignore"):
        t = d / errors
    finite = np.isfinite(df) & np.isfinite(t)
    tails = stdtr(np.where(finite, df, 1.0), -np.abs(np.where(finite, t, 0.0)))
    logs = np.log(np.maximum(tails, UNDERFLOW))
    for i in np.flatnonzero(finite & (tails <= UNDERFLOW)).tolist():
        logs[i] = t_tail(abs(float(t[i])), float(df[i]), "greater").log10 * math.log(10)
    return np.asarray(np.where(finite, np.sign(t) * -ndtri_exp(logs), t))


def _mixture_tail(statistic: float, n: int) -> Tail:
    """The tail of the smaller sum where all true differences but one are 0: chi-square with a random df."""
    if statistic == 0:
        return Tail(1.0, 0.0)
    if math.isinf(statistic):
        return Tail(0.0, -math.inf)
    h = np.arange(1, n)
    log_weights = gammaln(n) - gammaln(h + 1) - gammaln(n - h) - (n - 1) * math.log(2)
    value = float(np.exp(log_weights) @ chdtrc(h, statistic))
    if value > UNDERFLOW:
        return Tail(value, math.log10(value))
    logs = np.array([chi_square_tail(statistic, k).log10 for k in h.tolist()]) * math.log(10)
    return Tail.from_log(float(logsumexp(logs + log_weights)))


def _heterogeneity(d: FloatArray, errors: FloatArray, df: FloatArray) -> dict[str, float]:
    """Cochran's Q by normal scores with its p-value, and DerSimonian and Laird's variance between data sets."""
    unknown = {"cochran_q": math.nan, "cochran_p": math.nan, "tau": math.nan, "noise_share": math.nan}
    if len(d) < 2:
        return unknown
    unit = float(errors.min())
    with np.errstate(over="ignore", invalid="ignore"):
        precision = (unit / errors) ** 2
        w = precision * np.maximum(1 - 2 / df, 0)  # the variance of t is ν / (ν − 2)
        by = w if (w > 0).any() else precision
        away = d - float(by @ d) / float(by.sum())
        q = float((_normal_scores(away, errors, df) ** 2).sum())
        unknown |= {"cochran_q": q, "cochran_p": float(chdtrc(len(d) - 1, q))}
        known = w > 0
        if known.sum() < 2:
            return unknown
        w, n = w[known], int(known.sum())
        h = float(w @ (away[known] / unit) ** 2)
        scale = float(w.sum()) - float((w**2).sum() / w.sum())
        tau = unit * math.sqrt(max(h - (n - 1), 0.0) / scale) if scale > 0 else math.nan
    return unknown | {"tau": tau, "noise_share": (n - 1) / h if h > n - 1 else 1.0}


@procedure(
    question=OVER_DATASETS,
    assumes="independent data sets; normal values, apart from the outliers",
    references=(ROSNER_1983,),
)
def outliers(values: npt.ArrayLike, *, most: int = 3, level: float = 0.99) -> tuple[int, ...]:
    r"""The indices of values that are outliers: they lie too far from all others to come from one normal distribution.

    Rosner's generalised extreme Studentised deviate. The value that is farthest from the mean is taken away, and again
    from those that are left, up to ``most`` times. With :math:`m = N - i + 1` values left before the i-th,

    .. math:: R_i = \max_j |x_j - \bar x| / s, \qquad
              \lambda_i = \frac{(m - 1)\, t}{\sqrt{m\,(m - 2 + t^2)}}, \qquad t = t_{m-2;\, 1 - \alpha / 2m}.

    The outliers are the values taken away up to the last i with :math:`R_i > \lambda_i`. So two outliers that hide each
    other are both found. Of normal samples, a share of about 1 − level has an outlier. Rosner's limits are too low for
    fewer than 15 values, so that :math:`\alpha = (1 - \text{level}) / i^2` there, and 1 − level for more.

    An outlier must also be far: at least 4 robust standard deviations (1.4826 times the median absolute deviation) from
    the median. This is not asked where more than half of the values are equal. At most a quarter of the values are
    outliers. Fewer than 6 values, or values that are all equal, have none. Values are compared after rounding
    (docs/statistics.md, "Rounding before ranking").

    Reference: Rosner (1983), Technometrics 25:165-172, doi:10.1080/00401706.1983.10487848.

    >>> outliers([0.02, 0.01, 0.03, -0.21, 0.00, 0.02, 0.01, 0.03])
    (3,)
    """
    check_level(level)
    if not is_whole(most) or most < 1:
        raise InputError(f"most must be a whole number of at least 1, got {most!r}")
    x = whole_values(sample(values))
    n = len(x)
    if n < FEWEST_FOR_OUTLIERS:
        return ()
    left, taken, found = np.arange(n), [], 0
    for i in range(min(int(most), n // 4)):
        rest, m = x[left], n - i
        away, deviation = np.abs(rest - rest.mean()), float(rest.std(ddof=1))
        if np.ptp(rest) == 0:
            break
        farthest = int(away.argmax())
        alpha = (1 - level) / ((i + 1) ** 2 if n < FEW_FOR_ROSNER else 1)
        t = float(stdtrit(m - 2, 1 - alpha / (2 * m)))
        if away[farthest] / deviation > (m - 1) * t / math.sqrt(m * (m - 2 + t * t)):
            found = i + 1
        taken.append(int(left[farthest]))
        left = np.delete(left, farthest)
    distance = np.abs(x - np.median(x))
    far = distance >= FAR * MAD_OF_NORMAL * float(np.median(distance))
    return tuple(sorted(i for i in taken[:found] if far[i]))
