"""The settings of a plan in words."""

from own_layouts import Rows
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from fairtrial import Factor, Study
from fairtrial.design.setting_rows import setting_facts


def plan(**changes):
    methods = {"forest": RandomForestClassifier(), "bayes": GaussianNB()}
    given = {"datasets": ["iris"], "methods": methods, "resampling": "2-fold"}
    return Study(**{**given, **changes}).plan()


class TestHeadline:
    def test_levels_of_training_data_as_ever(self):
        made = plan(factors={"label_noise": [0, 0.1]})
        assert made.headline() == "1 data set × 3 methods × 2-fold × 2 levels of label_noise = 12 trials"

    def test_settings_and_replicates(self):
        made = plan(factors={"max_depth": [3, 6, None]}, replicates=2)
        assert made.headline() == "1 data set × 5 settings of 3 methods × 2-fold × 2 replicates = 20 trials"
        assert made.only([0, 1]).headline().endswith("2 replicates: 2 of 20 trials")


class TestSettingFacts:
    def test_none_where_only_training_data_are_varied(self):
        assert setting_facts(plan(factors={"label_noise": [0, 0.1]})) == ()
        assert "settings" not in plan().to_dict()

    def test_factors_with_kind_range_and_role_and_the_notes_of_the_layout(self):
        factors = [
            Factor("label_noise", [0, 0.1], role="uncontrollable"),
            Factor("n_estimators", linear=(5, 9)),
            Factor("max_depth", [3, None], when={"label_noise": 0.1}),
        ]
        made = plan(factors=factors, plan=Rows(((-1, 0), (1, 1))))
        assert [text for _, text in setting_facts(made)] == [
            "8 settings of methods, given rows",
            "label_noise: training data 0 %, 10 %, uncontrollable, a block",
            "n_estimators: range 5–9, controllable, on forest",
            "max_depth: categories 3, None, controllable, on forest, only where label_noise is 10 %",
            "A is mixed with BC",
        ]
        assert made.to_dict()["settings"][0] == "8 settings of methods, given rows"
        assert "A is mixed with BC" in str(made)
