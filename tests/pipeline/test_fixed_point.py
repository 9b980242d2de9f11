"""create, export, create is a fixed point; other programs read the same moves from the export."""

from __future__ import annotations

import io
import logging
import re
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn
import pytest

from ocgdedup.pgn.variation_text import standard_variation
from tests.reference.move_blobs import encode_move
from tests.support.command_line import Command
from tests.support.databases import query
from tests.support.game_content import Content, contents, differences
from tests.support.pgn_text import game

TESTS = Path(__file__).parents[1]
MALFORMED = sorted((TESTS / "corpus" / "malformed").glob("*.pgn"))
DEMO = sorted((TESTS.parent / "scripts" / "demo_games").glob("*.pgn"))

MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6"


def deep(depth: int) -> str:
    text = "1. e4"
    for level in range(depth):
        text += f" (1. {('d4', 'e4', 'c4', 'Nf3')[level % 4]} {{level {level}}}"
    return text + ")" * depth + " e5 2. Nf3 Nc6 *"


LONG = " ".join(f"word{number}" for number in range(400))

HAND_MADE: dict[str, str | bytes] = {
    "plain": game(f"{MOVES} 1-0", Result="1-0"),
    "comments": game("{first} {second} 1. e4 {after} {again} e5 {} 2. Nf3 { blanks } Nc6 {end} *"),
    "comment with brace behind semicolon": game("1. e4 ; it } was { so\ne5 ; {a}\n2. Nf3 *"),
    "comment of two lines": game("{one\ntwo\r\nthree\n\nfour} 1. e4 {a\tb   c} e5 *"),
    "paragraphs": game(
        "{ one\n\n- two\n\t- three\n\n\n} 1. e4 { end\n} e5 (1... c5\n{a\n\nb} 2. Nf3) 2. Nf3 *"
    ) + game('{a\n[Round "2"]\n% x\n[Event "b"]} 1. e4 *'),
    "escape line": game("1. e4\n% not to be read\ne5 *"),
    "percent in a comment": game(f"1. e4 {{{'100 % ' * 40}}} e5 {{%x}} *"),
    "long comment": game(f"{{{LONG}}} 1. e4 {{{LONG}}} e5 ({{{LONG}}} 1... c5 {{{LONG}}}) *"),
    "long words": game(f"1. e4 {{{'x' * 200} {'y' * 90}}} e5 {{http://{'z' * 99}}} *"),
    "nags": game("$13 1. e4 $1 $10 $139 e5! 2. Nf3?? Nc6!? $255 3. Bb5 +/- a6 N *"),
    "nags before the first move": game("$22 {known} $5 1. e4 *"),
    "signs": game("1. e4 += e5 = 2. Nf3 +- Nc6 -+ 3. Bb5 -/+ a6 =+ *"),
    "clocks": game(
        "1. e4 {[%clk 0:10:00][%eval 0.17]} e5 {[%evp 0,4,19,7,25] [%csl Ra1,Gb2]} "
        "2. Nf3 {[%cal Ga1b2,Yc3d4] good [%emt 0:00:05]} Nc6 {[%mdl 4]} *"
    ),
    "variations": game(
        "1. e4 (1. d4 d5 (1... Nf6 2. c4 $1 {Indian} (2. Nf3 g6) 2... e6) 2. c4) (1. c4) 1... e5 "
        "2. Nf3 ({nothing but this} 2. f4 $6) {behind} (2. d4 ; to the end\nexd4) 2... Nc6 *"
    ),
    "notes in all orders": game(
        "1. e4 {a} $1 (1. d4) {b} (1. c4) $2 {c} {d} 1... e5 (1... c5) $3 (1... e6) {e} *"
    ),
    "variation behind the last move": game("1. e4 e5 (1... c5 2. Nf3) *"),
    "brackets in comments": game("1. e4 {(not [a] variation)} (1. d4 {) (}) 1... e5 {[Event] x} *"),
    "deep variations": game(deep(50)),
    "tags with quotes": game(
        "1. e4 *", White='O\\"Kelly', Black="back\\\\slash", Note="a \\\\\\\" b"
    ),
    "odd tags": game(
        "1. e4 *", Site="", Round="3.1", ECO="C42/b", WhiteElo="2500?", BlackElo="-", Empty="",
        TimeControl="40/7200:3600", Annotator="Σ", PlyCount="99", EventDate="1999.??.??",
        a_b="low", Nonsense123="[x]", WhiteTeam="A & B; C", Termination="{x}",
    ),
    "duplicate tags": game("1. e4 *", Note="one").replace(
        "[Note", '[White "Second"]\n[Note "two"]\n[Note "three"]\n[Event "Again"]\n[Note'
    ),
    "names that look like numbered tags": game("1. e4 *", White_2="x", Note_2="y").replace(
        "[White_2", '[White "Second"]\n[White_2'
    ),
    "results": "".join(
        game(f"{MOVES} {end}", Result=tag, Round=f"{tag} {end}")
        for tag in ("1-0", "0-1", "1/2-1/2", "*", "1/2", "1:0", "", "?", "White wins")
        for end in ("1-0", "*", "1/2-1/2", "")
    ),
    "dates": "".join(
        game("1. e4 *", Date=date)
        for date in (
            "1999.12.31", "1999.??.??", "????.??.??", "????.12.??", "1999.12.??", "12.03.1998",
            "1998-3-12", "March 1998", "98", "", "?", "31.31.1999", "1998/03/12", "2000.02.30",
            "12th May 1899", "nonsense", "1998.3.1", "0000.00.00", "3/12/98", "1.2.1998",
        )
    ),
    "elos": "".join(
        game("1. e4 *", WhiteElo=elo, BlackElo=elo)
        for elo in ("2500", "0", "", "?", "-", "2500p", "99999999999", " 2400 ", "-5", "١٢")
    ),
    "latin-1": game("1. e4 {d\xe9j\xe0} e5 (1... c5 {na\xefve}) *", White="M\xfcller").encode(
        "latin-1"
    ),
    "cp1251": game("1. e4 {хорошо} e5 *", White="Смыслов", Event="Первенство").encode("cp1251"),
    "utf-8": game("1. e4 {好 ♘ \U0001f600} e5 *", White="Ásgeirsson", Note="日本"),
    "byte order mark": b"\xef\xbb\xbf" + game("1. e4 *", White="Ä").encode(),
    "garbled names": game("1. e4 *", White="RÃ©ti", Black="äº•å±±", Site="MÃ¼nchen", X="Ã©")
    + game("1. e4 *", White="RÃ©ti", OriginalWhite="of the file", OriginalBlack="b")
    + game("1. e4 *", White="Réti", OriginalWhite="RÃ©ti"),
    "encoded texts": game(
        "{r&eacute;} 1. e4 {na\\u00efve} (1. d4 {&Uuml;b}) *", White="T&aacute;l", Note="=C3=BC"
    ),
    "carriage returns": game(f"{{a\nb}} {MOVES} *").replace("\n", "\r\n"),
    "start positions": "".join(
        game(movetext, FEN=fen, SetUp="1")
        for fen, movetext in (
            ("8/P3k3/8/8/8/8/p3K3/8 w - - 0 1", "1. a8=N a1=R 2. Nb6 *"),
            ("8/P3k3/8/8/8/8/p3K3/8 b - - 12 60", "60... a1=Q 61. a8=B *"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "1. e4 *"),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "1... e5 *"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "*"),
        )
    ),
    "chess960": "".join(
        game(movetext, FEN=fen, SetUp="1", Variant=variant)
        for variant in ("Chess960", "fischerandom", "Fischerrandom")
        for fen, movetext in (
            ("1rk5/8/8/8/8/8/8/1RK5 w Bb - 0 1", "1. O-O-O Kb7 2. Rd5 *"),
            ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "1. O-O-O Ke7 2. Rd5 *"),
            ("1r2k3/8/8/8/8/8/8/4K1R1 w Kq - 0 1", "1. O-O O-O-O *"),
        )
    ),
    "null moves": game("1. e4 -- 2. d4 Z0 3. Nf3 e5 (3... -- 4. Bd3) *"),
    "faults": game("1. e4 e5 2. Ke5 {lost} Nc6 1-0", Result="1-0") + game("1. e4 {open e5 1-0"),
    "no tags": "1. e4 e5 1/2-1/2\n\n1. d4 d5 0-1\n",
    "no moves": game("*") + game("{forfeit} 1-0", Result="1-0") + game("$1 *"),
    "long game": game(
        " ".join(f"{n}. Nf3 Nf6 {n + 1}. Ng1 Ng8" for n in range(1, 700, 2))
        + " 1/2-1/2"
    ),
}  # fmt: skip
# Variations that cannot be played: python-chess goes astray in the MAIN line behind them unless
# they are written as something else.
ODD_VARIATIONS = {
    "variation before the first move": game("(1. d4) 1. e4 e5 *"),
    "variations that are illegal": game("1. e4 e5 (1... c5 2. Bc4 Qd5) 2. Nf3 Nc6 *"),
    "variation one move late": game("1. e4 e5 (2. Nc3) 2. Nf3 Nc6 *"),
    "result in a variation": game("1. e4 e5 (1... c5 1-0) (* 2. Bc4) 2. Nf3 (2. Nc3 *) 2... Nc6 *"),
    "variation in another language": game("1. e4 e5 2. Lc4 (2. Dh5 Sc6 3. Ld6) 2... Lc5 *"),
    "prose in a variation": game("1. e4 e5 (after 1... c5 Kasparov plays well) 2. Nf3 Nc6 *"),
    "empty variation": game("1. e4 e5 () 2. Nf3 ( ) ((2. Nc3)) 2... Nc6 *"),
}  # fmt: skip


