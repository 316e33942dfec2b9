"""The start of a worker: it ends with its parent, also while it imports."""

import subprocess
import sys
import time

import psutil
import pytest

STARTS = """
import os, socket, subprocess, sys, time
ours, theirs = socket.socketpair()
command = [sys.executable, "-m", "fairtrial.worker", str(theirs.fileno()), str(os.getpid())]
child = subprocess.Popen(command, pass_fds=[theirs.fileno()], start_new_session=True, env={**os.environ, **SLOW})
print(child.pid, flush=True)
time.sleep(60)
"""


class TestDeadParent:
    @pytest.mark.slow
    def test_is_noticed_while_it_imports(self, tmp_path):
        """A package that takes long to import stands before numpy: the worker must not wait for it."""
        (tmp_path / "numpy.py").write_text("import time\ntime.sleep(30)\n", encoding="utf-8")
        code = f"SLOW = {{'PYTHONPATH': {str(tmp_path)!r}}}\n{STARTS}"
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
            worker = psutil.Process(int(parent.stdout.readline()))
            time.sleep(1.0)  # it has begun to import
            assert worker.is_running()
            parent.kill()
        _, alive = psutil.wait_procs([worker], timeout=5)
        assert not alive
