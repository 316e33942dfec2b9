"""The parts of a study as people give them: layouts, seeds and replicates; the others are tested with Study."""

import pytest
from own_layouts import Rows

import fairtrial as ft
from fairtrial import Study
from fairtrial.design import layouts
from fairtrial.design.study_parts import as_layout, check_seed_and_replicates
from fairtrial.errors import InputError


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
