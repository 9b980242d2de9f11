"""review: a dialogue about pairs through a pipe; decisions from files; times of writing."""

from __future__ import annotations

import gc
import json
import os
import re
import select
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ocgdedup.store.possible_duplicates import PossiblePair
from tests.reference.ocgdb_database import OcgdbGame, write_ocgdb
from tests.support.command_line import Command, Outcome
from tests.support.databases import REMOVE, change, dump, is_sound, query, value
from tests.support.dedup_results import groups, ids, statuses, suspects
from tests.support.played_games import EXPECTED_SUSPECTS

WAIT_S = 60  # for an answer that is bound to come
ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree
Spawn = Callable[..., "subprocess.Popen[bytes]"]

MORE = (("17", "18"), ("23", "24"))
COUNT = len(EXPECTED_SUSPECTS) + len(MORE)
DECISIONS = "SELECT GameID1, GameID2, Decision, MasterID FROM Suspects WHERE Decision IS NOT NULL"
HEADS = re.compile(r"^== (\d+) of (\d+), (\d+) decided =+\ngame +(\d+) +(\d+)$", re.MULTILINE)


@pytest.fixture
def searched(command: Command, made: str) -> str:
    """The two possible duplicates of the generated collection, and two more pairs."""
    assert command("dedup", made, "-q").status == 0
    of = ids(made)
    for left, right in MORE:
        pair = sorted((of[left], of[right]))
        change(
            made, "INSERT INTO Suspects VALUES (?, ?, 'join', 1.5, 'odd', NULL, NULL, NULL)", *pair
        )
    return made


def pairs(path: str) -> list[tuple[int, int]]:
    """Return the possible duplicates by their IDs."""
    return query(path, "SELECT GameID1, GameID2 FROM Suspects ORDER BY 1, 2")


def review(command: Command, path: str, answers: str, *options: object) -> Outcome:
    """Answer with one line per word."""
    lines = "".join(f"{word}\n" for word in answers.split())
    return command("review", path, *options, stdin=lines.encode())


def shown(out: str) -> list[tuple[int, int, int, set[int]]]:
    """Return for each shown pair: number, total, decided pairs, IDs."""
    return [
        (int(number), int(count), int(decided), {int(left), int(right)})
        for number, count, decided, left, right in HEADS.findall(out)
    ]


def right_of(out: str) -> int:
    """Return the ID of the right game of the first shown pair."""
    return int(HEADS.findall(out)[0][4])


# --- the dialogue --------------------------------------------------------------------------------


def test_each_decision_is_written(command: Command, searched: str) -> None:
    first, second, third = pairs(searched)[:3]
    status, out, err = review(command, searched, "s d o q")
    assert status == 0
    count = COUNT
    assert [row[:3] for row in shown(out)] == [(number + 1, count, number) for number in range(4)]
    assert shown(out)[1][3] == set(second)
    stays = int(HEADS.findall(out)[2][4])
    assert query(searched, DECISIONS) == [
        (*first, "same", None), (*second, "different", None), (*third, "same", stays),
    ]  # fmt: skip
    assert out.endswith(f"\ndecided: 3, undecided: {count - 3} of {count}\n")
    assert "to apply your decisions, run: ocgdedup dedup a.db3\n" in err
    assert f"same game, game {stays} is kept" in err


def test_pages_of_a_review(command: Command, searched: str) -> None:
    """Both games, the moves, the evidence for and against in words."""
    out = review(command, searched, "q").out
    for text in (
        "White  ",
        "By their moves: ",
        "Evidence, as match weights",
        "lists them as possible duplicates",
    ):
        assert text in out
    assert max(map(len, out.splitlines())) <= 80
    assert "\x1b" not in out


