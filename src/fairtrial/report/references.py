"""Where the procedures that were used come from, ready to be cited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fairtrial.stats import Comparisons
from fairtrial.verdict import Verdict

__all__ = ["Reference", "references"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A work in plain words, and where it can be read."""

    text: str
    url: str


def _doi(text: str, doi: str) -> Reference:
    return Reference(text, f"https://doi.org/{doi}")


DEMSAR = Reference(
    "Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. "
    "Journal of Machine Learning Research 7, 1–30.",
    "https://jmlr.org/papers/v7/demsar06a.html",
)
BENAVOLI = Reference(
    "Benavoli, A., Corani, G. & Mangili, F. (2016). Should we really use post-hoc tests based on mean-ranks? "
    "Journal of Machine Learning Research 17(5), 1–10.",
    "https://jmlr.org/papers/v17/benavoli16a.html",
)
NADEAU = _doi(
    "Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239–281.",
    "10.1023/A:1024068626366",
)
BOUCKAERT = _doi(
    "Bouckaert, R. R. & Frank, E. (2004). Evaluating the replicability of significance tests for comparing learning "
    "algorithms. PAKDD 2004, 3–12.",
    "10.1007/978-3-540-24775-3_3",
)
WILCOXON = _doi(
    "Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1(6), 80–83.",
    "10.2307/3001968",
)
HODGES = _doi(
    "Hodges, J. L. & Lehmann, E. L. (1963). Estimates of location based on rank tests. "
    "Annals of Mathematical Statistics 34, 598–611.",
    "10.1214/aoms/1177704172",
)
FRIEDMAN = _doi(
    "Friedman, M. (1937). The use of ranks to avoid the assumption of normality implicit in the analysis of variance. "
    "Journal of the American Statistical Association 32, 675–701.",
    "10.1080/01621459.1937.10503522",
)
MCNEMAR = _doi(
    "McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions or percentages. "
    "Psychometrika 12, 153–157.",
    "10.1007/BF02295996",
)
DIETTERICH = _doi(
    "Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification learning "
    "algorithms. Neural Computation 10, 1895–1923.",
    "10.1162/089976698300017197",
)
HOLM = Reference(
    "Holm, S. (1979). A simple sequentially rejective multiple test procedure. "
    "Scandinavian Journal of Statistics 6, 65–70.",
    "https://www.jstor.org/stable/4615733",
)
HOCHBERG = _doi(
    "Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of significance. Biometrika 75, 800–802.",
    "10.1093/biomet/75.4.800",
)
BENJAMINI_HOCHBERG = _doi(
    "Benjamini, Y. & Hochberg, Y. (1995). Controlling the false discovery rate. "
    "Journal of the Royal Statistical Society B 57, 289–300.",
    "10.1111/j.2517-6161.1995.tb02031.x",
)
BENJAMINI_YEKUTIELI = _doi(
    "Benjamini, Y. & Yekutieli, D. (2001). The control of the false discovery rate in multiple testing under "
    "dependency. Annals of Statistics 29, 1165–1188.",
    "10.1214/aos/1013699998",
)

OF_TEST = {
    "Wilcoxon signed ranks": (WILCOXON, HODGES, DEMSAR, BENAVOLI),
    "Corrected resampled t": (NADEAU, BOUCKAERT),
    "McNemar": (MCNEMAR, DIETTERICH),
}
OF_ADJUSTMENT = {"holm": HOLM, "hochberg": HOCHBERG, "bh": BENJAMINI_HOCHBERG, "by": BENJAMINI_YEKUTIELI}


def references(verdict: Verdict) -> tuple[Reference, ...]:
    """The works behind the procedures of a verdict, in the order of their authors."""
    return tuple(sorted(set(_used(verdict)), key=lambda r: r.text))


def _used(verdict: Verdict) -> Iterator[Reference]:
    for comparisons in _all_comparisons(verdict):
        for outcome in comparisons.outcomes:
            yield from OF_TEST.get(outcome.test, ())
        if len(comparisons.pairs) > 1 and comparisons.adjusted in OF_ADJUSTMENT:
            yield OF_ADJUSTMENT[comparisons.adjusted]
    if verdict.omnibus is not None:
        yield FRIEDMAN
    if any(d.known for d in verdict.evidence.dependence):
        yield NADEAU


def _all_comparisons(verdict: Verdict) -> Iterator[Comparisons]:
    for finding in (verdict.finding, *verdict.parts.values()):
        if finding.comparisons is not None:
            yield finding.comparisons
