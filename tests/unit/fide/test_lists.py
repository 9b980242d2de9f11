"""Rating lists: both formats, all packings, foreign, hostile, damaged and cut files."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ocgdedup.errors import RatingListError
from ocgdedup.fide.fields import best_title, find_month, parse_birth_year
from ocgdedup.fide.lists import RatingList
from ocgdedup.model import FidePlayer

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

XML = """<playerslist>
<player>
<fideid>900001</fideid>
<name>Philidor, Francois-Andre</name>
<country>FRA</country>
<sex>M</sex>
<title>GM</title>
<w_title></w_title>
<o_title>FT,IA</o_title>
<foa_title></foa_title>
<rating>2701</rating>
<games>3</games>
<k>10</k>
<rapid_rating>0</rapid_rating>
<blitz_rating>2655</blitz_rating>
<birthday>1726</birthday>
<flag>i</flag>
</player>
<player><fideid>900002</fideid><name> Menchik, Vera </name><country>ENG</country><sex>F</sex>
<title>IM</title><w_title>WGM</w_title><rating></rating><birthday>16.02.1906</birthday>
<flag>wi</flag><unheard_of>7</unheard_of></player>
<player><fideid>900003</fideid><name>Nobody</name><birthday>0000</birthday></player>
</playerslist>
"""
XML_PLAYERS = [
    FidePlayer(
        900001,
        "Philidor, Francois-Andre",
        "FRA",
        "M",
        "GM",
        2701,
        None,
        2655,
        None,  # nobody born in 1726 is in a list
        "i",
    ),
    FidePlayer(900002, "Menchik, Vera", "ENG", "F", "IM", None, None, None, 1906, "wi"),
    FidePlayer(900003, "Nobody", "", "", "", None, None, None, None, ""),
]

COMBINED = (
    "ID Number      Name                                                         Fed Sex Tit  "
    "WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag\r\n"
    "900001         Anderssen, Adolf                                             GER M   GM   "
    "                        2600  0   10 0     0   20 2555  0   20 1818        \r\n"
    "900002         Menchik, Vera                                                ENG F   IM   "
    "WGM  SI,FI,LSI,SLI,NAAFM 2400  0   10 2300  0   20 0     0   20 1906  wi  \r\n"
    "900003         Nobody                                                       ENG M        "
    "                        0     0   0  0     0   0  0     0   0  0           \r\n"
)
SINGLE = (
    "ID Number      Name                                                         Fed Sex Tit  "
    "WTit OTit           SEP14 Gms K  B-day Flag\n"
    "900001         Anderssen, Adolf                                             GER M   GM   "
    "                    2600  0   10 1818        \n"
)
APR04 = (
    "ID_NUMBER NAME                         TITLE COUNTRY APR04 GAMES BIRTHDAY   FLAG\n"
    "  900001  Anderssen, Adolf                  g   GER  2600   12  06.07.18       \n"
    "  900002  Menchik, Vera                     wg  ENG  2400    0  16.02.06    wi \n"
    "  900003  Cutoff, Helder Manuel Pereira m     POR  1951    0    .  .         \n"
)
MAR11 = (
    "ID number Name                              TitlFed  Mar11 GamesBorn  Flag\n"
    "  900001  Anderssen, Adolf                  g   GER  2600    9  1918  \n"
    "90000002  Nobody, Ann                           BAN  1714    0        \n"
    "  900003  Menchik, Vera                         ENG  1447    0  1906  wi\n"
)
JAN01 = (
    "ID_NUMBER NAME                             TITLE COUNTRY JAN01 GAMES FLAG\n"
    "  \n"
    "  900001  Anderssen, Adolf                 g     GER     2600    0   i   \n"
    "  900002  Menchik, Vera                          ENG     2063   18       \n"
)


def zip_of(text: bytes, name: str = "list.xml", **more: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(name, (2024, 9, 30, 1, 2, 4)), text)
        for other, content in more.items():
            archive.writestr(other.replace("_dot_", "."), content)
    return packed.getvalue()


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda text: text,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstd.compress,
    "zip": zip_of,
}


def write(folder: Path, content: bytes | str, name: str = "list") -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def read(folder: Path, content: bytes | str, name: str = "list") -> list[FidePlayer]:
    with RatingList(write(folder, content, name)) as players:
        return list(players)


def failure(folder: Path, content: bytes | str, name: str = "list") -> str:
    with pytest.raises(RatingListError) as caught:
        read(folder, content, name)
    message = str(caught.value)
    assert message.startswith(str(folder / name))
    return message.removeprefix(str(folder / name))


def long_list(count: int) -> bytes:
    head, _, rest = COMBINED.partition("\r\n")
    line = rest.partition("\r\n")[0].removeprefix("900001")
    names = (
        f"{number:06}{line.replace('Anderssen', f'Name{number:05}')}" for number in range(count)
    )
    return "\r\n".join([head, *names, ""]).encode()


def read_to_damage(path: str) -> tuple[list[int], str]:
    """Return the FIDE IDs that can be read, and what is told of the rest."""
    numbers: list[int] = []
    with pytest.raises(RatingListError) as caught, RatingList(path) as players:
        numbers.extend(player.fide_id for player in players)
    return numbers, str(caught.value)


class TestXml:
    def test_reads_fields_by_name(self, tmp_path: Path) -> None:
        assert read(tmp_path, XML) == XML_PLAYERS

    @pytest.mark.parametrize("packing", PACKINGS)
    def test_reads_every_packing_whatever_the_name(self, tmp_path: Path, packing: str) -> None:
        assert read(tmp_path, PACKINGS[packing](XML.encode()), "list.dat") == XML_PLAYERS

    @pytest.mark.parametrize("charset", ["iso-8859-2", "utf-16", "utf-8"])
    def test_follows_the_declared_encoding(self, tmp_path: Path, charset: str) -> None:
        text = f'<?xml version="1.0" encoding="{charset}"?>\n' + XML.replace("Nobody", "Łódź, Ż")
        assert read(tmp_path, text.encode(charset))[2].name == "Łódź, Ż"

    def test_counts_players_without_id_or_name(self, tmp_path: Path) -> None:
        text = XML.replace("900002", "").replace("<name>Nobody</name>", "")
        with RatingList(write(tmp_path, text)) as players:
            assert [player.fide_id for player in players] == [900001]
        assert (players.skipped, players.first_skipped) == (2, "player 2")

    def test_puts_a_list_of_one_kind_where_its_name_says(self, tmp_path: Path) -> None:
        text = (
            "<playerslist><player><fideid>7</fideid><name>A</name><rating>2000</rating>"
            "</player></playerslist>"
        )
        assert read(tmp_path, text, "rapid_sep14frl.xml")[0][5:8] == (None, 2000, None)
        assert read(tmp_path, text, "standard_sep14frl.xml")[0][5:8] == (2000, None, None)
        assert read(tmp_path, XML, "blitz.xml") == XML_PLAYERS  # it says itself what is what

    @pytest.mark.parametrize(
        ("text", "word"),
        [
            ("<rss><player><fideid>1</fideid></player></rss>", "begins with <rss>"),
            ("<playerslist></playerslist>", "no <player>"),
            ("<html><body>Not found</body></html>", "begins with <html>"),
            ("<!-- " + "x" * 20000, "no element"),
        ],
    )
    def test_refuses_other_xml(self, tmp_path: Path, text: str, word: str) -> None:
        message = failure(tmp_path, text)
        assert "is not a FIDE list" in message
        assert word in message

    def test_tells_the_line_of_damage(self, tmp_path: Path) -> None:
        lines = XML.splitlines()
        lines[4] = "<country>FRA</county>"
        assert failure(tmp_path, "\n".join(lines)).startswith(": line 5: ")

    @pytest.mark.parametrize("end", ["</playerslist>\n", "</player>\n</playerslist>\n", "list>\n"])
    def test_refuses_a_list_cut_short(self, tmp_path: Path, end: str) -> None:
        text = XML.removesuffix(end)
        message = failure(tmp_path, text)
        assert "truncated" in message
        assert ": line 2" in message


class TestHostileXml:
    @pytest.mark.parametrize("levels", [8, 60])  # libxml2 itself stops at 20 or 40
    def test_refuses_an_entity_bomb(self, tmp_path: Path, levels: int) -> None:
        entities = "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">' for i in range(levels))
        text = f'<!DOCTYPE playerslist [<!ENTITY a0 "ha">{entities}]>'
        failure(tmp_path, text + XML.replace("Nobody", f"&a{levels};"))
        if levels == 8:
            assert "declares entities" in failure(tmp_path, text + XML)

    def test_refuses_an_external_entity(self, tmp_path: Path) -> None:
        (tmp_path / "secret").write_text("SECRET")
        text = (
            f'<!DOCTYPE playerslist [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]>'
            + XML.replace("Nobody", "&x;")
        )
        assert "declares entities" in failure(tmp_path, text)

    def test_does_not_load_a_foreign_dtd(self, tmp_path: Path) -> None:
        (tmp_path / "evil.dtd").write_text('<!ENTITY x "SECRET">')
        text = f'<!DOCTYPE playerslist SYSTEM "file://{tmp_path}/evil.dtd">' + XML.replace(
            "Nobody", "A&x;"
        )
        try:
            names = [player.name for player in read(tmp_path, text)]
        except RatingListError:
            return
        assert all("SECRET" not in name for name in names)

    def test_does_not_replace_entities_declared_late(self, tmp_path: Path) -> None:
        padding = "<!-- " + "x" * 17000 + " -->"
        text = f'<!DOCTYPE playerslist [{padding}<!ENTITY x "SECRET">]>' + XML.replace(
            "Nobody", "&x;"
        )
        failure(tmp_path, text)


@pytest.mark.slow
def test_memory_stays_small(tmp_path: Path) -> None:
    def peak_bytes(count: int) -> int:
        text = "<playerslist>\n" + "".join(
            f"<player><fideid>{i}</fideid><name>Player{i}, A</name><rating>{1000 + i % 1800}"
            "</rating></player>\n"
            for i in range(1, count + 1)
        )
        path = write(tmp_path, text + "</playerslist>\n")
        del text
        tracemalloc.start()
        assert sum(1 for _ in RatingList(path)) == count
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    peak_bytes(10)  # loads modules
    assert peak_bytes(20000) < 2 * peak_bytes(4000) + 500_000


def test_forgets_the_elements_it_has_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # libxml2's memory is none that tracemalloc sees, so the tree itself is looked at.
    from ocgdedup.fide import xml_list

    kept = []
    forget = xml_list._forget

    def forget_and_count(element: object) -> None:
        forget(element)
        kept.append(len(element.getparent()))  # type: ignore[attr-defined]

    monkeypatch.setattr(xml_list, "_forget", forget_and_count)
    player = "<!-- c --><player><fideid>5</fideid><name>A</name></player>\n"
    read(tmp_path, f"<playerslist>{player * 5000}</playerslist>")
    assert len(kept) == 5000
    # The parser is a chunk of the file ahead of the reader, however long the list is.
    assert kept[-1] == 1
    assert max(kept) < 2000


class TestText:
    def test_reads_the_combined_list(self, tmp_path: Path) -> None:
        assert read(tmp_path, COMBINED) == [
            FidePlayer(900001, "Anderssen, Adolf", "GER", "M", "GM", 2600, None, 2555, 1818, ""),
            FidePlayer(900002, "Menchik, Vera", "ENG", "F", "IM", 2400, 2300, None, 1906, "wi"),
            FidePlayer(900003, "Nobody", "ENG", "M", "", None, None, None, None, ""),
        ]

    def test_reads_other_offsets(self, tmp_path: Path) -> None:
        wide = "\n".join(line[:76] + " " * 40 + line[76:] for line in SINGLE.splitlines())
        assert read(tmp_path, wide + "\n") == read(tmp_path, SINGLE)

    @pytest.mark.parametrize("kind", ["standard", "rapid", "blitz"])
    def test_reads_a_list_of_one_kind(self, tmp_path: Path, kind: str) -> None:
        (player,) = read(tmp_path, SINGLE, f"{kind}_sep14frl.txt")
        points = dict(zip(("standard", "rapid", "blitz"), player[5:8], strict=True))
        assert points == {"standard": None, "rapid": None, "blitz": None} | {kind: 2600}

    def test_reads_headers_beside_their_columns(self, tmp_path: Path) -> None:
        assert read(tmp_path, APR04) == [
            FidePlayer(900001, "Anderssen, Adolf", "GER", "", "GM", 2600, None, None, 1918, ""),
            FidePlayer(900002, "Menchik, Vera", "ENG", "F", "WGM", 2400, None, None, 1906, "wi"),
            FidePlayer(
                900003,
                "Cutoff, Helder Manuel Pereira m",
                "POR",
                "",
                "",
                1951,
                None,
                None,
                None,
                "",
            ),
        ]

    def test_reads_headers_that_run_together(self, tmp_path: Path) -> None:
        assert [player[2:6] + player[8:] for player in read(tmp_path, MAR11)] == [
            ("GER", "", "GM", 2600, 1918, ""),
            ("BAN", "", "", 1714, None, ""),
            ("ENG", "F", "", 1447, 1906, "wi"),
        ]

    @pytest.mark.parametrize("text", [JAN01, JAN01.partition("\n")[2]])
    def test_reads_lists_without_birthdays_or_header(self, tmp_path: Path, text: str) -> None:
        assert [player[:2] + player[4:6] + player[9:] for player in read(tmp_path, text)] == [
            (900001, "Anderssen, Adolf", "GM", 2600, "i"),
            (900002, "Menchik, Vera", "", 2063, ""),
        ]

    @pytest.mark.parametrize(
        "charset", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "cp850"], ids=str
    )
    def test_reads_8_bit_charsets(self, tmp_path: Path, charset: str) -> None:
        text = APR04.replace("Menchik, Vera ", "Müñoz, José N.")
        assert read(tmp_path, text.encode(charset))[1].name == "Müñoz, José N."

    def test_ignores_a_dos_end_mark(self, tmp_path: Path) -> None:
        assert len(read(tmp_path, APR04 + "\x1a")) == 3

    def test_counts_lines_that_are_no_players(self, tmp_path: Path) -> None:
        text = COMBINED.replace("900001 ", "x00001 ").replace("Nobody", "      ")
        text += COMBINED.partition("\n")[2]
        with RatingList(write(tmp_path, text)) as players:
            assert len(list(players)) == 4
        assert (players.skipped, players.first_skipped) == (2, "line 2")

    def test_counts_lines_with_shifted_columns(self, tmp_path: Path) -> None:
        lines = COMBINED.splitlines(keepends=True)
        lines[1] = lines[1].replace(" Ad", " A")  # all behind it stands a column too far left
        with RatingList(write(tmp_path, "".join(lines))) as players:
            assert len(list(players)) == 2
        assert players.first_skipped == "line 2"

    def test_refuses_a_layout_that_does_not_fit(self, tmp_path: Path) -> None:
        header, _, rest = COMBINED.partition("\r\n")
        text = header.replace("Fed", "   Fed") + "\r\n" + rest * 60
        assert "line 101: 100 of 100 lines are not players" in failure(tmp_path, text)

    def test_refuses_a_header_without_players(self, tmp_path: Path) -> None:
        assert "0 of 0 lines" in failure(tmp_path, MAR11.partition("\n")[0])

    @pytest.mark.parametrize("text", [COMBINED, SINGLE + SINGLE.partition("\n")[2], APR04, MAR11])
    def test_refuses_a_last_line_cut_short(self, tmp_path: Path, text: str) -> None:
        line = len(text.splitlines())
        cut = text.rstrip()[:-30]
        assert f": line {line}: ends in the middle" in failure(tmp_path, cut)

    def test_takes_a_last_line_without_end(self, tmp_path: Path) -> None:
        assert read(tmp_path, COMBINED.removesuffix("\r\n")) == read(tmp_path, COMBINED)

    @pytest.mark.parametrize(
        "text",
        [
            '[Event "Casual"]\n\n1. e4 *\n',
            "name,rating\nPhilidor,2700\n",
            "\0\1\2\3" * 100,
            "\n" * 50,
            "\ufeffID Number".encode("utf-16-le"),
        ],
    )
    def test_refuses_what_is_no_list(self, tmp_path: Path, text: str | bytes) -> None:
        failure(tmp_path, text)


class TestFile:
    def test_tells_an_absent_file_and_a_folder(self, tmp_path: Path) -> None:
        for path in (tmp_path / "absent", tmp_path):
            with pytest.raises(RatingListError, match="cannot be opened"):
                RatingList(str(path))
        assert "is empty" in failure(tmp_path, b"")

    @pytest.mark.parametrize("packing", [name for name in PACKINGS if name != "plain"])
    @pytest.mark.parametrize("source", [XML, COMBINED], ids=["xml", "text"])
    def test_refuses_a_packed_list_cut_short(
        self, tmp_path: Path, packing: str, source: str
    ) -> None:
        head, _, rest = source.partition("\n")
        text = source if source == XML else head + "\n" + rest * 50
        packed = PACKINGS[packing](text.encode())
        for size_bytes in (len(packed) - 1, len(packed) - 9, len(packed) // 2):
            message = failure(tmp_path, packed[:size_bytes])
            if packing == "zip":
                assert "the zip directory at the end of the file is missing or damaged" in message
            else:
                assert "ends in the middle of the compressed data" in message
                assert f" at byte {size_bytes}; copy or download it again" in message

    @pytest.mark.parametrize("packing", ["gz", "xz", "zst"])  # 3000 players are one block of bzip2
    def test_gives_all_players_before_the_cut(self, tmp_path: Path, packing: str) -> None:
        packed = PACKINGS[packing](long_list(3000))
        cut = len(packed) * 3 // 4
        numbers, message = read_to_damage(write(tmp_path, packed[:cut]))
        assert 1500 < len(numbers) < 3000
        assert numbers == list(range(1, len(numbers) + 1))
        assert f" at byte {cut}; copy or download it again" in message

    @pytest.mark.parametrize("packing", ["gz", "bz2", "xz", "zst"])
    def test_tells_bytes_behind_the_packed_list(self, tmp_path: Path, packing: str) -> None:
        packed = PACKINGS[packing](COMBINED.encode())
        assert len(read(tmp_path, packed + bytes(512))) == 3  # padding
        message = failure(tmp_path, packed + b"garbage" * 9)
        assert f"data follow the compressed data at byte {len(packed)};" in message

    def test_tells_binary_data_under_the_name_of_a_packed_list(self, tmp_path: Path) -> None:
        message = failure(tmp_path, b"\x00\x01\x02" * 100, "list.txt.gz")
        assert message.startswith(": does not begin like a .gz file (byte 0) and is not text;")

    @pytest.mark.parametrize("packing", PACKINGS)
    @pytest.mark.parametrize("name", ["list.zip", "list.gz", "list.xz"])
    def test_the_content_decides_not_the_name(
        self, tmp_path: Path, packing: str, name: str
    ) -> None:
        for text in (XML.encode(), XML.encode("utf-16")):
            assert read(tmp_path, PACKINGS[packing](text), name) == XML_PLAYERS

    @pytest.mark.parametrize("packing", ["gz", "bz2", "xz", "zst"])
    def test_reads_a_packed_member(self, tmp_path: Path, packing: str) -> None:
        packed = zip_of(PACKINGS[packing](XML.encode()), f"list.xml.{packing}")
        assert read(tmp_path, packed, "list.zip") == XML_PLAYERS

    def test_tells_the_archives_of_a_zip_without_a_list(self, tmp_path: Path) -> None:
        message = failure(tmp_path, zip_of(zip_of(XML.encode()), "inner.zip"), "list.zip")
        assert message.startswith(": holds archives, which were not read: inner.zip;")

    def test_refuses_an_encrypted_member(self, tmp_path: Path) -> None:
        packed = bytearray(zip_of(XML.encode()))
        packed[6] |= 1
        packed[packed.rindex(b"PK\1\2") + 8] |= 1
        assert failure(tmp_path, bytes(packed)).startswith("/list.xml: is encrypted; unpack it")

    @pytest.mark.parametrize("packing", ["gz", "bz2", "xz", "zip"])
    def test_refuses_damage(self, tmp_path: Path, packing: str) -> None:
        packed = bytearray(PACKINGS[packing](XML.encode()))
        packed[len(packed) // 2 : len(packed) // 2 + 4] = b"\xff\x00\xff\x00"
        failure(tmp_path, bytes(packed))

    def test_takes_the_one_list_of_a_zip(self, tmp_path: Path) -> None:
        packed = zip_of(
            XML.encode(), "sub/players.XML", readme_dot_md=b"x", **{"__MACOSX/._a_dot_xml": b"y"}
        )
        assert read(tmp_path, packed) == XML_PLAYERS

    def test_refuses_a_zip_with_none_or_two(self, tmp_path: Path) -> None:
        assert "no member" in failure(tmp_path, zip_of(b"x", "a.doc"))
        assert "2 members" in failure(tmp_path, zip_of(b"x", "a.xml", b_dot_txt=b"y"))

    def test_tells_its_size_and_position(self, tmp_path: Path) -> None:
        with RatingList(write(tmp_path, XML)) as players:
            assert players.size_bytes == len(XML)
            list(players)
            assert players.position_bytes() == len(XML)


class TestMonth:
    @pytest.mark.parametrize(
        ("content", "name", "month"),
        [
            (APR04, "players_list_xml_2025-02.txt", "2004-04"),
            (MAR11, "x.txt", "2011-03"),
            (SINGLE, "x.txt", "2014-09"),
            (COMBINED, "players_list_foa.txt", None),
            (XML, "players_list_xml_2025-02.xml", "2025-02"),
            (XML, "standard_sep14frl_xml.xml", "2014-09"),
            (XML, "players_list_xml_foa.xml", None),
            (zip_of(XML.encode()), "players.zip", "2024-09"),
            (zip_of(XML.encode()), "players-2024-10.zip", "2024-10"),
            (zip_of(XML.encode(), "rapid_oct12frl.xml"), "a-2024-10.zip", "2012-10"),
        ],
    )
    def test_finds_the_month(
        self, tmp_path: Path, content: bytes | str, name: str, month: str | None
    ) -> None:
        with RatingList(write(tmp_path, content, name)) as players:
            assert players.list_month == month

    @pytest.mark.parametrize(
        ("content", "name", "source"),
        [
            (APR04, "players_list_xml_2025-02.txt", "its header"),
            (XML, "standard_sep14frl_xml.xml", "its file name"),
            (XML, "players_list_xml_foa.xml", ""),
            (zip_of(XML.encode()), "players.zip", "the time stamp in the zip file"),
        ],
    )
    def test_says_where_the_month_is_from(
        self, tmp_path: Path, content: bytes | str, name: str, source: str
    ) -> None:
        with RatingList(write(tmp_path, content, name)) as players:
            list(players)
            assert players.month_source == source

    @pytest.mark.parametrize(
        ("periods", "newest"),
        [
            (["2022-Sep-01", "2022-Aug-01", "2021-Dec-01"], "2022-09"),
            (["2022-09-01", "", "2022-10"], "2022-10"),
            (["SEP2022", "2022Oct"], "2022-10"),
            (["2999-Jan-01", "2020-Jan-01"], "2020-01"),  # the first one cannot be
            (["x", "1899-Jan-01"], None),
            ([], None),
        ],
    )
    def test_newest_rating_period(
        self, tmp_path: Path, periods: list[str], newest: str | None
    ) -> None:
        players = "".join(
            f"<player><fideid>{number}</fideid><name>N</name><period>{period}</period></player>"
            for number, period in enumerate(["", *periods], 1)
        )
        text = f"<playerslist>{players}</playerslist>"
        source = "its newest rating period" if newest else ""
        for name, month, said in (
            ("list.xml", newest, source),
            ("standard_jan15.xml", "2015-01", "its file name"),
        ):
            with RatingList(write(tmp_path, text, name)) as result:
                assert len(list(result)) == len(periods) + 1
                assert (result.list_month, result.month_source) == (month, said)
                assert result.newest_period == newest
        if newest:
            with RatingList(write(tmp_path, zip_of(text.encode()), "list.zip")) as result:
                assert result.month_source == "the time stamp in the zip file"
                list(result)
                assert (result.list_month, result.month_source) == (newest, source)

    @pytest.mark.parametrize(
        ("text", "month"),
        [
            ("frl_SEPT2014", "2014-09"),
            ("APR99", "1999-04"),
            ("january-02", "2002-01"),
            ("20250131", "2025-01"),
            ("2025_13", None),
            ("mary12", None),
            ("list 123456", None),
        ],
    )
    def test_reads_names(self, text: str, month: str | None) -> None:
        assert find_month(text) == month


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("1998", 1998),
        ("1998-05-03", 1998),
        ("03.05.1998", 1998),
        ("03/05/1998", 1998),
        ("0000", None),
        ("0", None),
        ("  .  .", None),
        ("26.06.85", 1985),
        ("26.06.00", 2000),
        ("26.06.04", 1904),
        ("19980503", 1998),
        ("199805", None),
    ],
)
def test_reads_birthdays(text: str, year: int | None) -> None:
    assert parse_birth_year(text, list_year=2004) == year


def test_takes_the_best_title() -> None:
    assert best_title(("WGM", "IM")) == "IM"
    assert best_title(("WFM", "")) == "WFM"
    assert best_title(("wm", "f")) == "FM"
    assert best_title(("", "w")) == ""
    assert best_title(("XYZ", "WCM")) == "WCM"
