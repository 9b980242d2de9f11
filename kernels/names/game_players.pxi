"""Write who played each game of a database, and what is filled in, in one pass over the games.

The connection's SQLite loads this module as an extension (see sqlite_api.h). Must not know the
tables.
"""

from libc.stdint cimport int64_t

from game_record cimport NO_NAME, count_below, index_of_id
from sha256 cimport ocg_sha256_have_ni, sha256_first8
from sqlite_api cimport IS_INTEGER, IS_NULL, bind_number, bind_static_text

cdef enum:
    GAMES_BETWEEN_SIGNALS = 4096   # games until the next look for signals
    MOST_NOTED = 1 << 16       # changed games that are listed
    PADDING = 128              # bytes after a message that sha256_first8() needs
    NO_PLAYER = 0              # no ID of a player

cdef enum GameColumn:
    STORED_ID, WHITE_NAME, BLACK_NAME, WHITE_PERSON, BLACK_PERSON, CORE_HASH, BACK_FILLED,
    GAME_DATE, EXTRA_TAGS, WHITE_ELO, BLACK_ELO, WRITTEN_COLUMNS

# Rows by an ID. `ids` ascend.
ctypedef struct Ids:
    const int64_t *at
    Py_ssize_t count

# A game before it changed; `core_hash` is 0 if a player was unknown.
ctypedef struct EarlierGame:
    int64_t game_id
    int64_t core_hash

ctypedef struct Side:
    int64_t name
    int64_t person
    Py_ssize_t number          # of the person
    Span key


cdef Py_ssize_t first_row(Ids ids, int64_t key) noexcept nogil:
    """Return the first row whose ID is not lower."""
    return count_below(ids.at, ids.count, key)


cdef Py_ssize_t row_of(Ids ids, int64_t key) noexcept nogil:
    """Return the row of an ID, -1 if there is none."""
    cdef uint32_t row = index_of_id(ids.at, ids.count, key)
    return -1 if row == NO_NAME else row


cdef Ids ids_of(const int64_t[::1] ids, list kept, bint may_repeat=False):
    """Return ascending IDs, whose memory `kept` keeps."""
    cdef Ids rows
    cdef Py_ssize_t i
    for i in range(1, ids.shape[0]):
        if ids[i] < ids[i - 1] or (ids[i] == ids[i - 1] and not may_repeat):
            raise ValueError(f"IDs are not sorted: {ids[i]} after {ids[i - 1]}")
    kept.append(ids)
    rows.count = ids.shape[0]
    rows.at = &ids[0] if rows.count else NULL
    return rows


