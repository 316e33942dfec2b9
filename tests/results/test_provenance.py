"""Where results come from."""

import fairtrial as ft
from fairtrial.results.provenance import Provenance


class TestProvenance:
    def test_of_a_study(self, tumours):
        (session,) = tumours.provenance.sessions
        assert tumours.provenance.hosts == (session.host,)
        assert tumours.provenance.source == ""
        assert {m.name for m in tumours.definition.methods} == set(tumours.method_names())

    def test_of_a_table(self, write):
        results = ft.read_scores(write("dataset,a,b\niris,0.9,0.8\nwine,0.7,0.6\n"), measure="accuracy")
        expected = Provenance(source=results.provenance.source, reader="read_scores", reading={"measure": "accuracy"})
        assert results.provenance == expected
        assert results.provenance.source
        assert results.definition is None
