"""Random commands one after another on one collection, each followed by all checks."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace

from torturelib.collection import Collection, read
from torturelib.forked import run_forked
from torturelib.model import Case, Outcome
from torturelib.running import DONE, FAILED, REJECTED, crash
from torturelib.snapshots import Rows, dump, row_difference
from torturelib.starting_points import LISTS, inputs, many_games

DATABASE, COPY = "g.db3", "copy.db3"
KEYS = ("record", "moves", "moves+players")
# What undo need not put back: notes about the undo itself, and the counters of SQLite.
NOTES = ("Info", "Steps", "Verdicts", "sqlite_sequence", "sqlite_stat1", "sqlite_stat4")
LISTS_READ = (
    "FidePlayers", "FideAliases", "RatingLists", "NameAliases", "AliasOrigins", "SpellingLines",
    "NameIndex",
)  # fmt: skip
CHOSEN_ANEW = ("OpenNames", "FideIDNames")  # from players and games, also by undo
OF_PERSONS = ("Persons", "Resolutions", "Players")

Pair = tuple[int, int]


class Sequence:
    """One collection, and what was done with it."""

    suffix, first_tag = "pgn", b"[Event "
    mark = r'^\[Event "\[[^]]* of (\d+)\]'  # of a duplicate that is exported

    def __init__(self, case: Case) -> None:
        self.case = case
        self.rng = case.random()
        self.folder = case.folder
        self.collection = Collection(self.folder / DATABASE)
        self.done: list[str] = []
        self.number = 0
        self.decided: dict[Pair, str] = {}  # the user's decisions, by the records that carry them
        self.status = DONE  # of the last command

    def step(self, *words: str, loads: bool = False, purges: bool = False) -> str | None:
        """Run a command, then check all that must hold."""
        self.done.append(" ".join(words))
        kept = self.kept_games(words) if purges else {}
        self.collection.removed.update(
            (game, other) for game, other in kept.items() if game != other
        )
        outcome = self.run(*words)
        self.status = outcome.status
        problem = crash(outcome) or unexpected(outcome)
        if problem is None:
            self.collection.database = self.folder / DATABASE
            problem = self.collection.after_step(loads=loads, purges=purges)
        problem = problem or self.unsound()
        if problem is None and purges:
            problem = self.pass_decisions_on(kept)
        if problem is None and self.status == DONE and searches(words):
            problem = self.overridden() or self.unlike_a_full_search(words)
        return problem or self.unnamed_suspects()

    def kept_games(self, words: tuple[str, ...]) -> dict[int, int]:
        """Return the kept game of each duplicate that a purge will find, from a copy."""
        shutil.copy(self.folder / DATABASE, self.folder / COPY)
        with read(self.folder / DATABASE) as connection:
            state = "SELECT 1 FROM Info WHERE Name = 'Duplicates searched by' AND Value LIKE ?"
            by_key = connection.execute(state, ("%KeyOptions%",)).fetchone() is not None
        if "--delete" in words or not by_key:  # else a purge does not search
            self.run("dedup", COPY, *(word for word in words[2:] if word != "--purge"))
        with read(self.folder / COPY) as connection:
            rows = connection.execute("SELECT GameID, DuplicateGroup FROM DuplicateFlags")
            kept: dict[int, int] = dict(rows.fetchall())
        self.remove_copy()
        return kept

    def remove_copy(self) -> None:
        for path in self.folder.glob(f"{COPY.removesuffix('.db3')}.*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def pass_decisions_on(self, kept: dict[int, int]) -> str | None:
        """Turn decisions about purged games into decisions about their kept games."""
        with read(self.folder / DATABASE) as connection:
            present = {
                game
                for table in ("Games", "RemovedGames")
                for (game,) in connection.execute(f"SELECT ID FROM {table}")
            }
        passed_on: dict[Pair, str] = {}
        for pair, decision in sorted(
            self.decided.items(), key=lambda item: not present.issuperset(item[0])
        ):
            left, right = (game if game in present else kept[game] for game in pair)
            if left != right:
                passed_on.setdefault((min(left, right), max(left, right)), decision)
            elif decision == "different":
                return f"the different games {pair} are both represented by game {left}"
        self.decided = passed_on
        return None

    def overridden(self) -> str | None:
        """Return a decision of the user that a search did not follow, or that is gone."""
        with read(self.folder / DATABASE) as connection:
            groups = dict(connection.execute("SELECT GameID, DuplicateGroup FROM DuplicateFlags"))
            stored = {
                (first, second): decision
                for first, second, decision in connection.execute(
                    "SELECT GameID1, GameID2, Decision FROM Suspects WHERE Decision IS NOT NULL"
                )
            }
        for pair, decision in {**stored, **self.decided}.items():
            if stored.get(pair) != decision:
                return f"the decision {decision} about games {pair} is now {stored.get(pair)}"
            left, right = (groups.get(game, -game) for game in pair)
            if decision == "different" and left == right:
                return f"the different games {pair} are in the group of game {left}"
        return None

    def unlike_a_full_search(self, words: tuple[str, ...]) -> str | None:
        """Return what a search of all games would have written otherwise."""
        if "--purge" in words:
            return None  # the evidence of purged games is gone; the next search shows that
        shutil.copy(self.folder / DATABASE, self.folder / COPY)
        by_key = any(word.startswith("--by=") for word in words)
        options = [word for word in words[2:] if word != "--delete"] if by_key else ["--no-players"]
        outcome = self.run("dedup", COPY, "--full", *options)
        full = without_note_ids(self.rows(COPY))
        self.remove_copy()
        problem = crash(outcome) or unexpected(outcome)
        found = without_note_ids(self.rows())
        if problem is None and found != full:
            return f"unlike dedup --full: {row_difference(found, full)}"
        return problem

    def unnamed_suspects(self) -> str | None:
        """Return a possible duplicate that is not in Games."""
        with read(self.folder / DATABASE) as connection:
            gone = connection.execute(
                "SELECT GameID1, GameID2 FROM Suspects WHERE Decision IS NULL AND NOT "
                "(GameID1 IN (SELECT ID FROM Games) AND GameID2 IN (SELECT ID FROM Games))"
            ).fetchall()
        return f"possible duplicates name games that are not there: {gone[:3]}" if gone else None

    def run(self, *words: str) -> Outcome:
        return run_forked(replace(self.case, folder=self.folder), *words)

    def unsound(self) -> str | None:
        outcome = self.run("check", DATABASE)
        if outcome.status == DONE:
            return None
        return f"check: exit status {outcome.status}: {outcome.out}{outcome.err}"

    def begin(self) -> str | None:
        inputs(self.case, self.folder)
        games = sorted(path.name for path in self.folder.glob("*_*.pgn"))
        chosen = self.rng.sample(games, self.rng.randint(1, len(games)))
        options = self.rng.choice([[], ["--signatures"], ["--no-index"], list(LISTS)])
        return self.step("create", DATABASE, *chosen, *options, loads=True)

    def append(self) -> str | None:
        """Load records that were not there: some are better than those that are."""
        self.number += 1
        name = f"source-{self.number}.{self.suffix}"
        (self.folder / name).write_text(self.new_games(), "utf-8")
        options = [f"--rejects={self.number}.rejects.{self.suffix}"]
        options += self.rng.choice([[], [], ["--signatures"], ["--only-new"]])
        return self.step("create", DATABASE, name, "--append", *options, loads=True)

    def new_games(self) -> str:
        text = "".join(path.read_text("utf-8") for path in sorted(self.folder.glob("*_*.pgn")))
        games = many_games(text, self.rng.randint(1, 25), self.rng)
        if self.rng.random() < 0.5:
            games = games.replace("[White ", f'[Annotator "Nº {self.number}"]\n[White ')
            games = re.sub(r'\[Round "[^"]*"\]', f'[Round "{self.number}"]', games)
        return games

    def players(self) -> str | None:
        options = self.rng.choice([[], list(LISTS), ["--again"], ["--no-fill"], ["--fill"]])
        return self.step("players", DATABASE, *options)

    def dedup(self) -> str | None:
        words = ["dedup", DATABASE, *self.search_options()]
        purges = False
        if self.rng.random() < 0.4:
            words.append("--delete")
            purges = self.rng.random() < 0.2
            words += ["--purge"] if purges else []
        return self.step(*words, purges=purges)

    def dedup_by_key(self) -> str | None:
        key = self.rng.choice(KEYS)
        words = ["dedup", DATABASE, f"--by={key}"]
        words += self.rng.choice([[], [f"--plycount={self.rng.choice((20, 50))}"]])
        words += self.rng.choice([[], ["--include-shorter"]]) if key != "record" else []
        words += self.rng.choice([[], [], ["--delete"], ["--delete", "--purge"]])
        return self.step(*words, purges="--purge" in words)

    def search_options(self) -> list[str]:
        options = []
        for choices in (
            ([], [], ["--full"]),
            ([], [], ["--no-merge"], ["--merge-variations"], ["--keep-annotations=longest"]),
            ([], [], [f"--keep={self.rng.choice(('first', 'longest', 'annotated'))}"]),
            ([], [], [], [f"--plycount={self.rng.choice((20, 50))}"]),
            ([], [], [], [f"--accuracy={self.rng.choice(('strict', 'tolerant'))}"]),
            ([], [], ["--no-players"]),
        ):
            options += self.rng.choice(choices)
        return options

    def purge(self) -> str | None:
        return self.step("dedup", DATABASE, "--purge", purges=True)

    def restore(self) -> str | None:
        return self.step("dedup", DATABASE, "--restore")

    def undo(self) -> str | None:
        return self.step(self.rng.choice(("dedup", "players")), DATABASE, "--undo")

    def dedup_and_undo(self) -> str | None:
        """Undo puts everything back bit for bit."""
        options = self.search_options() + self.rng.choice([[], ["--delete"]])
        return self.and_undo(["dedup", DATABASE, *options, "--no-players"], ["dedup"])

    def players_and_undo(self) -> str | None:
        options = self.rng.choice([[], list(LISTS), ["--again"]])
        return self.and_undo(["players", DATABASE, *options], ["players"])

    def and_undo(self, words: list[str], undo: list[str]) -> str | None:
        before = self.rows()
        problem = self.step(*words)
        if problem or without_note_ids(self.rows()) == without_note_ids(before):
            return problem  # a command that changes nothing leaves the one before it to be undone
        # Whatever changes persons takes merged headers back first, for dedup to merge them anew.
        if undo == ["players"] and (before["MergedTags"] or before["MergedNotes"]):
            before = {table: before[table] for table in OF_PERSONS}
        problem = self.step(*undo, DATABASE, "--undo")
        if problem:
            return problem
        after = {table: rows for table, rows in self.rows().items() if table in before}
        return f"undo left {row_difference(after, before)}" if after != before else None

    def rows(self, database: str = DATABASE) -> Rows:
        """Return what undo must put back: all but its own notes, and lists that were read."""
        tables = dump(self.folder / database, leave_out=NOTES)
        if isinstance(tables, str):
            return {"unreadable": [(tables,)]}
        return {
            table: rows
            for table, rows in tables.items()
            if table not in ("schema", *LISTS_READ, *CHOSEN_ANEW)
        }

    def review(self) -> str | None:
        """Decide about some possible duplicates and about some pairs of any games."""
        with read(self.folder / DATABASE) as connection:
            pairs = connection.execute("SELECT GameID1, GameID2 FROM Suspects").fetchall()
            games = [game for (game,) in connection.execute("SELECT ID FROM Games")]
        pairs = self.rng.sample(pairs, min(len(pairs), self.rng.randint(0, 4)))
        if len(games) > 1 and self.rng.random() < 0.3:
            pairs.append(tuple(sorted(self.rng.sample(games, 2))))
        lines = ["GameID1,GameID2,Decision,Master"]
        for left, right in dict.fromkeys(pairs):
            decision = self.rng.choice(("same", "different", "none"))
            master = self.rng.choice(("", str(left), str(right))) if decision == "same" else ""
            lines.append(f"{left},{right},{decision},{master}")
        name = f"decisions-{len(self.done)}.csv"
        (self.folder / name).write_text("\n".join(lines) + "\n")
        options = self.rng.choice([[], ["--apply"]])
        before = self.decided.copy()
        for line in lines[1:]:
            left, right, decision, _ = line.split(",")
            if decision == "none":
                self.decided.pop((int(left), int(right)), None)
            else:
                self.decided[int(left), int(right)] = decision
        problem = self.step("review", DATABASE, "--decide", name, *options)
        if self.status == FAILED:  # a contradiction, or a deleted game that is to be kept
            self.decided = before
        return problem

    def sign(self) -> str | None:
        return self.step("signatures", DATABASE)

    def repair(self) -> str | None:
        return self.step("check", DATABASE, "--repair")

    def report(self) -> str | None:
        kind = self.rng.choice(("csv", "json", "html"))
        return self.step("dedup", DATABASE, "--report", f"r.{kind}", "--force")

    def export(self) -> str | None:
        """Every kept game is exported, once."""
        output, duplicates = f"o.{self.suffix}", f"c.{self.suffix}"
        words = ["export", DATABASE, "-o", output, "--duplicates", duplicates, "--force"]
        problem = self.step(*words)
        if problem:
            return problem
        with read(self.folder / DATABASE) as connection:
            count = "SELECT count(*) FROM FlaggedGames WHERE DuplicateStatus IS {} NULL"
            kept = connection.execute(count.format("")).fetchone()[0]
            flagged = connection.execute(count.format("NOT")).fetchone()[0]
        flagged += len(self.collection.removed)
        for name, expected in ((output, kept), (duplicates, flagged)):
            actual = (self.folder / name).read_bytes().count(self.first_tag)
            if actual != expected:
                return f"{name} has {actual} games, not {expected}"
        if len(self.named_games(duplicates)) != flagged:
            return f"{duplicates} has games that name no kept game"
        return self.named_games_gone(duplicates)

    def named_games(self, name: str) -> list[str]:
        """Return the kept game that each game of a file of duplicates names."""
        return re.findall(self.mark, (self.folder / name).read_text("utf-8"), re.MULTILINE)

    def named_games_gone(self, name: str) -> str | None:
        """Return a kept game that a file of duplicates names, and that is not in Games."""
        named = self.named_games(name)
        with read(self.folder / DATABASE) as connection:
            present = {game for (game,) in connection.execute("SELECT ID FROM Games")}
        gone = {int(game) for game in named} - present
        return f"{name} names {sorted(gone)[:5]}, which are no games any more" if gone else None

    def rename_folder(self) -> str | None:
        """Move the folder; nothing may depend on its name."""
        new = self.folder.with_name(f"moved-{len(self.done)}")
        shutil.move(self.folder, new)
        self.folder = new
        self.done.append(f"mv to {new.name}")
        self.collection.database = new / DATABASE
        return self.unsound()


def searches(words: tuple[str, ...]) -> bool:
    """Return whether a command brings the groups up to date."""
    if words[0] == "review":
        return "--apply" in words
    return words[0] == "dedup" and not {"--undo", "--restore", "--reset"} & set(words)


def without_note_ids(rows: Rows) -> Rows:
    """Return rows without the IDs of annotations: --full writes merged ones anew."""
    content = {table: result for table, result in rows.items() if table != "MergedNotes"}
    for table in ("Comments", "Annotations"):
        content[table] = sorted((row[1:] for row in rows.get(table, [])), key=repr)
    return content


STEPS = {
    "append": 5, "dedup": 4, "dedup_by_key": 1, "players": 3, "dedup_and_undo": 2,
    "players_and_undo": 2, "undo": 2, "restore": 2, "review": 2, "sign": 2, "purge": 1,
    "repair": 1, "report": 1, "export": 1, "rename_folder": 1,
}  # fmt: skip


def unexpected(outcome: Outcome) -> str | None:
    """Return what is wrong with the status of a command that should be done."""
    if outcome.status in (DONE, REJECTED):
        return None
    # There may be nothing to undo, restore, purge or repair: then one line says so.
    may_refuse = {"--undo", "--restore", "--purge", "--repair", "--decide"} & set(outcome.arguments)
    if outcome.status == FAILED and may_refuse and outcome.err.count("\n") == 1:
        return None
    return f"`{outcome.command()}`: exit status {outcome.status}: {outcome.err}"


def run_case(case: Case) -> str | None:
    return run_sequence(Sequence(case))


def run_sequence(sequence: Sequence) -> str | None:
    case = sequence.case
    length = sequence.rng.randint(20, 40)
    problem = sequence.begin()
    while problem is None and len(sequence.done) < length:
        [name] = sequence.rng.choices(list(STEPS), list(STEPS.values()))
        problem = getattr(sequence, name)()
    if problem is None:
        problem = sequence.export()
    sequence.folder.mkdir(exist_ok=True)
    # For --keep: what led to the failure.
    (case.folder.parent / "commands").write_text("\n".join(sequence.done) + "\n", "utf-8")
    if problem is None:
        return None
    return f"step {len(sequence.done)}, `{sequence.done[-1]}`: {problem}"


def replay(case: Case, lines: tuple[str, ...]) -> str | None:
    """Run given commands in a folder of the demo games, with all checks after each."""
    sequence = Sequence(case)
    if not (case.folder / "spelling.ssp").exists():
        inputs(case, case.folder)
    for text in lines:
        words = text.split()
        problem = sequence.step(*words, loads=words[0] == "create", purges="--purge" in words)
        if problem is None and "--duplicates" in words:
            problem = sequence.named_games_gone(words[-1])
        if problem:
            return f"`{text}`: {problem}"
    return None
