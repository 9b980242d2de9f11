"""Answers about single names: who is meant, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

import apsw

from ocgdedup.fide.lists import RatingList
from ocgdedup.fide.name_table import read_alias_file
from ocgdedup.matching.names.name_form import is_too_long, name_form
from ocgdedup.matching.names.name_list import NameList, core_words
from ocgdedup.matching.names.resolve import Candidate, Resolver
from ocgdedup.matching.names.short_forms import short_form
from ocgdedup.model import NameForm, Person, Reporter
from ocgdedup.pipeline.players.name_lists import (
    aliases_by_fide_id,
    name_list,
    persons_of,
    stored_name_list,
)
from ocgdedup.store import players as store
from ocgdedup.store.fide_players import lacks_players, listed_alias
from ocgdedup.wording import counted


class _Lists(NamedTuple):
    """An index of listed names; `alias_of` returns alias and probability of a FIDE ID, or None."""

    names: NameList
    resolver: Resolver
    alias_of: Callable[[int], tuple[str, float] | None]


def resolve_names(
    names: Iterable[str], *, fide_path: str, aliases_path: str | None, reporter: Reporter
) -> Iterator[tuple[str, int | None, str, str, float]]:
    """Yield (name, FIDE ID or None, canonical name, stage, score) of each name, without a database.

    An unresolved name has an empty canonical name and stage.
    """
    resolver = Resolver(_read_lists(fide_path, aliases_path, reporter))
    in_order = list(names)
    distinct = list(dict.fromkeys(in_order))
    answers: dict[str, tuple[str, int | None, str, str, float]] = {}
    for name, resolution in zip(distinct, resolver.resolve_each(distinct, shown=1), strict=True):
        answers[name] = name, None, "", "", 0.0
        if resolution.person is not None:
            person = resolver.persons[resolution.person]
            answers[name] = (
                name, person.fide_id, person.name, resolution.stage, resolution.score,
            )  # fmt: skip
    yield from map(answers.__getitem__, in_order)


def explain_with_lists(
    names: Iterable[str], *, fide_path: str, aliases_path: str | None, reporter: Reporter
) -> Iterator[list[str]]:
    """Yield, for each name, lines that explain which players it can mean."""
    aliases: dict[int, tuple[str, float]] = {}

    def add_aliases(listed: NameList) -> None:
        for fide_id, alias, probability in aliases_by_fide_id(listed):
            aliases[fide_id] = alias, probability

    listed = _read_lists(fide_path, aliases_path, reporter, add_aliases)
    lists = _Lists(listed, Resolver(listed), aliases.get)
    for name in names:
        yield _explained(lists, name)


def _read_lists(
    fide_path: str,
    aliases_path: str | None,
    reporter: Reporter,
    use_listed: Callable[[NameList], None] | None = None,
) -> NameList:
    with RatingList(fide_path) as players:
        reporter.start("reading the lists of players", None, None)
        groups = read_alias_file(aliases_path) if aliases_path else ()
        names = name_list(persons_of(players), groups, use_listed=use_listed)
        reporter.finish()
    return names


def explain(connection: apsw.Connection, names: Iterable[str]) -> Iterator[list[str]]:
    """Yield the lines of explain_with_lists(), with the lists and players of a database."""
    listed = stored_name_list(connection)
    lists = _Lists(listed, Resolver(listed), partial(listed_alias, connection))
    for name in names:
        lines = _explained(lists, name)
        rows = list(store.merges_of_name(connection, name))
        for _, games, person, fide_id, scope, stage, _, reason in rows:
            who = f"{person} ({'FIDE ID ' + str(fide_id) if fide_id else 'no FIDE ID'})"
            where = "all games" if scope == "name" else counted(games, "game")
            # The reason of a person of single games is their number, which the line has already.
            because = f" ({reason})" if reason and scope == "name" else ""
            lines.append(f"  in this database: {where} by {who}; stage: {stage}{because}")
        if not rows:
            lines.append("  in this database: no player found for this name")
        if lacks_players(connection):
            lines.append(
                "  searched only the FIDE list entries of players in this database; to search the "
                "whole list, leave out the database and add --fide-xml LIST"
            )
        yield lines


def _explained(lists: _Lists, name: str) -> list[str]:
    resolver = lists.resolver
    resolution = resolver.resolve(name)
    form = name_form(name)
    read_as = "too long a name" if is_too_long(name) else _form_text(form)
    lines = [f"{name}", f"  read as: {read_as}"]
    given = lists.names.given_spellings.get(name)
    for index, candidate in enumerate(resolution.candidates):
        is_chosen = index == 0 and resolution.person == candidate.person and given is None
        mark = "=>" if is_chosen else "  "
        lines.append(f"{mark}{_candidate_text(resolver.persons[candidate.person], candidate)}")
    if form.given and all(len(word) == 1 for word in form.given):
        lines += _meaning_of_alias(lists, form)
    elif resolution.person is not None:
        fide_id = resolver.persons[resolution.person].fide_id
        alias = lists.alias_of(fide_id) if fide_id is not None else None
        if alias is not None:
            lines.append(f"  alias: {alias[0]}, probability {alias[1]:.3f}")
    if given is not None:
        lines.append(f"=>{lists.names.persons.name(given)}: {name} is in the spelling file")
    elif resolution.person is None:
        lines.append(f"  unresolved by the name alone: {resolution.reason}")
    else:
        lines.append(_short_form_line(resolver, resolution.person))
    return lines


def _meaning_of_alias(lists: _Lists, form: NameForm) -> list[str]:
    """Explain which listed players have a short form, with the probability if it is only one."""
    names, short = lists.names, short_form(form)
    bearers = {
        names.person_of[entry]
        for entry in names.with_surname(core_words(form.surname)[-1])
        if short_form(names.forms[entry]) == short
    }
    for person in sorted(bearers):
        fide_id = names.persons.fide_id(person)
        alias = lists.alias_of(fide_id) if fide_id is not None else None
        if alias is not None and short_form(name_form(alias[0])) == short:
            who = f"{names.persons.name(person)} (FIDE ID {fide_id})"
            return [f"  alias of {who}: no other listed player, probability {alias[1]:.3f}"]
    if len(bearers) < 2:
        return []  # nobody, a master of the past, too uncertain, or an old list
    return [f"  no alias: {len(bearers)} players have this short form"]


def _short_form_line(resolver: Resolver, person: int) -> str:
    """Explain who the short form of a player's name means: surname and initial."""
    surname, _, given = resolver.persons[person].name.partition(",")
    if not given.strip():
        return "  has no short form"
    short = f"{surname.strip()}, {given.strip()[0]}"
    resolution = resolver.resolve(short, shown=1)
    if resolution.person is None:
        return f"  short form {short}: unresolved ({resolution.reason})"
    is_same = resolution.person == person
    who = "the same player" if is_same else resolver.persons[resolution.person].name
    return f"  short form {short}: {who}, probability {resolution.candidates[0].probability:.3f}"


def _form_text(form: NameForm) -> str:
    if not form.surname:
        return "nobody"
    if not form.is_ordered:
        text = f"{' '.join(form.surname)} (order unknown)"
    else:
        text = f"surname {' '.join(form.surname)}, given {' '.join(form.given) or '-'}"
    extra = [form.country, str(form.birth_year or ""), f"number {form.number}" * bool(form.number)]
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
