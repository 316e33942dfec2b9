"""Arrays of many trials, stacked: each compared with what the plan allows before it is unpacked."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from store_studies import four_trials
from study_changes import seal_rows

from fairtrial.design import Study
from fairtrial.errors import StudyFileError
from fairtrial.store import Packed, Record, StudyFile
from fairtrial.store.arrays import stored_arrays


@pytest.fixture
def quarters(tmp_path):
    """A file with four trials, each on a split of its own."""
    with StudyFile(tmp_path / "quarters.trial", write=True) as opened:
        opened.register(four_trials())
        yield opened


def test_one_trial_at_a_time_is_in_memory(tmp_path):
    size, plan = 500_000, Study(datasets=["iris"], methods=["majority"], resampling="10-fold").plan()
    with StudyFile(tmp_path / "large.trial", write=True) as file:
        file.register(plan)
        for i, trial in enumerate(plan.trials()):
            value = Packed.of(np.random.default_rng(i).random(size))
            file.append([Record(trial.key, "ok", arrays={"value": value})])
        file.query("UPDATE split SET n_test = ?", size)
        ids = [number for (number,) in file.query("SELECT id FROM trial")]
        tracemalloc.start()
        try:
            assert sum(1 for _ in stored_arrays(file, ids)) == 10
            assert tracemalloc.get_traced_memory()[1] < 5 * 8 * size  # two trials, and what seals them
        finally:
            tracemalloc.stop()


class TestStacks:
    def keys(self, plan, n):
        return [plan.trial(i).key for i in range(n)]

    def write(self, file, *contents):
        """One trial per mapping of channels, on a split of as many instances; the trials' numbers in the file."""
        keys = self.keys(four_trials(), len(contents))
        for key, own in zip(keys, contents, strict=True):
            file.append([Record(key, "ok", arrays={c: Packed.of(a) for c, a in own.items()})])
            n = len(next(iter(own.values())))
            file.query("UPDATE split SET n_test = ? WHERE id = (SELECT split FROM trial WHERE key = ?)", n, key)
        return [file.query("SELECT id FROM trial WHERE key = ?", key)[0][0] for key in keys]

    def test_by_hand_in_the_order_asked_for(self, quarters):
        a, b = self.write(
            quarters,
            {"label": np.array([0, 1], np.int32), "probability": np.array([[0.9, 0.1], [0.2, 0.8]])},
            {"label": np.array([1], np.int32), "probability": np.array([[0.4, 0.6]])},
        )
        (stack,) = quarters.stacks([b, a])
        assert stack.places == (0, 1)
        assert stack.channels["label"].tolist() == [1, 0, 1]
        assert stack.channels["probability"].tolist() == [[0.4, 0.6], [0.9, 0.1], [0.2, 0.8]]

    def test_trials_of_different_forms_are_stacked_apart(self, quarters):
        narrow, wide, lacking = np.array([0.5]), np.array([[0.5, 1.5]]), np.array([7.0])
        ids = self.write(quarters, {"score": narrow}, {"score": wide}, {"value": lacking}, {"score": narrow + 1})
        found = {stack.places: stack.channels for stack in quarters.stacks(ids)}
        assert set(found) == {(0, 3), (1,), (2,)}
        assert found[0, 3]["score"].tolist() == [0.5, 1.5]
        assert found[1,]["score"].tolist() == [[0.5, 1.5]]

    def test_only_some_channels(self, quarters):
        ids = self.write(quarters, {"label": np.array([1]), "score": np.array([2.0])}, {"score": np.array([3.0])})
        (stack,) = quarters.stacks(ids, ["score"])
        assert stack.channels["score"].tolist() == [2.0, 3.0]
        assert quarters.stacks(ids, ["value"]) == []

    def test_no_trials_no_stacks(self, file):
        assert file.stacks([]) == []

    @pytest.mark.slow
    @given(st.lists(arrays(np.float64, st.tuples(st.integers(0, 4), st.just(2))), min_size=1, max_size=4))
    def test_the_same_as_one_by_one(self, contents):
        with StudyFile(None) as file:
            file.register(four_trials())
            ids = self.write(file, *({"score": a} for a in contents))
            (stack,) = file.stacks(ids)
            one_by_one = [file.arrays(i)["score"].unpack() for i in ids]
            assert stack.channels["score"].tobytes() == np.concatenate(one_by_one).tobytes()

    @pytest.mark.parametrize(
        ("column", "bad", "words"),
        [("shape", s, "is damaged") for s in ("2", "0", "1,4", "1,1,1", "-1", "x", "1e3", "9999999999999")]
        + [
            ("dtype", d, "must be bytes of numbers")
            for d in ("O", "|O8", "<U8", "raw <f16", "<f8,<f8", "", "raw ", "<M8")
        ],
    )
    def test_a_shape_that_the_plan_does_not_allow_and_kinds_of_number_that_are_not_stored(
        self, quarters, column, bad, words
    ):
        (trial,) = self.write(quarters, {"score": np.array([2.0])})
        quarters.query(f"UPDATE array SET {column} = ?", bad)
        seal_rows(quarters.database)
        with pytest.raises(StudyFileError, match=f"an array in the study file .*{words}"):
            quarters.stacks([trial])
