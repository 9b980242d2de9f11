"""Unmutated inputs: PGN and SGF games one by one, lists of players, and how files are packed."""

from __future__ import annotations

import bz2
import gzip
import io
import logging
import lzma
import random
import re
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, Protocol

import chess
import chess.pgn

from torturelib.model import DEMO_GAMES, DEMO_GO

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MADE_UP_GAMES = 60
_GAME_START = re.compile(rb"^\[Event ", re.MULTILINE)
_GO_START = re.compile(rb"^\(;", re.MULTILINE)


class SeedGame(NamedTuple):
    """A game that can be read: its text, and its moves as the move blob has them."""

    text: bytes
    moves: bytes


@cache
def chess_games() -> tuple[SeedGame, ...]:
    """Return games with moves that no other has, as python-chess reads them."""
    logging.getLogger("chess.pgn").disabled = True
    texts = [made_up_game(number) for number in range(MADE_UP_GAMES)]
    for path in sorted(DEMO_GAMES.glob("*.pgn")):
        texts += split(path.read_bytes(), _GAME_START)
    games: dict[bytes, SeedGame] = {}
    for text in texts:
        game = chess.pgn.read_game(io.StringIO(text.decode("utf-8", "replace")))
        if game is not None and not game.errors and "FEN" not in game.headers:
            moves = blob(game.mainline_moves())
            if moves:
                games.setdefault(moves, SeedGame(text.strip() + b"\n\n", moves))
    return tuple(games.values())


def blob(moves: Any) -> bytes:
    """Return moves as they are stored (docs/file-format.md)."""
    codes = (move.from_square | move.to_square << 6 | (move.promotion or 0) << 12 for move in moves)
    return b"".join(code.to_bytes(2, "little") for code in codes)


def split(text: bytes, start: re.Pattern[bytes]) -> list[bytes]:
    """Return the games of a file."""
    places = [result.start() for result in start.finditer(text)]
    return [text[a:b] for a, b in zip(places, [*places[1:], len(text)], strict=True)]


def made_up_game(number: int) -> bytes:
    """Return a game of random moves, some with comments, NAGs and variations."""
    rng = random.Random(number)
    game = chess.pgn.Game()
    game.headers.update(
        Event=f"Open {number}", Site="Berlin", Date=f"19{number % 90 + 10}.05.{number % 28 + 1:02}",
        Round=str(number % 9 + 1), White=f"White{number}, Anna", Black=f"Black{number}, Boris",
        Result=rng.choice(("1-0", "0-1", "1/2-1/2", "*")),
    )  # fmt: skip
    node: chess.pgn.GameNode = game
    for _ in range(rng.randrange(8, 90)):
        moves = list(node.board().legal_moves)
        if not moves:
            break
        node = node.add_main_variation(rng.choice(moves))
        if rng.random() < 0.05:
            node.comment = rng.choice(("good", "[%clk 0:01:02]", "with } no end".replace("}", "]")))
        if rng.random() < 0.05:
            node.nags.add(rng.randrange(1, 140))
        if rng.random() < 0.04 and node.parent is not None and len(moves) > 1:
            other = next(move for move in moves if move != node.move)
            node.parent.add_variation(other)
    return str(game).encode()


@cache
def go_games() -> tuple[bytes, ...]:
    """Return Go records, one text each."""
    texts = [
        text.strip() + b"\n"
        for path in sorted(DEMO_GO.glob("*.sgf"))
        for text in split(path.read_bytes(), _GO_START)
    ]
    letters = "abcdefghijklmnopqrs"
    for number in range(20):
        rng = random.Random(number)
        points = [x + y for x in letters for y in letters]
        rng.shuffle(points)
        moves = "".join(f";{'BW'[i % 2]}[{point}]" for i, point in enumerate(points[:60]))
        head = f"(;GM[1]FF[4]SZ[19]PB[Black{number}]PW[White{number}]DT[20{number:02}-01-01]"
        texts.append(f"{head}{moves})\n".encode())
    return tuple(texts)


@cache
def player_lists() -> dict[str, bytes]:
    """Return a list of each kind, by the ending of its name."""
    xml = (DEMO_GAMES / "players_2013-01.xml").read_bytes()
    text = (
        b"ID Number      Name                                                         Fed Sex Tit  "
        b"WTit OTit           SEP14 Gms K  B-day Flag\n"
        b"10207538       A E M, Doshtagir                                             BAN M        "
        b"                    1860  0   20 1974      \n"
        b"4100018        Kasparov, Garry                                              RUS M   GM   "
        b"                    2812  0   10 1963  i   \n"
    )
    old = (
        b"  ID NUMBER  NAME                           TITLE  COUNTRY  JUL03  GAMES  BIRTHDAY  "
        b"FLAG\n"
        b"  4100018   Kasparov, Garry                  g  RUS    2830   0  13.04.63\n"
        b"  14000024  Karjakin, Sergey                 g  UKR    2566  12  12.01.90\n"
    )
    table = (
        "id\tcountry\ten\tko\tja\tzh\n1\tKR\tLee Sedol;Yi Se-tol\t이세돌\tイ・セドル\t李世乭\n"
        "2\tCN\tKe Jie\t커제\t\t柯洁\n3\tRU\tKasparov, Garry;Kasparow, G\t\t\t\n"
    )
    return {
        "xml": xml,
        "txt": text,
        "old.txt": old,
        "ssp": (DEMO_GAMES / "spelling.ssp").read_bytes(),
        "tsv": table.encode(),
    }


# --- packed files ---------------------------------------------------------------------------------


class Decoder(Protocol):
    """What all decompressors have in common."""

    @property
    def eof(self) -> bool: ...
    def decompress(self, data: bytes, /) -> bytes: ...


PACKED: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": lambda text: bz2.compress(text, 1),
    ".xz": lzma.compress,
    ".zst": zstd.compress,
}
DECODERS: dict[str, Callable[[], Decoder]] = {
    ".gz": lambda: zlib.decompressobj(wbits=31),
    ".bz2": bz2.BZ2Decompressor,
    ".xz": lzma.LZMADecompressor,
    ".zst": zstd.ZstdDecompressor,
}


def pack_tar(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    return stream.getvalue()


def pack_zip(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return stream.getvalue()


def readable_part(suffix: str, packed: bytes) -> bytes:
    """Return what a decompressor gives of the start of a compressed file."""
    if suffix not in DECODERS:
        return packed
    decoder = DECODERS[suffix]()
    text = bytearray()
    for at in range(len(packed)):
        if decoder.eof:
            break
        text += decoder.decompress(packed[at : at + 1])
    return bytes(text)
