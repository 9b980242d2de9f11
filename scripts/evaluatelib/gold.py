"""Labelled collections made from real games: originals, disturbed duplicates, hard negatives.

The disturbances are those seen between real databases: truncated scores, extra plies of an
electronic board, a slip in one move, a lost repetition, moves in another order; other spellings,
partial or shifted dates, missing players, other results, German piece letters, comments. The same
source, number and seed make the same collection.
"""

from __future__ import annotations

import csv
import datetime
import io
import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn

Tags = dict[str, str]
Moves = list[chess.Move]
Game = tuple[Tags, Moves]

ORIGINAL = "original"  # kind of a record that nothing was done to

_GERMAN = str.maketrans("NBRQ", "SLTD")
_ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
_FEWEST_PLIES = 16
_PART_WITH_DUPLICATES = 0.35
_PART_IN_GERMAN = 0.05
_PART_WITH_COMMENTS = 0.15


class Record(NamedTuple):
    """A record of a collection; those of one `entity` are records of one played game."""

    entity: int
    kind: str
    tags: Tags
    moves: Moves
    is_german: bool = False
    has_comments: bool = False


def make_gold(source: Path, folder: Path, games: int, seed: int) -> str:
    """Write gold.pgn and gold.csv (game, entity, kind) into a folder; return what they hold."""
    records = _records(source, games, seed)
    folder.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    with open(folder / "gold.csv", "w", newline="") as handle:
        table = csv.writer(handle)
        table.writerow(("game", "entity", "kind"))
        for number, record in enumerate(records, 1):
            _write_game(text, record)
            marks = "+german" * record.is_german + "+comments" * record.has_comments
            table.writerow((number, record.entity, record.kind + marks))
    (folder / "gold.pgn").write_text(text.getvalue(), encoding="utf-8")
    entities = len({record.entity for record in records})
    return f"{len(records)} games, {entities} entities, {len(records) - entities} duplicates"


