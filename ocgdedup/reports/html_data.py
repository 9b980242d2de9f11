"""The lists of a report as compact JSON: columns of numbers, some of which are indexes of texts."""

from __future__ import annotations

import base64
import json
import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ocgdedup._kernels.go import board_after
from ocgdedup.game_kind import GO
from ocgdedup.model import PLY_BYTES
from ocgdedup.pipeline.search.overview import REST_CHARS, Overview, PairDetail
from ocgdedup.pipeline.search.pairs import STANDARD_FEN, Overlap, ShownGame, ShownPair
from ocgdedup.reports.compared_moves import difference_words

_MERGED_HEADER, _DELETED, _MERGED_NOTES = 1, 2, 4  # flags of a game
_TAGS = ("white", "black", "event", "site", "date", "round", "result", "eco")
# They would end the script element, or a line of JavaScript.
_ESCAPED = "<>&\u2028\u2029"


class Thresholds(NamedTuple):
    """Sums of evidence from which a pair is a duplicate, or a possible one."""

    duplicate: float
    possible: float


class _Texts:
    """All texts, each once, by number. None and the empty text are 0."""

    def __init__(self) -> None:
        self.all = [""]
        self._numbers: dict[str | None, int] = {"": 0, None: 0}

    def number(self, text: str | None) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.all)
            self.all.append(text or "")
        return number

    def column(self, values: Iterable[str | None]) -> list[int]:
        column = list(values)
        for text in dict.fromkeys(column):
            self.number(text)
        return list(map(self._numbers.__getitem__, column))


def data_json(overview: Overview, thresholds: Thresholds, *, is_review: bool = False) -> str:
    """Return the data as JSON that can be written inside a script element.

    `is_review`: the page sends decisions to the server that it came from.
    """
    texts = _Texts()
    data = {
        "isGo": overview.kind.is_go,
        "isReview": is_review,
        "shellName": shlex.quote(overview.path),
        "copyFrom": thresholds.duplicate,
        "suspectFrom": thresholds.possible,
        **_pairs(overview, texts),
        "names": _names(overview, texts),
        "unresolved": [
            [row.games for row in overview.unresolved_names],
            *(
                texts.column(getattr(row, column) for row in overview.unresolved_names)
                for column in ("name", "candidates", "reason", "decided_by")
            ),
        ],
        "rejects": _rejects(overview, texts),
        "cuts": _cuts(overview, texts),
    }
    data["texts"] = texts.all  # complete by now
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in _ESCAPED:  # a tenth of the time of str.translate()
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _columns(rows: Sequence[Sequence[object]], width: int) -> list[list[object]]:
    """Turn rows into columns, of which there are `width` even without rows."""
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]


def _pairs(overview: Overview, texts: _Texts) -> dict[str, object]:
    games, pairs = list(overview.games.values()), overview.pairs
    index_of = {game.game_id: number for number, game in enumerate(games)}
    details = {
        number: _detail(pair.detail, texts)
        for number, pair in enumerate(pairs)
        if pair.detail is not None
    }
    return {
        "games": {
            "id": [game.game_id for game in games],
            **{name: texts.column(getattr(game, name) for game in games) for name in _TAGS},
            "whiteElo": [game.white_elo for game in games],
            "blackElo": [game.black_elo for game in games],
            "plies": [game.plies for game in games],
            "source": texts.column(game.source for game in games),
            "number": [game.number for game in games],
            "score": [game.header_score for game in games],
            "flags": [
                _MERGED_HEADER * game.has_merged_header
                + _DELETED * game.is_deleted
                + _MERGED_NOTES * game.has_merged_notes
                for game in games
            ],
        },
        "pairs": {
            "left": [index_of[pair.left] for pair in pairs],
            "right": [index_of[pair.right] for pair in pairs],
            "kind": texts.column(pair.status for pair in pairs),
            "reason": texts.column(pair.reason for pair in pairs),
            "score": [None if pair.score is None else round(pair.score, 1) for pair in pairs],
            "through": [int(pair.through_others) for pair in pairs],
        },
        "decisions": [
            [row.first, row.second, row.decision, row.kept_game] for row in overview.decisions
        ],
        "details": details,
        "before": {
            game_id: [[texts.number(tag), texts.number(before)] for tag, before in tags]
            for game_id, tags in overview.tags_before.items()
        },
    }


def _detail(detail: PairDetail, texts: _Texts) -> dict[str, object]:
    values: dict[str, object] = {
        "terms": [
            [texts.number(name), None if value is None else round(value, 2), texts.number(words)]
            for name, value, words in detail.terms
        ]
    }
    if detail.shown is None:
        return {**values, "words": "The stored moves of one game do not replay."}
    return {
        **values,
        "tags": [
            [texts.number(tag), texts.number(left), texts.number(right)]
            for tag, left, right in _tags(detail.shown)
        ],
        "words": difference_words(detail.shown),
        **_moves(detail.shown),
    }


def _moves(pair: ShownPair) -> dict[str, object]:
    """Return the mainlines: all plies of the left game, and those that only the right game has."""
    left, right = pair.left, pair.right
    overlap = pair.overlap or Overlap(0, 0, 0, 0)
    plies = len(right.texts)
    parts = slice(0, overlap.right_start), slice(overlap.right_start + overlap.shared, plies)
    if overlap.tail:
        parts = parts[0], slice(parts[1].start, plies - overlap.tail)
    return {
        "starts": [_start(left), _start(right)],
        "overlap": list(overlap),
        "left": _plies(left, slice(0, len(left.texts))),
        "right": [_plies(right, part) for part in parts],
    }


def _start(game: ShownGame) -> str | list[str]:
    """Return the start: board and side to move of a FEN, or the rows of a Go board."""
    if game.kind is GO:
        return board_after(b"", game.fen)
    return " ".join((game.fen or STANDARD_FEN).split(" ")[:2])


def _plies(game: ShownGame, part: slice) -> list[str]:
    """Return plies as text, separated by blanks; for chess also as 2-byte moves in base64."""
    texts = " ".join(game.texts[part])
    if game.kind is GO:
        return [texts]
    blob = game.moves[part.start * PLY_BYTES : part.stop * PLY_BYTES]
    return [texts, base64.b64encode(blob).decode()]


def _tags(pair: ShownPair) -> list[tuple[str, str, str]]:
    """Return the tags of the left game in order, then those that only the right game has."""
    left, right = dict(pair.left.tags), dict(pair.right.tags)
    return [(tag, left.get(tag, ""), right.get(tag, "")) for tag in {**left, **right}]


def _names(overview: Overview, texts: _Texts) -> list[list[object]]:
    rows = [
        (
            texts.number(row.name),
            row.games,
            texts.number(row.person),
            row.fide_id,
            texts.number(row.scope),
            texts.number(row.stage),
            None if row.score is None else round(row.score, 2),
            texts.number(row.reason),
        )
        for row in overview.names
    ]
    return _columns(rows, 8)


def _rejects(overview: Overview, texts: _Texts) -> list[list[object]]:
    rows = [
        (texts.number(row.source), row.line, row.number, texts.number(row.reason))
        for row in overview.rejects
    ]
    return _columns(rows, 4)


def _cuts(overview: Overview, texts: _Texts) -> list[list[object]]:
    rows = [
        (
            texts.number(row.source),
            row.line,
            row.number,
            row.game_id,
            row.plies,
            texts.number(row.reason),
            texts.number(row.rest if len(row.rest) <= REST_CHARS else f"{row.rest[:REST_CHARS]} …"),
        )
        for row in overview.cuts
    ]
    return _columns(rows, 7)
