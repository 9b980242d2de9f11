"""Mutated PGN, SGF, FIDE lists, spelling files and archives: no crash, no game lost."""

from __future__ import annotations

import contextlib
import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from fuzzlib.mutating import draw_size, mutate_often
from fuzzlib.pgn_cases import TOKENS as PGN_TOKENS

from torturelib.forked import run_forked
from torturelib.model import SCRIPTS, Case, Outcome
from torturelib.running import DONE, FAILED, REJECTED, crash
from torturelib.seed_texts import (
    DECODERS,
    PACKED,
    chess_games,
    go_games,
    pack_tar,
    pack_zip,
    player_lists,
    readable_part,
)

SGF_TOKENS: tuple[bytes, ...] = (
    *b"( ) ; [ ] \\ : B W C AB AW AE SZ GM CA FF PB EV DT RE HA KM VW".split(),
    b"[]", b"[aa]", b"[tt]", b"[aa:cc]", b"[zz]", b"[0]", b"[26]", b"\n(;FF[4]", b"\n", b"(;",
    b";B[aa]", b"[Shift_JIS]", b"\x81]", b"\x83\\", b"\xef\xbb\xbf", b"\xff", b"\0", b"AB[aa",
    b"))", b"BlackWhite", b"A" * 40, b"[R+99999999999]", b"GM[1]", b"SZ[19:13]", b"HA[9999999999]",
)  # fmt: skip
LIST_TOKENS: tuple[bytes, ...] = (
    b"<player>", b"</player>", b"<fideid>", b"</fideid>", b"<name>", b"</name>", b"<rating>",
    b"\t", b"<birthday>", b"&amp;", b"&#0;", b"&#x110000;", b"<!--", b"-->", b"<![CDATA[", b"]]>",
    b"<?xml",
    b'<!DOCTYPE a [<!ENTITY b "c">]>', b"&b;", b"\n", b"\r", b"\0", b"\x1a", b"\xff", b"\xfe\xff",
    b"@PLAYER", b"= ", b"%Prefix", b'"', b"# GM RUS 1963--2020", b"=\n=", b"name\tko", b"zh", b";",
    b"ID Number", b"2812", b"0", b" " * 300, b"\xec\x9d\xb4", b",", b",,", b"Kasparov, Garry",
)  # fmt: skip
LIST_OPTIONS = {"xml": "--fide-xml", "txt": "--fide-xml", "old.txt": "--fide-xml"}
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def run_case(case: Case) -> str | None:
    rng = case.random()
    attack = rng.choices(tuple(ATTACKS), weights=tuple(ATTACKS.values()))[0]
    return attack(case, rng)


# --- games ----------------------------------------------------------------------------------------


def mutated_pgn(case: Case, rng: random.Random) -> str | None:
    """All games outside the changed part are loaded with their moves; nothing vanishes."""
    games = rng.sample(chess_games(), rng.randrange(2, 14))
    first = rng.randrange(len(games))
    after = min(len(games), first + rng.randrange(1, 4))
    middle = b"".join(game.text for game in games[first:after])
    corpus = [*corpus_texts(), *(game.text for game in games)]
    if rng.random() < 0.3:
        middle = rng.choice(corpus)
    changed = mutate_often(rng, middle, PGN_TOKENS, corpus)
    parts = [game.text for game in games[:first]], [game.text for game in games[after:]]
    text = b"".join((*parts[0], changed, b"\n\n", *parts[1]))
    # A comment or tag left open may reach into the game behind the change.
    intact = games[:first] + games[after + 1 :]
    if text.startswith(UTF16_MARKS):
        intact = []  # all of the file is read as UTF-16
    (case.folder / "in.pgn").write_bytes(text)
    return load_and_check(case, rng, "in.pgn", {game.moves for game in intact}, text)


