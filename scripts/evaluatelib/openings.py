"""Compare the ECO codes that the moves give with those that the games of a file have."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import apsw

from ocgdedup.commands.create import CreateRequest, create
from ocgdedup.model import SilentReporter
from ocgdedup.pgn.openings import CODE_CHARS, openings

PGN_EXTRACT = "pgn-extract"
ECO_FILE = "/usr/share/pgn-extract/eco.pgn"  # of the Debian package
_CODES = (
    "SELECT Moves2, substr(ECO, 1, 3) FROM Games "
    "WHERE ECO GLOB '[A-E][0-9][0-9]*' AND coalesce(FEN, '') = ''"
)


class Agreement(NamedTuple):
    """How many of the games with a code get a code with the same letter, and the same code."""

    program: str
    games: int
    letter: int
    code: int
    wrong: Counter[tuple[str, str]]  # (code of the file, code of the program)

    def __str__(self) -> str:
        letter, code = self.letter / max(self.games, 1), self.code / max(self.games, 1)
        return f"{self.program:12}{self.games:8,} games  letter {letter:.3f}  code {code:.3f}"


def agreements(path: Path) -> Iterator[Agreement]:
    """Yield the agreement of the program, and of pgn-extract -e if it is installed."""
    with tempfile.TemporaryDirectory(prefix="ocgdedup-openings-") as folder:
        database = str(Path(folder) / "games.db3")
        create(CreateRequest(database, [str(path)]), SilentReporter())
        rows = _rows(database)
        found = openings().of_games([moves for moves, _ in rows])
        yield _agreement(
            "ocgdedup",
            [(code, row.eco if row else "") for (_, code), row in zip(rows, found, strict=True)],
        )
        if shutil.which(PGN_EXTRACT) and Path(ECO_FILE).exists():
            yield _agreement(PGN_EXTRACT, _by_pgn_extract(path, Path(folder)))


def _rows(database: str) -> Sequence[tuple[bytes, str]]:
    with apsw.Connection(database) as connection:
        return connection.execute(_CODES).fetchall()


def _by_pgn_extract(path: Path, folder: Path) -> list[tuple[str, str]]:
    """Return the codes of a file and of pgn-extract, which replaces the tag ECO.

    So the code of the file is in another tag. pgn-extract must read all its games.
    """
    marked, classified = folder / "marked.pgn", folder / "classified.pgn"
    text = path.read_bytes().replace(b"\n[ECO ", b"\n[CodeOfFile ")
    marked.write_bytes(text)
    command = [PGN_EXTRACT, "-s", "-w", "100000", f"-e{ECO_FILE}", "-o", classified, marked]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    database = str(folder / "classified.db3")
    create(CreateRequest(database, [str(classified)]), SilentReporter())
    with apsw.Connection(database) as connection:
        return [
            (code[:CODE_CHARS], (found or "")[:CODE_CHARS])
            for code, found in connection.execute(
                "SELECT ExtraTags ->> '$.CodeOfFile', ECO FROM Games WHERE coalesce(FEN, '') = '' "
                "AND ExtraTags ->> '$.CodeOfFile' GLOB '[A-E][0-9][0-9]*'"
            )
        ]


def _agreement(program: str, pairs: Sequence[tuple[str, str]]) -> Agreement:
    wrong = Counter(pair for pair in pairs if pair[0] != pair[1])
    letter = sum(expected[:1] == code[:1] for expected, code in pairs)
    return Agreement(program, len(pairs), letter, len(pairs) - wrong.total(), wrong)