def _records(source: Path, count: int, seed: int) -> list[Record]:
    rng = random.Random(seed)
    games = _distinct(_read_games(source, rng, count * 2))
    rng.shuffle(games)
    spare, games = games[: count // 7], games[count // 7 :][:count]
    records = []
    for entity, (tags, moves) in enumerate(games):
        records.append(Record(entity, ORIGINAL, tags, moves))
        if rng.random() < _PART_WITH_DUPLICATES:
            records.extend(_duplicates(rng, entity, tags, moves))
    entity = len(games)
    for kind, different in _hard_negatives(rng, spare):
        for tags, moves in different:
            records.append(Record(entity, kind, tags, moves))
            entity += 1
    rng.shuffle(records)
    return records


def _read_games(path: Path, rng: random.Random, limit: int) -> list[Game]:
    """Return games with a result, players, a year and enough moves, chosen from the whole file."""
    records = re.split(r"\n(?=\[Event )", path.read_text(encoding="utf-8", errors="replace"))
    games = []
    for record in rng.sample(records, min(limit, len(records))):
        game = chess.pgn.read_game(io.StringIO(record))
        if game is None or game.errors or "FEN" in game.headers:
            continue
        moves = list(game.mainline_moves())
        if len(moves) < _FEWEST_PLIES or game.headers.get("Result", "*") == "*":
            continue
        tags = {name: value for name, value in game.headers.items() if value not in ("", "?")}
        if tags.get("White") and tags.get("Black") and tags.get("Date", "?")[:4].isdigit():
            games.append((tags, moves))
    return games


def _surname(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.split(r"[,\s]", plain.strip())[0]


def _distinct(games: Sequence[Game]) -> list[Game]:
    """Drop each game that may be a duplicate of a kept one, so that the labels are certain.

    Two games collide when they share the first 24 plies and both surnames, in either order, or
    the first 40 plies whoever played, or players, date and round.
    """
    seen: set[object] = set()
    kept = []
    for tags, moves in games:
        pair = tuple(sorted((_surname(tags["White"]), _surname(tags["Black"]))))
        keys = {
            (pair, " ".join(move.uci() for move in moves[:24])),
            " ".join(move.uci() for move in moves[:40]),
            (pair, tags["Date"], tags.get("Round")),
        }
        if not keys & seen:
            seen |= keys
            kept.append((tags, moves))
    return kept


def _replayed(moves: Sequence[chess.Move]) -> chess.Board | None:
    board = chess.Board()
    for move in moves:
        if not board.is_legal(move):
            return None
        board.push(move)
    return board


# --- disturbances of the moves: None where one does not apply -----------------------------------


def _same_moves(rng: random.Random, moves: Moves) -> Moves:
    return list(moves)


def _truncated(rng: random.Random, moves: Moves) -> Moves:
    return moves[: rng.randint(max(12, len(moves) // 4), len(moves) - 1)]


def _last_plies_lost(rng: random.Random, moves: Moves) -> Moves:
    return moves[: -rng.randint(1, 3)]


def _extra_plies(rng: random.Random, moves: Moves) -> Moves | None:
    """Add kings that were put in the centre of an electronic board, or a few more moves."""
    board, played = _replayed(moves), list(moves)
    assert board is not None
    for _ in range(rng.randint(1, 4)):
        legal = list(board.legal_moves)
        if not legal:
            break
        played.append(rng.choice(legal))
        board.push(played[-1])
    return played if len(played) > len(moves) else None


def _slip(rng: random.Random, moves: Moves) -> Moves | None:
    """Write one move with the other knight or rook, or to a neighbouring square."""
    order = list(range(10, len(moves) - 2))
    rng.shuffle(order)
    for ply in order[:40]:
        board = _replayed(moves[:ply])
        assert board is not None
        move = moves[ply]
        piece = board.piece_at(move.from_square)
        others = [
            other
            for other in board.legal_moves
            if other != move
            and board.piece_at(other.from_square) == piece
            and (other.to_square == move.to_square or other.from_square == move.from_square)
        ]
        rng.shuffle(others)
        for other in others:
            changed = [*moves[:ply], other, *moves[ply + 1 :]]
            if _replayed(changed):
                return changed
    return None


def _swapped_moves(rng: random.Random, moves: Moves) -> Moves | None:
    """Write two consecutive moves of a player in the other order."""
    order = list(range(6, len(moves) - 4))
    rng.shuffle(order)
    for ply in order:
        if moves[ply] == moves[ply + 2]:
            continue
        changed = list(moves)
        changed[ply], changed[ply + 2] = changed[ply + 2], changed[ply]
        if _replayed(changed):
            return changed
    return None


def _lost_repetition(rng: random.Random, moves: Moves) -> Moves | None:
    """Leave out plies that led back to the same position."""
    board = chess.Board()
    seen: dict[object, int] = {}
    for ply, move in enumerate(moves):
        key = board._transposition_key()
        if key in seen and ply - seen[key] <= 8 and ply + 4 < len(moves):
            return moves[: seen[key]] + moves[ply:]
        seen[key] = ply
        board.push(move)
    return None


_MOVE_KINDS: dict[str, tuple[Callable[[random.Random, Moves], Moves | None], int]] = {
    "same_moves": (_same_moves, 40),
    "truncated": (_truncated, 14),
    "last_ply_lost": (_last_plies_lost, 10),
    "extra_plies": (_extra_plies, 10),
    "slip": (_slip, 14),
    "swapped": (_swapped_moves, 6),
    "lost_repetition": (_lost_repetition, 6),
}


# --- disturbances of the tags, in place ----------------------------------------------------------


def _initials(rng: random.Random, tags: Tags) -> None:
    for side in ("White", "Black"):
        last, comma, first = tags.get(side, "").partition(",")
        if comma:
            tags[side] = f"{last},{first.strip()[:1]}" if first.strip() else last


def _name_order(rng: random.Random, tags: Tags) -> None:
    for side in ("White", "Black"):
        last, comma, first = tags.get(side, "").partition(",")
        if comma:
            tags[side] = f"{first.strip()} {last}".strip()


def _transliterated(rng: random.Random, tags: Tags) -> None:
    rules = [
        ("ov", "ow"), ("ev", "ew"), ("y", "i"), ("sh", "sch"), ("ch", "tsch"), ("v", "w"),
        ("k", "c"),
    ]  # fmt: skip
    for side in ("White", "Black"):
        for old, new in rng.sample(rules, len(rules)):
            if old in tags.get(side, ""):
                tags[side] = tags[side].replace(old, new, 1)
                break


def _name_typo(rng: random.Random, tags: Tags) -> None:
    side = rng.choice(("White", "Black"))
    name = tags.get(side, "")
    if len(name) > 6:
        at = rng.randint(1, 4)
        tags[side] = name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def _unknown_player(rng: random.Random, tags: Tags) -> None:
    tags[rng.choice(("White", "Black"))] = rng.choice(("?", "NN", "N.N."))


def _titled(rng: random.Random, tags: Tags) -> None:
    tags["White"] = "GM " + tags.get("White", "?")


def _partial_date(rng: random.Random, tags: Tags) -> None:
    date = tags.get("Date", "????.??.??")
    tags["Date"] = date[:4] + rng.choice((".??.??", date[4:7] + ".??"))


def _shifted_date(rng: random.Random, tags: Tags) -> None:
    try:
        day = datetime.date(*map(int, tags.get("Date", "").split(".")))
    except (ValueError, TypeError):
        return
    shifted = day + datetime.timedelta(days=rng.choice((-2, -1, 1, 2)))
    tags["Date"] = shifted.strftime("%Y.%m.%d")


def _event_text(rng: random.Random, tags: Tags) -> None:
    event, site = tags.get("Event", "?"), tags.get("Site", "?")
    tags["Event"] = rng.choice((event.upper(), event[:6], "?", site))
    tags["Site"] = rng.choice((site + " RUS", "?", site[:4]))
    tags["Round"] = "?"


def _no_elo(rng: random.Random, tags: Tags) -> None:
    for name in ("WhiteElo", "BlackElo", "ECO"):
        tags.pop(name, None)


def _other_result(rng: random.Random, tags: Tags) -> None:
    tags["Result"] = rng.choice(("*", "1/2-1/2", "1-0", "0-1"))


_TAG_KINDS: dict[str, tuple[Callable[[random.Random, Tags], None], int]] = {
    "initials": (_initials, 14),
    "name_order": (_name_order, 8),
    "transliterated": (_transliterated, 8),
    "name_typo": (_name_typo, 6),
    "unknown_player": (_unknown_player, 3),
    "titled": (_titled, 4),
    "partial_date": (_partial_date, 12),
    "shifted_date": (_shifted_date, 8),
    "event_text": (_event_text, 14),
    "no_elo": (_no_elo, 14),
    "other_result": (_other_result, 4),
}


# --- records -------------------------------------------------------------------------------------


def _duplicates(rng: random.Random, entity: int, tags: Tags, moves: Moves) -> Iterator[Record]:
    move_weights = [weight for _, weight in _MOVE_KINDS.values()]
    tag_weights = [weight for _, weight in _TAG_KINDS.values()]
    for _ in range(rng.choices((1, 2, 4), (80, 15, 5))[0]):
        kind = rng.choices(list(_MOVE_KINDS), move_weights)[0]
        changed = _MOVE_KINDS[kind][0](rng, moves)
        if not changed:
            kind, changed = "same_moves", list(moves)
        new_tags = dict(tags)
        kinds = list(dict.fromkeys(rng.choices(list(_TAG_KINDS), tag_weights, k=rng.randint(1, 3))))
        for name in kinds:
            _TAG_KINDS[name][0](rng, new_tags)
        is_german = rng.random() < _PART_IN_GERMAN
        has_comments = rng.random() < _PART_WITH_COMMENTS
        yield Record(entity, "+".join([kind, *kinds]), new_tags, changed, is_german, has_comments)


def _hard_negatives(rng: random.Random, spare: list[Game]) -> Iterator[tuple[str, list[Game]]]:
    """Yield different games that a careless rule takes for one; each spare game is used once."""
    kinds = (
        "same_draw_other_players", "same_draw_two_years_later", "same_draw_later_round",
        "same_long_opening", "namesake_same_draw", "short_draw_starts_long_game", "forfeit",
    )  # fmt: skip
    for kind in (kinds[number % len(kinds)] for number in range(len(spare))):
        if len(spare) < 2:
            return
        (tags, moves), (other, _) = spare.pop(), spare.pop()
        yield kind, _negatives_of(rng, kind, tags, moves, other)


def _negatives_of(
    rng: random.Random, kind: str, tags: Tags, moves: Moves, other: Tags
) -> list[Game]:
    draw = dict(tags, Result="1/2-1/2")
    year = int(tags["Date"][:4])
    line = moves[: min(rng.randint(8, 32), len(moves))]
    if kind == "same_draw_other_players":
        return [(draw, line), (dict(other, Result="1/2-1/2"), line)]
    if kind == "same_draw_two_years_later":
        later = dict(
            draw, Date=f"{year + 2}.07.11", Round="5", Event="Another open", Site="Elsewhere"
        )
        return [(dict(draw, Date=f"{year}.03.02", Round="3"), line), (later, line)]
    if kind == "same_draw_later_round":
        days = (("03.02", "2"), ("03.09", "9"))
        return [(dict(draw, Date=f"{year}.{day}", Round=number), line) for day, number in days]
    if kind == "same_long_opening":
        return [
            (dict(tags, Date=f"{year}.03.{day}", Round=day), _played_on(rng, moves[:30]))
            for day in ("04", "05")
        ]
    if kind == "namesake_same_draw":
        names = (
            ("Petrosian, Tigran Vartanovich", "1971.05.04"),
            ("Petrosian, Tigran Levonovich", "2011.08.09"),
        )
        return [(dict(draw, White=name, Date=date, Round="4"), line) for name, date in names]
    if kind == "short_draw_starts_long_game":
        place = {"Event": "Another tournament", "Site": "Elsewhere"}
        short = dict(draw, Date=f"{year + 1}.02.03", Round="6", **place)
        return [(short, moves[: rng.randint(8, 16)]), (dict(tags), moves)]
    return [(dict(tags, Result="1-0"), []), (dict(other, Result="1-0"), [])]  # forfeits


def _played_on(rng: random.Random, opening: Moves) -> Moves:
    board, line = _replayed(opening), list(opening)
    assert board is not None
    while len(line) < 80 and not board.is_game_over():
        line.append(rng.choice(list(board.legal_moves)))
        board.push(line[-1])
    return line


def _write_game(out: io.StringIO, record: Record) -> None:
    tags = record.tags
    for name in (*_ROSTER, *(name for name in tags if name not in _ROSTER)):
        value = tags.get(name, "?").replace("\\", "\\\\").replace('"', '\\"')
        out.write(f'[{name} "{value}"]\n')
    out.write(f"\n{_movetext(record)} {tags.get('Result', '*')}\n\n")


def _movetext(record: Record) -> str:
    board, words = chess.Board(), list[str]()
    for ply, move in enumerate(record.moves):
        if board.turn:
            words.append(f"{board.fullmove_number}.")
        san = board.san(move)
        words.append(san.translate(_GERMAN) if record.is_german else san)
        if record.has_comments and ply % 17 == 9:
            words.append("{a remark (with brackets) and a ; sign}")
        if record.has_comments and ply == 20:
            number = f"{board.fullmove_number}{'.' if board.turn else '...'}"
            is_move = not words[-1].startswith("{")
            words.append(f"$1 ({number} {words[-1]} $6)" if is_move else "$1")
        board.push(move)
    return " ".join(words)
