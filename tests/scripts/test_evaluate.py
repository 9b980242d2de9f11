"""scripts/evaluate: labelled collections, and scores of databases made from them."""

from __future__ import annotations

import csv
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import chess
import chess.pgn
import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "evaluate"
GAMES = 40


def evaluate(*words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_openings(tmp_path: Path) -> None:
    path = tmp_path / "in.pgn"
    codes = ("B20", "B10", "A00", "")
    path.write_text("".join(f'[White "A"]\n[ECO "{code}"]\n\n1. e4 c5 *\n\n' for code in codes))
    done = evaluate("openings", path, "--wrong", "1")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[1] == ["ocgdedup", "3", "games", "letter", "0.667", "code", "0.333"]
    assert lines[2][1:] == ["->", "B20:", "1"]


def score(done: subprocess.CompletedProcess[str], name: str) -> str:
    """Return right and total of a line of scores, as "3 of 4"."""
    assert done.returncode == 0, done.stderr
    (line,) = (line for line in done.stdout.splitlines() if line[:38].strip() == name)
    right, _, total, _ = line[38:].split()
    return f"{right} of {total}"


def change(database: Path, sql: str) -> None:
    connection = sqlite3.connect(database)
    connection.execute(sql)
    connection.commit()
    connection.close()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of random moves between players with names of their own."""
    rng = random.Random(5)
    path = tmp_path_factory.mktemp("source") / "games.pgn"
    with open(path, "w") as handle:
        for number in range(2 * GAMES):
            game: chess.pgn.GameNode = chess.pgn.Game()
            headers = game.game().headers
            names = ["".join(rng.choices("abcdefghik", k=8)).title() for _ in range(2)]
            headers.update(
                Event=f"Open {number}", Site="Bern SUI", Date=f"19{number + 10}.05.06", Round="3",
                White=f"{names[0]}, Anton", Black=f"{names[1]}, Bruno", Result="1-0",
            )  # fmt: skip
            board = chess.Board()
            for _ in range(60):
                game = game.add_variation(rng.choice(list(board.legal_moves)))
                board.push(game.move)
                if board.is_game_over():
                    break
            print(game.game(), end="\n\n", file=handle)
    return path


@pytest.fixture(scope="module")
def gold(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gold")
    done = evaluate("make-gold", source, folder, "--games", GAMES, "--seed", 3)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def searched(gold: Path, tmp_path: Path) -> Path:
    database = tmp_path / "gold.db3"
    for words in (("create", database, gold / "gold.pgn"), ("dedup", database)):
        subprocess.run([sys.executable, "-m", "ocgdedup", *map(str, words), "-q"], check=True)
    return database


def labels(folder: Path) -> list[dict[str, str]]:
    with open(folder / "gold.csv", newline="") as handle:
        return list(csv.DictReader(handle))


def test_a_collection_has_originals_duplicates_and_look_alikes(gold: Path) -> None:
    rows = labels(gold)
    assert len(rows) == (gold / "gold.pgn").read_text().count("[Event ")
    assert [int(row["game"]) for row in rows] == list(range(1, len(rows) + 1))
    of_entity = Counter(row["entity"] for row in rows)
    originals = [row["entity"] for row in rows if row["kind"] == "original"]
    assert len(originals) == GAMES == len(set(originals))
    for row in rows:
        is_duplicate = "+" in row["kind"] or row["kind"].startswith(("same_moves", "truncated"))
        assert not is_duplicate or (row["entity"] in originals and of_entity[row["entity"]] > 1)
    assert any(row["entity"] not in originals for row in rows)


def test_the_seed_decides(source: Path, gold: Path, tmp_path: Path) -> None:
    for name, seed in (("same", 3), ("other", 4)):
        evaluate("make-gold", source, tmp_path / name, "--games", GAMES, "--seed", seed)
    same, other = (tmp_path / name / "gold.pgn" for name in ("same", "other"))
    assert same.read_bytes() == (gold / "gold.pgn").read_bytes() != other.read_bytes()


def test_duplicates_that_are_missed_and_games_that_are_lost_count(
    gold: Path, searched: Path
) -> None:
    entities = len({row["entity"] for row in labels(gold)})
    before = evaluate("duplicates", gold, searched)
    assert score(before, "entities kept") == f"{entities} of {entities}"
    right, _, total = score(before, "pairwise precision").split()
    assert right == total != "0"
    change(searched, "DELETE FROM DuplicateFlags")
    assert score(evaluate("duplicates", gold, searched), "pairwise recall").startswith("0 of ")
    lone = next(
        int(row["game"]) for row in labels(gold) if row["kind"] == "same_draw_other_players"
    )
    change(searched, "INSERT OR REPLACE INTO DuplicateFlags "
           f"VALUES ({lone}, 'exact', {lone - 1}, NULL, NULL)")  # fmt: skip
    lost = evaluate("duplicates", gold, searched)
    assert score(lost, "entities kept") == f"{entities - 1} of {entities}"


def test_wrong_values_of_kept_games_count(gold: Path, searched: Path) -> None:
    before = evaluate("headers", gold, searched)
    right, _, total = score(before, "Event").split()
    assert right == total != "0"
    change(searched, "INSERT INTO Events (Name) VALUES ('Wrong')")
    change(searched, "UPDATE Games SET EventID = (SELECT ID FROM Events WHERE Name = 'Wrong')")
    after = evaluate("headers", gold, searched, "--wrong", 2)
    assert score(after, "Event") == f"0 of {total}"
    assert score(after, "Result") == score(before, "Result")
    assert after.stdout.count("Event 'Wrong', true is 'Open") == 2


def test_one_source_may_be_the_truth(tmp_path: Path) -> None:
    game = (
        '[Event "{}"]\n[Site "{}"]\n[Date "{}"]\n[Round "1"]\n[White "Aa, Bb"]\n'
        '[Black "Cc, Dd"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 '
        "6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 1-0\n\n"
    )
    (tmp_path / "true.pgn").write_text(game.format("Open", "Bern", "1990.05.06"))
    (tmp_path / "other.pgn").write_text(game.format("Open", "Bern SUI", "1990.05.0?"))
    database = tmp_path / "games.db3"
    files = [tmp_path / "true.pgn", tmp_path / "other.pgn"]
    for words in (("create", database, *files), ("dedup", database)):
        subprocess.run([sys.executable, "-m", "ocgdedup", *map(str, words), "-q"], check=True)
    done = evaluate("against", "true.pgn", database)
    assert score(done, "Date") == "1 of 1"
    assert score(done, "Event") == "0 of 0"
    assert score(done, "Site") == "0 of 1"  # the longer one is merged
    absent = evaluate("against", "absent.pgn", database)
    assert absent.returncode == 2
    assert "no source whose name ends with absent.pgn" in absent.stderr


def test_labels_of_real_games(searched: Path, gold: Path, tmp_path: Path) -> None:
    (first, second), lone = same_entity(gold), 10_000
    table = tmp_path / "labels.tsv"
    rows = [("same", first - 1, second - 1), ("neg-same", first - 1, first), ("same", lone, 0)]
    table.write_text(
        "kind\tfile1\tidx1\tfile2\tidx2\n"
        + "".join(f"{kind}\tgold.pgn.xz\t{a}\tgold.pgn\t{b}\n" for kind, a, b in rows)
    )
    done = evaluate("labels", table, searched)
    assert score(done, "same") == "1 of 1"
    assert score(done, "neg-same") in ("0 of 1", "1 of 1")


def same_entity(folder: Path) -> tuple[int, int]:
    """Return an original and a duplicate with the same moves."""
    rows = labels(folder)
    duplicate = next(row for row in rows if row["kind"].startswith("same_moves+"))
    original = next(
        row for row in rows if row["kind"] == "original" and row["entity"] == duplicate["entity"]
    )
    return int(original["game"]), int(duplicate["game"])


def test_names(tmp_path: Path) -> None:
    (tmp_path / "fide.xml").write_text(
        "<playerslist><player><fideid>1</fideid></player><player><fideid>2</fideid></player>"
        "</playerslist>"
    )
    (tmp_path / "ssp2013_alias_groups.tsv").write_text("x\tAa, Bb\t1\tAa,B\tAb, B\n")
    (tmp_path / "fideid_name_variants.tsv").write_text("2\tCc, D|2001\n9\tNobody\n")
    (tmp_path / "twic_fideid_gold.tsv").write_text("pgn_name\tid\nEe,F\t1\nEe,F\t2\n")
    asked = evaluate("names", tmp_path / "fide.xml", tmp_path)
    assert asked.stdout.splitlines() == ["Aa,B", "Ab, B", "Cc, D", "Ee,F"]
    resolved = tmp_path / "resolved.tsv"
    resolved.write_text("Aa,B\t1\nAb, B\t2\nCc, D\t\nEe,F\t\n")
    done = evaluate("names", tmp_path / "fide.xml", tmp_path, resolved)
    assert score(done, "alias: right") == score(done, "alias: wrong") == "1 of 2"
    assert score(done, "older spelling: right") == score(done, "older spelling: wrong") == "0 of 1"
    assert score(done, "tag, short: right") == "1 of 1"


def test_respelt_names(tmp_path: Path) -> None:
    players = [
        ("Zhou, Yifan", "CHN"), ("Li, Weiming", "CHN"), ("Li, Wei Ming", "SGP"),
        ("Han, Jihoon", "KOR"), ("Nguyen, Anh Tu", "VIE"), ("Xu, Yi", "CHN"), ("Al, An", "USA"),
    ]  # fmt: skip
    rows = "".join(
        f"<player><fideid>{number}</fideid><name>{name}</name><country>{country}</country></player>"
        for number, (name, country) in enumerate(players, 1)
    )
    (tmp_path / "fide.xml").write_text(f"<playerslist>{rows}</playerslist>")
    done = evaluate("names", "--fide-xml", tmp_path / "fide.xml")
    # "Li, Wei Ming" is in the list, so it is no spelling of "Li, Weiming".
    assert score(done, "Chinese, blank: right") == "1 of 1"
    assert score(done, "Chinese, hyphen: right") == "2 of 2"
    assert score(done, "Chinese, joined, given first: wrong") == "0 of 3"
    assert score(done, "Korean, all: right") == "8 of 8"
    assert score(done, "Vietnamese, hyphen: right") == "1 of 1"


def test_names_without_a_list() -> None:
    done = evaluate("names")
    assert done.returncode == 2
    assert done.stderr == "evaluate: names needs FIDE.xml and FOLDER, or --fide-xml\n"


def test_all_in_one(source: Path) -> None:
    done = evaluate("all", source, "--games", GAMES, "--seed", 3, 4)
    assert done.returncode == 0, done.stderr
    total = done.stdout.split("all collections")[1]
    assert "pairwise recall" in total
    assert done.stdout.count("pairwise recall") == 3


def test_an_absent_database(gold: Path, tmp_path: Path) -> None:
    done = evaluate("headers", gold, tmp_path / "absent.db3")
    assert done.returncode == 2
    assert done.stderr == f"evaluate: {tmp_path / 'absent.db3'}: does not exist\n"


def test_a_database_that_was_not_searched(gold: Path, tmp_path: Path) -> None:
    database = tmp_path / "games.db3"
    create = [sys.executable, "-m", "ocgdedup", "create", str(database), str(gold / "gold.pgn")]
    subprocess.run(create, check=True, capture_output=True)
    done = evaluate("headers", gold, database)
    assert (done.returncode, "run 'ocgdedup dedup' first" in done.stderr) == (2, True)
