"""Corrections and notes of the user: what they change, and that nothing replaces them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from ocgdedup.cli import terminal
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.persons import known_persons, write_list
from tests.support.pgn_text import game

MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O 8. c3 d5 9. exd5"
OTHER = "1. d4 Nf6 2. c4 g6 3. Nc3 Bg7 4. e4 d6 5. Nf3 O-O 6. Be2 e5 7. O-O Nc6 8. d5 Ne7 9. Ne1"


@pytest.fixture
def games(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database: games 1, 2 and 3 are duplicates, 4 is another game."""
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(
        game(MOVES, White="Carlsen, Magnus", Black="Ding, Liren", Date="2013.05.01", Site="Rome")
        + game(MOVES, White="Carlsen, M", Black="Ding, Liren", Date="2013.??.??", WhiteElo="2850")
        + game(MOVES, White="Carlsen, Magnus", Black="Ding, L", Date="2013.05.01", Round="3")
        + game(OTHER, White="Polgar, Judit", Black="Shirov, Alexei", Date="12.5.1994")
    )
    assert command("create", "a.db3", "in.pgn", "-q").status == 0
    return "a.db3"


def tags_of(command: Command, games: str, game_id: int, *options: str) -> dict[str, str]:
    text = command("printpgn", games, "-g", str(game_id), *options).out
    lines = [line for line in text.splitlines() if line.startswith("[")]
    return {line[1:].split(" ")[0]: line.split('"', 1)[1][:-2] for line in lines}


def edit(command: Command, *arguments: str, status: int = 0) -> str:
    done = command("edit", *arguments)
    assert done.status == status, done.err
    return done.out + done.err


def test_set_and_clear(command: Command, games: str) -> None:
    texts = ("white=Polgar, Zsofia", "Date=1994.??.??", "Annotator=Me", "eco=E97", "BLACKELO=2710")
    options = [word for text in texts for word in ("--set", text)]
    edit(command, games, "4", *options, "--clear", "Site")
    tags = tags_of(command, games, 4)
    shown = [
        tags[tag] for tag in ("White", "Date", "Annotator", "Site", "BlackElo", "OriginalWhite")
    ]
    assert shown == ["Polgar, Zsofia", "1994.??.??", "Me", "?", "2710", "Polgar, Judit"]
    assert tags["eco"] == "E97" if "eco" in tags else tags["ECO"] == "E97"
    assert value(games, "SELECT DateQuality FROM Games WHERE ID = 4") == 13
    rows = query(
        games, "SELECT Tag, Value, ReadValue FROM Corrections WHERE Tag IN ('Date', 'White')"
    )
    assert rows == [
        ("Date", "1994.??.??", "12.5.1994"),
        ("White", "Polgar, Zsofia", "Polgar, Judit"),
    ]
    assert tags_of(command, games, 4, "--names", "file")["White"] == "Polgar, Judit"
    assert command("check", games).status == 0


def test_equals_an_import(command: Command, games: str) -> None:
    """An edited game has the columns that a load of the corrected text gives."""
    edit(command, games, "4", "--set", "White=Tal, Mihail", "--set", "Date=1960.03.15",
         "--set", "Round=7", "--set", "Result=1/2-1/2", "--set", "WhiteElo=2700")  # fmt: skip
    Path("b.pgn").write_text(
        game(OTHER, White="Tal, Mihail", Black="Shirov, Alexei", Date="1960.03.15", Round="7",
             Result="1/2-1/2", WhiteElo="2700")
    )  # fmt: skip
    assert command("create", "b.db3", "b.pgn", "-q").status == 0
    names = "SELECT White, Black, Date, Round, Result, WhiteElo FROM GamesNamed WHERE ID = {}"
    assert query(games, names.format(4)) == query("b.db3", names.format(1))
    columns = "SELECT DateQuality, CoreHash, ExtraTags FROM Games WHERE ID = {}"
    assert query(games, columns.format(4)) == query("b.db3", columns.format(1))


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("Date=12.5.1994", "is not a date"), ("Date=1994.02.30", "is not a date"),
        ("WhiteElo=strong", "is not an Elo"), ("ECO=F01", "is not an ECO code"),
        ("Result=2-0", "is not a result"), ("FEN=8/8/8/8/8/8/8/8", "cannot be set"),
        ("White", "write TAG=VALUE"), ("Ev ent=x", "is not the name of a tag"),
        ("Event=a\nb", "line breaks"),
    ],
)  # fmt: skip
def test_invalid_value(command: Command, games: str, option: str, message: str) -> None:
    before = Path(games).read_bytes()
    assert message in edit(command, games, "1", "3", "--set", "Round=1", "--set", option, status=2)
    assert Path(games).read_bytes() == before


