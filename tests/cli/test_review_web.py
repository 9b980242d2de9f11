"""review --web: decisions in the browser are stored at once; other pages cannot decide."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import apsw
import pytest

from ocgdedup.web.review_server import _link_to
from tests.support.browser import opened, violations
from tests.support.command_line import Command
from tests.support.databases import change, query

ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree
WAIT_S = 60
SQL = "SELECT GameID1, GameID2, Decision, MasterID FROM Suspects WHERE Decision IS NOT NULL"


class Served:
    """A running `review --web`; it opens no browser unless the environment names one."""

    def __init__(self, path: str, ignored: int | None = None, **environment: str) -> None:
        hidden = {"BROWSER", "DISPLAY", "WAYLAND_DISPLAY"}
        env = {name: text for name, text in os.environ.items() if name not in hidden}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ocgdedup", "review", path, "--web"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={
                **env, **environment,
                "PYTHONPATH": os.pathsep.join([ROOT, env.get("PYTHONPATH", "")]),
            },
            preexec_fn=lambda: ignored and signal.signal(ignored, signal.SIG_IGN),
        )  # fmt: skip
        assert self.process.stderr
        result = re.search(r"(http://127\.0\.0\.1:\d+)(/\S+/)", self.process.stderr.readline())
        assert result, self.process.stderr.read()
        assert "Ctrl+C here to stop" in self.process.stderr.readline()
        self.origin, self.address = result[1], result[0]

    def ask(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
        request = urllib.request.Request(self.origin + path, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def decide(self, decision: object, **headers: str) -> tuple[int, bytes]:
        path = self.address.removeprefix(self.origin) + "decide"
        sent = {"Origin": self.origin, **headers}
        return self.ask(path, json.dumps(decision).encode(), **sent)

    def connect(self, data: bytes) -> socket.socket:
        """Send bytes and leave the connection open."""
        port = int(self.origin.rpartition(":")[2])
        connection = socket.create_connection(("127.0.0.1", port), WAIT_S)
        connection.sendall(data)
        return connection

    def decision_bytes(self, body: bytes, length: int | None = None) -> bytes:
        """Return a request to decide; `length`: another than that of the body."""
        head = (
            f"POST {self.address.removeprefix(self.origin)}decide HTTP/1.1",
            f"Host: {self.origin.removeprefix('http://')}",
            f"Origin: {self.origin}",
            f"Content-Length: {len(body) if length is None else length}",
        )
        return "\r\n".join((*head, "", "")).encode() + body

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=WAIT_S)
        return self.process.returncode, out + err


@pytest.fixture
def served(command: Command, made: str) -> Iterator[Served]:
    assert command("dedup", made, "-q").status == 0
    server = Served(made)
    yield server
    if server.process.poll() is None:
        server.stop(signal.SIGKILL)


def given(first: int, second: int, word: str | None, kept: int | None = None) -> dict[str, object]:
    return {"first": first, "second": second, "decision": word, "kept": kept}


def until(made: str, expected: int) -> list[tuple[object, ...]]:
    """Wait for a number of decisions and return them; the page does not wait for the response."""
    for _ in range(200):
        stored = query(made, f"{SQL} ORDER BY 1, 2")
        if len(stored) == expected:
            return stored
        time.sleep(0.05)
    return stored


@pytest.mark.slow
@pytest.mark.browser
def test_ten_pairs_are_decided_and_written_at_once(served: Served, made: str) -> None:
    expected = {}
    # A server that was killed resets a connection that is open, or refuses the next one.
    with opened(served.address, allowed="net::ERR_") as page:
        page.select_option("#pair-kind", "all")
        for number, key in enumerate("sdlr" * 2 + "sd"):
            row = page.evaluate("chosen.rows[chosen.place]")
            left, right = page.evaluate(f"sidesOf({row}).map((game) => games.id[game])")
            if number % 2:
                page.keyboard.press(key)
            else:
                page.click(f"[data-choice={key}]")
            kept = {"l": left, "r": right}.get(key)
            word = "different" if key == "d" else "same"
            expected[tuple(sorted((left, right)))] = (word, kept)
            assert until(made, number + 1) == [(*ids, *expected[ids]) for ids in sorted(expected)]
            # The page goes on when the server has answered, after the decision is in the database.
            decided = page.locator("#pair-list .kind", has_text="decided:")
            decided.nth(number).wait_for(state="attached")
        assert page.locator("#pair-list .kind", has_text="decided:").count() == 10
        page.keyboard.press("u")
        expected.popitem()
        assert len(until(made, 9)) == 9
        decided.nth(9).wait_for(state="detached")
        assert served.stop(signal.SIGKILL)[0] == -signal.SIGKILL
        page.keyboard.press("s")
        page.wait_for_selector("#fault:not([hidden])")
        assert "was not written: the server does not answer" in page.inner_text("#fault")
        assert page.locator("#pair-list .kind", has_text="decided:").count() == 9
    assert until(made, 9) == [(*ids, *expected[ids]) for ids in sorted(expected)]


@pytest.mark.slow
@pytest.mark.browser
def test_decisions_are_shown_again(served: Served, made: str) -> None:
    ((first, second), *_) = query(made, "SELECT GameID1, GameID2 FROM Suspects ORDER BY Score DESC")
    assert served.decide(given(first, second, "same", second)) == (200, b"{}")
    with opened(served.address) as page:
        assert "1 of 2 possible duplicates decided" in page.inner_text("#progress-words")
        words = f"You decided: the same game, keep #{second}."
        assert page.inner_text("#pair .verdict") == words
        assert page.locator(".decide [aria-pressed=true]").count() == 1
        assert violations(page) == []
        assert page.locator("#pairs").bounding_box()["y"] < 300  # type: ignore[index]
    status, text = served.stop()
    assert status == 0
    assert "decided: 1" in text
    assert "to apply your decisions, run: ocgdedup dedup a.db3" in text
    assert "Traceback" not in text


def test_only_the_page_can_decide(served: Served, made: str) -> None:
    (first, second) = query(made, "SELECT GameID1, GameID2 FROM Suspects")[0]
    decision = given(first, second, "same")
    body = json.dumps(decision).encode()
    path = served.address.removeprefix(served.origin)
    other = "y" if path[-2] == "x" else "x"  # the last letter of a secret that is not theirs
    refused = [
        served.decide(decision, Origin="http://evil.example"),
        served.decide(decision, Origin="null"),
        served.ask(f"{path}decide", body),  # without Origin
        served.decide(decision, Host="evil.example"),
        served.ask(path, Host="localhost:80"),
        served.ask("/", Origin=served.origin),
        served.ask("/decide", body, Origin=served.origin),
        served.ask(f"{path[:-2]}{other}/decide", body, Origin=served.origin),
        served.ask(f"{path}decide", Origin=served.origin),  # GET
    ]
    assert [status for status, _ in refused] == [403, 403, 403, 403, 403, 404, 404, 404, 405]
    assert query(made, SQL) == []
    assert served.decide(decision)[0] == 200
    assert query(made, SQL) == [(first, second, "same", None)]


@pytest.mark.parametrize(
    ("decision", "status"),
    [
        ("x", 400),
        ([], 400),
        ({"first": 1}, 400),
        (given(2, 1, "same"), 400),
        (given(1, 2, "perhaps"), 400),
        (given(1, 2, "same", 3), 400),
        (given(1, 2, "different", 1), 400),
        ({**given(1, 2, "same"), "first": True}, 400),
        (given(1, 10**30, "same"), 400),
        (given(1, 99999, "same"), 409),
        (given(1, 2, "x" * 2000), 413),
    ],
)
def test_decisions_that_make_no_sense(
    served: Served, made: str, decision: object, status: int
) -> None:
    answer = served.decide(decision)
    assert answer[0] == status
    assert json.loads(answer[1])["error"]
    assert query(made, SQL) == []


@pytest.mark.slow
def test_a_database_in_use_is_said(served: Served, made: str) -> None:
    (first, second) = query(made, "SELECT GameID1, GameID2 FROM Suspects")[0]
    with closing(apsw.Connection(made)) as other:
        other.execute("BEGIN EXCLUSIVE")
        status, text = served.decide(given(first, second, "same"))
    assert status == 503
    assert "in use" in json.loads(text)["error"] or "locked" in json.loads(text)["error"]
    assert served.decide(given(first, second, "same"))[0] == 200


def one_pair(made: str) -> tuple[int, int]:
    return query(made, "SELECT GameID1, GameID2 FROM Suspects ORDER BY 1, 2")[0]


@pytest.mark.parametrize("is_wal", [False, True])
def test_a_replaced_database_is_not_written_to(served: Served, made: str, is_wal: bool) -> None:
    """Not even one that has the same games, nor the one that was moved away."""
    if is_wal:
        change(made, "PRAGMA journal_mode = wal")
    shutil.copy(made, "b.db3")
    os.rename(made, "moved.db3")
    os.rename("b.db3", made)
    status, text = served.decide(given(*one_pair(made), "same"))
    assert status == 409
    problem = json.loads(text)["error"]
    assert problem == (
        "a.db3: was replaced, moved or deleted during the review; start 'ocgdedup review' again"
    )
    assert query(made, SQL) == query("moved.db3", SQL) == []
    page = served.ask(served.address.removeprefix(served.origin))
    assert page == (409, f"{problem}\n".encode())
    status, text = served.stop()
    assert status == 2
    assert text.splitlines()[-1] == f"ocgdedup: error: {problem}"


def test_a_missing_database(served: Served, made: str) -> None:
    first, second = one_pair(made)
    os.rename(made, "moved.db3")
    assert served.decide(given(first, second, "same"))[0] == 409
    assert query("moved.db3", SQL) == []
    os.rename("moved.db3", made)
    assert served.decide(given(first, second, "same"))[0] == 200


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE Games SET Round = '99' WHERE ID = {first}", "game {first} has changed"),
        ("UPDATE Games SET Moves2 = substr(Moves2, 3) WHERE ID = {second}", "{second} has changed"),
        (
            "UPDATE Players SET Name = 'Nobody' "
            "WHERE ID = (SELECT WhiteID FROM Games WHERE ID = {first})",
            "game {first} has changed",
        ),
        ("UPDATE Games SET ID = 9999 WHERE ID = {first}", "game {first} was purged"),
        ("DELETE FROM Games WHERE ID = {second}", "game {second} was purged"),
    ],
)
def test_a_changed_game(served: Served, made: str, statement: str, problem: str) -> None:
    first, second = one_pair(made)
    change(made, statement.format(first=first, second=second))
    status, text = served.decide(given(first, second, "same"))
    assert status == 409
    expected = f"{problem.format(first=first, second=second)} since it was shown; start 'ocgdedup"
    assert expected in json.loads(text)["error"]
    assert query(made, SQL) == []


def test_games_written_over_the_database(served: Served, made: str) -> None:
    """The file is the same, and SQLite's change counter may be."""
    first, second = one_pair(made)
    shutil.copy(made, "b.db3")
    ids = (first, 9999), (second, first), (9999, second)
    for before, after in ids:
        change("b.db3", f"UPDATE Games SET ID = {after} WHERE ID = {before}")
    Path(made).write_bytes(Path("b.db3").read_bytes())
    assert served.decide(given(first, second, "same"))[0] == 409
    assert query(made, SQL) == []


