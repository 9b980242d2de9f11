"""GIB, NGF and UGF as SGF: headers, moves, remarks, charsets, damaged files."""

import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup._kernels.go import move_texts
from ocgdedup.pgn.dates import parse_date
from ocgdedup.sgf.blocks import SgfStream, is_sgf
from ocgdedup.sgf.charsets import charset_of
from ocgdedup.sgf.go_formats import converted, format_of
from ocgdedup.sgf.ngf import sgf_result
from ocgdedup.sgf.rows import SgfRecord, note_rows, root_values

GIB = r"""\HS
\[GIBOKIND=Korea\]
\[GAMECONDITION=even\]
\[GAMERESULT=white by time\]
\[GAMENAME=Cup of Busan\]
\[GAMEDATE=2015- 8- 9-22-56-58\]
\[GAMEPLACE=Tygem\]
\[GAMEWHITENAME=birch (1D)\]
\[GAMEBLACKNAME=aster (9P)\]
\[GAMECOMMENT=\]
\[GAMEINFOMAIN=GBKIND:0,GTYPE:0,GCDT:0,GTIME:1200-30-3,GRLT:0,ZIPSU:75,GONGJE:65,TCNT:4\]
\[GAMEINFOSUB=GNAMEF:0,GNAME:x,GDATE:2015- 8- 9-22-56-58,GPLC:y,GCMT:Good game\]
\[GAMETAG=S0,R0,D0,G65,W0,Z75,T30-3-1200,	C2015:08:09:22:56,	I:birch\]
\HE
\GS
2 1 0
5 0 &4
INI 0 1 0 &4
STO 0 2 1 15 3
STO 0 3 2 3 3
SKI 0 4
STO 0 5 2 18 18
REM 0 6 1 1
\GE
\RS
\[REFSUSUN=2\]
\[REFEXPLAIN=
Both take a corner.
Next: [passing]
\]
\RE
\RS
\[REFSUSUN=2\]
\[REFGIBO=
STO 0 2 1 15 3
STO 0 3 2 3 3
STO 0 4 1 16 16
\]
\RE
"""
NGF = """Rated game
19
birch k.      1D*
aster         9DP
www.example.org
0
0
6
20170316 [09:37]
15
Black wins by 7.5 points! >> White(50):Black(64)
4
PMABBQEEQ
PMACWEEEE
PMADBAAAA
PMAEWTTTT
"""
UGF = """# made by hand
[Header]
Ver=UGF3,200
Lang=SJIS
Title=26th,Spring Cup,game 5
Place=Tokyo
Date=2001/08/20,09:00:00,2001/08/21,17:00:00
Rule=JPN
Size=19
Hdcp=0,5.50
Ptime=J;240;0;0,J;240;0;0,0,0
Winner=B,C
Writer=someone
CoordinateType=IGS
PlayerB=aster,9p,,a@example.org
PlayerW=birch,1d,,
[Data]
PP,B1,1,0
DP,W1,2,18
YA,B1,3,0
SA,W1,4,0
[Figure]
.Text,2
Both take a corner.
.#,4,16,A
.EndText
.Fig,2,1,1,19,19,variation,11,0
QQ,B1,1,0
.EndFig
[ReviewNode]
NODE,1,0,0,0
NODE,2,1,16,16
NODE,3,2,4,16
  VARIATION,
    NODE,10,1,17,3
    NODE,11,2,3,3
  VARIATIONEND,
NODE,4,1,20,20
NODE,5,2,19,1
[ReviewComment]
.Comment,1
Welcome
.Comment,11
a reply
"""
MOVES = "Bpd Wdd B Wss"


def records_of(text, *, block_bytes=1 << 18):
    stream = SgfStream(io.BytesIO(text if isinstance(text, bytes) else text.encode()))
    records = []
    for block in stream.blocks():
        records += [SgfRecord(*fields) for fields in block.records(charset_of)]
    return records


def only(text):
    (record,) = records_of(text)
    return record


def root_of(record):
    return root_values(record.properties, parse_date)


def moves_of(record):
    return " ".join(move_texts(record.moves))


