"""What several rooms' tests share: real result tables, permissions that also bind root, results made to measure."""

from __future__ import annotations

import ctypes
import gc
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

# The same examples each time, so that a change is judged by what it changed; `make explore` looks for new ones.
# No deadline: first calls import and fill caches.
settings.register_profile("same examples", deadline=None, derandomize=True)
settings.register_profile(
    "new examples", deadline=None, max_examples=int(os.environ.get("FAIRTRIAL_EXAMPLES", "1")), print_blob=True
)
settings.register_profile("few examples", deadline=None, derandomize=True, max_examples=10)
FEW = "few examples" if "FAIRTRIAL_QUICK" in os.environ else "same examples"
settings.load_profile("new examples" if "FAIRTRIAL_EXAMPLES" in os.environ else FEW)

# In the background of a shell Ctrl-C is ignored, also by the processes that tests start and stop with it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep what is compiled for the tests, and leave garbage collection out until all are collected.

    PYTHONDONTWRITEBYTECODE would make pytest rewrite 12,000 assertions anew in each worker, each time; modules that
    tests write themselves are imported as it says. And items are no garbage: to look at all of them again and again
    took half of the time.
    """
    keeps_none = sys.dont_write_bytecode
    sys.dont_write_bytecode = False
    gc.disable()
    try:
        return (yield)
    finally:
        sys.dont_write_bytecode = keeps_none
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file():
    """Tests have no examples in docstrings, and the files beside them no tests: nothing to look for as doctests."""
    found = yield
    return [collector for collector in found if not isinstance(collector, DoctestModule)]


LONGEST = (
    "tests/test_examples.py", "tests/engine/test_soak.py", "tests/engine/test_run.py",
    "tests/cli/test_result_commands.py",
    "tests/engine/test_dask_executor.py", "tests/engine/test_processes.py", "tests/test_every_guard.py",
    "tests/cli/test_no_error_leads_in_a_circle.py", "tests/test_notebooks.py", "tests/test_tutorial.py",
    "tests/engine/test_isolation.py", "tests/test_gallery.py", "tests/verdict/guards/test_training_guards.py",
)  # fmt: skip
"""Files that take longest begin first: a worker that ends with one of them would leave the other idle."""


def pytest_collection_modifyitems(items):
    """The longest files first; or all in another order, for each FAIRTRIAL_ORDER: no test may need one before it."""
    first = {file: number for number, file in enumerate(LONGEST)}
    items.sort(key=lambda item: first.get(item.nodeid.partition("::")[0], len(first)))
    if order := os.environ.get("FAIRTRIAL_ORDER"):

        def place(text):
            return hashlib.sha256(f"{order} {text}".encode()).digest()

        items.sort(key=lambda item: (place(item.nodeid.partition("::")[0]), place(item.nodeid)))


TESTS = Path(__file__).parent
sys.path.insert(0, str(TESTS))  # for guard_rates and its worlds
KNOWN_ANSWERS = TESTS.parents[1] / "shared" / "known-answers"


@pytest.fixture(scope="session")
def shared_file():
    """Find a file of the known answers that may not be committed; all skips are here, so that pytest sums them up."""

    def find(name):
        path = KNOWN_ANSWERS / name
        if not path.exists():
            pytest.skip(f"{path.name} may not be committed, and ../shared/known-answers is not beside the project")
        return path

    return find


@pytest.fixture(scope="session")
def shared_table(shared_file):
    """Find a table of the known answers: its copy in tests/golden where it may be committed."""

    def find(name):
        committed = TESTS / "golden" / name
        return committed if committed.exists() else shared_file(f"tables/{name}")

    return find


TEX_PROBE = r"""\documentclass{IEEEtran}
\usepackage{iftex,amsmath,amssymb,array,booktabs,float,geometry,graphicx,siunitx,hyperref}
\usepackage[export]{adjustbox}
\ifPDFTeX\usepackage[T1]{fontenc}\usepackage{textcomp}\else\usepackage{fontspec}\fi
\begin{document}\begin{tabular}{S[table-format=1.1]}\toprule 1.5\end{tabular} \texttt{x} $\checkmark$\end{document}
"""


@pytest.fixture(scope="session")
def compiled():
    """Compile a LaTeX file in its folder, where there is a LaTeX; the skip is in one place, as that of tables.

    What is returned are the lines of the log on boxes that are more than a point too wide or too high.
    """

    @cache
    def lacking(engine):
        """Why this engine can't be used here; it must compile all packages in a document that has nothing of ours."""
        if shutil.which(engine) is None:
            return f"no {engine} here"
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "probe.tex").write_text(TEX_PROBE, encoding="utf-8")
            done = run_tex(Path(folder) / "probe.tex", engine)
        error = next((line for line in done.stdout.decode(errors="replace").splitlines() if line.startswith("!")), "")
        return f"this {engine} lacks what tables need: {error}" if done.returncode else ""

    def run_tex(path, engine):
        command = [engine, "-interaction=nonstopmode", "-halt-on-error", path.name]
        return subprocess.run(command, cwd=path.parent, capture_output=True, timeout=120, check=False)

    def compiled(path, engine="pdflatex"):
        if lacking(engine):
            pytest.skip(lacking(engine))
        done = run_tex(path, engine)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
        log = path.with_suffix(".log").read_text(encoding="utf-8", errors="replace")
        boxes = re.findall(
            r"^(?:Overfull \\[hv]box \(([\d.]+)pt too|LaTeX Warning: Float too large).*", log, re.MULTILINE
        )
        return [box for box in boxes if not box or float(box) > 1]

    return compiled


