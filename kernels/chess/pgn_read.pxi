"""Read a block of PGN: tags, fully legal moves, annotations, hashes; then insert it.

`Block.parse` does all chess work, `RowWriter` inserts the result through SQLite, both without the
GIL. Creating Python values of a game takes as long as the chess work, so Python decodes only values
that need it (docs/architecture.md). This module is also a loadable extension of SQLite, which is
how it accesses apsw's SQLite.
"""

from libc.stdint cimport uint32_t

from block_text cimport count_lines, first_boundary, last_boundary, parse_block
from game_buffers cimport (
    ACCEPTED, MOST_BLOCK_BYTES, GameRecord, Item, NameEntry, Names, close_buffers, close_names,
    intern_name, open_buffers, open_names,
)
from game_columns cimport inserted_columns
from game_rows cimport (
    Sink, begin_record, count_rows, end_record, enter_players, insert_annotation, insert_names,
    write_plain_games,
)
from game_values cimport RowContext, Value, Values, literal, result_text
from movetext cimport OCG_BOTH_LOST, OCG_RESULT_CODE, OCG_UNCLEAR_TAG, ocg_result_of
from pgn_game cimport ocg_is_other_variant
from odd_values cimport (
    append_fault, append_reject, decode_values, decoded_annotation, game_charset, reject_variants,
)
from pgn_lex cimport at_line_start
from player_keys cimport has_key, store_key
from record_hash cimport open_message
from row_insert cimport (
    Inserter, begin_rows, finalize, forget_bindings, open_inserter, raise_failure,
)

cdef enum:
    SLACK = 64             # zero bytes after a block that the lexers may read
    FRONT = 16             # bytes before it

cdef Reader EMPTY_READER
memset(&EMPTY_READER, 0, sizeof(Reader))
set_start(&EMPTY_READER.standard)

INSERTED_COLUMNS = inserted_columns()  # of games, in the order in which RowWriter inserts them


cdef bint is_elo(elo):
    return isinstance(elo, int) and 0 < elo < 10000


cdef class NameTable:
    """Distinct names with their IDs; lists the names added since loading."""
    cdef Names names
    cdef uint32_t stored
    cdef object name_key

    def __cinit__(self, name_key=None):
        open_names(&self.names)
        self.name_key = name_key

    def __dealloc__(self):
        close_names(&self.names)

    def load(self, int64_t name_id, name not None, elo=None):
        """Add a name of the database: its ID and, for players, the stored Elo."""
        cdef bytes raw = name.encode()
        cdef NameEntry *entry
        if not 0 < name_id < 0x7FFFFFFF:
            raise ValueError(f"name ID out of range: {name_id}")
        cdef uint32_t number = intern_name(
            &self.names, <const uint8_t *>PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw),
            <uint32_t>name_id,
        )
        require_memory(number != 0)
        if is_elo(elo):
            entry = &self.names.entries[number]
            entry.elo = entry.stored_elo = elo
        self.stored = max(self.stored, self.names.count)

    def __len__(self):
        return self.names.count

    def intern(self, name not None, elo=None):
        """Return the ID of a name, adding it if it is new; `elo`: of a player in a game."""
        cdef Py_ssize_t length = 0
        cdef const char *text = PyUnicode_AsUTF8AndSize(name, &length)
        cdef uint32_t number = intern_name(&self.names, <const uint8_t *>text, length, 0)
        require_memory(number != 0)
        if is_elo(elo):
            self.names.entries[number].elo = max(self.names.entries[number].elo, <int>elo)
        return number

    cdef int complete_key(self, uint32_t number) except -1:
        """Have Python compute the key of a player's name that is not ASCII."""
        cdef bytes key
        if not has_key(&self.names, number):
            key = self.name_key(self.text(number)).encode()
            require_memory(store_key(
                &self.names, number, <const uint8_t *>PyBytes_AS_STRING(key), PyBytes_GET_SIZE(key)
            ))

    def key(self, uint32_t number):
        """Return the text in CoreHash of a player's name."""
        if not 0 < number <= self.names.count:
            raise ValueError(f"no name has the ID {number}")
        self.complete_key(number)
        cdef const NameEntry *entry = &self.names.entries[number]
        return (<const char *>(self.names.arena + entry.key_start))[:entry.key_length].decode()

    cdef str text(self, uint32_t number):
        cdef const NameEntry *entry = &self.names.entries[number]
        return (<const char *>(self.names.arena + entry.start))[:entry.length].decode()

    def new_rows(self):
        """Return (ID, name, highest Elo or None) of each name added since the last load()."""
        cdef uint32_t i
        return [
            (i, self.text(i), self.names.entries[i].elo or None)
            for i in range(self.stored + 1, self.names.count + 1)
        ]

    def raised_elos(self):
        """Return (Elo, ID) of each stored player whose highest Elo has risen."""
        cdef uint32_t i
        return [
            (self.names.entries[i].elo, i) for i in range(1, self.stored + 1)
            if self.names.entries[i].elo > self.names.entries[i].stored_elo
        ]


