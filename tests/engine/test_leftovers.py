"""Leftovers of trials: threads of one's own and many open files are found and reported once; pools are not."""

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fairtrial.engine.isolation.process_state import MOST_FILES, Files, StandardFiles, Threads


class TestThreads:
    def test_one_that_runs_on_is_reported_once(self):
        threads, go_on = Threads(), threading.Event()
        threading.Thread(target=go_on.wait, name="mine").start()
        try:
            assert threads.left() == ("mine",)
            with pytest.raises(RuntimeError, match="mine"):
                threads.end(())
            assert threads.left() == ()
        finally:
            go_on.set()

    def test_one_of_a_script_whose_name_a_worker_of_an_installed_package_has(self, monkeypatch):
        monkeypatch.setattr(
            sys.modules["__main__"], "__file__", "/lib/site-packages/fairtrial/worker.py", raising=False
        )
        threads, go_on = Threads(), threading.Event()

        def wait():
            go_on.wait()

        wait.__module__ = "__main__"
        threading.Thread(target=wait, name="script's").start()
        assert threads.left() == ("script's",)
        go_on.set()

    def test_pools_may_stay(self):
        threads = Threads()
        with ThreadPoolExecutor(1) as pool:
            pool.submit(int).result()
            assert threads.left() == ()


class TestFiles:
    def test_a_few_may_stay_and_many_are_reported_once(self):
        files = Files()
        opened = [Path(os.devnull).open() for _ in range(MOST_FILES)]  # noqa: SIM115
        assert not files.too_many()
        opened += [Path(os.devnull).open() for _ in range(5)]  # noqa: SIM115
        assert files.too_many()
        with pytest.raises(RuntimeError, match="open"):
            files.collect(False)
        assert not files.too_many()
        for file in opened:
            file.close()


class TestStandardFiles:
    def test_what_is_behind_a_number_comes_back(self):
        kept = StandardFiles()
        before = kept.behind()
        os.close(0)
        assert kept.behind() != before
        kept.set_back(before)
        assert kept.behind() == before
