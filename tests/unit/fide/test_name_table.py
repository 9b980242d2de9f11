"""Tables of names in several scripts: columns, cells, namesakes, damage."""

import gzip

import pytest

from ocgdedup.errors import RatingListError
from ocgdedup.fide.name_table import read_alias_file

TABLE = (
    "id\tcountry\ten\tko\tja\tzh\n"
    "1090\tkr\tPark Junghwan\t박정환\t朴廷桓\t朴廷桓\n"
    "\n"
    "1195\tcn\tKe Jie; Jie Ke\t커제\t柯潔\t柯洁\n"
    "1917\ttw\tLin Boyu\tLin Boyu\t\t林柏宇\r\n"
)


def groups(path):
    return [(group.name, group.aliases, group.country) for group in read_alias_file(str(path))]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text(TABLE, encoding="utf-8", newline="")
    return path


def test_rows(table):
    assert groups(table) == [
        ("Park Junghwan", ("박정환", "朴廷桓"), "KOR"),
        ("Ke Jie", ("Jie Ke", "커제", "柯潔", "柯洁"), "CHN"),
        ("Lin Boyu", ("林柏宇",), "TPE"),
    ]


def test_packed(table, tmp_path):
    packed = tmp_path / "names.tsv.gz"
    packed.write_bytes(gzip.compress(table.read_bytes()))
    assert groups(packed) == groups(table)


@pytest.mark.parametrize("head", ["name_en\tname_ko", "Names\tKorean", '"EN"\t"KO"'])
def test_titles_of_columns(head, tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text(f"{head}\nCho Hunhyun\t조훈현\n", encoding="utf-8")
    assert groups(path) == [("Cho Hunhyun", ("조훈현",), "")]


def test_namesakes_stay_two(tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text("en\tzh\nKim Minsu\t金珉秀\nKim Minsu\t金敏洙\n", encoding="utf-8")
    assert groups(path) == [
        ("Kim Minsu (金珉秀)", ("Kim Minsu", "金珉秀"), ""),
        ("Kim Minsu (金敏洙)", ("Kim Minsu", "金敏洙"), ""),
    ]


def test_spelling_file_of_scid(tmp_path):
    path = tmp_path / "names.ssp"
    path.write_text("Kasparov, Garry\t# a comment\n= Weinstein, Garik\n")
    assert groups(path) == [("Kasparov, Garry", ("Weinstein, Garik",), "")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id\trating\n1\t2\n", "line 1: is a table, but no column is one of names"),
        ("en\tko\nA\tB\tC\n", "line 2: has 3 columns, the first line has 2"),
        ("en\tko\nA\0\tB\n", "line 2: is not text"),
        ("nothing of the kind\n", "is not a spelling file"),
    ],
)
def test_refused(text, message, tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text(text)
    with pytest.raises(RatingListError, match=message):
        groups(path)


def test_absent(tmp_path):
    with pytest.raises(RatingListError, match="cannot be opened"):
        groups(tmp_path / "none.tsv")