cdef class GamePlayersWriter:
    """Who played, by name and by game; see the stub."""
    cdef Ids names, persons, games, unsure
    cdef const int64_t[::1] of_names, of_games, of_unsure
    cdef const uint8_t[::1] sides
    cdef Ids kept              # names
    cdef const int64_t[::1] kept_as        # their stored players
    cdef uint8_t *is_changed   # of persons; NULL if all games may change
    cdef int64_t newest        # games with a higher ID are new
    cdef Span *keys            # of names, then of persons
    cdef FilledFacts *facts    # of persons
    cdef int list_month
    cdef list kept_memory      # objects whose memory is used
    cdef FilledGame before, after
    cdef uint8_t *message      # that CoreHash is the hash of
    cdef size_t message_capacity
    cdef bint use_ni
    cdef int64_t nameless      # a name or a player without a key
    cdef int64_t changed
    cdef int64_t last_noted    # changed games up to this ID are listed
    cdef EarlierGame *noted
    cdef size_t noted_count, noted_capacity
    cdef int64_t[FIELDS_OF_SIDES] filled

    def __cinit__(self, names not None, persons not None, by_game not None):
        cdef Py_ssize_t i
        self.kept_memory = []
        self.use_ni = ocg_sha256_have_ni()
        ids, self.of_names, keys = names
        self.names = ids_of(ids, self.kept_memory)
        ids, person_keys = persons
        self.persons = ids_of(ids, self.kept_memory)
        ids, self.sides, self.of_games = by_game
        self.games = ids_of(ids, self.kept_memory, True)
        keys = [None if key is None else key.encode() for key in [*keys, *person_keys]]
        self.kept_memory.append(keys)
        if (
            len(keys) != self.names.count + self.persons.count
            or self.of_names.shape[0] != self.names.count
            or not self.sides.shape[0] == self.of_games.shape[0] == self.games.count
        ):
            raise ValueError("columns of names, players or games have different lengths")
        self.keys = <Span *>allocate(len(keys), sizeof(Span))
        for i in range(len(keys)):
            self.keys[i] = span_of(keys[i])
        self.facts = <FilledFacts *>allocate_zeros(self.persons.count, sizeof(FilledFacts))

    def __dealloc__(self):
        free(self.keys)
        free(self.facts)
        free(self.is_changed)
        free(self.noted)
        free(self.before.tags)
        free(self.after.tags)
        free(self.message)

    def set_facts(self, facts not None, unsure not None, list_month):
        cdef Py_ssize_t i
        self.list_month = month_of(list_month)
        for person, fide_id, title, since, rating in facts:
            i = row_of(self.persons, person)
            if i >= 0:
                in_bytes = facts_as_bytes(fide_id, title, since)
                self.kept_memory.append(in_bytes)
                self.facts[i] = facts_of(in_bytes, rating)
        ids, self.of_unsure = unsure
        self.unsure = ids_of(ids, self.kept_memory, True)
        if self.of_unsure.shape[0] != self.unsure.count:
            raise ValueError("columns of unsure names have different lengths")

    def keep(self, names not None, changed not None, int64_t newest):
        cdef Py_ssize_t row
        ids, self.kept_as = names
        self.kept = ids_of(ids, self.kept_memory)
        if self.kept_as.shape[0] != self.kept.count:
            raise ValueError("columns of kept names have different lengths")
        self.newest = newest
        free(self.is_changed)
        self.is_changed = NULL
        self.is_changed = <uint8_t *>allocate_zeros(self.persons.count, 1)
        for person in changed:
            row = row_of(self.persons, person)
            if row >= 0:
                self.is_changed[row] = True

    def person(self, int64_t game_id, int side, int64_t name, int64_t stored):
        return self.person_of(game_id, side, name, stored) or None

    cdef int64_t person_of(
        self, int64_t game_id, int side, int64_t name, int64_t stored
    ) noexcept nogil:
        """Return who played; `stored`: who played before, as the exceptions of kept names do."""
        cdef Py_ssize_t row = first_row(self.games, game_id)
        while row < self.games.count and self.games.at[row] == game_id:
            if self.sides[row] == side:
                return self.of_games[row]
            row += 1
        if game_id <= self.newest:
            row = row_of(self.kept, name)
            if row >= 0 and self.kept_as[row] != stored:
                return stored
        row = row_of(self.names, name)
        return NO_PLAYER if row < 0 else self.of_names[row]

    cdef bint may_change(
        self, const ocg_sqlite_api *api, sqlite3_stmt *row, int side
    ) noexcept nogil:
        """Return whether the name or the player of a side is another one, or changed."""
        cdef int64_t person = api.column_int64(row, WHITE_PERSON + side)
        cdef int64_t name = api.column_int64(row, WHITE_NAME + side)
        cdef Py_ssize_t kept = row_of(self.kept, name)
        cdef Py_ssize_t at = row_of(self.names, name)
        if kept < 0 or at < 0 or self.kept_as[kept] != self.of_names[at]:
            return True
        if person == NO_PLAYER:
            return False
        at = row_of(self.persons, person)
        return at < 0 or self.is_changed[at]

    cdef bint read_side(
        self, const ocg_sqlite_api *api, sqlite3_stmt *row, int side, Side *to
    ) noexcept nogil:
        """Find who played a side; return False if there is no key."""
        cdef Py_ssize_t key
        to.person = NO_PLAYER
        to.key = Span(NULL, 0)
        if api.column_type(row, WHITE_NAME + side) == IS_NULL:  # only in files of OCGDB
            return True
        to.name = api.column_int64(row, WHITE_NAME + side)
        to.person = self.person_of(
            api.column_int64(row, STORED_ID), side, to.name,
            api.column_int64(row, WHITE_PERSON + side),
        )
        if to.person == NO_PLAYER:
            self.nameless = to.name
            key = row_of(self.names, to.name)
        else:
            self.nameless = to.person
            to.number = key = row_of(self.persons, to.person)
            key += self.names.count if key >= 0 else 0
        if key < 0 or self.keys[key].at == NULL:
            return False
        to.key = self.keys[key]
        return True

    cdef bint is_unsure(self, const Side *side) noexcept nogil:
        cdef Py_ssize_t row = first_row(self.unsure, side.name)
        while row < self.unsure.count and self.unsure.at[row] == side.name:
            if self.of_unsure[row] == side.person:
                return True
            row += 1
        return False

    cdef int64_t core_hash(self, const Side *sides) noexcept nogil:
        """Return Games.CoreHash of two keys; there is memory for the message."""
        cdef size_t white = sides[0].key.length, black = sides[1].key.length
        if white:
            memcpy(self.message, sides[0].key.at, white)
        self.message[white] = b':'
        if black:
            memcpy(self.message + white + 1, sides[1].key.at, black)
        return <int64_t>sha256_first8(self.message, white + 1 + black, self.use_ni)

    cdef bint read_game(self, const ocg_sqlite_api *api, sqlite3_stmt *row) noexcept nogil:
        """Read the fields that filling in may change; return False if out of memory."""
        cdef FilledGame *game = &self.before
        cdef int side, value_type
        game.date = Span(api.column_text(row, GAME_DATE), api.column_bytes(row, GAME_DATE))
        game.has_tags = api.column_type(row, EXTRA_TAGS) != IS_NULL
        game.bits = <int>api.column_int64(row, BACK_FILLED)
        for side in range(2):
            value_type = api.column_type(row, WHITE_ELO + side)
            game.has_elo[side] = value_type != IS_NULL
            game.is_odd[side] = value_type not in (IS_NULL, IS_INTEGER)
            game.elos[side] = 0
            if not game.is_odd[side]:
                game.elos[side] = api.column_int64(row, WHITE_ELO + side)
        return copy_tags(
            game, api.column_text(row, EXTRA_TAGS), api.column_bytes(row, EXTRA_TAGS)
        ) and copy_game(&self.after, game)

    cdef bint fill_sides(self, const Side *sides) noexcept nogil:
        """Fill in what follows from the players; return False if out of memory."""
        cdef int side
        withdraw(&self.after, self.after.bits)
        for side in range(2):
            if sides[side].person != NO_PLAYER and not self.is_unsure(&sides[side]) and not fill(
                &self.after, side, &self.facts[sides[side].number], self.list_month
            ):
                return False
        return True

    def write(self, connection not None, games not None, update not None, int64_t last_noted=0):
        cdef SqliteConnection target = SqliteConnection(connection)
        cdef const ocg_sqlite_api *api = target.api
        cdef sqlite3_stmt **statements = [NULL, NULL]
        cdef int code = OCG_SQLITE_ROW, i
        self.changed = 0
        self.nameless = 0
        self.last_noted = last_noted
        self.noted_count = 0
        memset(self.filled, 0, sizeof(self.filled))
        try:
            for i, sql in enumerate((games, update)):
                statements[i] = target.prepare(sql)
            if api.column_count(statements[0]) != WRITTEN_COLUMNS:
                raise ValueError(f"{api.column_count(statements[0])} columns of games")
            while code == OCG_SQLITE_ROW:
                with nogil:
                    # Held for these rows, so that each call finds it already locked.
                    api.mutex_enter(target.mutex)
                    code = self.write_games(api, statements)
                    api.mutex_leave(target.mutex)
                if self.nameless:
                    raise KeyError(self.nameless)
                target.check(code)
                PyErr_CheckSignals()
        finally:
            for i in range(2):
                api.finalize(statements[i])
        return self.changed, {
            _FILLED_NAMES[i]: self.filled[i] for i in range(FIELDS_OF_SIDES) if self.filled[i]
        }, self.noted_games()

    cdef noted_games(self):
        """Return the changed games that are listed; None if they are too many."""
        cdef size_t i
        if self.noted_count > MOST_NOTED:
            return None
        return {self.noted[i].game_id: self.noted[i].core_hash for i in range(self.noted_count)}

    cdef int write_games(self, const ocg_sqlite_api *api, sqlite3_stmt **statements) noexcept nogil:
        """Write the next games; return SQLite's code."""
        cdef int i, code = OCG_SQLITE_ROW
        for i in range(GAMES_BETWEEN_SIGNALS):
            code = api.step(statements[0])
            if code == OCG_SQLITE_ROW:
                code = self.write_game(api, statements)
            if code != OCG_SQLITE_ROW:
                break
        return code

    cdef int write_game(self, const ocg_sqlite_api *api, sqlite3_stmt **statements) noexcept nogil:
        """Write a game if it changes; return OCG_SQLITE_ROW or the code of an error."""
        cdef sqlite3_stmt *row = statements[0]
        cdef Side[2] sides
        cdef int64_t hashed
        cdef int side, code
        cdef bint is_moved, is_filled
        if self.is_changed != NULL and api.column_int64(row, STORED_ID) <= self.newest:
            if not self.may_change(api, row, 0) and not self.may_change(api, row, 1):
                return OCG_SQLITE_ROW
        for side in range(2):
            if not self.read_side(api, row, side, &sides[side]):
                return OCG_SQLITE_DONE         # self.nameless is the error
        self.nameless = 0
        if not try_reserve(
            <void **>&self.message, &self.message_capacity,
            sides[0].key.length + sides[1].key.length + PADDING, 1,
        ) or not self.read_game(api, row) or not self.fill_sides(sides):
            return OCG_SQLITE_NOMEM
        hashed = self.core_hash(sides)
        is_moved = api.column_type(row, CORE_HASH) == IS_NULL
        is_moved |= api.column_int64(row, CORE_HASH) != hashed
        for side in range(2):
            is_moved |= sides[side].person != api.column_int64(row, WHITE_PERSON + side)
        is_filled = not are_equal(&self.before, &self.after)
        if not (is_moved or is_filled):
            return OCG_SQLITE_ROW
        code = self.update(api, row, statements[1], sides, hashed)
        for side in range(FIELDS_OF_SIDES):
            self.filled[side] += is_filled and is_newly_filled(&self.before, &self.after, side)
        self.changed += 1
        if not self.note(api, row):
            return OCG_SQLITE_NOMEM
        return OCG_SQLITE_ROW if code == OCG_SQLITE_OK else code

    cdef bint note(self, const ocg_sqlite_api *api, sqlite3_stmt *row) noexcept nogil:
        """List a game that changes; return False if out of memory."""
        cdef EarlierGame *game
        if api.column_int64(row, STORED_ID) > self.last_noted or self.noted_count > MOST_NOTED:
            return True
        if not try_reserve(
            <void **>&self.noted, &self.noted_capacity, self.noted_count + 1, sizeof(EarlierGame)
        ):
            return False
        game = &self.noted[self.noted_count]
        game.game_id = api.column_int64(row, STORED_ID)
        game.core_hash = 0
        if api.column_int64(row, WHITE_PERSON) > 0 and api.column_int64(row, BLACK_PERSON) > 0:
            game.core_hash = api.column_int64(row, CORE_HASH)
        self.noted_count += 1
        return True

    cdef int update(
        self, const ocg_sqlite_api *api, sqlite3_stmt *row, sqlite3_stmt *statement,
        const Side *sides, int64_t hashed,
    ) noexcept nogil:
        """Set all columns of a game that players may change; return SQLite's code."""
        cdef const FilledGame *game = &self.after
        cdef int side
        api.bind_int64(statement, 1, api.column_int64(row, STORED_ID))
        api.bind_int64(statement, 4, hashed)
        bind_number(api, statement, 5, game.bits, game.bits == 0)
        bind_static_text(
            api, statement, 6, <const char *>game.tags if game.has_tags else NULL, game.length
        )
        for side in range(2):
            bind_number(
                api, statement, 2 + side, sides[side].person, sides[side].person == NO_PLAYER
            )
            if game.is_odd[side]:
                api.bind_value(statement, 7 + side, api.column_value(row, WHITE_ELO + side))
            else:
                bind_number(
                    api, statement, 7 + side, game.elos[side], not game.has_elo[side]
                )
        return done(api, statement)