@pytest.mark.parametrize(
    ("text", "name"), [(GIB, "GIB"), (NGF, "NGF"), (UGF, "UGF")], ids=["gib", "ngf", "ugf"]
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_one_game_in_each_format(text, name, line_end):
    record = only(text.replace("\n", line_end))
    root = root_of(record)
    assert (record.rejection, record.fault, moves_of(record)) == (0, 0, MOVES)
    assert root.black == "aster"
    assert root.white.startswith("birch")
    assert root.result == "0-1"
    properties = dict(record.properties)
    assert properties["BR"] in ("9P", "9DP", "9p")
    assert properties[name]
    assert is_sgf("x", text.encode())


def test_gib():
    record = only(GIB)
    properties = dict(record.properties)
    kept = properties.pop("GIB")
    assert properties == {
        "GM": "1", "FF": "4", "CA": "UTF-8", "EV": "Cup of Busan", "PC": "Tygem",
        "DT": "2015-08-09", "PB": "aster", "BR": "9P", "PW": "birch", "WR": "1D", "RE": "B+7.5",
        "KM": "6.5", "TM": "1200", "OT": "3x30 byo-yomi",
    }  # fmt: skip
    assert "GAMECONDITION=even" in kept
    assert "REM 0 6 1 1" in kept
    notes = note_rows(record)
    assert notes.comments == [
        (-1, "Good game", 0), (1, "Both take a corner.\nNext: [passing]", 0),
    ]  # fmt: skip
    assert notes.annotations == [(1, 1, "(;B[qq])")]


@pytest.mark.parametrize(
    ("code", "margin", "words", "result"),
    [
        ("1", "5", "", "W+0.5"), ("0", "110", "", "B+11"), ("3", "0", "", "B+R"),
        ("4", "0", "", "W+R"), ("7", "0", "", "B+T"), ("8", "0", "", "W+T"),
        ("255", "0", "", None), ("0", "0", "", None), ("0", "0", "Draw", "Draw"),
        ("2", "0", "흑 불계승", "흑 불계승"),
    ],
)  # fmt: skip
def test_results_of_gib(code, margin, words, result):
    text = GIB.replace("GRLT:0,ZIPSU:75", f"GRLT:{code},ZIPSU:{margin}")
    text = text.replace("white by time", words)
    assert dict(only(text).properties).get("RE") == result


def test_a_short_header_of_gib():
    """As the server sends it today: users and levels in place of names."""
    header = (
        "\\[GAMEINFOMAIN=GBKIND:2,GTIME:7200-60-5,GRLT:3,ZIPSU:0,GONGJE:75,LINE:19\\]\n"
        "\\[GAMEINFOSUB=GNAMEF:99,GNAME:rank game,GDATE:2026-07-30-13-31-33,GPLC:a.org,GCMT:\\]\n"
        "\\[WUSERINFO=WID:党毅飞 ,WLV:26,WNICK:D,WNCD:2\\]\n\\[BUSERINFO=BID:柯洁 ,BLV:35\\]\n"
    )
    text = f"\ufeff\\HS\n{header}\\HE\n\\GS\n2 1 0\nINI 0 1 0 &4\nSTO 0 2 1 15 3\n\\GE\n"
    properties = dict(only(text).properties)
    names = ("PB", "BR", "PW", "WR", "EV", "PC", "DT", "RE", "KM", "TM")
    assert [properties[name] for name in names] == [
        "柯洁", "9p", "党毅飞", "9d", "rank game", "a.org", "2026-07-30", "B+R", "7.5", "7200",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("stones", "moves", "start"),
    [
        (2, "STO 0 2 2 15 15", "AB[dp][pd]"),
        (3, "STO 0 2 2 15 15", "AB[dd][dp][pd]"),
        (3, "STO 0 2 2 3 3", "AB[dp][pd][pp]"),
        (5, "STO 0 2 2 2 2", "AB[dd][dp][jj][pd][pp]"),
        (9, "STO 0 2 2 2 2", "AB[dd][dj][dp][jd][jj][jp][pd][pj][pp]"),
        (2, "STO 0 2 1 2 2\nSTO 0 3 1 4 4\nSTO 0 4 2 6 6", "AB[cc][ee]"),
    ],
)
def test_handicap(stones, moves, start):
    text = GIB.replace("INI 0 1 0", f"INI 0 1 {stones}").split("STO")[0] + moves + "\n\\GE\n"
    record = only(text)
    assert record.start == f"SZ[19]{start}"
    assert dict(record.properties)["HA"] == str(stones)
    assert moves_of(record)[0] == "W"


@pytest.mark.parametrize(
    "text",
    [
        GIB.replace("INI 0 1 0", "INI 0 1 2").replace("STO 0 3 2", "STO 0 3 1"),
        NGF.replace("0\n0\n6\n", "2\n0\n6\n").replace("PMACW", "PMACB")
        + "IDW[3]Both[EndTxt]\nIDB[4]last[EndTxt]\n",
        UGF.replace("Hdcp=0", "Hdcp=2").replace("DP,W1", "DP,B1"),
    ],
    ids=["gib", "ngf", "ugf"],
)
def test_comments_after_handicap_stones_that_are_moves(text):
    """The numbers of moves in a file count such stones."""
    for old, new in (("REFSUSUN=2", "REFSUSUN=3"), (".Text,2", ".Text,3")):
        text = text.replace(old, new)
    record = only(text)
    assert record.start == "SZ[19]AB[dd][pd]"
    assert len(record.moves) == 2 * 2
    plies = {comment[:4]: ply for ply, comment, _ in note_rows(record).comments}
    assert plies["Both"] == 0
    assert plies.get("last", 1) == 1


def test_two_games_in_a_file():
    first, second = records_of(GIB + GIB.replace("aster", "cedar"))
    assert moves_of(first) == moves_of(second) == MOVES
    assert root_of(second).black == "cedar"


def test_ngf():
    record = only(NGF)
    properties = dict(record.properties)
    assert properties.pop("NGF") == (
        "unknown=0\rdate=20170316 [09:37\\]\r"
        "result=Black wins by 7.5 points! >> White(50):Black(64)"
    )
    assert properties == {
        "GM": "1", "FF": "4", "CA": "UTF-8", "EV": "Rated game", "PC": "www.example.org",
        "DT": "2017-03-16", "PB": "aster", "BR": "9DP", "PW": "birch k.", "WR": "1D*",
        "KM": "6.5", "TM": "900", "RE": "B+7.5",
    }  # fmt: skip


def test_ngf_of_the_other_kind():
    text = (
        "GI韩国十段战\nGI朴承华 初段\nGI李载雄 五段\nGI\nGI\nGI2006-9-5\nGI19\nGI0\nGI0\nGI6\nGI2\n"
        "PMABBREER\nPMACWEEEE\nGI1\nIDB[2] 黑中盘胜(现场消息)[EndTxt]\n"
    )
    for raw in (text.encode(), text.encode("gb18030")):
        record = only(raw)
        root = root_of(record)
        assert (root.white, root.black, root.date, root.result) == (
            "朴承华", "李载雄", "2006.09.05", "0-1",
        )  # fmt: skip
        assert dict(record.properties)["KM"] == "6.5"
        assert note_rows(record).comments == [(1, "黑中盘胜(现场消息)", 0)]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("Black wins by 0.5!", "B+0.5"), ("White wins by  resign!", "W+R"), ("Progressing!", None),
        ("White loses on time", "B+T"), ("Black Win 6.5 >> White(50):Black(63)", "B+6.5"),
        ("White 19Win  >> White(83):Black(64)", "W+19"), ("흑 1.5집 승", "B+1.5"),
        ("白5.5目勝ち!", "W+5.5"), ("197手完、黒中押し勝ち", "B+R"), ("黒2目半勝ち", "B+2.5"),
        ("白棋12子 >> 白方(94):黑方(82)", "W+12"), ("白時間切れ勝ち！", "W+T"), ("持碁", "持碁"),
        ("", None),
    ],
)  # fmt: skip
def test_results_of_ngf(text, result):
    assert sgf_result(text) == (result or text)


