"""Tags, odd values, charsets, and rejected text."""

from __future__ import annotations

import json

import pytest

from tests.support.reading import read

TAGS = '[Event "E"]\n[White "W"]\n[Black "B"]\n\n'
NEXT = '\n[Event "Next"]\n[White "X"]\n[Black "Y"]\n\n1. d4 d5 1/2-1/2\n'
RUY = "1. e4 e5 2. Nf3 Nc6 "
RUY_UCI = "e2e4 e7e5 g1f3 b8c6"


def test_prose_between_games_is_rejected_at_its_line() -> None:
    first = f"{TAGS}{RUY}1-0\n\n"
    prose = "Some words about\nthe next round.\n\n"
    reading = read(first + prose + TAGS + "1. d4 *\n")
    assert reading.plies == [4, 1]
    assert [game["SourceNumber"] for game in reading.games] == [1, 3]
    (reject,) = reading.rejects
    assert (reject.number, reject.offset, reject.line) == (2, len(first), 7)
    assert reject.text == prose.encode()


@pytest.mark.parametrize(
    "variant",
    ["Crazyhouse", "three-check", "3check", "King of the Hill", "Racing Kings", "antichess",
     "Atomic", "Horde", "Duck Chess", "bughouse", "Atomic960", "wild 23", "LOSERS"],
)  # fmt: skip
def test_variants_are_rejected(variant: str) -> None:
    reading = read(f'[Event "E"]\n[Variant "{variant}"]\n\n1. e4 e5 1-0\n{NEXT}')
    assert reading.plies == [2]
    assert reading.rejects[0].reason == f"variant {variant} has other rules than chess"


SERVER_EVENTS = [
    ("ICS rated suicide match", "suicide"), ("FICS unrated atomic game", "atomic"),
    ("Rated King of the Hill game", "King of the Hill"), ("ICC rated wild 27 match", "wild 27"),
]  # fmt: skip


@pytest.mark.parametrize(("event", "variant"), SERVER_EVENTS)
def test_variants_of_servers_without_a_tag_are_rejected(event: str, variant: str) -> None:
    reading = read(f'[Event "{event}"]\n\n1. e4 e5 1-0\n{NEXT}')
    assert reading.plies == [2]
    assert reading.rejects[0].reason == f"variant {variant} has other rules than chess"
    reading = read(f'[Event "{event}"]\n[Variant "Standard"]\n\n1. e4 e5 1-0\n{NEXT}')
    assert reading.plies == [2, 2]


@pytest.mark.parametrize(
    "event",
    ["FICS rated blitz game", "Atomic energy cup", "Suicide squad match", "rated atomic",
     "Rated game", "Crazyhouse", "ICS rated standard match", "Dated atomic weight game", "game"],
)  # fmt: skip
def test_events_of_chess_are_read(event: str) -> None:
    assert read(f'[Event "{event}"]\n\n1. e4 e5 1-0\n').plies == [2]


@pytest.mark.parametrize(
    ("movetext", "variant"),
    [
        ("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. P@f5 c6", "crazyhouse"),
        ("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. @f5 c6", "crazyhouse"),
        ("1. e4 e5 2. Bc4 Nc6 3. Bxf7+ a6 4. Bxe8 Qxe8", "antichess"),
        ("1. e4 e5 2. Bc4 {x} Nc6 3. Bxf7+ a6 (3... b6) 4. Bxe8", "antichess"),
    ],
)
def test_drops_and_taken_kings_are_no_chess(movetext: str, variant: str) -> None:
    reading = read(f'[Event "E"]\n\n{movetext} 1-0\n{NEXT}')
    assert reading.plies == [2]
    assert not reading.faults
    assert reading.rejects[0].reason == f"variant {variant} has other rules than chess"


def test_a_taken_king_among_other_faults_is_no_proof() -> None:
    reading = read(f'[Event "E"]\n\n1. e4 e5 2. Bc4 Nc6 3. Bxf7+ a6 4. Bxe8 Bxe8 1-0\n{NEXT}')
    assert reading.plies == [5, 2]
    assert reading.faults[0].reason == "illegal move a6"


