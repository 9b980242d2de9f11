"""Random sequences of commands on the demo games, and invariants after each command."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from tests.support.command_line import Command
from tests.support.databases import query

DEMO = Path(__file__).parents[2] / "scripts" / "demo_games"
LISTS = ["--fide-xml", str(DEMO / "players_2013-01.xml"), "--aliases", str(DEMO / "spelling.ssp")]
PARTS = ("club_library", "magazine_archive", "web_download")
SIDES = ("White", "Black")
_STEPS = {
    "create": 3, "players": 3, "players --undo": 2, "players --again": 1, "lists": 1, "dedup": 3,
    "dedup --delete": 4, "dedup --undo": 2, "dedup --restore": 1, "dedup --purge": 1,
    "signatures": 1, "check --repair": 1,
}  # fmt: skip
_SEARCH_OPTIONS = (
    "--merge-variations", "--keep first", "--keep longest", "--full", "--no-merge", "--no-players",
    "--min-header-quality 60", "--plycount 30", "--keep-annotations longest",
    "--keep-annotations kept",
)  # fmt: skip


def wrong_persons(path: str) -> list[tuple]:
    """Return (table, game, side) with a player who is unknown or does not have the name."""
    wrong = []
    for table, key in (("Games", "ID"), ("RemovedGames", "ID"), ("UnmergedHeaders", "GameID")):
        for side in SIDES:
            sql = (
                f"SELECT {key} FROM {table} WHERE {side}PersonID IS NOT NULL "
                f"AND ({side}ID, {side}PersonID) NOT IN (SELECT PlayerID, PersonID "
                "FROM Resolutions JOIN Persons ON Persons.ID = PersonID)"
            )
            wrong += [(table, game_id, side) for (game_id,) in query(path, sql)]
    return wrong


def without_kept_game(path: str) -> list[tuple]:
    """Return the flagged games, deleted ones included, whose group has no kept game."""
    sql = "SELECT ID FROM {} WHERE DuplicateGroup IS NOT NULL AND DuplicateGroup NOT IN ({})"
    kept = "SELECT ID FROM FlaggedGames WHERE DuplicateStatus IS NULL"
    in_group = f"{kept} AND DuplicateGroup = ID"
    return query(path, sql.format("FlaggedGames", in_group)) + query(
        path, sql.format("FlaggedRemovedGames", kept)
    )


def all_ids(path: str) -> set[int]:
    """Return the IDs of all games, deleted ones included."""
    rows = query(path, "SELECT ID FROM Games UNION ALL SELECT ID FROM RemovedGames")
    return {game_id for (game_id,) in rows}


def unsigned(path: str) -> dict[str, int]:
    """Return the number of games without a row in a table, by non-empty table."""
    games = len(all_ids(path))
    counts = {
        table: query(path, f"SELECT count(*) FROM {table}")[0][0]
        for table in ("Signatures", "PositionFilters")
    }
    return {table: games - count for table, count in counts.items() if count not in (0, games)}


class Sequence:
    """A database, random commands on it, and the checks after each; `log` helps after a failure."""

    def __init__(self, command: Command, seed: int) -> None:
        self._command = command
        self._rng = random.Random(seed)
        self._inputs = self._split_demo()
        self._meanings: dict[int, object] = {}
        self.log: list[str] = []
        self._run("create", "a.db3", self._inputs.pop(), "-q")
        self._ids = all_ids("a.db3")

    def _split_demo(self) -> list[str]:
        """Distribute the demo games over a few files, in random order."""
        texts = "".join((DEMO / f"{name}.pgn").read_text(encoding="utf-8") for name in PARTS)
        games = [text for text in re.split(r"\n\n(?=\[Event )", texts) if text.strip()]
        self._rng.shuffle(games)
        count = self._rng.randrange(2, 5)
        paths = [Path(f"in{number}.pgn") for number in range(count)]
        for number, path in enumerate(paths):
            path.write_text("\n\n".join(games[number::count]) + "\n\n", encoding="utf-8")
        return [str(path) for path in paths]

    def run(self, steps: int) -> None:
        for words in self._steps(steps):
            before = all_ids("a.db3")
            self._run(words[0], "a.db3", *words[1:], "-q")
            after = all_ids("a.db3")
            if "--purge" not in words:
                assert before <= after, self.log
            self._check()

    def _steps(self, count: int) -> Iterator[list[str]]:
        for line in self._rng.choices(list(_STEPS), list(_STEPS.values()), k=count):
            words = line.split()
            if line == "create":
                if not self._inputs:
                    continue
                words += [self._inputs.pop(), "--append"]
            elif line == "lists":
                words = ["players", *LISTS]
            elif line in ("dedup", "dedup --delete"):
                for option in _SEARCH_OPTIONS:
                    if self._rng.random() < 0.12:
                        words += option.split()
            yield words

    def _run(self, *words: str) -> None:
        self.log.append(" ".join(words))
        outcome = self._command(*words)
        assert outcome.status in (0, 1, 2), (self.log, outcome)
        assert "Traceback" not in outcome.err, (self.log, outcome)

    def _check(self) -> None:
        assert wrong_persons("a.db3") == [], self.log
        assert without_kept_game("a.db3") == [], self.log
        assert unsigned("a.db3") == {}, self.log
        for person_id, *meaning in query("a.db3", "SELECT ID, FideID, Name FROM Persons"):
            known = self._meanings.setdefault(person_id, meaning)
            assert known == meaning, (person_id, self.log)
        outcome = self._command("check", "a.db3")
        assert outcome.status == 0, (self.log, outcome)
