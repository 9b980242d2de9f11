"""Spelling files: sections, spellings, comments of players, foreign and damaged files."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from ocgdedup.errors import RatingListError
from ocgdedup.fide.list_file import ListFile
from ocgdedup.fide.spelling_file import read_spelling_file
from ocgdedup.model import AliasGroup, SpellingLine

SPELLING = """# A spelling file
@PLAYER ". -,_"

%Prefix "Van der " "Van Der "
%Infix "ph" "f"
%Suffix " Jr" "-Jr"
Anderssen, Adolf        #gm  GER [2600] 1818.07.06--1879.03.13
= Anderssen, A
   = Andersen, Adolf # an old slip
%Elo 1850:2600,2590 1851:2610
%Bio Won in London in 1851
%Bio FIDEID 900001
>an old form of a biography
= Anderssen, A
= Anderssen, Adolf

Menchik, Vera           #wgm+w RUS/CSR-ENG [2350] 1906.02.16
  %Bio FIDEID 900002
Nobody
@SITE
Lodz  # with a city's spellings
= Lódz
@EVENT "x"
= an alias without a name
%Prefix "II " "2. "
@ROUND
1
%Suffix no quotes
%Unknown x
@PLAYER
Steinitz, William       #  AUT-USA [2650] 1836--1900
= Steinitz, Wilhelm
"""
GROUPS = [
    AliasGroup(
        "Anderssen, Adolf",
        ("Anderssen, A", "Andersen, Adolf"),
        "GM",
        "GER",
        1818,
        1879,
        900001,
    ),
    AliasGroup("Menchik, Vera", (), "WGM", "ENG", 1906, None, 900002),
    AliasGroup("Nobody", (), "", "", None, None, None),
    AliasGroup("Steinitz, William", ("Steinitz, Wilhelm",), "", "USA", 1836, 1900, None),
]


LINES = [
    SpellingLine(4, "player", "prefix", "Van Der ", "Van der "),
    SpellingLine(5, "player", "infix", "f", "ph"),
    SpellingLine(6, "player", "suffix", "-Jr", " Jr"),
    SpellingLine(10, "player", "rating", "Anderssen, Adolf", "1850:2600,2590 1851:2610"),
    SpellingLine(11, "player", "biography", "Anderssen, Adolf", "Won in London in 1851"),
    SpellingLine(13, "player", "biography", "Anderssen, Adolf", "an old form of a biography"),
    SpellingLine(21, "site", "site", "Lodz", "Lodz"),
    SpellingLine(22, "site", "site", "Lodz", "Lódz"),
    SpellingLine(24, "event", "other", "", "an alias without a name"),
    SpellingLine(25, "event", "prefix", "2. ", "II "),
    SpellingLine(27, "round", "round", "1", "1"),
    SpellingLine(28, "round", "other", "", "%Suffix no quotes"),
    SpellingLine(29, "round", "other", "", "%Unknown x"),
]


def write(folder: Path, content: bytes | str, name: str = "spelling.ssp") -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def read(folder: Path, content: bytes | str) -> list[AliasGroup]:
    return list(read_spelling_file(open_list(write(folder, content))))


def open_list(path: str) -> ListFile:
    return ListFile(path, suffixes=(".ssp", ".txt"))


def zip_of(text: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("ratings.ssp", text)
    return packed.getvalue()


def failure(folder: Path, content: bytes | str) -> str:
    path = write(folder, content)
    with pytest.raises(RatingListError) as caught:
        list(read_spelling_file(open_list(path)))
    assert str(caught.value).startswith(path)
    return str(caught.value).removeprefix(path)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_reads_players_and_other_lines(tmp_path: Path, line_end: str) -> None:
    path = write(tmp_path, SPELLING.replace("\n", line_end))
    lines: list[SpellingLine] = []
    assert list(read_spelling_file(open_list(path), lines.append)) == GROUPS
    assert lines == LINES
    assert list(read_spelling_file(open_list(path))) == GROUPS


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zip_of])
def test_reads_charsets_and_packings(tmp_path: Path, charset: str, pack: type[bytes]) -> None:
    text = SPELLING.replace("Nobody", "Müller, Jürgen\n= Mueller, Juergen")
    group = read(tmp_path, pack(text.encode(charset)))[2]
    assert group[:2] == ("Müller, Jürgen", ("Mueller, Juergen",))


def test_reads_a_file_without_sections(tmp_path: Path) -> None:
    text = "Anderssen, Adolf\n%FIDEID 900001\n= Anderssen, A\nMenchik, Vera\n=Menchik-Stevenson"
    assert [(group.name, group.aliases, group.fide_id) for group in read(tmp_path, text)] == [
        ("Anderssen, Adolf", ("Anderssen, A",), 900001),
        ("Menchik, Vera", ("Menchik-Stevenson",), None),
    ]


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("gm+w HUN [2735] 1976.07.23", ("GM", "HUN", 1976, None)),
        ("im+wgm  ENG", ("IM", "ENG", None, None)),
        ("GM AUT/USA [2650]", ("GM", "USA", None, None)),
        ("w   ENG  [2200] 1950", ("", "ENG", 1950, None)),
        ("cgm HUN [2400] 1899.??.??--1980", ("", "HUN", 1899, 1980)),
        ("hgm GER [2300] ????.??.??--1950.01.02", ("HGM", "GER", None, 1950)),
        ("GER 1920", ("", "GER", 1920, None)),
        ("[2600] 1818.07.06--1879.03.13", ("", "", 1818, 1879)),
        ("--1932", ("", "", None, 1932)),
        ("fm", ("FM", "", None, None)),
        ("", ("", "", None, None)),
        ("see Menchik, 1906", ("", "", None, None)),
        ("GERMANY 1920", ("", "", None, None)),
        ("images of 1900", ("", "", None, None)),
    ],
)
def test_reads_the_comment(
    tmp_path: Path, comment: str, expected: tuple[str, str, int | None, int | None]
) -> None:
    (group,) = read(tmp_path, f"@PLAYER\nName, A #{comment}\n")
    assert group[2:6] == expected


def test_a_long_event_is_kept(tmp_path: Path) -> None:
    """Names of players have a greatest length."""
    text = f"@EVENT\n{'long ' * 50}\n@PLAYER\nName, A\n"
    lines: list[SpellingLine] = []
    list(read_spelling_file(open_list(write(tmp_path, text)), lines.append))
    assert [line.value for line in lines] == [("long " * 50).strip()]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("@PLAYER\n# c\n= Alias, A\nName, A\n", 3),
        ("@PLAYER\nName, A\n@SITE\nLodz\n@PLAYER\n= Alias, A\n", 6),
        ("@PLAYER\n%Bio FIDEID 7\nName, A\n", 2),
        ("@PLAYER\nName, A\n@PLYER\nName, B\n", 3),
        ("\n\n<html><body>\n= x\n", 3),
        ('[Event "x"]\n\n= 1. e4\n', 1),
        ("Name, A\nName, B\n", 1),
        ("@PLAYER\nName, A\nN\0me, B\n", 3),
        (b"\x7fELF\0\0\n= 1\n", 1),
    ],
)
def test_tells_the_line_of_an_error(tmp_path: Path, text: str | bytes, line: int) -> None:
    assert failure(tmp_path, text).startswith(f": line {line}: ")


def test_fails_at_once_for_other_files(tmp_path: Path) -> None:
    with pytest.raises(RatingListError, match="cannot be opened"):
        read_spelling_file(open_list(str(tmp_path / "absent")))
    with pytest.raises(RatingListError, match="is not a spelling file"):
        read_spelling_file(open_list(write(tmp_path, "<playerslist>\n")))


def test_refuses_a_file_cut_short(tmp_path: Path) -> None:
    packed = gzip.compress(SPELLING.encode())[:-20]
    message = failure(tmp_path, packed)
    assert "ends in the middle of the compressed data (gzip) at byte" in message
    assert f"at byte {len(packed)}; copy or download it again" in message
