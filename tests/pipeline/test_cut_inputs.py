"""Inputs cut at any byte: all games before the cut are loaded and counted."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.errors import PgnReadError
from tests.support.databases import Silent, query
from tests.support.packed_texts import COMPRESS, make_zip

GAMES = [
    f'[Event "E {number}"]\n[White "W{number}"]\n[Black "B"]\n[Result "1-0"]\n\n'
    f"1. {'e4' if number % 2 else 'd4'} Nf6 2. Nc3 {{comment {number * 7919}}} d6 3. Nf3 g6 1-0\n\n"
    for number in range(600)
]
ENDS = b"g6 1-0"  # of the moves of each game
MEMBERS = ["".join(GAMES[first : first + 75]) for first in range(0, 600, 75)]
_CHUNK = 5000  # of text in each packed stream: what one stream holds is not readable in part


class Collected(Silent):
    """Keeps the warnings."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, message: str) -> None:
        self.warnings.append(message)


def tarred(texts: Sequence[str]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for number, text in enumerate(texts):
            entry = tarfile.TarInfo(f"{number}.pgn")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()


def packed(kind: str, text: bytes) -> list[bytes]:
    """Return streams of one compression that together are one text."""
    return [COMPRESS[kind](text[at : at + _CHUNK]) for at in range(0, len(text), _CHUNK)]


PLAIN = "".join(GAMES).encode()
TAR = tarred(MEMBERS)
STREAMS = {
    f"{name}.{kind}": (packed(kind, text), text)
    for kind in COMPRESS
    for name, text in (("pgn", PLAIN), ("tar", TAR))
}
WHOLE = {
    "pgn": PLAIN,
    "tar": TAR,
    "zip": make_zip({f"{n}.pgn": text.encode() for n, text in enumerate(MEMBERS)}),
    **{name: b"".join(streams) for name, (streams, _) in STREAMS.items()},
}


def loaded(folder: Path, name: str, content: bytes) -> tuple[list[tuple[str, int]], Collected]:
    """Load a file; return White and plies of each game, and the messages."""
    source, database = folder / f"in.{name}", folder / "a.db3"
    source.write_bytes(content)
    messages = Collected()
    try:
        create(CreateRequest(str(database), [str(source)], force=True), messages)
    except PgnReadError as error:
        return [], messages if "nothing could be read" in str(error) else Collected()
    rows = query(
        str(database),
        "SELECT p.Name, PlyCount FROM Games g JOIN Players p ON p.ID = WhiteID ORDER BY g.ID",
    )
    return [(str(white), int(plies)) for white, plies in rows], messages


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cut")


def readable_games(name: str, cut: int) -> int:
    """Return the number of complete games before a cut."""
    if name == "zip":
        return 75 * max(WHOLE[name][:cut].count(b"PK\3\4") - 1, 0)
    streams, text = STREAMS.get(name, ([], WHOLE[name][:cut]))
    ends = accumulate(map(len, streams))
    whole = sum(end <= cut for end in ends)
    return (text[: whole * _CHUNK] if streams else text).count(ENDS)


@pytest.mark.parametrize("name", WHOLE)
@settings(max_examples=12)
@given(part=st.floats(0, 1, exclude_max=True))
@example(part=0.5)
@example(part=0.97)
@example(part=0.9999)
def test_a_cut_loses_nothing_before_it(name: str, part: float, folder: Path) -> None:
    content = WHOLE[name]
    cut = max(int(len(content) * part), 600)  # below, a tar is no tar
    games, messages = loaded(folder, name, content[:cut])
    whole = [white for white, plies in games if plies == 6]
    assert whole == [f"W{number}" for number in range(len(whole))]
    assert len(games) - len(whole) <= 1, "only the last game may lack moves"
    assert len(whole) >= readable_games(name, cut)
    stream_ends = accumulate(map(len, STREAMS.get(name, ([], b""))[0]))
    is_known = name != "pgn" and not (name.startswith("pgn.") and cut in stream_ends)
    if is_known and len(whole) < 600:
        assert messages.warnings
        count = f"; games loaded from this file: {len(games)}"
        assert messages.warnings[-1].endswith(count) or not games
