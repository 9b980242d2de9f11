"""Duplicates of Go games: rotated and mirrored boards, slips, other starts, non-matches."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup._kernels.search import DuplicateFinder
from ocgdedup.game_kind import GO
from ocgdedup.matching.evidence import (
    ACCURACIES,
    EXACT,
    GO_WEIGHTS,
    NEAR_IDENTICAL,
    RULE_OUTSIDE_GATES,
    TRUNCATED,
    TRUNCATED_WITH_SLIP,
    Gates,
    gates_for,
    status_of,
)
from ocgdedup.pipeline.search.detect import SearchOptions
from ocgdedup.pipeline.search.stages import run_stages
from tests.reference.go_symmetries import ALL, form_of, rotated, rotated_start
from tests.reference.move_evidence import refusals
from tests.support.copy_games import batch_of
from tests.support.go_copies import GoSearch, game, go_line, nobody, search_go
from tests.support.go_games import GoGame, write_go_database

LINE = go_line(1, 200)
TAKES_BACK = {symmetry: symmetry for symmetry in ALL} | {2: 6, 6: 2}

fixed = settings(max_examples=60)

Search = Callable[..., GoSearch]


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Search:
    folder = tmp_path_factory.mktemp("go")
    return lambda *games: search_go(folder, *games)


def changed(moves: tuple[str, ...], *places: int) -> list[str]:
    """Return moves with some replaced by others of the same colour."""
    result = list(moves)
    free = iter(go_line(9, 361))
    for place in places:
        point = next(move[1:] for move in free if move[1:] != result[place][1:])
        result[place] = result[place][0] + point
    return result


# --- one form of eight --------------------------------------------------------------------------


@pytest.mark.parametrize("symmetry", ALL)
def test_a_rotated_game_is_a_duplicate(search: Search, symmetry: int) -> None:
    other = rotated(LINE, symmetry)
    result = search(game(LINE), game(other))
    verdict = result.compare()
    assert result.groups == [[1, 2]]
    assert verdict.kind == EXACT
    assert verdict.symmetry == TAKES_BACK[symmetry]
    assert result.compare(2, 1).symmetry == symmetry
    assert status_of(verdict) == ("exact", "rotated" if symmetry else None)


@pytest.mark.parametrize("symmetry", ALL)
def test_mainlines_are_returned_as_read_or_rotated_back(search: Search, symmetry: int) -> None:
    other = tuple(rotated(changed(LINE, 0, 100), symmetry))
    result = search(game(LINE), game(other))
    assert (result.moves(1), result.moves(2)) == (LINE, other)
    assert result.moves(2, beside=1) == tuple(changed(LINE, 0, 100))
    assert result.moves(1, beside=2) == tuple(rotated(LINE, symmetry))


@pytest.mark.parametrize("symmetry", ALL)
@pytest.mark.parametrize(
    "start",
    ["SZ[19]AB[dp][pd]", "SZ[19]AB[dd][dp][pd]AW[jj]", "SZ[9]", "SZ[13]AB[aa][ab]AW[ma]"],
)
def test_starts_are_rotated_too(search: Search, start: str, symmetry: int) -> None:
    line = go_line(2, 80, 9)
    lines = int(start[3 : start.index("]")])
    other = game(rotated(line, symmetry, lines), start=rotated_start(start, symmetry))
    result = search(game(line, start=start), other)
    assert result.compare().kind == EXACT
    assert result.groups == [[1, 2]]


@pytest.mark.parametrize("symmetry", ALL)
def test_passes_stay_passes(search: Search, symmetry: int) -> None:
    line = (*go_line(3, 60), "B", "W")
    result = search(game(line), game(rotated(line, symmetry)))
    assert result.compare().kind == EXACT
    assert result.moves(1)[-2:] == ("B", "W")


def test_games_on_an_axis_are_not_rotated(search: Search) -> None:
    """All moves are on the diagonal, so that mirroring along it changes nothing."""
    line = ["Bdd", "Wpp", "Bjj", "Wff", "Bqq", "Wcc"]
    result = search(game(line), game(rotated(line, 3)))
    assert result.compare().symmetry == 0


boards = st.sampled_from([None, "SZ[5]", "SZ[5]AB[bb]", "SZ[5]AB[bb][dd]AW[cc]", "SZ[5]AB[ab]"])


@st.composite
def small_games(draw: st.DrawFn) -> tuple[str | None, tuple[str, ...]]:
    start = draw(boards)
    points = st.tuples(*[st.sampled_from("abcde")] * 2).map("".join)
    moves = draw(st.lists(st.one_of(points, st.just("")), max_size=4))
    return start, tuple("BW"[ply % 2] + point for ply, point in enumerate(moves))


@pytest.mark.slow
@fixed
@given(st.lists(small_games(), min_size=2, max_size=12))
def test_games_are_equal_if_their_canonical_forms_are(
    search: Search, drawn: list[tuple[str | None, tuple[str, ...]]]
) -> None:
    result = search(*(game(moves, start=start) for start, moves in drawn))
    numbers = dict(
        pair
        for group in result.search_result.groups
        for pair in zip(group.ids, group.lines, strict=True)
    )
    forms = [form_of(moves, start) for start, moves in drawn]
    for left, right in combinations(range(len(drawn)), 2):
        is_same = forms[left] == forms[right]
        if left + 1 in numbers and right + 1 in numbers:
            assert (numbers[left + 1] == numbers[right + 1]) == is_same
        verdict = result.compare(left + 1, right + 1)
        assert (verdict.kind == EXACT) == is_same


# --- slips --------------------------------------------------------------------------------------

SLIPS = {
    "the first": changed(LINE, 0),
    "the first two": changed(LINE, 0, 1),
    "the first five": changed(LINE, 0, 1, 2, 3, 4),
    "one and three exchanged": [LINE[2], LINE[1], LINE[0], *LINE[3:]],
    "the first two lost": list(LINE[2:]),
    "two added before": ["Baa", "Waa", *LINE],
    "one in the middle": changed(LINE, 100),
    "one lost": [*LINE[:70], *LINE[71:]],
    "every thirtieth": changed(LINE, *range(10, 200, 30)),
    "the last": changed(LINE, 199),
}


@pytest.mark.parametrize("symmetry", ALL)
@pytest.mark.parametrize("slip", SLIPS)
def test_slips(search: Search, slip: str, symmetry: int) -> None:
    """At any place, even if the orientation changes, and with any players."""
    for write in (game, nobody):
        result = search(write(LINE), write(rotated(SLIPS[slip], symmetry)))
        assert result.groups == [[1, 2]]
        assert result.compare().kind == NEAR_IDENTICAL
        assert result.compare().symmetry == TAKES_BACK[symmetry]


@pytest.mark.parametrize("symmetry", [0, 3])
@pytest.mark.parametrize("accuracy", ACCURACIES)
def test_gates_that_are_named_are_conditions(tmp_path: Path, accuracy: str, symmetry: int) -> None:
    """They scale with the length, and do not use Jaro-Winkler."""
    named = ACCURACIES[accuracy]
    number = {move: place for place, move in enumerate(dict.fromkeys([*LINE, "Baa", "Waa"]))}
    refused = set()
    for name, slip in SLIPS.items():
        options = SearchOptions(named=named)
        result = search_go(tmp_path, game(LINE), game(rotated(slip, symmetry)), options=options)
        sides = [
            tuple(number.setdefault(move, len(number)) for move in moves) for moves in (LINE, slip)
        ]
        expected = refusals(*sorted(sides, key=len), gates_for(GO, named))
        assert (result.compare().refused, result.verdict) == (
            expected, "suspects" if expected else "one",
        ), name  # fmt: skip
        if expected:
            refused.add(name)
            assert result.compare().rule == RULE_OUTSIDE_GATES
    assert ("every thirtieth" in refused) == (accuracy != "tolerant")
    assert "one in the middle" not in refused


@pytest.mark.slow
@fixed
@given(
    st.integers(1, 10**6), st.integers(60, 250), st.sampled_from(ALL), st.data(),
)  # fmt: skip
def test_slips_anywhere(
    search: Search, number: int, plies: int, symmetry: int, data: st.DataObject
) -> None:
    line = go_line(number, plies)
    places = data.draw(st.lists(st.integers(0, plies - 1), max_size=2, unique=True))
    result = search(game(line), game(rotated(changed(line, *places), symmetry)))
    assert result.groups == [[1, 2]]


@pytest.mark.slow
@fixed
@given(st.randoms(use_true_random=False))
def test_the_order_of_games_does_not_matter(search: Search, draw: random.Random) -> None:
    written = [
        game(rotated(slip, draw.randrange(8)), site=str(place))
        for place, slip in enumerate([LINE, *SLIPS.values(), LINE[:90], go_line(7, 150)])
    ]
    expected = {frozenset(places) for places in search(*written).groups}
    order = draw.sample(range(len(written)), len(written))
    result = search(*(written[place] for place in order))
    assert {
        frozenset(order[number - 1] + 1 for number in group) for group in result.groups
    } == expected
    assert len(expected) == 1


@pytest.mark.parametrize("symmetry", ALL)
@pytest.mark.parametrize("plies", [22, 40, 120])
def test_a_truncated_game(search: Search, plies: int, symmetry: int) -> None:
    result = search(game(LINE), game(rotated(LINE[:plies], symmetry)))
    assert result.groups == [[1, 2]]
    assert result.compare().kind == TRUNCATED


def test_a_truncated_game_of_unknown_players_is_compared(search: Search) -> None:
    cut = nobody(rotated(LINE[:24], 5), date="1996.05.06", event="Spring Cup")
    assert search(game(LINE), cut).search_result.finder.pairs_judged == 1


def test_signatures_pair_mistyped_duplicates(search: Search) -> None:
    """A slip in each run of moves, but none in the signature."""
    spared = {19, 39, 59, 30, 50, 70}
    places = [place for place in range(8, 200, 9) if place not in spared]
    other = nobody(rotated(changed(LINE, *places), 6))
    assert search(nobody(LINE), other).verdict == "one"
    at_signature = nobody(rotated(changed(LINE, *places, 19, 30), 6))
    assert search(nobody(LINE), at_signature).search_result.finder.pairs_judged == 0


# --- other starts -------------------------------------------------------------------------------

HANDICAP = "SZ[19]AB[dp][pd]"


@pytest.mark.parametrize("symmetry", ALL)
def test_handicap_stones_left_out(search: Search, symmetry: int) -> None:
    other = game(rotated(LINE, symmetry))
    result = search(game(LINE, start=HANDICAP), other)
    assert result.groups == [[1, 2]]
    assert result.compare().kind == NEAR_IDENTICAL


@pytest.mark.parametrize("symmetry", ALL)
@pytest.mark.parametrize(
    ("start", "played"),
    [
        ("SZ[19]AB[dp][pd]AW[dd][pp]", ["Bdp", "Wdd", "Bpd", "Wpp"]),  # games of old China
        (
            "SZ[19]AB[dd][dj][dp][jd][jj][jp][pd][pj][pp]",
            [f"B{column}{row}" for column in "djp" for row in "djp"],
        ),
    ],
)
def test_many_stones_of_the_start_played_as_moves(
    search: Search, symmetry: int, start: str, played: list[str]
) -> None:
    moves = [move for move in LINE if f"[{move[1:]}]" not in start][:120]
    result = search(game(moves, start=start), game(rotated([*played, *moves], symmetry)))
    assert result.groups == [[1, 2]]


@pytest.mark.parametrize("symmetry", ALL)
def test_handicap_stones_played_as_moves(search: Search, symmetry: int) -> None:
    moves = ["Bpd", "Bdp", *LINE]
    result = search(game(LINE, start=HANDICAP), game(rotated(moves, symmetry)))
    assert result.groups == [[1, 2]]
    assert result.compare().kind in (NEAR_IDENTICAL, TRUNCATED_WITH_SLIP)


def test_boards_of_other_size_are_other_games(search: Search) -> None:
    line = go_line(2, 80, 9)
    assert search(game(line, start="SZ[9]"), game(line, start="SZ[13]")).verdict == "two"


# --- what is no copy ----------------------------------------------------------------------------


@pytest.mark.parametrize("shared", [40, 73])
@pytest.mark.parametrize("is_same_day", [False, True])
def test_a_shared_start_is_no_duplicate(search: Search, shared: int, is_same_day: bool) -> None:
    """Real games share up to 73 moves and both signatures."""
    first = [*LINE[:shared], *go_line(5, 360)[shared:230]]
    second = [*LINE[:shared], *go_line(6, 360)[shared:230]]
    other = {} if is_same_day else {"date": "1998.01.02", "white": "Park Seo"}
    assert search(game(first), game(rotated(second, 2), **other)).verdict == "two"


def test_equal_signatures_alone_say_nothing(search: Search) -> None:
    other = list(go_line(8, 200))
    for number in (20, 40, 60, 31, 51, 71):
        other[number - 1] = LINE[number - 1]
    assert search(nobody(LINE), nobody(other)).verdict == "two"


def test_other_names_are_no_veto_on_the_same_day(search: Search) -> None:
    names = {"black": "Someone Else", "white": "Another Player"}
    assert search(game(LINE), game(LINE, **names)).verdict == "one"
    assert search(game(LINE), game(LINE, **names, date="1999.05.06")).verdict == "suspects"
    assert search(game(LINE), game(LINE, date="1999.05.06")).verdict == "one"


def test_versions_of_a_game_with_other_dates_are_suspects(search: Search) -> None:
    """Half of the remaining moves differ: two versions of one game."""
    other = changed(LINE, *range(100, 200, 4))
    assert search(game(LINE), game(other)).verdict == "one"
    assert search(game(LINE), game(other, date="1996.09.06")).verdict == "suspects"


def test_colours_exchanged_in_the_header(search: Search) -> None:
    other = {"black": "Kim Min", "white": "Ito Jun"}
    result = search(game(LINE), game(rotated(LINE, 1), **other))
    assert status_of(result.compare()) == ("exact", "colours swapped")


# --- odd records --------------------------------------------------------------------------------


def test_starts_that_are_none_and_moves_off_the_board(tmp_path: Path) -> None:
    """Such games are compared without rotation."""
    path = tmp_path / "odd.db3"
    games = [game(LINE), game(LINE, site="x"), game(rotated(LINE, 2)), GoGame()]
    write_go_database(path, games)
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE Games SET FEN = 'no start' WHERE ID < 3")
    connection.execute("UPDATE Games SET FEN = 'SZ[5]' WHERE ID = 3")
    finder = DuplicateFinder(batch_of(connection), GO_WEIGHTS._asdict(), Gates()._asdict())
    run_stages(finder)
    assert finder.groups_found()[0].tolist() == [1, 2]
    assert finder.symmetry(1, 3) == 0
    assert len(finder.mainline(3)) == 400
    assert finder.mainline(4) == b""
