"""The SGF reader compared with sgfmill, on odd text, and in blocks of any size."""

import io
import random
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sgfmill import sgf

from ocgdedup._kernels import go as go_kernel
from ocgdedup.sgf import blocks
from ocgdedup.sgf.blocks import SgfStream
from ocgdedup.sgf.rows import SgfRecord


def records_of(text, final=True):
    block = go_kernel.SgfBlock(text.encode() if isinstance(text, str) else text)
    block.parse(final)
    return [SgfRecord(*fields) for fields in block.records(lambda *_: "latin-1")]


def only(text):
    (record,) = records_of(text)
    return record


def moves_of(record):
    return " ".join(go_kernel.move_texts(record.moves))


# --- beside sgfmill -----------------------------------------------------------------------------


def random_game(seed):
    """Return a tree that sgfmill wrote: setup, comments, branches, marks."""
    chance = random.Random(seed)
    size = chance.choice((2, 5, 9, 13, 19, 25))
    game = sgf.Sgf_game(size)
    root = game.get_root()
    root.set("PB", "".join(chance.choices("ab ]\\:;()é柯", k=8)))
    if chance.random() < 0.4:
        points = {(chance.randrange(size), chance.randrange(size)) for _ in range(6)}
        half = set(sorted(points)[:3])
        root.set_setup_stones(half, points - half)
    grow(chance, root, size, chance.randrange(60))
    return game


def grow(chance, node, size, moves):
    for number in range(moves):
        node = node.new_child()
        colour = "bw"[number % 2] if chance.random() < 0.95 else "b"
        point = (chance.randrange(size), chance.randrange(size))
        node.set_move(colour, None if chance.random() < 0.05 else point)
        if chance.random() < 0.1:
            node.set("C", "said: [so] \\ (;B[aa])\nand more")
        if chance.random() < 0.1:
            node.set("TR", {(0, 0), (1, 1)})
        if chance.random() < 0.05:
            grow(chance, node.new_child(), size, 3)
            grow(chance, node.new_child(), size, 2)
            return


def mainline(game):
    moves = []
    for node in game.get_main_sequence():
        colour, point = node.get_move()
        if colour is None:
            continue
        place = ""
        if point is not None:
            place = chr(97 + point[1]) + chr(97 + game.get_size() - 1 - point[0])
        moves.append(colour.upper() + place)
    return " ".join(moves)


@given(st.integers(0, 2**32))
def test_games_that_sgfmill_wrote(seed):
    game = random_game(seed)
    record = only(game.serialise())
    assert not record.rejection
    assert not record.fault
    assert moves_of(record) == mainline(game)
    start = record.start or "SZ[19]"
    assert start.startswith(f"SZ[{game.get_size()}]")
    black, white, _ = game.get_root().get_setup_stones()
    assert start.count("[") - 1 == len(black) + len(white)
    assert record.keys == go_kernel.keys_of(record.moves, record.start)
    comments = [node for node in game.get_main_sequence() if node.has_property("C")]
    assert len(comments) == sum(kind == go_kernel.COMMENT for *_, kind, _ in record.notes)


@given(st.integers(0, 2**32), st.integers(1, 300), st.integers(1, 3))
def test_any_blocks_read_the_same(seed, block_bytes, jobs):
    games = [random_game(seed + number).serialise() for number in range(5)]
    games[seed % 4] = games[seed % 4].lstrip(b"(")
    text = b"\n".join(games[:4]) + b"junk(;"
    whole = [record[3:] for record in records_of(text) if not record.rejection]
    stream = SgfStream(io.BytesIO(text), block_bytes=block_bytes)
    result, offset = [], 0
    for block in stream.blocks(jobs=jobs):
        for record in block.records(lambda *_: "latin-1"):
            if not record[0]:
                assert text[offset + record[1] : offset + record[2]].startswith((b"(;", b";"))
                result.append((record[3], record[4] and -1, *record[5:]))
        offset += block.consumed
    assert offset == len(text)
    assert result == [(fault, at and -1, *rest) for fault, at, *rest in whole]


