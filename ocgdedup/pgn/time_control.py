"""The speed of a game by its tag TimeControl (PGN standard 9.6.1), for 40 moves."""

from __future__ import annotations

import re

# Each with the least seconds for 40 moves.
SPEEDS = {"bullet": 0.0, "blitz": 180.0, "rapid": 480.0, "classical": 1500.0}
_MOVES = 40
_SECONDS = r"\d{1,9}(?:\.\d{1,9})?"
_STAGE = re.compile(rf"(?:(\d{{1,9}})/|\*)?({_SECONDS})(?:\+({_SECONDS}))?", re.ASCII)


def speed_of(time_control: str) -> str | None:
    """Return one of SPEEDS; None for unknown values and for games without a time control.

    The time is that of all stages and 40 increments of the first one: "40/7200:3600", "300+3". A
    control of fewer than 40 moves, such as "1/5", is repeated.
    """
    stages = [_STAGE.fullmatch(stage.strip()) for stage in time_control.split(":")]
    seconds = 0.0
    for index, stage in enumerate(stages):
        if stage is None:
            return None
        moves = int(stage[1] or 0)
        is_repeated = len(stages) == 1 and 0 < moves < _MOVES
        seconds += float(stage[2]) * (_MOVES / moves if is_repeated else 1)
        if not index:
            seconds += _MOVES * float(stage[3] or 0)
    if not seconds:
        return None
    return max((least, speed) for speed, least in SPEEDS.items() if seconds >= least)[1]
