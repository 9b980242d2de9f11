"""dedup: duplicates of each kind, options of the search, the kept record, merging."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.pipeline.search import resolve
from tests.support.command_line import Command
from tests.support.databases import Row, change, query, value
from tests.support.dedup_results import content, groups, ids, labels, statuses, suspects
from tests.support.game_content import contents
from tests.support.played_games import (
    EXPECTED_COPIES,
    EXPECTED_SUSPECTS,
    Record,
    collection,
    copy_of,
    expected_groups,
    game,
    game_of,
    mainline,
    mainline_from,
    pgn_text,
    with_wrong_move,
)

MASTERS = (
    "SELECT ExtraTags ->> 'Label' FROM FlaggedGames "
    "WHERE DuplicateGroup = ID AND DuplicateStatus IS NULL"
)


FLAGS = "SELECT DuplicateStatus, DuplicateGroup FROM FlaggedGames WHERE ID = ?"


def masters(database: str) -> set[str]:
    return {label for (label,) in query(database, MASTERS)}


def load(command: Command, *records: Record) -> str:
    Path("more.pgn").write_text("".join(map(pgn_text, records)))
    assert command("create", "b.db3", "more.pgn", "-q", "--force").status == 0
    return "b.db3"


def merged_tags(database: str) -> list[Row]:
    """Return (label of the kept game, tag, before, after, label of the duplicate)."""
    of = labels(database)
    rows = query(database, "SELECT GameID, Tag, Before, After, FromGameID FROM MergedTags")
    return [(of[game_id], *values, of.get(other)) for game_id, *values, other in rows]


# --- what is found ---------------------------------------------------------------------------


def test_every_kind_of_copy_is_found_and_nothing_else(command: Command, made: str) -> None:
    status, out, err = command("dedup", made)
    assert status == 0
    assert groups(made) == expected_groups()
    assert {label: row[:2] for label, row in statuses(made).items()} == EXPECTED_COPIES
    assert all(game_of(label) == row[2] for label, row in statuses(made).items())
    assert suspects(made) == EXPECTED_SUSPECTS
    counts = Counter(status for status, _ in EXPECTED_COPIES.values())
    assert err.startswith(
        f"duplicates: {len(EXPECTED_COPIES)} in {len(expected_groups())} groups: "
        f"{counts['exact']} exact, {counts['subsumption']} truncated, "
        f"{counts['join']} near-identical\n"
        "possible duplicates: 2 pairs, both games kept (see 'ocgdedup review')\n"
    )
    assert out.endswith(f"#duplicates: {len(EXPECTED_COPIES)}\n")


def test_a_dry_run_counts_the_same(command: Command, made: str) -> None:
    as_json = json.loads(command("dedup", made, "--dry-run", "--json").out)["resolved"]
    dry = command("dedup", made, "--dry-run")
    for_good = command("dedup", made)
    assert dry.err.splitlines()[:2] == for_good.err.splitlines()[:2]
    assert dry.out.split("#")[-1] == for_good.out.split("#")[-1]
    resolved = json.loads(command("dedup", made, "--json").out)["resolved"]
    assert as_json["duplicates"] == resolved["duplicates"]


def test_a_duplicate_that_is_not_shorter_is_not_called_truncated(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three records agree on the end of a game, a fourth goes on; two others differ at the end."""
    monkeypatch.chdir(tmp_path)
    ended, start = game(7, moves=mainline(7)[:60]), mainline(8)[:56]
    records = [
        ended,
        copy_of(ended, "again", TimeControl="1"),
        copy_of(ended, "once more", ECO=None),
        copy_of(game(7), "longer", moves=mainline(7)[:61], ECO=None),
        game(8),
        copy_of(game(8), "other", moves=(*start, *mainline_from(start, 1, 14)), ECO=None),
        game(9),
        copy_of(game(9), "cut", moves=mainline(9)[:50], ECO=None),
    ]
    Path("in.pgn").write_text("".join(map(pgn_text, records)), encoding="utf-8")
    command("create", "a.db3", "in.pgn", "-q")
    dry = command("dedup", "a.db3", "--dry-run").err.splitlines()[0]
    done = command("dedup", "a.db3").err.splitlines()[0]
    again = command("dedup", "a.db3").err.splitlines()[0]
    words = "2 exact, 1 truncated, 1 longer, 1 diverging, 0 near-identical"
    assert dry == done == again == f"duplicates: 5 in 3 groups: {words}"
    assert "1 truncated, 1 longer, 1 diverging" in command("info", "a.db3").out
    for duplicate, word in {4: "longer", 6: "diverging", 8: "truncated"}.items():
        ((status, kept),) = query("a.db3", FLAGS, duplicate)
        assert status == "subsumption"
        text = " ".join(command("printpgn", "a.db3", "--diff", kept, duplicate).out.split())
        assert f"{word} duplicate of {kept}" in text
    source = json.loads(command("info", "a.db3", "--json").out)["sources"][0]
    assert (source["duplicates"], source["truncated"]) == (5, 1)