def mutated_sgf(case: Case, rng: random.Random) -> str | None:
    """All Go records outside the changed part are loaded with their moves."""
    games = rng.sample(go_games(), rng.randrange(2, 12))
    first = rng.randrange(len(games))
    changed = mutate_often(rng, games[first], SGF_TOKENS, games)
    text = b"".join((*games[:first], changed, b"\n", *games[first + 1 :]))
    (case.folder / "in.sgf").write_bytes(text)
    # A value left open ends before a record that begins a line, with the next record at most.
    intact = games[:first] + games[first + 2 :]
    if text.startswith(UTF16_MARKS):
        intact = []  # all of the file is read as UTF-16
    (case.folder / "intact.sgf").write_bytes(b"".join(intact))
    outcome = run_forked(case, "create", "intact.db3", "intact.sgf")
    if intact and outcome.status != DONE:
        return f"`{outcome.command()}`: exit status {outcome.status} on intact records"
    expected = set(moves_of(case.folder / "intact.db3")) if intact else set()
    return load_and_check(case, rng, "in.sgf", expected, text)


def mutated_archive(case: Case, rng: random.Random) -> str | None:
    """All games before the first changed byte of a packed file are loaded."""
    games = rng.sample(chess_games(), rng.randrange(3, 20))
    half = rng.randrange(1, len(games))
    texts = {
        "first.pgn": b"".join(game.text for game in games[:half]),
        "second.pgn": b"".join(game.text for game in games[half:]),
    }
    container = rng.choice((".tar", ".zip", ""))
    packing = rng.choice(("", *PACKED) if container == ".tar" else tuple(PACKED))
    if container == ".zip":
        packing, whole = "", pack_zip(texts)
    elif container == ".tar":
        whole = pack_tar(texts)
    else:
        container, whole = ".pgn", b"".join(texts.values())
    whole = PACKED[packing](whole) if packing else whole
    packed = damaged(rng, whole)
    name = f"in{container}{packing}"
    (case.folder / name).write_bytes(packed)
    same = next((i for i, (a, b) in enumerate(zip(whole, packed, strict=False)) if a != b), None)
    intact = packed[: min(len(whole), len(packed)) if same is None else same]
    # The directory of a zip is at its end: without it nothing can be read.
    readable = b"" if container == ".zip" else readable_part(packing, intact)
    expected = {game.moves for game in games if game.text in readable}
    return load_and_check(case, rng, name, expected, None)


def damaged(rng: random.Random, packed: bytes) -> bytes:
    """Return packed bytes cut, with bytes changed, or with more behind them."""
    match rng.randrange(5):
        case 0 | 1:
            return packed[: rng.randrange(len(packed))]
        case 2:
            return packed + rng.choice((b"\0" * 700, b"garbage", packed, b"PK\x03\x04"))
        case _:
            tokens = (b"\0" * 100, b"\xff" * 12, b"77777777777", b"ustar", b"PK\x05\x06")
            return mutate_often(rng, packed, tokens, [packed], most=4, most_bytes=1 << 20)


def load_and_check(
    case: Case, rng: random.Random, name: str, expected: set[bytes], text: bytes | None
) -> str | None:
    """Load a file; see that the games are there, and that database and export hold together."""
    with_run = rng.random() < 0.15
    suffix = ".sgf" if name.endswith(".sgf") else ".pgn"
    words = ("run", name, "-o", f"out{suffix}", "--db", "a.db3") if with_run else (
        "create", "a.db3", name)  # fmt: skip
    outcome = run_forked(case, *words)
    problem = crash(outcome)
    if problem:
        return problem
    database = case.folder / "a.db3"
    if outcome.status == FAILED and not database.exists():
        return f"{len(expected)} readable games, but: {outcome.err}" if expected else None
    return (
        lost_games(database, expected, outcome)
        or lost_rejects(case.folder, text, suffix)
        or unsound(case)
        or (None if with_run else later_commands(case, rng))
        or (None if with_run or suffix == ".sgf" else changed_by_export(case, suffix))
    )


def lost_games(database: Path, expected: set[bytes], outcome: Outcome) -> str | None:
    missing = expected - set(moves_of(database))
    if not missing:
        return None
    return f"`{outcome.command()}`: {len(missing)} of {len(expected)} readable games are missing"


