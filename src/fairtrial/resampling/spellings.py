"""Schemes as people write them."""

from __future__ import annotations

import re
from collections.abc import Callable

from fairtrial.errors import InputError
from fairtrial.resampling.bates import NestedKFold
from fairtrial.resampling.bootstrap import Bootstrap
from fairtrial.resampling.folds import FiveByTwo, Forward, GroupKFold, KFold, LeaveOneOut, RepeatedKFold
from fairtrial.resampling.holdout import Holdout, Resubstitution, Seeds, TrainValidationTest
from fairtrial.resampling.own_splits import OwnSplits, SplitterSplits, read_splits
from fairtrial.resampling.scheme import Resampling

SCHEMES: tuple[type[Resampling], ...] = (
    Resubstitution,
    Holdout,
    TrainValidationTest,
    KFold,
    RepeatedKFold,
    FiveByTwo,
    LeaveOneOut,
    Bootstrap,
    GroupKFold,
    Forward,
    NestedKFold,
    OwnSplits,
    SplitterSplits,
)

TIMES = r"(?:(\d+)\s*x\s*)?"
FOLDS = r"(\d+)[\s-]*folds?(?:\s*(?:cv|cross[\s-]*validation))?"


def parse(text: str) -> Resampling:
    """A scheme from the way people write it.

    >>> parse("10x10-fold")
    RepeatedKFold(folds=10, repeats=10, stratify=True)
    >>> parse("5-fold"), parse("30x holdout 0.5")
    (KFold(folds=5, stratify=True), Holdout(test_share=0.5, repeats=30, stratify=True))
    >>> parse("grouped 5-fold"), parse("forward 6")
    (GroupKFold(folds=5, repeats=1, stratify=True), Forward(folds=6, window=None, gap=0))
    >>> parse(".632 bootstrap 100")
    Bootstrap(samples=100, apparent=True)
    >>> parse("5 seeds")
    Seeds(seeds=5)
    """
    if isinstance(text, str) and text.strip().lower().endswith(".csv"):
        return read_splits(text.strip())
    wanted = str(text).strip().lower().replace("×", "x")
    for pattern, build in SPELLINGS:
        if found := re.fullmatch(pattern, wanted):
            return build(*found.groups())
    raise InputError(
        "resampling must read like '10-fold', '10x10-fold', 'holdout 0.3', '30x holdout 0.3', '60/20/20', '5x2', "
        "'leave-one-out', 'bootstrap 200', 'grouped 10-fold', 'forward 5', '10x nested 10-fold', 'resubstitution', "
        f"'splits.csv' or, for scores that exist, '5 seeds', got {text!r}"
    )


def _folds(repeats: str | None, folds: str) -> Resampling:
    return KFold(int(folds)) if int(repeats or 1) == 1 else RepeatedKFold(int(folds), int(repeats or 1))


def _holdout(repeats: str | None, share: str | None, percent: str | None) -> Resampling:
    return Holdout(float(share) / (100 if percent else 1) if share else 1 / 3, int(repeats or 1))


def _three_parts(repeats: str | None, train: str, validation: str, test: str) -> Resampling:
    parts = [float(part) for part in (train, validation, test)]
    whole = sum(parts)
    if abs(whole - 100) > 1e-9 and abs(whole - 1) > 1e-9:
        raise InputError(f"train, validation and test must add up to 100 (or to 1), got {whole:g}")
    return TrainValidationTest(round(parts[1] / whole, 12), round(parts[2] / whole, 12), int(repeats or 1))


def _grouped(before: str | None, after: str | None, folds: str) -> Resampling:
    return GroupKFold(int(folds), int(before or after or 1))


def _bootstrap(apparent: str | None, samples: str | None) -> Resampling:
    return Bootstrap(int(samples or 200), apparent=apparent is not None)


def _nested(before: str | None, after: str | None, folds: str) -> Resampling:
    return NestedKFold(int(folds), int(before or after or 1))


SPELLINGS: tuple[tuple[str, Callable[..., Resampling]], ...] = (
    (TIMES + FOLDS, _folds),
    (TIMES + r"holdout(?:\s+(?:of\s+)?(\d*\.?\d+)\s*(%)?)?", _holdout),
    (TIMES + r"(\d*\.?\d+)\s*/\s*(\d*\.?\d+)\s*/\s*(\d*\.?\d+)", _three_parts),
    (r"5\s*x\s*2(?:\s*(?:cv|cross[\s-]*validation))?", FiveByTwo),
    (r"leave[\s-]*one[\s-]*out|loo(?:cv)?", LeaveOneOut),
    (r"resubstitution(?: \(optimistic\))?", Resubstitution),
    (r"(\.632\s+)?bootstrap(?:\s+(?:of\s+)?(\d+))?(?:, out of bag)?", _bootstrap),
    (TIMES + r"group(?:ed)?\s+" + TIMES + FOLDS, _grouped),
    (TIMES + r"nested\s+" + TIMES + FOLDS, _nested),
    (r"(\d+)\s*(?:x\s*)?(?:random\s+)?seeds?", lambda seeds: Seeds(int(seeds))),
    (r"forward(?:\s+in\s+time)?(?:\s+(\d+))?", lambda folds: Forward(int(folds or 5))),
)
