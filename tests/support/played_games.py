"""A generated collection: played games, records of every kind, and games that look like duplicates.

All moves are legal. Each record has a label in the tag `Label` with the number of its game and its
peculiarity: "7 cut" is a record of game 7. Records with the same number are one game.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import chess

Moves = tuple[str, ...]  # UCI


def moves_of(text: str) -> Moves:
    return tuple(text.split())


_PEOPLE = (
    "Botvinnik, Mikhail", "Smyslov, Vasily", "Tal, Mihail", "Spassky, Boris", "Fischer, Robert",
    "Larsen, Bent", "Korchnoi, Viktor", "Polugaevsky, Lev", "Portisch, Lajos", "Hort, Vlastimil",
    "Gligoric, Svetozar", "Najdorf, Miguel", "Reshevsky, Samuel", "Keres, Paul", "Geller, Efim",
    "Taimanov, Mark", "Bronstein, David", "Stein, Leonid", "Uhlmann, Wolfgang", "Olafsson, Fridrik",
    "Szabo, Laszlo", "Unzicker, Wolfgang", "Donner, Jan Hein", "Pachman, Ludek",
)  # fmt: skip
_EVENTS = ("Palma Interzonal", "Leningrad Interzonal", "Wijk aan Zee", "Hastings", "Monte Carlo")
_SITES = ("Palma de Mallorca", "Leningrad", "Wijk aan Zee", "Hastings", "Monte Carlo")
_RESULTS = ("1-0", "0-1", "1/2-1/2")
_PLIES = 70
_KEY_PLY = 30  # plies with slips

# Two theoretical draws that are played often.
QUICK_DRAW = moves_of("e2e4 e7e5 g1f3 g8f6 f3e5 d7d6 e5f3 f6e4 d2d4 d6d5 f1d3 f8d6")
_LINE = moves_of("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8 g1f3 b8d7 a1c1 c7c6 f1d3 d5c4")


class Record(NamedTuple):
    """A record; `tags` include changes to the game's tags; `notes` by ply."""

    label: str
    tags: dict[str, str]
    moves: Moves
    fen: str | None = None
    notes: dict[int, str] = {}  # noqa: RUF012 - a NamedTuple has no other way


def pgn_text(record: Record) -> str:
    """Write a record; annotations follow their half-moves, counted from 0."""
    tags = {**record.tags, "Label": record.label}
    if record.fen is not None:
        tags |= {"SetUp": "1", "FEN": record.fen}
    lines = [f'[{name} "{text}"]' for name, text in tags.items()]
    board = chess.Board(record.fen or chess.STARTING_FEN)
    words = []
    for ply, move in enumerate(map(chess.Move.from_uci, record.moves)):
        number = f"{board.fullmove_number}." + ("" if board.turn else "..")
        words += [number, board.san(move), *filter(None, [record.notes.get(ply)])]
        board.push(move)
    return "\n".join([*lines, "", " ".join([*words, tags["Result"]]), "", ""])


def san_of(moves: Moves) -> list[str]:
    board = chess.Board()
    return [board.san_and_push(move) for move in map(chess.Move.from_uci, moves)]


def game_of(label: str) -> str:
    """Return the number of the played game in a label."""
    return label.partition(" ")[0]


@cache
def mainline(seed: int, plies: int = _PLIES) -> Moves:
    """Return a random legal game that has not ended after `plies` plies."""
    rng = random.Random(seed)
    while True:
        board, moves = chess.Board(), []
        while len(moves) < plies and not board.is_game_over():
            move = rng.choice(list(board.legal_moves))
            board.push(move)
            moves.append(move.uci())
        if len(moves) == plies:
            return tuple(moves)


def is_legal(moves: Sequence[str], fen: str | None = None) -> bool:
    board = chess.Board(fen or chess.STARTING_FEN)
    for move in map(chess.Move.from_uci, moves):
        if move not in board.legal_moves:
            return False
        board.push(move)
    return True


def _board(moves: Sequence[str]) -> chess.Board:
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    return board


def _changed(moves: Moves, first: int) -> Iterator[Moves]:
    """Yield legal mainlines in which one move from ply `first` on is replaced."""
    for at in range(first, len(moves)):
        for move in _board(moves[:at]).legal_moves:
            other = (*moves[:at], move.uci(), *moves[at + 1 :])
            if other != moves and is_legal(other):
                yield other


@cache
def with_wrong_move(moves: Moves, first: int = _KEY_PLY) -> Moves:
    return next(_changed(moves, first))


@cache
def with_swapped_moves(moves: Moves, first: int = _KEY_PLY) -> Moves:
    """Swap two consecutive moves of one side."""
    for at in range(first, len(moves) - 2):
        other = (*moves[:at], moves[at + 2], moves[at + 1], moves[at], *moves[at + 3 :])
        if other != moves and is_legal(other):
            return other
    raise AssertionError("no two moves of this game can be exchanged")


