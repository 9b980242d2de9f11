"""The server of `review --web`: one page, on this computer only, that writes each decision at once.

It owns who may ask: requests need the random token in the path, the Host of this server, and, if
they decide anything, its Origin too, so that no other site can decide in the user's name. What a
decision changes: commands/review.py. What the page shows: reports/html_report.py.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ocgdedup.commands.review import ReviewedPairs, decide_all
from ocgdedup.errors import OcgdedupError, StoreError, UsageError
from ocgdedup.files.portable import ending_signals
from ocgdedup.model import GivenDecision, Reporter
from ocgdedup.reports.html_report import review_page
from ocgdedup.store.suspects import DIFFERENT, SAME

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

HOST = "127.0.0.1"
_MOST_BYTES = 1000  # of a request: a decision takes about a hundred
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class _RefusedError(Exception):
    """A request that is not answered: HTTP status and a message for the page."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class ReviewServer(NamedTuple):
    """A server that is about to run; `address` is what to open, with the token."""

    pairs: ReviewedPairs
    listener: socket.socket
    token: str

    @property
    def origin(self) -> str:
        return f"http://{HOST}:{self.listener.getsockname()[1]}"

    @property
    def address(self) -> str:
        return f"{self.origin}/{self.token}/"

    def run(self, reporter: Reporter) -> None:
        """Answer requests until a signal asks the process to end."""
        import uvicorn

        class Server(uvicorn.Server):
            """A server that no signal ends that was ignored, and that SIGHUP ends, too."""

            @contextlib.contextmanager
            def capture_signals(self) -> Iterator[None]:
                with ending_signals(lambda number: self.handle_exit(number, None)):
                    yield

        config = uvicorn.Config(
            _application(self, reporter), log_level="warning", access_log=False,
            server_header=False, lifespan="off", timeout_graceful_shutdown=1,
        )  # fmt: skip
        try:
            Server(config).run(sockets=[self.listener])
        finally:
            self.listener.close()


def new_server(pairs: ReviewedPairs, port: int) -> ReviewServer:
    """Return a server on a port of the loopback address; 0 takes a free one.

    Raises UsageError if the port is taken, or if the extra `web` is not installed.
    """
    _require_framework()
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


def _require_framework() -> None:
    try:
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise UsageError(
            "review --web needs two more packages, which are not installed: run "
            "\"pip install 'ocgdedup[web]'\"; without --web, review works in the terminal"
        ) from error


def _application(server: ReviewServer, reporter: Reporter) -> Starlette:
    from starlette.applications import Starlette
    from starlette.responses import HTMLResponse, JSONResponse
    from starlette.routing import Route

    # async, though they wait for nothing: so they run one after the other, in one thread.
    async def show(request: Request) -> Response:
        return HTMLResponse(review_page(server.pairs.overview(), server.pairs.weights))

    async def decide(request: Request) -> Response:
        if request.headers.get("origin") != server.origin:
            raise _RefusedError(403, "the request comes from another site")
        decision = _decision(await _body(request))
        decide_all(server.pairs.path, [decision], reporter)
        return JSONResponse({}, headers=_HEADERS)

    def guarded(answer: Callable[..., object]) -> Callable[..., object]:
        return _guarded(answer, server)

    token = server.token
    routes = [
        Route(f"/{token}/", guarded(show), methods=["GET"]),
        Route(f"/{token}/decide", guarded(decide), methods=["POST"]),
    ]
    return Starlette(routes=routes)


def _guarded(answer: Callable[..., object], server: ReviewServer) -> Callable[..., object]:
    """Return an endpoint that answers only requests to this host, and errors as JSON."""
    from starlette.responses import JSONResponse

    async def endpoint(request: Request) -> Response:
        try:
            if request.headers.get("host") != server.origin.removeprefix("http://"):
                raise _RefusedError(403, f"open {server.origin}, not another name of it")
            response: Response = await answer(request)  # type: ignore[misc]
        except _RefusedError as error:
            response = JSONResponse({"error": str(error)}, error.status)
        except StoreError as error:
            response = JSONResponse({"error": str(error)}, 503)
        except OcgdedupError as error:
            response = JSONResponse({"error": str(error)}, 409)
        response.headers.update(_HEADERS)
        return response

    return endpoint


async def _body(request: Request) -> bytes:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_BYTES:
            raise _RefusedError(413, f"a decision has at most {_MOST_BYTES:,} bytes")
    return body


def _decision(body: bytes) -> GivenDecision:
    """Read a decision: {"first", "second", "decision", "kept"}."""
    try:
        given = json.loads(body)
        first, second = given["first"], given["second"]
        word, kept = given["decision"], given["kept"]
    except (ValueError, KeyError, TypeError) as error:
        raise _RefusedError(400, "a decision is an object with first, second, ...") from error
    is_pair = _is_id(first) and _is_id(second) and first < second
    is_word = word in (SAME, DIFFERENT, None)
    is_kept = kept is None or (word == SAME and _is_id(kept) and kept in (first, second))
    if not (is_pair and is_word and is_kept):
        raise _RefusedError(400, f"not a decision: {body.decode('utf-8', 'replace')}")
    return GivenDecision("review", first, second, word, kept)


def _is_id(value: object) -> bool:
    return type(value) is int and 0 < value < 2**63