cdef class Block:
    """A block of PGN text and its parsed games."""
    cdef Reader reader
    cdef uint8_t *memory
    cdef readonly size_t size
    cdef readonly size_t consumed
    cdef readonly bint parsed

    def __cinit__(
        self, const uint8_t[::1] text not None, const uint8_t[::1] more=b"", bint mid_line=False
    ):
        """Copy the text, and `more` that follows it; `mid_line`: the text begins inside a line."""
        cdef size_t first = text.shape[0]
        cdef size_t size = first + more.shape[0]
        if size > MOST_BLOCK_BYTES:
            raise ValueError(f"block is too large: {size} bytes")
        self.size = size
        self.reader = EMPTY_READER
        self.memory = <uint8_t *>allocate(FRONT + size + SLACK, 1)
        open_buffers(&self.reader.out, size)
        memset(self.memory, 0, FRONT)
        if mid_line:
            self.memory[FRONT - 1] = b'.'             # see at_line_start()
        self.reader.base = self.memory + FRONT
        if first:
            memcpy(self.memory + FRONT, &text[0], first)
        if size > first:
            memcpy(self.memory + FRONT + first, &more[0], size - first)
        memset(self.memory + FRONT + size, 0, SLACK)
        self.reader.end = self.reader.base + size

    def __dealloc__(self):
        close_buffers(&self.reader.out)
        free(self.memory)

    def parse(self, bint final, use_ni=None, bint has_more=False):
        """Parse all games; return the number of games and rejected texts."""
        cdef bint ni = USE_SHA_NI and (use_ni is None or use_ni)
        if self.parsed:
            raise ValueError("block is already parsed")
        self.parsed = True
        with nogil:
            parse_block(&self.reader, final, has_more, ni, &self.consumed)
        require_memory(not self.reader.out.out_of_memory)
        return self.reader.out.game_count

    @property
    def game_count(self):
        """Number of games and rejected texts."""
        return self.reader.out.game_count

    @property
    def ends_mid_line(self):
        """Whether the consumed part ends inside a line."""
        return not at_line_start(self.reader.base, self.reader.base + self.consumed)

    @property
    def newlines(self):
        """Number of line ends in the consumed part."""
        return count_lines(self.reader.base, self.reader.base + self.consumed)

    @property
    def ply_count(self):
        """Number of plies of all games."""
        return self.reader.out.move_count


cdef int open_context(RowContext *c, Block block, tables, origin) except -1:
    cdef NameTable events, sites, players
    events, sites, players = tables
    c.events = &events.names
    c.sites = &sites.names
    c.players = &players.names
    c.reader = &block.reader
    c.game_id, c.source_id, c.number, c.offset, c.line = origin
    c.line_at = 0


