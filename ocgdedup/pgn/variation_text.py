"""Write variations as the PGN standard has them.

A variation is stored as it was read. Some hold text that other programs refuse or misread: commas
after moves, signs such as "+=", a NAG before the first move, a result. The parser drops these in
mainlines; this module drops them in variations, and makes a result a comment.
Works on the text between the parentheses of one variation. Must not know games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import StringIO

from ocgdedup._kernels.chess import movetext_parts, movetext_tokens
from ocgdedup.pgn.odd_values import NO_BRACES

# As in kernels/chess/nag_table.h for mainlines; a test compares them. None: not an annotation.
SIGNS: dict[str, int | None] = {
    "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6,
    "=": 10, "==": 10, "~": 13, "∞": 13,
    "+=": 14, "+/=": 14, "⩲": 14, "=+": 15, "=/+": 15, "⩱": 15,
    "+/-": 16, "±": 16, "-/+": 17, "∓": 17, "+-": 18, "+--": 18, "-+": 19, "--+": 19,
    "+\u2212": 18, "+\u2013": 18, "\u2212+": 19, "\u2013+": 19,
    "□": 7, "⨀": 22, "↑": 36, "→": 40, "⇆": 132, "⊕": 138, "∆": 140, "Δ": 140, "⌓": 142, "○": 26,
    "=/~": 44, "N": 146, "TN": 146, "RR": 145, "D": 220,
    "+": None, "++": None, "#": None, "##": None,
}  # fmt: skip

_RESULTS = re.compile(r"\*|(?:1|0|1/2|½)-(?:1|0|1/2|½)")
# Most variations have none of these: a comma, a sign or letter by itself, "$5.", a NAG with an
# unpaired brace, a NAG before the first move (which nested braces may hide), a result.
_MAY_BE_ODD = re.compile(
    r"[,~∞⩲⩱±∓□⨀↑→⇆⊕∆Δ⌓○\u2212\u2013]|(?<![^\s(){}])(?:[-+=!?/#]+|N|TN|RR|D)(?![^\s(){}])|\$\d+[.}]|"
    r"(?:^|\()\s*(?:\{[^{}]*\}\s*)*(?:\$|\{[^}]*\{)|[*½]|[012]-[01]"
)
_NAG_WITH_REST = re.compile(r"(\$\d+)[.}]+")
_NO_SIGN = str.maketrans("", "", ",}")
_LINE = re.compile(r"(\(?)([^(]*)")
_NAGS_FIRST = re.compile(r"(\s*)((?:\$\d+\s+)+)((?:\d+\.+\s*)?(?:[A-Za-z][^\s()]*|--))")

# Plain text and comments, and the same between parentheses, one level deep.
# No possessive quantifiers: before Python 3.11.5 they match wrongly in groups (CPython gh-106052).
_TEXT = r"[^{}();\r\n]*"
_PLAIN = rf"{_TEXT}(?:\{{[^{{}}]*\}}{_TEXT})*"
_CLOSED = re.compile(rf"{_PLAIN}(?:\({_PLAIN}\){_PLAIN})*")
_NESTED = re.compile(r"\{[^{}]*\{")
_LINE_END = re.compile(r"(?<!\s)\s*[\r\n]\s*")
_NO_BORDERS = str.maketrans("};", "  ")


def _joined(pieces: Iterable[str]) -> str:
    """Join texts; str.join() would hold all parts of a long text in memory."""
    result = StringIO()
    result.writelines(pieces)
    return result.getvalue()


def standard_variation(text: str) -> str:
    """Return a variation without commas and with its signs as NAGs after moves."""
    if not _MAY_BE_ODD.search(text):
        return text
    return _joined(_moves_first(_joined(_standard_words(text))))


def _standard_words(text: str) -> Iterator[str]:
    blanks = ""
    for token in movetext_tokens(text):
        if token.isspace():
            blanks = token
            continue
        bare = token.translate(_NO_SIGN)
        if token[0] in "{()":
            word = token
        elif bare in SIGNS:
            number = SIGNS[bare]
            word = "" if number is None else f"${number}"
        elif _RESULTS.fullmatch(bare):  # other programs end the game there
            word = f"{{{bare}}}"
        else:
            word = _NAG_WITH_REST.sub(r"\1", token.replace(",", ""))
        if word:
            yield f"{blanks}{word}"
        blanks = ""
    yield blanks


def _moves_first(text: str) -> Iterator[str]:
    """Yield the parts of a variation; move NAGs before the first move of a line after it."""
    is_first = True
    for part in movetext_parts(text):
        if part[0] == "{":
            yield part
            continue
        for parenthesis, line in map(re.Match.groups, _LINE.finditer(part)):
            is_first = is_first or parenthesis == "("
            odd = _NAGS_FIRST.match(line) if is_first else None
            yield parenthesis
            if odd is not None:
                yield f"{odd[1]}{odd[3]} {odd[2].rstrip()}"
            yield line[odd.end() if odd else 0 :]
            is_first = is_first and (not line or line.isspace())


def closed_variation(text: str) -> str:
    """Return a variation with its moves on one line, changed if a reader would not find its end.

    Text stored by the loader needs no change. In other text a reader might find the end elsewhere,
    and take moves and games for a part of the variation.
    """
    if _CLOSED.fullmatch(text):
        return text
    text = _moves_on_one_line(text)
    return text if _is_closed(text) else paired_variation(text)


def _moves_on_one_line(text: str) -> str:
    parts = movetext_parts(text)
    return _joined(part if part[0] == "{" else _LINE_END.sub(" ", part) for part in parts)


def is_open(text: str) -> bool:
    """Return whether closed_variation() would change a text, apart from its line ends."""
    return not _CLOSED.fullmatch(text) and not _is_closed(_moves_on_one_line(text))


def _is_closed(text: str) -> bool:
    """Return whether the kernel's variation_end() is at the end of a text on one line.

    A brace after the variation might still close one of its comments: see has_open_brace().
    """
    depth = 0
    for token in movetext_tokens(text):
        depth += (token == "(") - (token == ")")
        is_closed = token[-1] == "}" if token[0] == "{" else ";" not in token
        if depth < 0 or not is_closed:
            return False
    return depth == 0


def has_open_brace(text: str) -> bool:
    """Return whether a brace after the variation might close one of its comments."""
    if not _NESTED.search(text):
        return False
    comments = (part for part in movetext_parts(text) if part[0] == "{")
    return any(comment.count("{") != comment.count("}") for comment in comments)


def paired_variation(text: str) -> str:
    """Return a variation with its braces and parentheses in pairs."""
    return _joined(_paired_tokens(text))


def _paired_tokens(text: str) -> Iterator[str]:
    depth = 0
    for token in movetext_tokens(text):
        if token[0] == "{":
            inner = token[1:].removesuffix("}")
            if inner.count("{") != inner.count("}"):
                inner = inner.translate(NO_BRACES)
            yield f"{{{inner}}}"
        elif token == ")" and depth == 0:
            yield " "
        else:
            depth += (token == "(") - (token == ")")
            yield token.translate(_NO_BORDERS)
    yield ")" * depth
