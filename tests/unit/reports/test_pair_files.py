"""Files of pairs: what is written, and that it is read back."""

from __future__ import annotations

import contextlib
import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ocgdedup.commands.outputs import new_file
from ocgdedup.errors import UsageError
from ocgdedup.pipeline.search.overview import ReportedPair
from ocgdedup.reports.pair_files import COLUMNS, read_rows, write_report
from ocgdedup.store.duplicates import PairSide, StoredPair
from ocgdedup.tables.formats import REPORT_FORMATS, kind_of

MASTER = PairSide(
    3, 'Smith, "Jo"', "Ö", "Open", "1999.01.02", "3", "1-0", 80, None, b"", 61, 0, 1, "a.pgn", 2
)
COPY = PairSide(
    17, "Smith,J", "Ö", None, "????.??.??", None, "*", 78, None, b"", 12, 1, 0, "b.pgn", 5
)
JOIN = ReportedPair(
    StoredPair(
        "join", 3, "partial", "join", 19.5000000001, "moves +20.0", None, None, COPY, MASTER
    ),
    79,
    {"moves": 20.0, "site": -0.5},
)
POSSIBLE_DUPLICATE = ReportedPair(
    StoredPair("suspect", None, None, "exact", 0.5, "same\ndate; ö", "same", "a =", COPY, MASTER),
    None,
)
EXPECTED = {
    "Group": 3, "GameID": 17, "MasterID": 3, "Status": "join", "Reason": "partial",
    "Class": "join", "Score": 19.5, "Evidence": "moves +20.0", "SuspectedFalse": None,
    "Decision": None, "Note": None,
    "White": "Smith,J", "MasterWhite": 'Smith, "Jo"', "Black": "Ö", "MasterBlack": "Ö",
    "Event": None, "MasterEvent": "Open", "Date": "????.??.??", "MasterDate": "1999.01.02",
    "Round": None, "MasterRound": "3", "Result": "*", "MasterResult": "1-0",
    "Plies": 78, "MasterPlies": 80, "FirstDifference": 79,
    "HeaderScore": 12, "MasterHeaderScore": 61, "HasComments": 1, "HasVariations": 0,
    "Source": "b.pgn", "SourceNumber": 5, "MasterSource": "a.pgn", "MasterSourceNumber": 2,
    "MovesEvidence": 20.0, "WhiteEvidence": None, "BlackEvidence": None, "DateEvidence": None,
    "RoundEvidence": None, "EventEvidence": None, "SiteEvidence": -0.5, "ResultEvidence": None,
    "EloEvidence": None, "SourceEvidence": None, "ColoursEvidence": None,
    "DifferencesEvidence": None,
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_json(folder: Path) -> None:
    assert write_report("a.json", [JOIN, POSSIBLE_DUPLICATE], new_file) == 2
    text = Path("a.json").read_text(encoding="utf-8")
    assert "Ö" in text
    assert len(text.splitlines()) == 4  # an object a line, between brackets
    first, second = json.loads(text)
    assert first == EXPECTED
    assert list(first) == list(COLUMNS)
    suspect = {key: value for key, value in second.items() if value != EXPECTED[key]}
    assert suspect == {
        "Group": None, "Status": "suspect", "Reason": None, "Class": "exact", "Score": 0.5,
        "Evidence": "same\ndate; ö", "Decision": "same", "Note": "a =", "FirstDifference": None,
        "MovesEvidence": None, "SiteEvidence": None,
    }  # fmt: skip


def test_csv(folder: Path) -> None:
    assert write_report("a.csv", [JOIN, POSSIBLE_DUPLICATE], new_file) == 2
    with open("a.csv", encoding="utf-8", newline="") as handle:
        first, second = csv.DictReader(handle)
    assert first == {key: "" if v is None else str(v) for key, v in EXPECTED.items()}
    assert (second["Evidence"], second["Score"]) == ("same\ndate; ö", "0.5")
    assert Path("a.csv").read_bytes().startswith(b"Group,GameID,MasterID,Status,")
    assert Path("a.csv").read_bytes().count(b"\r\n") == 3


@pytest.mark.parametrize("name", ["a.csv", "a.json"])
def test_no_pairs(folder: Path, name: str) -> None:
    assert write_report(name, [], new_file) == 0
    with pytest.raises(UsageError, match=f"^{name}: has no pairs of games$"):
        read_rows(name)
    if name == "a.json":
        assert json.loads(Path(name).read_text()) == []


@pytest.mark.parametrize("name", ["a.csv", "a.json"])
def test_a_report_gets_its_name_when_it_is_whole(folder: Path, name: str) -> None:
    Path(name).write_text("old")

    def failing() -> Iterator[ReportedPair]:
        yield JOIN
        raise RuntimeError("the database is damaged")

    with pytest.raises(RuntimeError):
        write_report(name, failing(), new_file)
    assert Path(name).read_text() == "old"
    assert [path.name for path in folder.iterdir()] == [name]


@pytest.mark.parametrize("name", ["a.csv", "a.json"])
def test_rows_are_taken_one_by_one(folder: Path, name: str) -> None:
    """A report of millions of pairs must not be held in memory."""
    sizes: list[int] = []

    def rows() -> Iterator[ReportedPair]:
        for _ in range(1000):
            yield JOIN
            (path,) = folder.glob(f".{name}.*.tmp")
            sizes.append(path.stat().st_size)

    write_report(name, rows(), new_file)
    assert 0 < sizes[500] < sizes[999]


def test_the_file_is_left_to_whoever_opened_it(folder: Path) -> None:
    with open("a.csv", "wb") as handle:
        write_report("a.csv", [JOIN], lambda _: contextlib.nullcontext(handle))
        assert not handle.closed
        assert handle.tell() > 0


@pytest.mark.parametrize(("path", "kind"), [("a.csv", "csv"), ("b/A.JSON", "json")])
def test_kind_by_name(path: str, kind: str) -> None:
    assert kind_of(path, REPORT_FORMATS) == kind


@pytest.mark.parametrize("path", ["a.txt", "csv", "json.gz", ""])
def test_no_kind(folder: Path, path: str) -> None:
    with pytest.raises(UsageError, match=r"a report is written as \.csv, \.json or \.parquet"):
        kind_of(path, REPORT_FORMATS)
    with pytest.raises(UsageError):
        write_report(path, [JOIN], new_file)
    assert not [*folder.iterdir()]


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["a.csv", "a.json"])
def test_a_report_is_read_back_master_first(folder: Path, name: str) -> None:
    write_report(name, [JOIN, POSSIBLE_DUPLICATE], new_file)
    assert [row[:2] for row in read_rows(name)] == [(3, 17), (3, 17)]


