"""The campaign `sequences` with Go games: random commands on one growing collection."""

from __future__ import annotations

import random
import re

from torturelib.model import Case
from torturelib.sequences import DATABASE, Sequence, run_sequence
from torturelib.starting_points import SURNAMES, inputs

LETTERS = "abcdefghijklmnopqrs"
MIRRORED = str.maketrans(LETTERS, LETTERS[::-1])


class GoSequence(Sequence):
    """Random commands on a collection of Go games; `players` runs without a rating list."""

    suffix, first_tag = "sgf", b"(;GM["
    mark = r"^EV\[\[[^]]* of (\d+)\\\]"

    def begin(self) -> str | None:
        inputs(self.case, self.folder)
        chosen = self.rng.choice((["club.sgf"], ["web.sgf"], ["club.sgf", "web.sgf"]))
        options = self.rng.choice([[], ["--signatures"], ["--no-index"]])
        return self.step("create", DATABASE, *chosen, *options, loads=True)

    def new_games(self) -> str:
        text = "".join((self.folder / name).read_text() for name in ("club.sgf", "web.sgf"))
        games = text.strip().split("\n\n")
        return "\n\n".join(
            changed(self.rng.choice(games), self.rng) for _ in range(self.rng.randint(1, 25))
        )

    def players(self) -> str | None:
        return self.step("players", DATABASE, *self.rng.choice([[], ["--again"]]))

    def players_and_undo(self) -> str | None:
        return self.and_undo(["players", DATABASE], ["players"])


def changed(game: str, rng: random.Random) -> str:
    """Return another record of a game, or another game with its moves."""
    header, *moves = re.split(r"(?=;[BW]\[)", game.strip().removesuffix(")"))
    if rng.random() < 0.4:
        name = rng.choice(SURNAMES)
        header = re.sub(r"PB\[[^]]*\]", f"PB[{name} {rng.choice(SURNAMES)}]", header)
    if rng.random() < 0.3:
        header = re.sub(r"DT\[[^]]*\]", f"DT[19{rng.randrange(60, 99)}-05-17]", header)
    if rng.random() < 0.3:
        header = re.sub(rng.choice((r"EV\[[^]]*\]", r"RO\[[^]]*\]", r"RE\[[^]]*\]")), "", header)
    if rng.random() < 0.3:
        header += f"AN[Nº {rng.randrange(9)}]"
    if rng.random() < 0.3:
        moves = moves[: rng.randint(len(moves) // 2, len(moves))]
    if rng.random() < 0.2 and len(moves) > 1:
        ply = rng.randrange(len(moves))
        moves[ply] = f"{moves[ply][:3]}{rng.choice(LETTERS)}{rng.choice(LETTERS)}]"
    if rng.random() < 0.2:  # the board as seen from another side
        moves = [move[:3] + move[3:5].translate(MIRRORED) + move[5:] for move in moves]
    return "".join([header, *moves]) + ")"


def run_case(case: Case) -> str | None:
    return run_sequence(GoSequence(case))