def test_little_memory_changes_no_result(command: Command, made: str) -> None:
    whole, parts = "whole.db3", "parts.db3"
    for copy in (whole, parts):
        Path(copy).write_bytes(Path(made).read_bytes())
    Path("temp").mkdir()
    assert command("dedup", whole, "--jobs", "1").status == 0
    done = command("dedup", parts, "--memory", "0.18G", "--temp-dir", "temp", "--jobs", "1")
    assert done.status == 0
    assert statuses(parts) == statuses(whole)
    assert suspects(parts) == suspects(whole)
    assert merged_tags(parts) == merged_tags(whole)
    assert not list(Path("temp").iterdir())


def test_an_html_report_keeps_to_the_memory(command: Command, made: str) -> None:
    """Without a search, the report alone once took 2 GB."""
    assert command("dedup", made, "-q").status == 0
    refused = command("dedup", made, "--report", "small.html", "--memory", "60M")
    assert refused.status == 2
    assert re.search(r"too little to search \d+ games", refused.err)
    Path("temp").mkdir()
    assert command("dedup", made, "-q", "--report", "whole.html").status == 0
    parts = ("--memory", "0.18G", "--temp-dir", "temp", "--jobs", "1")
    assert command("dedup", made, "-q", "--report", "parts.html", *parts).status == 0
    written = [without_dates(Path(name).read_text()) for name in ("whole.html", "parts.html")]
    assert written[0] == written[1]
    assert not list(Path("temp").iterdir())


def without_dates(text: str) -> str:
    return re.sub(r"20\d\d-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?", "", text)