def test_ugf():
    record = only(UGF)
    properties = dict(record.properties)
    kept = properties.pop("UGF")
    assert properties == {
        "GM": "1", "FF": "4", "CA": "UTF-8", "EV": "26th, Spring Cup, game 5", "PC": "Tokyo",
        "DT": "2001-08-20,2001-08-21", "PB": "aster", "BR": "9p", "PW": "birch", "WR": "1d",
        "RU": "Japanese", "KM": "5.5", "TM": "14400", "RE": "B+R", "US": "someone",
    }  # fmt: skip
    assert "PlayerB=aster,9p,,a@example.org" in kept
    assert ".Fig,2,1,1,19,19,variation,11,0\rQQ,B1,1,0\r.EndFig" in kept
    notes = note_rows(record)
    assert notes.comments == [(-1, "Welcome", 0), (1, "Both take a corner.", 1)]
    assert notes.annotations == [
        (1, 0, "SEC[18]LB[dd:A]"), (1, 2, "(;B[qq];W[cq]C[a reply])"),
    ]  # fmt: skip


def review_of(variation):
    """Return the record of UGF with other nodes in its variation, and its branches."""
    record = only(UGF.replace("    NODE,11,2,3,3\n", variation))
    return record, [text for *_, text in note_rows(record).annotations if text.startswith("(")]


def test_many_forks_in_a_review():
    forks = "VARIATION,\nNODE,20,1,3,17\nVARIATIONEND,\nNODE,21,1,17,3\n" * 3000
    record, branches = review_of(forks)
    assert moves_of(record) == MOVES
    assert branches == [f"(;B[qq]{'(;B[qq]' * 3000}{')(;B[cc])' * 3000})"]


