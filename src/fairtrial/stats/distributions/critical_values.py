"""Tables of critical values, as textbooks print them: computed here, exact where the distribution is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from scipy.special import chdtri, ndtri

from fairtrial.errors import UnknownName
from fairtrial.stats.bibliography import (
    DEMSAR_2006,
    DUNN_1961,
    FRIEDMAN_1937,
    NEMENYI_1963,
    STUDENT_1908,
    WILCOXON_1945,
)
from fairtrial.stats.distributions.binomial import sign_critical
from fairtrial.stats.distributions.rank_sums import exact_critical, friedman_null
from fairtrial.stats.distributions.signed_rank import signed_rank_critical
from fairtrial.stats.distributions.simultaneous import tukey_quantile
from fairtrial.stats.distributions.student_t import t_bounds
from fairtrial.stats.procedures import OF_THE_TEST, OVER_DATASETS, procedure
from fairtrial.tables import Column, Table, formats
from fairtrial.words import is_one_of

INFINITE = "∞"
ONE_SIDED = (0.4, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025, 0.001, 0.0005)
UPPER = (0.5, 0.1, 0.05, 0.025, 0.01, 0.005, 0.001)
TWO_SIDED = (0.1, 0.05, 0.02, 0.01)
USUAL = (0.1, 0.05, 0.01)
MOST_EXACT = {3: 15, 4: 12, 5: 8, 6: 5}  # data sets of Friedman's table, for each number of methods
MOST_METHODS = 20
LARGER_DF = (40, 60, 80, 100, 120)
LARGER_N = (35, 40, 45, 50, 60, 70, 80, 90, 100)


@procedure(
    question=OVER_DATASETS,
    assumes=OF_THE_TEST,
    references=(STUDENT_1908, WILCOXON_1945, FRIEDMAN_1937, NEMENYI_1963, DUNN_1961, DEMSAR_2006),
)
def critical_values(test: str) -> Table:
    r"""Table of the critical values of a test, to print for a class.

    ``test`` is one of

    ==================  ==================================================================================
    ``t``               Student's t, by degrees of freedom
    ``chi_square``      :math:`\chi^2`, by degrees of freedom
    ``sign``            the sign test: wins that are needed, and wins minus losses; exact
    ``wilcoxon``        signed ranks: the largest smaller rank sum that still rejects; exact
    ``friedman``        Friedman's statistic, by the numbers of methods and data sets; exact
    ``q``               Nemenyi: the studentised range of k values, divided by :math:`\sqrt 2`
    ``bonferroni_dunn`` Bonferroni-Dunn, against a control: the normal quantile at :math:`\alpha / (2 (k - 1))`
    ==================  ==================================================================================

    All values are computed, none is copied. Where a test can't reject at all, since there are too few data sets, the
    cell is a dash. Ties change the exact distributions, and a table can't know them: the tests themselves do.

    References: Student (1908), doi:10.1093/biomet/6.1.1; Wilcoxon (1945), doi:10.2307/3001968; Friedman (1937),
    doi:10.1080/01621459.1937.10503522; Nemenyi (1963), Distribution-free multiple comparisons, Princeton; Dunn (1961),
    doi:10.1080/01621459.1961.10482090; Demšar (2006), https://jmlr.org/papers/v7/demsar06a.html.

    >>> table = critical_values("wilcoxon")
    >>> [c.title for c in table.columns]
    ['n', '0.10', '0.05', '0.02', '0.01']
    >>> table.rows[9]   # n = 14: a rank sum of 21 or less rejects at 0.05, two-sided
    (14, 25, 21, 15, 12)
    """
    if not is_one_of(test, TESTS):
        raise UnknownName.among("table of critical values", test, TESTS)
    return TESTS[test]()


def _alpha(alpha: float) -> str:
    """A significance level with at least two decimals.

    >>> _alpha(0.1), _alpha(0.0025)
    ('0.10', '0.0025')
    """
    return f"{alpha:.2f}" if round(alpha, 2) == alpha else f"{alpha:g}"


def _table(
    rows: Sequence[tuple[object, ...]],
    heads: Sequence[str],
    alphas: Iterable[float],
    write: formats.Formatter,
    *,
    caption: str,
    explain: str,
    notes: tuple[str, ...] = (),
    rules: tuple[int, ...] = (),
) -> Table:
    columns = (*map(Column, heads), *(Column(_alpha(a), write, key=f"alpha_{_alpha(a)}") for a in alphas))
    return Table(columns, tuple(rows), caption, notes, rules, explain=explain)


def _t() -> Table:
    df = (*range(1, 31), *LARGER_DF)
    rows = [(n, *(_t_quantile(n, a) for a in ONE_SIDED)) for n in df]
    return _table(
        [*rows, (INFINITE, *(_t_quantile(math.inf, a) for a in ONE_SIDED))],
        ("df",),
        ONE_SIDED,
        _three_decimals,
        caption="critical values of Student's t, by degrees of freedom (df) and one-sided significance level; "
        "the two-sided level is twice as large",
        notes=(
            "a paired t-test of k values has df = k − 1; it is not valid on folds, whose scores share training data",
        ),
        explain="Find the row of your degrees of freedom and the column of your significance level. A one-sided test "
        "rejects if t is larger than the number there. For a two-sided test at 0.05 take the column 0.025, and compare "
        "the absolute value of t.",
    )


def _t_quantile(df: float, alpha: float) -> float:
    return t_bounds(0.0, 1.0, df, 1 - alpha, "less")[1]


def _three_decimals(value: object) -> str:
    return formats.fixed(2 if isinstance(value, float) and value >= 100 else 3)(value)


def _chi_square() -> Table:
    df = (*range(1, 31), 40, 50, 60, 70, 80, 90, 100)
    return _table(
        [(n, *(float(chdtri(n, a)) for a in UPPER)) for n in df],
        ("df",),
        UPPER,
        _three_decimals,
        caption="critical values of χ², by degrees of freedom (df) and significance level",
        notes=(
            "McNemar's test has df = 1; Friedman's test of k methods has df = k − 1 where there are many data sets",
        ),
        explain="Find the row of your degrees of freedom and the column of your significance level. The test rejects "
        "if the statistic is larger than the number there.",
    )


def _sign() -> Table:
    rows = []
    for n in (*range(5, 31), *LARGER_N):
        wins = [n - below if (below := sign_critical(n, a / 2)) >= 0 else math.nan for a in TWO_SIDED]
        rows.append((n, *wins, *(2 * w - n for w in wins)))
    titles = [_alpha(a) for a in TWO_SIDED]
    columns = (
        Column("n"),
        *(Column(f"wins {a}", formats.count, key=f"wins_alpha_{a}") for a in titles),
        *(Column(f"wins−losses {a}", formats.count, key=f"difference_alpha_{a}") for a in titles),
    )
    return Table(
        columns,
        tuple(rows),
        caption="critical values of the sign test, by the number of data sets without ties (n) and two-sided "
        "significance level; exact; the one-sided level is half as large",
        notes=(
            "a tie counts as half a win and half a loss, and an odd tie is left out (Demšar 2006)",
            "some books print wins minus losses, and some the number of wins: here are both",
        ),
        explain="Count the data sets on which the better of two methods wins, and find the row of their number. The "
        "two methods differ if the wins reach the number in the column of your significance level, or are more. The "
        "columns on the right say the same of wins minus losses.",
    )


def _wilcoxon() -> Table:
    rows = []
    for n in range(5, 51):
        found = [signed_rank_critical(np.arange(1, n + 1), a / 2) for a in TWO_SIDED]
        rows.append((n, *(value if value >= 0 else math.nan for value in found)))
    return _table(
        rows,
        ("n",),
        TWO_SIDED,
        formats.count,
        caption="critical values of Wilcoxon's signed-rank test, by the number of data sets (n) and two-sided "
        "significance level; exact, without ties; the one-sided level is half as large",
        notes=("ties and zero differences change the distribution; fairtrial.stats.wilcoxon then uses the right one",),
        explain="Rank the absolute differences of two methods over n data sets, and add up the ranks of the wins and "
        "those of the losses. The test rejects if the smaller of the two sums is the number in the table, or less.",
    )


def _friedman() -> Table:
    rows: list[tuple[object, ...]] = []
    rules = []
    for k, most in MOST_EXACT.items():
        rules.append(len(rows))
        for n in range(2, most + 1):
            doubled = np.tile(2 * np.arange(1, k + 1), (n, 1))
            null = friedman_null(doubled)
            assert null is not None
            rows.append((k, n, *(exact_critical(doubled, null, a) for a in USUAL)))
        rows.append((k, INFINITE, *(float(chdtri(k - 1, a)) for a in USUAL)))
    return _table(
        rows,
        ("k", "n"),
        USUAL,
        formats.fixed(3),
        caption="critical values of Friedman's statistic, by the number of methods (k), the number of data sets (n) "
        "and significance level; exact, without ties",
        notes=(f"{INFINITE}: χ² with k − 1 degrees of freedom, which holds for many data sets",),
        rules=tuple(rules[1:]),
        explain="Rank k methods on each of n data sets and compute Friedman's statistic from the rank sums. The test "
        "rejects if the statistic is the number in the table, or larger. A dash means that so few data sets can't "
        "reject at that level.",
    )


def _q() -> Table:
    return _by_methods(
        lambda k, alpha: tukey_quantile(alpha, k, math.inf) / math.sqrt(2),
        caption="critical values q of Nemenyi's test, all k methods against each other, by significance level: the "
        "studentised range with infinite degrees of freedom, divided by √2",
    )


def _bonferroni_dunn() -> Table:
    return _by_methods(
        lambda k, alpha: -float(ndtri(alpha / (2 * (k - 1)))),
        caption="critical values q of Bonferroni-Dunn's test, k − 1 methods against a control, by two-sided "
        "significance level: the normal quantile at α / (2(k − 1))",
        notes=("Demšar (2006) prints 2.724 for k = 9 at 0.05; the right value is 2.734",),
    )


def _by_methods(quantile: Callable[[int, float], float], *, caption: str, notes: tuple[str, ...] = ()) -> Table:
    return _table(
        [(k, *(quantile(k, a) for a in USUAL)) for k in range(2, MOST_METHODS + 1)],
        ("k",),
        USUAL,
        formats.fixed(3),
        caption=caption,
        notes=("critical difference of two mean ranks over n data sets: CD = q √(k(k + 1) / 6n)", *notes),
        explain="Find the row of the number of methods, the control included, and the column of your significance "
        "level. Put q into the formula for CD below the table. Two methods differ if their mean ranks differ by "
        "more than CD.",
    )


TESTS: dict[str, Callable[[], Table]] = {
    "t": _t,
    "chi_square": _chi_square,
    "sign": _sign,
    "wilcoxon": _wilcoxon,
    "friedman": _friedman,
    "q": _q,
    "bonferroni_dunn": _bonferroni_dunn,
}
"""The tables of critical values, by the name of their test."""
