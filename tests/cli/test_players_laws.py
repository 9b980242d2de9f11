"""What players and dedup derive follows from games, lists and decisions, not from the history."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.command_line import Command
from tests.support.databases import Row, query
from tests.support.dedup_results import differences
from tests.support.persons import crowd, known_persons, write_list
from tests.support.pgn_text import game

PEOPLE = {
    "Carlsen, Magnus": ["Carlsen, Magnus", "Carlsen, M", "Magnus Carlsen", "Carlsn, Magnus"],
    "Petrosian, Tigran L": ["Petrosian, T", "Petrosian, Tigran L", "Petrosjan, TL"],
    "Petrosian, Tigran V": ["Petrosian, Tigran V", "Petrosian, T", "Petrosian, Tigran"],
    "Polgar, Judit": ["Polgar, Judit", "Polgar, J", "Polgar", "Polgár, Judit"],
    "Shirov, Alexei": ["Shirov, Alexei", "Shirow, A", "Schirow, Alexej"],
    "Ding, Liren": ["Ding, Liren", "Ding Liren", "Ding, L"],
    "Nabokov, Sergey": ["Nabokov, Sergey", "Nabokow, Sergej", "Naboka, Sergey", "Nabokov, S"],
    "Horvath, Peter jr": ["Horvath, Peter", "Horvath, Peter2", "Horvath, P", "Horvath, Peter jr"],
    "Chilov, Andreas": ["Chilov, A", "Chilov, Andreas", "Chilow, Andreas"],
    "Unlisted, Ulrich": ["Unlisted, Ulrich", "Unlisted, U", "Unlistet, Ulrich", "Ulrich Unlisted"],
    "Made Up, Maria": ["Made Up, Maria", "Made Up, M", "Madeup, Maria"],
    "": ["?", "NN", "moth99"],
}  # fmt: skip
SPELLINGS = (
    "@PLAYER\n\nShirov, Alexei #gm LAT 1972\n= Fire on Board\n= Shirow, A\n\nUnlisted, Ulrich\n"
    "= Naboka, Sergey\n",
    "@PLAYER\n\nUnlisted, Ulrich # GER 1980\n= moth99\n\nPetrosian, Tigran V\n= Petrosian, Tigran\n"
    "\nMade Up, Maria #wgm FRA 1990\n= Madeup, Maria\n",
)  # fmt: skip
MAINLINES = (
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O 8. c3 d5 9. exd5 "
    "Nxd5 10. Nxe5 Nxe5 11. Rxe5 c6 12. d4 Bd6 13. Re1 Qh4 14. g3 Qh3 15. Be3 Bg4 16. Qd3 Rae8",
    "1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O 6. Be2 e5 7. O-O Nc6 8. d5 Ne7 9. Ne1 Nd7 "
    "10. Be3 f5 11. f3 f4 12. Bf2 g5 13. a4 Rf6 14. a5 Rh6 15. Nb5 a6 16. Nc3 Nf8 17. c5 Ng6",
    "1. c4 e5 2. Nc3 Nf6 3. Nf3 Nc6 4. g3 d5 5. cxd5 Nxd5 6. Bg2 Nb6 7. O-O Be7 8. d3 O-O 9. Be3 "
    "Be6 10. Rc1 f5 11. a3 Bf6 12. b4 Nd4 13. Bxd4 exd4 14. Na4 Bd5 15. Nc5 c6 16. Re1 Re8",
    "1. e4 c5",
    "",
)  # fmt: skip
SEEDS = 25
MONTHS = ("2013-01", "2014-06", "2013-02")


def rating_lists(folder: Path) -> list[Path]:
    """Write lists of three months, with other titles, ratings and namesakes."""
    people = [person for person in known_persons() if person.name in PEOPLE]
    paths = []
    for number, month in enumerate(MONTHS):
        rng = random.Random(number)
        listed = [*crowd()[:60]]
        for person in people:
            if rng.random() < 0.85:
                title = rng.choice([person.title, person.title, "IM", ""])
                listed.append(person._replace(title=title, rating=rng.choice([2500, 2700, None])))
        for place, name in enumerate(("Carlsen, Mats", "Nabokov, Semyon", "Ding, Lian")):
            if rng.random() < 0.5:
                person = people[0]._replace(name=name, fide_id=8_000_000 + place, title="")
                listed.append(person)
        paths.append(write_list(folder, listed, f"players_{month}.xml"))
    return paths


def records(rng: random.Random) -> Iterator[str]:
    """Yield the records of one file; some are of one game, with other headers."""
    ids = {person.name: person.fide_id for person in known_persons()}
    for _ in range(rng.randint(1, 7)):
        tags = {
            "Event": rng.choice(["Open", "Match", "Rated Blitz game", "?"]),
            "Site": rng.choice(["Riga", "lichess.org", "?", "Bonn"]),
            "Date": rng.choice(["2013.01.05"] * 2 + ["2014.05.??", "1999.03.01", "????.??.??"]),
            "Round": rng.choice("123?"),
        }  # fmt: skip
        sides = rng.sample([*PEOPLE], 2)
        moves = rng.choice(MAINLINES)
        for _ in range(rng.choice([1, 1, 2, 3])):
            own = dict(tags)
            for side, name in zip(("White", "Black"), sides, strict=True):
                own[side] = rng.choice(PEOPLE[name])
                if rng.random() < 0.25:
                    known = rng.choice([name, name, *ids])
                    own[f"{side}FideId"] = str(ids.get(known, 7))
                if rng.random() < 0.25:
                    own[f"{side}Title"] = rng.choice(["GM", "GM", "IM", "WGM"])
                if rng.random() < 0.3:
                    own[f"{side}Elo"] = rng.choice(["2500", "2710", "1900", "0"])
            if rng.random() < 0.3:
                own["Event"] = own["Site"] = "?"
            yield game(f"{moves} *", **own)


class Inputs(NamedTuple):
    """What a database was given and not told to forget: files of games in order, and so on.

    `fide`: the list that was read last, `month`: a month that was set for it.
    """

    games: list[str]
    spellings: list[str]
    decisions: dict[tuple[str, str], str]
    fide: str | None = None
    month: str | None = None
    fill: str | None = None
    is_reduced: bool = False

    def after_players(self, words: list[str]) -> Inputs:
        """Return the inputs after a run of players with these options."""
        result, given = self, dict(pairwise([*words, ""]))
        fide = given.get("--fide-xml", self.fide)
        if fide != self.fide:
            result = result._replace(fide=fide, month=None)
        if fide is not None:
            result = result._replace(month=given.get("--list-month", result.month))
        if "--aliases" in given:
            self.spellings.append(given["--aliases"])
        for option in given.keys() & {"--fill", "--no-fill"}:
            result = result._replace(fill=option)
        for option in given.keys() & {"--store-list", "--no-store-list"}:
            result = result._replace(is_reduced=option == "--no-store-list")
        return result


class History:
    """A database, random commands on it, and what it was given by those that were not refused."""

    def __init__(self, command: Command, folder: Path, rng: random.Random) -> None:
        self.command, self.folder, self.rng = command, folder, rng
        self.path = folder / "grown.db3"
        self.lists = rating_lists(folder)
        self.spellings = [folder / f"{number}.ssp" for number in range(len(SPELLINGS))]
        for path, text in zip(self.spellings, SPELLINGS, strict=True):
            path.write_text(text, encoding="utf-8")
        self.inputs = Inputs([], [], {})
        self.lines: list[str] = []

    def run(self, words: str, path: Path | None = None) -> bool:
        """Run a command; return whether it was done and not refused."""
        name, *options = words.split()
        outcome = self.command(name, path or self.path, *options, "-q")
        self.lines.append(f"{words} ({outcome.status})")
        assert outcome.status in (0, 1, 2), (self.lines, outcome)
        return outcome.status != 2

    def step(self) -> None:
        kind = self.rng.random()
        if not self.inputs.games or kind < 0.35:
            self.import_games()
        elif kind < 0.7:
            self.resolve_players()
        elif kind < 0.75:
            self.run("players --undo")
        elif kind < 0.9:
            options = ["", "--full", "--no-players", "--undo", "--delete", "--restore"]
            self.run(f"dedup {self.rng.choice(options)}")
        elif kind < 0.95:
            self.decide()
        else:
            self.decide_names()

    def import_games(self) -> None:
        path = self.folder / f"{len(self.inputs.games)}.pgn"
        path.write_text("".join(records(self.rng)), encoding="utf-8")
        self.run(f"create {path} {'--append' if self.inputs.games else ''}")
        self.inputs.games.append(str(path))

    def resolve_players(self) -> None:
        choose = self.rng.choice
        words = choose(["", f"--fide-xml {choose(self.lists)} --replace-list"])
        words += choose(["", "", " --no-store-list", " --store-list"])
        words += choose(["", "", f" --aliases {choose(self.spellings)}"])
        words += choose(["", "", "", f" --list-month {choose(MONTHS)}"])
        words += choose(["", "", " --again"]) + choose(["", "", "", " --no-fill", " --fill"])
        if self.run(f"players {words}"):
            self.inputs = self.inputs.after_players(words.split())

    def decide(self) -> None:
        (last,) = query(self.path, "SELECT max(ID) FROM Games")[0]
        if last > 1:
            first, second = map(str, sorted(self.rng.sample(range(1, last + 1), 2)))
            decision = self.rng.choice(["same", "different"])
            if self.write_decisions({(first, second): decision}, self.path):
                self.inputs.decisions[first, second] = decision

    def decide_names(self) -> None:
        """Decide about names that the games have, and about others."""
        spellings = [name for names in PEOPLE.values() for name in names if name not in ("?", "NN")]
        names = self.rng.sample(spellings, self.rng.randint(2, 3))
        rows = query(self.path, "SELECT GamesNamed.ID, White FROM GamesNamed WHERE White <> '?'")
        if rows and self.rng.random() < 0.3:
            game_id, name = self.rng.choice(rows)
            names[0] = f"{name}@{game_id}"
        options = self.rng.choice([
            ["--same", *names], ["--same", *names, "--as", self.rng.choice([*PEOPLE][:-1])],
            ["--different", *names[:2]], ["--name", names[0], self.rng.choice([*PEOPLE][:-1])],
            ["--name", names[0], "Someone, Else"], ["--forget", names[0]],
            *(["--forget", row[0]] for row in query(self.path, "SELECT Name FROM NameDecisions")),
        ])  # fmt: skip
        outcome = self.command("players", self.path, *options, "-q")
        self.lines.append(f"players {options} ({outcome.status})")
        assert outcome.status in (0, 2), (self.lines, outcome)

    def name_decisions(self) -> list[Row]:
        sql = "SELECT Decision, Name, GameID, OtherName, OtherGameID FROM NameDecisions ORDER BY ID"
        return query(self.path, sql) if self.path.exists() else []

    def write_decisions(self, decisions: dict[tuple[str, str], str], path: Path) -> bool:
        rows = (f"{first},{second},{decision}\n" for (first, second), decision in decisions.items())
        (self.folder / "decisions.csv").write_text(
            f"GameID1,GameID2,Decision\n{''.join(rows)}", encoding="utf-8"
        )
        return self.run(f"review --decide {self.folder / 'decisions.csv'}", path)

    def fresh(self) -> Path:
        """Return a database that was given all inputs at once."""
        path = self.folder / "fresh.db3"
        assert self.run(f"create {' '.join(self.inputs.games)}", path)
        if self.name_decisions():
            file = self.folder / "names.tsv"
            assert self.run(f"players --decisions -o {file}")
            assert self.run(f"players --decide {file}", path)
        for spellings in self.inputs.spellings:
            assert self.run(f"players --aliases {spellings}", path)
            assert self.run("players --undo", path)
        assert self.run(f"players {self.options()} --again", path)
        return path

    def options(self) -> str:
        """Return the options of players that give a database its lists and settings."""
        inputs = self.inputs
        words = [f"--fide-xml {inputs.fide}"] if inputs.fide else []
        words += [f"--list-month {inputs.month}"] if inputs.month else []
        return " ".join([*words, *["--no-store-list"] * inputs.is_reduced, inputs.fill or ""])


_PERSON = "(SELECT json_array(Name, FideID, Title, Country, BirthYear) FROM Persons WHERE ID = {})"
_NAME = "(SELECT Name FROM {} WHERE ID = {})"
_GAMES = ", ".join(
    [
        "ID", "Date", "Round", "Result", "ExtraTags", "WhiteElo", "BlackElo", "BackFilled",
        "CoreHash", "HeaderOptimized", _NAME.format("Players", "WhiteID"),
        _NAME.format("Players", "BlackID"), _NAME.format("Events", "EventID"),
        _NAME.format("Sites", "SiteID"), *map(_PERSON.format, ("WhitePersonID", "BlackPersonID")),
    ]
)  # fmt: skip
_DERIVED = {
    "Persons": "SELECT Name, FideID, Title, Country, BirthYear FROM Persons",
    "Resolutions": (
        f"SELECT {_NAME.format('Players', 'PlayerID')}, {_PERSON.format('PersonID')}, Scope, "
        "Stage, Score, Reason, Probability FROM Resolutions"
    ),
    "Games": f"SELECT {_GAMES} FROM Games",
    "Lists": "SELECT SHA256, Month FROM RatingLists WHERE Kind = 'fide' ORDER BY ID DESC LIMIT 1",
    **{
        # Entries of other players of a reduced list are those that an undo needs.
        table: f"SELECT * FROM {table} WHERE FideID IN (SELECT FideID FROM Persons)"
        for table in ("FidePlayers", "FideAliases")
    },
    **{
        table: f"SELECT * FROM {table}" for table in ("NameAliases", "DuplicateFlags", "MergedTags")
    },
    "Suspects": (
        "SELECT GameID1, GameID2, Decision, CASE WHEN Decision IS NULL THEN Evidence END "
        "FROM Suspects"
    ),
}


def derived(path: Path) -> dict[str, list[Row]]:
    """Return what players and dedup derive, without IDs of names and players.

    The evidence beside a decision is that of the search that listed the pair last.
    """
    return {table: sorted(query(path, sql), key=repr) for table, sql in _DERIVED.items()}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEEDS))
def test_decisions_about_names_outlive_all_steps(
    command: Command, tmp_path: Path, seed: int
) -> None:
    """And their result at once is that of resolving all names with them."""
    rng = random.Random(1000 + seed)
    history = History(command, tmp_path, rng)
    history.import_games()
    for _ in range(rng.randint(2, 8)):
        for _ in range(rng.randint(0, 3)):
            history.decide_names()
        before = history.name_decisions()
        history.step()
        if not history.lines[-1].startswith("players ["):
            assert history.name_decisions() == before, history.lines
    history.run("dedup --restore")
    is_reduced = history.inputs.is_reduced and history.inputs.fide
    words = f"players --again {f'--fide-xml {is_reduced}' if is_reduced else ''}"
    assert history.run(words)
    for _ in range(4):
        history.decide_names()
    at_once = derived(history.path)
    assert command("check", history.path).status == 0, history.lines
    assert history.run(words)
    assert differences(at_once, derived(history.path)) == {}, history.lines
    while rows := history.name_decisions():
        _, name, game_id, *_ = rows[0]
        text = name if game_id is None else f"{name}@{game_id}"
        assert command("players", history.path, "--forget", text, "-q").status == 0
    assert query(history.path, "SELECT count(*) FROM UndecidedSides") == [(0,)]
    without = derived(history.path)
    assert history.run(words)
    assert differences(without, derived(history.path)) == {}, history.lines


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_history_leaves_no_trace(command: Command, tmp_path: Path, seed: int) -> None:
    """The result is that of a database which was given everything at once."""
    rng = random.Random(seed)
    history = History(command, tmp_path, rng)
    for _ in range(rng.randint(2, 12)):
        history.step()
    fresh, grown = history.fresh(), history.path
    history.run("dedup --restore")
    is_reduced = history.inputs.is_reduced and history.inputs.fide
    assert history.run(f"players --again {f'--fide-xml {is_reduced}' if is_reduced else ''}")
    if history.inputs.decisions:
        assert history.write_decisions(history.inputs.decisions, fresh)
    for path in (fresh, grown):
        assert history.run("dedup", path)
    assert differences(derived(fresh), derived(grown)) == {}, history.lines
    assert command("check", grown).status == 0, history.lines
