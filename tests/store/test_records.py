"""What is kept of a trial: arrays as checked bytes, and texts that can always be stored and shown."""

import pickle
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairtrial.errors import StudyFileError
from fairtrial.store import Packed, Record
from fairtrial.store.records import FILLED, RECORDED, RESOURCES, values_of
from fairtrial.store.schema import TABLES


class TestPacked:
    @given(arrays(np.float64, st.tuples(st.integers(0, 5), st.integers(0, 3))))
    def test_comes_back_bit_for_bit(self, array):
        back = Packed.of(array).unpack()
        assert back.shape == array.shape
        assert back.tobytes() == array.tobytes()

    def test_is_little_endian_whatever_the_machine(self):
        packed = Packed.of(np.array([1, 2], dtype=">i4"))
        assert packed.dtype == "raw <i4"
        assert packed.data[:-4] == bytes([1, 0, 0, 0, 2, 0, 0, 0])
        assert packed.data[-4:] == zlib.crc32(packed.data[:-4]).to_bytes(4, "little")
        assert packed.unpack().tolist() == [1, 2]

    def test_large_arrays_are_compressed_where_values_repeat(self):
        votes, margins = np.repeat([0.2, 0.8, 1.0], 100), np.linspace(0, 1, 300)
        packed = Packed.of(votes)
        assert packed.dtype == "<f8"
        assert len(packed.data) < 100
        assert (packed.unpack() == votes).all()
        packed = Packed.of(margins.reshape(100, 3))
        assert packed.dtype == "raw <f8"
        assert packed.data[:-4] == margins.tobytes()
        assert (packed.unpack().reshape(-1) == margins).all()

    @pytest.mark.parametrize("place", [0, 7, 8, 11])
    def test_damage_is_noticed(self, place):
        packed = Packed.of(np.array([1.5]))
        data = bytearray(packed.data)
        data[place] ^= 1
        with pytest.raises(StudyFileError, match="damaged"):
            Packed(packed.dtype, packed.shape, bytes(data)).unpack()

    def test_arrays_of_version_1_are_compressed_whatever_their_size(self):
        old = Packed("<i4", (2,), zlib.compress(bytes([1, 0, 0, 0, 2, 0, 0, 0]), 1))
        assert old.unpack().tolist() == [1, 2]


class TestRecord:
    def test_texts_are_made_fit_to_be_stored(self):
        made = Record(b"k", "failed", "bad \ud800\nsecond", (("\x1b[2J", 3),), "a\0b")
        assert made.error == "bad \\ud800\nsecond"
        assert made.warnings == (("\\x1b[2J", 3),)
        assert made.output == "a\\x00b"

    def test_the_first_line_and_the_rest_of_an_error_are_shortened_each(self):
        made = Record(b"k", "failed", "x" * 600 + "\n" + "y" * 5000)
        first, rest = made.error.split("\n")
        assert (len(first), len(rest)) == (500, 4096)
        assert "(600 characters in all)" in first

    def test_travels_whole(self):
        made = Record(b"k", "ok", arrays={"value": Packed.of(np.arange(3.0))}, begun=1.5, n_train=7, details={"a": [1]})
        assert pickle.loads(pickle.dumps(made)) == made

    def test_fills_the_columns_of_its_fields(self):
        made = Record(b"k", "ok", None, (("w", 2),), resources={"fit_time": 0.5}, n_train=0, details={"b": 1, "a": 2})
        found = dict(zip(FILLED, values_of(made), strict=True))
        assert {name: value for name, value in found.items() if value is not None} == {
            "status": "ok", "warnings": '[["w", 2]]', "fit_time": 0.5, "n_train": 0, "details": '{"a": 2, "b": 1}',
        }  # fmt: skip

    def test_each_column_is_a_field_or_a_resource(self):
        assert set(FILLED) == {*RECORDED, *RESOURCES}
        assert set(FILLED) < set(TABLES["trial"].names)
