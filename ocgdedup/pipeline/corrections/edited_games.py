"""Read back a PGN file that was exported and edited: what the user changed in it.

A game is compared with what an export would write now. What equals one of the forms that an export
can have (other names, parts left out) was not changed by the user.
"""

from __future__ import annotations

import io
import itertools
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import apsw

from ocgdedup.errors import UsageError, raise_errors
from ocgdedup.files.decompress import RawFile
from ocgdedup.files.inputs import InputFile, SourceStream, open_sources
from ocgdedup.game_kind import CHESS
from ocgdedup.matching.duplicate_marks import unmarked
from ocgdedup.model import Reporter, SilentReporter, extra_tags_of
from ocgdedup.pgn.strip import CLOCK_MARKS, EVALUATION_PROFILE, AnnotationFilter
from ocgdedup.pipeline.corrections.values import DERIVED_TAGS, ID_TAG, NOTE_TAG
from ocgdedup.pipeline.export.emit import GameWriter, pgn_of_games
from ocgdedup.pipeline.export.text_form import CLEAN, NAMES, TextForm
from ocgdedup.pipeline.ingest.blocks import Ingest, Notices
from ocgdedup.pipeline.ingest.signatures import fill_signatures, wants_signatures
from ocgdedup.store import edited_games as store
from ocgdedup.store import games
from ocgdedup.store.connection import Database, id_list
from ocgdedup.store.corrections import MOVETEXT, Correction, write_corrections
from ocgdedup.store.database import create_database
from ocgdedup.store.merges import drop_merged_notes
from ocgdedup.store.names import game_kind
from ocgdedup.store.selection import id_lists

_GAMES_AT_ONCE = 1000
_MOST_ERRORS = 5  # in one message
_REMEDY = f"add the ID of the game as the tag {ID_TAG}"
_FORMS = tuple(CLEAN.with_names(names)._replace(ids=True) for names in (None, *NAMES))
_MARKS = ((), (EVALUATION_PROFILE,), CLOCK_MARKS, (*CLOCK_MARKS, EVALUATION_PROFILE))
_STRIPPED = [
    AnnotationFilter(comments=comments, variations=variations, nags=nags, marks=marks)
    for comments, variations, nags in itertools.product((False, True), repeat=3)
    for marks in _MARKS
]


class _ReadGame(NamedTuple):
    """A game of a file: its row in the copy, its number there, tags, moves and annotations."""

    row_id: int
    number: int
    tags: Mapping[str, str]
    move_hash: int
    movetext: tuple[object, ...]


class EditedGames(NamedTuple):
    """The changes in a file: `values` (location, game, tag, value), `notes` by game.

    `movetexts`: the ID in `copy`, which has the games of the file, by game. `ambiguous`: games that
    could not be assigned, in words.
    """

    database: Database
    copy: Database
    values: Sequence[tuple[str, int, str, str | None]]
    notes: Mapping[int, str]
    movetexts: Mapping[int, int]
    ambiguous: Sequence[str]

    def write_movetexts(self, connection: apsw.Connection) -> None:
        """Write the changed moves and annotations, and keep those that were read."""
        ids = list(self.movetexts)
        drop_merged_notes(connection, id_list(ids))
        form = TextForm(width=0).with_names("file")
        texts = zip(
            ids,
            _movetexts(self.copy, self.movetexts.values(), form),
            _movetexts(self.database, ids, form),
            strict=True,
        )
        rows = [Correction(game_id, MOVETEXT, new, read) for game_id, new, read in texts]
        write_corrections(connection, rows)
        are_signed = wants_signatures(connection)
        store.replace_moves(connection, self.copy.connection, self.movetexts)
        if are_signed:
            fill_signatures(connection, min(ids), with_indexes=False)


def _movetexts(database: Database, ids: Iterable[int], form: TextForm) -> Iterator[str]:
    for text in pgn_of_games(database, ids, form):
        assert text is not None, "the games exist"
        yield text.decode().split("\n\n", 1)[1].strip()


def edited_games(database: Database, path: str, reporter: Reporter) -> EditedGames:
    """Read an edited file; raise UsageError if it has faults."""
    if game_kind(database.connection) is not CHESS:
        raise UsageError(
            f"{path}: games are only read back from PGN files; correct Go games by their IDs, by "
            "conditions or from a table"
        )
    copy = _copy_of(path)
    read = list(_read_games(copy))
    exports = _Exports(database)
    ids, ambiguous = _assigned(database, exports, path, read)
    found = _Comparison(exports, path)
    total = len(ids)
    reporter.start("comparing", None, total)
    pairs = iter(ids.items())
    while batch := dict(itertools.islice(pairs, _GAMES_AT_ONCE)):
        found.compare(batch)
        reporter.advance(found.games, 0)
    reporter.finish()
    return EditedGames(
        database, copy, found.values, found.notes, found.movetexts, [*ambiguous, *found.strangers]
    )


