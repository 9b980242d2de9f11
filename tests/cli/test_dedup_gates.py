"""dedup: gates that the user names apply to all written pairs and to no others.

A plain filter over all pairs computes the expected changes with tests/reference/move_evidence.py.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ocgdedup.matching.evidence import ACCURACIES, Gates
from tests.reference.move_evidence import refusals
from tests.support.command_line import Command
from tests.support.databases import query
from tests.support.dedup_results import ids, suspects
from tests.support.played_games import (
    Record,
    copy_of,
    game,
    mainline,
    pgn_text,
    with_wrong_move,
)

# Each option that is named, and the gates that it means; what is not named is as in `normal`.
NAMED: dict[str, Gates] = {
    "--accuracy strict": ACCURACIES["strict"],
    "--accuracy normal": Gates(),
    "--accuracy tolerant": ACCURACIES["tolerant"],
    "--gate-ply-start 15": Gates(),
    "--gate-ply-start 40": Gates(start_ply=40),
    "--gate-min-compare 60": Gates(min_measured=60),
    "--gate-diff-ratio 0": Gates(max_length_share=0.0),
    "--gate-min-ply 61": Gates(min_plies=61),
    "--gate-dynamic": Gates(dynamic=True),
    "--monge-elkan": Gates(monge_elkan=0.95),
    "--monge-elkan 1": Gates(monge_elkan=1.0),
    "--accuracy strict --gate-dynamic": ACCURACIES["strict"]._replace(dynamic=True),
}


class Pair(NamedTuple):
    """A near-identical duplicate and its kept game: labels and moves."""

    duplicate: str
    kept: str
    short: Any
    long: Any


def slips(number: int, places: range, plies: int = 70) -> Record:
    """Return a record of a game with wrong moves, perhaps truncated."""
    moves = mainline(number)[:plies]
    for place in places:
        moves = with_wrong_move(moves, place)
    return copy_of(game(number), f"{len(places)} slips, {plies}", moves=moves)


def versions() -> list[Record]:
    """Return games with one other version each: slips early and late, short games, missing ends."""
    records = []
    for number, places, plies in (
        (1, range(50, 51), 70), (2, range(10, 70, 40), 70), (3, range(20, 70, 20), 70),
        (4, range(20, 70, 10), 70), (5, range(4, 5), 70), (6, range(44, 62, 8), 70),
        (12, range(20, 21), 68), (13, range(20, 21), 64),
    ):  # fmt: skip
        records += [game(number), slips(number, places, plies)]
    for number, place, plies in ((14, 30, 40), (15, 16, 28)):
        short = game(number, moves=mainline(number)[:plies])
        wrong = with_wrong_move(short.moves, place)
        records += [short, copy_of(short, "short", moves=wrong)]
    return records


def written(database: str) -> set[tuple[str, str]]:
    """Return near-identical duplicates with their kept games, by label."""
    sql = (
        "SELECT Copy.ExtraTags ->> 'Label', Kept.ExtraTags ->> 'Label' "
        "FROM FlaggedGames AS Copy JOIN Games AS Kept ON Kept.ID = Copy.DuplicateGroup "
        "WHERE Copy.DuplicateStatus = 'join'"
    )
    return {(duplicate, kept) for duplicate, kept in query(database, sql)}


def near_pairs(database: str) -> list[Pair]:
    moves = {
        label: struct.unpack(f"<{len(blob) // 2}H", blob)
        for label, blob in query(database, "SELECT ExtraTags ->> 'Label', Moves2 FROM Games")
    }
    pairs = []
    for duplicate, kept in sorted(written(database)):
        short, long = sorted((moves[duplicate], moves[kept]), key=len)
        pairs.append(Pair(duplicate, kept, short, long))
    return pairs


@pytest.fixture
def loaded(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text("".join(map(pgn_text, versions())), encoding="utf-8")
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


@pytest.mark.parametrize("named", NAMED)
def test_exactly_the_pairs_outside_the_gates_are_kept_apart(
    command: Command, loaded: str, named: str
) -> None:
    """First by evidence alone, then with gates, then by evidence again."""
    command("dedup", loaded, "-q")
    pairs = near_pairs(loaded)
    usual, usual_suspects = written(loaded), suspects(loaded)
    assert len(pairs) == 10
    refused = {
        (case.duplicate, case.kept)
        for case in pairs
        if refusals(case.short, case.long, NAMED[named])
    }
    command("dedup", loaded, "-q", *named.split())
    assert written(loaded) == usual - refused
    assert suspects(loaded) == usual_suspects | {frozenset(pair) for pair in refused}
    command("dedup", loaded, "-q", "--defaults")
    assert (written(loaded), suspects(loaded)) == (usual, usual_suspects)


def test_each_option_refuses_a_pair_that_normal_lets_through(command: Command, loaded: str) -> None:
    """This ensures that the test above tests each option."""
    command("dedup", loaded, "-q")
    pairs = near_pairs(loaded)
    normal = [refusals(pair.short, pair.long, Gates()) for pair in pairs]
    same = {
        named
        for named, gates in NAMED.items()
        if [refusals(pair.short, pair.long, gates) for pair in pairs] == normal
    }
    assert same == {"--accuracy normal", "--gate-ply-start 15"}


def test_a_third_game_joins_no_versions_that_differ_too_much(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pair A and B fails the gates, but C passes them with both."""
    monkeypatch.chdir(tmp_path)
    middle = with_wrong_move(mainline(1), 40)
    versions = [
        game(1),
        copy_of(game(1), "one slip", moves=middle),
        copy_of(game(1), "two slips", moves=with_wrong_move(middle, 56)),
    ]
    Path("in.pgn").write_text("".join(map(pgn_text, versions)), encoding="utf-8")
    command("create", "a.db3", "in.pgn", "-q")
    command("dedup", "a.db3", "-q")
    assert len(written("a.db3")) == 2
    of = ids("a.db3")
    command("dedup", "a.db3", "-q", "--accuracy", "strict")
    ((duplicate, kept),) = written("a.db3")
    assert "1 one slip" in (duplicate, kept)
    (pair,) = suspects("a.db3")
    (apart,) = {"1", "1 one slip", "1 two slips"} - {duplicate, kept}
    assert apart in pair
    other = of[next(iter({"1", "1 one slip", "1 two slips"} - {*pair}))]
    listed = (
        "The search lists games {} and {}, which are in the groups of these two, as possible "
        "duplicates.\n"
    )
    first, second = sorted(of[label] for label in pair)
    out = command("dedup", "a.db3", "--explain", of[apart], other).out
    assert out.endswith(listed.format(first, second))
    out = command("dedup", "a.db3", "--explain", of["1"], of["1 two slips"]).out
    assert re.search(
        r"^Verdict: possible duplicate, because they are outside the gates that you set "
        r"\(.*moves inserted or deleted.*\)\.$",
        out,
        re.MULTILINE,
    )
    lines = f"GameID1\tGameID2\tDecision\n{first}\t{second}\tdifferent\n"
    Path("mine.tsv").write_text(lines)
    command("review", "a.db3", "--decide", "mine.tsv", "--apply", "-q")
    out = command("dedup", "a.db3", "--explain", of[apart], other).out
    decided = f"you decided that games {first} and {second} are different"
    assert out.endswith(f"The search keeps them apart: {decided}.\n")


def test_what_the_user_decided_is_above_the_gates(command: Command, loaded: str) -> None:
    command("dedup", loaded, "-q", "--accuracy", "strict")
    apart = sorted(map(sorted, suspects(loaded)))
    assert apart
    of = ids(loaded)
    lines = [f"{of[left]}\t{of[right]}\tsame\n" for left, right in apart]
    Path("mine.tsv").write_text("GameID1\tGameID2\tDecision\n" + "".join(lines))
    assert command("review", loaded, "--decide", "mine.tsv", "--apply", "-q").status == 0
    assert query(loaded, "SELECT count(*) FROM Suspects WHERE Decision IS NULL") == [(0,)]
    assert len(written(loaded)) == 10
    out = command("dedup", loaded, "--explain", of[apart[0][0]], of[apart[0][1]]).out
    assert "Verdict: duplicate, because you decided that they are the same game.\n" in out
