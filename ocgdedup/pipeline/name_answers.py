"""Answers about single names: who is meant, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import apsw

from ocgdedup.fide.lists import read_list
from ocgdedup.fide.name_table import read_alias_file
from ocgdedup.matching.names.name_form import NameForm, is_too_long, name_form
from ocgdedup.matching.names.resolve import Candidate, Resolver
from ocgdedup.model import Person, Reporter
from ocgdedup.pipeline.name_lists import name_list, stored_name_list
from ocgdedup.store import persons
from ocgdedup.store.fide_players import lacks_players


def resolve_names(
    names: Iterable[str], *, fide_path: str, aliases_path: str | None, reporter: Reporter
) -> Iterator[tuple[str, int | None, str, str, float]]:
    """Yield (name, FIDE ID or None, canonical name, stage, score) of each name, without a database.

    An open name has no canonical name and no stage.
    """
    resolver = _resolver(fide_path, aliases_path, reporter)
    known: dict[str, tuple[str, int | None, str, str, float]] = {}
    for name in names:
        answer = known.get(name)
        if answer is None:
            resolution = resolver.resolve(name, shown=1)
            if resolution.person is None:
                answer = (name, None, "", "", 0.0)
            else:
                person = resolver.persons[resolution.person]
                answer = (name, person.fide_id, person.name, resolution.stage, resolution.score)
            known[name] = answer
        yield answer


def explain_with_lists(
    names: Iterable[str], *, fide_path: str, aliases_path: str | None, reporter: Reporter
) -> Iterator[list[str]]:
    """Yield, for each name, the lines that say who may be meant by it and why."""
    resolver = _resolver(fide_path, aliases_path, reporter)
    for name in names:
        yield _explained(resolver, name)


def _resolver(fide_path: str, aliases_path: str | None, reporter: Reporter) -> Resolver:
    with read_list(fide_path) as players:
        reporter.start("reading the lists of players", None, None)
        groups = read_alias_file(aliases_path) if aliases_path else ()
        resolver = Resolver(name_list(players, groups))
        reporter.finish()
    return resolver


def explain(connection: apsw.Connection, names: Iterable[str]) -> Iterator[list[str]]:
    """Yield the same from a database, and what the name stands for in its games."""
    resolver = Resolver(stored_name_list(connection))
    for name in names:
        lines = _explained(resolver, name)
        rows = list(persons.merges_of_name(connection, name))
        for _, games, person, fide_id, scope, stage, _, reason in rows:
            who = f"{person} ({'FIDE ID ' + str(fide_id) if fide_id else 'no FIDE ID'})"
            where = "all its games" if scope == "name" else f"{games} of its games"
            lines.append(f"  here: {where} are of {who}; {stage}{': ' + reason if reason else ''}")
        if not rows:
            lines.append("  here: stands for no person, or not in this database")
        if lacks_players(connection):
            lines.append(
                "  searched only the FIDE list entries of players in this database; to search the "
                "whole list, leave the database out and give --fide-xml LIST"
            )
        yield lines


def _explained(resolver: Resolver, name: str) -> list[str]:
    resolution = resolver.resolve(name)
    read_as = "too long a name" if is_too_long(name) else _form_text(name_form(name))
    lines = [f"{name}", f"  read as: {read_as}"]
    for place, candidate in enumerate(resolution.candidates):
        is_chosen = place == 0 and resolution.person == candidate.person
        mark = "=>" if is_chosen else "  "
        lines.append(f"{mark}{_candidate_text(resolver.persons[candidate.person], candidate)}")
    if resolution.person is None:
        lines.append(f"  open: {resolution.reason}")
    else:
        lines.append(_short_form_line(resolver, resolution.person))
    return lines


def _short_form_line(resolver: Resolver, person: int) -> str:
    """Explain the short form of a player's name: surname and initial."""
    surname, _, given = resolver.persons[person].name.partition(",")
    if not given.strip():
        return "  has no short form"
    short = f"{surname.strip()}, {given.strip()[0]}"
    resolution = resolver.resolve(short, shown=1)
    if resolution.person is None:
        return f"  short form {short}: open ({resolution.reason})"
    who = "the same" if resolution.person == person else resolver.persons[resolution.person].name
    return f"  short form {short}: {who}, probability {resolution.candidates[0].probability:.3f}"


def _form_text(form: NameForm) -> str:
    if not form.surname:
        return "nobody"
    if not form.is_ordered:
        text = f"{' '.join(form.surname)} (order unknown)"
    else:
        text = f"surname {' '.join(form.surname)}, given {' '.join(form.given) or '-'}"
    extra = [
        form.country,
        str(form.birth_year or ""),
        f"number {form.number}" if form.number else "",
    ]
    if form.generation:
        extra.append({"1": "father", "2": "son"}.get(form.generation, "grandson"))
    return "; ".join([text, *filter(None, extra)])


def _candidate_text(person: Person, candidate: Candidate) -> str:
    facts = [
        person.name,
        f"FIDE ID {person.fide_id}" if person.fide_id else "no FIDE ID",
        person.title,
        person.country,
        f"born {person.birth_year}" if person.birth_year else "",
        f"died {person.death_year}" if person.death_year else "",
        f"rated {person.rating}" if person.rating else "",
    ]
    figures = (
        f"{candidate.stage}, score {candidate.score:.2f}, "
        f"evidence {candidate.evidence:.1f}, probability {candidate.probability:.3f}"
    )
    return f"{', '.join(filter(None, facts))}: {figures}"