def differing_games(database: Database, path: str, reporter: Reporter) -> list[int]:
    """Return the IDs of the games that the user changed in an exported file."""
    edited = edited_games(database, path, reporter)
    return sorted({*(row[1] for row in edited.values), *edited.notes, *edited.movetexts})


def _copy_of(path: str) -> Database:
    """Return a database in memory with the games of a file; raise UsageError if it has faults."""
    errors: list[str] = []
    connection = create_database(":memory:")
    notices = Notices(
        lambda fault: errors.append(f"{path}:{fault.line}: game {fault.number}: {fault.reason}"),
        lambda reject, _: errors.append(f"{path}:{reject.line}: {reject.reason}"),
    )
    with connection:
        for stream in open_sources(InputFile(path, None)):
            Ingest(connection, notices, SilentReporter()).load_streams([stream])
    raise_errors(errors, "games", most=_MOST_ERRORS)
    return Database(path, connection, is_ours=True)


def _read_games(copy: Database) -> Iterator[_ReadGame]:
    connection = copy.connection
    for rows in store.read_games(connection):
        notes = games.notes_of(connection, [row[0] for row in rows])
        for row_id, number, tags, extra, fen, moves, move_hash in rows:
            # Other programs break the lines of comments.
            annotations = tuple(
                (ply, kind, text.replace("\n", " ") if isinstance(text, str) else text)
                for ply, _, kind, text in notes.get(row_id, ())
            )
            # An odd value of a tag with a column is among the other tags.
            all_tags = {**tags, **extra_tags_of(row_id, extra, copy.path)}
            if "DuplicateGroup" in all_tags:
                _unmark(all_tags)
            yield _ReadGame(row_id, number, all_tags, move_hash, (fen, moves, annotations))


def _unmark(tags: dict[str, str]) -> None:
    """Take the marks of an exported duplicate out of its event and site."""
    for tag in ("Event", "Site"):
        name = unmarked(tags.pop(tag, None))
        if name not in (None, "?"):
            tags[tag] = str(name)


def _assigned(
    database: Database, exports: _Exports, path: str, read: Sequence[_ReadGame]
) -> tuple[dict[int, _ReadGame], list[str]]:
    """Return the games of the file by ID, and in words those that cannot be assigned."""
    assigned: dict[int, _ReadGame] = {}
    ambiguous: list[str] = []
    by_moves = store.games_with_moves(
        database.connection, {game.move_hash for game in read if ID_TAG not in game.tags}
    )
    numbers = {
        int(text)
        for text in (game.tags.get(ID_TAG, "") for game in read)
        if text.isascii() and text.isdigit() and games.can_be_id(int(text))
    }
    repeated = Counter(game.tags.get(ID_TAG) for game in read)
    known = store.known_ids(database.connection, numbers)
    candidates = {i for game in read for i in by_moves.get(game.move_hash, ())}
    counts = Counter(game.move_hash for game in read)
    shown: dict[int, list[_ReadGame]] = {}
    for batch in id_lists(array("q", sorted(candidates))):
        shown |= exports.read(batch, _FORMS)
    for game in read:
        text = game.tags.get(ID_TAG)
        if text is not None:
            same: list[int] = []
            found = [int(text)] if text.isascii() and text.isdigit() and int(text) in known else []
        else:
            same = by_moves.get(game.move_hash, [])
            found = [i for i in same if _has_header_of(game, shown[i])]
            if not found and len(same) == counts[game.move_hash] == 1:
                found = [i for i in same if _shares_player(game, shown[i])]
        is_repeated = text is not None and repeated[text] > 1
        if len(found) == 1 and found[0] not in assigned and not is_repeated:
            assigned[found[0]] = game
            continue
        ambiguous.append(f"{_place(path, game)}: {_reason(text, found, same)}")
    return assigned, ambiguous


def _reason(text: str | None, found: Sequence[int], same: Sequence[int]) -> str:
    """Return why a game could not be assigned."""
    if len(found) == 1:
        return f"game {found[0]} is in the file twice"
    if text is not None:
        return f"the database has no game with {ID_TAG} {text}"
    if found or same:
        ids = ", ".join(map(str, (found or same)[:_MOST_ERRORS]))
        return f"has the moves of {ids}{', with the same header' if found else ''}; {_REMEDY}"
    return f"no game has its moves; {_REMEDY}, or import a new game with 'ocgdedup create --append'"


