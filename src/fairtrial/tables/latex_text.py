r"""Text for LaTeX: escaped, breakable where it is long, and measured without a font at hand.

pdfTeX has no fonts for most scripts. A character that it may lack is written as ``\anychar{code}{character}``, which
prints the character where the document can, and its code point elsewhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from fairtrial.tables.table import Strong
from fairtrial.words import visible

SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "^": r"\textasciicircum{}",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "%": r"\%",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "`": r"\textasciigrave{}",
    "−": r"$-$",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "×": r"$\times$",
    "÷": r"$\div$",
    "±": r"$\pm$",
    "∞": r"$\infty$",
    "✓": r"$\checkmark$",
    "†": r"$\dagger$",
    "‡": r"$\ddagger$",
    "§": r"\S{}",
    "°": r"$^\circ$",
    "•": r"\textbullet{}",
    "◊": r"$\lozenge$",
    "◇": r"$\diamond$",
    "★": r"$\star$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "→": r"$\rightarrow$",
    "←": r"$\leftarrow$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "′": r"$'$",
    "″": r"$''$",
    "√": r"$\surd$",
    "…": r"\ldots{}",
    "·": r"$\cdot$",
    "²": r"$^2$",
    "³": r"$^3$",
    "½": r"$\frac12$",
    "\u2010": "-",
    "\u2011": "-",
    "\u202f": r"\,",
    "\n": " ",
    "\r": " ",
    "\t": " ",
}
GREEK = """
α alpha β beta γ gamma δ delta ε varepsilon ζ zeta η eta θ theta κ kappa λ lambda μ mu µ mu ν nu ξ xi π pi ρ rho σ sigma
τ tau φ varphi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega
"""
SIGNS |= {letter: rf"$\{name}$" for letter, name in zip(GREEK.split()[::2], GREEK.split()[1::2], strict=True)}

LETTERS = frozenset("æÆœŒøØßłŁı¡¿")
ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")
"""Letters, and accents of letters up to U+017F, that every LaTeX prints."""

DEFINITIONS = {
    r"\anychar{": r"""% a character that the fonts may lack: printed, or shown by its code point
