"""Fill in what a game lacks about a player who certainly played it: FIDE ID, title, Elo.

Owns the bits of Games.BackFilled and the rules for filling in. A title is not used for games from
before the player is known to have had it, a rating for no game more than a month away. All writes
belong to the transaction of the caller.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeAlias

import apsw

from ocgdedup.store import fide_players
from ocgdedup.store.games import Row, games_in_ranges, tables_with_games, update_games
from ocgdedup.store.persons import save_games

_SIDES = ("White", "Black")
# Bits of BackFilled for White; those for Black are one further left.
_FIDE_ID, _TITLE, _ELO, _ELO_WAS_0 = 1, 4, 16, 64
_ALL = _FIDE_ID | _TITLE | _ELO | _ELO_WAS_0

_FILLED_COLUMNS = ("ExtraTags", "WhiteElo", "BlackElo", "BackFilled")
_SELECT_GAMES = """
    SELECT ID, Date, ExtraTags, WhiteElo, BlackElo, coalesce(BackFilled, 0),
        WhitePersonID, BlackPersonID, WhiteID, BlackID, CoreHash
    FROM {table}
    WHERE ID > ? AND (WhitePersonID IS NOT NULL OR BlackPersonID IS NOT NULL OR BackFilled <> 0)
    ORDER BY ID LIMIT ?
"""
# Undo could not restore values that an earlier run filled in and this run changes.
_SAVE_FIELDS = (
    "UPDATE UndoGames SET HasFields = 1, ExtraTags = ?, WhiteElo = ?, BlackElo = ? "
    "WHERE GameID = ? AND HasFields IS NULL"
)
_RESTORE_FIELDS = (
    "UPDATE {table} SET ExtraTags = UndoGames.ExtraTags, WhiteElo = UndoGames.WhiteElo, "
    "BlackElo = UndoGames.BlackElo, BackFilled = UndoGames.BackFilled "
    "FROM UndoGames WHERE {table}.ID = GameID AND HasFields"
)
_SELECT_FILLED = """
    SELECT Game.ID, Date, Game.ExtraTags, Game.WhiteElo, Game.BlackElo, Game.BackFilled,
        coalesce(UndoGames.BackFilled, 0),
        UndoGames.WhitePersonID IS NOT Game.WhitePersonID,
        UndoGames.BlackPersonID IS NOT Game.BlackPersonID
    FROM UndoGames JOIN {table} AS Game ON Game.ID = GameID
    WHERE GameID > ? AND Game.BackFilled <> 0 ORDER BY GameID LIMIT ?
"""
_SELECT_TITLES = """
    SELECT Date, {side}PersonID, json_extract(ExtraTags, '$.{side}Title') FROM {table}
    WHERE ExtraTags LIKE '%"{side}Title"%' AND {side}PersonID IS NOT NULL
        AND coalesce(BackFilled, 0) & {bit} = 0
"""


_FORGET_FIELDS = """
    UPDATE UndoGames SET HasFields = NULL, ExtraTags = NULL, WhiteElo = NULL, BlackElo = NULL
    WHERE GameID IN (SELECT value FROM json_each(?))
"""
_FIELDS = (
    (_FIDE_ID, "ExtraTags ->> '$.WhiteFideId'"), (_FIDE_ID << 1, "ExtraTags ->> '$.BlackFideId'"),
    (_TITLE, "ExtraTags ->> '$.WhiteTitle'"), (_TITLE << 1, "ExtraTags ->> '$.BlackTitle'"),
    (_ELO | _ELO_WAS_0, "WhiteElo"), ((_ELO | _ELO_WAS_0) << 1, "BlackElo"),
)  # fmt: skip
_REPLACED = " | ".join(
    f"CASE WHEN Games.{field} IS NOT Saved.{field} THEN {bits} ELSE 0 END"
    for bits, field in _FIELDS
)
_FORGET_REPLACED = f"""
    UPDATE Games SET BackFilled = nullif(Games.BackFilled & ~({_REPLACED}), 0)
    FROM UnmergedHeaders AS Saved
    WHERE ID = GameID AND Games.BackFilled <> 0 AND ID IN (SELECT value FROM json_each(?))
