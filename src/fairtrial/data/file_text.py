"""The text of a file, whatever its compression and encoding, as UTF-8."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from os import PathLike
from pathlib import Path

from fairtrial.errors import InputError
from fairtrial.notices import Notice
from fairtrial.words import shortened, shown

BLOCK = 1 << 20
LONGEST_PART = 255
MARKS = ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
         (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip

BETWEEN = re.compile(rb"[\x80-\x9f]")  # control characters in Latin-1; €, “ and – in Windows-1252, but for a few
UNUSED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")


def file_content(file: Path) -> bytes:
    """The bytes of a file, unpacked if its name ends in ``.gz``."""
    try:
        content = file.read_bytes()
        return gzip.decompress(content) if file.suffix == ".gz" else content
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError(
            f"{str(file)!r} must be a whole gzip file, as its ending says, but can't be unpacked ({error}); copy it "
            "again, or rename it if it is not packed"
        ) from error
    except OSError as error:
        raise InputError(f"{str(file)!r} can't be read: {error.strerror or error}; check its permissions") from error


def utf8_text(content: bytes, file: Path) -> tuple[bytes, list[Notice]]:
    """The text as UTF-8 without a mark at its beginning, and a note if it was neither UTF-8 nor marked as UTF-16."""
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return _without_nul(_converted(content, encoding, file), file), []
    content = content.removeprefix(codecs.BOM_UTF8)
    if _is_utf8(content):
        return _without_nul(content, file), []
    windows = BETWEEN.search(content) is not None and UNUSED.search(content) is None
    encoding, name = ("cp1252", "Windows-1252") if windows else ("latin-1", "Latin-1")
    note = Notice(f"{file.name} is not UTF-8; it was read as {name}", "note", "encoding")
    return _without_nul(content.decode(encoding).encode(), file), [note]


def check_name(path: object) -> None:
    """Refuse the name of a file that no system takes: with NUL, with half a surrogate pair, or far too long."""
    name = str(path)
    if "\0" in name or (not name.isascii() and name != name.encode(errors="replace").decode()):
        raise InputError(f"the name of a file must be text without NUL, got {shown(name)}; choose another")
    if 4 * len(name) > LONGEST_PART and any(
        len(part.encode()) > LONGEST_PART for part in (*Path(name).parts, name[4000:])
    ):
        raise InputError(
            f"the name of a file or folder must have at most {LONGEST_PART} bytes, got {shortened(name, 100)!r}"
        )


def home_path(path: str | PathLike[str]) -> Path:
    """The path with ``~`` as the home of a user, who must be there; a name that no system takes is refused."""
    check_name(path)
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise InputError(
            f"a path that begins with ~ must name a user of this machine, got {str(path)!r}; write the whole path"
        ) from error


def _converted(content: bytes, encoding: str, file: Path) -> bytes:
    try:
        return content.decode(encoding).encode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"{str(file)!r} must be {encoding.upper()}, as its first bytes say, but is broken at byte {error.start} "
            f"({error.reason}); save it again, as UTF-8"
        ) from error


def _is_utf8(content: bytes) -> bool:
    """Whether bytes are UTF-8, block by block, so that a large file is not there twice."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for at in range(0, len(content), BLOCK):
            decoder.decode(content[at : at + BLOCK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _without_nul(content: bytes, file: Path) -> bytes:
    at = content.find(b"\0")
    if at >= 0:
        raise InputError(
            f"{str(file)!r} must be text, but byte {at} of it is NUL; if it is UTF-16 without a mark, save it as "
            "UTF-8, and if it is no text, give it the ending of its format"
        )
    return content
