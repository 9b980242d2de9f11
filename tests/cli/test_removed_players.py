"""players and removed games: names of deleted games are resolved like all others."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.support.command_line import Command, run_lines
from tests.support.databases import change, dump, query, value
from tests.support.sequences import DEMO, LISTS, PARTS, Sequence, wrong_persons

KEPT_SIDES = """
    SELECT Games.ID, WhitePerson.Name, WhitePerson.FideID, BlackPerson.Name, BlackPerson.FideID,
        CoreHash, BackFilled, ExtraTags, WhiteElo, BlackElo
    FROM Games LEFT JOIN Persons AS WhitePerson ON WhitePerson.ID = WhitePersonID
    LEFT JOIN Persons AS BlackPerson ON BlackPerson.ID = BlackPersonID
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def demo(name: str) -> str:
    return str(DEMO / f"{name}.pgn")


def flagged_sides(path: str, other: str) -> list[tuple]:
    """Return the players of the games that another database has kept."""
    kept = {game_id for (game_id,) in query(other, "SELECT ID FROM Games")}
    return [row for row in query(path, KEPT_SIDES) if row[0] in kept]


@pytest.mark.parametrize("undo", [["players --undo g.db3"], []], ids=["undo", "no undo"])
def test_another_list_after_a_deletion_keeps_identities(command: Command, undo: list[str]) -> None:
    lists = " ".join(LISTS)
    run_lines(
        command,
        f"create g.db3 {DEMO}", "players g.db3", "dedup g.db3 --delete", *undo,
        f"players g.db3 {lists}", "dedup g.db3", f"create f.db3 {DEMO}", f"players f.db3 {lists}",
        "dedup f.db3",
    )  # fmt: skip
    assert wrong_persons("g.db3") == []
    assert command("check", "g.db3").status == 0
    assert query("g.db3", KEPT_SIDES) == flagged_sides("f.db3", "g.db3")
    sql = "SELECT Name FROM Persons JOIN Games ON Persons.ID = WhitePersonID WHERE Games.ID = 22"
    assert value("g.db3", sql) == "Kasparov, Garry"
    assert value("g.db3", "SELECT count(*) FROM RemovedGames") == 26  # none was put back


@pytest.mark.parametrize("lists", [[], LISTS], ids=["no list", "lists"])
def test_deleted_duplicates_count_as_flagged_ones(command: Command, lists: list[str]) -> None:
    """Players of kept games do not depend on earlier deletion of duplicates."""
    for path, options in (("f.db3", ""), ("d.db3", "--delete")):
        run_lines(command, f"create {path} {DEMO}", f"dedup {path} {options}")
        run_lines(command, " ".join(["players", path, *lists]))
    for table in ("Persons", "Resolutions"):
        assert dump("d.db3")[table] == dump("f.db3")[table]
    assert query("d.db3", KEPT_SIDES) == flagged_sides("f.db3", "d.db3")
    run_lines(command, "dedup --restore d.db3")
    assert sorted(query("d.db3", KEPT_SIDES)) == sorted(query("f.db3", KEPT_SIDES))


def test_a_year_of_monthly_use(command: Command) -> None:
    first, second, third = map(demo, PARTS)
    run_lines(command, f"create g.db3 {first}", "dedup g.db3 --delete", "players g.db3")
    for path in (second, third):
        run_lines(command, f"create g.db3 {path} --append", "dedup g.db3")
        assert wrong_persons("g.db3") == []
        assert command("check", "g.db3").status == 0


def test_games_restored_after_a_renumbering_have_the_right_hash(command: Command) -> None:
    """In between, all IDs and keys of persons change."""
    run_lines(
        command,
        f"create g.db3 {DEMO}", "players g.db3", "dedup g.db3 --delete", "players g.db3 --undo",
        " ".join(["players g.db3", *LISTS]), "dedup --restore g.db3", f"create f.db3 {DEMO}",
        " ".join(["players f.db3", *LISTS]),
    )  # fmt: skip
    assert command("check", "g.db3").status == 0
    assert query("g.db3", KEPT_SIDES) == query("f.db3", KEPT_SIDES)


def test_undo_puts_back_the_persons_of_deleted_games(command: Command) -> None:
    run_lines(command, f"create g.db3 {DEMO}", "players g.db3")
    before = query("g.db3", KEPT_SIDES)
    run_lines(
        command,
        " ".join(["players g.db3", *LISTS]), "dedup g.db3 --delete", "players --undo g.db3",
        "dedup --restore g.db3",
    )  # fmt: skip
    assert query("g.db3", KEPT_SIDES) == before


