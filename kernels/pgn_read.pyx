"""Read a block of PGN: tags, moves with full legality, annotations, hashes; then rows of it.

`Block.parse` does all chess work without the GIL. `Block.rows` is the one place where kernels
make Python objects in a loop: the tuples that go to the database, which plain Python would take
longer to build than the chess takes (docs/architecture.md).
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from fen cimport set_start
from game_buffers cimport (
    ACCEPTED, Buffers, GameRecord, add_game, close_buffers, open_buffers,
)
from game_rows cimport (
    GAME_COLUMNS, RowContext, append_annotations, append_fault, append_reject, put_game,
)
from movetext cimport Reader
from name_table cimport Names, NameEntry, close_names, intern_name, open_names
from pgn_game cimport read_game, skip_blank
from pgn_lex cimport is_hard_boundary
from position cimport ocg_fill_tables
from sha256 cimport ocg_sha256_have_ni

cdef extern from "lex_tables.h" nogil:
    void ocg_fill_lex_tables()

ocg_fill_tables()
ocg_fill_lex_tables()

cdef enum:
    SLACK = 64             # zero bytes behind a block that the lexers may look at
    FRONT = 16             # and in front of it
    ROWS = 10              # games in one row that is inserted

cdef Reader EMPTY_READER
memset(&EMPTY_READER, 0, sizeof(Reader))
set_start(&EMPTY_READER.standard)

ROWS_PER_TUPLE = ROWS
HAVE_SHA_NI = bool(ocg_sha256_have_ni())


cdef class NameTable:
    """Distinct names with their IDs; what is new since it was opened can be listed."""
    cdef Names names
    cdef uint32_t stored

    def __cinit__(self):
        if not open_names(&self.names):
            raise MemoryError("no memory for a table of names")
        self.stored = 0

    def __dealloc__(self):
        close_names(&self.names)

    def load(self, int64_t name_id, name not None, elo=None):
        """Enter a name that the database has: its ID, and for players the Elo stored."""
        cdef bytes raw = name.encode()
        cdef NameEntry *entry
        if not 0 < name_id < 0x7FFFFFFF:
            raise ValueError(f"name ID out of range: {name_id}")
        cdef uint32_t found = intern_name(
            &self.names, <const uint8_t *>PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw),
            <uint32_t>name_id,
        )
        if not found:
            raise MemoryError("no memory for a table of names")
        if isinstance(elo, int) and 0 < elo < 10000:
            entry = &self.names.entries[found]
            entry.elo = entry.stored_elo = elo
        self.stored = max(self.stored, self.names.count)

    def __len__(self):
        return self.names.count

    def new_rows(self):
        """Return (ID, name, highest Elo or None) of each name entered since the last load()."""
        cdef uint32_t i
        cdef NameEntry *entry
        rows = []
        for i in range(self.stored + 1, self.names.count + 1):
            entry = &self.names.entries[i]
            text = (<const char *>(self.names.arena + entry.start))[:entry.length].decode()
            rows.append((i, text, entry.elo if entry.elo else None))
        return rows

    def raised_elos(self):
        """Return (Elo, ID) of each stored player whose highest Elo has risen."""
        cdef uint32_t i
        return [
            (self.names.entries[i].elo, i) for i in range(1, self.stored + 1)
            if self.names.entries[i].elo > self.names.entries[i].stored_elo
        ]


cdef class Block:
    """A block of PGN text, and what was read in it."""
    cdef Reader reader
    cdef uint8_t *memory
    cdef size_t size
    cdef readonly size_t consumed
    cdef readonly bint parsed

    def __cinit__(self, bytes text not None):
        cdef size_t size = PyBytes_GET_SIZE(text)
        if size > 0x7FFFFFFF:
            raise ValueError(f"a block of {size} bytes is too large")
        self.reader = EMPTY_READER
        self.size = size
        self.memory = <uint8_t *>malloc(FRONT + size + SLACK)
        if self.memory == NULL or not open_buffers(&self.reader.out, size):
            raise MemoryError(f"no memory for a block of {size} bytes")
        memset(self.memory, 0, FRONT)
        memcpy(self.memory + FRONT, PyBytes_AS_STRING(text), size)
        memset(self.memory + FRONT + size, 0, SLACK)
        self.reader.base = self.memory + FRONT
        self.reader.end = self.reader.base + size

    def __dealloc__(self):
        close_buffers(&self.reader.out)
        free(self.memory)

    def parse(self, bint final, use_ni=None):
        """Read all games; return how many blocks of text were read, rejects included.

        Unless `final`, a game that reaches the end of the text may go on in the next block: it
        is left out, and `consumed` says where it begins. `use_ni` False takes the portable
        SHA-256 even where the processor has its own.
        """
        cdef bint ni = HAVE_SHA_NI and (use_ni is None or use_ni)
        if self.parsed:
            raise ValueError("the block has been parsed")
        self.parsed = True
        with nogil:
            parse_block(&self.reader, final, ni, &self.consumed)
        if self.reader.out.out_of_memory:
            raise MemoryError("no memory for the games of a block")
        return self.reader.out.game_count

    @property
    def game_count(self):
        """Number of blocks of text that were read, rejects included."""
        return self.reader.out.game_count

    @property
    def newlines(self):
        """Number of line ends in the part that was consumed."""
        return count_lines(self.reader.base, self.reader.base + self.consumed)

    @property
    def ply_count(self):
        """Number of plies of all games."""
        return self.reader.out.move_count

    def keys(self):
        """Return (plies, mainline hash, final, positions and sampled keys) of each game."""
        cdef size_t i
        cdef GameRecord *g
        rows = []
        for i in range(self.reader.out.game_count):
            g = &self.reader.out.games[i]
            rows.append((
                g.ply_count, <int64_t>g.mainline_hash, <int64_t>g.final_zobrist,
                <int64_t>g.positions_key, <int64_t>g.sampled_key,
            ))
        return rows

    def rows(self, tables, odd_values, place):
        """Return the number of games, and rows for Games, Comments, Annotations, Faults, Rejects.

        A row of Games is ROWS_PER_TUPLE games in one flat tuple, the last ones a game each: to
        insert them ten at a time takes a third less time. `tables`: NameTable of events, sites,
        players. `odd_values`: what decodes values that are not in standard form (see OddValues
        in the stub). `place`: first game ID, source ID, and how many blocks, bytes and lines
        of the source came before this one.
        """
        cdef RowContext context
        cdef NameTable events, sites, players
        cdef size_t i
        cdef GameRecord *g
        cdef list games = [], comments = [], annotations = [], faults = [], rejects = []
        cdef tuple row = ()
        cdef Py_ssize_t left = self.accepted()
        cdef Py_ssize_t at = 0
        cdef int64_t first_id
        events, sites, players = tables
        context.events = &events.names
        context.sites = &sites.names
        context.players = &players.names
        context.reader = &self.reader
        context.game_id, context.source_id, context.number, context.offset, context.line = place
        context.line_at = 0
        first_id = context.game_id
        for i in range(self.reader.out.game_count):
            g = &self.reader.out.games[i]
            context.number += 1
            if g.rejection != ACCEPTED:
                append_reject(&context, g, rejects)
                continue
            if at == len(row):
                row = (None,) * (GAME_COLUMNS * (ROWS if left >= ROWS else 1))
                games.append(row)
                at = 0
            put_game(&context, g, row, at, odd_values)
            at += GAME_COLUMNS
            left -= 1
            if g.item_count:
                append_annotations(&context, g, odd_values, comments, annotations)
            if g.fault:
                append_fault(&context, g, odd_values, faults)
            context.game_id += 1
        return context.game_id - first_id, games, comments, annotations, faults, rejects

    cdef Py_ssize_t accepted(self):
        """Return how many of the blocks of text are games."""
        cdef size_t i
        cdef Py_ssize_t count = 0
        for i in range(self.reader.out.game_count):
            count += self.reader.out.games[i].rejection == ACCEPTED
        return count


cdef void parse_block(Reader *r, bint final, bint use_ni, size_t *consumed) noexcept nogil:
    """Read game after game; keep those that are whole."""
    cdef const uint8_t *p = skip_blank(r.base, r.end)
    cdef const uint8_t *stop
    cdef GameRecord *game
    if r.end - p >= 3 and p[0] == 0xEF and p[1] == 0xBB and p[2] == 0xBF:
        p = skip_blank(p + 3, r.end)
    while p < r.end:
        game = add_game(&r.out)
        if game == NULL:
            return
        stop = read_game(r, p, game, use_ni)
        if r.out.out_of_memory:
            return
        if stop >= r.end and not final:
            # It may go on: drop it, the next block begins with it.
            r.out.game_count -= 1
            r.out.tag_count = game.first_tag
            r.out.item_count = game.first_item
            r.out.move_count = game.first_move
            break
        p = skip_blank(stop if stop > p else p + 1, r.end)
    consumed[0] = p - r.base


cdef size_t count_byte(const uint8_t *p, const uint8_t *stop, uint8_t byte) noexcept nogil:
    """Count a byte, in strides short enough for 8-bit counters: so the compiler makes SIMD of it."""
    cdef size_t count = 0
    cdef uint8_t partial
    cdef int i
    while stop - p >= 128:
        partial = 0
        for i in range(128):
            partial += p[i] == byte
        count += partial
        p += 128
    while p < stop:
        count += p[0] == byte
        p += 1
    return count


cdef size_t count_lines(const uint8_t *p, const uint8_t *stop) noexcept nogil:
    """Count line feeds, or carriage returns where there are no line feeds."""
    cdef size_t feeds = count_byte(p, stop, 10)
    return feeds if feeds else count_byte(p, stop, 13)


def find_last_boundary(const uint8_t[::1] text not None) -> int:
    """Return the last place in the text where a block may be cut, or 0 if there is none.

    There a new game begins whatever came before; see is_hard_boundary() in pgn_lex.pxd. The
    last 4096 bytes are not searched, so that the tags behind the place can be seen.
    """
    cdef Py_ssize_t at = text.shape[0] - 4096
    cdef const uint8_t *base
    cdef const uint8_t *end
    if at <= 1:
        return 0
    base = &text[0]
    end = base + text.shape[0]
    with nogil:
        while at > 0:
            if base[at] == 91 and (base[at - 1] == 10 or base[at - 1] == 13):
                if is_hard_boundary(base, base + at, end):
                    break
            at -= 1
    return at
