"""The yardstick of predictions from elsewhere: one answer for all instances, as a study has it from its baselines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairtrial.errors import InputError
from fairtrial.measures import Predictions
from fairtrial.measures.bulk import compute_on, losses_on
from fairtrial.results.trivial import may_be_trivial

if TYPE_CHECKING:
    from fairtrial.results import Results
    from fairtrial.verdict.evidence import Evidence


def refuse_as_control(results: Results) -> None:
    """Refuse the yardstick of predictions from elsewhere as a control: it is no method of the file."""
    control, made_here = results.question.control, results.definition is None and results.source is not None
    if made_here and control in ("majority", "mean") and control not in results.method_names():
        raise InputError(
            f"control must be a method of the file, but {control!r} is the yardstick that is made of the tested "
            "instances; bring its answers as predictions of a method, or leave control out"
        )


def with_trivial_answer(evidence: Evidence, results: Results) -> Evidence:
    """The evidence with the most frequent class, or the mean, of the tested instances as a yardstick.

    The training data of predictions from elsewhere are not known, so that the tested ones decide what is most frequent.
    Nothing is added where a study has its own yardstick, or where a trivial method is among those that are compared.
    """
    source = results.source
    if results.definition is not None or source is None or evidence.yardsticks or evidence.measure.from_trials:
        return evidence
    if any(map(may_be_trivial, evidence.methods)):
        return evidence
    trivial = [_trivial(source.predictions(d, evidence.methods[0])) for d in evidence.datasets]
    measure = evidence.measure.name
    columns = [compute_on(p, [measure])[measure] for p in trivial]
    if any(len(own) != len(folds) for own, folds in zip(columns, evidence.folds, strict=True)):
        return evidence
    losses, alone = evidence.losses, trivial[0]
    if losses is not None and not evidence.clustered:
        losses = np.column_stack([losses, losses_on(alone, measure)])
    return replace(
        evidence,
        yardsticks=("majority" if alone.n_classes else "mean",),
        folds=tuple(np.column_stack([own, more]) for own, more in zip(evidence.folds, columns, strict=True)),
        losses=losses,
        predictions=None if evidence.predictions is None else (*evidence.predictions, alone),
        failed=None if evidence.failed is None else np.pad(evidence.failed, ((0, 0), (0, 1))),
    )


def _trivial(like: Predictions) -> Predictions:
    """The same answer for all instances: the most frequent class, with the shares of all as probabilities; the mean.

    With the mean come the standard deviation and the quantiles of the tested instances. The naive errors of their
    series are known, not predicted.
    """
    n = len(like.truth)
    if not like.n_classes:
        values = {"value": np.full(n, like.truth.mean()), "std": np.full(n, like.truth.std())}
        values |= {name: like.channels[name] for name in ("levels", "naive_scale") if name in like.channels}
        if "levels" in values:
            values["quantiles"] = np.tile(np.quantile(like.truth, values["levels"][0]), (n, 1))
        return like.with_channels(values)
    counts = np.bincount(like.truth, minlength=like.n_classes)
    channels = {"label": np.full(n, counts.argmax()), "probability": np.tile(counts / n, (n, 1))}
    return replace(like, channels=channels, _made={})
