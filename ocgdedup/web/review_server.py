"""The server of `review --web`: one page, on this computer only, that writes each decision at once.

Owns access: each request needs the random token in its path and this server's Host; a decision also
needs its Origin, so that no other site can decide in the user's name. commands/review.py writes the
decisions; reports/html_report.py makes the page.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import socket
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ocgdedup.commands.review import ReviewedPairs
from ocgdedup.errors import OcgdedupError, StoreError, UsageError
from ocgdedup.files.portable import ending_signals
from ocgdedup.model import GivenDecision, Reporter
from ocgdedup.reports.html_report import review_page
from ocgdedup.store.possible_duplicates import DIFFERENT, SAME

if TYPE_CHECKING:
    import uvicorn

HOST = "127.0.0.1"
_MOST_BYTES = 1000  # of a request: a decision takes about a hundred
_MOST_CONNECTIONS = 32  # at once; a browser opens about six
_LONGEST_S = 30  # for a request and its answer
_HEADERS = {
    "Cache-Control": "no-store",
    "Connection": "close",  # so that no connection is open for long
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_JSON, _HTML, _TEXT = "application/json", "text/html; charset=utf-8", "text/plain; charset=utf-8"
_REDIRECT = """\
<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={address}">
<title>ocgdedup review</title>
<a href="{address}">Review</a>
"""

_Scope = Mapping[str, Any]
_Receive = Callable[[], Awaitable[Mapping[str, Any]]]
_Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class _RefusedError(Exception):
    """A request that is not answered: HTTP status and a message for the page."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _GoneError(Exception):
    """The client has closed the connection before its request was complete."""


class _Answer(NamedTuple):
    status: int
    media_type: str
    body: bytes


class ReviewServer(NamedTuple):
    """A server that is about to run; `address`: the URL of the page, with the token."""

    pairs: ReviewedPairs
    listener: socket.socket
    token: str

    @property
    def origin(self) -> str:
        return f"http://{HOST}:{self.listener.getsockname()[1]}"

    @property
    def address(self) -> str:
        return f"{self.origin}/{self.token}/"

    def run(self, reporter: Reporter, browse: Callable[[str], object] | None = None) -> None:
        """Answer requests until a signal asks the process to end.

        `browse` opens an address in a browser; None: the user opens the page. A defect of the
        program ends the server, and is raised.
        """
        with contextlib.ExitStack() as stack:
            stack.callback(self.listener.close)
            link = _link_to(self.address) if browse else None
            application = _Application(self, reporter, link)
            stack.callback(application.remove_link)
            if browse and link:
                # A browser in the terminal would keep this thread from answering it.
                threading.Thread(target=browse, args=[link.as_uri()], daemon=True).start()
            application.run()


def new_server(pairs: ReviewedPairs, port: int) -> ReviewServer:
    """Return a server on a port of the loopback address; 0 takes a free one.

    Raises UsageError if the port is taken, or if the extra `web` is not installed.
    """
    try:
        import uvicorn  # noqa: F401 - 37 ms
    except ImportError as error:
        raise UsageError(
            "review --web needs the package uvicorn, which is not installed: run "
            "\"pip install 'ocgdedup[web]'\"; without --web, review works in the terminal"
        ) from error
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()  # now: a browser may be quicker than the server
    except (OSError, OverflowError) as error:
        listener.close()
        raise UsageError(
            f"review --web: cannot listen on port {port}: {error}; choose another with --port"
        ) from error
    return ReviewServer(pairs, listener, secrets.token_urlsafe(24))


def _link_to(address: str) -> Path:
    """Return a file that leads to an address, and that only this user can read."""
    # All users of the computer can see the arguments of a browser, and so the address itself. A
    # browser in a sandbox has a /tmp of its own, and cannot read hidden folders.
    for folder in (os.path.expanduser("~"), None):
        try:
            file, name = tempfile.mkstemp(".html", "ocgdedup-review-", folder)
        except OSError as error:
            problem = error
            continue
        with open(file, "w", encoding="utf-8") as handle:
            handle.write(_REDIRECT.format(address=address))
        return Path(name)
    raise StoreError(f"review --web: no file for the browser can be written: {problem}")