"""


Titles: TypeAlias = Mapping[tuple[int, str], str]


class PersonFacts(NamedTuple):
    """Facts of the rating list about a player; `rating` is the standard one, None if missing."""

    fide_id: int | None
    title: str | None
    rating: int | None


class _Game(NamedTuple):
    """The fields of a game that filling in changes, and its date."""

    date: str | None
    tags: str | None
    white_elo: int | None
    black_elo: int | None
    bits: int

    def columns(self) -> Row:
        return self.tags, self.white_elo, self.black_elo, self.bits or None


class _Rules(NamedTuple):
    """The list's month, counted from year 0, and the first known date of each title."""

    list_month: int | None
    titled_since: Titles


def back_fill(
    connection: apsw.Connection,
    facts: Mapping[int, PersonFacts],
    list_month: str | None,
    *,
    unsure_names: Collection[int] = (),
    titles: Titles | None = None,
) -> Counter[str]:
    """Fill in games by their players; return the number of fields by name ("WhiteFideId", ...).

    Removed games are included. `list_month` is "YYYY-MM". `unsure_names`: player IDs of names that
    are too uncertain to write anything into a game. `titles`: from first_titles(), for a database
    that has a part of the games.

    Call it after write_game_persons(). Fields that an earlier run filled in are removed first, so
    the result does not depend on earlier runs; those with another value now are counted again.
    """
    if titles is None:
        titles = first_titles(connection)
    rules = _Rules(_month_number(list_month), titles)
    filled: Counter[str] = Counter()
    for table in tables_with_games(connection):
        for rows in games_in_ranges(connection, _SELECT_GAMES.format(table=table)):
            changes, before, replaced = [], [], []
            for game_id, *fields in rows:
                stored, persons, core_hash = _Game(*fields[:5]), fields[5:7], fields[9]
                game = _withdraw(stored, stored.bits)
                for side, person in enumerate(persons):
                    if person in facts and fields[7 + side] not in unsure_names:
                        game = _fill(game, side, person, facts[person], rules)
                if game == stored:
                    continue
                changes.append((*game.columns(), game_id))
                before.append((game_id, *persons, core_hash, stored.bits or None))
                old = _filled_fields(stored)
                filled.update(dict(_filled_fields(game).items() - old.items()).keys())
                if old:
                    replaced.append((stored.tags, stored.white_elo, stored.black_elo, game_id))
            save_games(connection, before)
            connection.executemany(_SAVE_FIELDS, replaced)
            update_games(connection, _FILLED_COLUMNS, changes, table)
    return filled


def fide_tags(
    connection: apsw.Connection, titles: Titles | None = None
) -> Callable[[dict[str, str], str | None, str, int], None]:
    """Return a function that adds the FIDE ID and a missing title of a player to a game's tags.

    The function takes the tags, the date, the side and its player. The FIDE ID replaces another
    one, and the title follows the rules of back_fill(), which also has `titles`. The database is
    not changed.
    """
    known = fide_players.last_list(connection, "fide")
    if titles is None:
        titles = first_titles(connection)
    rules = _Rules(_month_number(known.month if known else None), titles)
    sql = "SELECT ID, FideID, Title FROM Persons WHERE FideID IS NOT NULL"
    persons = {person: (str(fide_id), title) for person, fide_id, title in connection.execute(sql)}

    def add_tags(tags: dict[str, str], date: str | None, side: str, person: int) -> None:
        fide_id, title = persons[person]
        by_name = {tag.lower(): tag for tag in tags}
        if tags.get(f"{side}FideId") != fide_id:
            tags[by_name.get(f"{side}FideId".lower(), f"{side}FideId")] = fide_id
        has_title = f"{side}Title".lower() in by_name
        if title and not has_title and _bears_title(date, rules, person, title):
            tags[f"{side}Title"] = title

    return add_tags


def take_back(connection: apsw.Connection) -> None:
    """Remove fields filled in since the games in UndoGames were saved, and their bits.

    Fields of earlier runs stay, unless the side's player has changed.
    """
    for table in tables_with_games(connection):
        for rows in games_in_ranges(connection, _SELECT_FILLED.format(table=table)):
            changes = []
            for game_id, *fields in rows:
                game = _Game(*fields[:5])
                kept = fields[5] & ~sum(_ALL << side for side in (0, 1) if fields[6 + side])
                if game.bits & ~kept:
                    changes.append((*_withdraw(game, ~kept).columns(), game_id))
            update_games(connection, _FILLED_COLUMNS, changes, table)
        connection.execute(_RESTORE_FIELDS.format(table=table))


def keep_merged_fields(connection: apsw.Connection, ids: str) -> None:
    """Protect fields that merges gave to games from undo and later runs, before they become final.

    `ids` is a text of id_list(), of games in UnmergedHeaders.
    """
    connection.execute(_FORGET_FIELDS, (ids,))
    connection.execute(_FORGET_REPLACED, (ids,))


