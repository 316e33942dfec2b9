"""Tables of text made from a seed: valid ones, ones with odd cells, and the bytes of a file in some encoding."""

from __future__ import annotations

import csv
import gzip
import io
import math
import re
from dataclasses import dataclass, replace
from random import Random

ODD_NUMBERS = (
    "007",
    "7",
    "1_000",
    "٣",
    "１",
    "1e400",
    "-1e-400",
    "0x1F",
    "1e5",
    "+.5",
    "5.",
    "-0",
    "1,5",
    "1,234",
    "0,912",
    "1.234,5",
    "95%",
    "0.9±0.1",
    "inf",
    "-Infinity",
    "12345678901234567890123",
    "18446744073709551615",
    "9007199254740993",
    "1d",
    "1f",
    "1 000",
    "1'000",
    "٠.٥",
    "0.1e",
    "--1",
    "1" * 400,
)
ODD_TEXTS = (
    "",
    " ",
    "NA",
    "nan",
    "null",
    "?",
    "N/A",
    "None",
    "-",
    "OOM",
    "timeout",
    "True",
    "FALSE",
    "a,b",
    "a;b",
    "a\tb",
    'say "hi"',
    "'q'",
    "=1+1",
    "@x",
    "ü",
    "日本",
    "😀",
    "\u00a0",
    "a\nb",
    "a\rb",
    "\u2028",
    "x" * 300,
    "{",
    "}",
    "%",
    "#",
    "\\",
    "dataset",
    "value",
    "measure",
    "index",
    "Unnamed: 0",
    "2024-01-31",
    "٢٠٢٤-٠١-٠٣",
    "\x1b[31m",
    " a",
    "a ",
    "01",
    "1.0",
    "1",
)
TITLES = (
    "dataset",
    "method",
    "fold",
    "repeat",
    "measure",
    "value",
    "score",
    "status",
    "replicate",
    "n_train",
    "label_noise",
    "index",
    "truth",
    "label",
    "std",
    "p_a",
    "positive",
    "sign",
    "standard_error",
    "a",
    " a",
    "a ",
    "A",
    "",
    "column",
    "train_size",
    "seed",
    "instance",
    "Unnamed: 1",
    "x" * 200,
)
NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
COMMA = re.compile(r"[-+]?(?:[0-9]+(?:,[0-9]+)?|,[0-9]+)(?:[eE][-+]?[0-9]+)?")
MISSING = frozenset(("", "?", "NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "NULL", "null"))


@dataclass(frozen=True)
class Table:
    """A table as its author means it: titles and cells, before they become the bytes of a file."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, title: str) -> list[str]:
        return [row[self.titles.index(title)] for row in self.rows]


def number(cell: str) -> float | None:
    """The number that a cell means, with a decimal point or comma; None for a text."""
    text = cell.strip(" ")
    if NUMBER.fullmatch(text):
        return float(text)
    return float(text.replace(",", ".")) if COMMA.fullmatch(text) else None


def are_codes(cells: list[str]) -> bool:
    """Whether all cells are digits, so that leading zeros and all digits matter: they are names."""
    known = [cell.strip() for cell in cells if not lost(cell)]
    return all(re.fullmatch("[0-9]+", cell) for cell in known) and any(c[:1] == "0" != c or len(c) > 18 for c in known)


def lost(cell: str) -> bool:
    """Whether a cell stands for a missing value."""
    return cell.strip() in MISSING


def same(a: float | None, b: float | None) -> bool:
    return a == b or (a is not None and b is not None and math.isnan(a) and math.isnan(b))


def odd_cell(random: Random) -> str:
    kind = random.random()
    if kind < 0.45:
        return random.choice(ODD_NUMBERS)
    if kind < 0.9:
        return random.choice(ODD_TEXTS)
    return "".join(chr(random.choice((random.randrange(32, 127), random.randrange(160, 0x2FFF)))) for _ in range(5))


def mutated(table: Table, random: Random) -> Table:
    """The table with some odd cells and titles, and rows, columns and cells that are there twice, or not at all."""
    titles, rows = list(table.titles), [list(row) for row in table.rows]
    for _ in range(random.choice((0, 1, 1, 1, 2, 3))):
        what, i, j = random.random(), random.randrange(len(rows)), random.randrange(len(titles))
        if what < 0.6:
            rows[i][j : j + 1] = [odd_cell(random)]
        elif what < 0.72:
            entries = random.choice((None, None, ("007", "7", "1", "01"), ("0,5", "1,5"), ("a", "a ")))
            for row in rows:
                row[j : j + 1] = [random.choice(entries) if entries else odd_cell(random)]
        elif what < 0.82:
            titles[j] = random.choice(TITLES)
        elif what < 0.87:
            rows.append(list(rows[i]))
        elif what < 0.92:
            rows[i].insert(j, odd_cell(random))  # a cell too many
        elif what < 0.95:
            rows[i][j:] = rows[i][j + 1 :]
        elif len(rows) > 1:
            del rows[i]
    return Table(tuple(titles), tuple(map(tuple, rows)))


def comma_decimals(table: Table) -> Table:
    """The table with decimal commas."""
    rows = (tuple(c.replace(".", ",") if NUMBER.fullmatch(c) else c for c in row) for row in table.rows)
    return replace(table, rows=tuple(rows))


def written(table: Table, random: Random) -> tuple[str, bytes]:
    """The name and the bytes of a file with that table, in a random dialect; cells are quoted where they need it."""
    delimiter = random.choice((",", ",", ",", ";", "\t"))
    text = io.StringIO(newline="")
    end = random.choice(("\n", "\n", "\r\n", "\r"))
    quoting = random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=quoting)
    writer.writerows([table.titles, *table.rows])
    content, packed = encoded(text.getvalue(), random)
    return ("t.csv.gz" if packed else "t.csv"), content


def encoded(text: str, random: Random) -> tuple[bytes, bool]:
    """The bytes of a text in a random encoding, and whether they are packed."""
    encoding = random.choice(("utf-8",) * 6 + ("utf-8-sig", "utf-16"))
    content = text.encode(encoding, "replace")
    packed = random.random() < 0.05
    return (gzip.compress(content, mtime=0) if packed else content), packed


def damaged(content: bytes, random: Random) -> bytes:
    """The bytes with some of them changed, cut off, doubled or moved."""
    made = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(made) + 1)
        what = random.random()
        if what < 0.4:
            made[at : at + 1] = bytes([random.randrange(256)])
        elif what < 0.6:
            made[at:at] = random.choice(
                (b"\0", b'"', b"'", b"\r", b"\n", b",", b";", b"\t", b"\xff\xfe", b"\xef\xbb\xbf", b"{", b"%")
            )
        elif what < 0.75:
            del made[at:]
        elif what < 0.9:
            made[at:at] = made[at : at + random.randrange(1, 60)]
        else:
            del made[at : at + random.randrange(1, 60)]
    return bytes(made)