def moves_of(database: Path) -> list[bytes]:
    return [moves or b"" for (moves,) in rows(database, "SELECT Moves2 FROM Games")]


def rows(database: Path, sql: str) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def lost_rejects(folder: Path, text: bytes | None, suffix: str) -> str | None:
    """Rejected text is in the reject file, as it was."""
    places = rows(folder / "a.db3", "SELECT SourceOffset FROM Rejects")
    path = folder / f"a.rejects{suffix}"
    kept = path.read_bytes() if path.exists() else b""
    if text is None or text.startswith(UTF16_MARKS):
        return None  # offsets are those of the decoded text
    if bool(places) != bool(kept):
        return f"{len(places)} rejects, and a reject file of {len(kept)} bytes"
    for (offset,) in places:
        # The next game may be right behind it.
        first, rest = text[offset : offset + 1], text[offset + 1 : offset + 30]
        start = first + re.split(rb"[\n\[(]", rest)[0]
        if start not in kept:
            return f"the rejected text at byte {offset} is not in the reject file: {start!r}"
    return None


def unsound(case: Case) -> str | None:
    outcome = run_forked(case, "check", "a.db3")
    if outcome.status != DONE:
        return crash(outcome) or f"`{outcome.command()}`: {outcome.out[-300:] or outcome.err}"
    return None


def later_commands(case: Case, rng: random.Random) -> str | None:
    """Names and copies are looked for; the moves stay, and the database stays sound."""
    if rng.random() < 0.7:
        return None
    before = moves_of(case.folder / "a.db3")
    for words in (("players", "a.db3"), ("dedup", "a.db3"), ("dedup", "a.db3", "--undo")):
        outcome = run_forked(case, *words)
        if outcome.status != DONE:
            return crash(outcome) or f"`{outcome.command()}`: {outcome.err}"
    if moves_of(case.folder / "a.db3") != before:
        return "players and dedup changed the moves"
    return unsound(case)


CONTENT = """
    SELECT Games.ID, Events.Name, Sites.Name, White.Name, Black.Name, Date, Round,
        WhiteElo, BlackElo, Result, ECO, PlyCount, FEN, Moves2, ExtraTags,
        (SELECT json_group_array(json_array(Ply, Position, Comment))
            FROM Comments WHERE GameID = Games.ID),
        (SELECT json_group_array(json_array(Ply, Position, NAG, Variation))
            FROM Annotations WHERE GameID = Games.ID)
    FROM Games LEFT JOIN Events ON Events.ID = EventID LEFT JOIN Sites ON Sites.ID = SiteID
        LEFT JOIN Players AS White ON White.ID = WhiteID
        LEFT JOIN Players AS Black ON Black.ID = BlackID
    ORDER BY Games.ID
"""
ANNOTATIONS = 16  # place of that column


def changed_by_export(case: Case, suffix: str) -> str | None:
    """Export the games and read them again: they are the same.

    Signs in variations are written as NAGs ("N" as $146): those texts are the same the second time.
    """
    return round_trip(case, "a", "b", suffix, leave_out=ANNOTATIONS) or round_trip(
        case, "b", "c", suffix
    )


def round_trip(
    case: Case, start: str, end: str, suffix: str, *, leave_out: int | None = None
) -> str | None:
    """Export a database, load what was exported, and compare all columns but one."""
    out = f"{end}{suffix}"
    export = "export", f"{start}.db3", "-o", out, "--names", "merged"
    for words in (export, ("create", f"{end}.db3", out)):
        outcome = run_forked(case, *words)
        if outcome.status != DONE:
            return crash(outcome) or f"`{outcome.command()}`: {outcome.out[-300:]} {outcome.err}"
    before, after = (content(case.folder / f"{name}.db3") for name in (start, end))
    if len(before) != len(after):
        return f"{len(before)} games became {len(after)} by export and create"
    for old, new in zip(before, after, strict=True):
        for place, (left, right) in enumerate(zip(old[1:], new[1:], strict=True), 1):
            if left != right and place != leave_out and not same_tags(left, right):
                return f"game {old[0]}: column {place} was {left!r}, after export {right!r}"
    return None


