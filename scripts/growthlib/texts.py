"""Made-up games and lists in any number: each function writes one file of a given size.

Moves are legal. A file depends on its size alone.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterable, Iterator
from itertools import chain, islice, product
from pathlib import Path
from typing import TextIO

# One pawn of each file goes one square, then the last rank is free for shuffling.
_PAWNS = " ".join(f"{file}3 {file}6" for file in "abcdefgh")
_ROOKS = "Ra2 Ra7 Ra1 Ra8 Rh2 Rh7 Rh1 Rh8"
_WHITE = (("Nd2", "Nb1"), ("Ne2", "Ng1"), ("Bb2", "Bc1"), ("Bg2", "Bf1"))
_BLACK = (("Nd7", "Nb8"), ("Ne7", "Ng8"), ("Bb7", "Bc8"), ("Bg7", "Bf8"))
# Four plies a digit: each side takes a piece out and back.
_DIGITS = tuple(
    f"{white[0]} {black[0]} {white[1]} {black[1]}" for white in _WHITE for black in _BLACK
)
FIRST_MOVES = [
    "a3",
    "a4",
    "b3",
    "b4",
    "c3",
    "c4",
    "d3",
    "d4",
    "e3",
    "e4",
    "f3",
    "f4",
    "g3",
    "g4",
    "h3",
    "h4",
    "Na3",
    "Nc3",
    "Nf3",
    "Nh3",
]
KNOWN_LINE = f"{_PAWNS} {' '.join([_ROOKS] * 5)} {_ROOKS[:15]}"  # 60 plies


def moves_of(number: int, digits: int = 6, start: str = _PAWNS) -> str:
    """Return the moves of a game that no other number has."""
    tail = []
    for _ in range(digits):
        number, digit = divmod(number, len(_DIGITS))
        tail.append(_DIGITS[digit])
    return " ".join([start, *tail])


def numbered(moves: str) -> str:
    """Return moves with their numbers."""
    plies = moves.split()
    return " ".join(f"{i // 2 + 1}. {' '.join(plies[i : i + 2])}" for i in range(0, len(plies), 2))


def word(number: int, letters: str = "bcdfgklmnprstvz") -> str:
    """Return a pronounceable word that no other number has."""
    parts = []
    number += len(letters) ** 2
    while number:
        number, digit = divmod(number, len(letters))
        parts.append(letters[digit] + "aeiou"[(digit + number) % 5])
    return "".join(parts).capitalize()


def names_alike() -> Iterator[str]:
    """Yield names of one sound: vowels change, the consonants stay."""
    vowels = ("a", "e", "i", "o", "u", "y", "ee", "oo")
    for given in product(vowels, repeat=3):
        for family in product(vowels, repeat=4):
            yield "K{}z{}r{}v{}v, ".format(*family) + "N{}k{}l{}s".format(*given)


def write_games(path: Path, games: Iterable[tuple[dict[str, str], str]]) -> None:
    """Write games of tags and movetext; a tag left out has the usual value."""
    usual = {
        "Event": "Open", "Site": "Berlin", "Date": "1999.05.17", "Round": "3",
        "White": "Alpha, Anton", "Black": "Beta, Bruno", "Result": "1-0",
    }  # fmt: skip
    with path.open("w", encoding="utf-8") as stream:
        for tags, movetext in games:
            write_game(stream, {**usual, **tags}, movetext)


def write_game(stream: TextIO, tags: dict[str, str], movetext: str) -> None:
    stream.writelines(f'[{name} "{text}"]\n' for name, text in tags.items())
    stream.write(f"\n{movetext} {tags.get('Result', '*')}\n\n")


# --- duplicates -----------------------------------------------------------------------------------


def equal_games(path: Path, count: int, *tags: str) -> None:
    """Write one game `count` times; these tags differ each time."""
    movetext = numbered(moves_of(7, digits=12))
    write_games(path, (({tag: word(i) for tag in tags}, movetext) for i in range(count)))


def equal_names_differ(path: Path, count: int) -> None:
    movetext = numbered(moves_of(7, digits=12))
    write_games(path, (({"White": f"{word(i)}, {word(i * 7)}"}, movetext) for i in range(count)))


def equal_sites_differ(path: Path, count: int) -> None:
    equal_games(path, count, "Site")


def equal_events_differ(path: Path, count: int) -> None:
    equal_games(path, count, "Event")


def equal_two_sites(path: Path, count: int) -> None:
    movetext = numbered(moves_of(7, digits=12))
    sites = ("Berlin", "Berlin GER")
    write_games(path, (({"Site": sites[i % 2]}, movetext) for i in range(count)))


def without_tags(path: Path, count: int) -> None:
    with path.open("w") as stream:
        stream.writelines(f"{numbered(moves_of(i))} 1-0\n\n" for i in range(count))


def one_opening(path: Path, count: int) -> None:
    """Write games of other players that agree in their first 60 plies."""
    write_games(
        path,
        (
            (
                {
                    "White": f"{word(i * 3)}, {word(i)}",
                    "Black": f"{word(i * 5 + 1)}, {word(i + 9)}",
                },
                numbered(moves_of(i, start=KNOWN_LINE)),
            )
            for i in range(count)
        ),
    )


def quick_draws(path: Path, count: int) -> None:
    """Write short draws of one pair: same moves, other days."""
    movetext = numbered(_PAWNS)
    dates = product(range(1900, 2020), range(1, 13), range(1, 29))
    rounds = chain.from_iterable([date] * 2 for date in dates)
    write_games(
        path,
        (
            ({"Date": f"{y}.{m:02}.{d:02}", "Round": str(i % 9 + 1), "Result": "1/2-1/2"}, movetext)
            for i, (y, m, d) in enumerate(islice(rounds, count))
        ),
    )


def one_move_games(path: Path, count: int) -> None:
    write_games(
        path,
        (
            ({"White": word(i // 20), "Black": word(i // 7)}, f"1. {FIRST_MOVES[i % 20]}")
            for i in range(count)
        ),
    )


def players_alike(path: Path, count: int) -> None:
    """Write games whose players' names, all of them others, sound alike."""
    names = list(islice(names_alike(), count))
    write_games(
        path,
        (({"White": name}, numbered(moves_of(i))) for i, name in enumerate(names)),
    )


