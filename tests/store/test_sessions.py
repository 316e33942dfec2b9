"""Who ran a study, when, where and with which versions."""

import os
import platform

from fairtrial.store import Session, versions
from fairtrial.store.checks.json import moment
from fairtrial.store.sessions import now, this_session


class TestSessions:
    def test_this_process(self, file):
        file.begin_session()
        (found,) = file.sessions()
        assert found == Session(1, found.started, platform.node(), os.getpid(), found.command, versions())
        assert found.to_dict()["versions"]["python"] == platform.python_version()

    def test_a_session_has_no_number_before_it_is_written(self):
        assert this_session().id == 0

    def test_moments_are_in_utc(self):
        assert moment(now(), "x").utcoffset().total_seconds() == 0


def test_a_package_that_is_not_there(monkeypatch):
    from importlib import metadata

    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert versions()["numpy"] == "not installed"