def pairs_in(text: str | bytes) -> list[tuple[int, int]]:
    Path("pairs").write_bytes(text.encode() if isinstance(text, str) else text)
    return [row[:2] for row in read_rows("pairs")]


@pytest.mark.parametrize(
    "text",
    [
        "1 2\n30 4\n",
        "1,2\r\n30,4",
        "1\t2\n30\t\t4\n",
        "  1 , 2 \n\n30; 4\n",
        "# pairs\n1 2 # sure\n   # none\n30 4#\n",
        "\ufeff1 2\n30 4\n",
        "GameID,MasterID\n2,1\n4,30\n",
        "GameID;Event;MasterID\r\n2;x,y;1\r\n4;;30\r\n",
        "\ufeffMasterID\tGameID\n1\t2\n30\t4\n",
        'GameID,Evidence,MasterID\n2,"two\nlines",1\n\n4,,30\n',
        "[[1, 2], [30, 4]]",
        '[{"GameID": 2, "MasterID": 1}, {"MasterID": "30", "GameID": 4}]',
        '\n [\n[1, 2], {"GameID": 4, "MasterID": 30}]',
    ],
)
def test_forms_of_pairs(folder: Path, text: str) -> None:
    assert pairs_in(text) == [(1, 2), (30, 4)]


def test_one_object_is_one_pair(folder: Path) -> None:
    assert pairs_in('{"GameID": 2, "MasterID": 1}') == [(1, 2)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n3\n", "pairs:2: needs the IDs of two games"),
        ("1 2\n\n# x\n3 4 5\n", "pairs:4: needs the IDs of two games"),
        ("1 two\n", "pairs:1: 'two' is not a game ID"),
        ("1 -2\n", "pairs:1: '-2' is not a game ID"),
        ("1 ٣\n", "pairs:1: '٣' is not a game ID"),
        ("1 9999999999999999999\n", "pairs:1: '9999999999999999999' is not a game ID"),
        ("1 2\n7 7\n", "pairs:2: names game 7 twice; a pair needs two different games"),
        ("GameID,MasterID\n2,1\n,3\n", "pairs:3: '' is not a game ID"),
        ("GameID,MasterID\n2\n", "pairs:2: '' is not a game ID"),
        ('GameID,x,MasterID\n2,"a\nb",1\n4,,4\n', "pairs:4: names game 4 twice"),
        ("[[1, 2],\n[3 4]]", "pairs:2: is not JSON: Expecting ',' delimiter"),
        ("[[1, 2], [3]]", "pairs: entry 2: needs the IDs of two games"),
        ("[1, 2]", "pairs: entry 1: needs the IDs of two games"),
        ('[{"GameID": 2}]', "pairs: entry 1: '' is not a game ID"),
        ('[{"GameID": true, "MasterID": 4}]', "pairs: entry 1: '' is not a game ID"),
        ('[{"GameID": 2.5, "MasterID": 4}]', "pairs: entry 1: '2.5' is not a game ID"),
        ("", "pairs: has no pairs of games"),
        ("# none\n\n", "pairs: has no pairs of games"),
        (b"1 2\n\xe9", "pairs: byte 5 is not UTF-8 text"),
    ],
)
def test_invalid_pairs(folder: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        pairs_in(text)
    assert message in str(caught.value)


def test_absent_file(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"^none\.txt: cannot be read: No such file"):
        read_rows("none.txt")


# Line ends of all kinds and what CSV and JSON quote are among them.
texts = st.none() | st.text(st.sampled_from('aö \r\n,;\t"\\#\u2028\0'), max_size=12)


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.tuples(st.integers(1, 10**18 - 1), texts, texts), min_size=1), st.data())
def test_any_report_is_read_back(folder: Path, rows, data) -> None:
    pairs = [
        ReportedPair(
            StoredPair(
                "suspect", None, None, text, None, evidence, None, None,
                COPY._replace(game_id=first, white=text), MASTER._replace(game_id=10**18 - first),
            ),
            None,
        )
        for first, text, evidence in rows
        if first != 10**18 - first
    ]  # fmt: skip
    name = data.draw(st.sampled_from(["a.csv", "a.json"]))
    write_report(name, pairs, new_file)
    if pairs:
        expected = [(p.pair.kept.game_id, p.pair.game.game_id) for p in pairs]
        assert [row[:2] for row in read_rows(name)] == expected
