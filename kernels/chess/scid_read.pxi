"""Write the games of a Scid database (si4, si5) as PGN, which the reader then reads like any other.

Moves are decoded, tested and spelled here; damage becomes "???" in the movetext, at which the
reader ends the moves, so that a damaged game is kept up to the damage as in PGN.
"""

from position cimport castling_right
from san_write cimport OCG_PIECE_LETTER, OCG_SQUARE_TEXT
from scid_moves cimport (
    NOT_A_MOVE, SCID_BEGIN_VARIATION, SCID_COMMENT, SCID_END_GAME, SCID_END_VARIATION, SCID_NAG,
    NumberedPieces, decode_move, number_pieces, play_numbered,
)
from scid_tags cimport (
    OCG_SCID_RESULTS, SCID_EVENTS, SCID_PLAYERS, SCID_ROUNDS, SCID_SITES, SCID_TABLES,
    SI4_ENTRY_BYTES, SI5_ENTRY_BYTES, ScidEntry, ScidTag, add_entry_tags, add_own_name, add_text,
    has_scid_tag, read_scid_tag, read_si4_entry, read_si5_entry, write_scid_date,
)

cdef enum:
    PLY_TEXT_BYTES = 24    # of SAN with its number and blanks; more than any other byte becomes
    DEEPEST_LINE = 200     # of variations in variations

ctypedef struct ScidLine:              # the mainline or a variation
    Replay replay, before              # before: the last move
    NumberedPieces pieces, pieces_before
    bint needs_number
    bint has_moves
    bint is_lost                       # its moves cannot be decoded from here on

ctypedef struct ScidGame:              # the data of a game while it is written
    const uint8_t *at
    const uint8_t *end                 # of the moves
    const uint8_t *comment             # the next one
    const uint8_t *comments_end
    ScidLine *lines
    int depth
    bint has_variations                # whose text is stored, so it must be in SAN
    uint8_t *out

ctypedef struct NameTexts:
    const char **texts                 # by ID; NULL: no such name
    size_t *lengths
    uint32_t count


