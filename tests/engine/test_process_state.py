"""The state of the process: each aspect that a method changes is set back."""

import gc
import os
import resource
import subprocess
import sys
from pathlib import Path

import leaky_methods
import pytest

from fairtrial.engine.isolation.process_state import ASPECTS, Aspect, ProcessState

HARD = """
import resource
from fairtrial.engine.isolation.process_state import ProcessState
state = ProcessState()
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_NOFILE, (16, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
print(state.set_back(), resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 16)
"""


class TestProcessState:
    @pytest.mark.parametrize("what", leaky_methods.STATE)
    def test_each_aspect_is_set_back(self, what):
        gc.collect()  # files that earlier tests left open: fewer open ones would hide those of this test
        state = ProcessState()
        assert state.set_back() == ([], [])
        leaky_methods.STATE[what]()
        assert state.set_back() in (([what], []), ([], []) if what in ("locale", "cores that may be used") else None)
        assert state.set_back() == ([], [])

    def test_by_hand(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("KEPT", "ä")
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        state = ProcessState()
        os.chdir("/")
        del os.environ["KEPT"]
        os.environ["NEW"] = "1"
        leaky_methods.lower(resource.RLIMIT_NOFILE)
        changed, stuck = state.set_back()
        assert (sorted(changed), stuck) == (["environment", "resource limits", "working directory"], [])
        assert (str(Path.cwd()), os.environ["KEPT"], "NEW" in os.environ) == (str(tmp_path), "ä", False)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == soft

    def test_every_aspect_has_a_method_that_changes_it(self):
        left_out = {"priority", "faulthandler"}  # a priority can't be set back; pytest has its own faulthandler
        assert {aspect.name for aspect in ASPECTS} - left_out <= leaky_methods.STATE.keys()

    @pytest.mark.slow
    def test_a_lowered_hard_limit_is_reported_and_other_limits_are_set_back(self):
        resource_limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
        if resource_limit == 0 or os.geteuid() == 0:
            pytest.skip("the hard limit is 0 already, or this user may raise it")
        printed = subprocess.run([sys.executable, "-c", HARD], capture_output=True, text=True, check=True).stdout
        assert printed == "(['resource limits'], ['resource limits']) True\n"

    def test_what_can_not_be_set_back_is_stuck(self, monkeypatch):
        values = iter([1, 2, 2, 2, 2])
        aspect = Aspect("hard", lambda: next(values), lambda _: None)
        monkeypatch.setattr("fairtrial.engine.isolation.process_state.ASPECTS", (aspect,))
        assert ProcessState().set_back() == (["hard"], ["hard"])