@cache
def with_repetition(moves: Moves, first: int = _KEY_PLY) -> Moves:
    """Insert four plies that lead back to the same position."""
    for at in range(first, len(moves)):
        for outward in _board(moves[:at]).legal_moves:
            for answer in _board((*moves[:at], outward.uci())).legal_moves:
                shuffle = [outward, answer, _back(outward), _back(answer)]
                other = (*moves[:at], *(move.uci() for move in shuffle), *moves[at:])
                if is_legal(other) and _board(other[: at + 4]).epd() == _board(moves[:at]).epd():
                    return other
    raise AssertionError("nobody can shuffle in this game")


def _back(move: chess.Move) -> chess.Move:
    return chess.Move(move.to_square, move.from_square)


# --- records ------------------------------------------------------------------------------------


def game(number: int, *, moves: Moves | None = None, **tags: str) -> Record:
    """Return the full record of a game, by its number, which determines players and event."""
    round_, pair = 1 + number % 11, (2 * number) % len(_PEOPLE)
    own = {
        "Event": _EVENTS[number % 5],
        "Site": _SITES[number % 5],
        "Date": f"19{60 + number % 15}.{1 + number % 12:02}.{1 + number % 28:02}",
        "Round": str(round_),
        "White": _PEOPLE[pair],
        "Black": _PEOPLE[(pair + 1 + 2 * (number % 7)) % len(_PEOPLE)],
        "Result": _RESULTS[number % 3],
        "WhiteElo": str(2500 + number),
        "BlackElo": str(2600 - number),
        "ECO": f"C{number % 100:02}",
        **tags,
    }
    return Record(str(number), own, mainline(number) if moves is None else moves)


def copy_of(record: Record, what: str, *, moves: Moves | None = None, **tags: str | None) -> Record:
    """Return another record of a game; a tag that is None is omitted."""
    own = {**record.tags, **tags}
    return Record(
        f"{game_of(record.label)} {what}",
        {name: text for name, text in own.items() if text is not None},
        record.moves if moves is None else moves,
        record.fen,
    )


def _abbreviated(name: str) -> str:
    surname, _, given = name.partition(", ")
    return f"{surname},{given[0]}"


def _poor(record: Record, what: str, *, moves: Moves | None = None) -> Record:
    """Return a record with a poorer header."""
    tags = record.tags
    return copy_of(
        record,
        what,
        moves=moves,
        White=_abbreviated(tags["White"]),
        Black=_abbreviated(tags["Black"]),
        Date=f"{tags['Date'][:4]}.??.??",
        Event="?",
        WhiteElo=None,
        BlackElo=None,
        ECO=None,
    )


def from_position(record: Record, what: str, ply: int) -> Record:
    """Return a record that starts from the position after `ply` plies."""
    fen = _board(record.moves[:ply]).fen()
    return copy_of(record, what, moves=record.moves[ply:])._replace(fen=fen)


def _less(record: Record, what: str, *, moves: Moves | None = None, **tags: str | None) -> Record:
    """Return a record without the ECO code, so that it is never the kept game in any order."""
    return copy_of(record, what, moves=moves, ECO=None, **tags)


def _exact_copies() -> Iterator[Record]:
    yield game(1)
    yield _less(game(1), "again")
    yield _poor(game(2), "poor")
    yield game(2)
    yield _less(game(2), "no result", Result="*", Round="?")
    yield _less(game(3), "nameless", White="?", Black="NN", TimeControl="40/7200")
    yield game(3)
    yield _less(game(4), "other event", Event="Chigorin Memorial", Site="?", Date="????.??.??")
    yield game(4)
    yield game(5)
    tags = game(5).tags
    yield _less(game(5), "swapped", White=tags["Black"], Black=tags["White"])
    yield game(6)
    yield _poor(game(6), "annotated")._replace(notes={3: "$1 {A fine move}"})
    notes = {8: "{Well}", 9: f"$5 {variation(mainline(6), 9)}"}
    yield _less(game(6), "annotated too")._replace(notes=notes)


def variation(moves: Moves, ply: int) -> str:
    """Return a move in place of half-move `ply` as a variation."""
    board = _board(moves[:ply])
    other = next(move for move in board.legal_moves if move.uci() != moves[ply])
    return f"({board.variation_san([other])})"


def _cut_copies() -> Iterator[Record]:
    notes = {2: "{Early}", 39: "{The last one}"}
    yield _poor(game(7), "cut", moves=mainline(7)[:40])._replace(notes=notes)
    yield game(7)
    yield game(8)
    yield _less(game(8), "cut", moves=mainline(8)[:61], Result="*")
    yield _poor(game(8), "cut short", moves=mainline(8)[:33])
    yield game(9)
    yield _less(game(9), "partial", moves=with_wrong_move(mainline(9))[:52])
    yield game(10)
    yield _less(game(10), "placeholder", moves=(), Annotator="Somebody")
    yield game(11)
    yield _without_eco(from_position(game(11), "from position", 24))
    yield game(12, moves=())
    yield _less(game(12, moves=()), "again")