def test_the_board_at_the_divergence(command: Command, searched: str) -> None:
    of = ids(searched)
    out = review(command, searched, "q", "--pair", of["13"], of["13 wrong move"]).out
    board = re.findall(r"^[1-8]  ((?:[.\w] ){7}[.\w])", out, re.MULTILINE)
    assert len(board) == 8
    assert re.search(r"^   a b c d e f g h", out, re.MULTILINE)
    assert "to move" in out


def test_a_review_continues_where_it_stopped(command: Command, searched: str) -> None:
    count = COUNT
    asked = pairs(searched)
    review(command, searched, "d d q")
    out = review(command, searched, "k q").out
    assert shown(out) == [
        (1, count - 2, 0, set(asked[2])), (2, count - 2, 0, set(asked[3])),
    ]  # fmt: skip
    out = review(command, searched, "k " * count, "--all").out  # those that are decided at the end
    assert shown(out)[-2:] == [
        (count - 1, count, 2, set(asked[0])), (count, count, 2, set(asked[1])),
    ]  # fmt: skip
    assert "you decided: different" in out


def test_back_changes_and_revokes_a_decision(command: Command, searched: str) -> None:
    _, second = pairs(searched)[:2]
    status, out, err = review(command, searched, "d d b s b b u q")
    assert status == 0
    order = [1, 2, 3, 2, 3, 2, 1, 2]
    assert [row[0] for row in shown(out)] == order
    assert query(searched, DECISIONS) == [(*second, "same", None)]
    assert err.count(", u undecided") == 4  # only of pairs that are decided
    assert value(searched, "SELECT count(*) FROM Suspects") == COUNT
    assert "decided: 1, undecided" in out


def test_back_from_the_first_and_from_the_last(command: Command, searched: str) -> None:
    count = len(pairs(searched))
    status, out, err = review(command, searched, "b " + "k " * count + "b d q")
    assert status == 0
    assert [row[0] for row in shown(out)] == [1, *range(1, count + 1), count]
    assert "This is the first pair." in err
    assert "That was the last pair." in err
    assert query(searched, DECISIONS) == [(*pairs(searched)[-1], "different", None)]


def test_help_and_invalid_answers(command: Command, searched: str) -> None:
    """The question is repeated; nothing is written."""
    before = dump(searched)
    status, out, err = command("review", searched, stdin=b"?\nyes\n\n\xff\xfe\nsd\nq\n")
    assert status == 0
    assert err.count("s same, d different") == 6
    assert "  k  skip this pair for now" in err
    assert "'yes' is not a key; press ? for help." in err
    assert len(shown(out)) == 1
    assert dump(searched) == before


def test_words_will_do_too(command: Command, searched: str) -> None:
    review(command, searched, "Different same quit")
    assert [row[2] for row in query(searched, DECISIONS)] == ["different", "same"]


@pytest.mark.parametrize("answers", [b"", b"d\n", b"d"])
def test_the_end_of_the_input_ends_it(command: Command, searched: str, answers: bytes) -> None:
    status, out, _ = command("review", searched, stdin=answers)
    assert status == 0
    assert len(query(searched, DECISIONS)) == len(answers.strip())
    assert "decided: " in out


def test_quiet(command: Command, searched: str) -> None:
    status, out, err = review(command, searched, "d q", "-q")
    assert status == 0
    assert "decided: 1" not in out
    assert "applies" not in err
    assert len(shown(out)) == 2


def test_no_suspects(command: Command, made: str) -> None:
    status, out, err = review(command, made, "")
    assert (status, err) == (0, "")
    assert out == "no possible duplicates to decide about; --all shows earlier decisions\n"
    assert "ocgdedup dedup" in review(command, made, "", "--all").out


def test_a_search_that_is_stale(command: Command, searched: str) -> None:
    change(searched, "INSERT INTO Info VALUES ('Duplicates stale', 'yes')")
    assert "have changed since the last search" in review(command, searched, "q").err