def test_unknown_game_changes_nothing(command: Command, games: str) -> None:
    before = Path(games).read_bytes()
    assert "9" in edit(command, games, "1", "9", "--note", "x", status=2)
    assert Path(games).read_bytes() == before


def test_selection_needs_yes(command: Command, games: str) -> None:
    chosen = (games, "--player", "Ding, Liren", "--set", "Event=Match")
    assert "select 2 games; confirm with --yes" in edit(command, *chosen, status=2)
    edit(command, *chosen, "--yes")
    sql = "SELECT ID FROM GamesNamed WHERE Event = 'Match'"
    assert query(games, sql) == [(1,), (2,)]


def test_the_user_is_asked(command: Command, games: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "is_interactive", lambda: True)
    before = Path(games).read_bytes()
    chosen = ("edit", games, "--player", "Ding, Liren", "--set", "Event=Match")
    refused = command(*chosen, stdin=b"n\n")
    assert f"{games}: edit 2 games? [y/N] " in refused.err
    assert "nothing was changed" in refused.err
    assert refused.status == 0
    assert Path(games).read_bytes() == before
    assert command(*chosen, stdin=b"y\n").status == 0
    assert query(games, "SELECT count(*) FROM GamesNamed WHERE Event = 'Match'") == [(2,)]


def test_table(command: Command, games: str) -> None:
    Path("fix.tsv").write_text(
        "ID\tTag\tValue\n1\tWhite\tCarlsen, Magnus\n2\tSite\tParis\n2\tECO\t\n"
    )
    edit(command, games, "--from", "fix.tsv")
    assert tags_of(command, games, 2)["Site"] == "Paris"
    Path("fix.tsv").write_text("1\tSite\tOslo\n2\tDate\tyesterday\n3\tResult\t3-0\n")
    message = edit(command, games, "--from", "fix.tsv", status=2)
    assert "fix.tsv:2: Date: 'yesterday'" in message
    assert "fix.tsv:3: Result" in message
    assert tags_of(command, games, 1)["Site"] == "Rome"


def test_note(command: Command, games: str) -> None:
    edit(command, games, "4", "--note", "from the tournament book")
    assert tags_of(command, games, 4)["UserNote"] == "from the tournament book"
    assert command("export", games, "-o", "t.jsonl").status == 0
    rows = [json.loads(line) for line in Path("t.jsonl").read_text().splitlines()]
    assert [row["UserNote"] for row in rows] == [None, None, None, "from the tournament book"]
    edit(command, games, "4", "--note", "")
    assert "UserNote" not in tags_of(command, games, 4)


def test_correction_wins_in_the_group(command: Command, games: str) -> None:
    """A correction of a duplicate is in the kept game, until that has one of its own."""
    command("dedup", games, "-q")
    kept = value(games, "SELECT DISTINCT DuplicateGroup FROM DuplicateFlags")
    other = 1 + kept % 3
    edit(command, games, str(other), "--set", "Site=Moscow")
    assert tags_of(command, games, kept)["Site"] == "Moscow"
    merged = "SELECT Before, After, FromGameID, Reason FROM MergedTags WHERE Tag = 'Site'"
    assert query(games, merged) == [("Rome", "Moscow", other, "your correction")]
    assert "your correction" in command("dedup", games, "--explain", str(kept)).out
    edit(command, games, str(kept), "--set", "Site=Kyiv")
    assert tags_of(command, games, kept)["Site"] == "Kyiv"
    edit(command, games, str(other), "--set", "Site=Lviv")
    for step in (["--full"], ["--reset"], []):
        assert command("dedup", games, "-q", *step).status == 0
        assert tags_of(command, games, kept)["Site"] == "Kyiv"
        assert tags_of(command, games, other)["Site"] == "Lviv"
    assert command("check", games).status == 0


