"""The plan: explicit rows, keys that stay, and what the design can tell."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from fairtrial.data import Dataset, datasets
from fairtrial.design import Plan, Question, Study
from fairtrial.errors import InputError
from fairtrial.resampling import from_sklearn

IRIS, WINE = datasets("iris", "wine")


def toy(name: str, n: int = 40, seed: int = 0, share: float = 0.5, **parts) -> Dataset:
    random = np.random.default_rng(seed)
    target = np.where(np.arange(n) < share * n, "a", "b")
    return Dataset.from_arrays(random.normal(size=(n, 2)), target, name=name, **parts)


def study(n_datasets=2, k=2, question=None, resampling="2-fold", **changes):
    sets = changes.pop("datasets", None) or [toy(f"d{i}", seed=i) for i in range(n_datasets)]
    methods = changes.pop("methods", None) or {f"m{i}": KNeighborsClassifier(i + 1) for i in range(k)}
    return Study(question, datasets=sets, methods=methods, resampling=resampling, **changes)


def keys(made: Study) -> set[bytes]:
    return {t.key for t in made.plan().trials()}


class TestFull:
    def test_by_hand(self):
        # 2 data sets × (2 methods + yardstick) × 2×2 folds
        plan = study(resampling="2x2-fold").plan()
        assert len(plan) == 2 * 3 * 4 == len(list(plan.trials()))
        assert plan.headline() == "2 data sets × 3 methods × 2×2-fold = 24 trials"
        assert plan.dataset_of_split.tolist() == [0] * 4 + [1] * 4

    @settings(max_examples=15, deadline=None)
    @given(st.integers(1, 3), st.integers(1, 4), st.integers(1, 3), st.integers(0, 9))
    def test_each_block_has_each_method_once_and_all_keys_differ(self, n, k, repeats, seed):
        plan = study(n, k, resampling=f"{repeats}x2-fold", seed=seed).plan()
        trials = list(plan.trials())
        blocks = Counter((t.dataset, t.split) for t in trials)
        assert set(blocks.values()) == {k + 1}
        assert len({(t.split, t.method) for t in trials}) == len(trials) == len({t.key for t in trials})
        assert all(plan.dataset_of_split[t.split] == t.dataset for t in trials)

    def test_blocks_run_one_after_the_other_with_methods_in_changing_order(self):
        plan = study(k=3, resampling="5x2-fold").plan()
        assert plan.split.tolist() == sorted(plan.split.tolist())
        orders = {tuple(plan.method[plan.split == s].tolist()) for s in range(len(plan.splits))}
        assert len(orders) > 5
        assert plan.method[::4].tolist().count(0) < 12  # of 20: no method always comes first

    def test_rows_are_what_is_run_not_the_product(self):
        plan = study().plan()
        some = replace(plan, split=plan.split[:3], method=plan.method[:3], replicate=np.array([0, 0, 7], np.int32))
        assert [t.replicate for t in some.trials()] == [0, 0, 7]
        assert [t.key for t in some.trials()][:2] == [t.key for t in plan.trials()][:2]
        assert len(some) == 3


class TestOnly:
    def test_numbers_a_slice_or_truth_values(self):
        plan = study().plan()
        keys = [t.key for t in plan.trials()]
        assert [t.key for t in plan.only([4, 0]).trials()] == [keys[4], keys[0]]  # in the order given
        assert [t.key for t in plan.only(slice(1, None, 2)).trials()] == keys[1::2]
        assert [t.method for t in plan.only(plan.method == 1).trials()] == [1] * 4

    def test_the_headline_says_that_it_is_a_part(self):
        assert study().plan().only([0, 1]).headline() == "2 data sets × 3 methods × 2-fold: 2 of 12 trials"

    def test_levels_that_were_not_chosen_are_not_called_too_large(self):
        plan = study(factors={"train_size": [5, 10, 1000]}).plan()
        small = [n for n in plan.notices if "too small" in n.sentence]
        assert len(small) == 2
        part = plan.only(plan.level == 0)
        assert [n for n in part.notices if "too small" in n.sentence] == small
        assert part.headline().endswith(f"12 of {len(plan)} trials")

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ([0, 99], "rows must be numbers below 12 or a truth value for each row: index 99 is out of bounds"),
            ([True, False], "rows must be numbers below 12 or a truth value for each row"),
            (["a"], "rows must be numbers below 12 or a truth value for each row"),
            ([0, 0], r"rows must name at least one row, and each once, got \[0, 0\]"),
            (slice(0, 0), "rows must name at least one row, and each once"),
        ],
    )
    def test_says_what_was_wrong(self, rows, message):
        with pytest.raises(InputError, match=message):
            study().plan().only(rows)


class TestJoin:
    def test_parts_give_the_whole(self):
        plan = study(factors={"label_noise": [0, 0.1]}).plan()
        even, odd = plan.only(slice(0, None, 2)), plan.only(slice(1, None, 2))
        whole = even.join(odd).join(plan)  # rows that are there already are not added
        assert [t.key for t in whole.trials()] == [t.key for t in (*even.trials(), *odd.trials())]
        assert whole.headline() == plan.headline()

    def test_data_sets_and_methods_may_stand_in_another_order(self):
        first = study()
        turned = study(
            datasets=first.datasets[::-1], methods={"b": KNeighborsClassifier(2), "a": KNeighborsClassifier(1)}
        )
        part, other = first.plan().only([0]), turned.plan()
        joined = part.join(other)
        assert {t.key for t in joined.trials()} == {t.key for t in other.trials()} == keys(first)
        assert len(joined) == 12


class TestForStudy:
    def test_numbers_follow_the_order_of_the_other_study(self):
        first = study()
        turned = study(
            datasets=first.datasets[::-1], methods={"b": KNeighborsClassifier(2), "a": KNeighborsClassifier(1)}
        )
        plan = replace(first.plan(), seconds={(0, 1, 0): 2.0})
        moved = plan.for_study(turned)
        assert [t.key for t in moved.trials()] == [t.key for t in plan.trials()]
        assert moved.study is turned
        assert moved.seconds == {(1, 0, 0): 2.0}
        assert plan.for_study(first) is plan

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"seed": 2}, "the seed of its study differs"),
            ({"k": 3, "n_datasets": 1}, "the data sets and methods of its study differ"),
            ({"resampling": "2x2-fold", "factors": {"label_noise": [0, 0.1]}}, "the resampling and factors of its"),
        ],
    )
    def test_of_another_study(self, changes, said):
        with pytest.raises(InputError, match=f"plan must be made from this study, but {said}"):
            study(**changes).plan().for_study(study())


class TestKeys:
    def test_unchanged_by_names_question_and_measures(self):
        renamed = study(
            question=Question("x", measure="auc", control="q"),
            datasets=[replace(d, name=f"other {d.name}") for d in study().datasets],
            methods={"p": KNeighborsClassifier(1), "q": KNeighborsClassifier(2)},
            measures=["brier"],
            failures="worst",
            time_limit=3,
        )
        assert keys(renamed) == keys(study())

    @pytest.mark.parametrize("larger", [{"k": 4}, {"n_datasets": 4}, {"resampling": "3x2-fold"}])
    def test_more_methods_data_sets_or_repeats_extend_a_study(self, larger):
        assert keys(study()) < keys(study(**larger))

    def test_another_seed_or_scheme_shares_nothing(self):
        assert not keys(study()) & keys(study(seed=2))
        assert not keys(study()) & keys(study(resampling="3-fold"))

    def test_differ_by_replicate_and_level(self):
        plan = study(factors={"label_noise": [0]}).plan()
        levels = ({"label_noise": 0}, {"label_noise": 0.1}, {"label_noise": 0.2})
        varied = replace(
            plan, settings=replace(plan.settings, levels=levels), level=np.arange(len(plan), dtype=np.int32) % 3
        )
        first = [t.key for t in plan.trials()]
        same = [a == t.key for a, t in zip(first, varied.trials(), strict=True)]
        assert same[:6] == [True, False, False] * 2
        assert varied.trial(1).levels == {"label_noise": 0.1}
        again = replace(plan, replicate=plan.replicate + 1)
        assert not set(first) & {t.key for t in again.trials()}

    def test_are_the_same_for_ever(self):
        made = Study(datasets=[IRIS], methods=["one_rule"], resampling="5-fold", seed=1)
        assert made.plan().trial(0).key.hex() == "ef080e2309b8b4754b28ddaa745bbc95"


class TestNotices:
    def texts_of(self, *sets, **changes):
        return [notice.text for notice in study(datasets=list(sets), **changes).plan().notices]

    def test_yardstick(self):
        assert self.texts_of(toy("d"))[0] == "'majority' is added as a yardstick: every method should beat it"
        assert not any("yardstick" in w for w in self.texts_of(toy("d"), methods=["majority"]))

    def test_small_folds(self):
        assert "d has 20 instances a fold, but 30 are advised" in self.texts_of(toy("d", 40))
        assert "d has 20 instances a fold, but 30 are advised; use at most 3 folds" in self.texts_of(
            toy("d", 100), resampling="5-fold"
        )
        small = (
            "d has 1 instance a fold, but 30 are advised; it has only 8 instances in all, so leave-one-out or repeated "
            "2-fold may do better"
        )
        assert small in self.texts_of(toy("d", 8), resampling="6-fold")
        assert not any("a fold" in w for w in self.texts_of(toy("d", 60)))

    def test_leave_one_out_is_meant_to_have_one_instance_a_fold(self):
        assert not [w for w in self.texts_of(toy("d", 6), resampling="leave-one-out") if "a fold" in w or "lack" in w]

    def test_what_can_not_be_tested_says_so(self):
        assert any("optimistic" in w for w in self.texts_of(toy("d", 90), resampling="resubstitution"))

    def test_a_class_is_lacking(self):
        # 2 of 40 in 4 folds
        assert "d: 2 of 4 test sets lack a class" in self.texts_of(toy("d", 40, share=0.05), resampling="4-fold")

    def test_one_class_is_nearly_all(self):
        warning = "d: 95 % of the instances are of one class, where accuracy says little; look at average_recall"
        assert warning in self.texts_of(toy("d", 40, share=0.05))
        assert any(w.startswith("d: 99.7 % of") for w in self.texts_of(toy("d", 1000, share=0.003)))
        assert not any("of one class" in w for w in self.texts_of(toy("d", 40, share=0.2)))

    def test_an_order_is_ignored(self):
        splits = from_sklearn(KFold(4, shuffle=True, random_state=1))
        data = toy("d", order=np.arange(40.0))
        assert any("d declares an order" in w for w in self.texts_of(data, resampling=splits))

    def test_what_was_decided_for_the_user(self):
        assert any(w.startswith("d: positive class: 'a'") for w in self.texts_of(toy("d", share=0.4)))


class TestPrinting:
    def test_table_by_hand(self):
        plan = Study(datasets=[IRIS, WINE], methods=["majority", GaussianNB(), SVC()], resampling="10-fold").plan()
        rows = plan.to_table().rows
        assert rows[0] == ("iris", 150, 4, "3 classes", 135, 15, 30)
        assert rows[1][:4] == ("wine", 178, 13, "3 classes")
        assert rows[1][5] == 17

    def test_says_what_it_can_tell_and_warns(self):
        text = str(study(1).plan())
        assert "G answer  ! fewer than 6 data sets" in text
        assert "note      'majority' is added as a yardstick" in text
        assert "1 data set × 3 methods × 2-fold = 6 trials" in text

    def test_one_trial(self):
        plan = Study(datasets=[IRIS], methods=["majority"], resampling="holdout").plan()
        assert plan.headline() == "1 data set × 1 method × holdout of 33.3 % = 1 trial"

    def test_as_json(self):
        assert json.loads(Plan.full(study(1)).to_table().to_json())["rows"][0]["trials"] == 6
