"""Convert records of a block into rows of Python values: games that need Python's help.

Runs with the GIL. Values that no kernel can decode go through the functions of `odd_values`:
date(text), result(text), charset(bytes), name(text), variation(text), extra_tags(...). Plain games
are inserted by plain_game.pxd, which shares the rules for single values below.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp

from game_buffers cimport (
    FAULT_AMBIGUOUS, FAULT_ILLEGAL, FAULT_OPEN_COMMENT, FAULT_OPEN_VARIATION, FAULT_POSITION,
    FAULT_TOO_LONG, FAULT_UNREADABLE, HAS_CHESS960_CASTLING, HAS_COMMENTS, HAS_HIGH_BYTES,
    HAS_NULL_MOVES, HAS_VARIATIONS, ITEM_LOOSE_VARIATION, ITEM_NAG, ITEM_VARIATION, KNOWN_TAGS,
    REJECT_VARIANT, RESULT_BLACK, RESULT_DRAW, RESULT_NONE, RESULT_OPEN, RESULT_WHITE, TAG_BLACK,
    TAG_BLACK_ELO, TAG_DATE, TAG_ECO, TAG_EVENT, TAG_FEN, TAG_RESULT, TAG_ROUND, TAG_SETUP,
    TAG_SITE, TAG_TIME_CONTROL, TAG_VARIANT, TAG_WHITE, TAG_WHITE_ELO, GameRecord, Item, NameEntry,
    Names, Span, TagRecord, intern_name, item_kind, item_ply,
)
from game_columns cimport (
    LOADED_COUNT, ROW_BLACK, ROW_BLACK_ELO, ROW_CHARSET, ROW_DATE, ROW_DATE_QUALITY, ROW_ECO,
    ROW_EVENT, ROW_EXTRA_TAGS, ROW_FEN, ROW_FINAL_ZOBRIST, ROW_HAS_COMMENTS, ROW_HAS_VARIATIONS,
    ROW_ID, ROW_MOVES, ROW_MOVE_HASH, ROW_PLY_COUNT, ROW_POSITIONS_KEY, ROW_RESULT, ROW_ROUND,
    ROW_SAMPLED_KEY, ROW_SITE, ROW_SOURCE, ROW_SOURCE_NUMBER, ROW_SOURCE_OFFSET, ROW_SPECIAL_MOVES,
    ROW_TIME_CONTROL, ROW_WHITE, ROW_WHITE_ELO,
)
from movetext cimport Reader
from pgn_game cimport trimmed
from pgn_lex cimport fold_lines
from record_hash cimport (
    KIND_COMMENT, KIND_NAG, KIND_VARIATION, Message, add_bytes, add_moves, add_number, add_text,
    begin_annotation, begin_message, core_hash, end_text,
)
from san_read cimport is_cyrillic, token_end
from utf8 cimport is_utf8, may_be_garbled

cdef enum:
    UNKNOWN_RESULT = -1

cdef enum:
    NOTES_AT_ONCE = 1024   # as Python objects

ctypedef struct NotePlace:             # of the next annotation of a game
    uint32_t number
    int ply                # of the one before it
    int position

ctypedef struct RowContext:
    Reader *reader
    Names *events
    Names *sites
    Names *players
    int64_t game_id
    int64_t source_id
    int64_t number         # of the block in its source, 1-based
    int64_t offset         # bytes of the source before this block
    int64_t line           # line ends of the source before `line_at`
    size_t line_at


cdef inline bint is_text(
    const uint8_t *base, Span span, const char *text, uint32_t n
) noexcept nogil:
    return span.length == n and memcmp(base + span.start, text, n) == 0


cdef inline bint says_nothing(const uint8_t *base, Span span) noexcept nogil:
    """Return whether a value is empty or the standard's "?"."""
    return span.length == 0 or (span.length == 1 and base[span.start] == b'?')


cdef inline str decode(const uint8_t *p, Py_ssize_t length, charset):
    """Decode as UTF-8; decode invalid UTF-8 by the game's 8-bit charset."""
    if charset is None:
        return PyUnicode_DecodeUTF8(<const char *>p, length, "strict")
    try:
        return PyUnicode_DecodeUTF8(<const char *>p, length, "strict")
    except UnicodeDecodeError:
        return (<const char *>p)[:length].decode(charset)


