"""Data sets that come with fairtrial: the facts are those of the data."""

from __future__ import annotations

import pytest

from fairtrial.data import bundled_names, bundled_table
from fairtrial.data.bundled import BUNDLED, UCI, load_bundled


class TestBundled:
    @pytest.mark.parametrize("name", bundled_names())
    def test_facts(self, name):
        data, facts = load_bundled(name), BUNDLED[name]
        assert (data.n, data.p, len(data.classes)) == (facts.instances, facts.features, facts.classes)
        assert (data.name, data.task, data.missing > 0) == (name, facts.task, facts.missing)
        assert data.source
        assert data.X.flags.c_contiguous

    def test_labels_are_the_original_ones(self):
        assert load_bundled("iris").classes == ("setosa", "versicolor", "virginica")
        assert load_bundled("digits").classes == tuple(range(10))
        assert load_bundled("breast_cancer").positive == "malignant"
        assert load_bundled("glass").notes[0].text.endswith("'vehic wind non-float'")

    def test_fingerprint_of_a_real_data_set(self):
        assert load_bundled("vote").fingerprint == "e3fa3f773b88123b145c319807abae86"

    def test_every_uci_file_is_known_and_has_its_source(self):
        files = {path.stem for path in UCI.glob("*.arff")}
        assert files == {name for name, facts in BUNDLED.items() if facts.origin == "UCI"}
        sources = (UCI / "SOURCES.md").read_text()
        assert all(f"| {name}.arff |" in sources for name in files)

    def test_table(self):
        assert len(bundled_table().rows) == len(bundled_names()) == 12
