"""The examples on data as people hold them: a polars DataFrame, a name of OpenML with and without network."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest
import sklearn.datasets

EXAMPLES = Path(__file__).parents[1] / "examples"
sys.path.insert(0, str(Path(__file__).parent / "data"))  # for recorded_openml

from recorded_openml import Server  # noqa: E402


@pytest.fixture
def printed(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))

    def run(name):
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capsys.readouterr().out

    return run


@pytest.mark.slow
class TestPolars:
    def test_it_runs(self, printed):
        pytest.importorskip("polars")
        text = printed("polars_frame.py")
        assert "2 numeric, 1 nominal" in text
        assert "logistic" in text

    def test_without_polars(self, printed, monkeypatch):
        monkeypatch.setitem(sys.modules, "polars", None)
        with pytest.raises(SystemExit, match="This example needs polars: pip install polars"):
            printed("polars_frame.py")


@pytest.mark.slow
class TestOpenml:
    def test_it_runs_and_runs_again_without_network(self, printed, monkeypatch):
        pytest.importorskip("pyarrow")
        server = Server()
        monkeypatch.setattr(sklearn.datasets, "fetch_openml", server)
        first = printed("openml_name.py")
        assert "values from 15.00 to 1238" in first
        server.unplug()
        assert printed("openml_name.py") == first
        assert len(server.calls) == 1

    def test_without_network(self, printed, monkeypatch, tmp_path):
        server = Server()
        server.unplug()
        monkeypatch.setattr(sklearn.datasets, "fetch_openml", server)
        with pytest.raises(
            SystemExit, match=r"'openml:561' must be fetched once, but OpenML can't be reached"
        ) as found:
            printed("openml_name.py")
        assert str(tmp_path / "cache") in str(found.value)