cdef class RowWriter:
    """Inserts rows into a database through the SQLite library of its connection.

    Only one thread may use the connection at a time, as apsw requires.
    """
    cdef Sink sink
    cdef SqliteConnection target   # None after close()
    cdef const ocg_sqlite_api *api

    def __cinit__(self, connection not None, statements not None):
        """Prepare the statements of Games, Comments and Annotations."""
        self.target = SqliteConnection(connection)
        self.api = self.target.api
        open_message(&self.sink.message)
        games, comments, annotations = statements
        self.open(&self.sink.games, games)
        self.open(&self.sink.comments, comments)
        self.open(&self.sink.annotations, annotations)

    def __dealloc__(self):
        self.finalize_all()
        free(self.sink.scratch.bytes)
        free(self.sink.message.bytes)

    def close(self):
        """Finalize the statements; call it before the connection is closed."""
        self.finalize_all()
        self.target = None

    cdef void finalize_all(self) noexcept:
        finalize(&self.sink.games)
        finalize(&self.sink.comments)
        finalize(&self.sink.annotations)

    cdef int open(self, Inserter *inserter, statements) except -1:
        inserter.api = self.api
        inserter.db = self.target.db
        inserter.failure = &self.sink.failure
        return open_inserter(inserter, statements)

    cdef int begin(self) except -1:
        if self.target is None:
            raise ValueError("the writer is closed")
        self.sink.failure.code = OCG_SQLITE_OK

    def write_block(self, Block block not None, tables, odd_values, origin, bint decode_all=False):
        """Insert games, comments and annotations; return their number, faults and rejects."""
        cdef RowContext context
        cdef Values values
        cdef size_t at = 0
        cdef size_t[3] counts
        cdef list faults = [], rejects = []
        self.begin()
        open_context(&context, block, tables, origin)
        context.decode_all = decode_all
        variants = reject_variants(&context, odd_values)
        count_rows(&block.reader, counts)
        begin_rows(&self.sink.games, counts[0])
        begin_rows(&self.sink.comments, counts[1])
        begin_rows(&self.sink.annotations, counts[2])
        try:
            while True:
                with nogil:
                    # Held for all rows, so that each call finds it already locked.
                    self.api.mutex_enter(self.target.mutex)
                    at = write_plain_games(&context, &self.sink, at, &values)
                    self.api.mutex_leave(self.target.mutex)
                raise_failure(&self.sink.failure)
                if at == block.reader.out.game_count:
                    break
                if block.reader.out.games[at].rejection == ACCEPTED:
                    self.write_odd_game(
                        &context, &block.reader.out.games[at], &values, tables[2], odd_values,
                        faults,
                    )
                else:
                    append_reject(
                        &context, &block.reader.out.games[at], variants.get(at), rejects
                    )
                at += 1
        finally:
            forget_bindings(&self.sink.games)
            forget_bindings(&self.sink.comments)
            forget_bindings(&self.sink.annotations)
        return counts[0], counts[1], faults, rejects

    cdef int write_odd_game(
        self, RowContext *c, const GameRecord *g, Values *v, NameTable players, odd_values,
        list faults
    ) except -1:
        """Insert a game with values or keys of players that Python computes."""
        cdef const Item *item
        cdef Value text
        cdef list texts = []
        cdef uint32_t i
        charset = game_charset(c, g, odd_values)
        decode_values(c, g, v, charset, odd_values, texts)
        if not enter_players(c, v):
            require_memory(v.players[0] and v.players[1])
            players.complete_key(v.players[0])
            players.complete_key(v.players[1])
        begin_record(c, &self.sink, g, v)
        for i in range(g.item_count):
            item = c.reader.out.items + g.first_item + i
            text = literal(NULL, 0)
            decoded = decoded_annotation(c, item, charset, odd_values)
            if decoded is not None:
                text.at = <const uint8_t *>PyUnicode_AsUTF8AndSize(
                    decoded, <Py_ssize_t *>&text.length
                )
            insert_annotation(c, &self.sink, item, &text)
        if g.fault:
            append_fault(c, g, charset, faults)
        end_record(c, &self.sink, g, v)

    def write_names(self, NameTable table not None, statements not None):
        """Insert (ID, name), or (ID, name, highest Elo) for players, of new names."""
        cdef Inserter inserter
        memset(&inserter, 0, sizeof(Inserter))
        self.begin()
        try:
            self.open(&inserter, statements)
            with nogil:
                self.api.mutex_enter(self.target.mutex)
                insert_names(&inserter, &table.names, table.stored)
                self.api.mutex_leave(self.target.mutex)
            raise_failure(&self.sink.failure)
        finally:
            finalize(&inserter)


def find_last_boundary(const uint8_t[::1] text not None) -> int:
    """Return the last offset at which a block may be cut, or 0 if there is none.

    A new game begins there whatever precedes it; see is_hard_boundary() in pgn_lex.pxd. The last
    4096 bytes are not searched, so that the tags after the cut are visible.
    """
    cdef Py_ssize_t at = text.shape[0] - 4096
    if at <= 1:
        return 0
    with nogil:
        at = last_boundary(&text[0], at, &text[0] + text.shape[0])
    return at


def find_first_boundary(const uint8_t[::1] text not None) -> int:
    """Return the first of the offsets of which find_last_boundary() returns the last."""
    cdef Py_ssize_t at = text.shape[0] - 4096
    if at <= 1:
        return 0
    with nogil:
        at = first_boundary(&text[0], at, &text[0] + text.shape[0])
    return at


def is_played_variant(bytes value not None) -> bool:
    """Return whether the games of a Variant tag are read: no variant with other rules is named."""
    return not ocg_is_other_variant(
        <const uint8_t *>PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value)
    )


def spelled_result(bytes value not None, bint without_moves=False):
    """Return the PGN result that a lower-case text spells, None for other texts."""
    cdef int code = ocg_result_of(
        <const uint8_t *>PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value)
    )
    cdef Value text = result_text(code & OCG_RESULT_CODE)
    if code == 0 or code & OCG_RESULT_CODE == OCG_BOTH_LOST:
        return None
    if code & OCG_UNCLEAR_TAG and not without_moves:
        return None
    return (<const char *>text.at)[:text.length].decode()
