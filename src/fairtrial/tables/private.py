"""Hide the paths, hosts and addresses of a machine in text that other people will read."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

START = r"(?:file://)?(?:(?:~[\w.-]*|\.\.?)?/|[A-Za-z]:[\\/]|\\{2,4}(?=\w+\\))"
"""The beginning of a text that is certainly a path: a root, a drive, a server, ``~``, ``.`` or ``..``."""

QUOTED = re.compile(rf"(?P<quote>[\"'`])(?P<path>{START}[^\"'`\n]+)(?P=quote)")
BARE = re.compile(rf"(?<![^\s\"'`(\[{{=,;:|>])(?!(?<=:)//)(?P<path>{START}[^\s\"'`<>|,;:()\[\]{{}}]+)")
HOME = re.compile(r"/home/+[^/]+/*|/Users/+[^/]+/*|[A-Za-z]:[\\/]+Users[\\/]+[^\\/]+[\\/]*|/root/*|~[\w.-]*/*")
ADDRESS = re.compile(r"\b(tcp|tls|ucx|ws|wss)://[^\s\"'`<>()…][^\s\"'`<>()]*")
RELATIVE_FILE = re.compile(r"[^\s.:\\/]+[\\/]\S*\.\w+")


def hide_places(text: str, hosts: Iterable[str] = ()) -> str:
    """Hide places in a text: paths keep their last name, addresses their protocol, and these hosts nothing.

    >>> hide_places('File "/home/ann/net.py", line 3: no route to tcp://10.0.0.3:8786')
    'File "…/net.py", line 3: no route to tcp://…'
    >>> hide_places("killed on node7", hosts=["node7"])
    'killed on (host)'
    """
    if "/" in text or "\\" in text:
        text = ADDRESS.sub(r"\1://…", text)
        text = QUOTED.sub(lambda m: m["quote"] + _last_name(m["path"]) + m["quote"], text)
        text = BARE.sub(lambda m: _last_name(m["path"]), text)
    for name in {name for host in hosts for name in (host, host.partition(".")[0]) if name}:
        text = re.sub(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", "(host)", text)
    return text


def hide_command(command: str) -> str:
    """Hide the folders in a command line: files keep their base names.

    >>> hide_command("/opt/bin/fairtrial run '/home/ann/my study.toml' --into=/data/a.trial")
    "fairtrial run 'my study.toml' --into=a.trial"
    """
    shown = [f"{name}{sign}{_base_name(value)}" for name, sign, value in (w.rpartition("=") for w in _words(command))]
    return " ".join(shlex.quote(word) if re.search(r"\s", word) else word for word in shown)


def hide_source(source: str) -> str:
    """Hide the folders in the source of data: a file keeps its base name, a description loses its paths.

    >>> hide_source("/home/ann/data/churn.csv"), hide_source("sklearn.datasets.load_iris")
    ('churn.csv', 'sklearn.datasets.load_iris')
    """
    is_file = re.match(START, source) or RELATIVE_FILE.fullmatch(source)
    return _base_name(source) if is_file else hide_places(source)


def _words(command: str) -> list[str]:
    """The words of a command line. Without quotes it is only split, since a backslash may be part of a path."""
    if "'" in command or '"' in command:
        try:
            return shlex.split(command)
        except ValueError:  # an apostrophe in a name that was not quoted
            pass
    return command.split()


def _base_name(path: str) -> str:
    protocol, sign, _ = path.partition("://")
    return f"{protocol}://…" if sign and protocol != "file" else re.split(r"[\\/]", path.rstrip("\\/"))[-1]


def _last_name(path: str) -> str:
    """``…/x.csv`` for ``/home/ann/x.csv``, ``…`` for somebody's home; a folder at the root as it is."""
    if HOME.fullmatch(path):
        return "…"
    names = [name for name in re.split(r"[\\/]+", path.removeprefix("file://")) if name]
    return f"…/{names[-1]}" if len(names) > 1 else path