# --- other pairs ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_pair_that_is_no_possible_duplicate(command: Command, searched: str) -> None:
    of = ids(searched)
    pair = sorted((of["17"], of["19"]))
    for answers in ("d q", "q", "u q"):  # decided before or not, it is asked about
        status, out, _ = review(command, searched, answers, "--pair", *pair[::-1])
        assert status == 0
        assert shown(out)[0][3] == set(pair)
        assert query(searched, DECISIONS) == ([(*pair, "different", None)] * (answers != "u q"))
    assert frozenset(("17", "19")) not in suspects(searched)


def test_a_group(command: Command, searched: str) -> None:
    """By any of its games; a rejected near-identical duplicate is separated by the next run."""
    of = ids(searched)
    out = review(command, searched, "k k k", "--group", of["16 cut"]).out
    assert [row[3] for row in shown(out)] == [
        {of["16"], copy}
        for copy in sorted(of[f"16 {kind}"] for kind in ("again", "wrong move", "cut"))
    ]
    assert all(left == str(of["16"]) for _, _, _, left, _ in HEADS.findall(out))
    review(command, searched, "d q", "--group", of["13"])
    command("dedup", searched)
    assert "13 wrong move" not in statuses(searched)


def test_joins_come_the_least_certain_first(command: Command, searched: str) -> None:
    joins = {label for label, row in statuses(searched).items() if row[0] == "join"}
    of = ids(searched)
    out = review(command, searched, "k " * len(joins), "--near-identical").out
    assert {max(row[3] & {of[label] for label in joins}) for row in shown(out)} == {
        of[label] for label in joins
    }
    sums = [float(text) for text in re.findall(r"  sum +([+-][\d.]+)", out)]
    assert len(sums) >= len(joins) - 1
    assert sums == sorted(sums)
    review(command, searched, "d q", "--near-identical")
    again = review(command, searched, "q", "--near-identical").out
    assert shown(again)[0][3] == shown(out)[1][3]  # a pair that is decided is not asked again
    assert shown(again)[0][1] == len(joins) - 1


@pytest.mark.slow
def test_the_other_game_is_kept(command: Command, searched: str) -> None:
    """The right game is kept in spite of the rules, also when shown again."""
    of = ids(searched)
    out = review(command, searched, "o q", "--pair", of["16"], of["16 cut"]).out
    assert right_of(out) == of["16 cut"]
    command("dedup", searched)
    assert statuses(searched)["16"][2] == "16 cut"
    out = review(command, searched, "q", "--pair", of["16"], of["16 cut"]).out
    assert right_of(out) == of["16"]
    assert f"game {of['16 cut']} is kept" in " ".join(out.split())
    review(command, searched, "s q", "--pair", of["16"], of["16 cut"])  # the rules choose again
    command("dedup", searched)
    assert statuses(searched)["16 cut"][2] == "16"


def test_deleted_games_are_shown_on_the_right(command: Command, searched: str) -> None:
    """Even if its header is better, since it is not the kept game."""
    of = ids(searched)
    pair = of["33"], of["35"]
    left = HEADS.findall(review(command, searched, "q", "--pair", *pair).out)[0][3]
    change(searched, f"{REMOVE} FROM Games WHERE ID = {left}")
    change(searched, f"DELETE FROM Games WHERE ID = {left}")
    assert right_of(review(command, searched, "q", "--pair", *pair).out) == int(left)


@pytest.mark.slow
def test_without_any_input(searched: str, spawn: Spawn) -> None:
    process = spawn("review", Path(searched).absolute(), cwd=ROOT, preexec_fn=lambda: os.close(0))
    out, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0
    assert b"decided: 0" in out
    assert b"Traceback" not in err


def test_a_deleted_game_cannot_stay(command: Command, searched: str) -> None:
    of = ids(searched)
    command("dedup", searched, "--delete")
    before = dump(searched)
    pair = of["16"], of["16 cut"]
    status, out, err = review(command, searched, "o q", "--pair", *pair)
    assert status == 0
    assert right_of(out) == of["16 cut"]
    assert "is deleted and cannot be the kept game; 'ocgdedup restore'" in err
    assert dump(searched) == before
    Path("in.csv").write_text(f"{pair[0]},{pair[1]},same,{pair[1]}\n")
    status, _, err = command("review", searched, "--decide", "in.csv")
    assert status == 2
    assert "in.csv:1: game" in err
    assert dump(searched) == before