cdef const uint8_t *scid_moves_end(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return the end of the moves, after their end mark."""
    while p < end and p[0] != SCID_END_GAME:
        p += 2 if p[0] == SCID_NAG and p + 1 < end else 1
    return p + 1 if p < end else end


cdef void write_scid_text(ScidGame *g, const char *text) noexcept nogil:
    memcpy(g.out, text, strlen(text))
    g.out += strlen(text)


cdef bint fits_braces(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Return whether a comment in braces ends where it should, whatever the text."""
    while p < end:
        if p[0] == b'{' or p[0] == b'}':
            return False
        if p[0] == b'[' and is_newline((p - 1)[0]):
            return False
        p += 1
    return True


cdef void write_scid_comment(ScidGame *g) noexcept nogil:
    cdef const uint8_t *p = g.comment
    cdef const uint8_t *end
    if p == g.comments_end:
        return
    end = <const uint8_t *>memchr(p, 0, g.comments_end - p)
    if end == NULL:
        end = g.comments_end
    g.comment = end + (end < g.comments_end)
    if fits_braces(p, end):
        g.out[0] = b'{'
        memcpy(g.out + 1, p, end - p)
        g.out += end - p + 1
        write_scid_text(g, b"} ")
        return
    write_scid_text(g, b"\n;")             # a comment to the end of each line
    while p < end:
        g.out[0] = p[0]
        g.out += 1
        if is_newline(p[0]):
            g.out[0] = b';'
            g.out += 1
        p += 1
    write_scid_text(g, b"\n")


cdef void lose_line(ScidGame *g) noexcept nogil:
    write_scid_text(g, b"??? ")
    g.lines[g.depth].is_lost = True


cdef void begin_scid_line(ScidGame *g) noexcept nogil:
    cdef ScidLine *line = &g.lines[g.depth]
    cdef ScidLine *inner = line + 1
    write_scid_text(g, b"(")
    inner.replay = line.before
    inner.pieces = line.pieces_before
    inner.is_lost = line.is_lost
    inner.has_moves = False
    inner.needs_number = True
    g.depth += 1
    if not line.has_moves and not line.is_lost:
        lose_line(g)                               # there is no move that it could replace


cdef void end_scid_line(ScidGame *g) noexcept nogil:
    while (g.out - 1)[0] == b' ':
        g.out -= 1
    write_scid_text(g, b") ")
    g.depth -= 1
    g.lines[g.depth].needs_number = True


cdef void write_illegal_move(ScidGame *g, move16_t move) noexcept nogil:
    """Write a move that cannot be played, for the list of errors, and lose its line."""
    cdef const Position *pos = &g.lines[g.depth].replay.pos
    cdef int start = move & 63, target = move >> 6 & 63
    cdef int right = castling_right(pos, move)
    cdef uint8_t letter = OCG_PIECE_LETTER[pos.board[start]]
    if right >= 0:
        write_scid_text(g, b"O-O-O " if right & 1 else b"O-O ")
    elif letter == 0 and (move >> 12 or not 8 <= target < 56):
        write_scid_text(g, b"??? ")                # the promotion may be what is wrong
    else:
        g.out[0] = letter
        g.out += letter != 0
        memcpy(g.out, &OCG_SQUARE_TEXT[start], 2)
        memcpy(g.out + 2, &OCG_SQUARE_TEXT[target], 2)
        g.out[4] = b' '
        g.out += 5
    g.lines[g.depth].is_lost = True


cdef void write_scid_move(ScidGame *g, uint8_t byte) noexcept nogil:
    cdef ScidLine *line = &g.lines[g.depth]
    cdef const Position *pos = &line.replay.pos
    cdef uint8_t *after
    cdef int move = decode_move(pos, &line.pieces, byte, &g.at, g.end)
    if move == NOT_A_MOVE:
        lose_line(g)
        return
    if g.has_variations:
        line.before = line.replay
        line.pieces_before = line.pieces
    if g.depth and (line.needs_number or pos.turn == WHITE):
        g.out = write_number(<uint64_t>pos.fullmove, g.out)
        write_scid_text(g, b". " if pos.turn == WHITE else b"... ")
    after = play_numbered(
        &line.replay, &line.pieces, <move16_t>move, g.has_variations, g.out
    )
    if after == NULL:
        write_illegal_move(g, <move16_t>move)
        return
    g.out = after
    write_scid_text(g, b" ")
    line.needs_number = False
    line.has_moves = True


cdef void write_scid_moves(ScidGame *g) noexcept nogil:
    """Write the movetext, without the result."""
    cdef uint8_t byte = 0
    while g.at < g.end:
        byte = g.at[0]
        g.at += 1
        if byte == SCID_COMMENT:
            write_scid_comment(g)
            g.lines[g.depth].needs_number = True
        elif byte == SCID_NAG and g.at < g.end:
            if g.at[0] and not g.lines[g.depth].is_lost:
                write_scid_text(g, b"$")
                g.out = write_number(g.at[0], g.out)
                write_scid_text(g, b" ")
            g.at += 1
        elif byte == SCID_BEGIN_VARIATION and g.depth < DEEPEST_LINE:
            begin_scid_line(g)
        elif byte == SCID_END_VARIATION and g.depth:
            end_scid_line(g)
        elif byte == SCID_END_GAME:
            break
        elif not g.lines[g.depth].is_lost:
            write_scid_move(g, byte)
    if (byte != SCID_END_GAME or g.depth) and not g.lines[0].is_lost:
        while g.depth:
            end_scid_line(g)
        lose_line(g)
    while g.depth:
        end_scid_line(g)
    while g.comment < g.comments_end:              # comments without a place
        write_scid_comment(g)


cdef int write_movetext(
    Text *out, const uint8_t *p, const uint8_t *end, ScidLine *lines
) except -1 nogil:
    """Write the start position and the movetext, which begin at `p`; at `end`, they are lost."""
    cdef ScidGame g
    cdef ScidLine *line = lines
    cdef Position start = STANDARD
    cdef const uint8_t *fen
    cdef bint has_fen = p < end and p[0] & 1
    g.lines = lines
    g.depth = 0
    line.needs_number = line.has_moves = False
    line.is_lost = False
    p += p < end
    if has_fen:
        fen = p
        while p < end and p[0]:
            p += 1
        add_text(out, b"FEN", <const char *>fen, p - fen)
        line.is_lost = not read_fen(&start, fen, p)
        p += p < end
    if not line.is_lost:
        line.is_lost = not number_pieces(&line.pieces, &start, not has_fen)
    begin_replay(&line.replay, &start)
    grow(out, PLY_TEXT_BYTES * (end - p + DEEPEST_LINE))
    g.out = out.data + out.size
    write_scid_text(&g, b"\n")
    g.at = p
    g.end = g.comment = scid_moves_end(p, end)
    g.comments_end = end
    g.has_variations = p < end and memchr(p, SCID_BEGIN_VARIATION, g.end - p) != NULL
    if line.is_lost and g.end - g.at > 1:
        lose_line(&g)                              # moves from a position that cannot be played
    write_scid_moves(&g)
    out.size = g.out - out.data


cdef class ScidText:
    """Writes games of a Scid database as PGN."""
    cdef NameTexts names[SCID_TABLES]
    cdef object kept                   # the bytes of names
    cdef bint is_si5
    cdef Text out
    cdef ScidLine *lines
    cdef readonly Py_ssize_t entry_bytes
    cdef readonly size_t missing_names

    def __cinit__(self, names not None, bint is_si5=False):
        """Take the names by ID, each as bytes or None: lists of players, events, sites, rounds."""
        cdef int kind
        if len(names) != SCID_TABLES:
            raise ValueError(f"{len(names)} tables of names, not {SCID_TABLES}")
        self.kept = names
        self.is_si5 = is_si5
        self.entry_bytes = SI5_ENTRY_BYTES if is_si5 else SI4_ENTRY_BYTES
        self.lines = <ScidLine *>allocate(DEEPEST_LINE + 1, sizeof(ScidLine))
        for kind in range(SCID_TABLES):
            self.take_names(&self.names[kind], names[kind])

    def __dealloc__(self):
        cdef int kind
        for kind in range(SCID_TABLES):
            free(self.names[kind].texts)
            free(self.names[kind].lengths)
        free(self.lines)
        free(self.out.data)

    cdef int take_names(self, NameTexts *names, list texts) except -1:
        cdef uint32_t i
        names.count = len(texts)
        names.texts = <const char **>allocate_zeros(names.count, sizeof(char *))
        names.lengths = <size_t *>allocate_zeros(names.count, sizeof(size_t))
        for i in range(names.count):
            if texts[i] is not None:
                names.texts[i] = PyBytes_AS_STRING(<bytes?>texts[i])
                names.lengths[i] = PyBytes_GET_SIZE(texts[i])

    cdef void read_entry(self, const uint8_t *p, ScidEntry *e) noexcept nogil:
        if self.is_si5:
            read_si5_entry(p, e)
        else:
            read_si4_entry(p, e)

    def places(self, const uint8_t[::1] entries not None) -> list[tuple[int, int]]:
        """Return the offset and the length of the data of each entry's game."""
        cdef Py_ssize_t i
        cdef ScidEntry entry
        cdef list places = []
        for i in range(entries.shape[0] // self.entry_bytes):
            self.read_entry(&entries[i * self.entry_bytes], &entry)
            places.append((entry.offset, entry.length))
        return places

    def write(self, const uint8_t[::1] entries not None, const uint8_t[::1] data not None,
              uint64_t data_offset):
        """Return the PGN of the games of some entries; `data`: of the games' file from an offset.

        A game whose data is not in `data` has no moves that can be read.
        """
        cdef Py_ssize_t count = entries.shape[0] // self.entry_bytes
        cdef Py_ssize_t i
        cdef ScidEntry entry
        cdef const uint8_t *bytes_of_data = &data[0] if data.shape[0] else NULL
        self.out.size = 0
        if count == 0:
            return b""
        with nogil:
            for i in range(count):
                self.read_entry(&entries[0] + i * self.entry_bytes, &entry)
                self.write_game(&entry, bytes_of_data, data.shape[0], data_offset)
        return PyBytes_FromStringAndSize(<const char *>self.out.data, self.out.size)

    cdef int add_name(self, const char *tag, int kind, uint32_t key) except -1 nogil:
        cdef const NameTexts *names = &self.names[kind]
        if key < names.count and names.texts[key] != NULL:
            return add_text(&self.out, tag, names.texts[key], names.lengths[key])
        self.missing_names += 1
        return add_text(&self.out, tag, b"?", 1)

    cdef int write_game(
        self, const ScidEntry *e, const uint8_t *data, size_t size, uint64_t data_offset
    ) except -1 nogil:
        cdef const char *result = OCG_SCID_RESULTS[e.result & 3]
        cdef const uint8_t *p = NULL
        cdef const uint8_t *end = NULL
        cdef char[16] date
        self.add_name(b"Event", SCID_EVENTS, e.event)
        self.add_name(b"Site", SCID_SITES, e.site)
        add_text(&self.out, b"Date", date, write_scid_date(e.date, date))
        self.add_name(b"Round", SCID_ROUNDS, e.round)
        self.add_name(b"White", SCID_PLAYERS, e.white)
        self.add_name(b"Black", SCID_PLAYERS, e.black)
        add_text(&self.out, b"Result", result, strlen(result))
        add_entry_tags(&self.out, e)
        if data_offset <= e.offset < data_offset + size:
            p = data + (e.offset - data_offset)
            end = p + min(<uint64_t>e.length, data_offset + size - e.offset)
        p = self.add_own_tags(e, p, end)
        write_movetext(&self.out, p, end, self.lines)
        grow(&self.out, 16)
        memcpy(self.out.data + self.out.size, result, strlen(result))
        memcpy(self.out.data + self.out.size + strlen(result), b"\n\n", 2)
        self.out.size += strlen(result) + 2

    cdef const uint8_t *add_own_tags(
        self, const ScidEntry *e, const uint8_t *p, const uint8_t *end
    ) except? NULL nogil:
        """Write the tags of the game's data; return their end, or `end` at damage."""
        cdef ScidTag tag
        cdef char[16] date
        if e.event_date and not has_scid_tag(p, end, b"EventDate"):
            add_text(&self.out, b"EventDate", date, write_scid_date(e.event_date, date))
        if e.is_chess960 and not has_scid_tag(p, end, b"Variant"):
            add_text(&self.out, b"Variant", b"Chess960", 8)
        while p != NULL and p < end and p[0]:
            p = read_scid_tag(p, end, &tag)
            if p != NULL and tag.name != NULL:
                add_own_name(&self.out, &tag)
        return p + 1 if p != NULL and p < end else end
