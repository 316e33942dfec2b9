"""Every known answer, by R or exact integers: cases of known_answers.json, and of ../shared where it is there.

The ``answers_*`` say how fairtrial answers a case, ``left_out`` what is left out and why; each key of each case is in
one of the two. Tables that may not be committed are read from ../shared/known-answers, and skipped elsewhere.
"""

import json
from pathlib import Path

import answers_domains
import answers_factorial
import answers_layouts
import answers_pairs
import answers_posthoc
import answers_several
import answers_sizes
import pytest
from answering import ANSWERS, number
from left_out import CASES, KEYS

from fairtrial.data.bundled import UCI

BY_QUESTION = (
    answers_domains,
    answers_factorial,
    answers_layouts,
    answers_pairs,
    answers_posthoc,
    answers_several,
    answers_sizes,
)  # they fill ANSWERS
GOLDEN = Path(__file__).parent
COMMITTED = {case["id"]: case for case in json.loads((GOLDEN / "known_answers.json").read_text(encoding="utf-8"))}

# with a table inside that may not be committed
ELSEWHERE = [
    "friedman_gh2008",
    "friedman_gh2010",
    "quade_gh2008",
    "aligned_gh2008",
    "posthoc_friedman_gh2010",
    "posthoc_control_gh2010",
    "posthoc_all_adjust_gh2010",
    "rm_anova_gh2008",
    "hotelling_rm_gh2010",
]

# where the expected number has lost digits, or has more than its case says
OWN_TOLERANCE = {
    "padjust_extreme.li": {"rel": 1e-4},  # R's 1e-12 + 1 − 1
    "padjust_extreme.holland": {"abs": 1e-15, "rel": 1e-4},  # 1 − (1 − p)^m as it is written is 0 for 1e-300
    "padjust_extreme.finner": {"abs": 1e-15, "rel": 1e-4},
    "bayes_sign_nbc_aode_rope1.p_left": {"rel": 2e-6},  # R stopped early: 2.843620831400e-08 to 1e-12 with scipy's quad
    "posthoc_control_gh2010.friedman.holland": {"rel": 1e-7},
    "posthoc_control_gh2010.friedman.finner": {"rel": 1e-7},
    "dunnett_plantgrowth.t": {"rel": 1e-9},
    "dunnett_plantgrowth.estimate": {"rel": 1e-9},
    "scmamp_doc_aligned_post.shaffer": {"rel": 1e-6},
    "scmamp_doc_aligned_post.bergmann": {"rel": 1e-6},
    "scmamp_doc_aligned_post.p": {"rel": 0.03},  # scmamp doesn't round, so that noise breaks ties
}


def slow_one(name):
    return pytest.param(name, marks=pytest.mark.slow) if name == "baycomp_doc_hierarchical" else name


def flat(expected, prefix=""):
    """Keys inside of keys are joined with dots."""
    for key, value in expected.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


@pytest.fixture(scope="session")
def shared_cases(shared_file):
    """All cases, by id, where they are."""
    return lambda: {case["id"]: case for case in json.loads(shared_file("cases.json").read_text(encoding="utf-8"))}


def left_out(case, key):
    return f"{case['id']}.{key}" in KEYS or f"{case['method']}.{key}" in KEYS


def tolerance(case, key):
    known = case["tolerance"] or {"rel": 1e-9}
    if "mc_abs" in known:
        return {"abs": known["mc_abs" if key.startswith("mc_") else "exact_abs"], "rel": 0}
    return OWN_TOLERANCE.get(f"{case['id']}.{key}", {"rel": known.get("rel", 0), "abs": known.get("abs", 0)})


def agree(found, expected, within):
    if callable(found):
        return found(expected)
    if isinstance(expected, list):
        return len(found) == len(expected) and all(agree(f, e, within) for f, e in zip(found, expected, strict=True))
    if isinstance(expected, bool):
        return found == expected
    value = number(expected.split()[0]) if isinstance(expected, str) else expected
    noise = 1e-12 if value == 0 else 0.0
    return found == pytest.approx(value, rel=within["rel"], abs=max(within.get("abs", 0.0), noise), nan_ok=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", [slow_one(name) for name in (*COMMITTED, *ELSEWHERE) if name not in CASES])
def test_case(name, shared_table, shared_cases):
    case = COMMITTED.get(name) or shared_cases()[name]
    found = (ANSWERS.get(name) or ANSWERS[case["method"]])(case, shared_table)
    for key, expected in flat(case["expected"]):
        if left_out(case, key):
            continue
        assert key in found, f"{key} is neither answered nor left out with a reason"
        assert agree(found[key], expected, tolerance(case, key)), f"{key}: {found[key]}, expected {expected}"


class TestNothingIsForgotten:
    def test_every_case_is_tested_or_left_out_by_name(self, shared_cases):
        assert set(shared_cases()) == {*COMMITTED, *ELSEWHERE, *CASES}

    def test_what_is_committed_is_as_it_was_given(self, shared_cases):
        shared = shared_cases()
        assert [name for name, case in COMMITTED.items() if case != shared[name]] == []

    def test_no_key_is_left_out_that_is_not_there(self):
        cases = COMMITTED.values()
        keys = {f"{by}.{key}" for c in cases for key, _ in flat(c["expected"]) for by in (c["id"], c["method"])}
        assert set(KEYS) <= keys
        assert {key for key in OWN_TOLERANCE if key.partition(".")[0] not in ELSEWHERE} <= keys

    def test_what_is_left_out_of_a_case_leaves_something(self):
        for case in (case for name, case in COMMITTED.items() if name not in CASES):
            kept = [key for key, _ in flat(case["expected"]) if not left_out(case, key)]
            assert kept, case["id"]


def copies():
    """What was given, and its copy in the project."""
    for path in sorted(GOLDEN.rglob("*")):
        if path.suffix in (".csv", ".arff", ".txt") or path.name == "seeds.json":
            name = path.relative_to(GOLDEN).as_posix()
            yield name if name.startswith("seed") else f"tables/{name}", path
    for path in sorted(UCI.glob("*.arff")):
        yield f"tables/weka/{path.name.removeprefix('pima-')}", path


def test_copied_files_are_as_they_were_given(shared_file):
    shared_file("cases.json")  # or a skip
    assert [name for name, path in copies() if shared_file(name).read_bytes() != path.read_bytes()] == []
