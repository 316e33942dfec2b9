"""What verdicts say in situations whose truth is known."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from fairtrial.errors import InputError

sys.path.insert(0, str(Path(__file__).parent))
from further_situations import study_of
from made_situations import SITUATIONS


def test_there_are_enough():
    assert len(SITUATIONS) >= 30


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_verdict_says_what_is_true(name):
    make, (first, *others) = SITUATIONS[name]
    verdict = make()
    printed = " ".join(str(verdict).split())
    assert re.fullmatch(first, verdict.finding.sentences[0]), verdict.finding.sentences
    for text in others:
        assert text in printed, printed


@pytest.mark.parametrize("name", SITUATIONS)
def test_sentences_are_short_and_plain(name):
    verdict = SITUATIONS[name][0]()
    for sentence in verdict.finding.sentences:
        assert sentence.endswith("."), sentence
        assert len(sentence) < 300, sentence
        assert "can't be told" not in sentence
        assert "comes first" not in sentence


@pytest.mark.parametrize("declared", ["order", "groups"])
def test_declared_order_and_groups_are_not_split_at_random(declared):
    X, y = np.random.default_rng(1).normal(size=(60, 3)), np.arange(60) % 2
    with pytest.raises(InputError, match=f"made declares {'an order' if declared == 'order' else 'groups'}"):
        study_of(X, y, **{declared: np.arange(60) // 2})
