"""Scanned rating lists: the kernel and lxml, and the kernel and Python, read the same players."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from ocgdedup.errors import RatingListError
from ocgdedup.fide import text_list, xml_list
from ocgdedup.fide.lists import RatingList
from ocgdedup.model import FidePlayer

HEADS = [
    "<playerslist>\n", "<playerslist>", "\ufeff<playerslist>\n",
    '<?xml version="1.0" encoding="UTF-8"?>\r\n<playerslist>\r\n',
    '<?xml version="1.0" encoding="utf-8" standalone="yes"?><playerslist>',
    '<?xml version="1.0" encoding="ISO-8859-1"?>\n<playerslist>', "<playerslist a='1'>",
    "<!DOCTYPE playerslist><playerslist>", " \n<playerslist>", "<rss>",
]  # fmt: skip
ENDS = ["</playerslist>\n", "</playerslist>", "\r\n</playerslist >", "</playerslist><!-- -->", "",
        "</playerslist>x", "</playersl", "<player/></playerslist>"]  # fmt: skip
TEXTS: dict[str, list[str]] = {
    "fideid": ["{}", "{}", "{}", " {} ", "", "0", "x", "12345678901", "+5", "\t{}", "&#49;"],
    "name": ["Müller, Jörg", "Tal, Mihail", " A ", "", "x" * 201, "é" * 150, "A &amp; B", "\xa0A",
             "A\u2003", "A\tB", "A\nB", "A\r\nB", "<![CDATA[A]]>", "A<!-- -->B", "]]>", "&lol;",
             "a > b", "\u0085", "A\x7f", "𝔸", "\ufeffA", "\x01", "a]] >", "&#233;", "<b>A</b>"],
    "country": ["GER", "", " RUS ", "Ü", "&lt;"], "sex": ["M", "F", "", " "],
    "title": ["GM", "", "", "g", " IM", "WGM", "XYZ", "m", "G" * 40, "Ö"],
    "w_title": ["", "WGM", "WIM ", "wf"],
    "rating": ["2700", "", "0", " 1500", "99999", "-1", "1e3"],
    "rapid_rating": ["2600", "", "0"], "blitz_rating": ["2500", "", "x"],
    "birthday": ["1980", "", "0000", "1726", "26.06.85", "1980-05-03", "19800503", " 2001 "],
    "flag": ["", "i", "wi", "w", " w"],
    "period": ["2022-Sep-01", "2021-Dec-01", "x" * 30, "2022-é"],
    "o_title": ["FT,IA", "Łódź", "&amp;"], "player_": ["x"], "a.b": ["1"],
}  # fmt: skip
GAPS = ["\n", "\n", "\r\n", "", " ", "\t", "\r", "x", "<!-- c -->", "<?p x?>"]


def chosen(rng: random.Random, values: list[str], plainly: float) -> str:
    return values[0] if rng.random() < plainly else rng.choice(values)


def xml_player(rng: random.Random, number: int, plainly: float) -> str:
    tags = ["fideid", "name", *rng.sample([*TEXTS], rng.randrange(len(TEXTS)))]
    if rng.random() > plainly:
        rng.shuffle(tags)
    gap = chosen(rng, GAPS, plainly)
    fields = [
        f"<{tag}/>"
        if rng.random() < 0.02
        else f"<{tag}>{chosen(rng, TEXTS[tag], plainly).replace('{}', str(number))}</{tag}>"
        for tag in tags
    ]
    return f"<player>{gap}{gap.join(fields)}{gap}</player>{gap}"


def xml_list_of(rng: random.Random) -> bytes:
    plainly = rng.choice((1.0, 0.99, 0.9, 0.5))
    players = "".join(xml_player(rng, number, plainly) for number in range(1, rng.randrange(2, 60)))
    text = chosen(rng, HEADS, plainly) + players + chosen(rng, ENDS, plainly)
    return damaged(rng, text.encode("utf-8", "surrogatepass"), rng.choice((0, 0, 1, 3)))


PIECES = [b"<", b">", b"&", b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbf\xbe", b"</player>", b"]]>",
          b"<player>", b"\n" * 9, b"<!--", b"</name>", b"<a b='c'>", b"\r"]  # fmt: skip


def damaged(rng: random.Random, text: bytes, times: int) -> bytes:
    raw = bytearray(text)
    for _ in range(times):
        place = rng.randrange(len(raw) + 1)
        raw[place : place + rng.choice((0, 1, 7))] = rng.choice([*PIECES, b""])
    return bytes(raw)


Outcome = tuple[list[FidePlayer], int, str, str | None, str]


def outcome(path: str) -> Outcome:
    """Return the players, the invalid ones, the newest period, and the error."""
    players: list[FidePlayer] = []
    error = ""
    with RatingList(path) as rating_list:
        try:
            players.extend(rating_list)
        except RatingListError as refused:
            error = str(refused)
        skipped = rating_list.skipped, rating_list.first_skipped
        return players, *skipped, rating_list.newest_period, error


def without_scanning(monkeypatch: pytest.MonkeyPatch, path: str) -> Outcome:
    with monkeypatch.context() as patched:
        patched.setattr(xml_list, "_PLAIN_HEAD", rb"(?!)")
        patched.setattr(text_list.TextReader, "_scans", lambda *_: False)
        return outcome(path)


def require_equal(monkeypatch: pytest.MonkeyPatch, path: str) -> Outcome:
    scanned, parsed = outcome(path), without_scanning(monkeypatch, path)
    assert scanned[-1] == parsed[-1]
    if scanned[-1]:  # lxml drops up to 32 KB before damage
        assert scanned[0][: len(parsed[0])] == parsed[0]
    else:
        assert scanned == parsed
    return scanned


@pytest.mark.parametrize("seed", range(40))
def test_scanned_xml_is_what_lxml_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = random.Random(seed)
    for number in range(4):
        monkeypatch.setattr(xml_list, "_BLOCK_BYTES", rng.choice((700, 3000, 1 << 18)))
        monkeypatch.setattr(xml_list, "_LINES_TOGETHER", rng.choice((3, 1 << 16)))
        path = tmp_path / f"{rng.choice(('rapid', 'blitz', 'foa'))}{number}.xml"
        path.write_bytes(xml_list_of(rng))
        require_equal(monkeypatch, str(path))


def test_lxml_goes_on_at_the_line_of_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xml_list, "_BLOCK_BYTES", 1 << 12)
    monkeypatch.setattr(xml_list, "_LINES_TOGETHER", 100)
    player = "<player>\n<fideid>{}</fideid>\n<name>A</name>\n</player>\n"
    text = "<playerslist>\n" + "".join(player.format(number) for number in range(1, 2001))
    path = tmp_path / "list.xml"
    path.write_text(f"{text}<player><!-- c --><fideid>9999</fideid></player>\n<name></playerslist>")
    players, skipped, first, _, error = require_equal(monkeypatch, str(path))
    assert (len(players), skipped, first) == (2000, 1, "player 2001")
    assert ": line 8003: " in error


@pytest.mark.parametrize("end", ["<name></playerslist>", "<player>&lol;</player></playerslist>"])
def test_a_list_without_line_ends_has_the_columns_of_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(xml_list, "_BLOCK_BYTES", 100)
    player = "<player><fideid>{}</fideid><name>Müller, A</name></player>"
    path = tmp_path / "list.xml"
    path.write_text("<playerslist>" + "".join(map(player.format, range(1, 31))) + end)
    assert ": line 1: " in require_equal(monkeypatch, str(path))[-1]


def test_lxml_reads_nothing_of_a_plain_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("lxml was called")

    monkeypatch.setattr(xml_list.XmlReader, "_parse", refuse)
    monkeypatch.setattr(xml_list.XmlReader, "_add_alone", refuse)
    path = tmp_path / "list.xml"
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<playerslist>\n<player>\n<fideid>7</fideid>\n'
        "<name>Müller, A</name>\n<title>GM</title>\n<w_title/>\n<rating>2500</rating>\n"
        "<birthday>1980</birthday>\n<period>2022-Sep-01</period>\n</player>\n</playerslist>\n"
    )
    players, *_, period, error = outcome(str(path))
    assert (len(players), period, error) == (1, "2022-09", "")


# --- text in columns ------------------------------------------------------------------------------

COLUMNS = {"ID Number": 15, "Name": 40, "Fed": 4, "Sex": 4, "Tit": 5, "WTit": 5, "OTit": 15,
           "SRtng": 6, "SGm": 4, "RRtng": 6, "BRtng": 6, "B-day": 6, "Flag": 5}  # fmt: skip
CELLS: dict[str, list[str]] = {
    "ID Number": ["{}", " {}", "x", "", "0", "٣"], "Sex": ["M", "F", "", "\t"],
    "Name": ["Tal, Mihail", "Müller", "", "A\0", "x" * 40, "\u2003A"], "SGm": ["0", "12"],
    "Fed": ["GER", "", "GE", "G\u00a0"], "Tit": ["", "GM", "g", "XYZ"], "WTit": ["", "WGM"],
    "OTit": ["", "FT,IA"], "SRtng": ["2500", "0", "", "x", "²"], "RRtng": ["0", "2400"],
    "BRtng": ["0", "2300"], "B-day": ["1980", "0000", "", "01.02.80"[:6]], "Flag": ["", "wi", "i"],
}  # fmt: skip


def text_line(rng: random.Random, columns: list[str], number: int, plainly: float) -> str:
    cells = (
        chosen(rng, CELLS[name], plainly).replace("{}", str(number)).ljust(COLUMNS[name])
        for name in columns
    )
    return "".join(cells) + chosen(rng, ["", "", " ", "\x0b"], plainly)


def text_list_of(rng: random.Random) -> bytes:
    optional = [name for name in COLUMNS if name not in ("ID Number", "Name", "Fed", "Sex")]
    columns = ["ID Number", "Name", "Fed", "Sex", *rng.sample(optional, rng.randrange(10))]
    plainly = rng.choice((1.0, 0.97, 0.7))
    header = "".join(name.ljust(COLUMNS[name]) for name in columns)
    lines = [header, *(text_line(rng, columns, n, plainly) for n in range(rng.randrange(200)))]
    for _ in range(rng.choice((0, 2))):
        lines.insert(rng.randrange(1, len(lines) + 1), rng.choice(["", "   ", "\xa0", "\t"]))
    end = rng.choice(["\n", "\r\n"])
    charset = rng.choice(["utf-8", "utf-8-sig", "cp850"])
    text = end.join(lines) + rng.choice([end, "", "\x1a", end * 3])
    return text.encode(charset, "replace")[: rng.choice((None, None, -5, -50))]


@pytest.mark.parametrize("seed", range(40))
def test_scanned_lines_are_what_python_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = random.Random(seed)
    for number in range(4):
        path = tmp_path / f"{rng.choice(('rapid', 'blitz', 'foa'))}{number}.txt"
        path.write_bytes(text_list_of(rng))
        try:
            RatingList(str(path)).close()
        except RatingListError:
            continue
        require_equal(monkeypatch, str(path))


@pytest.mark.slow
@pytest.mark.skipif("OCGDEDUP_FIDE_LIST" not in os.environ, reason="names no list of FIDE")
def test_a_list_of_fide_is_read_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    players, *_, error = require_equal(monkeypatch, os.environ["OCGDEDUP_FIDE_LIST"])
    assert error == ""
    assert players