@pytest.mark.parametrize(
    "variant",
    ["Standard", "chess 960", "Fischerandom", "From Position", "?", "Najdorf", "Armageddon",
     "King's Gambit", "Grand Prix", "Atomic energy", "Duckworth"],
)  # fmt: skip
def test_chess_under_other_names_is_read(variant: str) -> None:
    assert read(f'[Variant "{variant}"]\n\n1. e4 e5 1-0\n').plies == [2]


@pytest.mark.parametrize(
    ("tags", "white"),
    [
        ('[Event "E"][White "W"]', "W"),
        ('[Event "E"] [White "W"] ', "W"),
        ('[Event "E"]\n\n\n[White "W"]\n\n\n', "W"),
        ('[Event"E"]\n[White"W"]\n', "W"),
        ('[event "E"]\n[white "W"]\n', "W"),
        ('  [Event "E"]\n\t[White   "W"   ]\t\n\n', "W"),
        ('[Event "E"]\n[White "W]\n', "W"),
        ('[Event "E"]\n[White "W\n', "W"),
        ('[Event "E"]\n[White "W"\n', "W"),
        ('[Event "E"]\n[White W"]\n', "W"),
        ("[Event E]\n[White W]\n", "W"),
        ("[Event 'E']\n[White 'W']\n", "W"),
        ("[Event “E”]\n[White “W”]\n", "W"),
        ('[Event "E"]\n[White "the "big" W"]\n', 'the "big" W'),
        ('[Event "E"]\n[White "a \\"b\\" c"]\n', 'a "b" c'),
        ('[Event "E"]\n[White "C:\\\\"]\n', "C:\\"),
        ('[Event "E"]\n[White "C:\\"]\n', "C:\\"),
        ('[Event "E"]\n[White "x ] y"]\n', "x ] y"),
    ],
)
def test_tags_of_all_shapes(tags: str, white: str) -> None:
    reading = read(f"{tags}1. e4 e5 1-0\n{NEXT}")
    assert reading.plies == [2, 2]
    assert reading.games[0]["Event"] == "E"
    assert reading.games[0]["White"] == white


@pytest.mark.parametrize(
    "odd",
    [
        "[Round 3]",
        "[White2 “W”]",
        'Black "B"]',
        "[]",
        "[White]",
        '[2nd "b"]',
        '[Été "x"]',
        "; a remark",
        "{c}",
        "% escaped",
        "some prose",
        '[A,B "z"]',
        '[A B "w"]',
    ],
)
def test_odd_line_among_tags_does_not_split_the_game(odd: str) -> None:
    reading = read(f'[Event "E"]\n{odd}\n[Site "S"]\n\n1. e4 1-0\n{NEXT}')
    assert reading.plies == [1, 2]
    assert (reading.games[0]["Event"], reading.games[0]["Site"]) == ("E", "S")


@pytest.mark.parametrize(
    ("tag", "value", "column", "stored", "key"),
    [
        ("Date", "1998.3.12", "Date", "1998.03.12", "OriginalDate"),
        ("Date", "12.03.1998", "Date", "1998.03.12", "OriginalDate"),
        ("Date", "March 1998", "Date", "1998.03.??", "OriginalDate"),
        ("Result", "1/2", "Result", "1/2-1/2", "OriginalResult"),
        ("Result", "White wins", "Result", "1-0", "OriginalResult"),
        ("Result", "perhaps", "Result", "0-1", "OriginalResult"),
        ("WhiteElo", "2500?", "WhiteElo", 2500, "WhiteElo"),
        ("BlackElo", "0000", "BlackElo", None, "BlackElo"),
    ],
)
def test_odd_values_are_kept(
    tag: str, value: str, column: str, stored: str | int | None, key: str
) -> None:
    (game,) = read(f'[Event "E"]\n[{tag} "{value}"]\n\n1. e4 0-1\n').games
    assert game[column] == stored
    assert json.loads(game["ExtraTags"])[key] == value


@pytest.mark.parametrize("date", ["1998.03.12", "1998.03.??", "1998.??.??", "????.??.??"])
def test_question_marks_of_a_date_stay(date: str) -> None:
    (game,) = read(f'[Date "{date}"]\n\n1. e4 *\n').games
    assert game["Date"] == date
    assert game["ExtraTags"] is None


