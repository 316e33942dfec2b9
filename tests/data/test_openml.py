"""OpenML by number and name: fetched once, kept, checked; clear words without network, pyarrow or a sound copy."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import sklearn.datasets
from click.testing import CliRunner
from recorded_openml import Server, recorded

import fairtrial as ft
from fairtrial.cli import cli
from fairtrial.data import Dataset, datasets
from fairtrial.data.openml import cache_folder
from fairtrial.errors import InputError, UnknownName

pytest.importorskip("pyarrow")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "openml"


@pytest.fixture
def server(cache, monkeypatch):
    server = Server()
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", server)
    return server


class TestFetching:
    def test_the_data(self, server):
        [data] = datasets("openml:561")
        assert repr(data) == "Dataset('cpu', 209 × 7, values)"
        assert data.features[0].name == "vendor"
        assert len(data.features[0].categories) == 30
        np.testing.assert_array_equal(data.X[1], [1, 29, 8000, 32000, 32, 8, 32])
        assert data.target[:2].tolist() == [199, 253]
        assert data.source == "OpenML data set 561 (cpu, version 1), https://www.openml.org/d/561"
        assert data.notes[0].text == "OpenML data set 561: 'cpu', version 1"
        assert data.fingerprint == Dataset.from_frame(recorded().frame, target="class").fingerprint

    def test_later_runs_do_not_ask(self, server):
        first = datasets("openml:561")[0]
        server.unplug()
        assert datasets("openml:561")[0].fingerprint == datasets("openml:0561")[0].fingerprint == first.fingerprint
        assert server.calls == [{"name": None, "data_id": 561}]

    def test_by_name(self, server):
        first = datasets("openml:CPU")[0]
        server.unplug()
        assert datasets("openml:cpu")[0].fingerprint == datasets("openml:561")[0].fingerprint == first.fingerprint
        assert server.calls == [{"name": "cpu", "data_id": None}]

    def test_a_copy_by_number_does_not_answer_for_a_name(self, server):
        datasets("openml:561")  # other versions may have the same name
        datasets("openml:cpu")
        assert len(server.calls) == 2

    def test_what_is_kept(self, server, cache):
        datasets("openml:cpu")
        assert sorted(p.relative_to(cache).as_posix() for p in cache.rglob("*") if p.is_file()) == [
            "561.json",
            "561.parquet",
            "names/cpu.json",
        ]
        facts = json.loads((cache / "561.json").read_text())
        assert (facts["id"], facts["name"], facts["version"], facts["targets"]) == (561, "cpu", "1", ["class"])

    def test_choices(self, server):
        [data] = datasets({"machines": "openml:561"}, target={"machines": "CACH"})
        assert (data.name, data.features[-1].name, data.target[:2].tolist()) == ("machines", "CHMAX", [256, 32])
        assert data.notes[1].text == "left out: 'class' (OpenML names it as a target)"
        assert datasets("openml:561", target="CACH")[0].fingerprint == data.fingerprint
        mixed = datasets("openml:561", recorded().frame.rename(columns={"CACH": "churned"}), target="churned")
        assert [d.target[0] for d in mixed] == [199, 256]
        with pytest.raises(InputError, match=r"target can only be chosen .* among the columns of a data set of OpenML"):
            datasets("openml:561", target="churned")
        with pytest.raises(UnknownName, match="no column of 'machines' is called 'cach'"):
            datasets({"machines": "openml:561"}, target={"machines": "cach"})

    def test_no_target_and_several(self, server):
        server.answer.target_names = ["CHMAX", "class"]
        with pytest.raises(
            InputError, match="target of openml:561 must be chosen, as OpenML names 'CHMAX' and 'class'"
        ):
            datasets("openml:561")
        assert "CHMAX" not in [f.name for f in datasets("openml:561", target="class")[0].features]


class TestTrouble:
    def test_no_network(self, server, cache):
        server.unplug()
        with pytest.raises(
            InputError, match=r"'openml:561' must be fetched once, but OpenML can't be reached"
        ) as found:
            datasets("openml:561")
        assert "Name or service not known" in str(found.value)
        assert str(cache) in str(found.value)
        assert "FAIRTRIAL_CACHE" in str(found.value)
        assert not cache.exists()

    def test_what_comes_with_fairtrial_needs_no_network(self, server):
        server.unplug()
        with pytest.raises(InputError, match=r"take 'credit-g', which comes with fairtrial .*, or connect to the net"):
            datasets("openml:Credit-g")
        with pytest.raises(InputError, match=r"openml'; connect to the network"):
            datasets("openml:cpu")

    @pytest.mark.parametrize("name", ["abc/xyz", "a b", "31?x=1", "..%2f"])
    def test_odd_names_do_not_reach_the_network(self, server, name):
        with pytest.raises(InputError, match=r"must be made of letters, digits .* a data set is named by number"):
            datasets(f"openml:{name}")
        assert server.calls == []

    def test_unknown_number(self, server):
        server.trouble = ValueError("Dataset with data_id 99999999 not found.")
        with pytest.raises(InputError, match=r"but it says: ValueError: Dataset with data_id 99999999 not found"):
            datasets("openml:99999999")
        with pytest.raises(InputError, match="such as 'openml:31', got 'openml:'"):
            datasets("openml:")

    @pytest.mark.parametrize("file", ["561.parquet", "561.json"])
    def test_every_damage_is_noticed(self, server, cache, file):
        datasets("openml:561")
        whole = (cache / file).read_bytes()
        for place in np.linspace(0, len(whole) - 2, 25).astype(int):
            (cache / file).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            with pytest.raises(InputError, match=r"copy of 'openml:561' in .* is damaged .*561\.json and 561\.parquet"):
                datasets("openml:561")
        (cache / file).write_bytes(whole[: len(whole) // 2])
        with pytest.raises(InputError, match="is damaged"):
            datasets("openml:561")
        (cache / file).write_bytes(whole)
        assert datasets("openml:561")
        assert len(server.calls) == 1

    def test_half_a_copy(self, server, cache):
        datasets("openml:cpu")
        (cache / "names" / "cpu.json").write_text("{")
        with pytest.raises(InputError, match=r"'openml:cpu' in .*names' is damaged \(cpu.json can't be read\); delete"):
            datasets("openml:cpu")
        (cache / "561.parquet").unlink()
        with pytest.raises(InputError, match=r"is damaged \(a file of it can't be read\)"):
            datasets("openml:561")
        (cache / "561.json").unlink()
        assert datasets("openml:561")

    def test_without_pyarrow(self, server, monkeypatch):
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(InputError, match=r"'openml:561' needs pyarrow, .* pip install 'fairtrial\[arrow\]'"):
            datasets("openml:561")
        assert server.calls == []

    def test_a_cache_that_can_not_be_written(self, server, tmp_path, monkeypatch):
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("FAIRTRIAL_CACHE", str(tmp_path / "file"))
        with pytest.raises(
            InputError, match=r"must be a folder that can be written, .*name another by FAIRTRIAL_CACHE"
        ):
            datasets("openml:561")


class TestCacheFolder:
    def test_by_platform(self, monkeypatch):
        monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
        assert cache_folder({}, "linux") == Path("/home/ann/.cache/fairtrial")
        assert cache_folder({}, "darwin") == Path("/home/ann/Library/Caches/fairtrial")
        assert cache_folder({"LOCALAPPDATA": "/local"}, "win32") == Path("/local/fairtrial/Cache")
        assert cache_folder({}, "win32") == Path("/home/ann/AppData/Local/fairtrial/Cache")
        assert cache_folder({"FAIRTRIAL_CACHE": "/here", "XDG_CACHE_HOME": "/there"}, "linux") == Path("/here")


class TestInStudies:
    def test_in_a_study_and_in_a_study_file(self, server, tmp_path):
        file = tmp_path / "study.toml"
        file.write_text('datasets = ["openml:561", { name = "openml:cpu", target = "CHMAX" }]\nmethods = ["mean"]\n')
        loaded = ft.load_study(file)
        assert [d.target[0] for d in loaded.datasets] == [199, 128]
        made = ft.Study(datasets={"speed": "openml:561"}, methods=["mean"])
        assert (made.datasets[0].name, made.datasets[0].fingerprint) == ("speed", loaded.datasets[0].fingerprint)

    def test_on_the_command_line(self, server):
        done = CliRunner().invoke(cli, ["advise", "openml:561"], catch_exceptions=False)
        assert done.exit_code == 0
        assert "Decide by" in done.output