cdef int done(const ocg_sqlite_api *api, sqlite3_stmt *statement) noexcept nogil:
    """Run a statement that returns no rows; return SQLite's code, OCG_SQLITE_OK if it is done."""
    cdef int code = api.step(statement)
    return api.reset(statement) if code == OCG_SQLITE_DONE else code


cdef bint copy_tags(FilledGame *game, const uint8_t *tags, size_t length) noexcept nogil:
    """Set the tags of a game; return False if out of memory."""
    if not try_reserve(<void **>&game.tags, &game.capacity, length + 1, 1):
        return False
    if length:
        memcpy(game.tags, tags, length)
    game.length = length
    return True


cdef bint copy_game(FilledGame *to, const FilledGame *game) noexcept nogil:
    """Copy all fields of a game; return False if out of memory."""
    cdef uint8_t *tags = to.tags
    cdef size_t capacity = to.capacity
    to[0] = game[0]
    to.tags, to.capacity = tags, capacity
    return copy_tags(to, game.tags, game.length)


cdef bint are_equal(const FilledGame *left, const FilledGame *right) noexcept nogil:
    """Return whether all fields that filling in may change are equal."""
    cdef int side
    for side in range(2):
        if left.elos[side] != right.elos[side] or left.has_elo[side] != right.has_elo[side]:
            return False
    if left.bits != right.bits or left.has_tags != right.has_tags:
        return False
    return not left.has_tags or (
        left.length == right.length and memcmp(left.tags, right.tags, left.length) == 0
    )