def test_variations_of_a_review_that_are_too_deep():
    """They stay as text."""
    nested = "VARIATION,\nNODE,20,2,3,17\n" * 3000 + "NODE,21,1,17,3\nVARIATIONEND,\n" * 3000
    record, branches = review_of(nested)
    assert (moves_of(record), branches) == (MOVES, [])
    assert dict(record.properties)["UGF"].count("NODE,21") == 3000


def test_forks_of_a_review():
    _, branches = review_of(
        "VARIATION,\nNODE,11,2,3,3\nVARIATION,\nNODE,12,1,4,4\nVARIATIONEND,\n"
        "NODE,13,1,5,5\nVARIATIONEND,\nVARIATION,\nNODE,14,2,6,6\nVARIATIONEND,\nNODE,15,2,7,7\n"
        "NODE,16,1,8,8\nVARIATION,\nNODE,17,2,9,9\nVARIATIONEND,\nNODE,18,2,10,10\n",
    )
    assert branches == [
        "(;B[qq](;W[gm];B[hl](;W[jj])(;W[ik]))(;W[cq]C[a reply](;B[eo])(;B[dp]))(;W[fn]))"
    ]


def test_rows_of_ugf_count_from_the_top_without_igs():
    text = UGF.replace("CoordinateType=IGS\n", "").split("[Figure]")[0]
    assert moves_of(only(text)) == "Bpp Wdp B Wsa"


@pytest.mark.parametrize("size", ["0", "x", ""])
def test_odd_sizes_of_ugf(size):
    """Such a board has 19 lines; its moves are no passes."""
    assert moves_of(only(UGF.replace("Size=19", f"Size={size}"))) == MOVES


@pytest.mark.parametrize(
    ("winner", "result"),
    [
        ("W,2.50", "W+2.5"), ("B,T", "B+T"), ("W,F2", "W+F"), ("B,", "B+"), ("D,", "0"),
        ("N1,E", "Void"), ("", None), ("X,1", "X"),
    ],
)  # fmt: skip
def test_results_of_ugf(winner, result):
    assert dict(only(UGF.replace("B,C", winner)).properties).get("RE") == result


def test_setup_stones_and_teams_of_ugf():
    text = UGF.replace("Hdcp=0,5.50", "Hdcp=2,0").replace("PP,B1,1,0\n", "PD,B1,0,0\nDP,B1,0,0\n")
    text = text.replace("PlayerW=birch,1d,,", "PlayerW=birch,1d,,\nPlayerW2=cedar,2d,,")
    record = only(text)
    assert record.start == "SZ[19]AB[dd][pp]"
    assert moves_of(record) == "Wdd B Wss"
    properties = dict(record.properties)
    assert (properties["HA"], properties["PW"], properties["WR"]) == (
        "2",
        "birch & cedar",
        "1d & 2d",
    )
    assert "NODE,2,1,16,16" in properties["UGF"]  # the review has another mainline


@pytest.mark.parametrize(
    ("text", "declared", "codec"),
    [
        (GIB.replace("aster", "이창호"), "Korea", "cp949"),
        (GIB.replace("aster", "柯洁九段"), "China", "gb18030"),
        (GIB.replace("aster", "趙治勲ソ表"), "Japan", "cp932"),
        (GIB.replace("aster", "이창호"), "Global", "utf-8"),
        (NGF.replace("aster", "小林光一段").replace("Rated game", "本因坊戦"), "", "cp932"),
        (UGF.replace("aster", "趙治勲ソ表"), "", "cp932"),
        (UGF.replace("aster", "趙治勲ソ表").replace("Lang=SJIS\n", ""), "", "cp932"),
        (UGF.replace("aster", "趙治勲ソ表"), "", "iso2022_jp"),
        (UGF.replace("aster", "趙治勲ソ表").replace("SJIS", "EUC-JP"), "", "euc_jp"),
    ],
)
def test_charsets(text, declared, codec):
    text = text.replace("GIBOKIND=Korea", f"GIBOKIND={declared}")
    raw = text.encode(codec)
    assert root_of(only(raw)).black == root_of(only(text)).black
    charset = converted(raw, format_of(raw))[1]
    assert charset == (None if codec == "utf-8" else codec)


