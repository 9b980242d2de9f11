"""A list of persons: famous players, made-up namesakes, and thousands of made-up players.

It is always the same. The crowd gives words realistic frequencies: some surnames are common, most
are rare.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable
from functools import cache
from itertools import product
from pathlib import Path
from xml.sax.saxutils import escape

from ocgdedup.matching.names.name_list import NameList
from ocgdedup.matching.names.resolve import Resolver
from ocgdedup.model import Person
from tests.support.phonetic import codes_of, encoder

# Name; title; country; years; rating. Ratings are rough; players before rating lists have one too.
_KNOWN = """
Shirov, Alexei; GM; ESP; 1972; 2700
Kramnik, Vladimir; GM; RUS; 1975; 2753
Kasparov, Garry; GM; RUS; 1963; 2812
Karpov, Anatoly; GM; RUS; 1951; 2617
Spassky, Boris V.; GM; RUS; 1937-2025; 2548
Spasov, Vasil; GM; BUL; 1971; 2520
Petrosian, Tigran V; GM; ARM; 1929-1984; 2600
Petrosian, Tigran L; GM; ARM; 1984; 2610
Polgar, Judit; GM; HUN; 1976; 2675
Polgar, Sofia; IM; HUN; 1974; 2450
Carlsen, Magnus; GM; NOR; 1990; 2840
Anand, Viswanathan; GM; IND; 1969; 2751
Ding, Liren; GM; CHN; 1992; 2780
Ding, Yixin; WGM; CHN; 1991; 2397
Wang, Yifan; ; CHN; 1995; 2150
Wang, Yue; GM; CHN; 1987; 2640
Xi, Junfeng; ; CHN; 1996; 2080
Lee, Sedol; ; KOR; 1983;
Kim, Yujin; ; KOR; 1999;
Park, Jieun; ; KOR; 1983;
Mueller, Karsten; GM; GER; 1970; 2510
Perez, Francisco Jose; FM; ESP; 1920-1999; 2300
Cech, Pavel; IM; CZE; 1969; 2380
Jiracek, Jan; ; CZE; 1985; 2010
Prie, Eric; GM; FRA; 1962; 2500
Chekhov, Valery; GM; RUS; 1955; 2500
Tchaikovsky, Piotr; ; RUS; 1990; 2150
Nabokov, Sergey; ; RUS; 1988; 2100
Polanski, Robert; ; POL; 1979; 2060
Hoffmann, Michael; GM; GER; 1972; 2490
Korchnoi, Viktor; GM; SUI; 1931-2016; 2560
Lemos, Natalia; ; ARG; 2001; 1700
Lemos, Nicolas; ; ARG; 1995; 2100
Chilov, Alexandros; ; GRE; 1994; 2040
Chilov, Andreas; ; GRE; 1997; 1890
Van der Berg, Jan; ; BEL; 1970; 1950
Van der Berg, Jan Pieter; ; BEL; 1982; 1990
Vega Sanchez, Miguel Angel; ; ESP; 1981; 2080
Garcia Palermo, Carlos; GM; ARG; 1953; 2460
Hernandez Rodriguez, Juan Carlos; ; MEX; 1980; 1900
Sazonov, Nikita; ; RUS; 1992; 2100
Horvath, Peter jr; ; HUN; 1990; 2010
Horvath, Peter sr; ; HUN; 1961; 2120
Ho, Ng; ; HKG; 1999; 1500
De Vries, Jan; ; BEL; 1975; 1900
"""

_ROOTS = """
Ab Bal Bor Brun Cal Cer Dob Dra Dun Fal Fen Gal Gor Gran Hal Hern Jab Jar Kal Kem Kol Kor Lar
Leb Lin Mal Mar Mel Nad Nor Ost Pal Pev Pol Rad Rem Ros Sal Sem Sil Sten Tar Tor Tul Ul Ven
Vol Zab Zel
"""
_MIDDLES = "an ar e en er et i il in o on or u un us y"
_ENDINGS = """
ov ova enko ski sson sen mann berg ic ez es eli ani ini yan dze ian kis ius as ak ek ik al
ar
"""
_GIVEN = """
Alexander Andrea Anna Anton Arjun Carlos Christian Daniel David Dmitry Elena Emil Eva Felix
Fernando Francesco Georg Giorgi Hans Igor Ivan Jakub Jan Johan Jose Juan Julia Karl Katarina
Lars Laura Leon Luis Lukas Marco Maria Martin Mateusz Michael Miguel Mikhail Nikolai Nina Olga
Oscar Pablo Paul Pavel Peter Piotr Rafael Robert Roman Sergey Simon Stefan Thomas Tomas Victor
Vladimir
"""
_COUNTRIES = "RUS GER ESP POL IND FRA ITA HUN CZE SWE"


def known_persons() -> list[Person]:
    """Return the persons named in tests; their FIDE IDs are made up."""
    lines = _KNOWN.strip().splitlines()
    return [_known(number, line) for number, line in enumerate(lines, 9_000_001)]


def _known(number: int, line: str) -> Person:
    name, title, country, years, rating = (part.strip() for part in line.split(";"))
    born, _, died = years.partition("-")
    return Person(
        name,
        fide_id=number,
        title=title,
        country=country,
        birth_year=int(born),
        death_year=int(died) if died else None,
        rating=int(rating) if rating else None,
    )


@cache
def crowd(count: int = 8000) -> tuple[Person, ...]:
    """Return made-up persons with different names, untitled and weak."""
    draw = random.Random(64)
    given, countries = _GIVEN.split(), _COUNTRIES.split()
    surnames = [
        "".join(parts) for parts in product(_ROOTS.split(), _MIDDLES.split(), _ENDINGS.split())
    ]
    draw.shuffle(surnames)
    names: dict[str, None] = {}
    while len(names) < count:
        # The square of a uniform number: the first surnames are common.
        surname = surnames[int(draw.random() ** 2 * 2000)]
        names[f"{surname}, {draw.choice(given)}"] = None
    return tuple(
        Person(
            name,
            fide_id=1_000_000 + number,
            country=draw.choice(countries),
            birth_year=draw.randint(1945, 2010),
            rating=draw.randint(1000, 2000),
        )
        for number, name in enumerate(names)
    )


@cache
def codes_of_word(word: str) -> array[int]:
    [codes] = codes_of([word])
    return codes


encode = encoder(codes_of_word)  # computes the codes of each word once
spelling_codes = encoder(lambda _: ())  # for tests that need no codes


def list_of(names: Iterable[str | Person], *, with_crowd: bool = True) -> NameList:
    """Return a list of persons, by default followed by the crowd."""
    persons = [Person(name) if isinstance(name, str) else name for name in names]
    return NameList([*persons, *crowd()] if with_crowd else persons, encode)


@cache
def world() -> NameList:
    """Return the list of all known persons and the crowd."""
    return list_of(known_persons())


def meant(name: str, *, by: Resolver) -> str | None:
    """Return the listed name that a name resolves to, None if unresolved."""
    number = by.resolve(name).person
    return None if number is None else by.persons[number].name


# FIDE's file names contain the month.
LIST_NAME = "standard_feb25_xml.xml"


def fide_id(name: str) -> int:
    """Return the made-up FIDE ID of a known person."""
    [result] = [person.fide_id for person in known_persons() if person.name == name]
    assert result is not None
    return result


def living() -> list[Person]:
    """Return the known persons who can be in a current rating list, and some of the crowd."""
    return [*(person for person in known_persons() if not person.death_year), *crowd()[:200]]


def xml_list(persons: Iterable[Person]) -> str:
    """Return a rating list as FIDE publishes it."""
    entries = (
        f"<player><fideid>{person.fide_id}</fideid><name>{escape(person.name)}</name>"
        f"<country>{person.country}</country><sex>{person.sex}</sex><title>{person.title}</title>"
        f"<rating>{person.rating or 0}</rating><birthday>{person.birth_year or ''}</birthday>"
        f"<flag>{'' if person.is_active else 'i'}</flag></player>\n"
        for person in persons
    )
    return f"<playerslist>\n{''.join(entries)}</playerslist>\n"


def write_list(folder: Path, persons: Iterable[Person], name: str = LIST_NAME) -> Path:
    """Write a rating list and return its path."""
    path = folder / name
    path.write_text(xml_list(persons), encoding="utf-8")
    return path