@pytest.mark.parametrize("options", [[], ["--no-merge"], ["--keep", "first"]])
def test_headers_read_on_threads_change_no_result(
    command: Command, made: str, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    monkeypatch.setattr(resolve, "_GROUPS_AT_ONCE", 2)  # so that the threads get several batches
    chosen = batches_of_threads(monkeypatch)
    single, several = "one.db3", "several.db3"
    for path, jobs in ((single, "1"), (several, "3")):
        Path(path).write_bytes(Path(made).read_bytes())
        assert command("dedup", path, "--jobs", jobs, *options).status == 0
    assert content(several) == content(single)
    assert chosen == [0, (len(expected_groups()) + 1) // 2]


def batches_of_threads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of batches of groups that threads take in each run."""
    counts: list[int] = []
    choose = resolve.choose_kept_games

    def noted(*arguments: Any, **named: Any) -> object:
        chosen = choose(*arguments, **named)
        counts.append(len(chosen))
        return chosen

    monkeypatch.setattr(resolve, "choose_kept_games", noted)
    return counts


@pytest.mark.usefixtures("work_folder")
def test_threads_know_the_sites_of_events(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other game of the event has the country, so the site without it replaces the other."""
    kept = game(1, Event="Club championship", Site="Linares RUS")
    copies = [copy_of(kept, "copy", Site="Linares", ECO=None), copy_of(game(2), "again")]
    sites = [("Club championship", "Linares")] * 2 + [("Another event", "Linares")] * 18
    sites += [("Another event", "Linares RUS")] * 5
    others = [
        game(number, Event=event, Site=site) for number, (event, site) in enumerate(sites, 20)
    ]
    texts = map(pgn_text, (kept, game(2), *copies, *others))
    Path("in.pgn").write_text(re.sub(r"\[Label .*\n", "", "".join(texts)))  # equal tags otherwise
    monkeypatch.setattr(resolve, "_GROUPS_AT_ONCE", 1)
    monkeypatch.setattr(resolve, "_FEWEST_BATCHES", 2)
    chosen = batches_of_threads(monkeypatch)
    for jobs in ("1", "2"):
        assert command("create", "a.db3", "in.pgn", "--force").status == 0
        assert command("dedup", "a.db3", "--jobs", jobs).status == 0
        merged = query("a.db3", "SELECT Tag, Before, After FROM MergedTags")
        assert merged == [("Site", "Linares RUS", "Linares")]
    assert chosen == [0, 2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--memory", "60M"], r"too little to search \d+ games; name at least --memory \d+M"),
        (["--memory", "5X"], "'5X' is no size such as 500M or 2G"),
        (["--memory", "nan"], "'nan' is no size such as 500M or 2G"),
        (["--jobs", "0"], "must be 1 or more"),
        (["--undo", "--memory", "2G"], "--memory does not go with --undo; leave it out"),
        (["--by", "moves", "--temp-dir", "."], "--temp-dir does not go with --by; leave it out"),
        (["--memory=.18G", "--jobs=1", "--temp-dir=none"], "none: cannot be written: No such file"),
    ],
)
def test_resources_that_cannot_be(
    command: Command, made: str, options: list[str], message: str
) -> None:
    before = content(made)
    status, _, err = command("dedup", made, *options)
    assert status == 2
    assert re.search(message, err)
    assert content(made) == before


def test_suspects_are_told_with_evidence(command: Command, made: str) -> None:
    command("dedup", made)
    for kind, score, evidence, decision in query(
        made, "SELECT Class, Score, Evidence, Decision FROM Suspects"
    ):
        assert (kind, decision) == ("subsumption", None)
        assert score > 0
        assert re.fullmatch(r"moves \+\d+\.\d(, \w+ [+-]\d+\.\d)*", evidence)


@pytest.mark.parametrize(("decision", "grouped"), [("same", True), ("different", False)])
def test_what_the_user_has_decided(
    command: Command, made: str, decision: str, grouped: bool
) -> None:
    """The next run notices a decision, judges again, and keeps the decision."""
    command("dedup", made)
    first, second = sorted((ids(made)["33"], ids(made)["35"]))
    sql = "UPDATE Suspects SET Decision = ? WHERE (GameID1, GameID2) = (?, ?)"
    change(made, sql, decision, first, second)
    assert "nothing changed since" not in command("dedup", made).err
    assert (frozenset(("33", "35")) in groups(made)) == grouped
    sql = "SELECT Decision FROM Suspects WHERE (GameID1, GameID2) = (?, ?)"
    assert value(made, sql, first, second) == decision
    assert "nothing changed since" in command("dedup", made).err


# --- options of the search -------------------------------------------------------------------


@pytest.mark.parametrize("plies", [1, 9, 10, 37, 38, 70])
def test_truncated_min_shorter(command: Command, made: str, plies: int) -> None:
    """Truncated games that are shorter by less become possible duplicates; nothing else changes."""
    command("dedup", made)
    usual = statuses(made)
    of = {label: game_id for game_id, label in labels(made).items()}
    lengths = dict(query(made, "SELECT ID, PlyCount FROM Games"))
    missing = {
        label: abs(lengths[of[label]] - lengths[of[master]])
        for label, (status, _, master) in usual.items()
        if status == "subsumption"
    }
    refused = {label for label in missing if missing[label] < plies}
    command("dedup", made, "--truncated-min-shorter", plies)
    assert usual.keys() - statuses(made).keys() == refused
    assert refused <= {label for pair in suspects(made) for label in pair}


def slips(count: int) -> Record:
    """Return a record of game 13 with a number of wrong moves."""
    moves = mainline(13)
    for number in range(count):
        moves = with_wrong_move(moves, 20 + 12 * number)
    return copy_of(game(13), f"{count} slips", moves=moves)


GATES = {
    "strict": (1, "--accuracy strict", True),
    "too strict": (2, "--accuracy strict", False),
    "normal": (2, "", True),
    "too much": (3, "", False),
    "tolerant": (3, "--accuracy tolerant", True),
    "min ply": (1, "--gate-min-ply 70", True),
    "too few": (1, "--gate-min-ply 71", False),
    "Monge-Elkan": (1, "--monge-elkan", True),
    "Monge-Elkan 1": (1, "--monge-elkan 1", False),
}


@pytest.mark.parametrize("number", GATES)
def test_gates_of_a_join(command: Command, made: str, number: str) -> None:
    """A slip outside the gates may still be a match by other evidence."""
    count, options, is_within = GATES[number]
    database = load(command, game(13), slips(count))
    status, out, err = command("dedup", database, "--explain", 1, 2, *options.split())
    assert (status, err) == (0, "")
    figures = re.search(r"or deleted: (\d+), in common: (\d\.\d+) .*; (\w+) the gates", out)
    assert figures, out
    assert (int(figures[1]), figures[3]) == (2 * count, "within" if is_within else "outside")


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ("", "within"),
        ("--gate-ply-start 57", "outside"),  # a wrong move in the 13 plies that are left
        ("--gate-ply-start 57 --gate-min-compare 14", "within"),  # which are too few to measure
        ("--gate-ply-start 58", "within"),  # none is left
    ],
)
def test_gate_ply_start(command: Command, made: str, options: str, word: str) -> None:
    """Two slips near the end of 70 plies."""
    moves = with_wrong_move(with_wrong_move(mainline(13), 42), 54)
    database = load(command, game(13), copy_of(game(13), "late", moves=moves))
    out = command("dedup", database, "--explain", 1, 2, *options.split()).out
    assert f"{word} the gates" in out