cdef inline object game_charset(RowContext *c, const GameRecord *g, odd_values):
    """Return None if the game's text is UTF-8, else its 8-bit charset."""
    cdef const uint8_t *text = c.reader.base + g.start
    cdef Py_ssize_t length = g.end - g.start
    if not g.flags & HAS_HIGH_BYTES or is_utf8(text, text + length):
        return None
    if is_cyrillic(g.language) and memchr(text, 0x98, length) == NULL:
        return "windows-1251"                         # the charset of its piece letters; 98 is free
    return odd_values.charset(PyBytes_FromStringAndSize(<const char *>text, length))


cdef inline str unescaped(str text):
    return text.replace('\\"', '"').replace("\\\\", "\\") if "\\" in text else text


cdef inline uint32_t name_id(
    RowContext *c, Names *names, const GameRecord *g, int tag, charset, odd_values
) except 0:
    cdef const uint8_t *base = c.reader.base
    cdef Span span = trimmed(base, g.known[tag])
    cdef uint32_t id
    cdef bytes raw
    if says_nothing(base, span):
        return 1
    if charset is None and memchr(base + span.start, 92, span.length) == NULL and (
        not may_be_garbled(base + span.start, span.length)
    ):
        id = intern_name(names, base + span.start, span.length, 0)
    else:
        raw = odd_values.name(unescaped(decode(base + span.start, span.length, charset))).encode()
        id = intern_name(
            names, <const uint8_t *>PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw), 0
        )
    if not id:
        raise MemoryError("out of memory for a table of names")
    return id


cdef inline object text_or_none(RowContext *c, const GameRecord *g, int tag, charset):
    cdef const uint8_t *base = c.reader.base
    cdef Span span = g.known[tag]
    if span.length == 0:
        return None
    span = trimmed(base, span)
    if says_nothing(base, span):
        return None
    return unescaped(decode(base + span.start, span.length, charset))


cdef inline int number_or(const uint8_t *p, uint32_t length, int otherwise) noexcept nogil:
    """Parse 1 to 4 digits as a number."""
    cdef int value = 0
    cdef uint32_t i
    if length == 0 or length > 4:
        return otherwise
    for i in range(length):
        if not b'0' <= p[i] <= b'9':
            return otherwise
        value = value * 10 + p[i] - c'0'
    return value


cdef inline bint is_odd_elo(const uint8_t *base, Span span) noexcept nogil:
    """Return whether an Elo is neither a number nor absent, so that it is an extra tag."""
    if says_nothing(base, span) or (span.length == 1 and base[span.start] == b'-'):
        return False
    if span.length > 1 and base[span.start] == b'0':
        return True                                   # else "0000" would be exported as "0"
    return number_or(base + span.start, span.length, -1) < 0


cdef inline int elo_value(RowContext *c, const Span *known, uint32_t player) noexcept nogil:
    """Return an Elo, -1 if there is none; keep the highest of each player."""
    cdef Span span = trimmed(c.reader.base, known[0])
    cdef int value = number_or(c.reader.base + span.start, span.length, -1)
    if value < 0 or is_odd_elo(c.reader.base, span):
        return -1
    if player > 1 and value > c.players.entries[player].elo:
        c.players.entries[player].elo = value
    return value


cdef inline object elo(RowContext *c, const GameRecord *g, int tag, uint32_t player):
    cdef int value = elo_value(c, &g.known[tag], player)
    return None if value < 0 else value


cdef inline int has_comments(const GameRecord *g) noexcept nogil:
    return 1 if g.flags & HAS_COMMENTS else 0


cdef inline int has_variations(const GameRecord *g) noexcept nogil:
    return 1 if g.flags & HAS_VARIATIONS else 0


cdef inline int special_moves(const GameRecord *g) noexcept nogil:
    """Return the bits of Games.SpecialMoves: 1 Chess960 castling, 2 null moves."""
    return (1 if g.flags & HAS_CHESS960_CASTLING else 0) + (
        2 if g.flags & HAS_NULL_MOVES else 0
    )


cdef inline int two_digits(const uint8_t *p) noexcept nogil:
    if not (b'0' <= p[0] <= b'9' and b'0' <= p[1] <= b'9'):
        return -1
    return (p[0] - c'0') * 10 + p[1] - c'0'


