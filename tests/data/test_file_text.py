"""The text of files: packed, in several encodings, and broken."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from fairtrial.data import datasets, read_dataset
from fairtrial.data.file_text import check_name, file_content, home_path, utf8_text
from fairtrial.errors import InputError

FILE = Path("t.csv")


class TestFileContent:
    def test_packed(self, write):
        assert file_content(write("t.csv.gz", gzip.compress(b"a,b\n", mtime=0))) == b"a,b\n"
        assert file_content(write("t.csv", b"\x1f\x8b")) == b"\x1f\x8b"

    @pytest.mark.parametrize(
        "content", [gzip.compress(b"a,b\n" * 99, mtime=0)[:-9], b"a,b\n", b"", b"\x1f\x8b\x08\0" + b"\xff" * 40]
    )
    def test_broken_gzip(self, write, content):
        path = write("t.csv.gz", content)
        if not content:
            assert file_content(path) == b""  # no member, as gzip has it
            return
        with pytest.raises(
            InputError, match=r"must be a whole gzip file, as its ending says, but can't be unpacked \("
        ):
            file_content(path)

    def test_a_folder(self, tmp_path):
        with pytest.raises(InputError, match=r"can't be read: Is a directory; check its permissions"):
            file_content(tmp_path)


class TestUtf8Text:
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
    def test_encodings(self, encoding):
        assert utf8_text("é,日\n".encode(encoding), FILE) == ("é,日\n".encode(), [])

    def test_latin_1_is_told(self):
        text, [note] = utf8_text("é".encode("latin-1"), FILE)
        assert text == "é".encode()
        assert note.text == "t.csv is not UTF-8; it was read as Latin-1"

    def test_utf_8_that_a_block_divides(self, monkeypatch):
        monkeypatch.setattr("fairtrial.data.file_text.BLOCK", 2)
        assert utf8_text("a日b".encode(), FILE)[1] == []
        assert utf8_text("a日".encode()[:-1], FILE)[1] != []

    def test_broken_utf_16(self):
        with pytest.raises(InputError, match=r"must be UTF-16, as its first bytes say, but is broken at byte 8 \("):
            utf8_text("a,b".encode("utf-16") + b"x", FILE)

    def test_nul(self):
        with pytest.raises(InputError, match="must be text, but byte 1 of it is NUL; if it is UTF-16 without a mark"):
            utf8_text("a,b".encode("utf-16-le"), FILE)


class TestNames:
    @pytest.mark.parametrize("name", ["a\0b.csv", "\ud800.csv"])
    def test_what_no_system_takes(self, name):
        with pytest.raises(InputError, match="must be text without NUL"):
            check_name(name)
        with pytest.raises(InputError, match="must be text without NUL"):
            read_dataset(name)

    def test_too_long(self):
        check_name("a" * 255)
        with pytest.raises(InputError, match="at most 255 bytes"):
            datasets("é" * 128 + ".csv")

    def test_home(self, monkeypatch):
        monkeypatch.setenv("HOME", "/home/me")
        assert home_path("~/x.csv") == Path("/home/me/x.csv")
        with pytest.raises(
            InputError, match=r"must name a user of this machine, got '~nouser/x.csv'; write the whole path"
        ):
            datasets("~nouser/x.csv")


def test_signs_of_windows(tmp_path):
    text, [note] = utf8_text("€ – ä".encode("cp1252"), tmp_path / "t.csv")
    assert (text.decode(), note.text) == ("€ – ä", "t.csv is not UTF-8; it was read as Windows-1252")