def _place(path: str, game: _ReadGame) -> str:
    players = " - ".join(game.tags.get(side, "?") for side in ("White", "Black"))
    return f"{path}: game {game.number}, {players}"


def _has_header_of(game: _ReadGame, forms: Sequence[_ReadGame]) -> bool:
    """Return whether a game has both players, date and round of an exported game."""
    return all(
        any(game.tags.get(tag) == form.tags.get(tag) for form in forms)
        for tag in ("White", "Black", "Date", "Round")
    )


class _Exports:
    """What exports of a database read back as; a writer for each form holds the names."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writers: dict[TextForm, GameWriter] = {}

    def read(self, ids: Sequence[int], forms: Sequence[TextForm]) -> dict[int, list[_ReadGame]]:
        """Return each game as it is read from an export in these forms."""
        read: dict[int, list[_ReadGame]] = defaultdict(list)
        for form in forms:
            if form not in self._writers:
                self._writers[form] = GameWriter(self._database, form)
            parts = self._writers[form].games_of([list(ids)])
            copy = _copy_of_text(b"".join(text for _, text in parts))
            for game in _read_games(copy):
                read[int(game.tags[ID_TAG])].append(game)
            copy.close()
        return read


def _copy_of_text(text: bytes) -> Database:
    connection = create_database(":memory:")
    source = RawFile(io.BytesIO(text), "export", can_seek=False)
    stream = SourceStream("export", source, source.position, transcoded_from=None)
    with connection:
        nothing = Notices(lambda _: None, lambda *_: None)
        Ingest(connection, nothing, SilentReporter()).load_streams([stream])
    return Database("export", connection, is_ours=True)


class _Comparison:
    """Compares games of a file with exports of the same games, batch by batch."""

    def __init__(self, exports: _Exports, path: str) -> None:
        self._exports, self._path = exports, path
        self._stripping = list(_STRIPPED)  # those that fitted last come first
        self.games = 0
        self.values: list[tuple[str, int, str, str | None]] = []
        self.notes: dict[int, str] = {}
        self.movetexts: dict[int, int] = {}
        self.strangers: list[str] = []

    def compare(self, batch: Mapping[int, _ReadGame]) -> None:
        """Add the changes of games, which are given by their IDs."""
        self.games += len(batch)
        now = self._exports.read(list(batch), _FORMS[:1])
        differing = [i for i, game in batch.items() if _differs(game, now[i][0])]
        if not differing:
            return
        now = self._exports.read(differing, _FORMS)
        moved: dict[int, _ReadGame] = {}
        for game_id in differing:
            game, forms = batch[game_id], now[game_id]
            has_other_moves = game.movetext[:2] != forms[0].movetext[:2]
            if has_other_moves and not _shares_player(game, forms):
                self.strangers.append(
                    f"{_place(self._path, game)}: has other players and moves than game {game_id}"
                )
                continue
            self._add_tags(game_id, game, forms)
            if game.movetext != forms[0].movetext:
                moved[game_id] = game
        for game_id in self._annotated(moved):
            self.movetexts[game_id] = batch[game_id].row_id

    def _add_tags(self, game_id: int, game: _ReadGame, forms: Sequence[_ReadGame]) -> None:
        note = game.tags.get(NOTE_TAG, "")
        if note != forms[0].tags.get(NOTE_TAG, ""):
            self.notes[game_id] = note
        for tag in dict.fromkeys(itertools.chain(game.tags, *(form.tags for form in forms))):
            value = game.tags.get(tag)
            if tag in DERIVED_TAGS or tag.startswith(("Original", "ORIGINAL")):
                continue
            if all(value != form.tags.get(tag) for form in forms):
                place = f"{self._path}: game {game.number}"
                self.values.append((place, game_id, tag, value))

    def _annotated(self, moved: Mapping[int, _ReadGame]) -> list[int]:
        """Return the games whose moves or annotations no form of an export has."""
        left = dict(moved)
        for stripping in list(self._stripping):
            if not left:
                break
            form = TextForm(strip=stripping, ids=True)
            before = len(left)
            for game_id, (now,) in self._exports.read(list(left), [form]).items():
                if left[game_id].movetext == now.movetext:
                    del left[game_id]
            if len(left) < before:
                self._stripping.remove(stripping)
                self._stripping.insert(0, stripping)
        return list(left)


def _differs(game: _ReadGame, now: _ReadGame) -> bool:
    return game.tags != now.tags or game.movetext != now.movetext


def _shares_player(game: _ReadGame, forms: Sequence[_ReadGame]) -> bool:
    return any(
        game.tags.get(side) == form.tags.get(side) for form in forms for side in ("White", "Black")
    )
