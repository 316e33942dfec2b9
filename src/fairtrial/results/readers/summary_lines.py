"""Lines of a table that sum up the others: averages, ranks, deviations; found by their names and by arithmetic."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairtrial.errors import InputError
from fairtrial.results.how_read import Remark
from fairtrial.results.readers.request import kind_of_name, plain_name, words_in, words_of

SURE = words_in("""
average averages avg aver avge mittelwert mittel durchschnitt moyenne promedio gemiddelde ortalama genomsnitt medel
media mw mediana mediane moyen mittlerer durchschn srednia średnia śr sr gjennomsnitt keskiarvo среднее standardabw
standardabweichung stabw ecart écart desv odch summe gesamt gesamtergebnis insgesamt suma somme somma std stdev
stddev stderr deviation rank ranks ranking wins ties losses wtl pvalue geomean gmean
""")
MAYBE = words_in("""
mean means median max maximum min minimum best worst sum total overall all range count variance se sd p var ci gm
diff delta improvement gain oracle vbs improv macro micro weighted cd rang ranga pooled oof
""")
SHORT = words_in("se sd p var ci gm")  # data sets have such names, too
FILLER = words_in("""
pesata ponderee pondérée ponderada gewichtet wtd
wert type tipica típica estandar estándar medio media friedman nemenyi wilcoxon holm critical difference typ moyen
ranga rang the of over on across data sets datasets dataset tasks methods grand macro micro weighted arithmetic
geometric harmonic standard dev error errors value val values accuracy acc auc score scores rank ranks rmse mae f1
per 95 test final win tie loss w t l arith geo
""")  # fmt: skip
SIGNS = words_in("""
平均 平均排名 平均值 标准差 中位数 ø ∅ μ µ σ δ ± x̄ #wins w/t/l win/tie/loss w-t-l
""")
BESIDE = words_in("""
t zeit energy kwh watt improv delta gain resid residual residuals err lo hi conf confidence prob proba std stdev
stddev stderr sd se dev deviation error rank ranks ci var variance low high lower upper min max n runs p pvalue time
seconds sec secs s ms runtime memory mb size fit train predict
""")
OF_ROWS = words_in("""
density sparsity entropy comment comments note notes remark remarks link url
klassen merkmale instanzen attribute anzahl share ratio depth energy kwh inst attr
cls lfd n instances samples sample examples rows features feature attributes attrs dims dim dimension dimensions
classes class missing year date id no nr index size parameters params imbalance minority
""")
Word = Literal["sure", "maybe", ""]
Formula = Callable[[NDArray[np.float64]], NDArray[np.float64]]
CHANCE = 1e-3  # at most this, that a line without a name is by chance what it would be as a summary
MOST_CELLS, LONGEST_BLOCK, MOST_COMPANIONS = 2_000_000, 30, 500


def summary_word(name: str) -> Word:
    """Whether a name is that of a summary: surely, perhaps (other things are called so, too), or not at all.

    >>> [summary_word(n) for n in ("Avg. rank", "Mean accuracy", "mean", "GM", "p-value", "mean-shift", "iris")]
    ['sure', 'sure', 'maybe', 'maybe', 'sure', '', '']
    """
    if re.fullmatch(r"\d+ ?%|.*\((std|sd|se|mean|avg|average|rank|stdev)\.?\)", plain_name(name)):
        return "sure"  # quantiles, and lines below another line
    before = name.partition("(")[0].strip()
    if before and before != name and summary_word(before):
        return "sure"
    words = words_of(name)
    if plain_name(name) in SIGNS or "".join(words) in SURE:
        return "sure"
    if not words or not set(words) <= SURE | MAYBE | FILLER:
        return ""
    if set(words) & SURE or (set(words) & MAYBE and len(words) > 1):
        return "sure"
    return "maybe" if words[0] in MAYBE else ""


def describes_rows(title: str) -> bool:
    """Whether a column describes rows instead of scoring them: a number of instances, classes or parameters.

    >>> [describes_rows(t) for t in ("#inst.", "n_features", "classes", "Parameters (M)", "svm")]
    [True, True, True, True, False]
    """
    words = words_of(title.partition("(")[0])
    return (
        bool(words) and words[-1] in OF_ROWS and set(words) <= OF_ROWS | {"number", "num", "of", "train", "test", "x"}
    )


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Lines of numbers with their names: a row for each, nan where nothing is known.

    ``what`` is what a line is in the file (row or column), ``scored`` what it would be taken for: data set or method.
    """

    names: Sequence[str]
    numbers: NDArray[np.float64]
    what: str
    scored: str


