"""The most robust setting as tables."""

from made_effects import results


def flat(_setting):
    return 0.0


class TestRobustSetting:
    def test_ten_settings_and_the_best_mean_are_shown(self):
        found = results(flat, {"depth": list(range(15)), "kind": ["a"]}, datasets=9, noise=0.02).robust_setting()
        table = found.to_table()
        assert len(table.rows) == 10
        assert "recommended" in table.rows[0][-1]
        assert any("best mean" in row[-1] for row in table.rows)
        assert "and 5 others" in str(found)
        assert repr(found).startswith("RobustSetting('depth ")

    def test_few_data_sets(self):
        found = results(flat, {"depth": [1, 2], "kind": ["a", "b"]}, datasets=3, noise=0.02).robust_setting()
        assert found.more_tables() == ()
        assert found.next_steps[0].words.render().startswith("run 8 data sets or more")
        assert "fewer than 8 data sets" in dict(found.explanations())["lower decile"]