@given(st.integers(0, 2**32), st.sampled_from(["", ")", "\n)\n"]))
def test_a_record_without_its_opening_parenthesis(seed, end):
    """It is parsed like the full record, with or without the closing parenthesis."""
    text = random_game(seed).serialise().decode().strip()
    whole, bare = only(text), only(text[1:-1] + end)
    assert bare[4:] == whole[4:]
    assert bare.rejection == bare.fault == 0


# --- what a property becomes --------------------------------------------------------------------


def test_root():
    record = only("(;GM[1]FF[3]CoPyright[me]PB[ Cho ]KM[6.5]LB[aa:1]AR[aa:bb][cc:dd];B[pd])")
    assert record.properties == [
        ("GM", "1"), ("FF", "3"), ("CoPyright", "me"), ("PB", " Cho "), ("KM", "6.5"),
    ]  # fmt: skip
    assert record.notes == [(-1, 0, go_kernel.PROPERTIES, "LB[aa:1]AR[aa:bb][cc:dd]")]
    assert moves_of(record) == "Bpd"


@pytest.mark.parametrize(
    ("text", "start", "moves"),
    [
        ("(;B[pd];W[dd])", None, "Bpd Wdd"),
        ("(;SZ[19];B[pd])", None, "Bpd"),
        ("(;SZ[19:19])", None, ""),
        ("(;SZ[ 9 ];B[aa])", "SZ[9]", "Baa"),
        ("(;AB[aa:bb]SZ[9])", "SZ[9]AB[aa][ab][ba][bb]", ""),
        ("(;AB[pd][dp]AW[cc];W[qf])", "SZ[19]AB[dp][pd]AW[cc]", "Wqf"),
        ("(;HA[2];AB[dp][pd];W[qf])", "SZ[19]AB[dp][pd]", "Wqf"),
        ("(;AB[aa][bb]AE[aa])", "SZ[19]AB[bb]", ""),
        ("(;AB[aa]AE[aa])", None, ""),
        ("(;AB[])", None, ""),
        ("(;B[];W[tt];B[pass])", None, "B W B"),
        ("(;SZ[20];B[tt];W[])", "SZ[20]", "Btt W"),
        ("(;SZ[25]AW[yy];B[ya])", "SZ[25]AW[yy]", "Bya"),
        ("(;B[pd]W[dd];B[qq])", None, "Bpd Wdd Bqq"),
        ("(;Black[pd];White[dd])", None, "Bpd Wdd"),
        ("( ; B [pd]\n; W\t[dd] )", None, "Bpd Wdd"),
        ("(;B[p\nd])", None, None),
        ("\ufeff(;B[aa])", None, "Baa"),
        ("(;B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))", None, "Baa Wbb Bcc"),
        ("(;B[aa])(;W[bb])", None, None),
        (";GM[1]FF[4]SZ[9];B[aa](;W[bb];B[cc])(;W[dd]))", "SZ[9]", "Baa Wbb Bcc"),
        ("\ufeff ;\nPB[a];B[aa];W[bb]\n", None, "Baa Wbb"),
        (";GM[1];B[aa](;W[bb]", None, None),
    ],
)
def test_starts_and_moves(text, start, moves):
    records = records_of(text)
    if moves is None:
        assert len(records) == 2 or records[0].fault
        return
    (record,) = records
    assert (record.start, moves_of(record), record.fault) == (start, moves, 0)


