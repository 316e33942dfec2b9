"""Classes and functions of a script: known by their source and by all that they use, as far as it goes."""

from __future__ import annotations

import linecache
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from fairtrial.errors import InputError
from fairtrial.methods import Method, canonical, digest
from fairtrial.methods.recipe import recipe
from fairtrial.methods.source_versions import is_typed

SCRIPT = """\
import functools, logging, math
from dataclasses import dataclass
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin

FACTOR = 2
TABLE = {"a": [1, 2]}
log = logging.getLogger("mine")
results = object()

def helper(x):
    return inner(x) * FACTOR

def inner(x):
    # of inner
    return x + 1

def unused(x):
    return x

def loud(function):
    @functools.wraps(function)
    def louder(*args):
        return function(*args)
    return louder

def times(n):
    return lambda x: x * n

@loud
def decorated(x):
    return x - 1

@functools.cache
def cached(x):
    return x - 2

triple = times(3)

class Base:
    limit = 5

    def shift(self, x):
        return triple(x)

class Mine(Base, ClassifierMixin, BaseEstimator):
    def __init__(self, k=FACTOR):
        self.k = k

    def fit(self, X, y):
        log.info("fit")
        self.results = [helper(x) for x in X]
        return self

    def predict(self, X):
        return super().shift(decorated(cached(X)))

    @property
    def size(self):
        return TABLE

    @staticmethod
    def known(x):
        return math.sqrt(x)

class Steps(TransformerMixin, BaseEstimator):
    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return X

@dataclass
class Sized:
    size: int = 3

    def fit(self, X, y):
        return even(4)

    def predict(self, X):
        return X

def even(n):
    return n == 0 or odd(n - 1)

def odd(n):
    return n != 0 and even(n - 1)
"""


