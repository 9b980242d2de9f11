"""review --web: decisions in the browser are stored at once; other pages cannot decide."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from tests.support.browser import needs_browser, opened, violations
from tests.support.command_line import Command
from tests.support.databases import query

ROOT = os.getcwd()  # where `python -m ocgdedup` finds the package, also from a source tree
WAIT_S = 60
SQL = "SELECT GameID1, GameID2, Decision, MasterID FROM Suspects WHERE Decision IS NOT NULL"


class Served:
    """A running `review --web`, without a display: it opens no browser."""

    def __init__(self, path: str, ignored: int | None = None) -> None:
        hidden = {"BROWSER", "DISPLAY", "WAYLAND_DISPLAY"}
        env = {name: text for name, text in os.environ.items() if name not in hidden}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ocgdedup", "review", path, "--web"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**env, "PYTHONPATH": os.pathsep.join([ROOT, env.get("PYTHONPATH", "")])},
            preexec_fn=lambda: ignored and signal.signal(ignored, signal.SIG_IGN),
        )  # fmt: skip
        assert self.process.stderr
        result = re.search(r"(http://127\.0\.0\.1:\d+)(/\S+/)", self.process.stderr.readline())
        assert result, self.process.stderr.read()
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


@needs_browser
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
        assert served.stop(signal.SIGKILL)[0] == -signal.SIGKILL
        page.keyboard.press("s")
        page.wait_for_selector("#fault:not([hidden])")
        assert "was not written: the server does not answer" in page.inner_text("#fault")
        assert page.locator("#pair-list .kind", has_text="decided:").count() == 9
    assert until(made, 9) == [(*ids, *expected[ids]) for ids in sorted(expected)]


@needs_browser
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


def test_a_database_in_use_is_said(served: Served, made: str) -> None:
    (first, second) = query(made, "SELECT GameID1, GameID2 FROM Suspects")[0]
    with closing(apsw.Connection(made)) as other:
        other.execute("BEGIN EXCLUSIVE")
        status, text = served.decide(given(first, second, "same"))
    assert status == 503
    assert "in use" in json.loads(text)["error"] or "locked" in json.loads(text)["error"]
    assert served.decide(given(first, second, "same"))[0] == 200


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
