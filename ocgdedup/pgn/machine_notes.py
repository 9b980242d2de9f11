"""Tell what programs write into comments and variations from the words of people.

Programs write evaluations, clocks, verdicts and arrows. Works on one comment or one variation. Must
not know games.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ocgdedup._kernels.chess import movetext_tokens
from ocgdedup.pgn.strip import CLOCK_MARKS, EVALUATION_PROFILE

# Kinds of machine parts; each clock mark is a kind of its own. At one move, evaluation, verdict and
# engine line belong together: they are one analysis.
EVALUATION, VERDICT, LINE, SHAPES = "evaluation", "verdict", "line", "shapes"
ANALYSIS = frozenset((EVALUATION, VERDICT, LINE))

# The marks of the PGN supplement of 2001, ChessBase, Lichess, Chess.com. Other marks, such
# as training questions, are words of people.
_MARKS_OF_KIND = {
    EVALUATION: (
        EVALUATION_PROFILE, "eval", "wdl", "ce", "dm", "pv", "depth", "nps",
    ),
    SHAPES: ("cal", "csl", "draw", "c_arrow", "c_effect", "c_highlight"),
    **{mark: (mark,) for mark in (*CLOCK_MARKS, "ct", "timestamp")},
}  # fmt: skip
_KIND_OF_MARK = {mark: kind for kind, marks in _MARKS_OF_KIND.items() for mark in marks}

_MOVE = r"[KQRBNOa-h0][-a-hxO0-8KQRBN=+#]{0,6}[-a-hO0-8QRBN=+#]"
_BEST = rf"(?:(?:The )?[Bb]est (?:move )?(?:was|is) {_MOVE}|{_MOVE} (?:was|is) best)\b[+#]*\.?"
_JUDGEMENT = (
    r"(?:Inaccuracy|Mistake|Blunder|Checkmate is now unavoidable|"
    r"(?:Lost forced|Not the best) checkmate sequence)\."
)
_CHANGE = r"\([^()→]{1,20}(?:→|->)[^()→]{1,20}\)"
_NUMBER = r"[-+]?(?:\d+[.,]\d\d|[-+]?[#M]-?\d+)"
_TIME = r"\d+(?:[.:]\d+)*(?: ?(?:ms|s|sec|m|min|h))?"
# What may stand before and after: such text is machine-made only if it is the whole comment, apart
# from marks.
_START, _END = r"(?:\A|(?<=\]))\s*", r"\s*(?=\[%|\Z)"
_PART = re.compile(
    rf"\[%(?P<mark>(?:{'|'.join(_KIND_OF_MARK)})(?![A-Za-z0-9_]))[^\[\]]*\]|"
    rf"(?P<verdict>{_CHANGE}\s*(?:{_JUDGEMENT})?(?:\s*{_BEST})?|{_JUDGEMENT}\s*{_BEST}|"
    rf"{_START}{_JUDGEMENT}{_END}|"
    rf"\b(?:INACCURACY|MISTAKE|MISS|BLUNDER|GOOD|EXCELLENT|BEST|GREAT|BRILLIANT) \({_NUMBER}\))|"
    # Of engine matches: "(Nf3) +0.12/20 15s", "book", "d=26, sd=44, mt=1200, ..."
    rf"(?P<evaluation>{_START}(?:(?:\([^()]*\) ?)?{_NUMBER}/\d+(?:/\d+)?(?:[ ,;]+{_TIME})?"
    rf"(?![^\s,;\[])|(?:{_NUMBER}(?:[ ,;]+{_TIME})?|\(?(?:out of )?book\)?|"
    rf"(?:\w+=[^,]*,\s*){{2,40}}(?:\w+=[^,]*,?)?){_END}))"
)
# Each machine part has one of these texts: a quick test.
_MAY_BE_MACHINE = re.compile(r"\[%|[\d→]|->|[kK]\b|quence\.|Inaccuracy|Mistake|Blunder|unavoidable")
_BEST_MOVE = re.compile(rf"({_MOVE}) (?:was|is) best\b|[Bb]est (?:move )?(?:was|is) ({_MOVE})")
_MOVE_NUMBER = re.compile(r"\d+\.*")
_SIGNS = "+#!?"


class MachinePart(NamedTuple):
    """A machine-made part of a comment, with single blanks."""

    kind: str
    text: str


def machine_parts(comment: str) -> list[MachinePart]:
    """Return the machine-made parts of a comment."""
    return [_part(match) for match in _matches(comment)]


def without_parts(comment: str, dropped: Collection[MachinePart]) -> str:
    """Return a comment without some of its machine-made parts."""
    kept = (
        match[0] if _part(match) not in dropped else " " if match.start() > 0 else ""
        for match in _matches(comment)
    )
    return _replaced(comment, kept).lstrip(" ,;").rstrip()


def words_of(comment: str) -> str:
    """Return the words of people in a comment, with single blanks."""
    return " ".join(_replaced(comment, (" " for _ in _matches(comment))).split())


def best_move(parts: Collection[MachinePart]) -> str | None:
    """Return the move that a verdict calls best, without signs."""
    for part in parts:
        if part.kind == VERDICT and (match := _BEST_MOVE.search(part.text)):
            return (match[1] or match[2]).rstrip(_SIGNS)
    return None


class Line(NamedTuple):
    """A variation: its moves and the words in it, and whether it has machine-made parts."""

    moves_and_words: tuple[str, ...]
    first_move: str
    has_words: bool
    has_evaluation: bool


def read_line(variation: str) -> Line:
    """Read a variation; numbers of moves do not count."""
    texts: list[str] = []
    moves: list[str] = []
    has_words = has_evaluation = False
    for token in movetext_tokens(" ".join(variation.split())):
        if token.isspace() or _MOVE_NUMBER.fullmatch(token):
            continue
        if token[0] == "{":
            comment = token[1:].removesuffix("}")
            has_evaluation |= any(part.kind in ANALYSIS for part in machine_parts(comment))
            token = words_of(comment)
            has_words |= bool(token)
        elif token not in "()" and token[0] != "$":
            moves.append(token.rstrip(_SIGNS))
        if token:
            texts.append(token)
    return Line(tuple(texts), moves[0] if moves else "", has_words, has_evaluation)


def _matches(comment: str) -> Iterator[re.Match[str]]:
    return iter(()) if _MAY_BE_MACHINE.search(comment) is None else _PART.finditer(comment)


def _part(match: re.Match[str]) -> MachinePart:
    mark = match["mark"]
    kind = _KIND_OF_MARK[mark] if mark else VERDICT if match["verdict"] else EVALUATION
    return MachinePart(kind, " ".join(match[0].split()))


def _replaced(comment: str, texts: Iterator[str]) -> str:
    pieces = []
    end = 0
    for match, text in zip(_matches(comment), texts, strict=True):
        pieces += [comment[end : match.start()], text]
        end = match.end()
    return "".join([*pieces, comment[end:]])
