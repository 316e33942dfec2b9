"""The answer to why it is better, as tables and documents."""

from made_effects import results

LEVELS = {"model": ["tree", "boosting"], "tuning": ["no", "yes"]}


def planted(setting):
    """Each of the two is enough: one replaces the other."""
    return 0.02 * (setting["tuning"] == "yes" or setting["model"] == "boosting")


class TestAblation:
    def test_the_whole_is_the_last_row(self):
        found = results(planted, LEVELS).ablation()
        table = found.to_table()
        assert [row[0] for row in table.rows][-1] == "together"
        assert table.rows[-1][3] == found.found.advantage.estimate
        assert found.factors == found.components == ("model", "tuning")
        assert len(found.settings) == 4

    def test_what_replaces_what(self):
        found = results(planted, LEVELS).ablation()
        (pairs,) = found.more_tables()
        assert pairs.rows[0][1] < 0
        assert "negative: one partly replaces the other" in pairs.notes[0]
        lower = results(lambda s: -planted(s), LEVELS, measure="error_rate").ablation().more_tables()[0]
        assert "positive: one partly replaces the other" in lower.notes[0]

    def test_one_component_has_no_interactions(self):
        found = results(planted, {"model": ["tree", "boosting"], "tuning": ["no"]}).ablation()
        assert found.more_tables() == ()
        assert "together" in str(found)