CAP_DAC_OVERRIDE = 1 << 1
LINUX_CAPABILITY_VERSION_3 = 0x20080522


@pytest.fixture
def bound_by_permissions():
    """What may not be written can't be written, as root too.

    On Linux root's right to ignore permissions is laid down meanwhile. Root stays the owner of its files: another user
    could not import from a private folder any more.
    """
    if os.geteuid() != 0:
        yield
        return
    if sys.platform != "linux":
        pytest.skip("root may write anywhere")
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(LINUX_CAPABILITY_VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then the same of capabilities 32 to 63
    assert libc.capget(header, sets) == 0, os.strerror(ctypes.get_errno())
    effective = sets[0]
    sets[0] = effective & ~CAP_DAC_OVERRIDE
    assert libc.capset(header, sets) == 0, os.strerror(ctypes.get_errno())
    try:
        yield
    finally:
        sets[0] = effective
        assert libc.capset(header, sets) == 0, os.strerror(ctypes.get_errno())


@pytest.fixture
def made_results():
    """Results from a function of (dataset, method, level, fold) that gives the value of each measure.

    A value of None is a failed trial; a pair ("stopped", seconds) one that ran into its time limit.
    """

    def make(score, *, datasets=("wine",), methods=("a", "b"), factor=None, levels=(None,), folds=5,
             yardsticks=(), measures=("accuracy", "fit_time"), p=10):  # fmt: skip
        import pandas as pd

        from fairtrial.design import Question
        from fairtrial.measures import get
        from fairtrial.resampling import Dependence
        from fairtrial.results import Results

        rows = []
        for dataset in datasets:
            for level in levels:
                for method in methods:
                    for fold in range(folds):
                        scores = score(dataset, method, level, fold)
                        for name in measures:
                            value = None if scores is None else scores[name]
                            stopped = isinstance(value, tuple)
                            rows.append({
                                "dataset": dataset, "method": method, **({factor: level} if factor else {}),
                                "replicate": 0, "repeat": 0, "fold": fold, "measure": name,
                                "value": value[1] if stopped else value, "n_train": level or 100, "n_test": 25,
                                "status": "failed" if value is None or stopped else "ok",
                            })  # fmt: skip
        frame = pd.DataFrame(rows).astype({"value": float})
        return Results(
            scores=frame,
            question=Question(measure=measures[0]),
            dependence=dict.fromkeys(datasets, Dependence("5-fold", 1, folds, 0.2)),
            measures={name: get(name) for name in measures},
            failures=frame[(frame["status"] == "failed") & (frame["measure"] == measures[0])],
            yardsticks=yardsticks,
            baseline=yardsticks[0] if yardsticks else None,
            datasets={d: {"p": p, "task": "classes"} for d in datasets},
            factors={factor: tuple(levels)} if factor else {},
        )

    return make