# --- what comes of it -----------------------------------------------------------------------------


def test_apply(command: Command, searched: str) -> None:
    of = ids(searched)
    first, second = sorted((of["33"], of["35"]))
    assert frozenset(("33", "35")) not in groups(searched)
    status, out, err = review(command, searched, "s q", "--pair", first, second, "--apply")
    assert status == 0
    assert out.splitlines()[-1].startswith("#games: ")
    assert "undo with: " in err
    assert frozenset(("33", "35")) in groups(searched)


def test_a_name_with_blanks_is_quoted(command: Command, searched: str) -> None:
    Path(searched).rename("my games.db3")
    err = review(command, "my games.db3", "d q").err
    assert "to apply your decisions, run: ocgdedup dedup 'my games.db3'" in err


# --- lists and files ------------------------------------------------------------------------------


def test_list(command: Command, searched: str) -> None:
    review(command, searched, "o d q")
    before = Path(searched).read_bytes()
    status, out, err = command("review", searched, "--list")
    assert (status, err) == (0, "")
    head, *lines = out.splitlines()
    assert head == "GameID1\tGameID2\tDecision\tKeptGameID\tClass\tScore\tEvidence\tNote"
    rows = query(
        searched,
        "SELECT GameID1, GameID2, coalesce(Decision, ''), coalesce(MasterID, ''), Class, Score, "
        "Evidence, coalesce(Note, '') FROM Suspects ORDER BY 1, 2",
    )
    assert [line.split("\t") for line in lines] == [[str(cell) for cell in row] for row in rows]
    assert Path(searched).read_bytes() == before


def test_list_judges_what_no_search_has_listed(command: Command, searched: str) -> None:
    """A decided duplicate has the class of its flag, and the score of --explain."""
    duplicate, kept, status = query(
        searched,
        "SELECT GameID, DuplicateGroup, DuplicateStatus FROM DuplicateFlags "
        "WHERE DuplicateStatus IS NOT NULL AND DuplicateReason IS NULL LIMIT 1",
    )[0]
    apart = ids(searched)["1"], ids(searched)["2"]
    decided = f"{kept},{duplicate},same\n{apart[0]},{apart[1]},different\n"
    Path("mine.csv").write_text(decided)
    assert command("review", searched, "--decide", "mine.csv").status == 0
    explained = json.loads(command("dedup", searched, "--explain", kept, duplicate, "--json").out)
    listed = [line.split("\t") for line in command("review", searched, "--list").out.splitlines()]
    [row] = [row for row in listed if row[:2] == [str(i) for i in sorted((kept, duplicate))]]
    assert row[2:5] == ["same", "", status]
    assert float(row[5]) == pytest.approx(explained["score"], abs=0.01)
    [row] = [row for row in listed if row[:2] == [str(game_id) for game_id in sorted(apart)]]
    assert row[2:] == ["different", "", "", "", "moves differ too much for one game", ""]
    # Nor does a report or a comparison of the games show a score of 0.
    command("dedup", searched, "--report", "pairs.json")
    pair = {apart[0], apart[1]}
    for row in json.loads(Path("pairs.json").read_text()):
        if {row["GameID"], row["MasterID"]} == pair:
            assert (row["Class"], row["Score"]) == (None, None)
            assert row["Evidence"] == "moves differ too much for one game"
    shown = command("printpgn", searched, "--diff", *apart).out
    assert re.search("^possible +you decided: different$", shown, re.MULTILINE)