\ifdefined\anychar\else\protected\def\anychar#1#2{%
  \ifdefined\Umathchar\iffontchar\font"#1 #2\else
    {\ifdefined\textdirection\textdirection 0 \fi\texttt{U+#1}}\allowbreak\fi
  \else\ifcsname u8:\ifnum"#1<"180 \detokenize{#2}\else none\fi\endcsname
    {\fontencoding{T1}\selectfont#2}\else\texttt{U+#1}\allowbreak\fi\fi}\fi""",
    r"\rightleft{": r"""% text that runs from right to left
\ifdefined\rightleft\else\protected\def\rightleft#1{%
  \ifdefined\textdirection\leavevmode{\textdirection 1 #1}%
  \else\ifdefined\XeTeXversion\TeXXeTstate=1 \beginR#1\endR\else#1\fi\fi}\fi""",
}
"""Commands that escaped text may contain, and their definitions."""

WIDTHS = {
    0.28: "ijl.,:;'!|[]·",
    0.36: ' frtsIJ-()/"`*',
    0.45: "cezvxyk",
    0.78: "mwABCDGHKNOQRUVXYZ&%+−±×=<>≤≥→←~",
    0.95: "MW@–…★",
}
WIDTH_OF = {c: width for width, characters in WIDTHS.items() for c in characters}
USUAL_WIDTH, WIDTH_OF_A_CODE = 0.53, 3.8
BOLD = 1.15
HEBREW_OR_ARABIC = "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+"
RIGHT_TO_LEFT = re.compile(f"{HEBREW_OR_ARABIC}(?: +{HEBREW_OR_ARABIC})*")
HUMPS = re.compile("(?<=[a-z])(?=[A-Z])")
LONG_CAPTION = 1000
LONG_WORD, LONGEST_PIECE = 24, 12
"""A word with more than 24 characters is broken, without a hyphen, into pieces of at most 12, wherever it stands."""


def escape(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> print(escape("★ 50 % of a_b"))
    $\star$ 50 \% of a\_b
    >>> print(escape("数"))
    \anychar{6570}{数}
    """
    normal = unicodedata.normalize("NFC", text)
    kept = "".join(c if c in SIGNS else visible(c) for c in normal)  # visible control characters are escaped, too
    return "".join(_escape_run(run, reverse) for run, reverse in _runs(kept))


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces, each of which runs from left to right or from right to left."""
    start = 0
    for match in RIGHT_TO_LEFT.finditer(text):
        if match.start() > start:
            yield text[start : match.start()], False
        yield match.group(), True
        start = match.end()
    if start < len(text):
        yield text[start:], False


RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?: +[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+)*"
)


def _escape_run(run: str, right_to_left: bool) -> str:
    escaped = re.sub("-(?=-)", r"-\\kern0pt", "".join(map(_escape_one, run)))  # two hyphens would become a dash
    return rf"\rightleft{{{escaped}}}" if right_to_left else escaped


def _escape_one(c: str) -> str:
    if c in SIGNS:
        return SIGNS[c]
    return c if _is_common(c) else rf"\anychar{{{ord(c):04X}}}{{{c}}}"


def _is_common(c: str) -> bool:
    """Whether every LaTeX prints the character, whatever its engine and its fonts are."""
    if c.isascii() or c in LETTERS:
        return True
    base, accent = (parts := unicodedata.normalize("NFD", c))[:1], parts[1:]
    return c <= "\u017f" and base.isascii() and accent in ACCENTS


def pieces(word: str, most: int, whole: int = 0) -> list[str]:
    """A word in pieces of at most ``most`` characters, between which a line may end: behind a sign, if possible.

    Behind a small letter, a capital begins another word. A word without signs of at most ``whole`` characters stays.

    >>> pieces("gradient_boosting", 12), pieces("RandomForestClassifier", 12), pieces("a" * 20, 8)
    (['gradient_', 'boosting'], ['Random', 'Forest', 'Classifier'], ['aaaaaaaa', 'aaaaaaaa', 'aaaa'])
    """
    if len(word) <= most:
        return [word]
    parts = [hump for part in re.findall(r"[^\W_]+[\W_]*|[\W_]+", word) for hump in HUMPS.split(part)]
    steps = ((part, most if len(part) > max(most, whole) else len(part)) for part in parts)
    short = [part[i : i + step] for part, step in steps for i in range(0, len(part), step)]
    joined = [short[0]]
    for part in short[1:]:
        if len(joined[-1]) + len(part) <= most // 2:
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def broken(text: str, most: int = LONG_WORD) -> str:
    """Escaped text in which a line may also end inside a long word; strong text is bold."""
    runs = (escape(run) if reverse else _broken_words(run, most) for run, reverse in _runs(text))
    inside = r"\allowbreak{}".join(runs)
    return rf"\textbf{{{inside}}}" if isinstance(text, Strong) else inside


def _broken_words(text: str, most: int) -> str:
    words = re.findall(r"\S+|\s+", text)
    parts = (pieces(word, LONGEST_PIECE) if len(word) > most else [word] for word in words)
    return "".join(r"\allowbreak{}".join(map(escape, part)) for part in parts)


def caption(text: str) -> tuple[str, str]:
    r"""A ``\caption``, and a paragraph with what is too long for it: LaTeX stops at captions of several pages."""
    if len(text) <= LONG_CAPTION:
        return rf"\caption{{{broken(text)}}}", ""
    end = max(text.rfind(". ", 0, LONG_CAPTION) + 1, 0) or text.rfind(" ", 0, LONG_CAPTION)
    end = end if end > 0 else LONG_CAPTION
    return rf"\caption{{{broken(text[:end])}}}", rf"{{\small {broken(text[end:].strip())}\par}}"


def text_width(text: str) -> float:
    """The width of a text in em, estimated for Computer Modern, which is wider than most fonts."""
    return sum(map(_width_of, text)) * (BOLD if isinstance(text, Strong) else 1)


def narrowest_width(text: str, most: int) -> float:
    """The width in em of the longest piece of a text whose words are broken; a line may end behind each code."""
    return max((_unbroken(piece) for word in text.split() for piece in pieces(word, most)), default=0.0)


def _unbroken(piece: str) -> float:
    widths = list(map(_width_of, piece))
    return WIDTH_OF_A_CODE + sum(w for w in widths if w < WIDTH_OF_A_CODE) if max(widths) > 1 else sum(widths)


def _width_of(c: str) -> float:
    if c in WIDTH_OF:
        return WIDTH_OF[c]
    if c in SIGNS or _is_common(c):
        return 0.78 if c.isupper() else USUAL_WIDTH
    return WIDTH_OF_A_CODE
