"""Inside a worker process: what a method prints is caught, and a copy of the process does no work."""

import bad_methods
import pytest
from engine_runs import quick, small_study


class TestCopies:
    @pytest.mark.slow
    def test_a_copy_of_the_process_does_no_trials(self, tmp_path):
        study = small_study(datasets=["labor"], methods={"doubles": bad_methods.Doubles(every=1)}, resampling="5-fold")
        file = quick(study, tmp_path / "doubles.trial", 1)
        found = {r.key: (r.status, r.error) for r in file.read()}
        assert list(found.values()) == [("ok", None)] * 10


class TestOutput:
    @pytest.mark.slow
    def test_output_and_warnings_are_kept(self, tmp_path):
        study = small_study(datasets=["labor"], methods={"talks": bad_methods.Talks(every=1)})
        file = quick(study, tmp_path / "talks.trial", 1)
        talking = [r for r in file.read() if r.output]
        assert len(talking) == 3
        said = sorted(talking[0].output.splitlines())  # a method and its child write at their own time
        assert said == ["hello from a child of mine", "hello from python"]
        assert talking[0].warnings == (("UserWarning: careful", 3),)