def test_what_list_prints_is_what_decide_reads(command: Command, searched: str) -> None:
    first, second, third = pairs(searched)[:3]
    lines = command("review", searched, "--list").out.splitlines()
    lines[1] = lines[1].replace("\t\t\t", f"\tsame\t{first[1]}\t", 1)
    lines[2] = lines[2].replace("\t\t\t", "\tDifferent\t\t", 1)
    Path("edited.tsv").write_text("\n".join(lines))
    status, out, err = command("review", searched, "--decide", "edited.tsv")
    assert (status, out) == (0, "decisions: 2, new or changed: 2\n")
    assert "to apply your decisions, run: ocgdedup dedup a.db3" in err
    expected = [(*first, "same", first[1]), (*second, "different", None)]
    assert query(searched, DECISIONS) == expected
    # Once more, with one more and one taken back; what is empty stays as it is.
    Path("more.csv").write_text(
        "# mine\r\nGameID2;GameID1;MasterID;Decision\r\n"
        f"{first[0]};{first[1]};;\r\n\r\n{second[0]};{second[1]};;none\r\n"
        f"{third[1]};{third[0]};{third[0]};same\r\n"
    )
    assert command("review", searched, "--decide", "more.csv").out == (
        "decisions: 2, new or changed: 2\n"
    )
    assert query(searched, DECISIONS) == [expected[0], (*third, "same", third[0])]
    status, out, err = command("review", searched, "--decide", "more.csv")
    assert (status, out, err) == (0, "decisions: 2, new or changed: 0\n", "")


def test_decide_and_apply(command: Command, searched: str) -> None:
    of = ids(searched)
    Path("in.csv").write_text(f"{of['33']},{of['35']},same,{of['33']}\n")
    status, out, _ = command("review", searched, "--decide", "in.csv", "--apply")
    assert status == 0
    assert "#games: " in out
    assert statuses(searched)["35"][2] == "33"


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("1,2,perhaps\n", ["in.csv:1: 'perhaps' is not a decision; write same, different or none"]),
        ("1,2,same\n3,x,same\n", ["in.csv:2: 'x' is not a game ID"]),
        ("1,1,same\n", ["in.csv:1: names game 1 twice"]),
        ("1,2,same,3\n", ["in.csv:1: the kept game 3 is neither of the two games"]),
        (
            "1,2,different,2\n",
            ["in.csv:1: a kept game (KeptGameID) goes only with the decision same"],
        ),
        (
            "1,2,same\n2,1,same,1\n",
            ["in.csv:2: contradicts in.csv:1 about games 1 and 2"],
        ),
        ("1,2,odd\n1\n3,4,same\n", ["in.csv:1: 'odd'", "in.csv:2: '' is not a game ID"]),
        ("1,2,same\n1,999,same\n", ["in.csv:2: there is no game with ID 999 in a.db3"]),
        (f"1,{10**17},same\n", ["in.csv:1: there is no game with ID 1000"]),
        ("GameID1,GameID2\n1,2\n", ["in.csv:1: has no column Decision"]),
        ("GameID1,GameID2,Decision\n1,2,\n", ["in.csv: has no decisions"]),
        ("", ["in.csv: has no decisions"]),
        ("1,2,odd\n" * 12, ["in.csv:10: ", "; and 2 more such lines"]),
    ],
)
def test_a_file_that_makes_no_sense(
    command: Command, searched: str, text: str, messages: list[str]
) -> None:
    """Its lines are named, and nothing is written, not even the other lines."""
    Path("in.csv").write_text(text)
    before = dump(searched)
    status, out, err = command("review", searched, "--decide", "in.csv")
    assert (status, out) == (2, "")
    for message in messages:
        assert message in err
    assert dump(searched) == before