LICHESS = '[Event "Rated Blitz game"]\n[Site "https://lichess.org/CA4bR2b8"]\n'
STUDY = '[Event "A: B"]\n[Site "https://lichess.org/study/76AirB4Y/C1NcczQl"]\n'
NAMED = '[Event "A: B"]\n[StudyName "A"]\n[ChapterName "B"]\n'
BROADCAST = f'{NAMED}[BroadcastName "Open"]\n'
UNKNOWN = "????.??.??"


@pytest.mark.parametrize(
    ("tags", "expected", "quality"),
    [
        (LICHESS, "2017.08.31", 33),
        (f'{LICHESS}[Date "????.??.??"]\n', "2017.08.31", 33),
        (f'{LICHESS}[Date "?"]\n', "2017.08.31", 33),
        (f'{LICHESS}[Date "-"]\n', "2017.08.31", 33),
        (f'{LICHESS}[X "a\\"b"]\n', "2017.08.31", 33),
        (BROADCAST, "2017.08.31", 33),
        (f'{LICHESS}[Date "2017.??.??"]\n', "2017.??.??", 13),
        (f'{LICHESS}[Date "2016.01.02"]\n', "2016.01.02", 33),
        (STUDY, UNKNOWN, 0),
        (NAMED, UNKNOWN, 0),
    ],
)
def test_utc_date_replaces_an_unknown_date_but_not_in_studies(
    tags: str, expected: str, quality: int
) -> None:
    (game,) = read(f'{tags}[UTCDate "2017.08.31"]\n\n1. e4 *\n').games
    assert (game["Date"], game["DateQuality"]) == (expected, quality)
    assert json.loads(game["ExtraTags"])["UTCDate"] == "2017.08.31"


@pytest.mark.parametrize("text", ["", "?", "????.??.??", "2017.02.30", "31.08.2017"])
def test_an_odd_utc_date_is_no_date(text: str) -> None:
    (game,) = read(f'{LICHESS}[UTCDate "{text}"]\n\n1. e4 *\n').games
    assert game["Date"] == UNKNOWN


def test_repeated_tag_is_kept_and_the_first_counts() -> None:
    (game,) = read('[White "A"]\n[White "B"]\n[Note "x"]\n[Note "y"]\n\n1. e4 *\n').games
    assert game["White"] == "A"
    assert json.loads(game["ExtraTags"]) == {"White_2": "B", "Note": "x", "Note_2": "y"}


def test_result_in_the_movetext_that_differs_is_kept() -> None:
    (game,) = read('[Result "1-0"]\n\n1. e4 0-1\n').games
    assert game["Result"] == "1-0"
    assert json.loads(game["ExtraTags"]) == {"MovetextResult": "0-1"}


@pytest.mark.parametrize(
    ("name", "charset", "stored"),
    [
        ("Müller", "utf-8", None),
        ("Müller", "windows-1252", "windows-1252"),
        ("Каспаров, Гарри", "windows-1251", "windows-1251"),
        ("Wojtkiewicz, Błażej", "windows-1250", "windows-1250"),
    ],
)
def test_charset_is_recorded(name: str, charset: str, stored: str | None) -> None:
    text = f'[White "{name}"]\n\n1. e4 {{{name}}} *\n'
    reading = read(text.encode(charset))
    assert reading.games[0]["White"] == name
    assert reading.games[0]["Charset"] == stored
    assert reading.comments[0][2] == name


def test_nul_bytes_are_blanks() -> None:
    assert read(f"{TAGS}1. e4 \0\0e5 1-0\n\0\0\0\n{NEXT}").plies == [2, 2]


def test_offsets_cut_the_file_into_its_games() -> None:
    games = [TAGS + RUY + "1-0\n\n", "\n" + TAGS + "1. e4 {ä} *\n\n", TAGS + "1. d4\n"]
    text = "".join(games).encode()
    for game, offset in zip(games, (g["SourceOffset"] for g in read(text).games), strict=True):
        assert text[offset:].startswith(game.lstrip().encode())