class RoundTrip(NamedTuple):
    """Two databases, the second from the export of the first, and both exports."""

    first: list[Content]
    second: list[Content]
    first_text: bytes
    second_text: bytes


def round_trip(command: Command, *inputs: Path) -> RoundTrip:
    assert command("create", "1.db3", *inputs, "-q").status in (0, 1)
    texts, statuses = [], []
    for step in (1, 2):
        if step == 2:
            statuses.append(command("create", "2.db3", "1.pgn"))
        statuses.append(command("export", f"{step}.db3", "-o", f"{step}.pgn", "--keep-evp", "-q"))
        texts.append(Path(f"{step}.pgn").read_bytes())
    assert [outcome.status for outcome in statuses] == [0, 0, 0], statuses
    return RoundTrip(contents("1.db3"), contents("2.db3"), *texts)


def replayed(text: str) -> list[tuple[bytes, str]]:
    """Return the move blob and final position of each game, as python-chess reads it."""
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    handle = io.StringIO(text)
    games = []
    for read in iter(lambda: chess.pgn.read_game(handle), None):
        board = read.board()
        blob = bytearray()
        for move in read.mainline_moves():
            blob += encode_move(board, move).to_bytes(2, "little")
            board.push(move)
        games.append((bytes(blob), read.headers.get("Result", "*")))
    return games