# --- what cannot be reviewed ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("absent.db3", "absent.db3: there is no such database"),
        ("a.db3 --pair 1 999", "a.db3: there is no game with ID 999"),
        ("a.db3 --pair 1 100000000000000000000", "no game with ID 100000000000000000000"),
        ("a.db3 --pair 3 3", "--pair needs two different games, not 3 twice"),
        ("a.db3 --group 999", "there is no game with ID 999"),
        ("a.db3 --group SINGLE", "is in no group of duplicates"),
        ("a.db3 --decide absent.csv", "absent.csv: cannot be read: No such file"),
        ("a.db3 --list --apply", "--apply does not go with --list"),
        ("a.db3 --list --all", "--all does not go with --list, --web or --decide"),
        ("a.db3 --near-identical --group 1", "not allowed with argument --near-identical"),
        (
            "ocgdb.db3",
            "ocgdb.db3: OCGDB wrote this file, which has no possible duplicates yet; run "
            "'ocgdedup dedup",
        ),
        ("ocgdb.db3 --decide in.csv", "ocgdb.db3: OCGDB wrote this file"),
    ],
)
def test_what_cannot_be_reviewed(command: Command, searched: str, line: str, message: str) -> None:
    write_ocgdb("ocgdb.db3", [OcgdbGame("Alpha, A", "Beta, B", "e4")])
    Path("in.csv").write_text("1,2,same\n")
    single = str(ids(searched)["17"])
    before = dump(searched)
    status, out, err = command("review", *line.replace("SINGLE", single).split(), stdin=b"s\n")
    assert (status, out) == (2, "")
    assert message in err
    assert dump(searched) == before


# --- killed, interrupted --------------------------------------------------------------------------


def answer_and_wait(process: subprocess.Popen[bytes], *answers: bytes) -> None:
    """Answer, and wait for the next pair each time."""
    assert process.stdin is not None
    assert process.stderr is not None
    _wait_for(process.stderr, b"q quit, ?:")
    for answer in answers:
        process.stdin.write(answer)
        process.stdin.flush()
        _wait_for(process.stderr, b"q quit, ?:")


def _wait_for(stream: Any, text: bytes) -> None:
    output = b""
    while text not in output:
        assert select.select([stream], [], [], WAIT_S)[0], output
        some = os.read(stream.fileno(), 1000)
        assert some, output
        output += some


def test_killed_between_decisions(command: Command, searched: str, spawn: Spawn) -> None:
    """The answers are stored; the next review continues after them."""
    asked = pairs(searched)
    path = Path(searched).absolute()
    process = spawn("review", path, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    answer_and_wait(process, b"d\n", b"s\n")
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert query(searched, DECISIONS) == [
        (*asked[0], "different", None), (*asked[1], "same", None),
    ]  # fmt: skip
    assert is_sound(searched)
    assert shown(review(command, searched, "q").out)[0][3] == set(asked[2])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted(searched: str, spawn: Spawn, number: int) -> None:
    asked = pairs(searched)
    path = Path(searched).absolute()
    process = spawn("review", path, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    answer_and_wait(process, b"d\n")
    process.send_signal(number)
    assert process.stderr is not None
    rest = process.stderr.read()
    assert process.wait() == 130
    assert rest.endswith(
        b"ocgdedup: interrupted; what was done before is kept; the same command continues\n"
    )
    assert query(searched, DECISIONS) == [(*asked[0], "different", None)]


def test_a_list_is_written_pair_by_pair(
    command: Command, searched: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many pairs there are, few are in memory."""
    change(
        searched,
        "INSERT OR IGNORE INTO Suspects SELECT A.ID, B.ID, 'join', 1, '', NULL, NULL, NULL "
        "FROM Games AS A JOIN Games AS B ON A.ID < B.ID LIMIT 200",
    )
    most = 0

    def counted(text: str) -> str:
        nonlocal most
        most = max(most, sum(type(value) is PossiblePair for value in gc.get_objects()))
        return text

    monkeypatch.setattr("ocgdedup.reports.decision_files.printable", counted)
    assert len(command("review", searched, "--list").out.splitlines()) > 100
    assert 0 < most < 5
