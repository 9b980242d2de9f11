"""Insert plain games of a block, and names, without the GIL and without Python objects.

A game is plain if each value can be stored as written in the text, or as a constant. All other
games go through game_rows.pxd, which would make the same rows of plain games, but slower.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport realloc
from libc.string cimport memchr, memcmp, memcpy, memset

from game_buffers cimport (
    ACCEPTED, HAS_HIGH_BYTES, ITEM_LOOSE_VARIATION, ITEM_NAG, ITEM_VARIATION, NO_FAULT,
    REPEATED_TAGS, RESULT_BLACK, RESULT_DRAW, RESULT_WHITE, TAG_BLACK, TAG_BLACK_ELO, TAG_DATE,
    TAG_ECO, TAG_EVENT, TAG_FEN, TAG_RESULT, TAG_ROUND, TAG_SITE, TAG_TIME_CONTROL, TAG_WHITE,
    TAG_WHITE_ELO, GameRecord, Item, NameEntry, Names, Span, TagRecord, intern_name, item_kind,
    item_ply, name_hash,
)
from game_columns cimport (
    ROW_BLACK, ROW_BLACK_ELO, ROW_CHARSET, ROW_CORE_HASH, ROW_DATE, ROW_DATE_QUALITY, ROW_ECO,
    ROW_EVENT, ROW_EXTRA_TAGS, ROW_FEN, ROW_FINAL_ZOBRIST, ROW_GAME_HASH, ROW_HAS_COMMENTS,
    ROW_HAS_VARIATIONS, ROW_ID, ROW_MOVES, ROW_MOVE_HASH, ROW_PLY_COUNT, ROW_POSITIONS_KEY,
    ROW_RESULT, ROW_ROUND, ROW_SAMPLED_KEY, ROW_SITE, ROW_SOURCE, ROW_SOURCE_NUMBER,
    ROW_SOURCE_OFFSET, ROW_SPECIAL_MOVES, ROW_TIME_CONTROL, ROW_WHITE, ROW_WHITE_ELO,
)
from game_rows cimport (
    UNKNOWN_RESULT, RowContext, agreed_result, elo_value, has_comments, has_variations, is_extra,
    is_odd_elo, says_nothing, special_moves, standard_date_quality, standard_result,
)
from movetext cimport Reader
from pgn_game cimport trimmed
from pgn_lex cimport fold_lines
from record_hash cimport (
    KIND_COMMENT, KIND_NAG, KIND_VARIATION, Message, add_bytes, add_moves, add_number, add_text,
    begin_annotation, begin_message, core_hash, end_text, hash_message,
)
from row_insert cimport (
    Failure, Inserter, begin_row, begin_rows, end_row, fail_for_memory, put_blob, put_int, put_null,
    put_text,
)
from sqlite_api cimport OCG_SQLITE_OK, OCG_STATIC, OCG_TRANSIENT
from utf8 cimport is_utf8, may_be_garbled

cdef enum:
    FEW_TAGS = 64          # of which each is compared with each

ctypedef struct Sink:
    Inserter games
    Inserter comments
    Inserter annotations
    Failure failure
    uint8_t *scratch       # for text that is not stored as written
    size_t scratch_room
    Message message        # for CoreHash and GameHash

ctypedef struct PlainGame:
    Span date
    int date_quality
    int result
    size_t extra_room      # maximum size of the JSON object of the extra tags, 0 if none


cdef inline bint reserve_scratch(Sink *s, size_t room) noexcept nogil:
    cdef void *larger
    if room > s.scratch_room:
        larger = realloc(s.scratch, room * 2)
        if larger == NULL:
            return False
        s.scratch = <uint8_t *>larger
        s.scratch_room = room * 2
    return True


# --- is it plain? -----------------------------------------------------------------------------

cdef inline bint needs_json_escape(const uint8_t *p, uint32_t length) noexcept nogil:
    cdef uint32_t i
    for i in range(length):
        if p[i] < 32 or p[i] == b'"' or p[i] == b'\\':
            return True
    return False


cdef inline bint are_equal(const uint8_t *base, Span a, Span b) noexcept nogil:
    return a.length == b.length and memcmp(base + a.start, base + b.start, a.length) == 0


cdef inline bint are_few_distinct(
    const uint8_t *base, const TagRecord *tags, uint32_t count
) noexcept nogil:
    cdef uint32_t i, k
    for i in range(count):
        for k in range(i):
            if are_equal(base, tags[i].name, tags[k].name):
                return False
    return True


cdef inline bint are_distinct(
    Sink *s, const uint8_t *base, const TagRecord *tags, uint32_t count
) noexcept nogil:
    """Return whether all tags of a game have different names; False also if out of memory."""
    cdef uint32_t *slots       # place of a tag plus 1, by the hash of its name
    cdef uint32_t mask = 255
    cdef uint32_t i, at
    if count <= FEW_TAGS:
        return are_few_distinct(base, tags, count)
    while mask < 2 * count:
        mask = mask * 2 + 1
    if not reserve_scratch(s, sizeof(uint32_t) * (<size_t>mask + 1)):
        return False
    slots = <uint32_t *>s.scratch
    memset(slots, 0, sizeof(uint32_t) * (<size_t>mask + 1))
    for i in range(count):
        at = name_hash(base + tags[i].name.start, tags[i].name.length) & mask
        while slots[at]:
            if are_equal(base, tags[i].name, tags[slots[at] - 1].name):
                return False
            at = (at + 1) & mask
        slots[at] = i + 1
    return True


cdef inline bint are_plain_tags(
    RowContext *c, Sink *s, const GameRecord *g, size_t *extra_room
) noexcept nogil:
    """Return whether no tag has escapes and the extra tags can be copied into a JSON object."""
    cdef const uint8_t *base = c.reader.base
    cdef const TagRecord *tags = c.reader.out.tags + g.first_tag
    cdef const TagRecord *tag
    cdef uint32_t i
    if g.odd_tags & REPEATED_TAGS:
        return False
    for i in range(g.tag_count):
        tag = &tags[i]
        if tag.escaped:
            return False
        if not is_extra(tag, g):
            continue
        if needs_json_escape(base + tag.value.start, tag.value.length):
            return False
        # A tag of our own exports, with the DateQuality.
        if tag.name.length == 12 and memcmp(base + tag.name.start, b"OriginalDate", 12) == 0:
            return False
        extra_room[0] += tag.name.length + tag.value.length + 7
    return are_distinct(s, base, tags, g.tag_count)


cdef inline bint is_garbled(const uint8_t *base, Span name) noexcept nogil:
    return may_be_garbled(base + name.start, name.length)


cdef inline bint has_garbled_name(const uint8_t *base, const GameRecord *g) noexcept nogil:
    return (
        is_garbled(base, g.known[TAG_EVENT]) or is_garbled(base, g.known[TAG_SITE])
        or is_garbled(base, g.known[TAG_WHITE]) or is_garbled(base, g.known[TAG_BLACK])
    )


cdef inline bint is_plain(
    RowContext *c, Sink *s, const GameRecord *g, PlainGame *plain
) noexcept nogil:
    """Return whether a game is plain, and set what is needed to store it."""
    cdef const uint8_t *base = c.reader.base
    plain.date = trimmed(base, g.known[TAG_DATE])
    plain.date_quality = 0
    if not says_nothing(base, plain.date):
        plain.date_quality = standard_date_quality(base + plain.date.start, plain.date.length)
    plain.result = standard_result(base, trimmed(base, g.known[TAG_RESULT]))
    if plain.result != UNKNOWN_RESULT:
        plain.result = agreed_result(plain.result, g.result)
    if plain.date_quality < 0 or plain.result == UNKNOWN_RESULT or g.fault != NO_FAULT:
        return False
    if is_odd_elo(base, trimmed(base, g.known[TAG_WHITE_ELO])) or is_odd_elo(
        base, trimmed(base, g.known[TAG_BLACK_ELO])
    ):
        return False
    if g.flags & HAS_HIGH_BYTES and (
        not is_utf8(base + g.start, base + g.end) or has_garbled_name(base, g)
    ):
        return False
    plain.extra_room = 0
    if g.odd_tags:
        return are_plain_tags(c, s, g, &plain.extra_room)
    return True


cdef inline bint are_plain_notes(RowContext *c, const GameRecord *g) noexcept nogil:
    """Return whether no variation has line comments or escape lines, which need Python."""
    cdef const Item *item
    cdef const uint8_t *text
    cdef uint32_t i
    for i in range(g.item_count):
        item = c.reader.out.items + g.first_item + i
        if item_kind(item) == ITEM_LOOSE_VARIATION:
            return False
        if item_kind(item) == ITEM_VARIATION:
            text = c.reader.base + item.start
            if memchr(text, b';', item.length) != NULL or memchr(text, b'%', item.length) != NULL:
                return False
    return True


# --- the game ---------------------------------------------------------------------------------

cdef inline uint32_t put_name(
    RowContext *c, Inserter *i, int column, Names *names, const Span *known
) noexcept nogil:
    """Bind the ID of a name and return it."""
    cdef const uint8_t *base = c.reader.base
    cdef Span span = trimmed(base, known[0])
    cdef uint32_t name_id = 1
    if not says_nothing(base, span):
        name_id = intern_name(names, base + span.start, span.length, 0)
        if not name_id:
            fail_for_memory(i)
    put_int(i, column, name_id)
    return name_id


cdef inline void put_elo(
    RowContext *c, Inserter *i, int column, const Span *known, uint32_t player
) noexcept nogil:
    cdef int value = elo_value(c, known, player)
    if value < 0:
        put_null(i, column)
    else:
        put_int(i, column, value)


cdef inline void put_value(
    RowContext *c, Inserter *i, int column, const Span *known
) noexcept nogil:
    """Bind the text of a tag, or NULL if it is empty or "?"."""
    cdef Span span = trimmed(c.reader.base, known[0])
    if says_nothing(c.reader.base, span):
        put_null(i, column)
    else:
        put_text(i, column, c.reader.base + span.start, span.length, OCG_STATIC)


cdef inline const uint8_t *result_letters(int code, size_t *length) noexcept nogil:
    length[0] = 3
    if code == RESULT_WHITE:
        return <const uint8_t *>b"1-0"
    if code == RESULT_BLACK:
        return <const uint8_t *>b"0-1"
    length[0] = 7 if code == RESULT_DRAW else 1
    return <const uint8_t *>b"1/2-1/2" if code == RESULT_DRAW else <const uint8_t *>b"*"


cdef inline const uint8_t *date_letters(RowContext *c, const PlainGame *plain) noexcept nogil:
    """Return the ten letters of a date."""
    if plain.date.length == 10:
        return c.reader.base + plain.date.start
    return <const uint8_t *>b"????.??.??"


cdef inline uint8_t *copied(uint8_t *to, const uint8_t *base, Span span) noexcept nogil:
    memcpy(to, base + span.start, span.length)
    return to + span.length


cdef inline void put_extra_tags(
    RowContext *c, Sink *s, int column, const GameRecord *g, size_t room
) noexcept nogil:
    """Bind the extra tags as a JSON object: {"name":"value","name":"value"}."""
    cdef const TagRecord *tags = c.reader.out.tags + g.first_tag
    cdef uint8_t *p
    cdef uint32_t i
    if room == 0:
        put_null(&s.games, column)
        return
    if not reserve_scratch(s, room):
        fail_for_memory(&s.games)
        return
    p = s.scratch
    for i in range(g.tag_count):
        if is_extra(&tags[i], g):
            p[0] = b'{' if p == s.scratch else b','
            p[1] = b'"'
            p = copied(p + 2, c.reader.base, tags[i].name)
            memcpy(p, b'":"', 3)
            p = copied(p + 3, c.reader.base, tags[i].value)
            p[0] = b'"'
            p += 1
    p[0] = b'}'
    put_text(&s.games, column, s.scratch, p + 1 - s.scratch, OCG_TRANSIENT)


cdef inline void put_tags(
    RowContext *c, Inserter *i, const GameRecord *g, const PlainGame *plain
) noexcept nogil:
    """Bind the columns ID to ECO."""
    cdef uint32_t white, black
    cdef size_t length
    cdef const uint8_t *result = result_letters(plain.result, &length)
    put_int(i, ROW_ID, c.game_id)
    put_name(c, i, ROW_EVENT, c.events, &g.known[TAG_EVENT])
    put_name(c, i, ROW_SITE, c.sites, &g.known[TAG_SITE])
    put_text(i, ROW_DATE, date_letters(c, plain), 10, OCG_STATIC)
    put_value(c, i, ROW_ROUND, &g.known[TAG_ROUND])
    white = put_name(c, i, ROW_WHITE, c.players, &g.known[TAG_WHITE])
    black = put_name(c, i, ROW_BLACK, c.players, &g.known[TAG_BLACK])
    put_elo(c, i, ROW_WHITE_ELO, &g.known[TAG_WHITE_ELO], white)
    put_elo(c, i, ROW_BLACK_ELO, &g.known[TAG_BLACK_ELO], black)
    put_text(i, ROW_RESULT, result, length, OCG_STATIC)
    put_value(c, i, ROW_TIME_CONTROL, &g.known[TAG_TIME_CONTROL])
    put_value(c, i, ROW_ECO, &g.known[TAG_ECO])


cdef inline void write_game(
    RowContext *c, Sink *s, const GameRecord *g, const PlainGame *plain
) noexcept nogil:
    """Insert a plain game: see game_columns.pxd."""
    cdef Inserter *i = &s.games
    cdef const uint8_t *moves = <const uint8_t *>(c.reader.out.moves + g.first_move)
    begin_row(i)
    put_tags(c, i, g, plain)
    put_int(i, ROW_PLY_COUNT, g.ply_count)
    put_value(c, i, ROW_FEN, &g.known[TAG_FEN])
    put_blob(i, ROW_MOVES, moves, 2 * <size_t>g.ply_count, OCG_STATIC)
    put_int(i, ROW_MOVE_HASH, <int64_t>g.mainline_hash)
    put_int(i, ROW_FINAL_ZOBRIST, <int64_t>g.final_zobrist)
    put_int(i, ROW_POSITIONS_KEY, <int64_t>g.positions_key)
    put_int(i, ROW_SAMPLED_KEY, <int64_t>g.sampled_key)
    put_int(i, ROW_SOURCE, c.source_id)
    put_int(i, ROW_SOURCE_NUMBER, c.number)
    put_int(i, ROW_SOURCE_OFFSET, c.offset + g.start)
    put_int(i, ROW_DATE_QUALITY, plain.date_quality)
    put_int(i, ROW_HAS_COMMENTS, has_comments(g))
    put_int(i, ROW_HAS_VARIATIONS, has_variations(g))
    put_int(i, ROW_SPECIAL_MOVES, special_moves(g))
    put_null(i, ROW_CHARSET)
    put_extra_tags(c, s, ROW_EXTRA_TAGS, g, plain.extra_room)
    put_int(i, ROW_CORE_HASH, plain_core_hash(c, s, g))
    put_int(i, ROW_GAME_HASH, plain_game_hash(c, s, g, plain))
    end_row(i)


# --- its hashes -------------------------------------------------------------------------------

cdef inline Span said(RowContext *c, const GameRecord *g, int tag) noexcept nogil:
    """Return the value of a tag as stored, empty if it is "?"."""
    cdef Span span = trimmed(c.reader.base, g.known[tag])
    if says_nothing(c.reader.base, span):
        span.length = 0
    return span


cdef inline int64_t plain_core_hash(RowContext *c, Sink *s, const GameRecord *g) noexcept nogil:
    cdef Span white = said(c, g, TAG_WHITE)
    cdef Span black = said(c, g, TAG_BLACK)
    return core_hash(
        &s.message, c.reader.base + white.start, white.length, c.reader.base + black.start,
        black.length,
    )


cdef inline void add_tag(RowContext *c, Message *m, const GameRecord *g, int tag) noexcept nogil:
    cdef Span span = said(c, g, tag)
    add_text(m, c.reader.base + span.start, span.length)


cdef inline void add_item(RowContext *c, Sink *s, const Item *item) noexcept nogil:
    """Add an annotation with each line end as one space, as it is stored."""
    cdef const uint8_t *text = c.reader.base + item.start
    cdef Message *m = &s.message
    cdef int kind = item_kind(item)
    if kind == ITEM_NAG:
        begin_annotation(m, item_ply(item), KIND_NAG)
        add_number(m, item.length)
    else:
        begin_annotation(
            m, item_ply(item), KIND_VARIATION if kind == ITEM_VARIATION else KIND_COMMENT
        )
        if memchr(text, 10, item.length) == NULL and memchr(text, 13, item.length) == NULL:
            add_bytes(m, text, item.length)
        elif reserve_scratch(s, item.length):
            add_bytes(m, s.scratch, fold_lines(text, item.length, s.scratch))
        else:
            fail_for_memory(&s.games)
    end_text(m)


cdef inline int64_t plain_game_hash(
    RowContext *c, Sink *s, const GameRecord *g, const PlainGame *plain
) noexcept nogil:
    cdef Message *m = &s.message
    cdef size_t length
    cdef const uint8_t *result = result_letters(plain.result, &length)
    cdef uint32_t i
    begin_message(m)
    add_tag(c, m, g, TAG_FEN)
    add_tag(c, m, g, TAG_EVENT)
    add_tag(c, m, g, TAG_SITE)
    add_text(m, date_letters(c, plain), 10)
    add_tag(c, m, g, TAG_ROUND)
    add_tag(c, m, g, TAG_WHITE)
    add_tag(c, m, g, TAG_BLACK)
    add_text(m, result, length)
    add_moves(
        m, <const uint8_t *>(c.reader.out.moves + g.first_move), 2 * <size_t>g.ply_count
    )
    for i in range(g.item_count):
        add_item(c, s, c.reader.out.items + g.first_item + i)
    return hash_message(m)


# --- its annotations --------------------------------------------------------------------------

cdef inline void put_one_line(
    Sink *s, Inserter *i, int column, const uint8_t *text, uint32_t length
) noexcept nogil:
    """Bind text with each line end as one space."""
    if memchr(text, 10, length) == NULL and memchr(text, 13, length) == NULL:
        put_text(i, column, text, length, OCG_STATIC)
    elif reserve_scratch(s, length):
        put_text(i, column, s.scratch, fold_lines(text, length, s.scratch), OCG_TRANSIENT)
    else:
        fail_for_memory(i)


cdef inline void write_annotation(
    RowContext *c, Sink *s, const Item *item, int position
) noexcept nogil:
    """Insert (GameID, Ply, Position, NAG, Variation)."""
    cdef Inserter *i = &s.annotations
    begin_row(i)
    put_int(i, 0, c.game_id)
    put_int(i, 1, item_ply(item))
    put_int(i, 2, position)
    if item_kind(item) == ITEM_NAG:
        put_int(i, 3, item.length)
        put_null(i, 4)
    else:
        put_null(i, 3)
        put_one_line(s, i, 4, c.reader.base + item.start, item.length)
    end_row(i)


cdef inline void write_notes(RowContext *c, Sink *s, const GameRecord *g) noexcept nogil:
    """Insert the annotations of a game; comments as (GameID, Ply, Comment, Position)."""
    cdef Inserter *comments = &s.comments
    cdef const Item *item
    cdef uint32_t i
    cdef int kind
    cdef int position = 0
    cdef int ply = -2
    for i in range(g.item_count):
        item = c.reader.out.items + g.first_item + i
        kind = item_kind(item)
        position = position + 1 if item_ply(item) == ply else 0
        ply = item_ply(item)
        if kind == ITEM_NAG or kind == ITEM_VARIATION:
            write_annotation(c, s, item, position)
            continue
        begin_row(comments)
        put_int(comments, 0, c.game_id)
        put_int(comments, 1, ply)
        put_one_line(s, comments, 2, c.reader.base + item.start, item.length)
        put_int(comments, 3, position)
        end_row(comments)


cdef inline size_t write_plain_games(RowContext *c, Sink *s, size_t at) noexcept nogil:
    """Insert games from index `at` on, until one is not plain or fails; return its index."""
    cdef const GameRecord *g
    cdef PlainGame plain
    while at < c.reader.out.game_count and s.failure.code == OCG_SQLITE_OK:
        g = &c.reader.out.games[at]
        if g.rejection != ACCEPTED or not is_plain(c, s, g, &plain):
            break
        if g.item_count and not are_plain_notes(c, g):
            break
        c.number += 1
        write_game(c, s, g, &plain)
        write_notes(c, s, g)
        c.game_id += 1
        at += 1
    return at


# --- a block, the names -----------------------------------------------------------------------

cdef inline void count_rows(const Reader *r, size_t *counts) noexcept nogil:
    """Count the rows of a block in Games, Comments and Annotations."""
    cdef const GameRecord *g
    cdef size_t i, k
    cdef int kind
    counts[0] = counts[1] = counts[2] = 0
    for i in range(r.out.game_count):
        g = &r.out.games[i]
        if g.rejection != ACCEPTED:
            continue
        counts[0] += 1
        for k in range(g.first_item, g.first_item + g.item_count):
            kind = item_kind(&r.out.items[k])
            counts[2 if kind == ITEM_NAG or kind == ITEM_VARIATION else 1] += 1


cdef inline void insert_names(
    Inserter *inserter, const Names *names, uint32_t stored
) noexcept nogil:
    """Insert the names whose ID is above `stored`."""
    cdef const NameEntry *entry
    cdef uint32_t i
    begin_rows(inserter, names.count - stored)
    for i in range(stored + 1, names.count + 1):
        entry = &names.entries[i]
        begin_row(inserter)
        put_int(inserter, 0, i)
        put_text(inserter, 1, names.arena + entry.start, entry.length, OCG_STATIC)
        if inserter.columns > 2 and entry.elo:
            put_int(inserter, 2, entry.elo)
        elif inserter.columns > 2:
            put_null(inserter, 2)
        end_row(inserter)
