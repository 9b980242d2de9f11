"""Each deprecated name works, warns with its replacement, and gives the same result."""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path
from typing import Any

import pytest

import ocgdedup
from ocgdedup import api
from ocgdedup.deprecated import ATTRIBUTES, CLASSES, KEYS, OPTIONS, with_new_options, with_old_keys
from ocgdedup.errors import ExitStatus
from ocgdedup.pipeline.check.findings import KINDS, Finding
from tests.support.command_line import Command
from tests.support.databases import change, value
from tests.support.found_games import found_games

VALUES = {
    "--truncated-min-shorter": "10", "--accuracy": "strict", "--gate-ply-start": "5",
    "--gate-min-compare": "6", "--gate-min-ply": "7", "--gate-diff-ratio": "0.2",
}  # fmt: skip
ARGUMENTS = {
    "dedup": ["a.db3"], "review": ["a.db3"], "run": ["-o", "u.pgn", "in.pgn"],
    "distributed": ["-o", "out", "in.pgn"], "export": ["a.db3", "-o", "out.pgn"],
}  # fmt: skip
RENAMED_OPTIONS = [(command, *row) for command, rows in OPTIONS.items() for row in rows.items()]
# No function of the Python interface returns a ResetResult; GameDatabase has methods.
RECORDS = ATTRIBUTES.keys() - {"ResetResult", "GameDatabase"}
RENAMED_ATTRIBUTES = [
    (owner, *row) for owner in sorted(RECORDS) for row in ATTRIBUTES[owner].items()
]


@pytest.mark.parametrize("form", ["{} {}", "{}={}"])
@pytest.mark.parametrize(("name", "old", "new"), RENAMED_OPTIONS)
def test_options(
    command: Command, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str, form: str
) -> None:
    parsed: list[dict[str, Any]] = []

    def run(options: argparse.Namespace) -> ExitStatus:
        parsed.append(vars(options))
        return ExitStatus.DONE

    module = importlib.import_module(f"ocgdedup.cli.{name}")
    monkeypatch.setattr(module, "COMMAND", module.COMMAND._replace(run=run))
    if new not in VALUES:  # a flag
        form = "{}"
    words = [form.format(option, VALUES.get(new)).split() for option in (old, new)]
    renamed = command(name, *ARGUMENTS[name], *words[0])
    assert renamed == (0, "", f"ocgdedup: warning: {old} is deprecated; use {new}\n")
    assert command(name, *ARGUMENTS[name], *words[1]) == (0, "", "")
    assert command(name, "-q", *words[0], *ARGUMENTS[name]) == (0, "", "")
    assert parsed[0] == parsed[1] != {}
    assert parsed[0][new[2:].partition("=")[0].replace("-", "_")] not in (None, False)


@pytest.mark.parametrize("words", [["--names=original"], ["--names", "original"]])
def test_values_of_options(words: list[str]) -> None:
    for name in ("export", "run"):
        renamed, messages = with_new_options(name, ["a", *words, "b"])
        assert "=".join(renamed[1:-1]) == "--names=merged"
        assert messages == ["--names=original is deprecated; use --names=merged"]
    assert with_new_options("find", ["a", *words])[1] == []


def test_a_word_after_two_hyphens_is_no_option(command: Command, made: str) -> None:
    status, _, err = command("review", made, "--", "--joins")
    assert (status, "deprecated" in err) == (2, False)


def test_old_options_search_alike_and_are_stored_alike(command: Command, made: str) -> None:
    Path("b.db3").write_bytes(Path(made).read_bytes())
    old = command("dedup", made, "--json", "--join-accuracy", "strict", "--join-dynamic")
    new = command("dedup", "b.db3", "--json", "--accuracy", "strict", "--gate-dynamic")
    assert old.err.count("is deprecated; use") == 2
    assert json.loads(old.out) | {"database": "b.db3"} == json.loads(new.out)
    results = [json.loads(command("info", path, "--json").out) for path in (made, "b.db3")]
    options = results[0]["duplicates"]["options"]
    assert options == results[1]["duplicates"]["options"]
    assert options["accuracy"] == options["join-accuracy"] == "strict"
    stored = "SELECT Value FROM Info WHERE Name = 'Duplicates options'"
    assert json.loads(value(made, stored)) == {"join_accuracy": "strict", "join_dynamic": True}
    assert value(made, stored) == value("b.db3", stored)


# --- JSON -----------------------------------------------------------------------------------------


def values_at(output: Any, path: list[str]) -> list[Any]:
    """Return the values at a path of keys, of each element of a list."""
    if not path:
        return [output]
    if isinstance(output, list):
        return [found for part in output for found in values_at(part, path)]
    return values_at(output[path[0]], path[1:]) if path[0] in output else []


