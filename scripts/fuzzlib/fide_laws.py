"""Lists of players of any bytes, and the kernels that compare the names in them."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from fuzzlib.corpus import CORPUS, corpus_texts
from fuzzlib.model import Failure, Laws, Target
from fuzzlib.mutating import mutate_often
from ocgdedup._kernels import names as name_kernel
from ocgdedup._kernels.names import skeleton
from ocgdedup.errors import RatingListError
from ocgdedup.fide.lists import RatingList
from ocgdedup.fide.name_table import read_alias_file
from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.phonetic import encode
from ocgdedup.matching.names.resolve import Resolver
from ocgdedup.model import Person

PLAYERS = 60  # compared of one input
MOST_WORD_LETTERS = 23  # of word_sounds()
TOKENS: tuple[bytes, ...] = (
    b"<player>", b"</player>", b"<fideid>", b"</fideid>", b"<name>", b"</name>", b"<rating>",
    b"<birthday>", b"&amp;", b"&#0;", b"&#x110000;", b"<!--", b"-->", b"<![CDATA[", b"]]>",
    b"<?xml", b'<!DOCTYPE a [<!ENTITY b "c">]>', b"&b;", b"\n", b"\r", b"\0", b"\x1a", b"\xff",
    b"@PLAYER", b"= ", b"%Prefix", b'"', b"# GM RUS 1963--2020", b"=\n=", b"name\tko", b"zh",
    b"ID Number", b"2812", b" " * 300, b"\xec\x9d\xb4", b",", b",,", b"Kasparov, Garry", b"\t",
    b"van der ", b"de la ", b"Jr.", b" III", b"-", b"'", b"a " * 300, b"\xd0\x98\xd0\xb2", b".",
    b"x" * 70, b"\xcc\x81" * 40, b"\xf0\x9f\x98\x80", b"Mc", b"sch", b"tsch", b"O'", b"\xc4\xb0",
)  # fmt: skip
# What the parser of names treats in a way of its own: most names of a list have none of it.
NAME_PIECES: tuple[str, ...] = (
    "Ab", "Cde", "f", "J", "NN", "GM", "gm", "GER", "Do", "de", "van", "y", "Ng", "Jr", "II", "IV",
    "St.", "Comp", "Deep", "Player", "12", "1987", "(12)", "(Anna)", "(GM)", "(", ")", "XiJun",
    "Li2", "\u00e9", "\u0429", "\u674e", "\ufdfa" * 99, ",", ",", ".", "'", "_", "-", " ", " ", " ",
)  # fmt: skip
MADE_NAMES = 20
MOST_PIECES = 14
_TEXT_LIST = (
    b"ID Number      Name                                                         Fed Sex Tit  "
    b"WTit OTit           SEP14 Gms K  B-day Flag\n"
    b"4100018        Kasparov, Garry                                              RUS M   GM   "
    b"                    2812  0   10 1963  i   \n"
)
_NAME_TABLE = b"id\tcountry\ten\tko\tzh\n1\tKR\tLee Sedol;Yi Se-tol\t\xec\x9d\xb4\t\xe6\x9d\x8e\n"


def make_case(rng: random.Random, seeds: Sequence[bytes]) -> bytes:
    return mutate_often(rng, rng.choice(seeds), TOKENS, seeds, most_bytes=40_000)


def check_input(text: bytes, laws: Laws) -> Iterator[Failure | str]:
    """Yield each law that reading a list, or comparing its names, breaks."""
    names = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "list.txt")
        path.write_bytes(text)
        for read in (read_players, read_groups):
            try:
                for result in read(str(path)):
                    if isinstance(result, Failure):
                        yield result
                    else:
                        names.append(result)
                yield f"{read.__name__} ends well"
            except RatingListError as error:
                yield f"{read.__name__}: {str(error).rpartition('; ')[2]}"
    rng = laws.random()
    yield from check_names([*names[:PLAYERS], *made_names(rng)], rng)


def made_names(rng: random.Random) -> list[str]:
    return [
        "".join(rng.choices(NAME_PIECES, k=rng.randrange(MOST_PIECES))) for _ in range(MADE_NAMES)
    ]


def read_players(path: str) -> Iterator[str | Failure]:
    with RatingList(path) as players:
        for player in players:
            player.name.encode()
            for value in (player.fide_id, player.rating, player.birth_year):
                if value is not None and not 0 <= value < 1 << 63:
                    yield Failure("a number that SQLite cannot store", repr(player))
            yield player.name


def read_groups(path: str) -> Iterator[str | Failure]:
    for group in read_alias_file(path):
        if group.fide_id is not None and not 0 <= group.fide_id < 1 << 63:
            yield Failure("a number that SQLite cannot store", repr(group))
        yield group.name
        yield from group.aliases


def check_names(names: list[str], rng: random.Random) -> Iterator[Failure | str]:
    """Comparisons are symmetric, and a name equals itself."""
    for name in names:
        name.encode()
        other = rng.choice(names)
        relation = name_kernel.relation(name, other)
        yield f"relation {relation}"
        if relation != name_kernel.relation(other, name):
            yield Failure("relation() is not symmetric", f"{name!r:.100} {other!r:.100}")
        name_kernel.surname_keys(name)
        name_kernel.name_hash(name)
        words, surname, _ = name_kernel.name_words(name)
        if surname > len(words):
            yield Failure("more words of surname than words", repr(name)[:200])
        form = name_form(name)
        if form.given and not form.surname:
            yield Failure("given names without a surname", repr(name)[:200])
        yield from check_words([*words[:4]])
        skeleton(name)
    yield from check_list(names)


def check_words(words: list[bytes]) -> Iterator[Failure]:
    for word in words:
        if len(word) <= MOST_WORD_LETTERS:
            name_kernel.word_sounds(word)
        for other in words:
            if max(len(word), len(other)) > 64:
                continue
            limit = len(other) % 5
            result = name_kernel.word_edits(word, other, limit)
            if result != min(limit + 1, name_kernel.word_edits(other, word, limit)):
                yield Failure("word_edits() is not symmetric", f"{word!r} {other!r}")
            if (result == 0) != (word == other):
                yield Failure("word_edits() is 0 for other words", f"{word!r} {other!r}")


def check_list(names: list[str]) -> Iterator[str]:
    """Index names as a rating list, and look them up."""
    distinct = list(islice(dict.fromkeys(names), 20))
    resolver = Resolver(NameList([Person(name) for name in distinct], encode))
    for name in distinct:
        yield f"resolved by {resolver.resolve(name).stage}"


def seeds() -> list[bytes]:
    demo = CORPUS.parents[1] / "scripts" / "demo_games"
    files = [*corpus_texts("*.xml", demo), *corpus_texts("*.ssp", demo)]
    return [_TEXT_LIST, _NAME_TABLE, *(text[:4_000] for text in files)]


TARGET = Target("fide", "lists of players, kernels of names", seeds, make_case, check_input)