def test_harmless_changes(command: Command, served: Served, made: str) -> None:
    first, second = one_pair(made)
    Path("new.pgn").write_text('[White "A"]\n[Result "*"]\n\n1. e4 e5 *\n')
    assert command("create", made, "new.pgn", "--append", "-q").status == 0
    change(made, "VACUUM")
    assert served.decide(given(first, second, "same"))[0] == 200
    assert query(made, SQL) == [(first, second, "same", None)]


def test_pairs_that_were_not_shown(served: Served, made: str) -> None:
    duplicates = "SELECT ID, DuplicateGroup FROM FlaggedGames WHERE ID <> DuplicateGroup"
    shown = {frozenset(row) for row in query(made, duplicates)} | {frozenset(one_pair(made))}
    other = next(game for game in range(2, 99) if not any({1, game} <= pair for pair in shown))
    status, text = served.decide(given(1, other, "same"))
    assert (status, json.loads(text)["error"]) == (
        409,
        f"a.db3: games 1 and {other} were not shown",
    )
    assert query(made, SQL) == []


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


@pytest.mark.parametrize("end", [reset, socket.socket.close])
def test_clients_that_disconnect(served: Served, made: str, end: object) -> None:
    assert callable(end)
    body = json.dumps(given(*one_pair(made), "same")).encode()
    whole = served.decision_bytes(body)
    for size in (1, 20, len(whole) - len(body), len(whole) - 1):
        end(served.connect(whole[:size]))
    end(served.connect(served.decision_bytes(body, len(body) + 1)))
    end(served.connect(b"\x16\x03\x01\x00\xff\r\n\r\n"))
    assert served.decide("x")[0] == 400  # after all of these
    assert query(made, SQL) == []
    status, text = served.stop()
    assert (status, text) == (0, "decided: 0 pairs\n")