@pytest.mark.parametrize("name", KEYS)
def test_keys(command: Command, made: str, name: str) -> None:
    new_options = [word for row in VALUES.items() for word in row]
    Path("in.pgn").write_text('[Event "?"]\n\n1. e4 e5 2. f3 f6 1-0\n')
    command("dedup", made, "-q", "--gate-dynamic", *new_options)
    change(made, "UPDATE Games SET PlyCount = 3 WHERE ID = 4")
    change(made, "UPDATE Games SET WhiteElo = 9999 WHERE ID = 5")
    output: Any
    if name == "find":
        output = found_games(command, made, "--min-plies", 1)
    else:
        words = {"run": ["in.pgn", "-o", "u.pgn"]}.get(name, [made])
        output = json.loads(command(name, *words, "--json").out)
    for old, new in KEYS[name].items():
        values = values_at(output, new.split("."))
        assert values, new
        assert values == values_at(output, old.split(".")), old


def test_keys_of_records(command: Command, judged: str) -> None:
    """Records that --json prints have the old names of their attributes too."""
    found = json.loads(command("dedup", judged, "--json", "--full").out)
    (pair, *_) = json.loads(command("review", judged, "--list", "--json").out)
    written = json.loads(command("export", judged, "-o", "a.pgn", "--json").out)
    Path("in.pgn").write_text('[Event "?"]\n\n1. e4 e5 2. f3 f6 1-0\n')
    created = json.loads(command("create", "n.db3", "in.pgn", "--json").out)
    reset = json.loads(command("dedup", judged, "--reset", "--json").out)["reset"]
    looked_up = json.loads(command("players", judged, "--json").out)
    for record, owner in (
        (found, "DedupResult"), (found["resolved"], "Resolved"), (pair, "PossiblePair"),
        (written, "ExportResult"), (created["summary"], "IngestSummary"), (reset, "ResetResult"),
        (looked_up["summary"], "PlayersSummary"),
    ):  # fmt: skip
        for old, new in ATTRIBUTES[owner].items():
            assert record[old] == record[new], (owner, old)


def test_old_keys_come_after_the_new_ones_and_only_where_they_belong() -> None:
    result = with_old_keys("check", {"description": 1, "faults": [{"description": 2, "x": 3}]})
    assert result == {"description": 1, "faults": [{"description": 2, "x": 3, "what": 2}]}
    assert list(result["faults"][0]) == ["description", "x", "what"]


# --- Python ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [ocgdedup, api])
@pytest.mark.parametrize(("old", "new"), CLASSES.items())
def test_classes(module: Any, old: str, new: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"{old}: deprecated; use {new}") as warned:
        assert getattr(module, old) is getattr(module, new)
    assert {Path(warning.filename) for warning in warned} == {Path(__file__)}
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = module.Nothing


@pytest.mark.parametrize(("owner", "old", "new"), RENAMED_ATTRIBUTES)
def test_attributes(owner: str, old: str, new: str) -> None:
    record_class = getattr(api, owner)
    record = record_class._make(map(str, range(len(record_class._fields))))
    if record_class is Finding:
        record = record._replace(kind=next(iter(KINDS)))
    with pytest.warns(DeprecationWarning, match=f"{owner}.{old}: deprecated; use {new}") as warned:
        assert getattr(record, old) == getattr(record, new)
    assert {Path(warning.filename) for warning in warned} == {Path(__file__)}


def test_methods(judged: str) -> None:
    with ocgdedup.open(judged) as database:
        with pytest.warns(DeprecationWarning, match="suspects: deprecated; use possible_d"):
            old = list(database.suspects())  # type: ignore[attr-defined]
        assert old == list(database.possible_duplicates()) != []


def test_arguments() -> None:
    with pytest.warns(DeprecationWarning, match="with_copies=.*use with_duplicates"):
        old = ocgdedup.Selection(with_copies=True, min_plies=3)  # type: ignore[call-arg]
    assert old == ocgdedup.Selection(with_duplicates=True, min_plies=3) != ocgdedup.Selection()
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        ocgdedup.Selection(with_twins=True)  # type: ignore[call-arg]


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["Master", "MasterID", "KeptGameID"])
def test_columns_of_decisions(command: Command, judged: str, column: str) -> None:
    (pair, *_) = json.loads(command("review", judged, "--list", "--json").out)
    first, second = pair["first"], pair["second"]
    Path("in.csv").write_text(
        f"GameID1,GameID2,Decision,{column}\n{first},{second},same,{second}\n"
    )
    assert command("review", judged, "-q", "--decide", "in.csv") == (0, "", "")
    (decided, *_) = json.loads(command("review", judged, "--list", "--json").out)
    assert (decided["decision"], decided["kept_game"]) == ("same", second)