def summary_lines(lines: Lines, kept: Collection[str] | None, *, ask: bool) -> Iterator[Remark]:
    """The lines that sum up the others; those in ``kept``, which were asked for by name, never do.

    Without a name that says so, a line at the beginning or end may be one by arithmetic alone.
    A line whose name may also be that of a method, such as *mean*, is refused with ``ask`` if the numbers don't decide.
    """
    words = {name: summary_word(name) for name in lines.names}
    own = set(() if kept is None else kept)
    base = [i for i, name in enumerate(lines.names) if not words[name] or name in own]
    if len(base) < 2:
        return
    last, start = len(lines.names) - 1, 0  # the first line after the last that sums up
    near = dict(zip(base, _near_a_summary(lines.numbers[base]).tolist(), strict=True))
    for i, name in enumerate(lines.names):
        word = _settled(words[name], name, lines.scored)
        ends = i > last - 4 or (near.get(i, False) and i == 0)
        suspect = word or (ends and kind_of_name(name) != lines.scored)
        in_block = lines.scored == "data set" and 1 < i - start <= LONGEST_BLOCK
        beside_others = lines.scored == "method" and len(base) <= MOST_COMPANIONS
        if name in own or not (suspect or in_block or beside_others):
            continue  # all lines of 100,000 questions would be compared with each other
        others = [j for j in base if j != i]
        looked_at = lines.numbers[others] if suspect else lines.numbers[:0]
        above = [j for j in others if j < i] if suspect and i > last - 4 else []
        why = _what_it_is(lines.numbers[i], looked_at, named=bool(word), lines=len(lines.names)) or _what_it_is(
            lines.numbers[i], lines.numbers[above], named=bool(word), lines=len(lines.names)
        )
        if not why and in_block:
            block = [j for j in range(start, i) if j in near]
            called = bool(set(words_of(name)) & (SURE | MAYBE)) or name[:1] in "Ø∅"
            why = _what_it_is(lines.numbers[i], lines.numbers[block], named=called, lines=len(lines.names), least=2)
            why = why.replace("the others", "those above it")
        start = i + 1 if why or word == "sure" else start
        if lines.scored == "method" and not why and (beside := _stands_beside(name, [lines.names[j] for j in others])):
            yield Remark("left out", (name,), lines.what, f"it belongs to {beside!r}")
        elif why or word == "sure":
            yield Remark("left out", (name,), lines.what, why or "by name")
        elif word == "maybe" and others:
            yield from _undecided(lines, i, others, ask=ask)


