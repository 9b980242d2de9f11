"""Odd and hostile clients of `review --web`, and a database that changes while it is reviewed."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import sqlite3
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from torturelib.model import Case, Outcome
from torturelib.running import DONE, crash, finish, refused, start
from torturelib.starting_points import start_folder

WAIT_S = 60  # for an answer that is bound to come
STEPS = range(6, 16)
LONGEST_END_S = 30
DECISIONS = (
    "SELECT GameID1, GameID2, Decision, MasterID FROM Suspects WHERE Decision IS NOT NULL "
    "ORDER BY 1, 2"
)
SHOWN = (
    "SELECT min(ID, DuplicateGroup), max(ID, DuplicateGroup) FROM FlaggedGames "
    "WHERE ID <> DuplicateGroup UNION SELECT GameID1, GameID2 FROM Suspects ORDER BY 1, 2"
)
OTHER_PROCESSES = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""}  # no browser starts

Decision = tuple[int, int, str | None, int | None]


class Sent(NamedTuple):
    """A request, the statuses that may answer it, and the decision that 200 writes.

    No status: the server may close the connection without an answer.
    """

    name: str
    data: bytes
    statuses: tuple[int | None, ...]
    decision: Decision | None = None


class Review:
    """A running review, and which decisions each database file must have."""

    def __init__(self, case: Case) -> None:
        self.rng = case.random()
        self.folder = case.folder
        self.file = case.folder / "g.db3"
        self.pairs = [(first, second) for first, second in query(self.file, SHOWN)]
        self.expected = {"g.db3": set(query(self.file, DECISIONS))}
        self.is_in_place = True
        self.changed: set[int] = set()  # games
        self.words = ("review", "g.db3", "--web")
        self.process = start(case, *self.words, environment=OTHER_PROCESSES)
        assert self.process.stderr
        found = re.search(rb"http://127\.0\.0\.1:(\d+)(/\S+/)", self.process.stderr.readline())
        self.port, self.path = (int(found[1]), found[2].decode()) if found else (0, "")

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def connect(self, data: bytes) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), WAIT_S)
        with contextlib.suppress(OSError):  # the server may refuse it before its end
            connection.sendall(data)
        return connection

    def request(
        self,
        body: bytes = b"",
        *,
        method: str = "POST",
        path: str | None = None,
        **headers: str | None,
    ) -> bytes:
        """Return a request, by default a valid one to decide; None leaves out a header."""
        fields: dict[str, str | None] = {
            "Host": self.host,
            "Origin": f"http://{self.host}",
            "Content-Length": str(len(body)),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        lines = [f"{method} {self.path + 'decide' if path is None else path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in fields.items() if value is not None]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body

    def decision(self) -> Decision:
        first, second = self.rng.choice(self.pairs)
        word = self.rng.choice(("same", "different", None))
        kept = self.rng.choice((None, first, second)) if word == "same" else None
        return first, second, word, kept

    def statuses(self, decision: Decision) -> tuple[int | None, ...]:
        """Return how a decision that is well formed must be answered now."""
        same = self.is_in_place and not self.changed.intersection(decision[:2])
        return (200,) if same else (409,)

    def note(self, decision: Decision) -> None:
        rows = {row for row in self.expected["g.db3"] if row[:2] != decision[:2]}
        self.expected["g.db3"] = rows | ({decision} if decision[2] else set())

    def wrong_rows(self) -> str | None:
        """Return which file has a decision that nobody made, or lacks one."""
        for name, rows in self.expected.items():
            stored = set(query(self.folder / name, DECISIONS))
            if stored != rows:
                return f"{name} has the decisions {sorted(stored)}, not {sorted(rows)}"
        return None


def run_case(case: Case) -> str | None:
    start_folder(case, "flagged", case.folder)
    review = Review(case)
    try:
        return attack(review)
    finally:
        review.process.kill()
        review.process.wait()
        for stream in (review.process.stdout, review.process.stderr):
            if stream is not None:
                stream.close()


def attack(review: Review) -> str | None:
    if not review.port:
        return f"no address: {finish(review.process, review.words).err}"
    rng, done = review.rng, []
    for _ in range(rng.choice(STEPS)):
        if rng.random() < 0.2:
            change = rng.choice(CHANGES)
            change(review)
            done.append(change.__name__)
            continue
        sent = rng.choice(REQUESTS)(review)
        done.append(sent.name)
        problem = after(review, sent) or review.wrong_rows()
        if problem:
            return f"{', '.join(done)}: {problem}"
    problem = killed(review) if rng.random() < 0.2 else ended(review)
    return f"{', '.join(done)}: {problem}" if problem else None


def after(review: Review, sent: Sent) -> str | None:
    """Send a request; return what is wrong with the answer."""
    with contextlib.closing(review.connect(sent.data)) as connection:
        if None in sent.statuses and review.rng.random() < 0.5:
            leave(connection, review.rng)
            return None if review.process.poll() is None else "the server has ended"
        if None in sent.statuses:
            connection.shutdown(socket.SHUT_WR)
        status = status_of(connection)
    if status not in sent.statuses:
        return f"status {status}, not {' or '.join(map(str, sent.statuses))}"
    if status == 200 and sent.decision is not None:
        review.note(sent.decision)
    return None


def leave(connection: socket.socket, rng: random.Random) -> None:
    """Close a connection, half of the time by a reset."""
    if rng.random() < 0.5:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def status_of(connection: socket.socket) -> int | None:
    answer = b""
    with contextlib.suppress(ConnectionError):
        while block := connection.recv(65536):
            answer += block
    found = re.match(rb"(?:HTTP/1\.1 1\d\d.*?\r\n\r\n)?HTTP/1\.1 ([2-5]\d\d) ", answer, re.DOTALL)
    return int(found[1]) if found else None


def ended(review: Review) -> str | None:
    """Open the page once more, and end the server by Ctrl-C."""
    page = Sent("page", review.request(method="GET", path=review.path), (409,))
    problem = after(review, page._replace(statuses=(200,)) if review.is_in_place else page)
    if problem:
        return f"the page: {problem}"
    review.process.send_signal(signal.SIGINT)
    too_long = threading.Timer(LONGEST_END_S, review.process.kill)
    too_long.start()
    outcome = finish(review.process, review.words)
    too_long.cancel()
    problem = crash(outcome) if review.is_in_place else refused(outcome)
    return problem or odd_lines(outcome, review) or review.wrong_rows()


def odd_lines(outcome: Outcome, review: Review) -> str | None:
    if review.is_in_place and outcome.status != DONE:
        return f"exit status {outcome.status}: {outcome.err}"
    ours = ("each decision is", "to apply your decisions", "ocgdedup: error: ")
    odd = [line for line in outcome.err.splitlines() if not line.startswith(ours)]
    return f"the server printed {odd}" if odd else None


def killed(review: Review) -> str | None:
    """Kill the server while it writes; the decision is written or not, and nothing else."""
    decision = review.decision()
    body = body_of(decision)
    with contextlib.closing(review.connect(review.request(body))):
        time.sleep(review.rng.random() * 0.02)
        review.process.kill()
        outcome = finish(review.process, review.words)
    if "Traceback" in outcome.err:
        return f"killed: {outcome.err}"
    if review.wrong_rows() is not None and review.statuses(decision) == (200,):
        review.note(decision)
    return review.wrong_rows()


def query(path: Path, sql: str) -> list[tuple[int, ...]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql).fetchall()


def execute(path: Path, sql: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(sql)


def body_of(row: Decision, /, **others: object) -> bytes:
    names = ("first", "second", "decision", "kept")
    return json.dumps({**dict(zip(names, row, strict=True)), **others}).encode()


# --- requests -------------------------------------------------------------------------------------


def valid(review: Review) -> Sent:
    decision = review.decision()
    data = review.request(body_of(decision))
    return Sent("valid", data, review.statuses(decision), decision)


def in_chunks(review: Review) -> Sent:
    decision = review.decision()
    parts = re.findall(rb".{1,20}", body_of(decision))
    body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    data = review.request(Content_Length=None, Transfer_Encoding="chunked") + body
    return Sent("in chunks", data, review.statuses(decision), decision)


def pipelined(review: Review) -> Sent:
    """Two requests at once: the connection is closed after the first."""
    decision, other = review.decision(), review.decision()
    data = review.request(body_of(decision)) + review.request(body_of(other))
    return Sent("pipelined", data, review.statuses(decision), decision)


def truncated(review: Review) -> Sent:
    data = review.request(body_of(review.decision()))
    return Sent("truncated", data[: review.rng.randrange(len(data))], (None, 400))


def wrong_length(review: Review) -> Sent:
    body = body_of(review.decision())
    length = review.rng.choice(
        (len(body) + 1, len(body) - 1, 0, -1, 10**30, "x", "", f"{len(body)}, 3", "0x10")
    )
    return Sent("wrong length", review.request(body, Content_Length=str(length)), (None, 400, 413))


def oversized(review: Review) -> Sent:
    size = int(1001 * 10 ** (review.rng.random() * 3))
    return Sent("oversized", review.request(b" " * size), (413,))


def no_decision(review: Review) -> Sent:
    first, second, *_ = decision = review.decision()
    odd = review.rng.choice((0, -1, 2**63, 10**40, 1.5, "1", True, None, [], {}, "\ud800", 1e308))
    body = review.rng.choice(
        (
            b"", b"null", b"[]", b"{}", b"\xff\xfe\x00", b"[" * 999, b'{"a":' * 199, b"NaN",
            b"1" * 999,
            b'"\xed\xa0\x80"', body_of(decision)[:-1], body_of(decision) + b"x",
            body_of((second, first, "same", None)), body_of((first, first, "same", None)),
            body_of((first, second, "different", first)), body_of((first, second, "same", 10**6)),
            body_of(decision, first=odd), body_of(decision, second=odd if odd != {} else []),
            body_of((first, second, "same", None), kept=odd or 0),
            body_of((first, second, None, None), decision=odd or 0),
        )
    )  # fmt: skip
    return Sent("no decision", review.request(body), (400,))


def not_shown(review: Review) -> Sent:
    games = range(1, 10**4)
    first, second = sorted(review.rng.sample(games, 2))
    while (first, second) in review.pairs:
        first, second = sorted(review.rng.sample(games, 2))
    return Sent("not shown", review.request(body_of((first, second, "same", None))), (409,))


def other_method(review: Review) -> Sent:
    method = review.rng.choice(("GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "X"))
    data = review.request(body_of(review.decision()), method=method)
    return Sent(method, data, (405,))


def other_page(review: Review) -> Sent:
    token = review.path.strip("/")
    path = review.rng.choice(
        (
            "/", "/decide", f"/{token}", f"/{token}//decide", f"/{token[:-1]}/decide",
            f"/{token}x/decide", f"/{token.swapcase()}/decide", f"/x/../{token}/decide",
            "/../../etc/passwd", f"/{token}/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
            f"/{token}/decide/", f"/{token}/%00", "*", f"http://{review.host}{review.path}decide",
            "/" + "a" * 10_000, f"//{token}/decide", f"/?{token}",
        )
    )  # fmt: skip
    data = review.request(body_of(review.decision()), path=path)
    return Sent(f"path {path[:40]}", data, (404,))


def other_site(review: Review) -> Sent:
    changes: tuple[dict[str, str | None], ...] = (
        {"Origin": None},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": f"https://{review.host}"},
        {"Origin": f"http://{review.host}.evil.example"},
        {"Origin": f"http://localhost:{review.port}"},
        {"Origin": f"http://{review.host}\r\nOrigin: http://evil.example"},
        {"Host": "evil.example"},
        {"Host": f"localhost:{review.port}"},
        {"Host": "127.0.0.1"},
        {"Host": ""},
        {"Host": "evil.example", "X_Forwarded_Host": review.host},
    )
    data = review.request(body_of(review.decision()), **review.rng.choice(changes))
    return Sent("other site", data, (403,))


def no_request(review: Review) -> Sent:
    rng = review.rng
    data = rng.choice(
        (
            rng.randbytes(rng.randrange(1, 3000)),
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n",
            review.request(Host=None),
            review.request(X="a" * 100_000),
            b"\r\n" * 1000,
            review.request(Expect="100-continue", Content_Length="10"),
        )
    )
    return Sent("no request", data, (None, 400, 403))


def upgrade(review: Review) -> Sent:
    data = review.request(
        method="GET", path="/", Connection="Upgrade", Upgrade="websocket", Sec_WebSocket_Key="eA=="
    )
    return Sent("upgrade", data, (404, 400))


def many_connections(review: Review) -> Sent:
    with contextlib.ExitStack() as stack:
        for _ in range(review.rng.randrange(20, 120)):
            stack.enter_context(contextlib.closing(review.connect(b"POST /")))
    return valid(review)._replace(name="after many connections")


REQUESTS: tuple[Callable[[Review], Sent], ...] = (
    valid, valid, valid, in_chunks, pipelined, truncated, truncated, wrong_length, oversized,
    no_decision, no_decision, not_shown, other_method, other_page, other_site, no_request, upgrade,
    many_connections,
)  # fmt: skip


# --- changes of the database ----------------------------------------------------------------------


def replaced(review: Review) -> None:
    if review.is_in_place:
        shutil.copy(review.file, review.folder / "new.db3")
        os.rename(review.file, review.folder / "moved.db3")
        os.rename(review.folder / "new.db3", review.file)
        review.expected["moved.db3"] = set(review.expected["g.db3"])
        review.is_in_place = False


def moved_back(review: Review) -> None:
    if not review.is_in_place:
        os.rename(review.folder / "moved.db3", review.file)
        review.expected["g.db3"] = review.expected.pop("moved.db3")
        review.is_in_place = True


def changed(review: Review) -> None:
    """Change a game in the file that has the name now."""
    game = review.rng.choice(review.rng.choice(review.pairs))
    execute(
        review.file, f"UPDATE Games SET Round = 'round {review.rng.random()}' WHERE ID = {game}"
    )
    if review.is_in_place:
        review.changed.add(game)


def renumbered(review: Review) -> None:
    """Write the same games under other IDs over the file."""
    if review.is_in_place:
        first, second = review.rng.choice(review.pairs)
        new = review.folder / "new.db3"
        shutil.copy(review.file, new)
        for before, after_it in ((first, 10**6), (second, first), (10**6, second)):
            execute(new, f"UPDATE Games SET ID = {after_it} WHERE ID = {before}")
        review.file.write_bytes(new.read_bytes())
        new.unlink()
        review.changed |= {first, second}


def purged(review: Review) -> None:
    game = review.rng.choice(review.rng.choice(review.pairs))
    execute(review.file, f"DELETE FROM Games WHERE ID = {game}")
    if review.is_in_place:
        review.changed.add(game)


def vacuumed(review: Review) -> None:
    execute(review.file, "VACUUM")


def extended(review: Review) -> None:
    execute(review.file, "INSERT INTO Games (Round, PlyCount) VALUES ('new', 0)")


CHANGES: tuple[Callable[[Review], None], ...] = (
    replaced, moved_back, changed, renumbered, purged, vacuumed, extended,
)  # fmt: skip