def test_purge_keeps_corrections_and_notes(command: Command, games: str) -> None:
    command("dedup", games, "-q")
    kept = value(games, "SELECT DISTINCT DuplicateGroup FROM DuplicateFlags")
    # It stays the kept one.
    edit(command, games, str(kept), "--set", "ECO=C99", "--set", "BlackElo=2700")
    edit(command, games, str(1 + kept % 3), "--set", "Site=Moscow", "--set", "Stage=7")
    edit(command, games, str(1 + kept % 3), "--note", "second record")
    for step in (["--delete"], ["--purge"], ["--full"], ["--reset"], []):
        assert command("dedup", games, "-q", *step).status == 0
        tags = tags_of(command, games, kept)
        assert (tags["Site"], tags["Stage"]) == ("Moscow", "7"), step
    assert tags["UserNote"] == "second record"
    assert {row[0] for row in query(games, "SELECT GameID FROM Corrections")} == {kept}
    assert command("check", games).status == 0


def test_canonical_names_do_not_replace_it(command: Command, games: str) -> None:
    lists = write_list(Path(), [p for p in known_persons() if p.name == "Carlsen, Magnus"])
    edit(command, games, "1", "--set", "White=Carlsen, M", "--clear", "WhiteFideId",
         "--clear", "WhiteElo", "--set", "WhiteTitle=WCh")  # fmt: skip
    assert command("players", games, "--fide-xml", lists, "--fill", "-q").status == 0
    for names in ("canonical", "merged"):
        tags = tags_of(command, games, 1, "--names", names)
        assert (tags["White"], tags["WhiteTitle"]) == ("Carlsen, M", "WCh")
        assert not {"WhiteFideId", "WhiteElo"} & set(tags)
    assert "WhiteFideId" in tags_of(command, games, 2)


@pytest.mark.parametrize("seed", range(12))
def test_corrected_values_are_always_shown(command: Command, games: str, seed: int) -> None:
    """Whatever is run after an edit, each game shows what its last edit said."""
    rng = random.Random(seed)
    lists = write_list(Path(), known_persons())
    texts = {
        "White": ["Carlsen, M", "Foo, Bar", "Polgar, Judit"], "Black": ["Ding, Liren", "Baz"],
        "Date": ["2013.05.02", "1999.??.??"], "Result": ["1-0", "0-1", "*"], "Site": ["Oslo", None],
        "WhiteElo": ["2500", None], "ECO": ["A00", "B12"], "WhiteTitle": ["GM", None],
        "BlackFideId": ["1503014", None], "Annotator": ["Me", None],
    }  # fmt: skip
    steps = (
        ["dedup"], ["dedup", "--full"], ["dedup", "--reset"], ["dedup", "--undo"],
        ["players", "--fide-xml", str(lists), "--again", "--fill"], ["players", "--undo"],
        ["dedup", "--delete"], ["dedup", "--restore"], ["check", "--repair"],
        ["check", "--fix-results"], ["players", "--same", "Carlsen, Magnus", "Carlsen, M"],
        ["dedup", "--no-merge"], ["dedup"],
    )  # fmt: skip
    expected: dict[tuple[int, str], str | None] = {}
    for _ in range(14):
        if rng.random() < 0.4:
            ids = {row[0] for row in query(games, "SELECT ID FROM Games")}
            game_id, tag = rng.choice(sorted(ids)), rng.choice(list(texts))
            text = rng.choice(texts[tag])
            option = ["--clear", tag] if text is None else ["--set", f"{tag}={text}"]
            edit(command, games, str(game_id), *option)
            expected.pop((game_id, tag), None)
            expected[game_id, tag] = text
        else:
            step = rng.choice(steps)
            assert command(step[0], games, "-q", *step[1:]).status in (0, 2), step
        check_shown(command, games, expected)
    assert command("check", games).status == 0


def check_shown(command: Command, games: str, expected: dict[tuple[int, str], str | None]) -> None:
    """Compare the headers of all games with the corrections, which are in the order of time."""
    groups = dict(query(games, "SELECT GameID, DuplicateGroup FROM DuplicateFlags"))
    for (game_id,) in query(games, "SELECT ID FROM Games"):
        values: dict[str, str | None] = {}
        for (other, tag), text in expected.items():
            if groups.get(other) == game_id:
                values[tag] = text
        values |= {tag: text for (other, tag), text in expected.items() if other == game_id}
        for names in ("canonical", "merged"):
            tags = tags_of(command, games, game_id, "--names", names)
            shown = {tag: tags.get(tag) for tag in values}
            cleared = {"Site": "?"}
            assert shown == {tag: text or cleared.get(tag) for tag, text in values.items()}


