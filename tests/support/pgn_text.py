"""Small PGN texts that several tests read."""

from __future__ import annotations

from functools import cache

RUY_LOPEZ = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"
QUEENS_GAMBIT = "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7"


def game(movetext: str, **tags: str) -> str:
    """Return one game, with the tags given and the minimal other tags."""
    given = {"Event": "Test", "White": "Alpha, A", "Black": "Beta, B", **tags}
    lines = [f'[{name} "{value}"]' for name, value in given.items()]
    return "\n".join([*lines, "", movetext, "", ""])


def played(number: int, white: str, movetext: str = "1. e4 e5 *", **tags: str) -> str:
    """Return a game with its own round, event and opponent, unless given by tags."""
    given = {"Event": f"Match {number}", "Black": f"Opponent, {chr(65 + number)}", **tags}
    return game(movetext, White=white, Round=f"{number:02}", **given)


THREE_GAMES = (
    game(f"{RUY_LOPEZ} 1-0", Date="1999.01.02", Result="1-0")
    + game(f"{QUEENS_GAMBIT} 1/2-1/2", White="Gamma, G", Result="1/2-1/2")
    + game(f"{RUY_LOPEZ} 1-0", Black="Delta, D", Result="1-0")
)
ILLEGAL_GAME = game("1. e4 e5 2. Ke5 Nc6 1-0", Event="Illegal", Result="1-0")
NO_GAME = "This paragraph is prose and holds neither a tag nor a move.\n\n"

# Paris 1858: 33 half-moves.
OPERA = (
    "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 "
    "9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ "
    "Nxd7 16. Qb8+ Nxb8 17. Rd8# *"
)


@cache
def many_games(count: int) -> bytes:
    """Return `count` games with different tags; each ten in a row are records of one game."""
    movetext = (
        f"{RUY_LOPEZ} 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 "
        "11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 1/2-1/2"
    )
    texts = (
        game(
            movetext,
            Date=f"{1900 + number // 4000}.{1 + number // 280 % 12:02}.{1 + number // 10 % 28:02}",
            White=f"White {number // 10}",
            Black=f"Black {number // 10}",
            Round=str(1 + number // 10 % 9),
            Result="1/2-1/2",
            Annotator=f"Number {number}",
        )
        for number in range(count)
    )
    return "".join(texts).encode()
