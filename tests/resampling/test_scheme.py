"""How a scheme is written down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from fairtrial.errors import InputError
from fairtrial.resampling import (
    KFold,
    LeaveOneOut,
    describe,
)


class TestDescribe:
    def test_by_hand(self):
        assert describe(KFold(5)) == {"scheme": "k-fold", "folds": 5, "stratify": True}
        assert describe(LeaveOneOut()) == {"scheme": "leave-one-out"}

    def test_what_can_not_be_written_down(self):
        with pytest.raises(InputError, match="a resampling must be a dataclass"):
            describe(object())

    def test_a_field_that_others_stand_for_is_left_out(self):
        @dataclass(frozen=True)
        class Scheme:
            name: ClassVar[str] = "mine"
            folds: int = 3
            rows: tuple = field(default=(1, 2), metadata={"written": False})

        assert describe(Scheme()) == {"scheme": "mine", "folds": 3}