@pytest.mark.parametrize(
    ("text", "old", "new", "plies"),
    [
        (GIB, "STO 0 5 2 18 18", "STO 0 5 2 19 18", 3),
        (GIB, "STO 0 5 2 18 18", "STO 0 5 2 x", 3),
        (GIB, "STO 0 3 2 3 3", "STO 0 3", 1),
        (NGF, "PMACWEEEE", "PMACWE", 1),
        (NGF, "PMACWEEEE", "PMACWZZZZ", 1),
        (UGF, "DP,W1,2,18", "DP,X", 1),
        (UGF, "DP,W1,2,18", "DT,W1,2,18", 1),
    ],
)
def test_a_fault_is_on_the_line_of_the_file(text, old, new, plies):
    """The moves before it are read, and the others are in the rest."""
    text = text.replace(old, new)
    sgf, _ = converted(text.encode(), format_of(text.encode()))
    record = only(text)
    assert record.fault
    assert len(record.moves) == 2 * plies
    line = text.split("\n").index(new)
    assert sgf[: record.fault_offset].count(b"\n") == line
    assert sgf.count(b"\n") == text.count("\n")


def test_fields_and_remarks_of_gib_without_ends():
    """They take linear time (minutes when each was searched to the end), and hide no others."""
    text = GIB.replace("\\HE", "\\[A=" * 50_000 + "\\HE").replace("\\RS", "\\RS " * 50_000 + "\\RS")
    text = text.replace("Busan\\]", "Busan")
    record = only(text)
    assert moves_of(record) == MOVES
    assert root_of(record).date == "2015.08.09"
    assert "Cup of Busan" in dict(record.properties)["GIB"]
    assert note_rows(record).comments[-1][1].startswith("Both take a corner.")


def test_a_file_that_is_cut():
    record = only(GIB.split("\\GE")[0])
    assert (moves_of(record), record.fault != 0) == (MOVES, True)
    assert moves_of(only(UGF.split("[Figure]")[0])) == MOVES


@pytest.mark.parametrize(
    "text", ["\\HS\n", "[Header]\n", GIB.split("\\GS")[0], UGF.split("[Data]")[0]]
)
def test_a_header_alone(text):
    """A header without moves is a game without moves."""
    assert only(text).moves == b""


@pytest.mark.parametrize("text", ["", "hello", '[Event "x"]\n\n1. e4 *\n', "(;GM[1];B[aa])", "PM"])
def test_other_texts(text):
    assert format_of(text.encode()) is None


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (GIB, ("\\HS\n", "\\HE\n", "\\GS\n", "\\GE\n", "\\RE\n")),
        (NGF, ("\n4\n", "PMABBQEEQ\n", "PMAEWTTTT\n", "\n15\n", "aster ")),
        (
            UGF.replace("made", "jumble5"),
            ("[Header]\n", "[Data]\n", "[Figure]\n", ".EndFig\n", "reply\n"),
        ),
    ],
    ids=["gib", "ngf", "ugf"],
)
def test_no_line_is_lost(text, places):
    """Lines that mean nothing are kept, too."""
    for number, place in enumerate(places):
        text = text.replace(place, f"{place}jumble{number}\n", 1)
    sgf, _ = converted(text.encode(), format_of(text.encode()))
    for number in range(5 + (text[0] == "#")):
        assert f"jumble{number}" in sgf.decode()
    assert moves_of(only(text)) == MOVES


def test_an_encrypted_file_is_rejected_as_it_is():
    text = UGF.replace("Lang=SJIS", "Crypt=2146,CRYPTED_FILE,READ_WRITE")
    assert converted(text.encode(), format_of(text.encode())) == (text.encode(), None)
    assert only(text).rejection
    plain = text.replace("CRYPTED_FILE", "PLAIN_UGF_FILE")
    assert moves_of(only(plain)) == MOVES


@pytest.mark.parametrize("name", ["a.gib", "b.NGF", "c.ugf", "d.ugi", "e.ugi.gz"])
def test_names(name):
    assert is_sgf(name, b"junk")
    assert not is_sgf(name, b'[Event "x"]\n')


SIGNS = st.sampled_from(["\\", "[", "]", "\n", "(", ";", ")", "STO 0 1 1 1 1", "NODE,1,1,1,1", ","])


@given(st.sampled_from([GIB, NGF, UGF]), st.integers(0, 2**32), st.lists(SIGNS, max_size=8))
def test_damaged_texts(text, seed, signs):
    """No text is an error, and the lines stay."""
    chance = random.Random(seed)
    for sign in signs:
        place = chance.randrange(len(text))
        text = text[:place] + sign + text[place + chance.randrange(4) :]
    other = format_of(text.encode())
    if other is not None:
        sgf, _ = converted(text.encode(), other)
        assert sgf.count(b"\n") == text.count("\n")
    assert records_of(text)
