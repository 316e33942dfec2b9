"""All tests whose power is known, by name."""

from __future__ import annotations

from fairtrial.stats.power import designs
from fairtrial.stats.power.count_designs import McNemar, Proportion, Sign
from fairtrial.stats.power.designs import Design

_ALL: tuple[type[Design], ...] = (
    *(designs.OneT, designs.PairedT, designs.TwoT, designs.CorrectedT, designs.Wilcoxon, designs.Z, designs.TwoZ),
    *(Proportion, designs.TwoProportions, McNemar, Sign, designs.F, designs.RepeatedF, designs.Friedman),
)
DESIGNS: dict[str, type[Design]] = {design.name: design for design in _ALL}
