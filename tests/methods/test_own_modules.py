"""Modules beside a script: what is edited in them counts, what is installed counts by its import path."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from fairtrial import measures, tuned
from fairtrial.errors import InputError
from fairtrial.methods import Method, canonical, digest
from fairtrial.methods.recipe import recipe
from fairtrial.methods.source_versions import is_own

HELPER = """\
import functools
import threading
from tools.deep import shift
from tools import deep
import tools.far
import math

SCALE = 2
lock = threading.Lock()

def dist(x):
    return shift(x) * SCALE + deep.DEPTH + tools.far.away(x)

def lazy(x):
    from tools.late import late
    return late(x)

def lazy_too(x):
    import tools.late as other
    return other.late(x)

def locked(x):
    with lock:
        return unseen(x)

def unseen(x):
    return math.sqrt(x)

@functools.cache
def cached(x):
    return x - 1

def whole(name):
    return getattr(deep, name)
"""

MODELS = """\
import helper
from sklearn.base import BaseEstimator, ClassifierMixin

class Base(BaseEstimator):
    limit = 5

class Mine(ClassifierMixin, Base):
    def __init__(self, k=2):
        self.k = k

    def fit(self, X, y):
        return helper.dist(X)

    def predict(self, X):
        return X
"""

FILES = {
    "helper.py": HELPER,
    "models.py": MODELS,
    "tools/deep.py": "DEPTH = 4\nUNUSED = 1\ndef shift(x):\n    return x + 1\ndef other(x):\n    return x\n",
    "tools/far.py": "def away(x):\n    return x - 7\n",
    "tools/late.py": "from tools.far import away\ndef late(x):\n    return away(x)\n",
}
NAMES = ("helper", "models", "tools")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # files of one size and second would be taken for the same
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    write(tmp_path)
    yield tmp_path
    forget()


def write(folder: Path, file: str = "", old: str = "", new: str = "") -> None:
    for path, text in FILES.items():
        assert path != file or old in text
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text.replace(old, new) if path == file else text)


def forget() -> None:
    for name in [n for n in sys.modules if n.partition(".")[0] in NAMES]:
        del sys.modules[name]
    importlib.invalidate_caches()


def key(path: str) -> bytes:
    """The key of what a path stands for, in a new process as it were."""
    forget()
    module, _, name = path.rpartition(".")
    thing = getattr(importlib.import_module(module), name)
    return digest(canonical(thing() if isinstance(thing, type) else thing))


class TestKeys:
    @pytest.mark.parametrize(
        ("file", "old", "new"),
        [
            ("models.py", "return X", "return X + 1"),
            ("models.py", "limit = 5", "limit = 6"),
            ("helper.py", "* SCALE", "/ SCALE"),
            ("helper.py", "SCALE = 2", "SCALE = 3"),
            ("tools/deep.py", "x + 1", "x + 2"),
            ("tools/deep.py", "DEPTH = 4", "DEPTH = 5"),
            ("tools/far.py", "x - 7", "x - 8"),
        ],
    )
    def test_each_thing_that_a_class_uses_counts(self, folder, file, old, new):
        before = key("models.Mine")
        write(folder, file, old, new)
        assert key("models.Mine") != before

    @pytest.mark.parametrize(
        ("file", "old", "new"),
        [
            ("models.py", "import helper", "# a comment\nimport helper"),
            ("helper.py", "x - 1", "x - 2"),
            ("tools/deep.py", "UNUSED = 1", "UNUSED = 2"),
            ("tools/late.py", "away(x)", "away(x) + 1"),
        ],
    )
    def test_what_it_does_not_use_does_not(self, folder, file, old, new):
        before = key("models.Mine")
        write(folder, file, old, new)
        assert key("models.Mine") == before

    @pytest.mark.parametrize(
        ("name", "file", "old", "new"),
        [
            ("helper.lazy", "tools/late.py", "away(x)", "away(x) + 1"),
            ("helper.lazy", "tools/far.py", "x - 7", "x - 8"),
            ("helper.lazy_too", "tools/late.py", "away(x)", "away(x) + 1"),
            ("helper.lazy_too", "tools/far.py", "x - 7", "x - 8"),
            ("helper.locked", "helper.py", "math.sqrt", "math.cbrt"),  # a lock can't be written down: all of the module
            ("helper.locked", "tools/far.py", "x - 7", "x - 8"),
            ("helper.cached", "helper.py", "x - 1", "x - 2"),
            ("helper.whole", "tools/deep.py", "UNUSED = 1", "UNUSED = 2"),
        ],
    )
    def test_imports_inside_locks_caches_and_whole_modules(self, folder, name, file, old, new):
        before = key(name)
        assert key(name) == before
        write(folder, file, old, new)
        assert key(name) != before

    def test_functions_that_are_parameters(self, folder):
        before = key("helper.dist"), digest(canonical(FunctionTransformer(importlib.import_module("helper").dist)))
        write(folder, "helper.py", "SCALE = 2", "SCALE = 3")
        after = key("helper.dist"), digest(canonical(FunctionTransformer(importlib.import_module("helper").dist)))
        assert len({*before, *after}) == 4

    @pytest.mark.parametrize(
        ("file", "old", "new"),
        [("helper.py", "SCALE = 2", "SCALE = 3"), ("tools/deep.py", "DEPTH = 4", "DEPTH = 5")],
    )
    def test_a_constant_that_is_not_what_its_file_says(self, folder, file, old, new):
        # workers would read the file
        from models import Mine

        before = digest(canonical(Mine()))
        write(folder, file, old, new)
        with pytest.raises(InputError, match=f"its constant {old[:5]} is not what its file says; import that again"):
            canonical(Mine())
        importlib.reload(sys.modules[file.removesuffix(".py").replace("/", ".")])
        assert digest(canonical(Mine())) != before

    def test_a_name_that_the_module_itself_changes_is_no_constant(self, folder):
        text = "count = 0\ndef f(x):\n    global count\n    count += 1\n    return x + count\n"
        (folder / "helper.py").write_text(text)
        import helper

        helper.f(1)
        assert canonical(helper.f)

    def test_the_measure_of_a_tuned_method(self, folder):
        text = (
            "from fairtrial.measures import Confusion, measure\n"
            "@measure('Tools measure', of=Confusion, worst=0.0, best=1.0)\n"
            "def tools_measure(c):\n    return 1 * c.tp / c.total\n"
        )

        def tuned_key(text: str) -> bytes:
            forget()
            (folder / "helper.py").write_text(text)
            importlib.import_module("helper")
            try:
                return digest(canonical(tuned(SVC(), {"C": [1, 10]}, measure="tools_measure")))
            finally:
                measures.forget("tools_measure")

        assert tuned_key(text) == tuned_key(f"# more\n{text}") != tuned_key(text.replace("1 *", "2 *"))
        assert "uses" not in canonical(tuned(SVC(), {"C": [1, 10]}, measure="auc"))

    def test_the_form_has_the_name_and_a_hash(self, folder):
        from models import Mine

        form = Method("m", Mine(k=3)).canonical()["estimator"]
        assert form["class"]["named"] == "models.Mine"
        assert recipe(form) == "models.Mine(k=3)"
        assert recipe(canonical(Mine())) == "models.Mine"  # default values are known as before
        assert canonical(Mine(k=3), version="1") == {"version": "1", "of": {"class": "models.Mine", "params": {"k": 3}}}

    def test_a_module_that_was_changed_must_be_imported_again(self, folder):
        from models import Mine

        before = digest(canonical(Mine()))
        write(folder, "helper.py", "* SCALE", "- SCALE")
        with pytest.raises(InputError, match=r"dist is not: its file was changed .* import it again or start anew"):
            canonical(Mine())
        importlib.reload(sys.modules["helper"])
        assert digest(canonical(Mine())) != before

    def test_installed_packages_count_by_their_path(self, tmp_path, monkeypatch):
        home = tmp_path / "site-packages"
        home.mkdir()
        monkeypatch.setattr(sys, "path", [str(home), *sys.path])
        write(home)
        assert canonical(importlib.import_module("models").Mine()) == {"class": "models.Mine", "params": {"k": 2}}
        assert not is_own(sys.modules["models"])
        forget()

    def test_what_libraries_have_is_known_by_its_path_alone(self):
        form = canonical(make_pipeline(FunctionTransformer(np.log1p), SVC(C=3)))
        (_, first), (_, second) = form["params"]["steps"]
        assert first["params"]["func"] == {"path": "numpy.log1p"}
        assert second["class"] == "sklearn.svm.SVC"
        assert "source" not in str(form)


class TestIsOwn:
    def test_the_standard_library_and_fairtrial_are_not(self):
        import json

        import fairtrial.methods

        assert not any(map(is_own, (json, np, sys, fairtrial.methods, "json")))
        assert is_own(sys.modules[__name__])


STUDY = """\
from models import Mine
import fairtrial as ft