cdef inline int month_days(int year, int month) noexcept nogil:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month == 4 or month == 6 or month == 9 or month == 11 else 31


cdef inline int standard_date_quality(const uint8_t *p, uint32_t length) noexcept nogil:
    """Return DateQuality of a date in standard form, -1 if Python must parse it."""
    cdef int year, month, day
    if length != 10 or p[4] != b'.' or p[7] != b'.':
        return -1
    if memcmp(p, b"????.??.??", 10) == 0:
        return 0
    if not (p[0] == b'1' or p[0] == b'2') or two_digits(p) < 15 or two_digits(p) > 20 \
            or two_digits(p + 2) < 0:
        return -1
    if memcmp(p + 5, b"??.??", 5) == 0:
        return 13
    month = two_digits(p + 5)
    if month < 1 or month > 12:
        return -1
    if p[8] == b'?' and p[9] == b'?':
        return 23
    day = two_digits(p + 8)
    year = two_digits(p) * 100 + two_digits(p + 2)
    return 33 if 1 <= day <= month_days(year, month) else -1


cdef inline int standard_result(const uint8_t *base, Span span) noexcept nogil:
    """Return the code of a Result tag, UNKNOWN_RESULT if it is not in standard form."""
    if says_nothing(base, span):
        return RESULT_NONE
    if is_text(base, span, b"1-0", 3):
        return RESULT_WHITE
    if is_text(base, span, b"0-1", 3):
        return RESULT_BLACK
    if is_text(base, span, b"1/2-1/2", 7):
        return RESULT_DRAW
    return RESULT_OPEN if is_text(base, span, b"*", 1) else UNKNOWN_RESULT


cdef inline bint is_extra(const TagRecord *tag, const GameRecord *g) noexcept nogil:
    """Return whether a tag has no column: unknown, repeated, Variant, or SetUp without a FEN."""
    return tag.known == KNOWN_TAGS or tag.known == TAG_VARIANT or (
        tag.known == TAG_SETUP and g.known[TAG_FEN].length == 0
    )


cdef inline list extra_tag_list(RowContext *c, const GameRecord *g, charset):
    """Return (name, value) of the tags without a column, in order, repeats included."""
    cdef const uint8_t *base = c.reader.base
    cdef const TagRecord *tag
    cdef uint32_t i
    cdef list pairs = []
    cdef str name, value
    for i in range(g.tag_count):
        tag = c.reader.out.tags + g.first_tag + i
        if is_extra(tag, g):
            name = decode(base + tag.name.start, tag.name.length, "latin-1")
            value = decode(base + tag.value.start, tag.value.length, charset)
            pairs.append((name, unescaped(value) if tag.escaped else value))
    return pairs


cdef inline object odd_elos(RowContext *c, const GameRecord *g, charset):
    """Return the Elo tags that are not numbers, as (name, value)."""
    cdef list pairs = []
    cdef int tag
    cdef Span span
    for tag in (<int>TAG_WHITE_ELO, <int>TAG_BLACK_ELO):
        span = trimmed(c.reader.base, g.known[tag])
        if is_odd_elo(c.reader.base, span):
            pairs.append((
                "WhiteElo" if tag == TAG_WHITE_ELO else "BlackElo",
                unescaped(decode(c.reader.base + span.start, span.length, charset)),
            ))
    return pairs


cdef inline str result_text(int code):
    if code == RESULT_WHITE:
        return "1-0"
    if code == RESULT_BLACK:
        return "0-1"
    return "1/2-1/2" if code == RESULT_DRAW else "*"


cdef inline int agreed_result(int tag, int marker) noexcept nogil:
    """Return the result of tag and movetext together; UNKNOWN_RESULT if they differ.

    If one of them is "*" or missing, the other counts.
    """
    if tag == RESULT_NONE or tag == RESULT_OPEN:
        return RESULT_OPEN if marker == RESULT_NONE else marker
    if marker == RESULT_NONE or marker == RESULT_OPEN or marker == tag:
        return tag
    return UNKNOWN_RESULT


