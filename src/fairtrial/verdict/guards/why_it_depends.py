"""Why the better method changes from data set to data set: a property of the data that goes with the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fairtrial.statements import Remark, Role, Text
from fairtrial.stats.score_arrays import doubled_midranks
from fairtrial.tables import formats
from fairtrial.words import plural

if TYPE_CHECKING:
    from fairtrial.results import Results
    from fairtrial.verdict.evidence import Evidence
    from fairtrial.verdict.finding import Finding

FEWEST = 10  # data sets, below which a correlation says nothing
DRAWS = 4999

PROPERTIES: Mapping[str, Callable[[Mapping[str, Any]], float | None]] = {
    "the number of instances": lambda f: f.get("n"),
    "the number of features": lambda f: f.get("p"),
    "the number of classes": lambda f: len(f["classes"]) if f.get("classes") else None,
    "the share of the largest class": lambda f: max(f["balance"]) if f.get("balance") else None,
    "the share of missing values": lambda f: f.get("missing"),
    "the share of nominal features": lambda f: f.get("nominal"),
}
"""Properties of data sets; what one rule (1R) reaches is the seventh, where it was run."""


def what_it_depends_on(results: Results, evidence: Evidence, finding: Finding) -> Remark | None:
    """A remark on the property that goes with the difference of the two leading methods, where one shows.

    Spearman's correlation of each property with the differences; the p-value of the largest is that of permutations of
    the data sets, of all properties jointly. Only where each of the two methods is better on some data sets.
    """
    compared = finding.compared
    if compared is None or compared.spread is None or len(evidence.datasets) < FEWEST or len(finding.order) < 2:
        return None
    first = finding.winner or finding.order[0]
    second = next(m for m in finding.order if m != first)
    a, b = (evidence.methods.index(m) for m in (first, second))
    d = evidence.sign * (evidence.comparable[:, a] - evidence.comparable[:, b])
    if not ((d > 0).any() and (d < 0).any()):
        return None
    known = _known(results, evidence)
    if not known:
        return None
    name, rho, p = _largest(d, known)
    if not p < 1 - results.question.level:
        return None
    gains = "gains on" if rho > 0 else "loses against"
    among = f"the largest of {plural(len(known), 'property', 'properties')}"
    text = (
        f"why it depends: {first} {gains} {second} with {name} (Spearman {formats.fixed(2)(rho)} over "
        f"{plural(len(d), 'data set')}, {among}, {formats.p_equals(p)})"
    )
    return Remark(Role.STABILITY, Text(text), "why it depends", 3)


def _known(results: Results, evidence: Evidence) -> dict[str, npt.NDArray[np.float64]]:
    """The properties that are known of all data sets and vary."""
    facts = [results.datasets.get(d, {}) for d in evidence.datasets]
    found = {name: [read(f) for f in facts] for name, read in PROPERTIES.items()}
    columns = {n: np.array(v, dtype=np.float64) for n, v in found.items() if all(x is not None for x in v)}
    if "one_rule" in evidence.columns:
        columns["what one rule (1R) reaches"] = evidence.means[:, evidence.columns.index("one_rule")]
    return {name: values for name, values in columns.items() if len(np.unique(values)) > 2}


def _largest(d: npt.NDArray[np.float64], known: Mapping[str, npt.NDArray[np.float64]]) -> tuple[str, float, float]:
    """The property with the largest absolute rank correlation, the correlation, and its p-value among all."""
    x = np.stack([_standard(doubled_midranks(values)) for values in known.values()], axis=1)
    y = _standard(doubled_midranks(d))
    rho = y @ x
    generator = np.random.default_rng(0)
    permuted = np.stack([generator.permutation(y) for _ in range(DRAWS)]) @ x
    best = int(np.abs(rho).argmax())
    p = (1 + int((np.abs(permuted).max(axis=1) >= np.abs(rho[best]) - 1e-12).sum())) / (1 + DRAWS)
    return list(known)[best], float(rho[best]), p


def _standard(ranks: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    centred = ranks - ranks.mean()
    return np.asarray(centred / np.sqrt((centred**2).sum()))