class _Application:
    """Answers requests one after the other, in one thread."""

    def __init__(self, server: ReviewServer, reporter: Reporter, link: Path | None) -> None:
        self._server = server
        self._reporter = reporter
        self._link = link
        self._uvicorn: uvicorn.Server | None = None
        self._defect: Exception | None = None

    def run(self) -> None:
        """Run uvicorn; it prints nothing, whatever clients send."""
        import uvicorn  # 35 ms

        class Server(uvicorn.Server):
            """A server that SIGHUP ends too; signals that were ignored stay ignored."""

            @contextlib.contextmanager
            def capture_signals(self) -> Iterator[None]:
                with ending_signals(lambda number: self.handle_exit(number, None)):
                    yield

        config = uvicorn.Config(
            self._respond, interface="asgi3", http=_connection_class(), ws="none",
            lifespan="off", log_config=None, log_level="critical", access_log=False,
            server_header=False, proxy_headers=False, backlog=_MOST_CONNECTIONS // 2,
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._uvicorn = Server(config)
        self._uvicorn.run(sockets=[self._server.listener])
        if self._defect is not None:
            raise self._defect

    def remove_link(self) -> None:
        """Remove the file that leads to the page."""
        if self._link is not None:
            self._link.unlink(missing_ok=True)

    async def _respond(self, scope: _Scope, receive: _Receive, send: _Send) -> None:
        # A client that is gone, or still sends when the server ends, gets no answer.
        with contextlib.suppress(_GoneError, asyncio.CancelledError):
            status, media_type, body = await self._answer(scope, receive)
            headers = {**_HEADERS, "Content-Type": media_type, "Content-Length": str(len(body))}
            pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
            await send({"type": "http.response.start", "status": status, "headers": pairs})
            await send({"type": "http.response.body", "body": body})

    async def _answer(self, scope: _Scope, receive: _Receive) -> _Answer:
        is_page = scope["method"] == "GET"
        try:
            return await self._page_or_decision(scope, receive)
        except _RefusedError as error:
            status, problem = error.status, str(error)
        except OcgdedupError as error:
            status, problem = (503 if isinstance(error, StoreError) else 409), str(error)
        except Exception as error:
            if isinstance(error, _GoneError):
                raise
            status, problem = 500, "a defect of ocgdedup ended the server; see its terminal"
            self._defect = error
            assert self._uvicorn is not None
            self._uvicorn.should_exit = True
        if is_page:
            return _Answer(status, _TEXT, f"{problem}\n".encode())
        return _Answer(status, _JSON, json.dumps({"error": problem}).encode())

    async def _page_or_decision(self, scope: _Scope, receive: _Receive) -> _Answer:
        server = self._server
        if _header(scope, "host") != server.origin.removeprefix("http://"):
            raise _RefusedError(403, f"open {server.origin}, not another name of it")
        route = scope["path"], scope["method"]
        page, decisions = f"/{server.token}/", f"/{server.token}/decide"
        if route == (page, "GET"):
            body = review_page(server.pairs.overview(), server.pairs.weights)
            self.remove_link()
            return _Answer(200, _HTML, body)
        if route == (decisions, "POST"):
            if _header(scope, "origin") != server.origin:
                raise _RefusedError(403, "the request comes from another site")
            server.pairs.decide(_decision(await _body(receive)), self._reporter)
            return _Answer(200, _JSON, b"{}")
        if scope["path"] in (page, decisions):
            raise _RefusedError(405, f"{scope['method']} is not possible here")
        raise _RefusedError(
            404, "there is no such page; open the address that 'ocgdedup review' has printed"
        )


def _connection_class() -> type[asyncio.Protocol]:
    from uvicorn.protocols.http.h11_impl import H11Protocol  # 58 ms

    transports: list[asyncio.Transport] = []

    class Connection(H11Protocol):
        """A connection with a time limit; the oldest is closed if there are too many."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self.loop.call_later(_LONGEST_S, transport.abort)
            transports[:] = [each for each in transports if not each.is_closing()] + [transport]
            if len(transports) > _MOST_CONNECTIONS:
                transports[0].abort()

    return Connection


def _header(scope: _Scope, name: str) -> str | None:
    """Return the value of a header; None if it is missing or repeated."""
    values = [value for key, value in scope["headers"] if key == name.encode()]
    return values[0].decode("latin-1") if len(values) == 1 else None


async def _body(receive: _Receive) -> bytes:
    body, is_whole = b"", False
    while not is_whole:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _GoneError
        body += message.get("body", b"")
        if len(body) > _MOST_BYTES:
            raise _RefusedError(413, f"a decision has at most {_MOST_BYTES:,} bytes")
        is_whole = not message.get("more_body", False)
    return body


def _decision(body: bytes) -> GivenDecision:
    """Read a decision: {"first", "second", "decision", "kept"}."""
    try:
        given = json.loads(body)
        first, second = given["first"], given["second"]
        word, kept = given["decision"], given["kept"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise _RefusedError(400, "a decision is an object with first, second, ...") from error
    is_pair = _is_id(first) and _is_id(second) and first < second
    is_word = word in (SAME, DIFFERENT, None)
    is_kept = kept is None or (word == SAME and _is_id(kept) and kept in (first, second))
    if not (is_pair and is_word and is_kept):
        raise _RefusedError(400, f"not a decision: {body.decode('utf-8', 'replace')}")
    return GivenDecision("review", first, second, word, kept)


def _is_id(value: object) -> bool:
    return type(value) is int and 0 < value < 2**63
