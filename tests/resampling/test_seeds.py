"""Seeds: functions of what they are for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairtrial.resampling import derive_seed, generator


class TestDeriveSeed:
    def test_is_the_same_for_ever(self):
        assert derive_seed(1, "split", 0) == 1302993855

    def test_parts_do_not_run_together(self):
        assert derive_seed("ab", "c") != derive_seed("a", "bc")
        assert derive_seed(1, 23) != derive_seed(12, 3)
        assert derive_seed("a") != derive_seed("a", "")

    def test_takes_keys(self):
        assert derive_seed(b"\xff\x00", "fit") != derive_seed(b"\xff\x01", "fit")

    @given(st.lists(st.one_of(st.integers(), st.text(), st.binary())))
    def test_is_a_seed_that_numpy_and_scikit_learn_take(self, parts):
        assert 0 <= derive_seed(*parts) < 2**31

    def test_no_two_alike_among_many(self):
        assert len({derive_seed(1, "x", i) for i in range(2000)}) == 2000


class TestGenerator:
    def test_the_stream_is_the_same_for_ever(self):
        assert generator(1, "order", 0).permutation(8).tolist() == [0, 7, 4, 1, 5, 3, 6, 2]
        assert generator(1, "order", 0).randint(10**6) == generator(1, "order", 0).randint(10**6)
