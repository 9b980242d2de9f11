"""Lists with numbers, names and lines that cannot be: skipped or told, no traceback, no hang."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from ocgdedup.errors import RatingListError
from ocgdedup.fide.fields import parse_fide_id, parse_name, parse_rating
from ocgdedup.fide.lists import RatingList
from ocgdedup.fide.name_table import read_alias_file
from ocgdedup.model import AliasGroup, FidePlayer

MOST = 2**63 - 1
HUGE = ["9" * 20, "9" * 5000, str(2**64), "-5", "1_000", "１２", "٣", "1e9", "0x10", "+5"]
XML = """<playerslist>
<player><fideid>{id}</fideid><name>Carlsen, Magnus</name><rating>{rating}</rating></player>
<player><fideid>5</fideid><name>Anand, Viswanathan</name><rating>2770</rating></player>
<player><fideid>6</fideid><name>Short, Nigel</name><rating>2690</rating></player>
</playerslist>
"""
OLD = "ID_NUMBER NAME                TITLE  COUNTRY  JAN04\n" + "".join(
    f"  410001{n} Name{n}, Given                g    RUS     2600\n" for n in range(9)
)
NEW = "ID Number      Name                  Fed Sex Tit  WTit SRtng SGm SK B-day Flag\n" + "".join(
    f"{n + 25000:<15}Name{n}, Given           IND M             1500  0   40 1990\n"
    for n in range(9)
)
SPELLING = """@PLAYER ""
Carlsen, Magnus #GM NOR [2882] 1990.11.30
%Bio FIDEID 1503014
= Carlsen M.
"""
TABLE = "id\tcountry\ten\tko\n1\tkr\tPark Junghwan\t박정환\n2\tcn\tKe Jie\t커제\n"


def write(folder: Path, content: str | bytes, name: str = "list") -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


@pytest.mark.parametrize("number", HUGE)
def test_numbers_that_no_list_has(number: str) -> None:
    for parse in (parse_fide_id, parse_rating):
        with pytest.raises(ValueError, match="is not a number"):
            parse(number)


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\0b"])
def test_texts_that_are_no_names(name: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        parse_name(name)


@pytest.mark.parametrize("number", HUGE)
@pytest.mark.parametrize("field", ["id", "rating"])
def test_a_player_with_such_a_number_is_skipped(tmp_path: Path, number: str, field: str) -> None:
    values = {"id": "1503014", "rating": "2882", field: number}
    with RatingList(write(tmp_path, XML.format(**values))) as players:
        assert [player.fide_id for player in players] == [5, 6]
        assert (players.skipped, players.first_skipped) == (1, "player 1")


@pytest.mark.parametrize("number", ["9" * 20, "9" * 5000])
def test_a_spelling_file_with_such_a_number_is_refused(tmp_path: Path, number: str) -> None:
    path = write(tmp_path, SPELLING.replace("1503014", number))
    with pytest.raises(RatingListError, match=r"line 3: 9+ is not a FIDE ID; correct the line"):
        list(read_alias_file(path))


@pytest.mark.parametrize("text", [SPELLING, TABLE])
def test_a_name_of_many_words_is_refused(tmp_path: Path, text: str) -> None:
    name = "Carlsen M." if text is SPELLING else "Ke Jie"
    with pytest.raises(RatingListError, match="is too long for a name; correct the line"):
        list(read_alias_file(write(tmp_path, text.replace(name, "a " * 300))))


ODD_IDS = ["", "abc", "0", "-5", "1 2", "12.0", "\uff11\uff12", "<b>5</b>"]


@pytest.mark.parametrize("tag", [*map("<fideid>{}</fideid>".format, ODD_IDS), "<fideid/>", ""])
def test_a_player_without_a_readable_id_is_skipped(tmp_path: Path, tag: str) -> None:
    """And counted, also behind many players that a kernel reads."""
    rows = [f"<player><fideid>{number}</fideid><name>A, B</name></player>" for number in (1, 2, 3)]
    odd = f"<player>{tag}<name>C, D</name></player>"
    text = f"<playerslist>{rows[0]}{odd}{rows[1]}{odd}{rows[2]}</playerslist>"
    with RatingList(write(tmp_path, text)) as players:
        assert [player.fide_id for player in players] == [1, 2, 3]
        assert (players.skipped, players.first_skipped) == (2, "player 2")


def test_a_listed_name_of_many_words_is_skipped(tmp_path: Path) -> None:
    text = XML.format(id=7, rating=8).replace("Carlsen, Magnus", "a " * 300)
    with RatingList(write(tmp_path, text)) as players:
        assert [player.fide_id for player in players] == [5, 6]


# --- XML that attacks -----------------------------------------------------------------------------

ENTITIES = "".join(
    f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "lol"}">' for n in range(9)
)  # fmt: skip
ATTACKS = {
    "billion laughs": f"<!DOCTYPE p [{ENTITIES}]>" + XML.format(id="&l8;", rating=1),
    "a file of the system": '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    + XML.format(id=1, rating="&x;"),
    "depth": XML.format(id=1, rating="<a>" * 100_000),
    "depth, closed": XML.format(id=1, rating="<a>" * 5000 + "</a>" * 5000),
    "cut short": XML.format(id=1, rating=1)[:-30],
    "an unknown charset": '<?xml version="1.0" encoding="utf-99"?>' + XML.format(id=1, rating=1),
    "a sign that is none": XML.format(id=1, rating="&#xD800;"),
    "NUL": XML.format(id=1, rating="\0"),
    "a text of 20 MB": XML.format(id=1, rating="1" * 20_000_000),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_xml_that_attacks_is_refused(tmp_path: Path, name: str) -> None:
    with (
        pytest.raises(RatingListError) as error,
        RatingList(write(tmp_path, ATTACKS[name])) as result,
    ):
        list(result)
    assert len(str(error.value)) < 500


# --- time and chance -----------------------------------------------------------------------------

LONG = ["x" * 60_000, " " * 60_000, "9" * 60_000, "a " * 30_000, "[" * 60_000, "gm+" * 20_000,
        "1.1.19 " * 9000, "WGM/" * 15_000, "ABC-" * 15_000]  # fmt: skip


def consume(path: str) -> list[FidePlayer | AliasGroup]:
    """Read a file as a rating list or else as names; what cannot be one is told."""
    try:
        if path.endswith((".ssp", ".tsv")):
            return list(read_alias_file(path))
        with RatingList(path) as players:
            return list(players)
    except RatingListError as error:
        return [] if "\n" not in str(error) else pytest.fail(str(error))


@pytest.mark.parametrize("line", LONG, ids=lambda line: line[:5])
def test_long_lines_take_no_time(tmp_path: Path, line: str) -> None:
    before = time.process_time()
    for name, text in (("a.txt", OLD), ("b.txt", NEW), ("c.ssp", SPELLING), ("d.tsv", TABLE)):
        head, end, rest = text.partition("\n")
        for odd in (line, f"4100018 {line} RUS 2600", f"Carlsen #{line} 1990"):
            consume(write(tmp_path, f"{head}{end}{odd}\n{rest}", name))
    assert time.process_time() - before < 20  # 0.3 s each at most; squares of lengths take minutes


PIECES = [
    b"9" * 20, b"-1", b"\0", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", "٣".encode(), b"<player>",
    b"]]>", b"&lol;", b"<!--", b"@PLAYER\n", b"= \n", b"%Bio FIDEID ", b"#gm+w HUN [27", b"\t",
    b"\r", b"\n", b"\x1a", b"</playerslist>", b"<" * 300, b"\n" * 50,
]  # fmt: skip


def mutated(source: random.Random, text: bytes) -> bytes:
    raw = bytearray(text)
    for _ in range(source.choice((1, 2, 5, 20))):
        place = source.randrange(len(raw) + 1)
        end = place + source.choice((0, 0, 1, 5, 40))
        raw[place:end] = source.choice((*PIECES, b"", bytes(raw[place : end + 30])))
    return bytes(raw)


@pytest.mark.parametrize("seed", range(300))
def test_mutated_lists_are_read_or_told(tmp_path: Path, seed: int) -> None:
    source = random.Random(seed)
    texts = {"a.xml": XML.format(id=1, rating=2), "a.txt": OLD, "b.txt": NEW, "c.ssp": SPELLING}
    name, text = source.choice([*texts.items(), ("d.tsv", TABLE)])
    for player in consume(write(tmp_path, mutated(source, text.encode()), name)):
        numbers = [value for value in player if isinstance(value, int)]
        assert all(0 <= number <= MOST for number in numbers)
