"""Spellings of one person, and persons whose spellings are alike: the examples of the owner."""

from __future__ import annotations

from functools import cache

import pytest

from ocgdedup.matching.names.consolidate import Consolidation, NameUse
from ocgdedup.matching.names.resolve import Resolver
from tests.support.persons import encode, known_persons, list_of, meant, world

EXAMPLES = """
Shirov, Alexei: Schirow, Alexei; Schirow, Alexej; Schirow, Alexey; Shirov, Alexej; Shirov, A.
Shirov, Alexei: Alexei Shirov; Shirov,Alexei; SHIROV, ALEXEI; GM Shirov, Alexei; Shirov, A (ESP)
Kramnik, Vladimir: Kramnik, V.; Kramnik,V; Kramnik, Wladimir; Vladimir Kramnik
Kasparov, Garry: Kasparow, Garry; Kasparow, Garri; Kasparov, Gari; Kasparow, Gari; Kasparov, G
Kasparov, Garry: Каспаров, Гарри; Гарри Каспаров
Karpov, Anatoly: Karpow, Anatoli; Karpov, Anatoliy; Карпов, Анатолий
Mueller, Karsten: Müller, Karsten; Muller, Karsten; Mueller, K; Müller, K.
Spasov, Vasil: Spassov, Vasil; Spassoff, Vasil; Spassow, V
Spassky, Boris V.: Spassky, Boris; Spasskij, Boris; Spassky, B
Nabokov, Sergey: Nabokow, Sergej; Nabokov, Sergei
Polanski, Robert: Polansky, Robert; Polanskij, Robert
Chekhov, Valery: Tschechow, Waleri; Tschechow, Valery; Tchekhov, Valery
Tchaikovsky, Piotr: Tschaikowski, Piotr; Chaikovsky, Piotr; Tschaikowski, Pjotr; Chaikovsky, Pyotr
Hoffmann, Michael: Hofmann, Michael; Hoffman, Michael; Hofman, Michael
Van der Berg, Jan Pieter: Van der Berg, JP; Van der Berg, J.P.; Van der Berg, J P
Lee, Sedol: 이세돌; Lee Sedol; Lee, Se-dol; Sedol Lee
Kim, Yujin: 김유진; Kim, Yu-Jin
Park, Jieun: 박지은; Park, Ji-Eun
Xi, Junfeng: XiJunfeng; Xi Jun Feng; Xi, Jun Feng; Xi Junfeng; Junfeng Xi
Ding, Liren: Ding Li Ren; Ding, Li Ren; Liren Ding; Ding Liren; Ding, L
Wang, Yifan: Wang Yi Fan; Wang, Yi Fan; Yifan Wang
Perez, Francisco Jose: Pérez, Francisco José
Cech, Pavel: Čech, Pavel
Prie, Eric: Prié, Éric
Jiracek, Jan: Jiráček, Jan
Petrosian, Tigran V: Petrosian, TV; Petrosian, Tigran Vartanovich; Petrosian, Tigran 1929
Petrosian, Tigran L: Petrosian, T.L.; Petrosian, Tigran Levonovich; Petrosian, Tigran 1984
Polgar, Judit: Polgár, Judit; Judit Polgar
Polgar, Sofia: Polgár, Sofia; Polgar, Zsofia; Polgár, Zsófia
Vega Sanchez, Miguel Angel: Vega Sanchez, Miguel; Vega, Miguel Angel
De Vries, Jan: Vries, Jan de
"""
SPELLINGS = [
    (listed, spelling)
    for line in EXAMPLES.strip().splitlines()
    for listed, spellings in [line.split(": ")]
    for spelling in spellings.split("; ")
]


@cache
def resolver(*left_out: str, added: str | None = None) -> Resolver:
    kept = [person for person in known_persons() if person.name not in left_out]
    return Resolver(list_of([*kept, added] if added else kept) if left_out or added else world())


@pytest.mark.parametrize(("listed", "spelling"), SPELLINGS)
def test_spelling_is_the_listed_person(listed, spelling):
    assert meant(spelling, by=resolver()) == listed


@pytest.mark.parametrize(
    "name",
    ["Chilov, A", "Chilov, A.", "Lemos, N.", "Lemos, N", "Petrosian, Tigran", "Petrosian, T",
     "Van der Berg, J.", "Horvath, Peter", "Horvath, P", "Kramnik", "Polgar"],
)  # fmt: skip
def test_several_fit(name):
    assert meant(name, by=resolver()) is None


@pytest.mark.parametrize(
    ("name", "rival", "person"),
    [
        ("Chilov, A", "Chilov, Andreas", "Chilov, Alexandros"),
        ("Lemos, N.", "Lemos, Natalia", "Lemos, Nicolas"),
        ("Petrosian, Tigran", "Petrosian, Tigran L", "Petrosian, Tigran V"),
        ("Petrosian, T", "Petrosian, Tigran V", "Petrosian, Tigran L"),
        ("Van der Berg, J.", "Van der Berg, Jan", "Van der Berg, Jan Pieter"),
    ],
)
def test_unambiguous_when_the_rival_is_not_listed(name, rival, person):
    assert meant(name, by=resolver(rival)) == person


def test_a_spelling_belongs_to_the_nearer_surname():
    assert meant("Karpew, Anatoly", by=resolver("Karpov, Anatoly", added="Karpev, Anatoly")) == (
        "Karpev, Anatoly"
    )
    assert meant("Karpev, Anatoly", by=resolver(added="Karpev, Anatoly")) == "Karpev, Anatoly"
    nabokovy = resolver("Nabokov, Sergey", added="Nabokovy, Sergey")
    assert meant("Nabokovij, Sergej", by=nabokovy) == "Nabokovy, Sergey"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Spassov, Boris", "Spassky, Boris V."),
        ("Spassky, Vasil", "Spasov, Vasil"),
        ("Polgar, Zsuzsa", "Polgar, Sofia"),
        ("Polgar, Sofia", "Polgar, Judit"),
        ("Chilov, Alexandros", "Shirov, Alexei"),
        ("Karpov, Anna", "Karpov, Anatoly"),
        ("Van der Berg, J.P.", "Van der Berg, Jan"),
    ],
)
def test_somebody_else(name, other):
    assert meant(name, by=resolver()) != other


def test_initials_that_fit_several_are_not_the_full_name():
    assert meant("Chilov, A", by=resolver()) != meant("Chilov, Alexandros", by=resolver())
    assert meant("Van der Berg, J.", by=resolver()) != meant("Van der Berg, JP", by=resolver())


PERSONS_APART = """
Petrosian, Tigran V; Petrosian, Tigran L
Polgar, Judit; Polgar, Sofia
Horvath, Peter jr; Horvath, Peter sr
Brandauer, Zlatomir jr; Brandauer, Zlatomir sr
Stockfish 12; Stockfish 13
pawnstorm77; pawnstorm78
player123; player124
Spassov, Liuben; Spassky, Boris
Quxley, Bernard; Quxley, Barbara
"""


@pytest.mark.slow
@pytest.mark.parametrize("with_list", [True, False])
@pytest.mark.parametrize("names", [line.split("; ") for line in PERSONS_APART.split("\n") if line])
def test_these_stay_apart(names, with_list):
    listed = world() if with_list else list_of([])
    uses = [NameUse(i, name, 9, {}, frozenset()) for i, name in enumerate(names)]
    identities = Consolidation(listed, encode).run(uses).identities
    persons = [identity.person for identity in identities.values() if identity.person is not None]
    assert len(persons) == len(set(persons))
