"""The page of a report: texts, notes about omitted data, colours, size of files."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ocgdedup.reports
from ocgdedup.pipeline.players.unresolved_names import UnresolvedName
from ocgdedup.pipeline.search.overview import (
    Bin,
    ClassCount,
    Limits,
    NameMerge,
    Overview,
    PairDetail,
    ReviewPair,
    SourcePair,
    Term,
    Totals,
)
from ocgdedup.reports.html_charts import _round_top
from ocgdedup.reports.html_report import pieces_html, write_html_report
from ocgdedup.store.reports import Cut, Reject, ReportedGame
from tests.support.html_page import Page

FOLDER = Path(ocgdedup.reports.__file__).parent / "html"
ODD = "lone \udce4, nul \0, </SCRIPT >, é"

TOTALS = Totals(
    games=1000, deleted=0, duplicates=400, groups=300, with_merged_header=1,
    with_merged_notes=0, possible_duplicates=1, same=0,
    different=0,
    rejects=0, cuts=0, persons=0, persons_with_fide_id=0, names=0, unresolved_names=0,
    sources=2,
)  # fmt: skip
EMPTY = Overview(
    path="folder/a.db3", flagged_at="2026-01-02T03:04:05Z", is_stale=False,
    totals=TOTALS._replace(duplicates=0, groups=0, with_merged_header=0, possible_duplicates=0),
    classes=[], sources=[], years=[], lengths=[], qualities=[], names=[], rejects=[], cuts=[],
    pairs=[], games={}, tags_before={}, limits=Limits(),
)  # fmt: skip


def game(game_id: int, white: str | None = "White", *, removed: int = 0) -> ReportedGame:
    return ReportedGame(
        game_id, white, "Black", None, "Site", "1999.??.??", None, "1-0", 2500, None, "C65", 80,
        "a.pgn", game_id, 55, 0, 0, removed,
    )  # fmt: skip


def page(overview: Overview) -> Page:
    handle = io.BytesIO()
    listed = write_html_report(handle, overview, made_at="2026-01-02 03:04 UTC")
    assert listed == len(overview.pairs)
    return Page(handle.getvalue().decode("utf-8"))


def test_head() -> None:
    words = page(EMPTY).words
    assert "Duplicates in a.db3" in words
    assert "Database folder/a.db3 · last search 2026-01-02 03:04 UTC" in words
    assert re.search(r"written 2026-01-02 03:04 UTC by ocgdedup \d", words)
    assert "JavaScript is off" in words
    assert "changed since the last search" not in words
    assert "changed since the last search" in page(EMPTY._replace(is_stale=True)).words


def test_odd_texts() -> None:
    """A lone surrogate is written as an escape, so that the file is UTF-8."""
    overview = EMPTY._replace(
        path=ODD,
        pairs=[ReviewPair(1, 2, "exact", None, 9.0)],
        games={1: game(1, ODD), 2: game(2, None)},
        names=[NameMerge(ODD, None, ODD, None, "game", "stage", None, None)],
        rejects=[Reject(ODD, 1, 2, ODD)],
        cuts=[Cut(None, 1, None, 5, 6, ODD, "x" * 500)],
        classes=[ClassCount("exact", ODD, 1, 0)],
        sources=[SourcePair(ODD, None, 1)],
    )
    html = page(overview)
    data = html.data
    assert ODD in data["texts"]
    assert data["texts"][data["games"]["white"][0]] == ODD
    assert data["texts"][data["games"]["white"][1]] == ""
    assert data["names"][0] == data["names"][2]
    shown = data["texts"][data["cuts"][6][0]]
    assert shown == "x" * 200 + " …"
    assert html.words.count("</SCRIPT >") >= 2
    assert sum(name == "script" for name, _ in html.elements) == 2


def test_omitted_rows_are_mentioned() -> None:
    pairs = [ReviewPair(1, 2, "exact", None, 9.0), ReviewPair(1, 3, "exact", None, 10.0)]
    games = {number: game(number) for number in (1, 2, 3)}
    overview = EMPTY._replace(
        totals=TOTALS, classes=[ClassCount("exact", None, 400, 0)], pairs=pairs, games=games
    )
    words = page(overview).words
    assert "The first 2 of 400 pairs are listed" in words
    assert "Possible duplicates not listed: 1." in words
    assert "Moves and evidence are shown for the first 0 of 2 exact duplicates." in words
    detail = PairDetail(None, [Term("moves", 2.0, ""), Term("foreign", None, "")])
    whole = overview._replace(
        totals=TOTALS._replace(possible_duplicates=0),
        classes=[ClassCount("exact", None, 2, 0)],
        pairs=[pair._replace(detail=detail) for pair in pairs],
    )
    html = page(whole)
    assert "are listed" not in html.words
    assert "All pairs have moves and evidence." in html.words
    names = [html.data["texts"][term[0]] for term in html.data["details"]["0"]["terms"]]
    assert names == ["moves", "foreign"]


def test_unresolved_names() -> None:
    rows = [UnresolvedName(ODD, 3, "Oster, J (0.700)", "others fit as well", "--same")]
    totals = TOTALS._replace(persons=1, unresolved_names=1)
    html = page(EMPTY._replace(totals=totals, unresolved_names=rows))
    texts = html.data["texts"]
    games, *columns = html.data["unresolved"]
    assert (games, [texts[column[0]] for column in columns]) == (
        [3], [ODD, "Oster, J (0.700)", "others fit as well", "--same"],
    )  # fmt: skip
    assert html.totals["names with games of unknown players"] == 1
    assert "1 name has games of unknown players" in html.words
    assert "are listed, those with the most games" not in html.words
    totals = totals._replace(unresolved_names=2000)
    words = page(EMPTY._replace(totals=totals, unresolved_names=rows)).words
    assert "2,000 names have games of unknown players" in words
    assert "The first 1 are listed, those with the most games" in words


def test_sources_beyond_the_first() -> None:
    """Bars for twenty pairs of files, a table for the others; the sum is complete."""
    sources = [SourcePair(f"/x/{number}.pgn", "/x/y/z.pgn", 1000 - number) for number in range(700)]
    html = page(EMPTY._replace(sources=sources))
    rows = [row for row in html.figures["sources"] if len(row) > 2 and row[2][:1].isdecimal()]
    assert rows[0][:3] == ["0.pgn", "y/z.pgn", "1,000"]
    assert sum(len(row) == 5 for row in rows) == 20
    assert rows[-1][0] == "200 other pairs"
    total = sum(pair.games for pair in sources)
    assert sum(int(row[2].replace(",", "")) for row in rows) == total


@pytest.mark.parametrize(
    ("years", "bars"),
    [([(1999, 4)], 1), ([(1475, 1), (1999, 3), (None, 7)], 27), ([(0, 1), (9999, 2)], 40)],
)
def test_years(years: list[tuple[int | None, int]], bars: int) -> None:
    html = page(EMPTY._replace(years=years))
    counts = html.counts("years")
    assert counts == {"not known" if year is None else str(year): count for year, count in years}
    svg = next(a for name, a in html.elements if name == "svg" and a.get("role") == "img")
    assert svg["viewbox"] == f"0 0 {bars} 100"
    heights = [
        float(attributes["height"] or 0)
        for name, attributes in html.elements
        if name == "rect" and attributes.get("class") == "first"
    ]
    assert len(heights) == len([year for year, _ in years if year is not None])
    known = [count for year, count in years if year is not None]
    assert max(heights) / min(heights) == pytest.approx(max(known) / min(known))


@pytest.mark.parametrize(
    ("value", "top"), [(0, 2), (1, 2), (2, 2), (3, 4), (17.6, 20), (18, 20), (21, 40), (999, 1000)]
)
def test_scales_end_with_round_numbers(value: float, top: float) -> None:
    assert _round_top(value) == top


def test_shares() -> None:
    bins = [Bin(0, 1, 0), Bin(10, 2, 5), Bin(20, 1, 0)]
    html = page(EMPTY._replace(lengths=bins))
    head, *rows = html.figures["lengths"]
    assert head == ["plies", "all records", "share", "duplicates", "share"]
    assert rows == [
        ["0–9", "1", "25.0 %", "0", "0.0 %"],
        ["10–19", "2", "50.0 %", "5", "100.0 %"],
        ["20 and more", "1", "25.0 %", "0", "0.0 %"],
    ]


def test_numbers_are_compact() -> None:
    """A duplicate with equal moves takes about a hundred bytes plus its names."""
    count = 2000
    games = {number: game(number) for number in range(1, 2 * count + 1)}
    pairs = [ReviewPair(n, n + count, "exact", None, 25.5) for n in range(1, count + 1)]
    with_pairs = len(json.dumps(page(EMPTY._replace(pairs=pairs, games=games)).data))
    assert with_pairs / count < 220  # of json.dumps, with blanks


# --- the files of the page ------------------------------------------------------------------------


def colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block))


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(left: str, right: str) -> float:
    high, low = sorted((luminance(left), luminance(right)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def palettes() -> list[dict[str, str]]:
    style = (FOLDER / "report.css").read_text(encoding="utf-8").partition("@media print")[0]
    return [colours(block) for block in re.findall(r":root[^{]*\{([^}]*)\}", style)]


def test_contrast_of_colours() -> None:
    """WCAG AA: 4.5 for text, 3 for what is drawn; light, dark by the system, dark by choice."""
    light, dark, chosen_dark = palettes()
    assert dark == chosen_dark
    for palette in (light, dark):
        for text in ("text", "muted", "link", "second"):
            for ground in ("page", "card"):
                assert contrast(palette[text], palette[ground]) >= 4.5, (text, ground)
        for text in ("text", "muted"):
            assert contrast(palette[text], palette["differs"]) >= 4.5
        assert contrast(palette["text"], palette["chosen"]) >= 4.5
        assert contrast(palette["second"], palette["chosen"]) >= 4.5
        for drawn in ("first", "second", "for", "against", "control"):
            assert contrast(palette[drawn], palette["card"]) >= 3, drawn
        assert len(palette) == len(light)


def test_files_of_the_page() -> None:
    files = sorted(FOLDER.iterdir())
    assert len(files) == 12
    for file in files:
        lines = file.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 400, file.name
        assert max(map(len, lines)) <= 100, file.name
    scripts = "".join(file.read_text(encoding="utf-8") for file in files if file.suffix == ".js")
    assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|\beval\b", scripts)
    assert "</script" not in scripts.lower()


def test_pieces_can_be_drawn_under_the_policy() -> None:
    root = ElementTree.fromstring(pieces_html())
    names = {symbol.get("id") for symbol in root.iter("symbol")}
    assert len(names) == 12
    assert {"piece-white-king", "piece-black-pawn"} <= names
    for element in root.iter():
        assert element.get("style") is None
    # Equal attributes twice would be no XML; each path has a line or is filled.
    assert sum(1 for _ in root.iter("path")) > 24


def test_many_files_of_one_game_each_are_shown_by_folder() -> None:
    """Pairs of files with one or two duplicates are not informative; their folders are."""
    pairs = [SourcePair(f"go/a/{n}.sgf", f"go/b/{n}.sgf", 1 + (n < 3)) for n in range(30)]
    pairs += [SourcePair("go/b/x.sgf", None, 1)]
    rows = page(EMPTY._replace(sources=pairs)).figures["sources"]
    assert [row[:3] for row in rows[1:]] == [["a/", "b/", "33"], ["b/", "not known", "1"]]
    few = page(EMPTY._replace(sources=pairs[:5])).figures["sources"]
    assert few[1][:3] == ["a/0.sgf", "b/0.sgf", "2"]
    many = page(EMPTY._replace(sources=[SourcePair("x.pgn", "y.pgn", 3), *pairs]))
    assert many.figures["sources"][1][:3] == ["x.pgn", "y.pgn", "3"]