@pytest.mark.parametrize(("options", "word"), [("", "within"), ("--gate-diff-ratio 0", "outside")])
def test_difference_of_lengths(command: Command, made: str, options: str, word: str) -> None:
    """Of two records with a slip, one of which is a ply longer."""
    shorter = copy_of(game(13), "short", moves=with_wrong_move(mainline(13), 50)[:69])
    database = load(command, game(13), shorter)
    assert (
        f"{word} the gates" in command("dedup", database, "--explain", 1, 2, *options.split()).out
    )


@pytest.mark.parametrize(("options", "word"), [("", "outside"), ("--gate-dynamic", "within")])
def test_thresholds_that_follow_the_length(
    command: Command, made: str, options: str, word: str
) -> None:
    """One slip among the last 13 of 28 plies."""
    short = game(13, moves=mainline(13)[:28])
    slip = copy_of(short, "slip", moves=with_wrong_move(short.moves, 16))
    database = load(command, short, slip)
    out = command("dedup", database, "--explain", 1, 2, *options.split()).out
    assert f"{word} the gates" in out


# --- which record stays ----------------------------------------------------------------------


def test_keep_best_header(command: Command, made: str) -> None:
    command("dedup", made)
    assert masters(made) == {game_of(label) for label in EXPECTED_COPIES}


def test_keep_first(command: Command, made: str) -> None:
    """The lowest ID, but no truncated record if there is a full one."""
    command("dedup", made, "--keep", "first")
    is_cut = {"7 cut", "8 cut", "8 cut short", "9 partial", "16 cut", "10 placeholder"}
    is_cut |= {"11 from position"}
    of = ids(made)
    for group in groups(made):
        whole = [label for label in group if label not in is_cut]
        assert min(whole, key=of.__getitem__) in masters(made)


def test_keep_annotated(command: Command, made: str) -> None:
    command("dedup", made, "--keep", "annotated")
    assert masters(made) >= {"6 annotated too", "16 wrong move"}
    assert "7 cut" not in masters(made)


def test_keep_longest(command: Command, made: str) -> None:
    command("dedup", made, "--keep", "longest")
    plies = dict(query(made, "SELECT ExtraTags ->> 'Label', PlyCount FROM Games"))
    for group in groups(made):
        (master,) = masters(made) & group
        assert plies[master] == max(plies[label] for label in group)


# --- merging ---------------------------------------------------------------------------------


def test_the_best_of_the_headers(command: Command, made: str) -> None:
    before = {row[0]: row for row in query(made, "SELECT * FROM Games")}
    _, _, err = command("dedup", made)
    changes = merged_tags(made)
    assert ("10", "Annotator", "?", "Somebody", "10 placeholder") in changes
    assert ("3", "TimeControl", "?", "40/7200", "3 nameless") in changes
    assert ("16", "TimeControl", "?", "40/7200", "16 again") in changes
    assert {label for label, *_ in changes} <= masters(made)
    count = len({label for label, *_ in changes})
    assert f"games with merged headers: {count}\n" in err
    assert "annotations merged into 3 games; 1 duplicate keeps annotations of its own (see " in err
    number = ids(made)["3"]
    assert value(made, "SELECT TimeControl FROM Games WHERE ID = ?", number) == "40/7200"
    assert value(made, "SELECT TimeControl FROM UnmergedHeaders WHERE GameID = ?", number) is None
    # What is not a master is as it was.
    kept = "SELECT GameID FROM DuplicateFlags WHERE DuplicateGroup = GameID"
    others = query(made, f"SELECT * FROM Games WHERE ID NOT IN ({kept})")
    assert len(others) == len(before) - len(masters(made))
    assert all(row == before[row[0]] for row in others)


