"""Games and pairs as Arrow tables and data frames; what a notebook shows."""

from __future__ import annotations

import datetime
import json
import os
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ocgdedup
from ocgdedup.errors import UsageError
from ocgdedup.notebook import _date
from tests.support.databases import query, value
from tests.support.pgn_text import game
from tests.support.played_games import EXPECTED_COPIES, EXPECTED_SUSPECTS, collection_text

NOTEBOOK = Path("docs/notebook.ipynb").absolute()
DEMO = Path("scripts").absolute()
EVERYTHING = ocgdedup.Selection(with_duplicates=True)
ODD = game("1. e4 e5 *", White="<script>alert(1)</script>", Date="2019.02.31")


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(collection_text() + ODD, encoding="utf-8")
    ocgdedup.create("a.db3", "in.pgn")
    ocgdedup.dedup("a.db3")
    return "a.db3"


def test_games_are_rows_of_the_database(database: str) -> None:
    sql = "SELECT ID, PlyCount, WhiteElo, DuplicateStatus FROM FlaggedGames ORDER BY ID"
    with ocgdedup.open(database) as opened:
        table = opened.games(EVERYTHING).to_arrow()
        frame = opened.games(EVERYTHING).to_pandas()
        polars = opened.games(EVERYTHING).to_polars()
    names = ["ID", "PlyCount", "WhiteElo", "DuplicateStatus"]
    expected = query(database, sql)
    assert list(zip(*(table.column(name).to_pylist() for name in names), strict=True)) == expected
    assert polars.select(names).rows() == expected
    assert [str(frame.dtypes[name]) for name in names[:3]] == ["Int64", "Int32", "Int32"]
    assert frame["ID"].tolist() == [row[0] for row in expected]
    assert frame["WhiteElo"].isna().sum() == sum(row[2] is None for row in expected)


def test_dates_are_parsed(database: str) -> None:
    with ocgdedup.open(database) as opened:
        table = opened.games(EVERYTHING).to_arrow()
    for text, result in zip(
        table.column("Date").to_pylist(), table.column("ParsedDate").to_pylist(), strict=True
    ):
        whole = "?" not in text and text != "2019.02.31"
        assert result == (datetime.date(*map(int, text.split("."))) if whole else None)
    assert _date(2019, 2, 31) is None


def test_pairs_have_all_terms(database: str) -> None:
    with ocgdedup.open(database) as opened:
        table = opened.pairs().to_arrow()
    rows = table.to_pylist()
    assert len(rows) == len(EXPECTED_COPIES) + len(EXPECTED_SUSPECTS)
    terms = [name for name in table.column_names if name.endswith("Evidence")][1:]
    for row in rows:
        if row["MovesEvidence"] is not None:
            assert sum(row[name] for name in terms) == pytest.approx(row["Score"], abs=0.06)
    ocgdedup.report(database, "r.parquet")
    ocgdedup.report(database, "r.json")
    import pyarrow.parquet

    assert pyarrow.parquet.read_table("r.parquet").to_pylist() == rows
    assert json.loads(Path("r.json").read_text(encoding="utf-8")) == rows


def test_a_go_database_has_tables_too(tmp_path: Path) -> None:
    sgf = DEMO / "demo_go"
    ocgdedup.create(tmp_path / "go.db3", sorted(sgf.glob("*.sgf")))
    ocgdedup.dedup(tmp_path / "go.db3")
    with ocgdedup.open(tmp_path / "go.db3") as opened:
        assert opened.games().to_arrow().column("BoardLines").to_pylist()[0] == 19
        assert opened.pairs().to_arrow().num_rows > 0
        assert "<svg" not in opened.pair(2, 7)._repr_html_()


def test_what_a_notebook_shows(database: str) -> None:
    with ocgdedup.open(database) as opened:
        html = opened.games(EVERYTHING)._repr_html_()
        assert html.count("<tr>") == 11
        assert "The first 10 rows." in html
        last = value(database, "SELECT max(ID) FROM Games")
        odd = opened.games(ocgdedup.Selection(where=f"ID = {last}"))._repr_html_()
        assert "&lt;script&gt;" in odd
        assert "<script" not in odd
        assert "<svg" in opened.game(1)._repr_svg_()
        (first, second) = query(
            database,
            "SELECT DuplicateGroup, ID FROM FlaggedGames WHERE DuplicateStatus = 'join' LIMIT 1",
        )[0]
        pair = opened.pair(first, second)
        html = pair._repr_html_()
        assert html.count("<svg") == 2
        assert f"game {first}" in html
        assert "differ" in str(pair)
        ElementTree.fromstring(html[: html.index("<p>")])  # every element is closed
        with pytest.raises(KeyError):
            opened.pair(first, 10**9)


def test_a_module_that_is_not_there(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "polars", None)
    with ocgdedup.open(database) as opened, pytest.raises(UsageError, match="pip install polars"):
        opened.games().to_polars()


def test_the_notebook_of_the_documents_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its own folder, which stays as it is: that of the sources has no kernels to import."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(NOTEBOOK.parent)
    before = set(os.listdir())
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    names: dict[str, object] = {}
    codes = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(codes) > 5
    for code in codes:
        exec(compile(code, str(NOTEBOOK), "exec"), names)
    assert set(os.listdir()) == before
    assert all(cell.get("outputs") == [] for cell in cells if cell["cell_type"] == "code")