cdef inline tuple odd_date(RowContext *c, const GameRecord *g, charset, odd_values):
    """Return date, DateQuality, and the original text if it differs from the date."""
    cdef Span span = trimmed(c.reader.base, g.known[TAG_DATE])
    cdef str text
    if says_nothing(c.reader.base, span):
        return "????.??.??", 0, None
    text = unescaped(decode(c.reader.base + span.start, span.length, charset))
    date, quality = odd_values.date(text)
    return date, quality, None if date == text else text


cdef inline int result_code(text):
    """Return the code of a result in standard form, RESULT_NONE for None."""
    if text == "1-0":
        return RESULT_WHITE
    if text == "0-1":
        return RESULT_BLACK
    if text == "1/2-1/2":
        return RESULT_DRAW
    return RESULT_OPEN if text == "*" else RESULT_NONE


cdef inline tuple odd_result(RowContext *c, const GameRecord *g, charset, odd_values):
    """Return the result, the odd text of its tag, and the movetext's marker if it differs."""
    cdef Span span = trimmed(c.reader.base, g.known[TAG_RESULT])
    cdef int code = standard_result(c.reader.base, span)
    cdef int agreed
    cdef object odd = None
    if code == UNKNOWN_RESULT:
        odd = unescaped(decode(c.reader.base + span.start, span.length, charset))
        code = result_code(odd_values.result(odd))
    agreed = agreed_result(code, g.result)
    if agreed == UNKNOWN_RESULT:
        return result_text(code), odd, result_text(g.result)
    return result_text(agreed), odd, None


cdef inline object move_blob(RowContext *c, const GameRecord *g):
    """Return the moves as little-endian 16-bit numbers, whatever the machine."""
    cdef const uint8_t *moves = <const uint8_t *>(c.reader.out.moves + g.first_move)
    return PyBytes_FromStringAndSize(<const char *>moves, 2 * <Py_ssize_t>g.ply_count)


cdef inline tuple original_names(RowContext *c, const GameRecord *g, charset, odd_values):
    """Return Event, Site, White and Black as written, None for each that was not garbled."""
    cdef list names = []
    if not g.flags & HAS_HIGH_BYTES:
        return (None, None, None, None)
    for tag in (TAG_EVENT, TAG_SITE, TAG_WHITE, TAG_BLACK):
        text = text_or_none(c, g, tag, charset)
        names.append(None if text is None or odd_values.name(text) == text else text)
    return tuple(names)


cdef inline tuple odd_values_of(RowContext *c, const GameRecord *g, charset, odd_values):
    """Return Date, Result, FEN, DateQuality and ExtraTags."""
    date, quality, original_date = odd_date(c, g, charset, odd_values)
    result, original_result, marker = odd_result(c, g, charset, odd_values)
    fen = text_or_none(c, g, TAG_FEN, charset)
    bad_fen = fen if g.fault == FAULT_POSITION else None
    extra, quality = odd_values.extra_tags(
        extra_tag_list(c, g, charset), odd_elos(c, g, charset),
        (original_date, original_result, marker, bad_fen)
        + original_names(c, g, charset, odd_values),
        date, quality,
    )
    return date, result, None if bad_fen is not None else fen, quality, extra


