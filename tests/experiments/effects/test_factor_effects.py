"""Effects as a result: table, document, data."""

from made_effects import THREE, TWO, crossed, planted, results

from fairtrial.results import read_scores


class TestFactorEffects:
    def test_the_table_has_the_largest_effect_first(self):
        table = results(planted, THREE).effects().to_table()
        assert [c.key for c in table.columns][:4] == ["effect", "from", "to", "change"]
        sizes = [abs(row[3]) for row in table.rows]
        assert sizes == sorted(sizes, reverse=True)
        depth = next(row for row in table.rows if row[0] == "depth")
        assert (depth[1], depth[2], depth[7], depth[-1]) == ("3", "12", "12 of 12", "*")

    def test_each_data_set_has_rows_of_its_own(self):
        found = results(planted, TWO, datasets=3, folds=10, resampling="10-fold").effects()
        assert [row[0] for row in found.to_table().rows] == ["d0"] * 3 + ["d1"] * 3 + ["d2"] * 3
        assert "depth on d1" in found.active()

    def test_printed(self):
        text = str(results(planted, THREE).effects().full)
        assert text.index("Of 3 factors") < text.index("effects on accuracy") < text.index("Analysis of variance")
        assert "Checked   ✓ residuals: Shapiro–Wilk" in text
        assert "they erred in 9 to 22 %" in text

    def test_no_tick_before_residuals_that_are_not_normal(self):
        def of_residuals(found):
            return next(n for n in found.notices if n.sentence.startswith("residuals"))

        assert of_residuals(results(planted, THREE).effects()).is_fine
        frame = crossed(planted, THREE)
        frame.loc[0, "value"] = 0.05  # one score far off: Shapiro and Wilk's p is tiny
        assert not of_residuals(read_scores(frame, measure="accuracy").effects()).is_fine

    def test_repr(self):
        assert repr(results(planted, THREE).effects()) == (
            "FactorEffects(over data sets, depth, rate and kind: 2 of 6 effects shown)"
        )
        assert "<table" in results(planted, TWO).effects()._repr_html_()
