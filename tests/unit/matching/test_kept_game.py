"""Kept games: the best header, never a truncated game; ends of mainlines."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.matching.header_score import header_score
from ocgdedup.matching.kept_game import (
    KEPT_GAME_CRITERIA,
    Length,
    Member,
    choose_kept_game,
    chosen_ids,
    go_lengths,
    true_lengths,
)
from ocgdedup.thresholds import NEAR_PLIES
from tests.support.headers import groups_of_headers, header

fixed = settings(max_examples=200)

CUT = Length(is_truncated=True)
TAIL = Length(has_tail=True)
WHOLE = Length()


def kept_of(*headers, criterion="best-header"):
    return choose_kept_game([Member(header) for header in headers], criterion=criterion)


# --- masters ----------------------------------------------------------------------------------


def test_the_highest_header_score_wins():
    assert kept_of(header(1, plies=80), header(2, eco="E97", plies=80)) == 2


def test_of_equal_scores_the_longer_one_wins():
    assert kept_of(header(1, plies=60), header(2, plies=62)) == 2


def test_then_annotations():
    plain = header(1, plies=60)
    commented = header(2, plies=60, has_comments=True)
    both = header(3, plies=60, has_comments=True, has_variations=True)
    assert kept_of(plain, commented) == 2
    assert kept_of(plain, commented, both) == 3


def test_then_the_lowest_id():
    assert kept_of(header(3, plies=60), header(2, plies=60), header(7, plies=60)) == 2


def test_of_ends_that_are_near_that_of_the_careful_record_wins():
    careful = header(1, event="Linares 11th", plies=60)
    careless = header(2, event="Linar", plies=62)
    assert kept_of(careful, careless) == 1
    assert kept_of(careful, careless._replace(plies=60, has_comments=True)) == 2


def test_a_truncated_record_is_never_kept_whatever_its_header():
    full, cut = header(1, plies=80), header(2, eco="E97", site="Linares", plies=40)
    for criterion in KEPT_GAME_CRITERIA:
        assert (
            choose_kept_game([Member(full), Member(cut, is_truncated=True)], criterion=criterion)
            == 1
        )


@pytest.mark.parametrize("criterion", KEPT_GAME_CRITERIA)
def test_the_choice_of_the_user_beats_all_rules(criterion: str) -> None:
    full = Member(header(1, eco="E97", site="Linares", plies=80, has_comments=True))
    cut = Member(header(2, plies=40), is_truncated=True)
    tail = Member(header(3, plies=82), has_tail=True)
    for chosen in (2, 3):
        assert choose_kept_game([full, cut, tail], criterion=criterion, chosen={chosen}) == chosen
    assert (
        choose_kept_game([full, cut, tail], criterion=criterion, chosen={4}) == 1
    )  # in another group


def test_the_rules_choose_among_several_user_choices() -> None:
    members = [Member(header(number, eco="E97" if number == 2 else None)) for number in (1, 2, 3)]
    assert choose_kept_game(members, chosen={1, 3}) == 1
    assert choose_kept_game(members, chosen={1, 2, 3}) == 2


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({}, set()),
        ({9: {1}}, set()),  # of another group
        ({2: {1}}, {2}),
        ({2: {1}, 3: {2}}, {3}),  # the second choice goes on from the first
        ({2: {1}, 4: {3}}, {2, 4}),  # nothing says which of them
        ({2: {1}, 3: {1, 2}, 4: {9}}, {3, 4}),
        ({1: {2}, 2: {3}, 3: {1}}, {1, 2, 3}),  # round in a circle
        ({1: {2}, 2: {1}, 4: {3}}, {4}),
        ({1: {9}, 9: {1}}, {1}),  # over one that is in the group no more
    ],
)
def test_chosen_ids(choices: dict[int, set[int]], expected: set[int]) -> None:
    assert chosen_ids([1, 2, 3, 4], choices) == expected


def test_if_all_records_are_truncated_a_longest_one_is_kept():
    members = [
        Member(header(1, eco="E97", plies=40), is_truncated=True),
        Member(header(2, plies=80), is_truncated=True),
        Member(header(3, plies=80, eco="E97"), is_truncated=True),
    ]
    assert choose_kept_game(members) == 3


def test_a_tail_breaks_a_tie():
    members = [Member(header(1, plies=62), has_tail=True), Member(header(2, plies=60))]
    assert choose_kept_game(members) == 2


@pytest.mark.parametrize(
    ("criterion", "expected"), [("best-header", 3), ("longest", 4), ("annotated", 2), ("first", 1)]
)
def test_keep(criterion, expected):
    headers = [
        header(1, plies=80),
        header(2, plies=80, has_comments=True),
        header(3, plies=80, eco="E97"),
        header(4, plies=82),
    ]
    assert kept_of(*headers, criterion=criterion) == expected


def test_the_longest_is_that_without_a_tail():
    members = [Member(header(1, plies=84), has_tail=True), Member(header(2, plies=80))]
    assert choose_kept_game(members, criterion="longest") == 2


def test_errors():
    with pytest.raises(ValueError, match="without members"):
        choose_kept_game([])
    with pytest.raises(KeyError):
        kept_of(header(), criterion="newest")


@st.composite
def some_members(draw):
    headers = draw(groups_of_headers())
    return [Member(header, draw(st.booleans()), draw(st.booleans())) for header in headers]


@pytest.mark.slow
@fixed
@given(some_members(), st.sampled_from(KEPT_GAME_CRITERIA), st.randoms(use_true_random=False))
def test_order_of_the_members_does_not_matter(members, criterion, draw):
    kept = choose_kept_game(members, criterion=criterion)
    assert kept in {member.header.game_id for member in members}
    draw.shuffle(members)
    assert choose_kept_game(members, criterion=criterion) == kept


@pytest.mark.slow
@fixed
@given(some_members(), st.sampled_from(KEPT_GAME_CRITERIA))
def test_a_complete_record_is_kept_if_there_is_one(members, criterion):
    kept = choose_kept_game(members, criterion=criterion)
    whole = [member.header.game_id for member in members if not member.is_truncated]
    assert kept in whole or not whole


@pytest.mark.slow
@fixed
@given(some_members())
def test_no_whole_record_has_a_higher_score(members):
    kept = choose_kept_game(members)
    whole = [m for m in members if not m.is_truncated] or members
    scores = {member.header.game_id: header_score(member.header) for member in whole}
    if not all(member.is_truncated for member in members):
        assert scores[kept] == max(scores.values())


@pytest.mark.slow
@fixed
@given(groups_of_headers())
def test_records_of_the_same_moves_have_the_same_master(headers):
    headers = [header._replace(plies=60) for header in headers]

    def order(record):
        notes = bool(record.has_comments) + bool(record.has_variations)
        return -header_score(record), -record.plies, -notes, record.game_id

    assert min(headers, key=order).game_id == kept_of(*headers)


# --- ends -------------------------------------------------------------------------------------

KNIGHTS = ["g1f3", "g8f6", "f3g1", "f6g8"]
# Both kings come out, so that one move more brings them to the centre.
KINGS_OUT = ["e2e4", "e7e5", "e1e2", "e8e7", "e2d3", "e7d6"]


def square(name):
    return ord(name[0]) - ord("a") + 8 * (int(name[1]) - 1)


def blob(*moves):
    numbers = (square(move[:2]) | square(move[2:]) << 6 for move in moves)
    return b"".join(number.to_bytes(2, "little") for number in numbers)


def line(plies):
    return blob(*(KNIGHTS[ply % 4] for ply in range(plies)))


def ends(*plies):
    return true_lengths([line(count) for count in plies])


def test_a_record_shorter_by_more_than_a_few_plies_is_truncated():
    assert ends(40, 40 + NEAR_PLIES + 1) == [CUT, WHOLE]
    assert ends(80, 20, 60) == [WHOLE, CUT, CUT]


def test_near_ends_are_equally_long():
    assert ends(40, 40 + NEAR_PLIES) == [WHOLE, WHOLE]
    assert ends(0) == [WHOLE]
    assert true_lengths([]) == []


def test_three_records_with_equal_ends_are_complete():
    assert ends(40, 42, 40, 39, 40) == [WHOLE, TAIL, WHOLE, CUT, WHOLE]
    assert ends(40, 42, 40, 39) == [WHOLE] * 4
    assert ends(40, 42, 40, 42, 40, 42) == [WHOLE] * 6


def test_three_agreeing_ends_do_not_outweigh_many_missing_plies():
    assert ends(40, 50, 40, 40) == [CUT, WHOLE, CUT, CUT]


@pytest.mark.parametrize("kings", [["d3d4"], ["d3d4", "d6d5"]])
def test_kings_put_into_the_centre_are_a_tail(kings):
    game = blob(*KINGS_OUT)
    with_kings = blob(*KINGS_OUT, *kings)
    assert true_lengths([with_kings, game]) == [TAIL, WHOLE]


def test_kings_in_the_centre_are_no_tail_if_nothing_ends_before():
    assert true_lengths([blob(*KINGS_OUT, "d3d4"), blob(*KINGS_OUT, "d3c4")]) == [WHOLE, WHOLE]


def test_all_plies_of_a_tail_are_kings_that_go_to_the_centre():
    game = blob(*KINGS_OUT)
    for moves in (["d3d4", "d6c6"], ["d3c3", "d6d5"], ["d3d4", "a7d5"]):
        assert true_lengths([game + blob(*moves), game]) == [WHOLE, WHOLE]


def test_a_walk_of_the_kings_through_the_centre_is_no_tail():
    game = blob(*KINGS_OUT)
    walk = ["d3d4", "d6d5", "d4e4", "d5e5", "e4d4"]
    assert true_lengths([game + blob(*walk), game]) == [WHOLE, CUT]


def test_three_that_have_the_kings_in_the_centre_are_right():
    game, with_king = blob(*KINGS_OUT), blob(*KINGS_OUT, "d3d4")
    assert true_lengths([game, with_king, with_king, with_king]) == [CUT, WHOLE, WHOLE, WHOLE]


@pytest.mark.parametrize("last", ["e4e5", "d3e3", "b1d4"])
def test_what_is_no_king_in_the_centre(last):
    game = blob(*KINGS_OUT)
    assert true_lengths([game + blob(last), game]) == [WHOLE, WHOLE]


@pytest.mark.slow
@fixed
@given(st.lists(st.integers(40, 50), min_size=1, max_size=7), st.randoms(use_true_random=False))
def test_some_mainline_is_whole_and_order_does_not_matter(records, draw):
    result = dict(zip(records, ends(*records), strict=True))
    assert any(not length.is_truncated for length in result.values())
    assert not any(length.is_truncated and length.has_tail for length in result.values())
    draw.shuffle(records)
    assert dict(zip(records, ends(*records), strict=True)) == result


@fixed
@given(st.lists(st.integers(40, 60), min_size=2, max_size=7))
def test_a_longest_mainline_is_never_cut_off(plies):
    lengths = ends(*plies)
    assert not any(
        length.is_truncated
        for count, length in zip(plies, lengths, strict=True)
        if count == max(plies)
    )


# --- Go -----------------------------------------------------------------------------------------

PASS = b"\xff\x03"


def go_ends(*counts, passes=(0,)):
    blobs = [b"\x01\x00" * count for count in counts]
    return go_lengths([blob + PASS * passes[n % len(passes)] for n, blob in enumerate(blobs)])


def test_go_games_that_end_near_each_other_are_equally_long():
    assert go_ends(250, 247) == [Length(), Length()]
    assert go_ends(250, 240) == [Length(), Length(is_truncated=True)]


def test_passes_at_the_end_are_no_moves():
    assert go_ends(200, 200, passes=(9, 0)) == [Length(has_tail=True), Length()]
    assert go_ends(200, 210, passes=(20, 0)) == [Length(is_truncated=True, has_tail=True), Length()]
    assert go_ends(0, 3, passes=(2, 0)) == [Length(is_truncated=True, has_tail=True), Length()]


def test_no_moves_are_no_end_where_others_have_some():
    assert go_ends(0, 1) == ends(0, 3) == [Length(is_truncated=True), Length()]
    assert go_ends(0, 0) == ends(0, 0) == [Length(), Length()]


def test_three_go_games_that_end_alike_are_right():
    assert go_ends(200, 200, 200, 202)[3] == Length(has_tail=True)
    assert go_ends(200, 200, 202) == [Length()] * 3