def same_tags(left: object, right: object) -> bool:
    """Return whether two JSON objects are equal: what could not be read of a tag comes last."""
    texts = [text for text in (left, right) if isinstance(text, str) and text.startswith("{")]
    return len(texts) == 2 and json.loads(texts[0]) == json.loads(texts[1])


def content(database: Path) -> list[tuple[Any, ...]]:
    return rows(database, CONTENT)


@cache
def corpus_texts() -> tuple[bytes, ...]:
    """Return the files of the tests' corpus, which need not be there."""
    corpus = SCRIPTS.parent / "tests" / "corpus"
    return tuple(path.read_bytes() for path in sorted(corpus.rglob("*.pgn"))) or (b"1. e4 *\n",)


# --- lists of players -----------------------------------------------------------------------------


def mutated_list(case: Case, rng: random.Random) -> str | None:
    """Read or refuse a list; the games and the database stay sound, undo takes all back."""
    kind = rng.choice(tuple(player_lists()))
    text = mutate_often(
        rng, player_lists()[kind], LIST_TOKENS, tuple(player_lists().values()), most_bytes=60_000
    )
    packing = rng.choice(tuple(PACKED)[:3]) if rng.random() < 0.15 else ""
    if packing:
        text = PACKED[packing](text)
        text = damaged(rng, text) if rng.random() < 0.5 else text
    name = f"list.{kind.rpartition('.')[2]}{packing}"
    (case.folder / name).write_bytes(text)
    shutil.copyfile(demo_database(case), case.folder / "a.db3")
    before = content(case.folder / "a.db3")
    option = LIST_OPTIONS.get(kind, "--aliases")
    outcome = run_forked(case, "players", "a.db3", option, name, *list_month(kind))
    if outcome.status not in (DONE, FAILED):
        return crash(outcome) or f"`{outcome.command()}`: exit status {outcome.status}"
    problem = crash(outcome) or unsound(case)
    if problem is None and outcome.status == DONE:
        undo = run_forked(case, "players", "a.db3", "--undo")
        problem = crash(undo) or (undo.err if undo.status != DONE else None) or unsound(case)
    if problem is None and content(case.folder / "a.db3") != before:
        problem = "the games are not as before"
    return problem


def list_month(kind: str) -> Sequence[str]:
    return ("--list-month", "2013-01") if kind in LIST_OPTIONS else ()


def demo_database(case: Case) -> Path:
    path = case.kept / "demo.db3"
    if not path.exists():
        names = [str(name) for name in sorted(case.games.glob("*.pgn"))]
        outcome = run_forked(case, "create", "demo.db3", *names)
        assert outcome.status in (DONE, REJECTED), outcome.err
        shutil.move(case.folder / "demo.db3", path)
    return path


def resolved_names(case: Case, rng: random.Random) -> str | None:
    """Mutated names are looked up one by one without a database."""
    lists = player_lists()
    names = mutate_often(rng, b"Kasparov, Garry\nCarlsen,M\nDeep Blue\n" * draw_size(rng, 20),
                         LIST_TOKENS, tuple(lists.values()))  # fmt: skip
    (case.folder / "names.txt").write_bytes(names)
    (case.folder / "list.xml").write_bytes(lists["xml"])
    words = ("--fide-xml", "list.xml", "--resolve", "names.txt", "-o", "found.tsv")
    outcome = run_forked(case, "players", *words, *list_month("xml"))
    return crash(outcome)


ATTACKS: dict[Callable[[Case, random.Random], str | None], int] = {
    mutated_pgn: 40,
    mutated_sgf: 20,
    mutated_archive: 15,
    mutated_list: 20,
    resolved_names: 5,
}
assert set(DECODERS) == set(PACKED)
