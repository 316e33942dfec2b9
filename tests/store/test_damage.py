"""Flipped bits and bursts of bytes: detected with the place named, or harmless; ``make flips`` tries many more."""

import damage
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("damage")


@pytest.mark.parametrize(("bursts", "count"), [(False, 20), (True, 12)])
def test_damage_is_detected_or_harmless(folder, bursts, count):
    counts, bad = damage.series(folder, seed=1, first=0, count=count, bursts=bursts)
    assert bad == []
    assert counts["detected"] > count // 5


class TestVerdictOn:
    """The judge of the damage tool, by hand: it must not overlook anything."""

    def test_by_hand(self):
        error = damage.StudyFileError("x.trial is damaged: row 3 of its table 'trial'")
        assert damage.verdict_on({"a": 1, "check": "whole"}, {"a": 1, "check": "whole"}) == "harmless"
        assert damage.verdict_on({"a": 1, "check": "whole"}, {"a": error, "check": error}) == "detected"
        assert damage.verdict_on({"a": 1, "check": "whole"}, {"a": 1, "check": error}) == "found by check alone"
        assert damage.verdict_on({"a": 1, "check": "whole"}, {"a": 2, "check": error}) == "SILENT at a"
        assert damage.verdict_on({"a": 1, "check": "whole"}, {"a": error, "check": "whole"}).startswith("MISSED by")
        nameless = damage.StudyFileError("something is wrong")
        assert damage.verdict_on({"a": 1}, {"a": nameless}).startswith("UNNAMED at a")