def _fill(game: _Game, side: int, person: int, facts: PersonFacts, rules: _Rules) -> _Game:
    """Fill in one side."""
    tag_names = {tag.lower() for tag in json.loads(game.tags)} if game.tags else set()
    name = _SIDES[side]
    missing: dict[str, str] = {}
    bits = game.bits
    if facts.fide_id is not None and f"{name}FideId".lower() not in tag_names:
        missing[f"{name}FideId"] = str(facts.fide_id)
        bits |= _FIDE_ID << side
    if (
        facts.title
        and f"{name}Title".lower() not in tag_names
        and _bears_title(game.date, rules, person, facts.title)
    ):
        missing[f"{name}Title"] = facts.title
        bits |= _TITLE << side
    tags = game.tags
    if missing:  # appended to the JSON object: the text of the others is not changed
        members = json.dumps(missing, ensure_ascii=False, separators=(",", ":"))
        tags = members if tags in (None, "{}") else f"{tags.rstrip()[:-1]},{members[1:]}"
    elos = [game.white_elo, game.black_elo]
    month = _month_number(game.date)
    is_near = month and rules.list_month and abs(month - rules.list_month) <= 1
    # An Elo that is not a number is in ExtraTags, so the game has an Elo.
    if facts.rating and not elos[side] and f"{name}Elo".lower() not in tag_names and is_near:
        bits |= (_ELO if elos[side] is None else _ELO | _ELO_WAS_0) << side
        elos[side] = facts.rating
    return _Game(game.date, tags, elos[0], elos[1], bits)


def _withdraw(game: _Game, bits: int) -> _Game:
    """Remove the filled-in fields that `bits` name."""
    bits &= game.bits
    if not bits:
        return game
    elos = [game.white_elo, game.black_elo]
    tags = game.tags
    for side, name in enumerate(_SIDES):
        for bit, tag in ((_FIDE_ID, "FideId"), (_TITLE, "Title")):
            if bits & bit << side:
                # Bare quotes do not occur within JSON strings, so that a match is a member.
                member = f'"{name}{tag}":"[^"\\\\]*"'
                tags = re.sub(rf"(?<=^\{{){member},?|,{member}", "", tags or "", count=1)
                tags = None if tags in ("", "{}") else tags
        if bits & _ELO << side:
            elos[side] = 0 if game.bits & _ELO_WAS_0 << side else None
            bits |= _ELO_WAS_0 << side
    return _Game(game.date, tags, elos[0], elos[1], game.bits & ~bits)


def _filled_fields(game: _Game) -> dict[str, object]:
    """Return the filled-in fields of a game by name."""
    if not game.bits:
        return {}
    elos = {"WhiteElo": game.white_elo, "BlackElo": game.black_elo}
    values = {**json.loads(game.tags or "{}"), **elos}
    return {
        name + field: values.get(name + field)
        for side, name in enumerate(_SIDES)
        for bit, field in ((_FIDE_ID, "FideId"), (_TITLE, "Title"), (_ELO, "Elo"))
        if game.bits & bit << side
    }


@lru_cache(maxsize=1 << 16)  # as many days as games have
def _month_number(date: str | None) -> int | None:
    """Return the month of "YYYY.MM..." or "YYYY-MM" as one number; None if it is not known."""
    match = re.match(r"(\d{4})[.-](\d\d)", date or "")
    return int(match[1]) * 12 + int(match[2]) if match else None


def _bears_title(date: str | None, rules: _Rules, person: int, title: str) -> bool:
    """Return whether the player had the title when the game was played."""
    month = _month_number(date)
    if month is not None and rules.list_month is not None and month >= rules.list_month - 1:
        return True
    since = rules.titled_since.get((person, title))
    return since is not None and date is not None and since <= date.replace("?", "0")


def first_titles(connection: apsw.Connection) -> dict[tuple[int, str], str]:
    """Return the latest possible day of the first game in which a player has a title.

    By ID of the player and title.
    """
    since: dict[tuple[int, str], str] = {}
    for (side, name), table in product(enumerate(_SIDES), tables_with_games(connection)):
        select = _SELECT_TITLES.format(side=name, table=table, bit=_TITLE << side)
        for date, person, title in connection.execute(select):
            day = date.replace("?", "9") if date else "9999"
            key = person, str(title)
            since[key] = min(since.get(key, day), day)
    return since