def too_long(text: str) -> list[str]:
    """Return the lines beyond 80 columns that a break at a single blank would have shortened.

    The lines of comments are never broken.
    """
    lines = []
    text = re.sub(r"\{[^{}]*\}", lambda comment: comment[0].replace(" ", "\xa0"), text)
    for line in text.split("\n"):
        if len(line) <= 80 or line.startswith("[") or ";" in line:
            continue
        breaks = [place.start() for place in re.finditer(r"(?<! ) (?! )", line)]
        # "{ word": the blank behind a brace stays there, a break would not make the word fit.
        if any(1 < place <= 80 for place in breaks):
            lines.append(line)
    return lines


def as_written(record: Content) -> Content:
    """Return a record with its variations as an export writes them: results are comments."""
    notes = [
        (*note[:3], note[3] and standard_variation(note[3]))
        for note in record.get("Annotations", ())
    ]
    return {**record, "Annotations": notes} if notes else record


def check(command: Command, *inputs: Path) -> RoundTrip:
    trip = round_trip(command, *inputs)
    assert differences(list(map(as_written, trip.first)), trip.second) == []
    assert trip.first_text == trip.second_text
    text = trip.first_text.decode()
    assert too_long(text) == []
    return trip


def check_with_python_chess(trip: RoundTrip) -> None:
    expected = [(row["Moves2"] or b"", row["Result"]) for row in trip.first]
    assert replayed(trip.first_text.decode()) == expected


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", HAND_MADE)
def test_hand_made(command: Command, name: str) -> None:
    text = HAND_MADE[name]
    Path("in.pgn").write_bytes(text if isinstance(text, bytes) else text.encode())
    trip = check(command, Path("in.pgn"))
    assert trip.first
    check_with_python_chess(trip)


