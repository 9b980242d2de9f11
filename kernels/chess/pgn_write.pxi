"""Write games as PGN text: tags, movetext in SAN with annotations, lines of a given width.

The rows of a batch are first copied into C buffers; all chess and layout work is then done without
the GIL. Does not know the database, or which tags a game should have.
"""

from libc.string cimport memchr, strlen

from chess_types cimport WHITE
from game_columns cimport (
    PRINTED_COUNT, PRINTED_EXTRA_TAGS, PRINTED_FEN, PRINTED_ID, PRINTED_MOVES2, PRINTED_RESULT,
    printed_columns,
)
from tag_pairs cimport add_extra_tags, add_tags, result_of
from text_lines cimport (
    Lines, Text, add_bytes, begin_word, end_line, end_word, grow, write_number, write_text,
)
from thresholds cimport NOTE_COMMENT, NOTE_NAG, NOTE_VARIATION

cdef extern from *:
    Py_ssize_t PY_SSIZE_T_MAX

cdef enum:
    MOVE_BYTES = SAN_BYTES + 25    # number, dots and blanks before a move
    END_BYTES = 64                 # rest of the movetext: result, line ends
    ANNOTATION_MARKS_BYTES = 32    # delimiters of an annotation, or the digits of a NAG
    BEFORE_FIRST_PLY = -1

ctypedef struct Annotation:
    int64_t ply
    int type
    bint to_line_end               # a comment that braces cannot hold
    bint has_loose_brace
    uint64_t number                # of a NAG
    size_t start                   # in Batch.texts
    size_t length

ctypedef struct Game:
    int64_t game_id
    size_t tags, tags_length       # offsets in Batch.texts
    size_t fen, fen_length         # length 0: the standard start position
    size_t moves, ply_count
    size_t first_annotation, annotation_count
    size_t annotation_bytes
    const char *result

ctypedef struct Batch:
    Text texts
    Text games                     # of Game
    Text annotations               # of Annotation
    Text out

ctypedef struct Writing:           # a game while it is written
    Lines lines
    Replay replay
    size_t ply                     # plies that are written
    bint needs_number              # the next move has its number, whoever plays it

PRINTED_COLUMNS = printed_columns()    # of a row


cdef void write_line_comment(Lines *l, const uint8_t *p, size_t length) noexcept nogil:
    """Write a comment to the end of the line (PGN standard 5)."""
    cdef size_t i
    l.at[0] = b';'
    l.at += 1
    for i in range(length):
        l.at[i] = b' ' if is_newline(p[i]) else p[i]
    l.at += length


cdef void write_annotation(
    Lines *l, const Annotation *annotation, const uint8_t *texts
) noexcept nogil:
    begin_word(l)
    if annotation.type == NOTE_NAG:
        l.at[0] = b'$'
        l.at = write_number(annotation.number, l.at + 1)
        end_word(l)
        return
    if annotation.to_line_end:
        write_line_comment(l, texts + annotation.start, annotation.length)
        end_line(l)
        return
    l.at[0] = b'{' if annotation.type == NOTE_COMMENT else b'('
    l.at += 1
    write_text(
        l, texts + annotation.start, annotation.length, annotation.type == NOTE_COMMENT
    )
    l.at[0] = b'}' if annotation.type == NOTE_COMMENT else b')'
    l.at += 1
    end_word(l)


cdef inline void write_move_number(Lines *l, const Position *pos) noexcept nogil:
    begin_word(l)
    l.at = write_number(<uint64_t>pos.fullmove, l.at)
    memcpy(l.at, b"...", 3)
    l.at += 1 if pos.turn == WHITE else 3
    end_word(l)


cdef int write_plies(const Batch *b, const Game *g, Writing *w, size_t stop) except -1 nogil:
    """Write the plies before `stop`; raise ValueError at an illegal ply."""
    cdef Lines *lines = &w.lines
    cdef uint8_t *after
    cdef move16_t move
    while w.ply < stop:
        move = stored_move(b.texts.data + g.moves, <Py_ssize_t>w.ply)
        if w.needs_number or w.replay.pos.turn == WHITE:
            write_move_number(lines, &w.replay.pos)
        w.needs_number = False
        begin_word(lines)
        after = write_ply(&w.replay, move, lines.at)
        if after == NULL:
            with gil:
                raise ValueError(
                    f"game {g.game_id}, ply {w.ply + 1} of {g.ply_count}: "
                    f"stored move 0x{move:04x} is not legal"
                )
        lines.at = after
        end_word(lines)
        w.ply += 1