def test_a_person_id_is_never_given_to_somebody_else(command: Command) -> None:
    meanings: dict[int, tuple] = {}
    run_lines(command, f"create g.db3 {DEMO}", "players g.db3")
    for line in (
        "players --undo g.db3", " ".join(["players g.db3", *LISTS]), "players g.db3 --again",
        "players --undo g.db3", "players g.db3 --again",
    ):  # fmt: skip
        for person_id, *meaning in query("g.db3", "SELECT ID, FideID, Name FROM Persons"):
            assert meanings.setdefault(person_id, meaning) == meaning
        run_lines(command, line)


def test_a_purge_leaves_nobody_with_persons_of_another_name(command: Command) -> None:
    """The purge makes the merged name final; the previous persons belong to the old name."""
    run_lines(
        command,
        f"create g.db3 {DEMO}", "players g.db3", " ".join(["players g.db3", *LISTS]),
        "dedup g.db3 --delete", "dedup g.db3 --purge", "players g.db3 --again",
    )  # fmt: skip
    assert wrong_persons("g.db3") == []
    assert command("check", "g.db3").status == 0


@pytest.mark.parametrize("table", ["Games", "RemovedGames", "UnmergedHeaders"])
@pytest.mark.parametrize("person", ["99999", "(SELECT max(ID) FROM Persons)"], ids=["no", "other"])
def test_check_finds_a_wrong_person(command: Command, table: str, person: str) -> None:
    run_lines(command, f"create g.db3 {DEMO}", "players g.db3")
    run_lines(command, "dedup g.db3 --delete" if table == "RemovedGames" else "dedup g.db3")
    key = "GameID" if table == "UnmergedHeaders" else "ID"
    change(
        "g.db3",
        f"UPDATE {table} SET WhitePersonID = {person} WHERE {key} = (SELECT min({key}) FROM "
        f"{table} WHERE WhitePersonID < {person})",
    )
    assert command("check", "g.db3").status == 1
    assert command("check", "g.db3", "--repair").status == 1
    assert command("check", "g.db3").status == 0
    assert wrong_persons("g.db3") == []
    run_lines(command, "dedup g.db3")  # looks up anew whom the repair left open
    assert command("check", "g.db3").status == 0
    run_lines(command, f"create f.db3 {DEMO}", "players f.db3", "dedup f.db3")
    assert flagged_sides("f.db3", "g.db3") == query("g.db3", KEPT_SIDES)


# What version 5 made of the demo games: create; players; dedup --delete; players --undo; players
# with both lists; dedup. 31 games say that somebody else played.
DAMAGED = Path(__file__).parents[1] / "schema" / "damaged-version-5.db3.gz"


@pytest.fixture
def damaged() -> str:
    Path("g.db3").write_bytes(gzip.decompress(DAMAGED.read_bytes()))
    assert wrong_persons("g.db3")
    return "g.db3"


def test_a_damaged_database_of_an_older_version_is_healed(command: Command, damaged: str) -> None:
    """The result is as if the persons had never been wrong."""
    status, out, _ = command("check", damaged)
    assert (status, "player does not have the name in the game: 28" in out) == (1, True)
    run_lines(command, f"dedup {damaged}")
    assert command("check", damaged).status == 0
    run_lines(command, f"create f.db3 {DEMO}", " ".join(["players f.db3", *LISTS]), "dedup f.db3")
    assert query(damaged, KEPT_SIDES) == flagged_sides("f.db3", damaged)


@pytest.mark.parametrize(
    "line",
    ["dedup --restore", "signatures", "dedup --no-players"],
)
def test_any_migrating_command_keeps_identities(command: Command, damaged: str, line: str) -> None:
    run_lines(command, f"{line} {damaged}")
    assert wrong_persons(damaged) == []
    outcome = command("check", damaged)
    assert (outcome.status, outcome.err) == (0, ""), outcome.out
    run_lines(command, f"dedup {damaged}")
    assert command("check", damaged).status == 0


def test_a_repair_heals_a_damaged_database(command: Command, damaged: str) -> None:
    assert command("check", "--repair", damaged).status == 1
    assert command("check", damaged).status == 0
    assert wrong_persons(damaged) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_any_sequence_of_commands(command: Command, seed: int) -> None:
    Sequence(command, seed).run(8)