def test_annotations_keep_their_places():
    record = only(
        "(;C[root]TR[aa];B[pd]LB[dd:1]C[one]N[x];C[alone]SQ[bb];;W[dd](;B[qq];W[aa])"
        "(;B[rr]C[b](;W[a])(;W[b]))(;B[ss]))"
    )
    assert moves_of(record) == "Bpd Wdd Bqq Waa"
    assert record.notes == [
        (-1, 0, go_kernel.COMMENT, "root"),
        (-1, 1, go_kernel.PROPERTIES, "TR[aa]"),
        (0, 0, go_kernel.PROPERTIES, "LB[dd:1]"),
        (0, 1, go_kernel.COMMENT, "one"),
        (0, 2, go_kernel.PROPERTIES, "N[x]"),
        (0, 3, go_kernel.NODE, ";"),
        (0, 4, go_kernel.COMMENT, "alone"),
        (0, 5, go_kernel.PROPERTIES, "SQ[bb]"),
        (1, 0, go_kernel.BRANCH, "(;B[rr]C[b](;W[a])(;W[b]))"),
        (1, 1, go_kernel.BRANCH, "(;B[ss])"),
    ]


def test_branch_before_a_node_without_a_move():
    record = only("(;B[aa](;LB[cc:1];W[bb])(;W[dd]))")
    assert record.notes == [
        (0, 0, go_kernel.BRANCH, "(;W[dd])"), (0, 1, go_kernel.NODE, ";LB[cc:1]"),
    ]  # fmt: skip


def test_later_setup_stones_are_kept_as_written():
    record = only("(;B[aa];AB[cc]AW[dd];W[bb]AE[aa])")
    assert record.start is None
    assert record.notes == [
        (0, 0, go_kernel.NODE, ";AB[cc]AW[dd]"), (1, 0, go_kernel.PROPERTIES, "AE[aa]"),
    ]  # fmt: skip


# --- broken records -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fault", "moves", "rest"),
    [
        ("(;SZ[9];B[aa];W[jj];B[bb])", "OFF_BOARD", "Baa", "W[jj];B[bb])"),
        ("(;B[aa];W[ZZ];B[bb])", "OFF_BOARD", "Baa", "W[ZZ];B[bb])"),
        ("(;B[aa];W[q16];B[bb])", "NO_POINT", "Baa", "W[q16];B[bb])"),
        ("(;AB[aa][zz];W[aa])", "OFF_BOARD", "", "AB[aa][zz];W[aa])"),
        ("(;B[aa];W;B[bb])", "NO_VALUE", "Baa", "W;B[bb])"),
        ("(;B[aa]?;W[bb])", "STRAY", "Baa", "?;W[bb])"),
        ("(;B[aa];W[bb]", "OPEN_TREE", "Baa Wbb", ""),
        ("(;B[aa];W[bb](;B[cc])(;B[dd]", "OPEN_TREE", "Baa Wbb Bcc", "(;B[dd]"),
        ("(;B[aa];W[bb]C[never", "OPEN_VALUE", "Baa Wbb", "C[never"),
        ("(;B[aa](;W[bb]);B[cc])", "STRAY", "Baa Wbb", ";B[cc])"),
    ],
)
def test_a_record_is_kept_up_to_its_fault(text, fault, moves, rest):
    record = only(text)
    assert record.fault == getattr(go_kernel, fault)
    assert moves_of(record) == moves
    assert text[record.fault_offset : record.end_offset] == rest


@pytest.mark.parametrize("broken", ["C[never", "B[a", ";W", "B[zz];W[aa]C[x]", "(;B[aa"])
def test_a_broken_record_does_not_take_the_next_one(broken):
    records = records_of(f"(;PB[a];B[aa];{broken}\n(;FF[4]PB[b];B[bb])\n(;GM[1]PB[c];W[cc])")
    assert [record.properties[-1][1] for record in records] == ["a", "b", "c"]
    assert records[0].fault
    assert [moves_of(record) for record in records[1:]] == ["Bbb", "Wcc"]


def test_a_comment_that_quotes_a_game():
    text = "(;PB[a]C[like this:\n(;FF[4\\]PB[x\\];B[aa\\])];B[aa])"
    record = only(text)
    assert (record.fault, moves_of(record)) == (0, "Baa")


def test_brackets_without_a_backslash():
    record = only("(;PB[[-_-]]PW[a]b]C[well (=6 [points])];B[aa]C[x] y];W[bb])")
    assert record.fault == 0
    assert record.properties == [("PB", "[-_-]"), ("PW", "a]b")]
    assert moves_of(record) == "Baa Wbb"
    assert [text for *_, text in record.notes] == ["well (=6 [points])", "x] y"]


