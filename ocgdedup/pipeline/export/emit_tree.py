"""Write an opening tree as one PGN game with variations, counts and the games that leave it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from ocgdedup._kernels.chess import decode_san, final_fen, start_epd
from ocgdedup.errors import damaged_moves
from ocgdedup.pgn.odd_values import NO_BRACES
from ocgdedup.pipeline.export.emit import GameWriter, NamedGame
from ocgdedup.pipeline.export.opening_tree import ROOT, OpeningTree
from ocgdedup.store.connection import Database
from ocgdedup.store.opening_lines import opening_lines, start_counts
from ocgdedup.wording import counted

_BATCH = 2000  # parts whose games are read together


class TreeForm(NamedTuple):
    """Options of the tree: its plies, the fewest games of a move, and the width of its lines."""

    plies: int
    least_games: int = 0
    width: int = 80


class _Part(NamedTuple):
    """Words, and a comment after them that ends with the names of games.

    `rest_of`: instead, the moves of this game from `rest_ply` on. `is_end`: instead, the end of a
    variation.
    """

    words: Sequence[str] = ()
    comment: str = ""
    game_ids: Sequence[int] = ()
    rest_of: int = 0
    rest_ply: int = 0
    is_end: bool = False


class _Step(NamedTuple):
    """What remains to be written: a move, the moves after it, or the end of a variation.

    `ply`: of the move, or of the moves after it; `games`: of the move before.
    """

    kind: str
    node: int
    ply: int
    games: int = 0


_MOVE, _VARIATION, _NEXT_MOVES, _END = "move", "variation", "next moves", "end"


class TreeText:
    """The tree of the games with these IDs, which start from the position that most of them have.

    `games`: the number of games in it.
    """

    def __init__(self, database: Database, ids: Sequence[int], form: TreeForm) -> None:
        """Build the tree; raise IntegrityError for damaged moves."""
        self._form = form
        try:
            self._build(database, ids)
        except ValueError as error:
            raise damaged_moves(database.path, error) from error
        _, side, *_, number = final_fen(b"", self._tree.fen).split()
        self._first_ply = 2 * int(number) - 2 + (side == "b")

    def _build(self, database: Database, ids: Sequence[int]) -> None:
        starts: Counter[str] = Counter()
        first_ids: dict[str, dict[str, int]] = {}
        for fen, count, first_id in start_counts(database.connection, ids):
            epd = start_epd(final_fen(b"", fen or None))
            starts[epd] += count
            first_ids.setdefault(epd, {})[fen] = first_id
        (start, self.games), *_ = [*starts.most_common(1), ("", 0)]
        fens = first_ids.get(start, {"": 0})
        # The standard position, "", comes before others, which may have counters of their own.
        first_fen = min(fens)
        self._first_id = fens[first_fen]
        self._tree = OpeningTree(self._form.plies, self._form.least_games, first_fen or None)
        self._tree.build(opening_lines(database.connection, ids, fens, self._form.plies))

    def texts(self, writer: GameWriter) -> Iterator[bytes]:
        """Write the game in pieces."""
        yield "".join(self._tags(writer)).encode()
        words = _wrapped(self._words(writer), self._form.width)
        while batch := list(islice(words, _BATCH)):
            yield "".join(batch).encode()
        yield b"\n\n"

    def _tags(self, writer: GameWriter) -> Iterator[str]:
        tags = {
            "Event": f"Openings of {counted(self.games, 'game')}", "Site": "?",
            "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*",
        }  # fmt: skip
        if self._tree.fen:
            tags |= {"SetUp": "1", "FEN": self._tree.fen}
            variant = writer.named_games([self._first_id])[self._first_id].variant
            if variant:
                tags["Variant"] = variant
        yield from (f'[{name} "{value}"]\n' for name, value in tags.items())
        yield "\n"

    def _words(self, writer: GameWriter) -> Iterator[str]:
        parts = self._parts()
        held: list[str] = []  # a variation may end after the last word
        while batch := list(islice(parts, _BATCH)):
            ids = {game_id for part in batch for game_id in (*part.game_ids, part.rest_of)}
            named = writer.named_games(sorted(ids - {0}))
            for part in batch:
                if part.is_end:
                    held[-1] += ")"
                    continue
                if part.rest_of:
                    words = list(self._rest(named[part.rest_of].moves, part.rest_ply))
                else:
                    words = [*part.words, *_comment(part, named)]
                if words:
                    yield from held
                    held = words
        yield from held
        yield "*"

    def _rest(self, moves: bytes, first: int) -> Iterator[str]:
        """Yield the moves of a game that no other game shares, from a ply on."""
        sans = decode_san(moves[: 2 * self._tree.plies], self._tree.fen)
        for ply, san in enumerate(sans[first:], first):
            yield from self._move(ply, san, with_number=ply == first)

    def _move(self, ply: int, san: str, *, with_number: bool, before: str = "") -> Iterator[str]:
        number, is_black = divmod(self._first_ply + ply, 2)
        if with_number or not is_black:
            yield f"{before}{number + 1}{'...' if is_black else '.'}"
        yield san

    def _parts(self) -> Iterator[_Part]:
        yield _Part(comment=self._score(ROOT))
        # A stack: Python's own would be too small for long lines.
        steps = [_Step(_NEXT_MOVES, ROOT, 0)]
        with_number = True
        while steps:
            step = steps.pop()
            only_game = self._tree.only_game[step.node]
            if step.kind == _NEXT_MOVES and only_game:
                yield _Part(rest_of=only_game, rest_ply=step.ply)
            elif step.kind == _NEXT_MOVES:
                steps += self._steps_after(step.node, step.ply)
            elif step.kind == _END:
                yield _Part(is_end=True)
                with_number = True
            else:
                part = self._part_of_move(step, with_number=with_number)
                yield part
                with_number = bool(part.comment or part.game_ids)

    def _steps_after(self, node: int, ply: int) -> Iterator[_Step]:
        """Yield the steps for the moves after a node, the last one first."""
        tree, games = self._tree, self._tree.games[node]
        children = tree.children(node)
        if not children:
            return
        yield _Step(_NEXT_MOVES, children[0], ply + 1)
        for child in reversed(children[1:]):
            yield _Step(_END, child, ply)
            yield _Step(_NEXT_MOVES, child, ply + 1)
            yield _Step(_VARIATION, child, ply, games)
        yield _Step(_MOVE, children[0], ply, games)

    def _part_of_move(self, step: _Step, *, with_number: bool) -> _Part:
        tree, node = self._tree, step.node
        is_variation = step.kind == _VARIATION
        words = tuple(
            self._move(
                step.ply, tree.san(node), with_number=with_number or is_variation,
                before="(" if is_variation else "",
            )
        )  # fmt: skip
        if tree.only_game[node]:
            return _Part(words, "", [tree.only_game[node]])
        comment = self._score(node) if tree.games[node] != step.games else ""
        ended, ids = tree.ended.get(node, (0, ()))
        if ended:
            comment += "; " if comment else ""
            comment += f"{counted(ended, 'game ends', 'games end')} here"
            comment += ", such as " if ended > len(ids) else ": "
        return _Part(words, comment, ids)

    def _score(self, node: int) -> str:
        """Return the counts of a node, such as "12 games: +5 =4 -2 *1"."""
        tree = self._tree
        games, white, drawn, black = (
            column[node] for column in (tree.games, tree.white, tree.drawn, tree.black)
        )
        unknown = games - white - drawn - black
        rest = f" *{unknown}" if unknown else ""
        return f"{counted(games, 'game')}: +{white} ={drawn} -{black}{rest}"


def _comment(part: _Part, named: Mapping[int, NamedGame]) -> list[str]:
    names = "; ".join(named[game_id].label for game_id in part.game_ids)
    comment = f"{part.comment}{names}".translate(NO_BRACES)
    return f"{{{comment}}}".split() if comment else []


def _wrapped(words: Iterable[str], width: int) -> Iterator[str]:
    """Yield words with blanks and line ends between them; `width` 0: no line ends."""
    column = 0
    for word in words:
        # At the start of a line, "%" begins an escape line, and "[" looks like a tag pair.
        if width and column + 1 + len(word) > width and word[0] not in "%[":
            separator, column = "\n", 0
        else:
            separator = " "
        yield f"{separator}{word}" if column or separator == "\n" else word
        column += 1 + len(word)
