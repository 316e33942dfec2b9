"""Two equal learners on one data set, cross-validated: how often a difference is called that is not there.

The null is exact. The features are two blocks that are exchangeable, given the class; the same learner sees the first
block, and as the second method the other block. So both have the same expected accuracy, for every training size.

Dietterich's null: two different learners of equal expected accuracy, on the same instances.

The nearest neighbour sees the features. Linear discriminants see the same features with noise, so much of it that both
have the same expected accuracy at this number of training instances.

Quick learners for the lab: all folds of all repeats of a cross-validation at once.

Each takes features, classes 0 and 1, and the fold of each instance in each repeat (rows), and gives whether each
instance was predicted right when its fold was tested. They are the textbook methods, written so that thousands of
cross-validations take a minute; scikit-learn's give the same predictions, one fold after the other.

What Bayesian tests say of equal methods: how often one side has a high probability although there is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from fairtrial.lab.lab_runs import Counts, Experiment, Limit
from fairtrial.lab.score_worlds import count_claims
from fairtrial.resampling import Dependence
from fairtrial.stats import Posterior, bayes_correlated_t, bayes_signed_rank, five_by_two_f, five_by_two_t
from fairtrial.stats.score_arrays import BoolArray, FloatArray, IntArray

Learner = Callable[[FloatArray, IntArray, IntArray], BoolArray]

NEIGHBOURS = 120  # of which one is nearly surely in another fold; all are looked at where there are fewer
LEAST_VARIANCE = 1e-9


def draw_folds(generator: np.random.Generator, y: IntArray, repeats: int, k: int) -> IntArray:
    """The fold of each instance in each repeat (rows), stratified by class."""
    folds = np.empty((repeats, len(y)), dtype=np.int64)
    for r in range(repeats):
        dealt = 0
        for c in (0, 1):
            own = generator.permutation(np.flatnonzero(y == c))
            folds[r, own] = (dealt + np.arange(len(own))) % k
            dealt += len(own)
    return folds


def fold_scores(right: BoolArray, folds: IntArray) -> FloatArray:
    """The accuracy in each fold (columns) of each repeat (rows)."""
    k = int(folds.max()) + 1
    counted = [np.bincount(f, r, k) / np.bincount(f, minlength=k) for f, r in zip(folds, right, strict=True)]
    return np.stack(counted)


def one_nearest(x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    """1-nearest-neighbour: the class of the nearest instance in another fold."""
    squares = (x**2).sum(axis=1)
    distance = squares[:, None] + squares - 2 * x @ x.T
    np.fill_diagonal(distance, np.inf)
    most = min(len(x) - 1, NEIGHBOURS)
    near = np.argpartition(distance, most - 1, axis=1)[:, :most]
    order = np.take_along_axis(near, np.take_along_axis(distance, near, axis=1).argsort(axis=1), axis=1)
    rows = np.arange(len(y))
    return np.stack([y[order[rows, (f[order] != f[:, None]).argmax(axis=1)]] == y for f in folds])


def linear_discriminant(x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    """Linear discriminant analysis, from sums over the training rows of each fold."""
    right = np.empty(folds.shape, dtype=np.bool_)
    for r, f in enumerate(folds):
        count, sums, products = _training_sums(x, y, f)
        mean = sums / count[..., None]
        within = products - count[..., None, None] * mean[..., :, None] * mean[..., None, :]
        pooled = within.sum(axis=1) / (count.sum(axis=1) - 2)[:, None, None] + LEAST_VARIANCE * np.eye(x.shape[1])
        weights = np.linalg.solve(pooled, (mean[:, 1] - mean[:, 0])[..., None])[..., 0]
        offset = -0.5 * ((mean[:, 1] + mean[:, 0]) * weights).sum(axis=1) + np.log(count[:, 1] / count[:, 0])
        right[r] = ((x * weights[f]).sum(axis=1) + offset[f] > 0) == y
    return right


def naive_bayes(x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    """Gaussian naive Bayes, from sums over the training rows of each fold."""
    right = np.empty(folds.shape, dtype=np.bool_)
    for r, f in enumerate(folds):
        count, sums, products = _training_sums(x, y, f)
        mean = sums / count[..., None]
        variance = np.diagonal(products, axis1=2, axis2=3) / count[..., None] - mean**2 + LEAST_VARIANCE
        score = [
            np.log(count[f, c]) - 0.5 * ((x - mean[f, c]) ** 2 / variance[f, c] + np.log(variance[f, c])).sum(axis=1)
            for c in (0, 1)
        ]
        right[r] = (score[1] > score[0]) == y
    return right


NEWTON_STEPS = 6


def logistic(x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    """Logistic regression with a ridge of 1, as scikit-learn's default; all folds in one Newton step."""
    rows = np.column_stack([x, np.ones(len(y))])
    ridge = np.diag([*[1.0] * x.shape[1], LEAST_VARIANCE])
    right = np.empty(folds.shape, dtype=np.bool_)
    for r, f in enumerate(folds):
        training = (f != np.arange(f.max() + 1)[:, None]).astype(float)
        weights = np.zeros((len(training), rows.shape[1]))
        for _ in range(NEWTON_STEPS):
            chance = 1 / (1 + np.exp(-(weights @ rows.T)))
            slope = ((y - chance) * training) @ rows - weights @ ridge
            spread = chance * (1 - chance) * training
            curve = np.einsum("kn,ni,nj->kij", spread, rows, rows, optimize=True) + ridge
            weights = weights + np.linalg.solve(curve, slope[..., None])[..., 0]
        right[r] = ((rows * weights[f]).sum(axis=1) > 0) == y
    return right


