"""Text for other people's eyes: paths, hosts and addresses are hidden, all else stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.tables.private import hide_command, hide_places, hide_source

names = st.text("abcXYZ019._-é", min_size=1, max_size=8).filter(lambda name: name.strip("."))


class TestHidePlaces:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ('  File "/home/ann/my models/net.py", line 3, in fit', '  File "…/net.py", line 3, in fit'),
            ("OSError: no such file: '/data/ann/x.csv'", "OSError: no such file: '…/x.csv'"),
            ("/opt/lib/warn.py:12: UserWarning: old", "…/warn.py:12: UserWarning: old"),
            ("can't read /data/ann/x.csv, nor (~/y/z.csv)", "can't read …/x.csv, nor (…/z.csv)"),
            ("path=/data/ann/x.csv", "path=…/x.csv"),
            ("cache: ../ann/cache.bin", "cache: …/cache.bin"),
            (r"can't read C:\Users\ann\x.csv", "can't read …/x.csv"),
            (r"can't read 'C:\\Users\\ann b\\x.csv'", "can't read '…/x.csv'"),
            (r"can't read \\server\ann\x.csv", "can't read …/x.csv"),
            ("file:///home/ann/x.html", "…/x.html"),
            ("in /home/ann, /Users/ann/ and /root", "in …, … and …"),  # the last part is who it is
            (r"in C:\Users\ann", "in …"),
            ("lost tcp://10.0.0.3:8786", "lost tcp://…"),
        ],
    )
    def test_paths(self, text, shown):
        assert hide_places(text) == shown
        assert hide_places(shown) == shown

    @pytest.mark.parametrize(
        "text",
        [
            "and/or",
            "5 mg/dl a day, 3 /min",
            "TP / (TP + FP)",
            "</script>",
            "https://doi.org/10.1023/A:1024068626366",
            "unknown feature 'temperature/pressure'",
            "sep='/' or '//'",
            "the file system /data",
            r"\alpha/\beta, '\d+/\w+'",
            "on 01/02/2024",
            "~0.5, ~ 3, ... 4",
        ],
    )
    def test_what_is_no_path_stays(self, text):
        assert hide_places(text) == text

    def test_hosts_where_they_are_named(self):
        text = "no route to ann-laptop; ann-laptop.local and ann-laptop2 answer"
        assert hide_places(text, ["ann-laptop", ""]) == "no route to (host); (host).local and ann-laptop2 answer"
        assert hide_places("lost node7", ["node7.uni.edu"]) == "lost (host)"

    @pytest.mark.slow
    @given(st.lists(names, min_size=2, max_size=5), st.sampled_from(["'{}'", '"{}"', "in {} there", "{}: no", "{}"]))
    def test_of_any_path_the_last_name_is_left(self, parts, around):
        shown = hide_places(around.format("/top/" + "/".join(parts)))
        assert shown == around.format("…/" + parts[-1])

    @given(st.text())
    def test_twice_is_once(self, text):
        once = hide_places(text)
        assert hide_places(once) == once


class TestHideCommand:
    @pytest.mark.parametrize(
        ("command", "shown"),
        [
            ("/home/ann/.venv/bin/fairtrial run ../s.toml --into=/data/a.trial", "fairtrial run s.toml --into=a.trial"),
            ("/usr/bin/fairtrial run '/home/my name/my study.toml'", "fairtrial run 'my study.toml'"),
            ("fairtrial run s.toml --cluster tcp://10.0.0.3:8786", "fairtrial run s.toml --cluster tcp://…"),
            (r"C:\env\fairtrial.exe run C:\Users\ann\s.toml", "fairtrial.exe run s.toml"),
            ("/o'neil/x.py", "x.py"),  # of before words were quoted
            ("-c", "-c"),
            ("", ""),
        ],
    )
    def test_base_names(self, command, shown):
        assert hide_command(command) == shown


class TestHideSource:
    @pytest.mark.parametrize(
        ("source", "shown"),
        [
            ("/home/ann/my data/churn.csv", "churn.csv"),
            ("data/secret/churn.csv.gz", "churn.csv.gz"),
            ("../churn.csv", "churn.csv"),
            (r"C:\data\churn.arff", "churn.arff"),
            ("churn.csv", "churn.csv"),
            ("sklearn.datasets.load_iris", "sklearn.datasets.load_iris"),
            ("UCI repository, as shipped with WEKA (labor.arff)", "UCI repository, as shipped with WEKA (labor.arff)"),
            ("https://www.openml.org/d/31", "https://www.openml.org/d/31"),
            ("https://example.org/x.csv", "https://example.org/x.csv"),
            ("example.org/data/x.csv", "example.org/data/x.csv"),
            ("Ann's thesis, from /home/ann/thesis/x.csv by hand", "Ann's thesis, from …/x.csv by hand"),
        ],
    )
    def test_base_names(self, source, shown):
        assert hide_source(source) == shown