def test_a_bracket_forgotten_at_the_end_of_a_line():
    record = only("(;EV[Meijin\nRO[1]\nSZ[9\nPB[a];B[ii])")
    assert record.properties == [("EV", "Meijin"), ("RO", "1"), ("PB", "a")]
    assert (record.start, moves_of(record)) == ("SZ[9]", "Bii")


@pytest.mark.parametrize(
    ("text", "rejection"),
    [
        ("hello", "NO_GAME"),
        ("(;GM[3];B[e4])", "OTHER_GAME"),
        ("(;SZ[26])", "BOARD"),
        ("(;SZ[-1])", "BOARD"),
        ("(;SZ[19:9])", "BOARD"),
        ("(;SZ[x])", "BOARD"),
    ],
)
def test_rejected(text, rejection):
    record = only(text)
    assert record.rejection == getattr(go_kernel, rejection)
    assert (record.start_offset, record.end_offset) == (0, len(text))


def test_no_size():
    assert (only("(;SZ[0];B[ss])").start, moves_of(only("(;SZ[];B[ss])"))) == (None, "Bss")


def test_text_between_games():
    records = records_of("From: me\n\n(;B[aa])\n--\n(;B[bb])\n")
    assert [record.rejection for record in records] == [1, 0, 1, 0]


def test_records_without_parentheses_between_others():
    records = records_of("(;B[aa])\n;GM[1];B[bb])\n;GM[1];B[cc])junk;GM[1](;B[dd])")
    assert [(moves_of(record), record.rejection) for record in records] == [
        ("Baa", 0), ("Bbb", 0), ("Bcc", 0), ("", go_kernel.NO_GAME), ("Bdd", 0),
    ]  # fmt: skip


MOVES_OF_TWO = "Bpd Wdd"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("(\nTE[Chunlan Cup]RD[2018-04-24]PB[a]KO[7.5]\n;B[pd];W[dd])", None),
        ("( GM[1]SZ[19]PB[a];B[pd];W[dd])", None),
        ("PB[a]PW[b];B[pd];W[dd])", None),
        ("TE[Chunlan Cup]PB[a];B[pd];W[dd]", None),
        (";PC[Lishui]PB[a];B[pd];W[dd])", None),
        ("((;GM[1]PB[a];B[pd];W[dd]))", None),
        ("(;(;GM[1]SZ[13]PB[a];B[pd];W[dd]))", "SZ[13]"),
        ("(;\n(;GM[1]SZ[13]PB[a];B[pd];W[dd]))", "SZ[13]"),
        ("(;;GM[1]SZ[13]PB[a];B[pd];W[dd])", "SZ[13]"),
        ("(;GM[1]KM PB[a]EV;B[pd];W[dd])", None),
        ("(;GM[1]PB[a];B[pd]TE;W[dd];)", None),
        ("(;gm[1]sz[13]pb[a];b[pd];w[dd])", "SZ[13]"),
        ("(;GaMe[1]SiZe[13]PlayerBlack[a];Black[pd];White[dd])", "SZ[13]"),
        (";GaMe[1]SiZe[13]PlayerBlack[a];Black[pd];White[dd])", "SZ[13]"),
    ],
)
def test_a_root_with_odd_signs(text, size):
    """A lost or doubled ";" or "(", a property without a value, FF[3] names."""
    if size:
        text = text.replace("[pd]", "[md]")
    record = only(text)
    assert (record.fault, record.start) == (0, size)
    assert moves_of(record) == (MOVES_OF_TWO if size is None else "Bmd Wdd")
    assert "a" in dict(record.properties).values()


