"""Two games beside each other: whole pages as they look, and laws of the layout."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels.chess import decode_san
from ocgdedup.pipeline.search.pairs import ShownGame, ShownPair, overlap_of
from ocgdedup.reports.side_by_side import (
    MIN_WIDTH,
    decision_words,
    folded_lines,
    pair_text,
    pairs_text,
)
from ocgdedup.store.possible_duplicates import PossiblePair
from tests.support.pgn_text import game
from tests.support.reading import read

OPENING = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O"
LONG = f"{OPENING} 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6"
AFTER_OPENING = "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 w - - 1 9"
END = "9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6"


def shown(game_id: int, movetext: str, fen: str | None = None, **fields: object) -> ShownGame:
    given = {"FEN": fen, "SetUp": "1"} if fen else {}
    (row,) = read(game(f"{movetext} *", **given)).games
    moves = row["Moves2"]
    return ShownGame(game_id, [], decode_san(moves, fen), moves, fen)._replace(**fields)


def text_of(left: ShownGame, right: ShownGame, *result: object, width: int = 80) -> str:
    state = PossiblePair(left.game_id, right.game_id, *result) if result else None
    return pair_text(ShownPair(left, right, overlap_of(left, right), state), width=width)


def moves_of(left: str, right: str, *, width: int = 80) -> str:
    """Return the lines from the moves on, of games 1 and 2."""
    return text_of(shown(1, left), shown(2, right), width=width).split("-" * width + "\n")[2]


def words_of(left: ShownGame, right: ShownGame) -> str:
    """Return the sentences at the end, on one line."""
    lines = text_of(left, right).splitlines()
    start = max(i for i, line in enumerate(lines) if not line.startswith(" "))
    return " ".join(line.strip() for line in lines[start + 1 :])


def page(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


WHITE = [("White", "Ö")]


def test_a_whole_page() -> None:
    left = shown(
        17,
        LONG,
        tags=[
            ("Event", "Candidates tournament for the championship"),
            ("White", "Ö"),
            ("ECO", "C"),
        ],
        group=17,
        source="old.pgn",
        number=3,
        has_comments=True,
    )
    right = shown(
        4711,
        OPENING,
        tags=[("Event", "Candidates"), *WHITE, ("Annotator", "Смыслов")],
        status="subsumption",
        group=17,
        reason="partial",
        source="web.pgn",
        number=12,
    )
    assert text_of(left, right, "join", 0.81234, "same date", None, width=72) == page("""
        ========================================================================
        game       17                              4711
        is         kept game                       truncated duplicate of 17,
                                                   partial
        source     old.pgn, game 3                 web.pgn, game 12
        has        comments
        possible   near-identical; score 0.812; same date
        ------------------------------------------------------------------------
        Event      Candidates tournament for the | Candidates
                   championship
        White      Ö                               Ö
        ECO        C                             <
        Annotator                                > Смыслов
        ------------------------------------------------------------------------
        plies      28                            | 16
        1-6.       the same, 12 plies: 1. e4 e5 2. Nf3 Nc6 ... 6. Re1 b5
        7.         Bb3     d6                      Bb3     d6
        8.         c3      O-O                     c3      O-O
        9.         h3      Nb8                   < (end)
        ply 17     ^^                              ^^^^^
        10.        d4      Nbd7                  <
        11.        Nbd2    Bb7                   <
        12.        Bc2     Re8                   <
        13.        Nf1     Bf8                   <
        14.        Ng3     g6                    <
                   Game 4711 ends where game 17 has 12 more plies.
        """)


def test_the_same_moves() -> None:
    assert moves_of(OPENING, OPENING) == page("""
        plies     16                                  16
        1-8.      the same, 16 plies: 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 ... 8. c3 O-O
                  The same moves: 16 plies.
        """)


def test_one_ply_differs() -> None:
    assert moves_of(LONG, LONG.replace("9. h3", "9. a4")) == page("""
        plies     28                                  28
        1-6.      the same, 12 plies: 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 ... 6. Re1 b5
        7.        Bb3     d6                          Bb3     d6
        8.        c3      O-O                         c3      O-O
        9.        h3                                | a4
        ply 17    ^^                                  ^^
        ...       the same again, 11 plies: 9... Nb8 10. d4 Nbd7 ... 14. Ng3 g6
                  The games differ only at ply 17.
        """)


def test_plies_are_lacking() -> None:
    longer = LONG.replace("9. h3", "9. Kh1 Kh8 10. Kg1 Kg8 11. h3")
    assert moves_of(LONG, longer) == page("""
        plies     28                                | 32
        1-6.      the same, 12 plies: 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 ... 6. Re1 b5
        7.        Bb3     d6                          Bb3     d6
        8.        c3      O-O                         c3      O-O
        9.        (gap)                             > Kh1     Kh8
        ply 17    ^^^^^                               ^^^
        10.                                         > Kg1     Kg8
        ...       the same again, 12 plies: 9. h3 Nb8 10. d4 Nbd7 ... 14. Ng3 g6
                  Game 1 lacks 4 plies of game 2, from ply 17 on.
        """)


def test_a_first_difference_of_black_and_much_after_it() -> None:
    right = f"{OPENING.replace('O-O Be7', 'O-O Bc5')} 9. h3 h6 10. d4 Bb6 11. a4 Bb7 12. Be3 Re8"
    assert moves_of(LONG, right) == page("""
        plies     28                                | 24
        1-2.      the same, 4 plies: 1. e4 e5 2. Nf3 Nc6
        3.        Bb5     a6                          Bb5     a6
        4.        Ba4     Nf6                         Ba4     Nf6
        5.        O-O     Be7                       | O-O     Bc5
        ply 10            ^^^                                 ^^^
        6.        Re1     b5                          Re1     b5
        7.        Bb3     d6                          Bb3     d6
        8.        c3      O-O                         c3      O-O
        9.        h3      Nb8                       | h3      h6
        10.       d4      Nbd7                      | d4      Bb6
        11.       Nbd2    Bb7                       | a4      Bb7
        12.       Bc2     Re8                       | Be3     Re8
        ...       4 plies more                      <
                  The games differ in ply 10 and plies 18-28 (18-24 of game 2), and
                  agree elsewhere.
        """)


def test_a_few_equal_plies_after_much_else_are_chance() -> None:
    left = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. a4 h6"
    assert "the same again" not in moves_of(left, "1. e4 c5 2. c3 d6 3. d3 b6 4. a4 h6")
    assert "the same again, 2 plies" in moves_of(left, left.replace("a6", "b6"))
    assert "the same again, 2 plies" in moves_of(left, left.replace("Bb5 a6", "Bc4 b6"))


QUIET = "e4 e5 Nf3 Nc6 a3 a6 h3 h6 d3 d6 c3 Nf6 Be2 Be7 O-O O-O b3 b6 Bb2 Bb7 Nbd2 Qd7"


@pytest.mark.parametrize(
    ("lost", "expected"),
    [
        ([" a3 a6"], "Game 2 lacks 2 plies of game 1, from ply 5 on."),
        (
            [" a3 a6", " Bb2 Bb7"],
            "The games differ in plies 5-6 and plies 19-20, and agree elsewhere.",
        ),
        ([" a3 a6", " Qd7"], "The games differ in plies 5-6 and ply 22, and agree elsewhere."),
    ],
)
def test_moves_that_are_shifted(lost: list[str], expected: str) -> None:
    """Behind plies that one game lacks, both agree, whatever comes later."""
    other = QUIET
    for plies in lost:
        other = other.replace(plies, "")
    whole, rest = shown(1, QUIET), shown(2, other)
    missing = expected.replace(" and", " (missing in game 2) and", 1)
    missing = missing.replace(", and agree", " (missing in game 2), and agree")
    assert words_of(whole, rest) == (expected if len(lost) == 1 else missing)
    if len(lost) > 1:
        added = expected.replace(" and", " of game 2 (missing in game 1) and", 1)
        added = added.replace(", and agree", " of game 2 (missing in game 1), and agree")
        assert words_of(rest._replace(game_id=1), whole._replace(game_id=2)) == added


def test_games_that_are_too_long_to_be_aligned() -> None:
    knights = "Nf3 Nf6 Ng1 Ng8 " * 300
    words = words_of(shown(1, f"e4 e5 {knights}"), shown(2, f"e3 e5 {knights} a3"))
    assert words == "The games differ from ply 1 on (1202 and 1,203 plies)."


def test_moves_are_numbered_as_in_the_start_position() -> None:
    left = shown(1, "1... a5 2. d4 exd4", AFTER_OPENING.replace(" w ", " b "))
    right = shown(2, "1... a5 2. d3", AFTER_OPENING.replace(" w ", " b "))
    assert text_of(left, right).split("-" * 80 + "\n")[2] == page("""
        plies     3                                 | 2
        9.                a5                                  a5
        10.       d4      exd4                      | d3
        ply 2     ^^                                  ^^
                  The games differ from ply 2 to the end (2 and 1 ply).
        """)


def test_a_game_that_starts_inside_the_other() -> None:
    left, right = shown(1, LONG), shown(2, END.replace("Bb7 12", "Nb6 12"), AFTER_OPENING)
    lines = text_of(left, right).split("-" * 80 + "\n")[2].splitlines()
    assert (
        lines[1:5]
        == page("""
        9.        h3      Nb8                         h3      Nb8
        10.       d4      Nbd7                        d4      Nbd7
        11.       Nbd2    Bb7                       | Nbd2    Nb6
        ply 22            ^^^                                 ^^^
        """).splitlines()
    )
    start = "Game 2 starts from the position after ply 16 of game 1. The games differ only at "
    assert words_of(left, right) == start + "ply 22 of game 1."
    assert words_of(right, left) == start + "ply 6 of game 2."


def tags(white: str, black: str) -> list[tuple[str, str]]:
    return [("White", white), ("Black", black)]


E4_FROM_ELSEWHERE = ("1. e4", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (shown(1, ""), shown(2, ""), "Neither game has moves."),
        (shown(1, LONG), shown(2, ""), "Game 2 has no moves."),
        (shown(1, ""), shown(2, LONG), "Game 1 has no moves."),
        (
            shown(1, LONG),
            shown(2, "1. d4 d5"),
            "The games differ from ply 1 to the end (28 and 2 plies).",
        ),
        (shown(1, "1. e4"), shown(2, "1. e4"), "The same moves: 1 ply."),
        (
            shown(1, "1. e4 e5"),
            shown(2, "1. e4"),
            "Game 2 ends where game 1 has 1 more ply.",
        ),
        (
            shown(1, "1. e4"),
            shown(2, *E4_FROM_ELSEWHERE),
            "The games start from different positions. "
            "The games differ from ply 1 to the end (1 and 1 ply).",
        ),
        (
            shown(1, "1. e4", tags=tags("A", "B")),
            shown(2, "1. e4", tags=tags("B", "A")),
            "White and Black are swapped. The same moves: 1 ply.",
        ),
        (
            shown(1, "1. e4", tags=tags("?", "?")),
            shown(2, "1. e4", tags=tags("?", "?")),
            "The same moves: 1 ply.",
        ),
    ],
)  # fmt: skip
def test_in_words(left: ShownGame, right: ShownGame, expected: str) -> None:
    assert words_of(left, right) == expected


def heading(left: ShownGame, right: ShownGame, *result: object) -> list[str]:
    text = text_of(left, right, *result)
    return [" ".join(line.split()) for line in text.split("-" * 80)[0].splitlines()[1:]]


def test_heading_says_only_what_is_known() -> None:
    assert heading(shown(1, ""), shown(2, "")) == ["game 1 2"]


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"group": 1}, "kept game"),
        ({"group": 1, "has_merged_header": True}, "kept game, headers merged"),
        ({"group": 1, "has_merged_notes": True}, "kept game, annotations merged"),
        ({"group": 5, "status": "exact"}, "exact duplicate of 5"),
        ({"group": 5}, "duplicate of 5"),
        ({"group": 5, "status": "exact", "is_deleted": True}, "exact duplicate of 5, deleted"),
    ],
)
def test_heading_says_what_a_game_is(fields: dict[str, object], expected: str) -> None:
    game_line, standing, *more = heading(
        shown(1, "", **fields), shown(2, "", group=fields["group"])
    )
    assert game_line == "game 1 2"
    assert " ".join([standing, *more]).startswith(f"is {expected} duplicate of ")


def test_heading_names_the_groups_of_games_of_two_groups() -> None:
    lines = heading(shown(1, "", group=1), shown(2, "", group=5, status="join"))
    assert lines[1] == "is kept game of group 1 near-identical duplicate of 5"


def test_heading_names_sources_and_notes() -> None:
    left = shown(1, "", source="a.pgn", has_comments=True, has_variations=True)
    right = shown(2, "", source="b.pgn", number=9)
    assert heading(left, right)[1:] == ["source a.pgn b.pgn, game 9", "has comments, variations"]


def test_heading_of_suspects() -> None:
    result = ("exact", None, "", "different")
    assert (
        heading(shown(1, ""), shown(2, ""), *result)[1] == "possible exact; you decided: different"
    )


def test_heading_says_that_a_pair_is_undecided() -> None:
    found = ("join", 2.5, "", None)
    _, line = heading(shown(1, ""), shown(2, ""), *found)
    assert line == "possible near-identical; undecided, both games are kept; score 2.5"


def test_heading_has_the_words_of_the_user_for_a_class_with_a_reason() -> None:
    _, line = heading(shown(1, ""), shown(2, ""), "subsumption (placeholder)", None, "", "same")
    assert line == "possible truncated (placeholder); you decided: same"


@pytest.mark.parametrize(
    ("groups", "decision", "places", "words"),
    [
        ((1, 1), None, ["1, kept", "2, truncated"], ""),
        ((1, 5), None, ["1, kept in group 1", "2, truncated in group 5"], "undecided, both games"),
        ((1, 5), "same", ["1, kept in group 1", "2, truncated in group 5"], "you decided: same"),
    ],
)
def test_few_lines_say_what_the_games_are(
    groups: tuple[int, int], decision: str | None, places: list[str], words: str
) -> None:
    left = shown(1, "", group=groups[0])
    right = shown(2, "", group=groups[1], status="subsumption")
    pair = ShownPair(left, right, None, PossiblePair(1, 2, "exact", 1.0, "", decision))
    assert [part.strip() for part in folded_lines(pair)[1].split("  ") if part][1:] == places
    assert decision_words(pair).startswith(words)
    assert bool(decision_words(pair)) == bool(words)


def tag_lines(left: str, right: str) -> list[str]:
    games = (shown(1, "", tags=[("Event", left)]), shown(2, "", tags=[("Event", right)]))
    return text_of(*games).split("-" * 80 + "\n")[1].splitlines()


def test_letters_that_are_not_printed_are_named() -> None:
    (line,) = tag_lines("a\x1bb", "a\u200bb")
    assert line.split() == ["Event", "a\\x1bb", "|", "a\\u200bb"]


def test_a_very_long_value_is_cut() -> None:
    lines = tag_lines("words " * 100, "x" * 300)
    assert len(lines) == 4
    assert " words     | xxx" in lines[0]
    assert lines[3].count(" ...") == 2
    assert [len(line) for line in lines] == [79] * 4


def test_a_long_name_of_a_tag_is_cut() -> None:
    games = [shown(number, "", tags=[("Abcdefghijklmnopqrst", "x")]) for number in (1, 2)]
    (line,) = text_of(*games).split("-" * 80 + "\n")[1].splitlines()
    assert line.split() == ["Abcdefghijklmn", "x", "x"]


def test_several_pairs_are_numbered() -> None:
    pair = ShownPair(shown(1, OPENING), shown(2, OPENING), None, None)
    first, second = pairs_text([pair, pair])
    assert first.startswith("== pair 1 ====")
    assert second == "\n" + first.replace("== pair 1 =", "== pair 2 =")
    assert len(first.splitlines()[0]) == 80


games = st.builds(
    lambda moves, name, value, plies: shown(
        10**9, " ".join(moves.split()[:plies]), tags=[("White", value), (name, "x")]
    ),
    st.sampled_from([LONG, LONG.replace("h3 Nb8", "a4 Rb8"), OPENING.replace("a6", "h6")]),
    st.text(st.sampled_from("AbcdeF"), min_size=1, max_size=30),
    st.text(max_size=200),
    st.integers(0, 60),
)


@given(games, games, st.integers(0, 130))
def test_no_line_is_longer_than_the_page(left: ShownGame, right: ShownGame, width: int) -> None:
    text = text_of(left, right, "join", 0.5, "x" * 200, "same", width=width)
    assert max(map(len, text.split("\n"))) == max(width, MIN_WIDTH)
    assert not any(line.endswith(" ") for line in text.split("\n"))


@given(games, games)
def test_marks_are_mirrored(left: ShownGame, right: ShownGame) -> None:
    pair = [game._replace(tags=[(name, "x") for name, _ in game.tags]) for game in (left, right)]
    text, mirrored = text_of(*pair), text_of(*pair[::-1])
    assert mirrored.count("|") == text.count("|")
    assert mirrored.count("<") == text.count(">")
    assert mirrored.count("^") == text.count("^")


@given(games)
def test_a_game_beside_itself_has_no_mark(game: ShownGame) -> None:
    plain = game._replace(tags=[("White", "x")])
    text = text_of(plain, plain)
    assert not set("<>|^") & set(text)
    assert ("The same moves" in text) == bool(game.texts)