def _near_a_summary(numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which lines may be the mean or deviation of the others, or their largest: a quick look at all of them at once."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        n = np.sum(~np.isnan(numbers), axis=0)
        sums, squares = np.nansum(numbers, axis=0), np.nansum(numbers**2, axis=0)
        mean = (sums - numbers) / (n - 1)
        deviation = np.sqrt(np.maximum((squares - numbers**2) / (n - 1) - mean**2, 0))
        near = 2 * 10.0 ** -_decimals(numbers) + 1e-6 * np.abs(numbers)
        off = [np.abs(guess - numbers) > near for guess in (mean, deviation * np.sqrt((n - 1) / (n - 2)))]
        found: NDArray[np.bool_] = (
            ~off[0].any(axis=1) | ~off[1].any(axis=1) | ~(numbers < np.nanmax(numbers, axis=0)).any(axis=1)
        )
        return found


def _settled(word: Word, name: str, scored: str) -> Word:
    """The word, where no data set has such a name."""
    return "sure" if word == "maybe" and scored == "data set" and plain_name(name) not in SHORT else word


def _undecided(lines: Lines, i: int, others: Sequence[int], *, ask: bool) -> Iterator[Remark]:
    """A line that is called like a summary and is none by arithmetic: one on another scale is left out.

    What lies inside of the others may be either; a mean or median that does not is a method, and so is a best that is
    not the best.
    """
    line, rest, name = lines.numbers[i], lines.numbers[others], lines.names[i]
    there = ~np.isnan(line) & ~np.isnan(rest).all(axis=0)
    if not there.any():
        yield Remark("left out", (name,), lines.what, "by name")
        return
    low, high = np.nanmin(rest[:, there], axis=0), np.nanmax(rest[:, there], axis=0)
    spread = max(float(np.nanmax(rest) - np.nanmin(rest)), 1e-12)
    outside = (line[there] < np.nanmin(rest) - spread) | (line[there] > np.nanmax(rest) + spread)
    if outside.mean() > 0.5:
        yield Remark("left out", (name,), lines.what, "by name, and on another scale")
    elif (
        ask
        and lines.scored == "method"
        and bool((line[there] >= low).all())
        and (plain_name(name) in ("max", "best") or (line[there] <= high).all())
    ):
        known = [str(lines.names[j]) for j in others]
        raise InputError(
            f"the {lines.what} {name!r} may sum up the others or be a {lines.scored}, and its numbers do not tell; say "
            f"methods={known!r} if it sums up, or add {name!r} to them (--methods {','.join(known)},{name})"
        )


def _stands_beside(name: str, others: Sequence[str]) -> str | None:
    """The method to which a line such as ``C4.5 std`` or ``rank_nb`` belongs; None if there is none."""
    words = words_of(name)
    for other in others:
        own = words_of(other)
        n = len(own)
        for rest in (words[n:] if words[:n] == own else [], words[:-n] if n and words[-n:] == own else []):
            if rest and set(rest) <= BESIDE:
                return other
    return f"{name[:-1].strip()}" if name.endswith("±") and name[:-1].strip() in others else None


def _ranks(rest: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks: NDArray[np.float64] = np.nanmean(np.argsort(np.argsort(-rest, axis=1), axis=1) + 1.0, axis=0)
    return ranks


FORMULAS: Mapping[str, Formula] = {
    "the mean of the others": lambda rest: np.nanmean(rest, axis=0),
    "the median of the others": lambda rest: np.nanmedian(rest, axis=0),
    "the largest of the others": lambda rest: np.nanmax(rest, axis=0),
    "the smallest of the others": lambda rest: np.nanmin(rest, axis=0),
    "the standard deviation of the others": lambda rest: np.nanstd(rest, axis=0, ddof=1),
    "their standard deviation, divided by n": lambda rest: np.nanstd(rest, axis=0),
    "the sum of the others": lambda rest: np.nansum(rest, axis=0),
    "the geometric mean of the others": lambda rest: np.exp(np.nanmean(np.log(rest), axis=0)),
    "the mean rank of the others": _ranks,
}  # fmt: skip
UNNAMED = (
    "the mean of the others", "the median of the others", "the standard deviation of the others",
    "their standard deviation, divided by n", "the sum of the others", "the mean rank of the others",
)  # fmt: skip


def _what_it_is(
    line: NDArray[np.float64], rest: NDArray[np.float64], *, named: bool, lines: int, least: int = 3
) -> str:
    """What a line is of the others by arithmetic, as far as they are printed; empty where it is nothing of them.

    A line that is not called like a summary must fit so well that chance can't explain it; one that is the largest of
    the others everywhere, now of this one and now of that one, is an oracle.
    """
    if len(rest) < 2 or rest.size > MOST_CELLS:
        return ""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # columns without any number
        there = ~np.isnan(line) & ~np.isnan(rest).all(axis=0)
        if not there.any():
            return ""
        line, rest = line[there], rest[:, there]
        near = 0.51 * 10.0 ** -_decimals(line) + 0.9 * 10.0 ** -_decimals(rest) / math.sqrt(len(rest))
        for why, formula in FORMULAS.items():
            if not named and why not in UNNAMED:
                continue
            if len(rest) >= 2 and bool((np.abs(formula(rest) - line) <= near).all()):
                spread = np.nanmax(rest, axis=0) - np.nanmin(rest, axis=0)
                tells = spread > 2 * near
                chance = lines * float(np.prod(2 * near / spread[tells]))
                if named or (len(rest) >= least and tells.sum() > 1 and chance < CHANCE):
                    return why
        return "" if named or not _is_oracle(line, rest) else "the largest of the others"


def _is_oracle(line: NDArray[np.float64], rest: NDArray[np.float64]) -> bool:
    best = np.nanmax(rest, axis=0)
    owners = {tuple(np.flatnonzero(rest[:, j] == best[j])) for j in range(rest.shape[1])}
    single = {owner[0] for owner in owners if len(owner) == 1}
    return rest.shape[1] >= 4 and len(single) > 1 and bool((line == best).all())


def _decimals(values: NDArray[np.float64]) -> int:
    """The most decimals with which some numbers are printed, at most 12.

    >>> _decimals(np.array([0.25, 3.0])), _decimals(np.array([93.0]))
    (2, 0)
    """
    known = values[np.isfinite(values)]
    return next((n for n in range(12) if bool((np.abs(np.round(known, n) - known) <= 1e-12 * np.abs(known)).all())), 12)