# --- single large things --------------------------------------------------------------------------


def long_name(path: Path, letters: int) -> None:
    write_games(path, [({"White": "a " * (letters // 2)}, numbered(_PAWNS))])


def nested_variations(path: Path, depth: int) -> None:
    opened = "".join("1. e4 (" if i % 2 else "1. d4 (" for i in range(depth))
    write_games(path, [({}, f"{opened}1. c4{')' * depth}")])


def long_tag(path: Path, letters: int) -> None:
    write_games(path, [({"Annotator": "abcdefg " * (letters // 8)}, numbered(_PAWNS))])


def many_tags(path: Path, count: int) -> None:
    write_games(path, [({f"Tag{i}": str(i) for i in range(count)}, numbered(_PAWNS))])


def long_comment(path: Path, letters: int) -> None:
    write_games(path, [({}, f"1. e4 {{{'abcdefg ' * (letters // 8)}}} e5")])


def long_game(path: Path, plies: int) -> None:
    line = "Nf3 Nf6 Ng1 Ng8 " * (plies // 4)
    write_games(path, [({}, numbered(line))])


def huge_games(path: Path, part: str, count: int, charset: str = "utf-8") -> None:
    """Write three games with `count` times the same annotation each; all of it takes one line."""
    text = f"1. e4 {part * count}\n e5"
    with path.open("w", encoding=charset) as stream:
        for name in ("Alpha", "Beta", "Gamma"):
            write_game(stream, {"White": name, "Result": "1-0"}, text)


def line_comments(path: Path, count: int) -> None:
    huge_games(path, ";x\n", count)


def latin_comments(path: Path, count: int) -> None:
    huge_games(path, "{\xe9}", count, "latin-1")


def nags(path: Path, count: int) -> None:
    huge_games(path, "$9", count)


def parentheses(path: Path, count: int) -> None:
    huge_games(path, "()", count)


def parallel_variations(path: Path, count: int) -> None:
    huge_games(path, "(d4;x\n)", count)


def rejected_text(path: Path, blocks: int) -> None:
    with path.open("w") as stream:
        stream.writelines(f'[Event "{i}"]\n\n1. Qh9 *\n\n' for i in range(blocks))


def sgf_nodes(path: Path, nodes: int) -> None:
    """Write one Go game of many nodes: a line of moves, then branches off its end."""
    letters = "abcdefghijklmnopqrs"
    points = [x + y for x in letters[::2] for y in letters]
    with path.open("w") as stream:
        stream.write("(;GM[1]FF[4]SZ[19]PB[Alpha]PW[Beta]DT[1999-05-17]RE[B+R]")
        for i in range(nodes):
            stream.write(f";{'BW'[i % 2]}[{points[i % len(points)] if i < 190 else ''}]")
        stream.write(")\n")


def sgf_branches(path: Path, nodes: int) -> None:
    """Write one Go game whose variations are nested one in the other."""
    with path.open("w") as stream:
        stream.write("(;GM[1]FF[4]SZ[19]PB[Alpha]PW[Beta]DT[1999-05-17];B[pd]")
        stream.write("(;W[dd]" * nodes + ")" * nodes)
        stream.write(")\n")


def rating_list(path: Path, players: int) -> None:
    """Write a FIDE list in XML of players whose names sound alike."""
    with path.open("w", encoding="utf-8") as stream:
        stream.write("<playerslist>\n")
        for i, name in enumerate(islice(names_alike(), players)):
            stream.write(
                f"<player><fideid>{100000 + i}</fideid><name>{name}</name><country>GER</country>"
                "<sex>M</sex><title></title><rating>2000</rating><birthday>1970</birthday></player>\n"
            )
        stream.write("</playerslist>\n")


def claiming_tar(path: Path, exponent: int) -> None:
    """Write a tar of 1 kB whose only member claims 2**exponent bytes."""
    member = tarfile.TarInfo("games.pgn")
    member.size = 2**exponent
    header = member.tobuf(tarfile.GNU_FORMAT)
    path.write_bytes(header + b'[Event "E"]\n\n1. e4 *\n'.ljust(512, b"\0"))
