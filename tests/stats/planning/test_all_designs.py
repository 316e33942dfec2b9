from fairtrial.stats.planning import designs
from fairtrial.stats.planning.designs import DESIGNS


def test_every_design_is_listed_under_its_name():
    declared = [c for room in (designs,) for c in vars(room).values() if isinstance(c, type)]
    named = {c.name: c for c in declared if issubclass(c, designs.Design) and c.name}
    assert named == DESIGNS
    assert len(DESIGNS) == 14