def test_no_merge(command: Command, made: str) -> None:
    before = contents(made)
    command("dedup", made, "--no-merge")
    assert groups(made) == expected_groups()
    assert contents(made) == before
    for table in ("MergedTags", "UnmergedHeaders", "MergedNotes"):
        assert query(made, f"SELECT * FROM {table}") == []


def test_no_merge_after_a_merge_takes_it_back(command: Command, made: str) -> None:
    before = contents(made)
    command("dedup", made, "--merge-variations")
    assert contents(made) != before
    assert groups(made) == expected_groups()
    command("dedup", made, "--no-merge")
    assert contents(made) == before
    assert groups(made) == expected_groups()


def test_annotations_are_merged_as_far_as_they_fit(command: Command, made: str) -> None:
    command("dedup", made)
    sql = "SELECT Ply, Comment FROM Comments WHERE GameID = ? ORDER BY Ply"
    of = ids(made)
    assert query(made, sql, of["7"]) == [(2, "Early"), (39, "The last one")]
    assert query(made, sql, of["16"]) == [(4, "Book")]  # what is behind the slip stays
    assert query(made, sql, of["6"]) == [(3, "A fine move"), (8, "Well")]  # of two duplicates
    sql = "SELECT NAG FROM Annotations WHERE GameID = ? AND NAG IS NOT NULL ORDER BY NAG"
    assert query(made, sql, of["6"]) == [(1,), (5,)]
    rows = query(made, "SELECT HasComments, HasVariations FROM Games WHERE ID = ?", of["6"])
    assert rows == [(1, 1)]


def test_merge_variations(command: Command, made: str) -> None:
    """Each variation starts where the duplicate diverges from the kept game, and replays."""
    command("dedup", made, "--merge-variations")
    sql = "SELECT Variation FROM Annotations WHERE GameID = ? AND Variation IS NOT NULL"
    of = ids(made)
    for label in ("13", "14", "15", "16"):
        assert len(query(made, sql, of[label])) == 1
    command("export", made, "-o", "out.pgn", "--all")
    assert command("create", "again.db3", "out.pgn").status == 0  # no fault
    kept = query("again.db3", "SELECT count(*) FROM Annotations WHERE Variation IS NOT NULL")
    assert kept == query(made, "SELECT count(*) FROM Annotations WHERE Variation IS NOT NULL")
    assert value(made, "SELECT sum(HasVariations) FROM Games") == kept[0][0]


def test_merged_values_are_exported(command: Command, made: str) -> None:
    command("dedup", made)
    number = ids(made)["16"]
    printed = command("printpgn", made, "-g", number).out
    assert '[TimeControl "40/7200"]' in printed
    assert "{Book}" in printed
    command("export", made, "-o", "out.pgn", "--all")
    assert printed.partition("\n")[2] in Path("out.pgn").read_text(encoding="utf-8")


def test_export_of_what_is_merged_reads_back(command: Command, made: str) -> None:
    command("dedup", made)
    command("export", made, "-o", "out.pgn", "--all")
    command("create", "again.db3", "out.pgn")
    assert contents("again.db3") == contents(made)


def test_generated_collection_is_consistent() -> None:
    """Labels are unique, and duplicates belong to existing games."""
    labels = [record.label for record in collection()]
    assert len(labels) == len(set(labels))
    assert set(EXPECTED_COPIES) <= set(labels)
    assert {game_of(label) for label in EXPECTED_COPIES} <= set(labels)


def test_content_of_a_second_run(command: Command, made: str) -> None:
    command("dedup", made, "--merge-variations")
    before, flagged = Path(made).read_bytes(), content(made)
    command("dedup", made, "--merge-variations")
    assert Path(made).read_bytes() == before
    assert content(made) == flagged