cdef inline tuple game_row(RowContext *c, const GameRecord *g, charset, odd_values):
    """Return the row of any game without its hashes: see game_columns.pxd."""
    cdef uint32_t white = name_id(c, c.players, g, TAG_WHITE, charset, odd_values)
    cdef uint32_t black = name_id(c, c.players, g, TAG_BLACK, charset, odd_values)
    cdef list row = [None] * LOADED_COUNT
    date, result, fen, quality, extra = odd_values_of(c, g, charset, odd_values)
    row[ROW_ID] = c.game_id
    row[ROW_EVENT] = name_id(c, c.events, g, TAG_EVENT, charset, odd_values)
    row[ROW_SITE] = name_id(c, c.sites, g, TAG_SITE, charset, odd_values)
    row[ROW_DATE] = date
    row[ROW_ROUND] = text_or_none(c, g, TAG_ROUND, charset)
    row[ROW_WHITE] = white
    row[ROW_WHITE_ELO] = elo(c, g, TAG_WHITE_ELO, white)
    row[ROW_BLACK] = black
    row[ROW_BLACK_ELO] = elo(c, g, TAG_BLACK_ELO, black)
    row[ROW_RESULT] = result
    row[ROW_TIME_CONTROL] = text_or_none(c, g, TAG_TIME_CONTROL, charset)
    row[ROW_ECO] = text_or_none(c, g, TAG_ECO, charset)
    row[ROW_PLY_COUNT] = g.ply_count
    row[ROW_FEN] = fen
    row[ROW_MOVES] = move_blob(c, g)
    row[ROW_MOVE_HASH] = <int64_t>g.mainline_hash
    row[ROW_FINAL_ZOBRIST] = <int64_t>g.final_zobrist
    row[ROW_POSITIONS_KEY] = <int64_t>g.positions_key
    row[ROW_SAMPLED_KEY] = <int64_t>g.sampled_key
    row[ROW_SOURCE] = c.source_id
    row[ROW_SOURCE_NUMBER] = c.number
    row[ROW_SOURCE_OFFSET] = c.offset + g.start
    row[ROW_DATE_QUALITY] = quality
    row[ROW_HAS_COMMENTS] = has_comments(g)
    row[ROW_HAS_VARIATIONS] = has_variations(g)
    row[ROW_SPECIAL_MOVES] = special_moves(g)
    row[ROW_CHARSET] = charset
    row[ROW_EXTRA_TAGS] = extra
    return tuple(row)


cdef inline str one_line(RowContext *c, const uint8_t *p, uint32_t length, charset):
    """Decode text with each line end as one space."""
    cdef uint8_t *copy
    if memchr(p, 10, length) == NULL and memchr(p, 13, length) == NULL:
        return decode(p, length, charset)
    copy = <uint8_t *>malloc(length)
    if copy == NULL:
        raise MemoryError("out of memory for a comment")
    try:
        return decode(copy, fold_lines(p, length, copy), charset)
    finally:
        free(copy)


cdef inline str note_text(RowContext *c, const Item *item, charset, odd_values):
    """Return the text of a comment or variation as it is stored."""
    cdef const uint8_t *text = c.reader.base + item.start
    cdef int kind = item_kind(item)
    cdef str variation
    if kind == ITEM_LOOSE_VARIATION:
        variation = odd_values.variation(decode(text, item.length, charset))
        return "(" + variation.replace("{", "(").replace("}", ")") + ")"
    if kind == ITEM_VARIATION and (
        memchr(text, b';', item.length) != NULL or memchr(text, b'%', item.length) != NULL
    ):
        return odd_values.variation(decode(text, item.length, charset))
    return one_line(c, text, item.length, charset)


cdef inline int add_str(Message *m, str text) except -1:
    """Add a text to the message to hash."""
    cdef Py_ssize_t length = 0
    cdef const char *utf8 = PyUnicode_AsUTF8AndSize(text, &length)
    add_bytes(m, <const uint8_t *>utf8, length)
    return 0


cdef inline int append_annotations(
    RowContext *c, const GameRecord *g, Message *m, NotePlace *place, charset, odd_values,
    list comments, list annotations,
) except -1:
    """Append rows of the next annotations, and add these to the message to hash.

    Rows: (GameID, Ply, Comment, Position), and (GameID, Ply, Position, NAG, Variation).
    """
    cdef const Item *item
    cdef str text
    cdef int ply, kind
    cdef uint32_t i
    cdef uint32_t stop = min(place.number + <uint32_t>NOTES_AT_ONCE, g.item_count)
    for i in range(place.number, stop):
        item = c.reader.out.items + g.first_item + i
        kind = item_kind(item)
        ply = item_ply(item)
        place.position = place.position + 1 if i and ply == place.ply else 0
        place.ply = ply
        if kind == ITEM_NAG:
            begin_annotation(m, ply, KIND_NAG)
            add_number(m, item.length)
            end_text(m)
            annotations.append((c.game_id, ply, place.position, item.length, None))
            continue
        text = note_text(c, item, charset, odd_values)
        if kind == ITEM_VARIATION:
            begin_annotation(m, ply, KIND_VARIATION)
            annotations.append((c.game_id, ply, place.position, None, text))
        else:
            begin_annotation(m, ply, KIND_COMMENT)
            comments.append((c.game_id, ply, text, place.position))
        add_str(m, text)
        end_text(m)
    place.number = stop
    return 0