if __name__ == "__main__":
    study = ft.Study(datasets=["iris"], methods={"mine": Mine(), "most": "majority"}, resampling="2-fold")
    study.run("own.trial", workers=WORKERS, progress=False)
"""

FITTED = """\
from pathlib import Path
from sklearn.naive_bayes import GaussianNB
from helper import smoothing

class Mine(GaussianNB):
    def fit(self, X, y):
        with Path("fits.txt").open("a") as log:
            log.write(f"{smoothing():g} ")
        return super().fit(X, y)
"""


@pytest.mark.slow
def test_a_module_is_edited_and_its_study_resumed(tmp_path):
    def fits(helper: str, workers: int) -> list[str]:
        (tmp_path / "fits.txt").write_text("")
        (tmp_path / "helper.py").write_text(helper)
        (tmp_path / "models.py").write_text(FITTED)
        (tmp_path / "study.py").write_text(STUDY.replace("WORKERS", str(workers)))
        subprocess.run([sys.executable, "-B", "study.py"], cwd=tmp_path, check=True, env=dict(os.environ))
        return (tmp_path / "fits.txt").read_text().split()

    assert fits("def smoothing():\n    return 1\n", 1) == ["1", "1"]
    assert fits("# more\ndef smoothing():\n    return 1\n", 0) == []  # a worker's trials have the same key
    assert fits("def smoothing():\n    return 2\n", 0) == ["2", "2"]
