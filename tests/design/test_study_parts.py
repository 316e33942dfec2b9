"""The parts of a study as people give them: layouts, seeds and replicates; the others are tested with Study."""

import pytest
from own_layouts import Rows
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial import Dataset, Method, Question, Study
from fairtrial.design import layouts
from fairtrial.design.study_parts import as_layout, check_seed_and_replicates
from fairtrial.errors import InputError
from fairtrial.methods import ByCosts


class TestAsLayout:
    def test_a_layout_or_nothing(self):
        assert as_layout(None) is None
        layout = Rows(((0,),))
        assert as_layout(layout) is layout

    def test_texts_and_tables_are_read_by_the_layouts(self, monkeypatch):
        monkeypatch.setattr(layouts, "parse_layout", lambda given: Rows(((len(given),),)), raising=False)
        assert as_layout("abc") == Rows(((3,),))
        assert as_layout({"kind": "x", "runs": 4}) == Rows(((2,),))

    @pytest.mark.parametrize("given", [3, ["full factorial"], Rows])
    def test_anything_else_is_refused(self, given):
        with pytest.raises(InputError, match="plan must be a kind such as 'full factorial', a table with kind"):
            as_layout(given)


class TestReplicates:
    @pytest.mark.parametrize("replicates", [0, -1, 1.5, True, "3", None, 1001])
    def test_must_be_a_whole_number(self, replicates):
        with pytest.raises(InputError, match="replicates must be a whole number from 1 to 1000, got"):
            check_seed_and_replicates(1, replicates)

    def test_one_is_not_written_down(self):
        one, two = (Study(datasets=["iris"], methods=["one_rule"], replicates=n) for n in (1, 2))
        assert "replicates" not in one.to_dict()
        assert "layout" not in one.to_dict()
        assert two.to_dict()["replicates"] == 2
        assert one.digest() != two.digest()
        assert ("replicates", "2: other seeds on the same splits") in two.to_table().rows

    def test_a_layout_is_part_of_the_identity(self):
        def study(plan):
            return Study(datasets=["iris"], methods=["one_rule"], factors={"label_noise": [0, 0.1]}, plan=plan)

        assert study(Rows(((0,),))).digest() != study(Rows(((1,),))).digest() != study(None).digest()
        assert study(Rows(((0,),))).to_dict()["layout"] == {"kind": "given rows", "rows": [[0]]}
        with pytest.raises(InputError, match="the plan of its study differs"):
            study(Rows(((0,),))).plan().for_study(study(None))


class TestDataAsPeopleHoldThem:
    def test_one_frame_a_list_a_mapping_and_a_pair(self):
        frame = ft.datasets("iris")[0].frame().assign(species=ft.datasets("iris")[0].target)
        X, y = frame.drop(columns="species"), frame["species"]
        parts = {"methods": ["one_rule"], "resampling": "2-fold"}
        digests = {
            ft.Study(datasets=given, target=target, **parts).digest()
            for given, target in [
                (frame, None),
                ([frame], "species"),
                ({"iris": frame}, "species"),
                ((X, y), None),
                ([(X, y.to_numpy())], None),
                ({"iris": (X, y)}, None),
                ("iris", None),
            ]
        }
        assert len(digests) == 1

    def test_unnamed_frames_are_named_and_the_plan_says_so(self):
        iris, wine = (d.frame().assign(kind=d.target) for d in ft.datasets("iris", "wine"))
        study = ft.Study(datasets=[iris, wine], target="kind", methods=["one_rule"], resampling="2-fold")
        assert [d.name for d in study.datasets] == ["data", "data_2"]
        assert "name: 'data_2' (none was given)" in str(study.plan())


def first(X_train, y_train, X_test):
    return y_train[: len(X_test)]


class TestCosts:
    """Costs of the question decide how methods predict."""

    CHURN = Dataset.from_arrays([[float(i % 7)] for i in range(40)], ["no", "no", "no", "yes"] * 10, name="churn")
    THREE = Dataset.from_arrays([[float(i % 7)] for i in range(30)], ["a", "b", "c"] * 10, name="three")

    def made(self, data=None, costs=(1, 30), **parts):
        given = {"methods": {"bayes": GaussianNB()}, "resampling": "2-fold", **parts}
        question = Question(context={} if costs is None else {"costs": costs})
        return Study(question, datasets=[data or self.CHURN], **given)

    def test_two_classes_are_tuned_and_more_decided_by_costs(self):
        assert self.made().methods[0].decide == ByCosts("tuned", (1, 30))
        three = self.made(self.THREE, {"a": 1, "b": 2, "c": {"a": 9}})
        assert three.methods[0].decide == ByCosts("costs", ((0, 1, 1), (2, 0, 2), (9, 0, 0)))
        assert self.made(decide="costs").methods[0].decide.by == "costs"

    def test_one_estimator_may_decide_in_several_ways(self):
        ways = {by: Method(by, GaussianNB(), decide=by) for by in ("costs", "tuned", "labels")}
        made = self.made(methods=ways)
        assert [m.decide if isinstance(m.decide, str) else m.decide.by for m in made.methods[:3]] == list(ways)
        assert len({m.digest() for m in made.methods}) == 4
        with pytest.raises(InputError, match="'auto' and 'labels' have the same class and parameters"):
            self.made(methods={"auto": GaussianNB(), "labels": ways["labels"]}, costs=None)

    def test_baselines_keep_their_labels_and_the_best_policy_is_added(self):
        made = self.made(methods={"bayes": GaussianNB(), "majority": "majority"})
        assert [(m.name, m.yardstick) for m in made.methods[1:]] == [("majority", False), ("best trivial policy", True)]
        assert made.methods[1].decide == "labels"
        assert made.methods[2].decide == ByCosts("costs", (1, 30))

    def test_methods_of_a_study_can_be_used_in_another(self):
        again = self.made(methods=self.made().methods, costs=(1, 5))
        assert {m.decide.costs for m in again.methods} == {(1, 5)}

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"decide may be 'costs' or 'tuned' where mistakes have costs, but the qu"):
            self.made(costs=None, decide="tuned")
        with pytest.raises(InputError, match=r"'own' must predict probabilities, .*; wrap it in .*decide='labels'"):
            self.made(methods={"own": Method("own", first, version="1")})
        with pytest.raises(InputError, match="a threshold, which is for two classes, but there are 3"):
            self.made(self.THREE, {"a": 1, "b": 2, "c": 3}, decide="tuned")
        with pytest.raises(InputError, match=r"costs do not fit 'churn': costs must be given by label.*, got 'maybe'"):
            self.made(costs={"maybe": 1, "yes": 3})


class TagsRaise(GaussianNB):
    def __sklearn_tags__(self):
        raise RuntimeError("no tags")


class AttributesRaise:
    def fit(self, X, y): ...

    def predict(self, X): ...

    def __getattr__(self, name):
        raise RuntimeError(f"no {name}")


class TestMethodsWhoseCodeRaises:
    @pytest.mark.parametrize("kind", [TagsRaise, AttributesRaise])
    def test_the_error_names_the_method_and_what_it_raised(self, kind):
        with pytest.raises(
            InputError, match=r"method 'odd' can't be asked what it is, .* RuntimeError: no \w+; repair"
        ):
            Study(datasets=["iris"], methods=[Method("odd", kind(), version="1")]).plan()
