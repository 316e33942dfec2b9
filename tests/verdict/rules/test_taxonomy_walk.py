"""The prompts of ``fairtrial choose``."""

from __future__ import annotations

import pytest
from all_walks import all_walks

from fairtrial.errors import InputError
from fairtrial.verdict.rules.choose_procedure import PROMPTS, answered, next_prompt, options_of


class TestPrompts:
    def test_every_walk_ends_after_at_most_seven(self):
        lengths = {len(walk) for walk in all_walks()}
        assert max(lengths) == 7
        assert min(lengths) >= 5

    def test_every_option_can_be_chosen(self):
        chosen = {(key, option) for walk in all_walks() for key, option in walk.items()}
        assert chosen == {(p.key, o.key) for p in PROMPTS for o in p.options}

    def test_every_prompt_has_a_choice(self):
        for walk in all_walks():
            so_far = {}
            while (prompt := next_prompt(so_far)) is not None:
                assert len(options_of(prompt, so_far)) > 1 or prompt.key == "measure"
                so_far[prompt.key] = walk[prompt.key]


class TestAnswered:
    def test_by_numbers(self):
        assert answered([2, 3, 1, 3, 2, 1]) == {
            "about": "algorithms",
            "compared": "several",
            "aim": "difference",
            "domains": "many",
            "measure": "average",
            "rows": "groups",
        }

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"answers must have one more number: How many are there\? 1 \(one\)"):
            answered([2])
        with pytest.raises(InputError, match=r"answer 3 must be 1 \(how good it is\) or 2 .* got 3"):
            answered([2, 1, 3])
        with pytest.raises(InputError, match="must be 6 numbers after these choices, got '2,3,1,3,1,1,1'"):
            answered([2, 3, 1, 3, 1, 1, 1])