def test_properties_in_place_of_the_standard_ones():
    """Except as marks of a move, TE and KO describe the game."""
    record = only("(;TE[Samsung Cup]KO[6.5]PB[a];TE[1]B[pd]KO[])")
    assert record.properties == [("TE", "Samsung Cup"), ("KO", "6.5"), ("PB", "a")]
    assert [note[3] for note in record.notes] == ["TE[1]", "KO[]"]
    assert only("(;TE[2]KO[ ];B[aa])").properties == []
    (record,) = records_of(";TE[1]B[aa];W[bb])")  # part of another record
    assert record.rejection == go_kernel.NO_GAME


@pytest.mark.parametrize("text", ["; GM [1];B[aa])", ";B[aa];W[bb])", ";GM"])
def test_no_record_without_a_node_and_a_property_of_roots(text):
    (record,) = records_of(text)
    assert record.rejection == go_kernel.NO_GAME


def test_empty_text():
    assert records_of("") == records_of(" \n\t") == []


def test_a_block_that_is_not_final_leaves_incomplete_games():
    block = go_kernel.SgfBlock(b"(;B[aa])\n(;B[bb]")
    assert block.parse(False) == 1
    assert block.consumed == len(b"(;B[aa])\n")


@pytest.mark.parametrize(
    ("charset", "name"),
    [("Shift_JIS", "ソ表予"), ("GB18030", "誟賉乗"), ("Big5", "許功蓋")],
)
def test_two_byte_letters_that_contain_a_bracket_or_a_backslash(charset, name):
    raw = name.encode(charset)
    assert set(raw) & set(b"\\[]")
    block = go_kernel.SgfBlock(f"(;CA[{charset}]PB[".encode() + raw + b"]PW[x];B[aa])")
    block.parse(True)
    record = SgfRecord(*block.records(lambda declared, _: declared)[0])
    assert record.properties[1:] == [("PB", name), ("PW", "x")]
    assert moves_of(record) == "Baa"
    unnamed = go_kernel.SgfBlock(b"(;PB[" + raw + b"]PW[x];B[aa])", charset)
    unnamed.parse(True)
    assert unnamed.records(lambda *_: charset)[0][9] == [("PB", name), ("PW", "x")]


def text_between_games(gap):
    """Return the lost lines: neither blank nor parentheses nor a remark."""
    lines = [line.strip(b" \t\v\f\0\x1a()") for line in re.split(rb"[\r\n]", gap)]
    return [line for line in lines if line and not line.startswith(b"%")]


@given(st.binary(max_size=300) | st.text("(;)[]\\BWCSZAE aq9\n%", max_size=200))
@example("%")
@example("(;B[aa])% a\n\r %b\n(;W[bb])")
@example("% a\nb")
def test_any_bytes(text):
    """Except for blanks, parentheses and remarks, each byte is in some record."""
    raw = text.encode() if isinstance(text, str) else text
    block = go_kernel.SgfBlock(raw)
    block.parse(True)
    assert block.consumed == len(raw)
    place = 3 if raw.startswith(b"\xef\xbb\xbf") else 0
    for record in block.records(lambda *_: "latin-1"):
        assert not text_between_games(raw[place : record[1]])
        assert record[1] < record[2]
        place = record[2]
        if not record[0]:
            assert go_kernel.keys_of(record[5], record[6]) == record[7]
    assert not text_between_games(raw[place:])


# --- what costs time, or hides behind a neighbour ----------------------------------------------


@pytest.mark.parametrize(
    "broken", ["(;GM[1];B[aa](;W[bb])(;W[cc]\n", "(;GM[1];B[zz]C[hello\n", "(;GM[1]C[\n"]
)
def test_a_broken_record_does_not_cut_the_next_one(broken, monkeypatch):
    """Not even if the following text exceeds the maximum length of a record."""
    monkeypatch.setattr(blocks, "RECORD_BYTES", 3000)
    good = "(;GM[1]PB[a];B[pd];W[dd])\n"
    text = (broken + good * 400).encode()
    stream = SgfStream(io.BytesIO(text), block_bytes=500)
    result = [record for block in stream.blocks() for record in block.records(lambda *_: "latin-1")]
    assert len(result) == 401
    assert {(record[0], record[3], len(record[5])) for record in result[1:]} == {(0, 0, 4)}