def tree(x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    """scikit-learn's decision tree, fold after fold."""
    from sklearn.tree import DecisionTreeClassifier

    return _fold_by_fold(lambda: DecisionTreeClassifier(random_state=0), x, y, folds)


def support_vectors(x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    """scikit-learn's support vector machine with a radial kernel, fold after fold."""
    from sklearn.svm import SVC

    return _fold_by_fold(SVC, x, y, folds)


def boosting(x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    """Ten boosted trees of depth 2 by scikit-learn, fold after fold."""
    from sklearn.ensemble import GradientBoostingClassifier

    return _fold_by_fold(lambda: GradientBoostingClassifier(n_estimators=10, max_depth=2, random_state=0), x, y, folds)


def _fold_by_fold(make: Callable[[], Any], x: FloatArray, y: IntArray, folds: IntArray) -> BoolArray:
    right = np.empty(folds.shape, dtype=np.bool_)
    for r, f in enumerate(folds):
        for k in range(int(f.max()) + 1):
            test = f == k
            right[r, test] = make().fit(x[~test], y[~test]).predict(x[test]) == y[test]
    return right


def _training_sums(x: FloatArray, y: IntArray, f: IntArray) -> tuple[FloatArray, FloatArray, npt.NDArray[np.float64]]:
    """Counts, sums and sums of products of the training rows of each fold (first axis) and class (second)."""
    k, p = int(f.max()) + 1, x.shape[1]
    count, sums, products = np.zeros((k, 2)), np.zeros((k, 2, p)), np.zeros((k, 2, p, p))
    for fold in range(k):
        for c in (0, 1):
            rows = x[(f == fold) & (y == c)]
            count[fold, c], sums[fold, c], products[fold, c] = len(rows), rows.sum(axis=0), rows.T @ rows
    return count.sum(axis=0) - count, sums.sum(axis=0) - sums, products.sum(axis=0) - products


LEARNERS: Mapping[str, Learner] = {
    "1-NN": one_nearest,
    "LDA": linear_discriminant,
    "naive Bayes": naive_bayes,
    "tree": tree,
    "logistic": logistic,
    "SVM": support_vectors,
    "boosting": boosting,
}
QUICK = ("1-NN", "LDA", "naive Bayes", "tree")
SLOW = ("tree", "SVM", "boosting")


FEATURES = 5  # in each block
REPEATS = 10
FACTORS = (1.0, 1.5, 1.75, 2.0)
"""What test/train is multiplied by in the variance of a mean over repeated folds."""

FAMILY = 20  # data sets or pairs that are judged together: each at 0.05/20
PLAIN = "plain paired t-test"  # the correction with factor 0
ERRORS = Limit("at most", 0.05)
RARE = Limit("at most", 0.05 / FAMILY)
COVERAGE = Limit("at least", 0.93)


class Pair(Protocol):
    """Two methods of equal expected accuracy, cross-validated on one data set."""

    @property
    def name(self) -> str: ...

    @property
    def folds(self) -> int: ...

    @property
    def level(self) -> float | None:
        """The expected accuracy of the first method, where it is known."""
        ...

    def scores(self, generator: np.random.Generator, repeats: int) -> FloatArray:
        """The accuracy of both methods (first axis) in each fold (last) of each repeat."""
        ...


@dataclass(frozen=True, slots=True)
class Blocks:
    """A learner on ``n`` instances whose classes lie ``2·shift`` standard deviations apart in each feature."""

    learner: str
    n: int
    folds: int
    shift: float = 0.35

    @property
    def name(self) -> str:
        chance = ", near chance" if self.shift < 0.2 else ""
        return f"{self.learner}, n = {self.n:,}, {self.folds}-fold{chance}"

    @property
    def level(self) -> float | None:
        return EXPECTED.get((self.learner, self.n, self.folds, self.shift))

    def scores(self, generator: np.random.Generator, repeats: int) -> FloatArray:
        y = generator.permutation(np.arange(self.n) % 2)
        folds = draw_folds(generator, y, repeats, self.folds)
        blocks = generator.normal(size=(2, self.n, FEATURES)) + self.shift * (2 * y[:, None] - 1)
        return np.stack([fold_scores(LEARNERS[self.learner](x, y, folds), folds) for x in blocks])


def experiments() -> Iterator[Experiment]:
    """All learners, sizes and numbers of folds; last 5×2-fold cross-validation."""
    for learner in QUICK:
        for n in (100, 300, 1000):
            for folds in (10, 5):
                yield compared(Blocks(learner, n, folds))
        yield compared(Blocks(learner, 100, 10, shift=0.1))
    for learner in QUICK:
        for n in (100, 300):
            yield halved(Blocks(learner, n, 2))


def compared(pair: Pair) -> Experiment:
    """An experiment on the corrected t-test, of a single k-fold and of repeats."""
    limits = {
        _claim("a difference", 1, pair.folds, 1.0): ERRORS,
        _claim("the level is covered", 1, pair.folds, 1.0): COVERAGE,
    }
    for repeats in (3, REPEATS):
        factor = recommended(repeats, pair.folds)
        limits[_claim("a difference", repeats, pair.folds, factor)] = ERRORS
        limits[_claim("a difference", repeats, pair.folds, factor, rare=True)] = RARE
        limits[_claim("the level is covered", repeats, pair.folds, factor)] = COVERAGE
    return Experiment("one data set", pair.name, partial(simulate, pair), limits, block=50)


def halved(pair: Pair) -> Experiment:
    """An experiment on the tests of five repeats of 2-fold cross-validation, which no rule recommends."""
    return Experiment("one data set", pair.name, partial(_five_by_two, pair), block=50)


def recommended(repeats: int, folds: int) -> float:
    """The factor that verdicts use for repeated k-fold cross-validation."""
    return Dependence("", repeats=repeats, folds=folds, test_share=1 / folds).overlap


SCHEMES = "resampling schemes"
TIMES = 30  # random holdouts, or bootstrap samples
SHARES = (0.1, 0.33, 0.5)


def scheme_experiments() -> Iterator[Experiment]:
    """Seven learners by 10-fold, once and ten times, and by 30 random holdouts of three sizes."""
    for learner in LEARNERS:
        for n in (60, 100) if learner in SLOW else (60, 100, 300, 1000):
            limits = {f"{name}: a difference": ERRORS for name in _schemes()}
            block = 10 if learner in SLOW else 50
            yield Experiment(SCHEMES, f"{learner}, n = {n:,}", partial(by_scheme, learner, n), limits, block=block)


def _schemes() -> Mapping[str, Dependence]:
    known = {f"{r}×10-fold" if r > 1 else "10-fold": Dependence("", r, 10, 0.1) for r in (1, 10)}
    return known | {f"{TIMES}×holdout {share:g}": Dependence("", TIMES, 1, share) for share in SHARES}


def draw_holdouts(generator: np.random.Generator, y: IntArray, share: float) -> IntArray:
    """Random stratified holdouts (rows): 1 where an instance is tested."""
    drawn = np.zeros((TIMES, len(y)), dtype=np.int64)
    for row in drawn:
        for c in (0, 1):
            own = generator.permutation(np.flatnonzero(y == c))
            row[own[: round(share * len(own))]] = 1
    return drawn


def by_scheme(learner: str, n: int, generator: np.random.Generator, runs: int, shift: float = 0.35) -> Counts:
    """Count the differences that the corrected t-test calls between two equal learners, by scheme.

    Beside it Nadeau and Bengio's factor 1, and how often a lead that is added to the first learner's scores (about
    three standard errors of independent instances) is found.
    """
    makes = LEARNERS[learner]
    counts: Counts = {}

    def count(name: str, d: FloatArray, known: Dependence) -> None:
        ratio = known.test_share / (1 - known.test_share)
        lead = 3.0 * math.sqrt(0.35 / n)
        for text, factor in (("", known.overlap), (" with factor 1", 1.0)):
            for claim, moved in (("a difference", d), ("a true difference is found", d + lead)):
                found = int(rejects_at(moved[None], factor * ratio, 0.05).sum())
                old = counts.get(f"{name}{text}: {claim}", (0, 0))
                counts[f"{name}{text}: {claim}"] = old[0] + found, old[1] + 1

    for _ in range(runs):
        y = generator.permutation(np.arange(n) % 2)
        blocks = generator.normal(size=(2, n, FEATURES)) + shift * (2 * y[:, None] - 1)
        folds = draw_folds(generator, y, REPEATS, 10)
        a, b = (fold_scores(makes(x, y, folds), folds) for x in blocks)
        for name, known in _schemes().items():
            if known.folds > 1:
                count(name, (a - b)[: known.repeats].ravel(), known)
                continue
            tested = draw_holdouts(generator, y, known.test_share)
            first, second = (fold_scores(makes(x, y, tested), tested)[:, 1] for x in blocks)
            count(name, first - second, known)
    return counts


def _claim(what: str, repeats: int, folds: int, factor: float, *, rare: bool = False) -> str:
    scheme = f"{repeats}×{folds}-fold" if repeats > 1 else f"{folds}-fold"
    return f"{scheme}, {f'factor {factor:g}' if factor else PLAIN}: {what}{f' at 0.05/{FAMILY}' if rare else ''}"


def simulate(pair: Pair, generator: np.random.Generator, runs: int) -> Counts:
    """Count the differences that the corrected t-test calls, with each factor, and the levels that it covers.

    The repeats of a shorter scheme are the first ones of the longer. Factor 0 is the plain paired t-test over folds.
    """
    scores = np.stack([pair.scores(generator, REPEATS) for _ in range(runs)])
    counts: Counts = {}
    for repeats in (1, 3, REPEATS):
        part = scores[:, :, :repeats].reshape(runs, 2, -1)
        d = part[:, 0] - part[:, 1]
        for factor in sorted({*FACTORS, recommended(repeats, pair.folds)}):
            for alpha, rare in ((0.05, False), (0.05 / FAMILY, True)):
                found = rejects(d, pair.folds, factor, alpha)
                counts[_claim("a difference", repeats, pair.folds, factor, rare=rare)] = (int(found.sum()), runs)
            if pair.level is not None:
                missed = rejects(part[:, 0] - pair.level, pair.folds, factor, 0.05)
                held = int(runs - missed.sum())
                counts[_claim("the level is covered", repeats, pair.folds, factor)] = (held, runs)
        naive = rejects(d, pair.folds, 0.0, 0.05)
        counts[_claim("a difference", repeats, pair.folds, 0.0)] = (int(naive.sum()), runs)
    means = (scores[:, 0] - scores[:, 1]).mean(axis=2)
    plain = rejects(means, pair.folds, 0.0, 0.05)
    counts[f"{REPEATS}×{pair.folds}-fold, t over the means of repeats: a difference"] = (int(plain.sum()), runs)
    return counts


def rejects(d: FloatArray, folds: int, factor: float, alpha: float) -> FloatArray:
    """Whether the mean of each row differs from 0, by t with the variance (1/J + factor · test/train) · s²."""
    return rejects_at(d, factor / (folds - 1), alpha)


def rejects_at(d: FloatArray, ratio: float, alpha: float) -> FloatArray:
    """Whether the mean of each row differs from 0, by t with the variance (1/J + ratio) · s²."""
    j = d.shape[1]
    error = np.sqrt((1 / j + ratio) * d.var(axis=1, ddof=1))
    mean = np.abs(d.mean(axis=1))
    t = np.divide(mean, error, out=np.where(mean > 0, math.inf, 0.0), where=error > 0)
    return np.asarray(t > -stdtrit(j - 1, alpha / 2), dtype=np.float64)


def _five_by_two(pair: Pair, generator: np.random.Generator, runs: int) -> Counts:
    """The combined 5×2 cv F-test, which is liberal for 1-NN and near chance, and the 5×2 cv t-test."""

    def one() -> dict[str, bool]:
        a, b = pair.scores(generator, 5)
        return {
            "5×2 cv F: a difference": five_by_two_f(a - b).p_value < 0.05,
            "5×2 cv t: a difference": five_by_two_t(a - b).p_value < 0.05,
        }

    return count_claims(one, runs)


EXPECTED: dict[tuple[str, int, int, float], float] = {
    ("1-NN", 100, 10, 0.35): 0.6755,
    ("1-NN", 100, 5, 0.35): 0.6745,
    ("1-NN", 300, 10, 0.35): 0.6846,
    ("1-NN", 300, 5, 0.35): 0.6830,
    ("1-NN", 1000, 10, 0.35): 0.6906,
    ("1-NN", 1000, 5, 0.35): 0.6902,
    ("1-NN", 100, 10, 0.1): 0.5191,
    ("LDA", 100, 10, 0.35): 0.7693,
    ("LDA", 100, 5, 0.35): 0.7667,
    ("LDA", 300, 10, 0.35): 0.7787,
    ("LDA", 300, 5, 0.35): 0.7776,
    ("LDA", 1000, 10, 0.35): 0.7814,
    ("LDA", 1000, 5, 0.35): 0.7811,
    ("LDA", 100, 10, 0.1): 0.5608,
    ("naive Bayes", 100, 10, 0.35): 0.7647,
    ("naive Bayes", 100, 5, 0.35): 0.7621,
    ("naive Bayes", 300, 10, 0.35): 0.7775,
    ("naive Bayes", 300, 5, 0.35): 0.7762,
    ("naive Bayes", 1000, 10, 0.35): 0.7811,
    ("naive Bayes", 1000, 5, 0.35): 0.7808,
    ("naive Bayes", 100, 10, 0.1): 0.5510,
    ("tree", 100, 10, 0.35): 0.6616,
    ("tree", 100, 5, 0.35): 0.6598,
    ("tree", 300, 10, 0.35): 0.6729,
    ("tree", 300, 5, 0.35): 0.6725,
}
"""The expected accuracy of a learner, by number of instances, folds and shift: the mean of 700 runs or more.

Its Monte Carlo error is about 0.001 at most. The worlds that are not here have no rows on intervals of levels.
"""


SHIFT = 0.35


@dataclass(frozen=True, slots=True)
class Rivals:
    """1-nearest-neighbour against linear discriminants on ``n`` instances."""

    n: int
    folds: int

    @property
    def name(self) -> str:
        return f"1-NN against LDA, n = {self.n:,}, {self.folds}-fold"

    @property
    def level(self) -> float | None:
        return EXPECTED.get(("1-NN", self.n, self.folds, SHIFT))

    @property
    def noise(self) -> float:
        """The standard deviation of the noise that linear discriminants see."""
        return math.sqrt((SHIFT / SHIFT_LEFT[self.n, self.folds]) ** 2 - 1)

    def scores(self, generator: np.random.Generator, repeats: int) -> FloatArray:
        y = generator.permutation(np.arange(self.n) % 2)
        folds = draw_folds(generator, y, repeats, self.folds)
        clear = generator.normal(size=(self.n, FEATURES)) + SHIFT * (2 * y[:, None] - 1)
        noisy = clear + self.noise * generator.normal(size=clear.shape)
        right = one_nearest(clear, y, folds), linear_discriminant(noisy, y, folds)
        return np.stack([fold_scores(r, folds) for r in right])


def rival_experiments() -> Iterator[Experiment]:
    """Two sizes, each cross-validated and halved five times."""
    for n in (100, 300):
        yield compared(Rivals(n, 10))
        yield halved(Rivals(n, 2))


SHIFT_LEFT: dict[tuple[int, int], float] = {
    (100, 10): 0.2285,
    (300, 10): 0.2230,
    (100, 2): 0.2375,
    (300, 2): 0.2242,
}
"""The distance between the classes (in standard deviations with noise, halved) that makes both equally accurate.

By number of instances and folds. They were found by simulation: the expected accuracies differ by about 0.001 at most.
"""


GRID = "Bayesian tests"
SURE = 0.95
DRAWS = 2000  # enough to see on which side of 95 % a probability lies in nearly all runs
ROPES = (0.0, 0.2)  # in standard deviations of a difference, over data sets
SMALL_ROPE = 0.01


def bayesian_experiments() -> Iterator[Experiment]:
    """Equal methods over data sets, and equal learners on one data set. These are shown and have no limit."""
    for n in (10, 30):
        yield Experiment(GRID, f"two equal methods × {n} data sets", partial(_over_datasets, n))
    for learner, n in (("1-NN", 100), ("LDA", 100), ("1-NN", 300)):
        world = f"two equal {learner}, n = {n}, {REPEATS}×10-fold"
        yield Experiment(GRID, world, partial(_on_one, Blocks(learner, n, 10)), block=50)


def _over_datasets(n: int, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        d = generator.normal(size=n)
        claims: dict[str, bool] = {}
        for rope in ROPES:
            found = bayes_signed_rank(d, np.zeros(n), rope=rope, draws=DRAWS)
            claims |= _claims(f"signed rank, rope {rope:g} SD", found)
        return claims

    return count_claims(one, runs)


def _on_one(blocks: Blocks, generator: np.random.Generator, runs: int) -> Counts:
    def one() -> dict[str, bool]:
        a, b = (scores.ravel() for scores in blocks.scores(generator, REPEATS))
        claims: dict[str, bool] = {}
        for rope in (0.0, SMALL_ROPE):
            found = bayes_correlated_t(a, b, test_share=1 / blocks.folds, rope=rope)
            claims |= _claims(f"correlated t, rope {rope:g}", found)
        return claims

    return count_claims(one, runs)


def _claims(test: str, found: Posterior) -> dict[str, bool]:
    claims = {f"{test}: one side above {100 * SURE:g} %": max(found.left, found.right) > SURE}
    if found.rope:
        claims[f"{test}: equivalent above {100 * SURE:g} %"] = found.equivalent > SURE
    return claims