def run(folder: Path, text: str, name: str = "script.py") -> dict[str, object]:
    """The names of a script, after it ran."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    names: dict[str, object] = {"__name__": "__main__", "__file__": str(path)}
    exec(compile(text, str(path), "exec"), names)
    return names


def key(folder: Path, text: str, what: str = "Mine") -> bytes:
    thing = run(folder, text)[what]
    return digest(canonical(thing() if isinstance(thing, type) else thing))


class TestIsTyped:
    def test_what_has_an_import_path_is_not(self, tmp_path):
        names = run(tmp_path, SCRIPT)
        assert is_typed(names["Mine"])
        assert is_typed(names["helper"])
        assert not is_typed(names["BaseEstimator"])
        assert not is_typed(names["Mine"]())
        assert not is_typed(textwrap.dedent)


class TestCanonical:
    def test_is_a_hash_that_the_recipe_shows_by_its_name(self, tmp_path):
        form = Method("m", run(tmp_path, SCRIPT)["Mine"](k=4)).canonical()["estimator"]
        assert form["class"]["named"] == "Mine"
        assert len(form["class"]["source"]) == 32
        assert form["params"] == {"k": 4}
        assert recipe(form) == "Mine(k=4)"

    def test_place_names_and_lines_do_not_count(self, tmp_path):
        (tmp_path / "other").mkdir()
        moved = f"# a new first line\n\n{SCRIPT}\nstudy = 3\n"
        assert key(tmp_path, SCRIPT) == key(tmp_path / "other", moved)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("return inner(x) * FACTOR", "return inner(x) / FACTOR"),
            ("return x + 1", "return x + 2"),
            ("FACTOR = 2", "FACTOR = 3"),
            ('{"a": [1, 2]}', '{"a": [1, 3]}'),
            ("limit = 5", "limit = 6"),
            ("triple = times(3)", "triple = times(4)"),
            ("lambda x: x * n", "lambda x: n * x"),
            ("return x - 1", "return x - 3"),
            ("return x - 2", "return x - 3"),
            ("return function(*args)", "return function(*args[:1])"),
            ("math.sqrt(x)", "math.cbrt(x)"),
            ("class Mine(Base, ClassifierMixin", "class Mine(ClassifierMixin, Base"),
            ("def size(self):\n        return TABLE", "def size(self):\n        return [TABLE]"),
        ],
    )
    def test_each_thing_that_it_uses_counts(self, tmp_path, old, new):
        assert old in SCRIPT
        assert key(tmp_path, SCRIPT) != key(tmp_path, SCRIPT.replace(old, new))

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("def unused(x):\n    return x", "def unused(x):\n    return 7"),
            ("results = object()", "results = [1, 2]"),  # self.results is something else
            ('getLogger("mine")', 'getLogger("mine")  # ours'),
            ("def transform(self, X):", "def transform(self, X, copy=None):"),
        ],
    )
    def test_what_it_does_not_use_does_not(self, tmp_path, old, new):
        assert old in SCRIPT
        assert key(tmp_path, SCRIPT) == key(tmp_path, SCRIPT.replace(old, new))

    def test_what_scikit_learn_puts_around_a_transformer(self, tmp_path):
        one = key(tmp_path, SCRIPT, "Steps")
        assert one == key(tmp_path, SCRIPT, "Steps")
        assert one != key(tmp_path, SCRIPT.replace("return X\n\n@", "return X + 1\n\n@"), "Steps")

    @pytest.mark.parametrize("change", [("size: int = 3", "size: int = 4"), ("n != 0", "n > 0"), ("n == 0", "n < 1")])
    def test_dataclasses_and_functions_that_call_each_other(self, tmp_path, change):
        names = run(tmp_path, SCRIPT)
        assert digest(canonical(names["Sized"](9))) == digest(canonical(names["Sized"](9)))
        changed = run(tmp_path, SCRIPT.replace(*change))["Sized"](9)
        assert digest(canonical(changed)) != key(tmp_path, SCRIPT.replace("size: int = 3", "size: int = 9"), "Sized")
        assert key(tmp_path, SCRIPT, "Sized") != key(tmp_path, SCRIPT.replace(*change), "Sized")

    def test_functions_alone(self, tmp_path):
        assert key(tmp_path, SCRIPT, "helper") != key(tmp_path, SCRIPT, "inner")
        assert key(tmp_path, SCRIPT, "helper") != key(tmp_path, SCRIPT.replace("x + 1", "x + 2"), "helper")
        assert key(tmp_path, "f = lambda x: x + 1", "f") != key(tmp_path, "f = lambda x: x + 2", "f")
        assert key(tmp_path, "f = (lambda x:\n x + 1)", "f") != key(tmp_path, "f = (lambda x:\n x + 2)", "f")
        assert key(tmp_path, "K = 1\ndef f(x, k=K): ...", "f") != key(tmp_path, "K = 2\ndef f(x, k=K): ...", "f")
        assert key(tmp_path, "K = 1\ndef f():\n return [K for _ in ()]", "f") != key(
            tmp_path, "K = 2\ndef f():\n return [K for _ in ()]", "f"
        )

    @pytest.mark.parametrize(
        ("kind", "one", "other"),
        [
            ("from pathlib import Path", "Path('a')", "Path('b')"),
            ("import re", "re.compile('a')", "re.compile('a', re.I)"),
            ("import datetime", "datetime.date(2020, 1, 1)", "datetime.date(2021, 1, 1)"),
            ("import pandas as pd", "pd.Timestamp('2020')", "pd.Timestamp('2021')"),
            ("import pandas as pd", "pd.DataFrame({'a': [1, 2]})", "pd.DataFrame({'a': [1, 3]})"),
            ("import pandas as pd", "pd.Series([1, 2])", "pd.Series([1, 2], index=[0, 5])"),
            ("from fractions import Fraction", "[Fraction(1, 2)]", "[Fraction(1, 3)]"),
            ("import enum\nclass E(enum.Enum):\n    A = 1\n    B = 2", "E.A", "E.B"),
            ("from collections import namedtuple", "namedtuple('P', 'x y')", "namedtuple('P', 'x z')"),
            ("import numpy as np", "np.vectorize(lambda x: x + 1)", "np.vectorize(lambda x: x + 2)"),
            ("from sklearn.svm import SVC", "SVC(C=1)", "SVC(C=2)"),
            ("from sklearn.decomposition import PCA", "PCA(1).fit([[1, 2], [2, 3]])", "PCA(1).fit([[1, 2], [2, 9]])"),
            ("import numpy as np", "np.arange(3)", "np.arange(1, 4)"),
        ],
    )
    def test_constants_of_many_kinds(self, tmp_path, kind, one, other):
        text = "{}\nK = {}\ndef f(x):\n    return K\n"
        assert key(tmp_path, text.format(kind, one), "f") == key(tmp_path, text.format(kind, one), "f")
        assert key(tmp_path, text.format(kind, one), "f") != key(tmp_path, text.format(kind, other), "f")

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("E = ValueError(1)\ndef f():\n    return E", "its state can't be read"),
            (
                "import threading\nlock = threading.Lock()\ndef f():\n    return lock",
                "neither parameters nor attributes",
            ),
            ("import numpy as np\nrandom = np.random.RandomState(1)\ndef f():\n    return random.rand()", "generator"),
            ("f, g = lambda x: x + 1, lambda x: x + 2", "several functions stand on its line"),
        ],
    )
    def test_what_can_not_be_known_is_refused(self, tmp_path, text, why):
        with pytest.raises(InputError, match=f"{why}.*say version='1' in Method"):
            key(tmp_path, text, "f")

    def test_a_file_that_was_changed_while_it_ran_is_refused(self, tmp_path):
        f = run(tmp_path, "def f(x):\n    return x + 1\n")["f"]
        (tmp_path / "script.py").write_text("def f(x):\n    return x - 111\n")
        with pytest.raises(InputError, match="its file was changed after Python had read it"):
            canonical(f)
        (tmp_path / "script.py").write_text("\n\n\n")
        with pytest.raises(InputError, match="its source has changed since it was read"):
            canonical(f)

    def test_cells_of_a_notebook(self, monkeypatch):
        # as IPython keeps them: lines under a made-up name, without a file and a time
        def cell(text: str) -> bytes:
            monkeypatch.setitem(
                linecache.cache, "<cell 1>", (len(text), None, text.splitlines(keepends=True), "<cell 1>")
            )
            names: dict[str, object] = {"__name__": "__main__"}
            exec(compile(text, "<cell 1>", "exec"), names)
            return digest(canonical(names["Mine"]()))

        text = "def f(x):\n    return x + 1\n\nclass Mine:\n    def fit(self, X, y):\n        return f(X)\n"
        assert cell(text) == cell(f"\n{text}") != cell(text.replace("x + 1", "x + 2"))

    def test_without_a_source_there_is_the_version(self):
        names: dict[str, object] = {"__name__": "__main__"}
        exec("class Typed:\n    def fit(self, X, y): ...\n    def predict(self, X): ...", names)
        with pytest.raises(
            InputError, match=r"Typed.fit is not: its source can't be found; put it in a module, or say"
        ):
            Method("m", names["Typed"]()).canonical()
        form = Method("m", names["Typed"](), version="1").canonical()["estimator"]
        assert form == {"version": "1", "of": {"class": {"named": "Typed"}, "state": {}}}


STUDY = """\
import sys
from pathlib import Path
import fairtrial as ft
from sklearn.naive_bayes import GaussianNB