def changed(path: str, old: str, new: str) -> None:
    text = Path(path).read_text()
    assert text.count(old) == 1
    Path(path).write_text(text.replace(old, new))


def test_edited_file_of_run(command: Command, games: str) -> None:
    """What the user changed in the file is taken in, and the next run writes the same file."""
    assert command("run", "in.pgn", "-o", "out.pgn", "-q").status == 0
    before = Path("out.pgn").read_text()
    assert '[OcgdedupID "4"]' in before
    assert "nothing to change" in edit(command, "out.db3", "--from", "out.pgn")
    changed("out.pgn", '[White "Polgar, Judit"]', '[White "Polgar, Zsuzsa"]')
    changed("out.pgn", "2. c4 g6", "2. c4 {a remark} g6")
    text = Path("out.pgn").read_text()
    refused = command("run", "in.pgn", "-o", "out.pgn")
    assert refused.status == 2
    assert "out.pgn: has been changed since a run wrote it: game 4; take the" in refused.err
    assert "changed 1 game: 1 tag, moves or annotations of 1 game" in edit(
        command, "out.db3", "--from", "out.pgn"
    )
    for step in (["run", "--db", "out.db3", "-o", "out.pgn"], ["dedup", "out.db3", "--full"]):
        assert command(*step, "-q").status == 0
        assert command("export", "out.db3", "--ids", "-o", "b.pgn", "--force").status == 0
        words = text.replace("{a remark}", "{a remark} 2...").split()
        original = ["[OriginalWhite", '"Polgar,', 'Judit"]']
        place = max(i for i, word in enumerate(words) if word == "[OcgdedupID")
        assert Path("b.pgn").read_text().split() == words[:place] + original + words[place:]
    read = value("out.db3", "SELECT ReadValue FROM Corrections WHERE Tag = '{movetext}'")
    assert read.startswith("1. d4 Nf6 2. c4 g6 3. Nc3")
    assert command("check", "out.db3").status == 0


@pytest.mark.parametrize(
    "options", [["--names", "file"], ["--names", "merged"], ["--strip", "comments"], ["--all"]]
)
def test_an_export_in_any_form_has_no_corrections(
    command: Command, games: str, options: list[str]
) -> None:
    edit(command, games, "1", "--set", "White=Carlsen, Mag", "--note", "mine")
    for name in ("players", "dedup"):
        assert command(name, games, "-q").status == 0
    assert command("export", games, "-o", "b.pgn", "--ids", *options).status == 0
    assert "nothing to change" in edit(command, games, "--from", "b.pgn")


def test_broken_lines_of_comments_are_no_corrections(command: Command, games: str) -> None:
    Path("c.pgn").write_text(game("1. e4 {one two\nthree} (1. d4 {four five}) *"))
    assert command("create", games, "c.pgn", "--append", "-q").status == 0
    assert command("export", games, "-o", "b.pgn", "--ids").status == 0
    text = Path("b.pgn").read_text()
    Path("b.pgn").write_text(text.replace("two\nthree", "two three").replace("r f", "r\nf"))
    assert "nothing to change" in edit(command, games, "--from", "b.pgn")


def test_games_without_ids(command: Command, games: str) -> None:
    command("dedup", games, "-q")
    assert command("export", games, "-o", "b.pgn").status == 0
    text = Path("b.pgn").read_text()
    changed("b.pgn", '[Site "Rome"]', '[Site "Turin"]')
    assert "changed 1 game: 1 tag" in edit(command, games, "--from", "b.pgn")
    assert query(games, "SELECT Tag, Value FROM Corrections") == [("Site", "Turin")]
    # A game twice is not assigned by guess, nor is one with other moves.
    Path("b.pgn").write_text(text + text.replace("9. Ne1", "9. Nd2"))
    done = edit(command, games, "--from", "b.pgn", status=1)
    assert "no game has its moves" in done or "twice" in done


