"""The Python interface: the same as the command line, and games as objects and arrays."""

from __future__ import annotations

import inspect
import itertools
import subprocess
import sys
from pathlib import Path

import chess
import chess.pgn
import pytest

import ocgdedup
from ocgdedup import api
from ocgdedup._kernels.chess import decode_texts
from ocgdedup.cli.command import arguments_of, commands_of
from ocgdedup.cli.parser import build_parser
from ocgdedup.errors import StoreError, UsageError
from ocgdedup.pipeline.search.named_options import NamedOptions
from tests.support.command_line import Command
from tests.support.databases import query, value
from tests.support.dedup_results import content
from tests.support.go_games import GoGame, write_go_database
from tests.support.pgn_text import THREE_GAMES, game
from tests.support.played_games import EXPECTED_COPIES, EXPECTED_SUSPECTS, collection_text

COMMANDS = commands_of(build_parser())
ANNOTATED = game("1. e4 {best} e5 $1 (1... c5 2. Nf3) 2. Nf3 *", Event="Notes")


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a database of a collection in which copies were found."""
    monkeypatch.chdir(tmp_path)
    Path("in.pgn").write_text(collection_text() + ANNOTATED, encoding="utf-8")
    ocgdedup.create("a.db3", ["in.pgn"])
    ocgdedup.dedup("a.db3")
    return "a.db3"


def test_same_names_in_both_places() -> None:
    assert ocgdedup.__all__ == api.__all__
    for name in api.__all__:
        assert getattr(ocgdedup, name) is getattr(api, name)
    with pytest.raises(AttributeError, match="no attribute 'absent'"):
        _ = ocgdedup.absent


def test_the_command_line_does_not_load_it() -> None:
    code = "import sys, ocgdedup.cli.main; sys.exit('ocgdedup.api' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_same_as_the_command_line(command: Command, database: str) -> None:
    command("create", "b.db3", "in.pgn")
    command("dedup", "b.db3")
    command("export", "b.db3", "-o", "b.pgn")
    assert content(database) == content("b.db3")
    written = ocgdedup.export(database, "a.pgn")
    assert Path("a.pgn").read_bytes() == Path("b.pgn").read_bytes()
    assert (written.games, written.left_out) == (
        value(database, "SELECT count(*) FROM FlaggedGames WHERE DuplicateStatus IS NULL"),
        len(EXPECTED_COPIES),
    )


BESIDE = {"a.db3-history", "a.db3-search"}


@pytest.mark.parametrize("name", ["x.parquet", "x.csv", "x.jsonl", "x.json", "x.db3", "x.tsv.gz"])
def test_games_are_not_written_under_names_of_tables(database: str, name: str) -> None:
    """No function writes another format than the name says, as no command does."""
    with pytest.raises(UsageError, match=r"x\..*: cannot be written as "):
        ocgdedup.export(database, name)
    with pytest.raises(UsageError, match=r"x\..*: cannot be written as "):
        ocgdedup.export(database, "y.pgn", duplicates=name)
    with pytest.raises(UsageError, match=r"x\..*: cannot be written as "):
        ocgdedup.run("b.db3", "in.pgn", name)
    with pytest.raises(UsageError, match=r"x\..*: cannot be written as "):
        ocgdedup.create("b.db3", "in.pgn", rejects=name)
    assert {path.name for path in Path().iterdir()} - BESIDE == {"a.db3", "in.pgn"}


def test_addresses_are_no_files(database: str) -> None:
    """A name with a scheme is refused before a folder of that name could be made."""
    for call in (
        lambda: ocgdedup.create("b.db3", "http://example.org/x.pgn"),
        lambda: ocgdedup.create("file:///tmp/b.db3", "in.pgn"),
        lambda: ocgdedup.open("s3a://bucket/a.db3"),
        lambda: ocgdedup.dedup(database, report="s3a://bucket/x.csv"),
        lambda: ocgdedup.report(database, "hdfs://host/x.csv"),
        lambda: ocgdedup.export(database, "s3a://bucket/x.pgn"),
    ):
        with pytest.raises(UsageError, match=": is an address, not a file; "):
            call()
    assert {path.name for path in Path().iterdir()} - BESIDE == {"a.db3", "in.pgn"}


def test_every_command_has_its_function() -> None:
    """With the names of its options, typed one by one."""
    for name, other in {"printpgn": "open", "signatures": "create", "distributed": "run"}.items():
        assert name in COMMANDS
        assert callable(getattr(ocgdedup, other))
    for name in set(COMMANDS) - {"printpgn", "signatures", "distributed"}:
        signature = inspect.signature(getattr(ocgdedup, name))
        kinds = {parameter.kind for parameter in signature.parameters.values()}
        assert inspect.Parameter.VAR_KEYWORD not in kinds, name
    known = {word for command in COMMANDS.values() for word in command._option_string_actions}
    for name in ("create", "run", "dedup", "players"):
        for option in inspect.signature(getattr(ocgdedup, name)).parameters:
            is_word = option in ("database", "inputs", "output", "reporter", "resolve", "accuracy")
            assert is_word or f"--{option.replace('_', '-')}" in known, (name, option)


OF_TERMINALS = {"help", "json", "quiet", "verbose", "log_file", "fail_on"}
# Options of the conditions on games, which functions take as a Selection.
CONDITIONS = {
    "player", "white", "black", "against", "any", "elo", "year", "eco", "event", "result",
    "decisive", "speed", "moves", "where", "min_plies", "opening",
}  # fmt: skip
# Options that a function has not under their own names, by what takes their place: another
# parameter, the field of one, another function; "" where only the command line has the option.
ELSEWHERE: dict[str, dict[str, str]] = {
    "run": {
        "db": "database", "names": "", "no_output": "output",
        **dict.fromkeys({*NamedOptions._fields} - {"accuracy"}, "resolve"),
    },
    "create": {},
    "dedup": {
        **dict.fromkeys({*NamedOptions._fields} - {"accuracy"}, "resolve"),
        "explain": "explain()", "undo": "undo()", "reset": "", "restore": "", "upgrade": "",
        "by": "", "method": "", "include_shorter": "",
    },
    "review": {
        "pair": "decisions", "decide": "decisions", "group": "GameDatabase", "apply": "dedup()",
        "list": "GameDatabase", "all": "GameDatabase", "near_identical": "GameDatabase", "web": "",
        "port": "",
    },
    "players": {
        "no_fill": "fill", "no_store_list": "store_list", "output": "report", "undo": "undo()",
        "show": "", "resolve": "", "aliases_remove": "", "unresolved": "",
        "same": "", "canonical": "", "different": "", "name": "", "forget": "", "decide": "",
        "decisions": "",
    },
    "find": dict.fromkeys((*CONDITIONS, "min_header_quality"), "selection"),
    "export": {
        **dict.fromkeys((*CONDITIONS, "min_header_quality", "all", "sort"), "selection"),
        "position": "selection",
        **dict.fromkeys(("names", "strip", "width", "ids"), "form"),
        "lossless": "", "safe_csv": "",
    },
    "edit": {
        **dict.fromkeys((*CONDITIONS, "min_header_quality", "all", "position"), "selection"),
        "yes": "",
    },
    "tidy": {},
    "info": {},
    "check": {},
}  # fmt: skip


@pytest.mark.parametrize("name", ELSEWHERE)
def test_every_option_has_a_parameter_or_another_place(name: str) -> None:
    options = {action.dest for action in arguments_of(COMMANDS[name])} - OF_TERMINALS
    parameters = {*inspect.signature(getattr(ocgdedup, name)).parameters}
    assert options - parameters == {*ELSEWHERE[name]}
    for place in {*ELSEWHERE[name].values()} - {""}:
        known = api.__all__ if place[0].isupper() or place.endswith("()") else parameters
        assert place.removesuffix("()") in known, place


def test_dir_has_public_names_only() -> None:
    assert dir(ocgdedup) == sorted([*api.__all__, "__version__"])


def test_paths_and_a_single_input(tmp_path: Path) -> None:
    """A string is one file, not letters; all that names files may be a Path."""
    games = tmp_path / "in.pgn"
    games.write_text(collection_text(), encoding="utf-8")
    first = ocgdedup.create(tmp_path / "a.db3", games)
    second = ocgdedup.create(str(tmp_path / "b.db3"), str(games), rejects=tmp_path / "r.pgn")
    assert first.summary[1:5] == second.summary[1:5]
    done = ocgdedup.run(
        tmp_path / "a.db3", (), tmp_path / "out.pgn", duplicates=tmp_path / "d.pgn",
        report=tmp_path / "r.html",
    )  # fmt: skip
    assert done.written.duplicates == len(EXPECTED_COPIES)
    assert (tmp_path / "r.html").stat().st_size > 0
    with pytest.raises(UsageError, match="already exists"):
        ocgdedup.report(tmp_path / "a.db3", tmp_path / "r.html")
    listed = ocgdedup.report(tmp_path / "a.db3", tmp_path / "r.csv")
    assert listed == len(EXPECTED_COPIES) + len(EXPECTED_SUSPECTS)


def test_find_explain_info_check(database: str, command: Command) -> None:
    selection = ocgdedup.Selection(results=("1-0",))
    ids = [result.header.game_id for result in ocgdedup.find(database, selection=selection)]
    assert ids == [row[0] for row in query(database, "SELECT ID FROM Games WHERE Result = '1-0'")]
    ((first, second),) = query(database, "SELECT GameID1, GameID2 FROM Suspects LIMIT 1")
    out = command("dedup", database, "--explain", first, second).out
    assert "\n".join(ocgdedup.explain(database, first, second)) + "\n" == out
    assert ocgdedup.info(database).games.games == value(database, "SELECT count(*) FROM Games")
    assert ocgdedup.check(database).inspection.games == value(
        database, "SELECT count(*) FROM Games"
    )


def test_review_stores_all_decisions_or_none(database: str) -> None:
    pairs = query(database, "SELECT GameID1, GameID2 FROM Suspects ORDER BY 1, 2")
    (first, second), (third, fourth) = pairs[:2]
    sql = "SELECT Decision, MasterID FROM Suspects WHERE Decision IS NOT NULL ORDER BY GameID1"
    for wrong in [(third, fourth, "perhaps"), (third, third, "same"), (third, 10**9, "same")]:
        with pytest.raises(UsageError):
            ocgdedup.review(database, [(first, second, "different"), wrong])
        assert query(database, sql) == []
    given = [(second, first, "different"), (third, fourth, "same", fourth)]
    assert ocgdedup.review(database, given) == 2
    assert query(database, sql) == [("different", None), ("same", fourth)]
    assert ocgdedup.review(database, [(first, second, None)]) == 1


def test_a_warning_names_the_line_that_called(database: str) -> None:
    with pytest.warns(ocgdedup.OcgdedupWarning) as caught:
        ocgdedup.create(database, "in.pgn", append=True, again=True)
    assert caught[0].filename == __file__


def test_games(database: str) -> None:
    with ocgdedup.open(database) as opened:
        assert len(opened) == value(database, "SELECT count(*) FROM Games")
        result = dict(opened.games())
        assert list(result) == [
            row[0]
            for row in query(
                database, "SELECT ID FROM FlaggedGames WHERE DuplicateStatus IS NULL ORDER BY ID"
            )
        ]
        blobs = dict(query(database, "SELECT ID, Moves2 FROM Games"))
        fens = dict(query(database, "SELECT ID, FEN FROM Games"))
        for game_id, game in result.items():
            moves = [move.uci() for move in game.mainline_moves()]
            assert moves == decode_texts(blobs[game_id], fens[game_id])[0].split()
        assert len(dict(opened.games(ocgdedup.Selection(with_duplicates=True)))) == len(opened)


def test_a_game_with_its_notes(database: str) -> None:
    with ocgdedup.open(Path(database)) as opened:
        game = opened.game(len(opened))
        assert game.headers["Event"] == "Notes"
        assert game[0].comment == "best"
        assert game[0][0].nags == {1}
        assert game[0].variations[1].move == chess.Move.from_uci("c7c5")
        assert opened.pgn(len(opened)).startswith('[Event "Notes"]')
        for game_id in (0, 10**6, 2**70):
            with pytest.raises(KeyError):
                opened.game(game_id)


def test_move_arrays(database: str) -> None:
    with ocgdedup.open(database) as opened:
        result = list(opened.move_arrays(ocgdedup.Selection(with_duplicates=True)))
    rows = []
    for part in result:
        assert part.starts[0] == 0
        assert part.starts[-1] == len(part.moves)
        for game_id, (start, end) in zip(part.ids, itertools.pairwise(part.starts), strict=True):
            rows.append((game_id, part.moves[start:end].tobytes()))
    assert rows == query(database, "SELECT ID, Moves2 FROM Games ORDER BY ID")


def test_rows_and_columns(database: str) -> None:
    with ocgdedup.open(database) as opened:
        rows = list(opened.rows())
        columns = list(opened.columns())
    assert [row["ID"] for row in rows] == [ID for part in columns for ID in part["ID"]]
    expected = query(
        database,
        "SELECT Games.ID, nullif(Name, ''), PlyCount FROM FlaggedGames AS Games "
        "JOIN Players ON Players.ID = WhiteID "
        "WHERE DuplicateStatus IS NULL ORDER BY 1",
    )
    assert [(row["ID"], row["White"], row["PlyCount"]) for row in rows] == expected


def test_groups_and_suspects(database: str) -> None:
    with ocgdedup.open(database) as opened:
        groups = list(opened.groups())
        suspects = list(opened.possible_duplicates())
    assert sum(map(len, groups)) - len(groups) == len(EXPECTED_COPIES)
    masters = query(database, "SELECT ID FROM FlaggedGames WHERE DuplicateGroup = ID ORDER BY ID")
    assert [(group[0],) for group in groups] == masters
    assert len(suspects) == len(EXPECTED_SUSPECTS)


def test_sql(database: str) -> None:
    with ocgdedup.open(database) as opened:
        assert opened.execute("SELECT count(*) FROM Games WHERE ID < ?", (3,)) == [(2,)]
        with pytest.raises(StoreError, match="the statement failed"):
            opened.execute("DELETE FROM Games")


def test_run_players_undo(database: str) -> None:
    Path("more.pgn").write_text(THREE_GAMES)
    done = ocgdedup.run("b.db3", ["in.pgn", "more.pgn"], "unique.pgn", accuracy="tolerant")
    assert done.duplicates.games == value("b.db3", "SELECT count(*) FROM Games")
    assert not ocgdedup.players("b.db3", again=True).summary.reverted_merges
    assert ocgdedup.dedup("b.db3", accuracy="normal").can_undo
    (step,) = ocgdedup.undo("b.db3", only="dedup")
    assert step.kinds == ("dedup",)
    assert ocgdedup.redo("b.db3").number == step.number
    assert [each.number for each in ocgdedup.undo("b.db3", 1)] == [3, 2]
    with pytest.raises(UsageError, match="it made the database"):
        ocgdedup.undo("b.db3")
    assert [each.number for each in ocgdedup.history("b.db3")] == [1]


def test_warnings_are_pythons(database: str) -> None:
    with pytest.warns(ocgdedup.OcgdedupWarning, match="has the same bytes as in.pgn"):
        ocgdedup.create(database, ["in.pgn"], append=True, again=True)


def test_refused(database: str) -> None:
    with pytest.raises(UsageError, match="there is no such database"):
        ocgdedup.open("absent.db3")
    with pytest.raises(UsageError, match="is none of strict, normal, tolerant"):
        ocgdedup.dedup(database, accuracy="exact")


def test_codes_of_openings_are_for_chess(tmp_path: Path) -> None:
    write_go_database(tmp_path / "go.db3", [GoGame("Bpd", black="Lee Changho")])
    with ocgdedup.open(tmp_path / "go.db3") as opened:
        for selection in (
            ocgdedup.Selection(eco=(("B20", "B99"),)),
            ocgdedup.Selection(order="eco"),
        ):
            for read in (opened.rows, opened.columns, opened.move_arrays):
                with pytest.raises(UsageError, match="eco is for chess"):
                    list(read(selection))  # type: ignore[operator]
        with pytest.warns(ocgdedup.OcgdedupWarning, match="of this name: Lee Changho"):
            (row,) = opened.rows(ocgdedup.Selection(players=("Yi Ch'ang-ho",)))
        assert row["ID"] == 1


def test_moves_of_a_game(database: str) -> None:
    with ocgdedup.open(database) as opened:
        game_id = value(database, "SELECT max(ID) FROM Games")
        assert not opened.is_go
        assert opened.moves(game_id) == ["e4", "e5", "Nf3"]
        with pytest.raises(KeyError):
            opened.moves(10**9)