SMOOTHING = 1e-9

def smoothing():
    return SMOOTHING * 1

class Mine(GaussianNB):
    def fit(self, X, y):
        with Path("fits.txt").open("a") as log:
            log.write("mine ")
        self.var_smoothing = smoothing()
        return super().fit(X, y)

class Other(GaussianNB):
    def fit(self, X, y):
        with Path("fits.txt").open("a") as log:
            log.write("other ")
        return super().fit(X, y)

if __name__ == "__main__":
    study = ft.Study(datasets=["iris"], methods={"mine": Mine(), "other": Other()}, resampling="2-fold")
    study.run("own.trial", workers=0, progress=False)
"""


@pytest.mark.slow
def test_a_script_is_edited_and_its_study_resumed(tmp_path):
    def fits(text: str) -> list[str]:
        (tmp_path / "fits.txt").write_text("")
        (tmp_path / "study.py").write_text(text)
        subprocess.run([sys.executable, "study.py"], cwd=tmp_path, check=True, env=dict(os.environ))
        return sorted((tmp_path / "fits.txt").read_text().split())

    assert fits(STUDY) == ["mine", "mine", "other", "other"]
    assert fits(STUDY.replace("SMOOTHING * 1", "SMOOTHING * 2")) == ["mine", "mine"]  # nothing of the other runs again