def test_moves_are_corrected(command: Command, games: str) -> None:
    """An edited game has the moves and keys of a load; a file with an illegal move is refused."""
    assert command("export", games, "-o", "b.pgn", "--ids", "--all").status == 0
    text = Path("b.pgn").read_text()
    Path("b.pgn").write_text(text.replace("9. Ne1", "9. Ke5"))
    assert "b.pgn:" in edit(command, games, "--from", "b.pgn", status=2)
    Path("b.pgn").write_text(text.replace("9. Ne1", "9. Nd2 (9. b4 a5)"))
    edit(command, games, "--from", "b.pgn")
    Path("c.pgn").write_text(game(OTHER.replace("9. Ne1", "9. Nd2 (9. b4 a5)")))
    assert command("create", "c.db3", "c.pgn", "-q").status == 0
    columns = "Moves2, PlyCount, MoveHash, FinalZobrist, PositionsKey, SampledKey, HasVariations"
    moves = f"SELECT {columns} FROM Games WHERE ID = "
    assert query(games, f"{moves} 4") == query("c.db3", f"{moves} 1")
    assert command("check", games).status == 0


def test_go(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record = "(;GM[1]FF[4]SZ[19]PB[Go Seigen]PW[Kitani]DT[1933-10-16]RE[B+2];B[qd];W[dc];B[pq])"
    Path("in.sgf").write_text(record)
    assert command("create", "go.db3", "in.sgf", "-q").status == 0
    values = ("PB=Wu Qingyuan", "Date=1933.10.17", "Result=W+R", "KM=6.5")
    edit(command, "go.db3", "1", *(word for text in values for word in ("--set", text)))
    for step in ("players", "dedup"):
        assert command(step, "go.db3", "-q").status == 0
    text = command("export", "go.db3", "-o", "-", "--ids").out
    shown = "PB[Wu Qingyuan]", "DT[1933-10-17]", "RE[W+R]", "KM[6.5]", "ORIGINALPB[Go Seigen]"
    assert [part for part in shown if part not in text] == []
    assert "PB[Go Seigen]" in command("export", "go.db3", "-o", "-", "--names", "file").out
    assert command("check", "go.db3").status == 0
    assert "is a tag of chess" in edit(command, "go.db3", "1", "--set", "ECO=A00", status=2)
    assert "from PGN files" in edit(command, "go.db3", "--from", "in.sgf", status=2)


def test_merged_annotations_are_edited(command: Command, games: str) -> None:
    """The annotations of the kept game are then the user's; its merged header stays."""
    text = Path("in.pgn").read_text().replace("9. exd5", "9. exd5 {one}", 1)
    Path("in.pgn").write_text(text[::-1].replace("1. e4 e5"[::-1], "1. e4 {two} e5"[::-1], 1)[::-1])
    assert command("run", "in.pgn", "-o", "out.pgn", "-q").status == 0
    before = Path("out.pgn").read_text()
    assert "{one}" in before
    assert "{two}" in before
    changed("out.pgn", "{two}", "{three}")
    for text in ("moves or annotations of 1 game", "nothing to change"):
        assert text in edit(command, "out.db3", "--from", "out.pgn")
    for options in ((), ("--full",)):
        assert command("dedup", "out.db3", "-q", *options).status == 0
        assert command("export", "out.db3", "--ids", "-o", "b.pgn", "--force").status == 0
        assert Path("b.pgn").read_text().split() == before.replace("{two}", "{three}").split()
    read = value("out.db3", "SELECT ReadValue FROM Corrections WHERE Tag = '{movetext}'")
    assert ("{one}" in read) is not ("{two}" in read)
    assert command("check", "out.db3").status == 0


def test_corrected_moves_stay_in_the_clean_file(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record with the moves of the user is the kept game, though another one is longer."""
    monkeypatch.chdir(tmp_path)
    moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O"
    tags = {"White": "Tal, Mihail", "Black": "Spassky, Boris", "Date": "1958.03.03", "Round": "3"}
    Path("two.pgn").write_text(2 * game(f"{moves} 9. h3 1-0", **tags))
    assert command("run", "two.pgn", "-o", "clean.pgn", "-q").status == 0
    text = Path("clean.pgn").read_text()
    Path("clean.pgn").write_text(text.replace(" 9. h3", "").replace("\n9. h3", ""))
    assert "moves" in edit(command, "clean.db3", "--from", "clean.pgn")
    for words in (("dedup",), ("dedup", "--full"), ("players", "--again"), ("dedup",)):
        assert command(words[0], "clean.db3", *words[1:], "-q").status == 0
    assert command("run", "--db", "clean.db3", "-o", "clean.pgn", "-q").status == 0
    assert "9. h3" not in Path("clean.pgn").read_text()
