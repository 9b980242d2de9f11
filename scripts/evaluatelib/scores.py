"""Scores of a deduplicated database, or of resolved names, against labels.

Reads the tables of a .db3 with sqlite3 alone, so that it does not depend on what it measures. The
database must still have its duplicates: score before anything is deleted.
"""

from __future__ import annotations

import csv
import math
import os
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

from evaluatelib.gold import ORIGINAL

FIELDS = ("White", "Black", "Date", "Result", "Event", "Site", "Round")
_TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]', re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_HEADERS = """
    SELECT Games.ID, W.Name, B.Name, Date, Result, Events.Name, Sites.Name, Round, PlyCount,
    coalesce(DuplicateGroup, Games.ID), DuplicateStatus IS NULL, SourceID
    FROM FlaggedGames AS Games
    LEFT JOIN Players AS W ON W.ID = WhiteID LEFT JOIN Players AS B ON B.ID = BlackID
    LEFT JOIN Events ON Events.ID = EventID LEFT JOIN Sites ON Sites.ID = SiteID ORDER BY Games.ID
"""
# A file is the same source whether it was packed or not.
_PACKED = (".xz", ".zst", ".gz", ".bz2", ".zip")


class Row(NamedTuple):
    """A game of a database; `values`: of FIELDS, "?" for none."""

    values: tuple[str, ...]
    plies: int
    group: int
    is_kept: bool
    source: int


class Score(NamedTuple):
    """A measure with what it counts: `right` of `total`."""

    name: str
    right: int
    total: int

    @property
    def share(self) -> float:
        return self.right / self.total if self.total else 1.0

    def __str__(self) -> str:
        return f"{self.name:38} {self.right:>7,} of {self.total:>7,}  {self.share:.4f}"


class Wrong(NamedTuple):
    """A merged value that is not the true one."""

    game_id: int
    field: str
    truth: str
    merged: str


def read_games(database: Path) -> dict[int, Row]:
    """Return the games of a database by ID, with the headers that they have now."""
    with closing(_opened(database)) as connection:
        rows = {}
        for game_id, *values, plies, group, is_kept, source in connection.execute(_HEADERS):
            texts = tuple(str(value) if value not in (None, "") else "?" for value in values)
            rows[game_id] = Row(texts, plies or 0, group, bool(is_kept), source)
        return rows


def _opened(database: Path) -> sqlite3.Connection:
    if not database.exists():
        raise FileNotFoundError(f"{database}: does not exist")
    return sqlite3.connect(f"file:{database}?mode=ro", uri=True)


# --- made collections ----------------------------------------------------------------------------


class Gold(NamedTuple):
    """A made collection: entity and kind of each game, and the tags that each original has."""

    labels: Mapping[int, tuple[int, str]]
    originals: Mapping[int, Mapping[str, str]]


def read_gold(folder: Path) -> Gold:
    """Read what make_gold() wrote."""
    with open(folder / "gold.csv", newline="", encoding="utf-8") as handle:
        labels = {
            int(row["game"]): (int(row["entity"]), row["kind"]) for row in csv.DictReader(handle)
        }
    text = (folder / "gold.pgn").read_text(encoding="utf-8")
    originals = {
        number: {name: _ESCAPED.sub(r"\1", value) for name, value in _TAG.findall(record)}
        for number, record in enumerate(re.split(r"\n(?=\[Event )", text), 1)
        if labels[number][1] == ORIGINAL
    }
    return Gold(labels, originals)


def score_duplicates(gold: Gold, games: Mapping[int, Row]) -> list[Score]:
    """Return precision and recall over pairs, entities that still have a game, recall by kind."""
    entity = {game: number for game, (number, _) in gold.labels.items()}
    group = {game: games[game].group if game in games else -game for game in entity}
    kept = Counter(entity[game] for game in entity if game in games and games[game].is_kept)
    together = Counter((entity[game], group[game]) for game in entity)
    right = _pairs(together.values())
    entities = set(entity.values())
    scores = [
        Score("entities kept", sum(kept[number] > 0 for number in entities), len(entities)),
        Score("pairwise precision", right, _pairs(Counter(group.values()).values())),
        Score("pairwise recall", right, _pairs(Counter(entity.values()).values())),
    ]
    return scores + _recall_by_kind(gold, group)


def _pairs(counts: Iterable[int]) -> int:
    return sum(math.comb(count, 2) for count in counts)


def _recall_by_kind(gold: Gold, group: Mapping[int, int]) -> list[Score]:
    home = {number: group[game] for game, (number, kind) in gold.labels.items() if kind == ORIGINAL}
    right, total = Counter[str](), Counter[str]()
    for game, (number, kind) in gold.labels.items():
        if kind != ORIGINAL and number in home:
            for part in kind.split("+"):
                total[part] += 1
                right[part] += group[game] == home[number]
    return [Score(f"  {part}", right[part], total[part]) for part in sorted(total)]


def score_headers(gold: Gold, games: Mapping[int, Row]) -> tuple[list[Score], list[Wrong]]:
    """Compare the kept game of each original's group with the original, field by field.

    Originals without another record in their group count for nothing.
    """
    sizes = Counter(row.group for row in games.values())
    kept = {row.group: (game, row) for game, row in games.items() if row.is_kept}
    pairs = [
        (original, kept[games[original].group])
        for original in gold.originals
        if sizes[games[original].group] > 1
    ]
    if not pairs:
        raise ValueError("no original has duplicates in the database; run 'ocgdedup dedup' first")
    truths = [
        [gold.originals[original].get(name, "?").strip() or "?" for name in FIELDS]
        for original, _ in pairs
    ]
    scores, wrong = _by_field(truths, [game for _, game in pairs])
    longer = sum(row.plies >= games[original].plies for original, (_, row) in pairs)
    return [*scores, Score("plies", longer, len(pairs))], wrong


def _by_field(
    truths: Sequence[Sequence[str]], merged: Sequence[tuple[int, Row]]
) -> tuple[list[Score], list[Wrong]]:
    wrong = [
        Wrong(game_id, name, value, got)
        for truth, (game_id, row) in zip(truths, merged, strict=True)
        for name, value, got in zip(FIELDS, truth, row.values, strict=True)
        if value != got
    ]
    counts = Counter(each.field for each in wrong)
    return [Score(name, len(merged) - counts[name], len(merged)) for name in FIELDS], wrong


def score_against_source(
    database: Path, games: Mapping[int, Row], truth: str
) -> tuple[list[Score], list[Wrong]]:
    """Compare kept games with the record of a source that is right, where sources differ.

    `truth`: the end of the source's name. A group counts for a field if the source has a value
    there and another record of the group has another one.
    """
    with closing(_opened(database)) as connection:
        sources = connection.execute("SELECT ID, Name FROM Sources").fetchall()
        right = {number for number, name in sources if str(name).endswith(truth)}
        unmerged = {row[0]: row for row in _unmerged_headers(connection)}
    if not right:
        raise ValueError(f"{database}: has no source whose name ends with {truth}")
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for game, row in games.items():
        groups[row.group].append(game)
    counts, wrong = Counter[str](), []
    for group in groups.values():
        kept = next(game for game in group if games[game].is_kept)
        true = [game for game in group if games[game].source in right]
        if not true or len(true) == len(group):
            continue
        read = {
            game: [str(text) if text else "?" for text in unmerged[game][1:]]
            if game in unmerged
            else games[game].values
            for game in group
        }
        for place, name in enumerate(FIELDS):
            value = read[true[0]][place]
            if "?" not in value and any(read[game][place] != value for game in group):
                counts[name] += 1
                if games[kept].values[place] != value:
                    wrong.append(Wrong(kept, name, value, games[kept].values[place]))
    failed = Counter(each.field for each in wrong)
    return [Score(name, counts[name] - failed[name], counts[name]) for name in FIELDS], wrong


def _unmerged_headers(connection: sqlite3.Connection) -> Iterator[Any]:
    """Yield ID and FIELDS of games into which something was merged, as they were read."""
    return connection.execute(
        "SELECT GameID, W.Name, B.Name, Date, Result, Events.Name, Sites.Name, Round "
        "FROM UnmergedHeaders LEFT JOIN Players AS W ON W.ID = WhiteID "
        "LEFT JOIN Players AS B ON B.ID = BlackID LEFT JOIN Events ON Events.ID = EventID "
        "LEFT JOIN Sites ON Sites.ID = SiteID"
    )


# --- real collections ----------------------------------------------------------------------------


def score_labels(labels: Path, database: Path) -> list[Score]:
    """Return how many labelled pairs of real games came into one group, by kind of label.

    `labels`: a table with kind, file1, idx1, file2, idx2; places of games count from 0. Of the
    kinds that begin with "neg" none should, of "same", "prefix" and "fuzzy" all.
    """
    sql = (
        "SELECT Games.ID, Sources.Name, row_number() OVER "
        "(PARTITION BY SourceID ORDER BY SourceNumber) - 1, coalesce(DuplicateGroup, Games.ID) "
        "FROM FlaggedGames AS Games JOIN Sources ON Sources.ID = SourceID"
    )
    with closing(_opened(database)) as connection:
        groups = {(_file(name), place): group for _, name, place, group in connection.execute(sql)}
    together, total = Counter[str](), Counter[str]()
    with open(labels, encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
            ends = [groups.get((_file(row[f"file{k}"]), int(row[f"idx{k}"]))) for k in (1, 2)]
            if None not in ends:
                total[row["kind"]] += 1
                together[row["kind"]] += ends[0] == ends[1]
    return [Score(kind, together[kind], total[kind]) for kind in sorted(total)]


def _file(name: str) -> str:
    result = os.path.basename(name)
    for end in _PACKED:
        result = result.removesuffix(end)
    return result


# --- names ---------------------------------------------------------------------------------------

Names = Mapping[str, Mapping[str, frozenset[str]]]


def read_known_names(fide_list: Path, folder: Path) -> Names:
    """Return FIDE IDs of names by kind of spelling, of people that the list has.

    `folder`: ssp2013_alias_groups.tsv, fideid_name_variants.tsv and twic_fideid_gold.tsv.
    """
    with open(fide_list, "rb") as handle:
        known = {each.text for _, each in ElementTree.iterparse(handle) if each.tag == "fideid"}
    persons_by_name: dict[str, defaultdict[str, set[str]]] = {
        kind: defaultdict(set) for kind in ("alias", "older spelling", "tag, full", "tag, short")
    }
    for row in _rows(folder / "ssp2013_alias_groups.tsv"):
        for alias in row[3:]:
            persons_by_name["alias"][alias].add(row[2])
    for row in _rows(folder / "fideid_name_variants.tsv"):
        for variant in row[1:]:
            persons_by_name["older spelling"][variant.split("|")[0]].add(row[0])
    for row in _rows(folder / "twic_fideid_gold.tsv"):
        if row[0] != "pgn_name":
            persons_by_name["tag, short" if _is_short(row[0]) else "tag, full"][row[0]].add(row[1])
    return {
        kind: {name: frozenset(ids) for name, ids in names.items() if name.strip() and ids & known}
        for kind, names in persons_by_name.items()
    }


def _rows(path: Path) -> Iterator[list[str]]:
    with open(path, encoding="utf-8", newline="") as handle:
        yield from csv.reader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)


def _is_short(name: str) -> bool:
    last, comma, first = name.partition(",")
    return len(first.strip(" .")) <= 2 if comma else " " not in last.strip()


def read_answers(resolved: Path) -> dict[str, str]:
    """Return the FIDE ID of each name, "" for open ones."""
    return {row[0]: row[1].strip() if len(row) > 1 else "" for row in _rows(resolved) if row}


def score_names(names: Names, resolved: Path) -> list[Score]:
    """Return for each kind of spelling how many names are right, and how many wrong.

    `resolved`: what `ocgdedup players --resolve` wrote. The name of several people is right only
    if it is left open.
    """
    answers = read_answers(resolved)
    scores = []
    for kind, known in names.items():
        right = wrong = 0
        for name, ids in known.items():
            answer = answers.get(name, "")
            is_right = not answer if len(ids) > 1 else answer in ids
            right += is_right
            wrong += bool(answer) and not is_right
        scores.append(Score(f"{kind}: right", right, len(known)))
        scores.append(Score(f"{kind}: wrong", wrong, len(known)))
    return scores