@pytest.mark.parametrize("name", ODD_VARIATIONS)
def test_odd_variations(command: Command, name: str) -> None:
    Path("in.pgn").write_text(ODD_VARIATIONS[name])
    check_with_python_chess(check(command, Path("in.pgn")))


@pytest.mark.parametrize("path", MALFORMED, ids=lambda path: path.name)
def test_malformed(command: Command, path: Path) -> None:
    check_with_python_chess(check(command, path))


def test_demo_games(command: Command) -> None:
    assert len(DEMO) == 3
    trip = check(command, *DEMO)
    assert len(trip.first) > 50
    check_with_python_chess(trip)


def test_all_at_once(command: Command) -> None:
    """The state of one game must not affect the next game."""
    for number, text in enumerate((HAND_MADE | ODD_VARIATIONS).values()):
        Path(f"{number:02}.pgn").write_bytes(text if isinstance(text, bytes) else text.encode())
    singles = []
    for path in sorted(Path().glob("[0-9][0-9].pgn")):
        command("create", "single.db3", path, "-q", "--force")
        singles += contents("single.db3")
    together = check(command, *sorted(Path().glob("[0-9][0-9].pgn")), *MALFORMED)
    assert differences(singles, together.first[: len(singles)]) == []


# --- what the fixed point alone would not show: that nothing was lost on the first way in ---------


def load(command: Command, name: str) -> list[Content]:
    text = HAND_MADE[name]
    Path("in.pgn").write_bytes(text if isinstance(text, bytes) else text.encode())
    command("create", "1.db3", "in.pgn", "-q")
    return contents("1.db3")


def test_comments_keep_their_text(command: Command) -> None:
    (game,) = load(command, "comments")
    texts = [(ply, text.strip()) for ply, _, text in game["Comments"] if text]
    assert texts == [
        (-1, "first"), (-1, "second"), (0, "after"), (0, "again"), (2, "blanks"), (3, "end"),
    ]  # fmt: skip
    assert game["HasComments"]
    assert not game["HasVariations"]


def test_marks_of_programs_keep_every_byte(command: Command) -> None:
    (game,) = load(command, "clocks")
    assert [(ply, text) for ply, _, text in game["Comments"]] == [
        (0, "[%clk 0:10:00][%eval 0.17]"),
        (1, "[%evp 0,4,19,7,25] [%csl Ra1,Gb2]"),
        (2, "[%cal Ga1b2,Yc3d4] good [%emt 0:00:05]"),
        (3, "[%mdl 4]"),
    ]


def test_braces_in_line_comments_stay(command: Command) -> None:
    (game,) = load(command, "comment with brace behind semicolon")
    assert [text.strip() for _, _, text in game["Comments"]] == ["it } was { so", "{a}"]
    assert game["PlyCount"] == 3