def test_a_record_that_is_too_long(monkeypatch):
    monkeypatch.setattr(blocks, "RECORD_BYTES", 3000)
    text = b"(;B[aa]C[" + b"x" * 9000 + b"];W[bb])\n(;B[cc])"
    stream = SgfStream(io.BytesIO(text), block_bytes=500)
    result = [record for block in stream.blocks() for record in block.records(lambda *_: "latin-1")]
    assert result[0][3] == go_kernel.TOO_LONG
    assert result[-1][5] == b"\x42\x00"


def test_more_moves_than_any_game_has():
    record = only("(;SZ[19]" + "B" + "[]" * 70_000 + ")")
    assert (record.fault, len(record.moves) // 2) == (go_kernel.TOO_LONG, 0xFFFF)


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[1]" + "C[a]x y" * 100_000, "(;" + "EV[x\n" * 100_000 + "]",
        "(;C[a] x\n)" * 50_000, "(;?)\n" * 100_000, "(;SZ[" + "1:" * 500_000 + "1])",
        "(;GM[1]FF[4]PB[a];B[pd](;W[aa])\n" * 30_000,
    ],
)  # fmt: skip
def test_unclosed_text_is_parsed_in_linear_time(text):
    """Each took minutes when the end was searched again for every value."""
    block = go_kernel.SgfBlock(text.encode())
    block.parse(True)
    assert block.consumed == len(text)


def test_a_value_without_an_end_before_a_short_root():
    records = records_of("(;GM[1];B[aa]C[\n(;GM[1]SZ[19];B[bb];W[cc])\n")
    assert [moves_of(record) for record in records] == ["Baa", "Bbb Wcc"]


@pytest.mark.parametrize("behind", ["\x1a\n", "\n-----\n", "\nGame 2\n"])
def test_the_last_comment_before_text_between_games(behind):
    records = records_of(f"(;B[aa]C[resigns]){behind}(;B[bb]C[x])")
    games = [record for record in records if not record.rejection]
    assert [record.notes[0][3] for record in games] == ["resigns", "x"]
    assert not any(record.fault for record in games)


def test_lines_of_percent_between_games_are_remarks():
    """A repaired file of rejects can be imported."""
    records = records_of("% a.sgf line 3 game 2: no point\n(;B[aa])\n\n% b\n(;B[bb])\n% c")
    assert [record.rejection for record in records] == [0, 0]


def test_a_record_has_its_own_charset():
    """Independent of its neighbours in the block."""
    text = (
        "(;PB[柯洁]PW[党毅飞];B[aa])\n".encode("gb18030") * 3 + "(;PB[你]PW[我们];B[bb])".encode()
    )
    block = go_kernel.SgfBlock(text, "gb18030")
    block.parse(True)
    result = [SgfRecord(*record) for record in block.records(lambda *_: "gb18030")]
    assert [record.properties for record in result] == [
        *[[("PB", "柯洁"), ("PW", "党毅飞")]] * 3, [("PB", "你"), ("PW", "我们")],
    ]  # fmt: skip


def test_a_charset_that_the_record_is_not_in():
    """Brackets are found by the detected charset."""
    raw = "(;CA[UTF-8]EV[許功蓋]PC[臺北];B[qd]C[許功蓋];W[dp];B[pq])".encode("big5")
    block = go_kernel.SgfBlock(raw)
    block.parse(True)
    record = SgfRecord(*block.records(lambda *_: "cp950")[0])
    assert record.properties[1:] == [("EV", "許功蓋"), ("PC", "臺北")]
    assert (moves_of(record), record.charset) == ("Bqd Wdp Bpq", "cp950")


def test_too_many_branches_in_branches():
    record = only("(;B[aa]" * 2000 + ")" * 2000)
    assert record.fault == go_kernel.TOO_DEEP
    assert len(record.moves) // 2 == 1024