cdef int begin_game(Batch *b, const Game *g, Py_ssize_t width, Writing *w) except -1 nogil:
    """Append the tags of a game to the output."""
    cdef const uint8_t *texts = b.texts.data
    cdef Position start
    w.ply = 0
    grow(&b.out, g.tags_length + g.ply_count * MOVE_BYTES + g.annotation_bytes + END_BYTES)
    if g.fen_length:
        if not read_start_fen(
            &start, texts + g.fen, texts + g.fen + g.fen_length, g.ply_count > 0
        ):
            with gil:
                raise ValueError(f"game {g.game_id}: FEN is not a legal position")
        begin_replay(&w.replay, &start)
    else:
        begin_replay(&w.replay, &STANDARD)
    w.needs_number = True
    w.lines.at = b.out.data + b.out.size
    w.lines.width = width
    if g.tags_length:
        memcpy(w.lines.at, texts + g.tags, g.tags_length)
    w.lines.at += g.tags_length
    end_line(&w.lines)


cdef int reserve_part(Batch *b, const Game *g, Writing *w) except -1 nogil:
    """Reserve memory for the annotations in memory and the rest of the game."""
    cdef Lines *lines = &w.lines
    cdef uint8_t *data = b.out.data
    b.out.size = lines.at - data
    grow(&b.out, (g.ply_count - w.ply) * MOVE_BYTES + g.annotation_bytes + END_BYTES)
    lines.at = b.out.data + b.out.size
    lines.line = b.out.data + (lines.line - data)
    if lines.gap != NULL:
        lines.gap = b.out.data + (lines.gap - data)


cdef int write_part(Batch *b, const Game *g, Writing *w) except -1 nogil:
    """Write the annotations in memory, and the plies before each."""
    cdef const Annotation *annotation = <const Annotation *>b.annotations.data + g.first_annotation
    cdef const Annotation *stop = annotation + g.annotation_count
    cdef size_t plies
    reserve_part(b, g, w)
    while annotation < stop:
        plies = 0
        if annotation.ply > BEFORE_FIRST_PLY:
            plies = min(<size_t>annotation.ply + 1, g.ply_count)
        write_plies(b, g, w, plies)
        w.needs_number = w.needs_number or annotation.type != NOTE_NAG
        write_annotation(&w.lines, annotation, b.texts.data)
        annotation += 1


cdef int end_game(Batch *b, const Game *g, Writing *w) except -1 nogil:
    """Write the remaining plies and the result."""
    cdef Lines *lines = &w.lines
    cdef size_t length = strlen(g.result)
    write_plies(b, g, w, g.ply_count)
    begin_word(lines)
    memcpy(lines.at, g.result, length)
    lines.at += length
    end_word(lines)
    end_line(lines)
    end_line(lines)
    b.out.size = lines.at - b.out.data


