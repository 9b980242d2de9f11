"""dedup: headers are merged by the counts of all records, and again after new games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.command_line import Command
from tests.support.databases import change, query, value
from tests.support.dedup_results import content
from tests.support.played_games import Record, game, pgn_text


def record(number: int, label: str, **tags: str) -> Record:
    made = game(number)
    return made._replace(label=label, tags={**made.tags, **tags})


def load(command: Command, records: Sequence[Record], *, append: bool = False) -> None:
    Path("in.pgn").write_text("".join(map(pgn_text, records)))
    options = ["--append"] if append else []
    assert command("create", "a.db3", "in.pgn", "-q", *options).status == 0


def merged() -> dict[str, tuple[str, str]]:
    """Return the merged values of games and the reasons, by tag."""
    return {
        tag: (after, reason)
        for tag, after, reason in query("a.db3", "SELECT Tag, After, Reason FROM MergedTags")
    }


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


SLIP = [record(1, "1", White="Topolov, Ivan"), record(1, "1 again", White="Topalov, Ivan")]
# Other games of the player.
OTHERS = [record(number, str(number), White="Topalov, Ivan") for number in range(2, 6)]
DAYS = [
    record(1, "1", Event="Open", Round="3", Date="1999.05.03"),
    record(1, "1 again", Event="Open", Round="3", Date="1999.05.02"),
]
SAME_ROUND = [
    record(number, str(number), Event="Open", Round="3", Date="1999.05.02") for number in (2, 3)
]
# A country that others give too, but at other events.
COUNTRY = [
    record(1, "1", Event="Open", Site="Nachod RUS"),
    record(1, "1 again", Event="Open", Site="Nachod"),
    *(record(number, str(number), Event="Cup", Site="Nachod RUS") for number in (2, 3)),
    *(record(number, str(number), Event="Cup", Site="Nachod") for number in range(4, 10)),
]
SAME_EVENT = [record(number, str(number), Event="Open", Site="Nachod") for number in (10, 11)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("records", "others", "before", "after"),
    [
        (COUNTRY, SAME_EVENT, {}, {"Site": ("Nachod", "spelling frequency")}),
        (SLIP, OTHERS, {}, {"White": ("Topalov, Ivan", "spelling frequency")}),
        (DAYS, SAME_ROUND, {}, {"Date": ("1999.05.02", "round day")}),
    ],
    ids=["a country", "a slip", "a day"],
)
def test_groups_are_merged_again_as_games_come(
    command: Command,
    records: Sequence[Record],
    others: Sequence[Record],
    before: dict[str, tuple[str, str]],
    after: dict[str, tuple[str, str]],
) -> None:
    load(command, records)
    command("dedup", "a.db3")
    assert merged() == before
    load(command, others, append=True)
    alone = content("a.db3")
    command("dedup", "a.db3")
    assert merged() == after
    delta = content("a.db3")
    command("dedup", "a.db3", "--full")
    assert content("a.db3") == delta
    command("dedup", "a.db3", "--undo")
    assert content("a.db3") == alone


def test_nothing_is_merged_again_without_need(command: Command) -> None:
    """The name becomes ten times as frequent as the other, which does not change the decision."""
    load(command, [*SLIP, *OTHERS])
    command("dedup", "a.db3")
    more = [record(number, str(number), White="Topalov, Ivan") for number in range(7, 13)]
    load(command, more, append=True)
    assert "undo with" not in command("dedup", "a.db3").err
    assert value("a.db3", "SELECT count(*) FROM UnmergedHeaders") == 1


def test_without_stored_verdicts_all_groups_are_merged_again(command: Command) -> None:
    """The counts of the last search are then unknown."""
    load(command, SLIP)
    command("dedup", "a.db3")
    change("a.db3", "DELETE FROM Info WHERE Name = 'Verdicts rest on'")
    load(command, OTHERS, append=True)
    command("dedup", "a.db3")
    assert merged() == {"White": ("Topalov, Ivan", "spelling frequency")}


def test_without_merging_nothing_is_decided(command: Command) -> None:
    load(command, [*SLIP, *OTHERS])
    command("dedup", "a.db3", "--no-merge")
    assert merged() == {}


def test_record_with_names_and_result_is_kept(command: Command) -> None:
    """Also where its header is not merged."""
    load(command, [record(1, "1", White="?", Result="*"), record(1, "1 again")])
    command("dedup", "a.db3", "--no-merge")
    kept = "SELECT ExtraTags ->> 'Label' FROM FlaggedGames WHERE DuplicateGroup = ID"
    assert value("a.db3", kept) == "1 again"


def test_duplicates_of_a_bare_game_are_deleted_too(command: Command) -> None:
    bare = {"White": "?", "Black": "?", "Result": "*", "Event": "?", "Site": "?"}
    bare |= {"Date": "????.??.??", "WhiteElo": "", "BlackElo": "", "ECO": ""}
    load(command, [record(1, "1", **bare), record(1, "1 again", **bare)])
    command("dedup", "a.db3", "--delete")
    assert value("a.db3", "SELECT HeaderScore FROM FlaggedGames") < 0
    assert value("a.db3", "SELECT count(*) FROM RemovedGames") == 1


def test_explain_says_what_was_merged_and_why(command: Command) -> None:
    load(command, [*SLIP, *OTHERS])
    command("dedup", "a.db3")
    kept = value("a.db3", "SELECT DuplicateGroup FROM FlaggedGames WHERE ID = 1")
    other = 3 - kept
    lines = [
        f"Game {kept} is the kept game of 1 duplicate.",
        f"  White  Topolov, Ivan -> Topalov, Ivan  game {other}  spelling frequency",
    ]
    assert command("dedup", "a.db3", "--explain", str(kept)).out.splitlines() == lines
    assert command("dedup", "a.db3", "--explain", str(other)).out.splitlines() == [
        f"Game {other} is a duplicate of game {kept}.", *lines,
    ]  # fmt: skip
    assert command("dedup", "a.db3", "--explain", "4").out == "Game 4 has no duplicates.\n"
    assert command("dedup", "a.db3", "--explain", "1", "2", "3").status == 2
    status, _, err = command("dedup", "a.db3", "--explain", "99")
    assert (status, "a.db3: there is no game with ID 99" in err) == (2, True)


def test_explain_of_a_header_that_nothing_was_merged_into(command: Command) -> None:
    load(command, [record(1, "1"), record(1, "1 again")])
    command("dedup", "a.db3")
    out = command("dedup", "a.db3", "--explain", "1").out
    assert out.splitlines()[-1] == "Nothing was merged into its header."