def _without_eco(record: Record) -> Record:
    return copy_of(record, record.label.partition(" ")[2], ECO=None)


def _joined_copies() -> Iterator[Record]:
    yield game(13)
    yield _less(game(13), "wrong move", moves=with_wrong_move(mainline(13)))
    yield _poor(game(14), "exchanged", moves=with_swapped_moves(mainline(14)))
    yield game(14)
    whole = game(15, moves=with_repetition(mainline(15)))
    yield whole
    yield _less(whole, "lost repetition", moves=mainline(15))
    yield game(16)
    notes = {4: "{Book}", 66: "{Beyond the slip}"}
    wrong = _less(game(16), "wrong move", moves=with_wrong_move(mainline(16)))
    yield wrong._replace(notes=notes)
    yield _less(game(16), "again", WhiteElo=None, TimeControl="40/7200")
    yield _poor(game(16), "cut", moves=mainline(16)[:50])


def _single_games() -> Iterator[Record]:
    """Yield games with one record, most of them similar to another game."""
    for number in range(17, 23):
        yield game(number)
    for number in range(23, 27):
        yield game(number, moves=QUICK_DRAW, Result="1/2-1/2")
    # The same players and line in two rounds.
    yield game(27, moves=_LINE)
    yield game(28, moves=_LINE, **_players(game(27)), Event="Hastings", Round="9")
    yield game(29, moves=(*_LINE, *mainline_from(_LINE, 29)))
    yield game(30, moves=(*_LINE, *mainline_from(_LINE, 30)), **_players(game(29)))
    yield game(31, moves=())
    yield game(32, moves=())


def _doubtful_games() -> Iterator[Record]:
    """Yield two games with a long common start, and a record of that start without names."""
    first = game(33)
    start = first.moves[:50]
    yield first
    yield game(34, moves=(*start, *mainline_from(start, 34)))
    nobody = {"White": "?", "Black": "?", "Date": "????.??.??", "Round": "?", "Event": "?"}
    yield Record("35", {**nobody, "Site": "?", "Result": "*"}, start)


def _players(record: Record) -> dict[str, str]:
    return {side: record.tags[side] for side in ("White", "Black")}


@cache
def _rest(start: Moves, seed: int, plies: int) -> Moves:
    rng = random.Random(seed)
    while True:
        board, moves = _board(start), []
        while len(moves) < plies and not board.is_game_over():
            move = rng.choice(list(board.legal_moves))
            board.push(move)
            moves.append(move.uci())
        if len(moves) == plies:
            return tuple(moves)


def mainline_from(start: Sequence[str], seed: int, plies: int = 40) -> Moves:
    """Return these moves, continued by random legal moves."""
    return _rest(tuple(start), seed, plies)


# DuplicateStatus and DuplicateReason of each duplicate.
EXPECTED_COPIES = {
    "1 again": ("exact", None),
    "2 poor": ("exact", None),
    "2 no result": ("exact", None),
    "3 nameless": ("exact", None),
    "4 other event": ("exact", None),
    "5 swapped": ("exact", "colours swapped"),
    "6 annotated": ("exact", None),
    "6 annotated too": ("exact", None),
    "7 cut": ("subsumption", None),
    "8 cut": ("subsumption", None),
    "8 cut short": ("subsumption", None),
    "9 partial": ("subsumption", "partial"),
    "10 placeholder": ("subsumption", "placeholder"),
    "11 from position": ("subsumption", "continues from FEN"),
    "12 again": ("exact", None),
    "13 wrong move": ("join", None),
    "14 exchanged": ("join", None),
    "15 lost repetition": ("join", None),
    "16 wrong move": ("join", None),
    "16 again": ("exact", None),
    "16 cut": ("subsumption", None),
}
EXPECTED_SUSPECTS = {frozenset(("33", "35")), frozenset(("34", "35"))}


@cache
def collection() -> tuple[Record, ...]:
    """Return all records, duplicates not next to their games."""
    records = [
        *_exact_copies(), *_cut_copies(), *_joined_copies(), *_single_games(), *_doubtful_games(),
    ]  # fmt: skip
    random.Random(4).shuffle(records)
    return tuple(records)


@cache
def collection_text() -> str:
    return "".join(map(pgn_text, collection()))


def expected_groups() -> set[frozenset[str]]:
    """Return the labels of each game with several records."""
    games = {game_of(label) for label in EXPECTED_COPIES}
    return {
        frozenset({number, *(label for label in EXPECTED_COPIES if game_of(label) == number)})
        for number in games
    }