def test_long_comments_keep_every_word(command: Command) -> None:
    (game,) = load(command, "long comment")
    assert [text for _, _, text in game["Comments"]] == [LONG, LONG]
    ((_, _, _, variation),) = game["Annotations"]
    assert variation.count(LONG) == 2


def test_nags_are_all_there(command: Command) -> None:
    (game,) = load(command, "nags")
    nags = [(ply, nag) for ply, _, nag, _ in game["Annotations"]]
    assert nags[:8] == [(-1, 13), (0, 1), (0, 10), (0, 139), (1, 1), (2, 4), (3, 5), (3, 255)]
    assert (4, 16) in nags
    assert (5, 146) in nags


def test_variations_keep_their_text(command: Command) -> None:
    (game,) = load(command, "variations")
    variations = [(ply, text) for ply, _, _, text in game["Annotations"] if text is not None]
    assert [ply for ply, _ in variations] == [0, 0, 2, 2]
    assert variations[0][1] == ("1. d4 d5 (1... Nf6 2. c4 $1 {Indian} (2. Nf3 g6) 2... e6) 2. c4")
    assert variations[3][1] == "2. d4 { to the end} exd4"  # a line comment, on one line
    assert game["HasVariations"]


def test_tags_keep_their_values(command: Command) -> None:
    (game,) = load(command, "tags with quotes")
    assert (game["White"], game["Black"]) == ('O"Kelly', "back\\slash")
    # The value has an escape of JavaScript itself.
    assert dict(game["ExtraTags"]) == {"Note": 'a " b', "OriginalNote": 'a \\" b'}
    (game,) = load_again(command, "odd tags")
    tags = dict(game["ExtraTags"])
    assert tags["Annotator"] == "Σ"
    assert tags["EventDate"] == "1999.??.??"
    assert tags["a_b"] == "low"
    assert "2500?" in (str(game["WhiteElo"]), *tags.values())  # not cut down in silence


def load_again(command: Command, name: str) -> list[Content]:
    Path("1.db3").unlink()
    return load(command, name)


def test_duplicate_tags_are_all_kept(command: Command) -> None:
    (game,) = load(command, "duplicate tags")
    values = {game["Event"], game["White"], *(value for _, value in game["ExtraTags"])}
    assert {"Test", "Again", "Alpha, A", "Second", "one", "two", "three"} <= values


def test_charsets_are_decoded_and_recorded(command: Command) -> None:
    (game,) = load(command, "latin-1")
    assert game["White"] == "Müller"
    assert game["Comments"][0][2] == "déjà"
    charset = query("1.db3", "SELECT Charset FROM Games")[0][0]
    assert charset.lower() in ("iso-8859-1", "latin-1", "windows-1252")
    (game,) = load_again(command, "cp1251")
    assert (game["White"], game["Event"]) == ("Смыслов", "Первенство")
    assert query("1.db3", "SELECT Charset FROM Games") == [("windows-1251",)]


def test_dates_say_how_exact_they_are(command: Command) -> None:
    games = {
        dict(g["ExtraTags"] or ()).get("OriginalDate", g["Date"]): g for g in load(command, "dates")
    }
    assert games["1999.12.31"]["Date"] == "1999.12.31"
    assert games["1999.??.??"]["Date"] == "1999.??.??"  # never a digit for a question mark
    assert games["1998-3-12"]["Date"] == "1998.03.12"
    assert games["March 1998"]["Date"] == "1998.03.??"
    assert games["nonsense"]["Date"] == "????.??.??"


def test_special_moves_are_flagged(command: Command) -> None:
    assert all(result["SpecialMoves"] for result in load(command, "null moves"))
    assert not any(result["SpecialMoves"] for result in load_again(command, "plain"))
    fischer = load_again(command, "chess960")
    assert [result["PlyCount"] for result in fischer] == [3, 3, 2] * 3
    # Castling from a1, e1, h1 is written as in the usual game.
    assert [bool(result["SpecialMoves"]) for result in fischer] == [True, False, True] * 3