cdef inline void add_name(Message *m, const Names *names, uint32_t name_id) noexcept nogil:
    cdef const NameEntry *entry = &names.entries[name_id]
    add_text(m, names.arena + entry.start, entry.length)


cdef inline int add_value(Message *m, text) except -1:
    """Add a value of a row, which may be None, to the message to hash."""
    if text is not None and text != "?":
        add_str(m, text)
    end_text(m)
    return 0


cdef inline int64_t row_core_hash(RowContext *c, Message *m, tuple row):
    """Return CoreHash of a row from game_row()."""
    cdef const NameEntry *white = &c.players.entries[<uint32_t>row[ROW_WHITE]]
    cdef const NameEntry *black = &c.players.entries[<uint32_t>row[ROW_BLACK]]
    return core_hash(
        m, c.players.arena + white.start, white.length, c.players.arena + black.start, black.length
    )


cdef inline int begin_game_hash(RowContext *c, Message *m, tuple row) except -1:
    """Begin the message of GameHash with a row from game_row(); annotations follow."""
    cdef bytes moves = row[ROW_MOVES]
    begin_message(m)
    add_value(m, row[ROW_FEN])
    add_name(m, c.events, row[ROW_EVENT])
    add_name(m, c.sites, row[ROW_SITE])
    add_value(m, row[ROW_DATE])
    add_value(m, row[ROW_ROUND])
    add_name(m, c.players, row[ROW_WHITE])
    add_name(m, c.players, row[ROW_BLACK])
    add_value(m, row[ROW_RESULT])
    add_moves(m, <const uint8_t *>PyBytes_AS_STRING(moves), PyBytes_GET_SIZE(moves))
    return 0


cdef inline int64_t line_of(RowContext *c, uint32_t at) noexcept nogil:
    """Return the 1-based line of an offset in the block; offsets must come in rising order."""
    while c.line_at < at:
        if c.reader.base[c.line_at] == b'\n' or (
            c.reader.base[c.line_at] == b'\r' and c.reader.base[c.line_at + 1] != b'\n'
        ):
            c.line += 1
        c.line_at += 1
    return c.line + 1


cdef inline str fault_reason(int fault, token):
    if fault == FAULT_ILLEGAL:
        return f"illegal move {token}"
    if fault == FAULT_AMBIGUOUS:
        return f"ambiguous move {token}"
    if fault == FAULT_UNREADABLE:
        return f"unreadable move {token}"
    if fault == FAULT_OPEN_COMMENT:
        return "comment is never closed"
    if fault == FAULT_OPEN_VARIATION:
        return "variation is never closed"
    if fault == FAULT_TOO_LONG:
        return "game is longer than 8 MB"
    return "the FEN tag is not a legal position"


cdef inline int append_fault(
    RowContext *c, const GameRecord *g, charset, list faults
) except -1:
    """Append (GameID, Line, Ply, Reason, Rest, SourceNumber)."""
    cdef Span rest
    cdef const uint8_t *p = c.reader.base + g.fault_at
    cdef Py_ssize_t size = min(token_end(p) - p, 40, g.end - g.fault_at)
    rest.start = g.fault_at
    rest.length = g.end - g.fault_at
    rest = trimmed(c.reader.base, rest)
    text = decode(c.reader.base + rest.start, rest.length, charset)
    token = (<const char *>p)[:size].decode("utf-8" if charset is None else charset, "replace")
    faults.append((
        c.game_id, line_of(c, g.fault_at), g.ply_count, fault_reason(g.fault, token), text,
        c.number,
    ))
    return 0


cdef inline int append_reject(RowContext *c, const GameRecord *g, list rejects) except -1:
    """Append (SourceNumber, SourceOffset, Line, Reason, raw bytes) of a rejected text."""
    cdef const char *text = <const char *>c.reader.base + g.start
    cdef Span variant = g.known[TAG_VARIANT]
    reason = "no game: neither tags nor moves"
    if g.rejection == REJECT_VARIANT:
        name = (<const char *>c.reader.base + variant.start)[:variant.length]
        reason = "variant " + name.decode("utf-8", "replace") + " has other rules than chess"
    rejects.append((
        c.number, c.offset + g.start, line_of(c, g.start), reason,
        PyBytes_FromStringAndSize(text, g.end - g.start),
    ))
    return 0