def test_deeply_nested_text(served: Served) -> None:
    with closing(served.connect(served.decision_bytes(b"[" * 999))) as connection:
        assert connection.recv(99).startswith(b"HTTP/1.1 400 ")
    assert served.stop() == (0, "decided: 0 pairs\n")


def test_requests_that_are_open_at_the_end(served: Served, made: str) -> None:
    body = json.dumps(given(*one_pair(made), "same")).encode()
    with closing(served.connect(served.decision_bytes(body, len(body) + 1))):
        assert served.decide("x")[0] == 400
        assert served.stop() == (0, "decided: 0 pairs\n")
    assert query(made, SQL) == []


@pytest.mark.slow
def test_many_connections(served: Served, made: str) -> None:
    """More than the server may have files open."""
    resource.prlimit(served.process.pid, resource.RLIMIT_NOFILE, (100, 100))
    with ExitStack() as stack:
        for _ in range(150):
            stack.enter_context(closing(served.connect(b"")))
    assert served.decide(given(*one_pair(made), "same"))[0] == 200
    status, text = served.stop()
    assert (status, text.splitlines()[0]) == (0, "decided: 1 pair")
    assert "socket" not in text


def test_the_browser_is_not_given_the_token(served: Served, made: str) -> None:
    """All users can read the arguments of a process, but not the file that leads to the page."""
    Path("browser").write_text('#!/bin/sh\nprintf %s "$*" >arguments.part\nmv *.part arguments\n')
    Path("browser").chmod(0o755)
    server = Served(made, BROWSER=f"{os.getcwd()}/browser", HOME=os.getcwd())
    try:
        for _ in range(WAIT_S * 20):
            if Path("arguments").exists():
                break
            time.sleep(0.05)
        arguments = Path("arguments").read_text()
        token = server.address.rstrip("/").rpartition("/")[2]
        assert token not in arguments
        file = Path(arguments.removeprefix("file://"))
        assert file.stat().st_mode & 0o777 == 0o600
        assert f'content="0; url={server.address}"' in file.read_text()
        for _ in range(2):  # the printed address can be opened again
            assert server.ask(server.address.removeprefix(server.origin))[0] == 200
            assert not file.exists()
    finally:
        server.stop(signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.browser
def test_the_file_for_the_browser_opens_the_page(made: str, served: Served) -> None:
    link = _link_to(served.address)
    with opened(link.as_uri()) as page:
        assert page.url.startswith(served.address)
        assert page.evaluate("document.referrer") == ""
    link.unlink()


@pytest.mark.slow
@pytest.mark.browser
def test_decisions_of_a_dying_server_are_not_shown(served: Served, made: str) -> None:
    with opened(served.address, allowed="net::ERR_") as page:
        before = page.inner_text("#progress-words")
        served.process.send_signal(signal.SIGSTOP)
        page.keyboard.press("s")
        page.keyboard.press("k")
        page.keyboard.press("d")  # the same pair once more
        page.keyboard.press("u")
        assert page.locator("#pair-list .kind", has_text="decided:").count() == 0
        assert served.stop(signal.SIGKILL)[0] == -signal.SIGKILL
        page.wait_for_selector("#fault:not([hidden])")
        assert "was not written: the server does not answer" in page.inner_text("#fault")
        page.evaluate("sending")  # until all requests are answered
        assert page.locator("#pair-list .kind", has_text="decided:").count() == 0
        assert page.locator(".decide [aria-pressed=true]").count() == 0
        assert page.inner_text("#progress-words") == before
        assert page.is_hidden("#apply")
        assert page.is_disabled("#undo")
    assert query(made, SQL) == []


@pytest.mark.slow
@pytest.mark.browser
def test_what_was_not_written_stays_on_the_page(served: Served, made: str) -> None:
    """A later decision on another pair does not hide it; a later one on the same pair does."""
    first, second = one_pair(made)  # the next pair has the same first game
    ((date,),) = query(made, "SELECT Date FROM Games WHERE ID = ?", second)
    change(made, "UPDATE Games SET Date = '1.2.3' WHERE ID = ?", second)
    with opened(served.address, allowed="409") as page:
        page.keyboard.press("s")
        page.wait_for_selector("#fault:not([hidden])")
        page.keyboard.press("d")
        page.wait_for_selector("#pair-list .kind:has-text('decided:')")
        assert f"The decision on {first}-{second} was not written: a.db3: game {second} has" in (
            page.inner_text("#fault")
        )
        change(made, "UPDATE Games SET Date = ? WHERE ID = ?", date, second)
        page.evaluate("choosePlace(0)")
        page.keyboard.press("s")
        page.wait_for_selector("#fault", state="hidden")
    assert len(query(made, SQL)) == 2


def test_the_headers_keep_others_out(served: Served) -> None:
    with urllib.request.urlopen(served.address, timeout=WAIT_S) as answer:
        headers, body = answer.headers, answer.read()
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    assert b"connect-src 'self'" in body


def test_options(command: Command, made: str) -> None:
    assert "--port goes with --web only" in command("review", made, "--port", "80").err
    outcome = command("review", made, "--web")
    assert outcome.status == 0
    assert outcome.out == (
        "a.db3: no duplicates and no possible duplicates; to search for them, run "
        "'ocgdedup dedup a.db3'\n"
    )
    wrong = command("review", made, "--web", "--port", "99999")
    assert wrong.status == 2
    assert "choose another with --port" in wrong.err
    assert command("review", "none.db3", "--web").status == 2
    assert not Path("none.db3").exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("ignored", [None, signal.SIGINT])
def test_a_server_in_the_background(
    command: Command, made: str, number: int, ignored: int | None
) -> None:
    """Ctrl-C, which its shell had it ignore, ends it no more than any other command."""
    assert command("dedup", made, "-q").status == 0
    server = Served(made, ignored)
    for _ in range(2):
        assert server.ask(server.address.removeprefix(server.origin))[0] == 200
        if ignored is not None:
            server.process.send_signal(ignored)
    status, text = server.stop(number)
    assert (status, text.partition("\n")[0]) == (0, "decided: 0 pairs")
    assert "Traceback" not in text