cdef int write_games(Batch *b, Py_ssize_t width) except -1 nogil:
    cdef const Game *games = <const Game *>b.games.data
    cdef size_t i
    cdef Writing writing
    for i in range(b.games.size // sizeof(Game)):
        begin_game(b, &games[i], width, &writing)
        write_part(b, &games[i], &writing)
        end_game(b, &games[i], &writing)


cdef bint closes_more(const uint8_t *p, size_t length) noexcept nogil:
    """Return whether text has a closing brace that no brace before it opens."""
    cdef Py_ssize_t depth = 0
    cdef const uint8_t *end = p + length
    if memchr(p, b'}', length) == NULL:
        return False
    while p < end and depth >= 0:
        depth += p[0] == b'{'
        depth -= p[0] == b'}'
        p += 1
    return depth < 0


def has_loose_brace(str text not None) -> bool:
    """Return whether text has a closing brace that no brace before it opens."""
    cdef Py_ssize_t length = 0
    cdef const char *utf8 = PyUnicode_AsUTF8AndSize(text, &length)
    return closes_more(<const uint8_t *>utf8, length)


cdef int add_annotation(Batch *b, Game *g, tuple entry) except -1:
    """Append one annotation: (ply, position, type, payload)."""
    cdef Annotation annotation
    cdef const char *utf8
    cdef Py_ssize_t length = 0
    cdef int64_t number
    if len(entry) != 4:
        raise ValueError(f"game {g.game_id}: annotation has {len(entry)} fields, not 4")
    memset(&annotation, 0, sizeof(Annotation))
    annotation.ply = entry[0]
    annotation.type = entry[2]
    if annotation.type == NOTE_NAG:
        number = entry[3]
        if number < 0:
            raise OverflowError(f"game {g.game_id}: NAG is negative: {number}")
        annotation.number = number
    elif annotation.type == NOTE_COMMENT or annotation.type == NOTE_VARIATION:
        utf8 = PyUnicode_AsUTF8AndSize(entry[3], &length)
        annotation.length = length
        annotation.start = add_bytes(&b.texts, utf8, length + 1)   # with the NUL after it
        grow(&b.texts, sizeof(uint64_t))              # see begins_game()
        annotation.to_line_end = (
            annotation.type == NOTE_COMMENT and memchr(utf8, b'}', length) != NULL
        )
        annotation.has_loose_brace = closes_more(<const uint8_t *>utf8, length)
    else:
        raise ValueError(f"game {g.game_id}: unknown type of annotation: {annotation.type}")
    add_bytes(&b.annotations, &annotation, sizeof(Annotation))
    g.annotation_count += 1
    g.annotation_bytes += annotation.length + ANNOTATION_MARKS_BYTES


cdef int add_annotations(Batch *b, Game *g, list entries, bint closing) except -1:
    """Append annotations; `closing`: another annotation of the game has a loose brace."""
    cdef Annotation *annotations
    cdef size_t i
    for entry in entries:
        add_annotation(b, g, entry)
    annotations = <Annotation *>b.annotations.data + g.first_annotation
    for i in range(g.annotation_count):
        closing = closing or annotations[i].has_loose_brace
    # A reader that pairs braces could pair an opening brace with one in a later annotation.
    for i in range(g.annotation_count if closing else 0):
        if annotations[i].type == NOTE_COMMENT and annotations[i].length:
            if memchr(b.texts.data + annotations[i].start, b'{', annotations[i].length) != NULL:
                annotations[i].to_line_end = True


cdef int add_row(Batch *b, tuple row, list events, list sites, list players, annotations) except -1:
    """Copy a game into the batch."""
    cdef Game g
    cdef bytes moves = row[PRINTED_MOVES2]
    cdef Py_ssize_t length = 0
    cdef const char *fen
    memset(&g, 0, sizeof(Game))
    g.game_id = row[PRINTED_ID]
    g.tags = b.texts.size
    add_tags(&b.texts, row, events, sites, players)
    if row[PRINTED_EXTRA_TAGS] is not None:
        add_extra_tags(&b.texts, row[PRINTED_EXTRA_TAGS])
    g.tags_length = b.texts.size - g.tags
    g.result = result_of(row[PRINTED_RESULT])
    if row[PRINTED_FEN]:
        fen = PyUnicode_AsUTF8AndSize(row[PRINTED_FEN], &length)
        g.fen_length = length
        g.fen = add_bytes(&b.texts, fen, length)
    if moves is not None:
        length = PyBytes_GET_SIZE(moves)
        if length & 1:
            raise ValueError(f"game {g.game_id}: odd move blob of {length} bytes")
        g.ply_count = length // 2
        g.moves = add_bytes(&b.texts, PyBytes_AS_STRING(moves), length)
    g.first_annotation = b.annotations.size // sizeof(Annotation)
    if annotations is not None:
        add_annotations(b, &g, annotations, False)
    add_bytes(&b.games, &g, sizeof(Game))


cdef class PgnWriter:
    """Writes rows of games as PGN text. One object serves one thread at a time."""
    cdef Batch batch
    cdef Py_ssize_t width
    cdef bint busy

    def __cinit__(self, Py_ssize_t width=80):
        if width < 0:
            raise ValueError(f"invalid line width: {width} columns")
        self.width = width if width else PY_SSIZE_T_MAX

    def __dealloc__(self):
        free(self.batch.texts.data)
        free(self.batch.games.data)
        free(self.batch.annotations.data)
        free(self.batch.out.data)

    cdef int begin(self) except -1:
        """Mark the object as busy and empty its buffers."""
        cdef Batch *b = &self.batch
        if self.busy:
            raise ValueError("PgnWriter is in use by another thread; create one for each thread")
        self.busy = True
        b.texts.size = b.games.size = b.annotations.size = b.out.size = 0

    def write(
        self, list rows not None, list events not None, list sites not None,
        list players not None, dict annotations not None,
    ):
        """Return the games of the rows as PGN text in UTF-8; see the stub for the fields."""
        cdef Batch *b = &self.batch
        cdef tuple row
        self.begin()
        try:
            for row in rows:
                if row is None or len(row) != PRINTED_COUNT:
                    raise ValueError(f"row of a game does not have {PRINTED_COUNT} fields: {row!r}")
                game_annotations = annotations.get(row[PRINTED_ID]) if annotations else None
                add_row(b, row, events, sites, players, game_annotations)
            with nogil:
                write_games(b, self.width)
            return PyBytes_FromStringAndSize(<const char *>b.out.data, b.out.size)
        finally:
            self.busy = False

    def write_in_parts(
        self, tuple row not None, list events not None, list sites not None,
        list players not None, parts, bint closing,
    ):
        """Return one game as PGN text; hold a part of its annotations in memory at a time."""
        cdef Batch *b = &self.batch
        cdef Game *g
        cdef Writing writing
        cdef size_t text_bytes
        cdef list annotations
        self.begin()
        try:
            add_row(b, row, events, sites, players, None)
            text_bytes = b.texts.size
            g = <Game *>b.games.data
            begin_game(b, g, self.width, &writing)
            for annotations in parts:
                b.texts.size = text_bytes
                b.annotations.size = g.annotation_count = g.annotation_bytes = 0
                add_annotations(b, g, annotations, closing)
                with nogil:
                    write_part(b, g, &writing)
            with nogil:
                end_game(b, g, &writing)
            return PyBytes_FromStringAndSize(<const char *>b.out.data, b.out.size)
        finally:
            self.busy = False
