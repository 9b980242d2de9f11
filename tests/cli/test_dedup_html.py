"""dedup --report FILE.html: numbers equal those of SQL, and nothing in a game becomes markup."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from math import floor
from pathlib import Path

import pytest

from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command
from tests.support.databases import change, dump, query, value
from tests.support.dedup_results import ids
from tests.support.html_page import Page
from tests.support.played_games import EXPECTED_COPIES, EXPECTED_SUSPECTS

CLASSES = {
    "exact": "exact",
    "subsumption": "truncated, longer or diverging",
    "join": "near-identical",
}
_COPIES = (
    "FROM FlaggedGames AS C JOIN FlaggedGames AS M ON M.ID = C.DuplicateGroup "
    "WHERE C.DuplicateStatus <> ''"
)


@pytest.fixture
def report(command: Command, made: str) -> Page:
    status, out, err = command("dedup", made, "--report", "r.html")
    assert status == 0
    assert "\nreport: r.html\n" in err
    assert out.startswith("#games: ")
    return Page.of("r.html")


def test_totals_are_those_of_the_database(report: Page, made: str) -> None:
    copies = value(made, f"SELECT count(*) {_COPIES}")
    games = value(made, "SELECT count(*) FROM Games")
    assert copies == len(EXPECTED_COPIES)
    assert report.totals == {
        "games in the database": games,
        "unique games": games - copies,
        "duplicates, flagged": copies,
        **{
            words: value(
                made, "SELECT count(*) FROM FlaggedGames WHERE DuplicateStatus = ?", status
            )
            for status, words in (
                ("exact", "exact duplicates"),
                ("subsumption", "truncated, longer or diverging duplicates"),
                ("join", "near-identical duplicates"),
            )
        },
        "duplicate groups": value(made, f"SELECT count(DISTINCT M.ID) {_COPIES}"),
        "possible duplicates to decide": len(EXPECTED_SUSPECTS),
        "possible duplicates decided": 0,
        "kept games with merged headers": value(
            made, "SELECT count(DISTINCT GameID) FROM MergedTags"
        ),
        "kept games with merged annotations": value(
            made, "SELECT count(DISTINCT GameID) FROM MergedNotes"
        ),
        "players": 0,
        "names with games of unknown players": 0,
        "players with a FIDE ID": 0,
        "input files": 1,
        "rejected texts": 0,
        "games read up to an error": 0,
    }


def test_charts_are_those_of_the_database(report: Page, made: str) -> None:
    classes = query(
        made, f"SELECT C.DuplicateStatus, C.DuplicateReason, count(*) {_COPIES} GROUP BY 1, 2"
    )
    assert report.counts("classes") == {
        f"{CLASSES[status]} ({reason})" if reason else CLASSES[status]: count
        for status, reason, count in classes
    }
    assert list(report.counts("sources", 2, 2).values()) == [len(EXPECTED_COPIES)]
    games = value(made, "SELECT count(*) FROM Games")
    files = [list(report.counts("files", column=column).values()) for column in range(1, 4)]
    assert files == [[games], [games - len(EXPECTED_COPIES)], [len(EXPECTED_COPIES)]]
    years = query(made, f"SELECT substr(M.Date, 1, 4), count(*) {_COPIES} GROUP BY 1")
    assert report.counts("years") == {
        "not known" if "?" in (year or "?") else year: count for year, count in years
    }
    for column, games in ((1, "FROM Games AS C"), (3, _COPIES)):
        lengths = query(made, f"SELECT C.PlyCount / 10 * 10, count(*) {games} GROUP BY 1")
        assert _by_first(report.counts("lengths", column=column)) == dict(lengths)
    scores = query(
        made,
        "SELECT HeaderScore / 8 * 8, count(*) FROM FlaggedGames "
        "WHERE DuplicateGroup = ID GROUP BY 1",
    )
    assert _by_first(report.counts("quality")) == dict(scores)
    after = report.counts("quality", column=3)
    assert sum(after.values()) == sum(count for _, count in scores)


def test_scores_are_those_of_the_pairs(report: Page) -> None:
    for column, kinds in ((1, ("exact", "subsumption", "join")), (2, ("suspect",))):
        scores = [row["score"] for row in report.pairs() if row["kind"] in kinds]
        known = Counter(floor(score / 2) * 2 for score in scores if score is not None)
        counts = {int(first): count for first, count in report.counts("scores", 1, column).items()}
        assert {first: count for first, count in counts.items() if count} == known


def _by_first(counts: dict[str, int]) -> dict[int, int]:
    result = ((re.match(r"\d+", label), count) for label, count in counts.items())
    return {int(match[0]): count for match, count in result if match and count}


def test_headers_are_better_after_the_merge(report: Page) -> None:
    def points(column: int) -> int:
        counts = _by_first(report.counts("quality", column=column))
        return sum(first * count for first, count in counts.items())

    assert points(3) > points(1)


def test_all_pairs_are_listed(report: Page, made: str) -> None:
    pairs = report.pairs()
    copies = query(made, f"SELECT M.ID, C.ID, C.DuplicateStatus, C.DuplicateReason {_COPIES}")
    listed = [(row["left"], row["right"], row["kind"], row["reason"]) for row in pairs]
    suspects = query(made, "SELECT GameID1, GameID2, 'suspect', Class FROM Suspects")
    assert Counter(listed) == Counter(copies + suspects)
    kinds = [row["kind"] for row in pairs]
    assert kinds == sorted(kinds, key=["suspect", "join", "subsumption", "exact"].index)
    for kind in ("join", "subsumption", "exact"):
        scores = [row["score"] or -99 for row in pairs if row["kind"] == kind]
        assert scores == sorted(scores)
    scores = [row["score"] for row in pairs if row["kind"] == "suspect"]
    assert scores == sorted(scores, reverse=True)


def test_evidence_is_that_of_explain(command: Command, report: Page, made: str) -> None:
    texts = report.data["texts"]
    checked = 0
    for row in report.pairs():
        out = command("dedup", made, "--explain", row["left"], row["right"]).out
        if not row["detail"]["terms"]:
            assert "differ too much" in out
            continue
        for name, number, words in row["detail"]["terms"]:
            assert f"  {texts[name]:<12}{number:+6.1f}  {texts[words]}".rstrip() in out.splitlines()
        total = re.search(r"^  sum +(\S+)", out, re.MULTILINE)
        assert total
        assert float(total[1]) == pytest.approx(row["score"], abs=0.051)
        checked += 1
    assert checked > len(EXPECTED_COPIES) / 2


def test_stored_evidence_of_suspects_counts(command: Command, made: str) -> None:
    """The stored evidence is shown, even if made with other weights."""
    command("dedup", made)
    change(made, "UPDATE Suspects SET Evidence = 'moves +1.5, my own words', Score = 1.5")
    command("dedup", made, "--report", "r.html")
    page = Page.of("r.html")
    texts = page.data["texts"]
    rows = [row for row in page.pairs() if row["kind"] == "suspect"]
    assert len(rows) == len(EXPECTED_SUSPECTS)
    for row in rows:
        terms = [(texts[name], number) for name, number, _ in row["detail"]["terms"]]
        assert (terms, row["score"]) == ([("moves", 1.5), ("my own words", None)], 1.5)


def test_decided_suspects_come_after_the_others(command: Command, made: str) -> None:
    command("dedup", made)
    ((first, second),) = query(
        made, "SELECT GameID1, GameID2 FROM Suspects ORDER BY Score DESC LIMIT 1"
    )
    sql = "UPDATE Suspects SET Decision = 'different' WHERE GameID1 = ? AND GameID2 = ?"
    change(made, sql, first, second)
    command("dedup", made, "--report", "r.html")
    page = Page.of("r.html")
    suspects = [row for row in page.pairs() if row["kind"] == "suspect"]
    assert (suspects[-1]["left"], suspects[-1]["right"]) == (first, second)
    assert [row["decision"] for row in suspects] == [None] * (len(suspects) - 1) + ["different"]
    assert page.totals["possible duplicates decided"] == 1
    assert page.totals["possible duplicates to decide"] == len(suspects) - 1


def test_tags_before_the_merge(report: Page, made: str) -> None:
    texts = report.data["texts"]
    pages = {
        (int(game), texts[tag], texts[before] or None)
        for game, tags in report.data["before"].items()
        for tag, before in tags
    }
    assert pages == set(query(made, "SELECT GameID, Tag, Before FROM MergedTags"))


def test_deleted_copies_are_listed_as_such(command: Command, made: str) -> None:
    command("dedup", made, "--report", "r.html", "--delete")
    page = Page.of("r.html")
    assert page.totals["duplicates, flagged"] == len(EXPECTED_COPIES)
    assert not any(row["deleted"] for row in page.pairs())
    assert "No game had been deleted when this report was written" in page.words
    command("dedup", made, "--report", "later.html")
    later = Page.of("later.html")
    assert later.totals["duplicates, flagged"] == 0
    deleted = value(made, "SELECT count(*) FROM RemovedGames")
    assert later.totals["duplicates deleted, can be restored"] == deleted == len(EXPECTED_COPIES)
    copies = [row for row in later.pairs() if row["kind"] != "suspect"]
    assert [row["deleted"] for row in copies] == [True] * deleted
    assert later.counts("classes") == page.counts("classes")
    assert later.counts("lengths") == page.counts("lengths")


def test_what_was_dropped_for_good_is_no_longer_listed(command: Command, made: str) -> None:
    command("dedup", made, "--delete")
    command("dedup", made, "--purge", "--report", "r.html")
    page = Page.of("r.html")
    headers = {
        game_id
        for (game_id,) in query(made, "SELECT ID FROM Games UNION SELECT ID FROM RemovedGames")
    }
    command("dedup", made, "--report", "later.html")
    later = Page.of("later.html")
    assert {row["kind"] for row in later.pairs()} <= {"suspect"}
    assert all({row["left"], row["right"]} <= headers for row in later.pairs())
    assert page.totals["games in the database"] == later.totals["games in the database"]


# --- what a page must not do ---------------------------------------------------------------------

ODD = '</script><img src=x onerror=alert(1)> & "q" \u2028 @data@ <!-- ]]>'
MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O"


def odd_game(moves: str) -> str:
    name = ODD.replace("\\", "\\\\").replace('"', '\\"')
    tags = [("Event", name), ("Date", "1999.09.09"), ("Round", "7"), ("White", name)]
    tags += [("Black", "Grünfeld, Ernst"), ("Result", "1-0"), (f"X{'y' * 3}", name)]
    return "\n".join(f'[{tag} "{text}"]' for tag, text in tags) + f"\n\n{moves} 1-0\n\n"


@pytest.fixture
def odd(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    monkeypatch.chdir(tmp_path)
    text = odd_game(MOVES) + odd_game(MOVES) + odd_game(f"{MOVES} 9. h3 Ke4 {ODD}")
    source = Path("<b>&amp;.pgn")
    source.write_text(text + "no game <i>at all</i>\n\n", encoding="utf-8")
    assert command("create", "<u>&'.db3", source).status == 1
    assert command("dedup", "<u>&'.db3", "--report", "r.html").status == 0
    return Page.of("r.html")


def test_odd_texts_stay_texts(odd: Page) -> None:
    names = Counter(name for name, _ in odd.elements)
    assert (names["script"], names["style"], names["img"], names["b"], names["u"]) == (
        2,
        1,
        0,
        0,
        0,
    )
    texts = odd.data["texts"]
    assert ODD in texts
    assert any(text.endswith("<b>&amp;.pgn") for text in texts)
    assert not re.search("[<>&\u2028\u2029]", odd.scripts[0])
    assert "Duplicates in <u>&'.db3" in odd.words
    assert odd.data["shellName"] == "'<u>&'\"'\"'.db3'"


def test_rejects_and_cuts(odd: Page) -> None:
    database = "<u>&'.db3"
    texts = odd.data["texts"]
    rows = list(zip(*odd.data["cuts"], strict=True))
    cuts = query(
        database, "SELECT Line, SourceNumber, GameID, Ply, Reason FROM Faults "
        "JOIN Games ON Games.ID = GameID",
    )  # fmt: skip
    assert [(*row[1:5], texts[row[5]]) for row in rows] == cuts
    assert len(cuts) == odd.totals["games read up to an error"] == 1
    rejects = query(database, "SELECT Line, SourceNumber, Reason FROM Rejects")
    rows = list(zip(*odd.data["rejects"], strict=True))
    assert [(row[1], row[2], texts[row[3]]) for row in rows] == rejects
    assert len(rejects) == odd.totals["rejected texts"] == 1


def assert_loads_nothing(page: Page) -> None:
    for name, attributes in page.elements:
        assert name not in ("link", "img", "iframe", "object", "embed", "base")
        for attribute in ("src", "href", "xlink:href", "action", "data", "srcset"):
            assert (attributes.get(attribute) or "#").startswith("#"), (name, attributes)
        assert not any(key.startswith("on") or key == "style" for key in attributes)
    assert not re.search(r"url\(|@import|@font-face", page.styles[0])
    assert not re.search(r"innerHTML|outerHTML|document\.write|eval\(", page.scripts[1])
    assert "http" not in page.scripts[1].replace("http://www.w3.org/2000/svg", "")


def test_loads_nothing(odd: Page) -> None:
    assert_loads_nothing(odd)
    policies = [
        result["content"] or ""
        for name, result in odd.elements
        if name == "meta" and result.get("http-equiv") == "Content-Security-Policy"
    ]
    digests = [
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        for text in (odd.styles[0], odd.scripts[1])
    ]
    assert policies == [
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; "
        "base-uri 'none'; form-action 'none'"
    ]


def test_names_of_players(command: Command, made: str) -> None:
    command("dedup", made)
    (first, second), (other, _) = query(made, "SELECT ID, Name FROM Players WHERE ID > 1 LIMIT 2")
    change(made, "INSERT INTO Persons (ID, Name, FideID) VALUES (1, 'Person, One', 4711)")
    change(made, "INSERT INTO Persons (ID, Name) VALUES (2, ?)", second)
    for row in ((first, 2, "name", "exact", 1.0, None), (other, 1, "game", "phonetic", 0.876, ODD)):
        change(made, "INSERT INTO Resolutions VALUES (?, ?, ?, ?, ?, ?, 0.9)", *row)
    change(made, "UPDATE Games SET WhitePersonID = 2 WHERE WhiteID = ?", first)
    games = value(made, "SELECT count(*) FROM Games WHERE WhitePersonID = 2")
    command("dedup", made, "--no-players", "--report", "r.html")
    page = Page.of("r.html")
    texts = page.data["texts"]
    rows = [
        tuple(
            texts[field] if place in (0, 2, 4, 5, 7) else field for place, field in enumerate(row)
        )
        for row in zip(*page.data["names"], strict=True)
    ]
    ((name,),) = query(made, "SELECT Name FROM Players WHERE ID = ?", other)
    assert (second, games, second, None, "name", "exact", 1.0, "") in rows
    assert (name, 0, "Person, One", 4711, "game", "phonetic", 0.88, ODD) in rows
    assert (page.totals["players"], page.totals["players with a FIDE ID"]) == (2, 1)


# --- files ---------------------------------------------------------------------------------------


def test_an_empty_database(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.pgn").write_text("")
    command("create", "a.db3", "a.pgn")
    assert command("dedup", "a.db3", "--report", "r.HTML").status == 0
    page = Page.of("r.HTML")
    assert page.pairs() == []
    assert "There are no duplicates and no possible duplicates." in page.words
    assert_loads_nothing(page)


def test_is_not_overwritten_unasked(command: Command, made: str) -> None:
    Path("r.html").write_text("mine")
    status, out, err = command("dedup", made, "--report", "r.html")
    assert (status, out) == (2, "")
    assert err == "ocgdedup: error: r.html: already exists; overwrite it with --force\n"
    assert Path("r.html").read_text() == "mine"
    assert command("dedup", made, "--report", "r.html", "--force").status == 0
    assert Page.of("r.html").pairs()


def test_what_cannot_be_written_changes_nothing(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    before = dump(made)
    monkeypatch.setattr("ocgdedup.reports.html_report.write_html_report", fail)
    status, out, err = command("dedup", made, "--report", "r.html")
    assert (status, out) == (2, "")
    assert "r.html: cannot be written: No space left on device" in err
    assert dump(made) == before
    assert not [*Path().glob("r.html*")]


def test_moves_that_do_not_replay(command: Command, made: str) -> None:
    """The report says so; the run itself succeeds."""
    command("dedup", made)
    of = ids(made)
    blob = value(made, "SELECT Moves2 FROM Games WHERE ID = ?", of["14"])
    change(made, "UPDATE Games SET Moves2 = ? WHERE ID = ?", b"\0\1" + blob[2:], of["14"])
    assert command("dedup", made, "--report", "r.html").status == 0
    rows = [row for row in Page.of("r.html").pairs() if of["14"] in (row["left"], row["right"])]
    assert any("do not replay" in row["detail"]["words"] for row in rows)


def test_a_database_that_is_upgraded_in_the_same_run(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    san = re.sub(r"\d+\.", "", MOVES).split()
    games = [OcgdbGame("Alpha, Ann", "Beta, Bob", " ".join(san))] * 2
    write_ocgdb("ocgdb.db3", games)
    assert command("dedup", "ocgdb.db3", "--upgrade", "--report", "r.html").status == 0
    (pair,) = Page.of("r.html").pairs()
    assert (pair["left"], pair["right"]) in ((1, 2), (2, 1))
