"""Insert the rows of a game and of names, without the GIL and without Python objects.

The calls for a game: enter_players(), begin_record(), insert_annotation() for each of its
annotations, end_record().
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memchr, memcpy

from game_buffers cimport (
    ACCEPTED, HAS_CHESS960_CASTLING, HAS_COMMENTS, HAS_NULL_MOVES, HAS_VARIATIONS, ITEM_NAG,
    ITEM_VARIATION, GameRecord, Item, NameEntry, Names, Span, TagRecord, intern_name, item_ply,
    type_of_item,
)
from game_columns cimport (
    INSERTED_BLACK_ELO, INSERTED_BLACK_ID, INSERTED_CHARSET, INSERTED_CORE_HASH,
    INSERTED_DATE_QUALITY, INSERTED_EVENT_ID, INSERTED_EXTRA_TAGS, INSERTED_FINAL_ZOBRIST,
    INSERTED_GAME_HASH, INSERTED_HAS_COMMENTS, INSERTED_HAS_VARIATIONS, INSERTED_ID,
    INSERTED_MOVES2, INSERTED_MOVE_HASH, INSERTED_PLY_COUNT, INSERTED_POSITIONS_KEY,
    INSERTED_SAMPLED_KEY, INSERTED_SITE_ID, INSERTED_SOURCE_ID, INSERTED_SOURCE_NUMBER,
    INSERTED_SOURCE_OFFSET, INSERTED_SPECIAL_MOVES, INSERTED_WHITE_ELO, INSERTED_WHITE_ID,
    OCG_TEXT_TAGS, TAG_BLACK, TAG_BLACK_ELO, TAG_DATE, TAG_EVENT, TAG_FEN, TAG_RESULT, TAG_ROUND,
    TAG_SITE, TAG_WHITE, TAG_WHITE_ELO, TEXT_TAGS, ocg_text_tag,
)
from game_values cimport (
    RowContext, Scratch, Value, Values, elo_of, is_extra, is_plain, literal, read_values,
    result_text,
)
from memory cimport try_reserve
from movetext cimport Reader
from pgn_lex cimport copy_lines
from player_keys cimport core_hash, has_key
from record_hash cimport (
    HASHED_COMMENT, HASHED_NAG, HASHED_VARIATION, Message, add_folded, add_moves, add_number,
    add_text, begin_annotation, begin_message, end_text, hash_message,
)
from row_insert cimport (
    Failure, Inserter, begin_row, begin_rows, end_row, fail_for_memory, put_blob, put_int, put_null,
    put_text,
)
from sqlite_api cimport OCG_SQLITE_OK, OCG_STATIC, OCG_TRANSIENT, ocg_destructor

ctypedef struct Sink:
    Inserter games
    Inserter comments
    Inserter annotations
    Failure failure
    Scratch scratch        # for text that is not stored as written
    Message message        # for CoreHash and GameHash
    int ply                # of the last annotation of this game
    int position           # of this annotation among the annotations of its ply


cdef inline const uint8_t *moves_of(RowContext *c, const GameRecord *g) noexcept nogil:
    # Little-endian 16-bit numbers, whatever the machine.
    return <const uint8_t *>(c.reader.out.moves + g.first_move)


cdef inline void add_value(Message *m, const Value *text) noexcept nogil:
    add_text(m, text.at, text.length)


cdef inline uint32_t name_id(Names *names, const Value *name) noexcept nogil:
    """Return the ID of a name, 1 if there is none, 0 if out of memory."""
    return 1 if name.at == NULL else intern_name(names, name.at, name.length, 0)


cdef inline bint enter_players(RowContext *c, Values *v) noexcept nogil:
    """Set the IDs of both players; return False if Python must compute a key or raise."""
    v.players[0] = name_id(c.players, &v.tags[TAG_WHITE])
    v.players[1] = name_id(c.players, &v.tags[TAG_BLACK])
    return (
        v.players[0] and v.players[1]
        and has_key(c.players, v.players[0]) and has_key(c.players, v.players[1])
    )


cdef inline void begin_record(
    RowContext *c, Sink *s, const GameRecord *g, const Values *v
) noexcept nogil:
    """Begin the game's hash; its annotations follow."""
    cdef Message *m = &s.message
    begin_message(m)
    add_value(m, &v.tags[TAG_FEN])
    add_value(m, &v.tags[TAG_EVENT])
    add_value(m, &v.tags[TAG_SITE])
    add_value(m, &v.tags[TAG_DATE])
    add_value(m, &v.tags[TAG_ROUND])
    add_value(m, &v.tags[TAG_WHITE])
    add_value(m, &v.tags[TAG_BLACK])
    add_value(m, &v.tags[TAG_RESULT])
    add_moves(m, moves_of(c, g), 2 * <size_t>g.ply_count)
    s.ply = -2                                        # of no annotation


# --- annotations ------------------------------------------------------------------------------

cdef inline void begin_annotation_row(
    RowContext *c, Sink *s, Inserter *i, const Item *item
) noexcept nogil:
    """Bind GameID and Ply."""
    s.position = s.position + 1 if item_ply(item) == s.ply else 0
    s.ply = item_ply(item)
    begin_row(i)
    put_int(i, 0, c.game_id)
    put_int(i, 1, s.ply)


cdef inline void write_nag(RowContext *c, Sink *s, const Item *item) noexcept nogil:
    """Insert (GameID, Ply, Position, NAG, NULL)."""
    cdef Inserter *i = &s.annotations
    begin_annotation_row(c, s, i, item)
    put_int(i, 2, s.position)
    put_int(i, 3, item.length)
    put_null(i, 4)
    end_row(i)
    begin_annotation(&s.message, s.ply, HASHED_NAG)
    add_number(&s.message, item.length)
    end_text(&s.message)


cdef inline void write_text_annotation(
    RowContext *c, Sink *s, const Item *item, const Value *text, ocg_destructor lifetime
) noexcept nogil:
    """Insert (GameID, Ply, Comment, Position) or (GameID, Ply, Position, NULL, Variation)."""
    cdef bint is_variation = type_of_item(item) == ITEM_VARIATION
    cdef Inserter *i = &s.annotations if is_variation else &s.comments
    begin_annotation_row(c, s, i, item)
    put_int(i, 2 if is_variation else 3, s.position)
    if is_variation:
        put_null(i, 3)
    put_text(i, 4 if is_variation else 2, text.at, text.length, lifetime)
    end_row(i)
    begin_annotation(&s.message, s.ply, HASHED_VARIATION if is_variation else HASHED_COMMENT)
    add_folded(&s.message, text.at, text.length)
    end_text(&s.message)


cdef inline void insert_annotation(
    RowContext *c, Sink *s, const Item *item, const Value *decoded
) noexcept nogil:
    """Insert an annotation; `decoded`: its text if it is not stored as written."""
    cdef const uint8_t *p = c.reader.base + item.start
    cdef bint is_comment = type_of_item(item) != ITEM_VARIATION
    cdef Value text
    if type_of_item(item) == ITEM_NAG:
        write_nag(c, s, item)
    elif decoded.at != NULL:
        write_text_annotation(c, s, item, decoded, OCG_TRANSIENT)
    elif memchr(p, 13, item.length) == NULL and (
        is_comment or memchr(p, 10, item.length) == NULL
    ):
        text.at = p
        text.length = item.length
        write_text_annotation(c, s, item, &text, OCG_STATIC)
    elif try_reserve(<void **>&s.scratch.bytes, &s.scratch.capacity, item.length, 1):
        text.at = s.scratch.bytes
        text.length = copy_lines(p, item.length, is_comment, s.scratch.bytes)
        write_text_annotation(c, s, item, &text, OCG_TRANSIENT)
    else:
        fail_for_memory(&s.comments)


# --- the row of a game ------------------------------------------------------------------------

cdef inline void put_name(
    Inserter *i, int column, Names *names, const Value *name
) noexcept nogil:
    """Bind the ID of a name."""
    cdef uint32_t id = name_id(names, name)
    if not id:
        fail_for_memory(i)
    put_int(i, column, id)


cdef inline void put_elo(
    Inserter *i, int column, const Value *text, Names *players, uint32_t id
) noexcept nogil:
    """Bind an Elo, NULL if there is none; keep the highest of each player."""
    cdef NameEntry *player = &players.entries[id]
    cdef int value = elo_of(text)
    if value < 0:
        put_null(i, column)
        return
    put_int(i, column, value)
    if id > 1 and value > player.elo:
        player.elo = value


cdef inline void put_value(
    Inserter *i, int column, const Value *text, ocg_destructor lifetime
) noexcept nogil:
    if text.at == NULL:
        put_null(i, column)
    else:
        put_text(i, column, text.at, text.length, lifetime)


cdef inline uint8_t *copied(uint8_t *to, const uint8_t *base, Span span) noexcept nogil:
    memcpy(to, base + span.start, span.length)
    return to + span.length


cdef inline void put_extra_tags(
    RowContext *c, Sink *s, const GameRecord *g, size_t size
) noexcept nogil:
    """Bind extra tags as written, as a JSON object: {"name":"value","name":"value"}."""
    cdef const TagRecord *tags = c.reader.out.tags + g.first_tag
    cdef uint8_t *p
    cdef uint32_t i
    if not try_reserve(<void **>&s.scratch.bytes, &s.scratch.capacity, size, 1):
        fail_for_memory(&s.games)
        return
    p = s.scratch.bytes
    for i in range(g.tag_count):
        if is_extra(&tags[i], g):
            p[0] = b'{' if p == s.scratch.bytes else b','
            p[1] = b'"'
            p = copied(p + 2, c.reader.base, tags[i].name)
            memcpy(p, b'":"', 3)
            p = copied(p + 3, c.reader.base, tags[i].value)
            p[0] = b'"'
            p += 1
    p[0] = b'}'
    put_text(&s.games, INSERTED_EXTRA_TAGS, s.scratch.bytes, p + 1 - s.scratch.bytes, OCG_TRANSIENT)


cdef inline void put_tags(
    RowContext *c, Sink *s, const GameRecord *g, const Values *v
) noexcept nogil:
    cdef Inserter *i = &s.games
    cdef const Value *tags = v.tags
    cdef ocg_text_tag tag
    put_name(i, INSERTED_EVENT_ID, c.events, &tags[TAG_EVENT])
    put_name(i, INSERTED_SITE_ID, c.sites, &tags[TAG_SITE])
    put_int(i, INSERTED_WHITE_ID, v.players[0])
    put_int(i, INSERTED_BLACK_ID, v.players[1])
    put_elo(i, INSERTED_WHITE_ELO, &tags[TAG_WHITE_ELO], c.players, v.players[0])
    put_elo(i, INSERTED_BLACK_ELO, &tags[TAG_BLACK_ELO], c.players, v.players[1])
    for tag in OCG_TEXT_TAGS[:TEXT_TAGS]:
        put_value(i, tag.inserted, &tags[tag.tag], v.lifetime)
    if v.extra_bytes:
        put_extra_tags(c, s, g, v.extra_bytes)
    else:
        put_value(i, INSERTED_EXTRA_TAGS, &v.extra_tags, v.lifetime)


cdef inline void end_record(
    RowContext *c, Sink *s, const GameRecord *g, const Values *v
) noexcept nogil:
    """Insert the row of the game."""
    cdef Inserter *i = &s.games
    begin_row(i)
    put_int(i, INSERTED_ID, c.game_id)
    put_tags(c, s, g, v)
    put_int(i, INSERTED_PLY_COUNT, g.ply_count)
    put_blob(i, INSERTED_MOVES2, moves_of(c, g), 2 * <size_t>g.ply_count, OCG_STATIC)
    put_int(i, INSERTED_MOVE_HASH, <int64_t>g.mainline_hash)
    put_int(i, INSERTED_FINAL_ZOBRIST, <int64_t>g.final_zobrist)
    put_int(i, INSERTED_POSITIONS_KEY, <int64_t>g.positions_key)
    put_int(i, INSERTED_SAMPLED_KEY, <int64_t>g.sampled_key)
    put_int(i, INSERTED_SOURCE_ID, c.source_id)
    put_int(i, INSERTED_SOURCE_NUMBER, c.number)
    put_int(i, INSERTED_SOURCE_OFFSET, c.offset + g.start)
    put_int(i, INSERTED_DATE_QUALITY, v.date_quality)
    put_int(i, INSERTED_HAS_COMMENTS, g.flags & HAS_COMMENTS != 0)
    put_int(i, INSERTED_HAS_VARIATIONS, g.flags & HAS_VARIATIONS != 0)
    put_int(
        i, INSERTED_SPECIAL_MOVES,
        (1 if g.flags & HAS_CHESS960_CASTLING else 0) + (2 if g.flags & HAS_NULL_MOVES else 0),
    )
    put_value(i, INSERTED_CHARSET, &v.charset, v.lifetime)
    put_int(i, INSERTED_GAME_HASH, hash_message(&s.message))
    put_int(
        i, INSERTED_CORE_HASH, core_hash(&s.message, c.players, v.players[0], v.players[1])
    )
    end_row(i)
    c.game_id += 1


cdef inline size_t write_plain_games(RowContext *c, Sink *s, size_t at, Values *v) noexcept nogil:
    """Insert games from index `at` on, until one is not plain or fails; return its index.

    `v`: the values of that game, unless it is rejected.
    """
    cdef const GameRecord *g
    cdef Value as_written = literal(NULL, 0)
    cdef uint32_t i
    while at < c.reader.out.game_count and s.failure.code == OCG_SQLITE_OK:
        g = &c.reader.out.games[at]
        c.number += 1
        if g.rejection != ACCEPTED:
            break
        read_values(c, g, v)
        if c.decode_all or not is_plain(c, &s.scratch, g, v) or not enter_players(c, v):
            break
        v.tags[TAG_RESULT] = result_text(v.result)
        begin_record(c, s, g, v)
        for i in range(g.item_count):
            insert_annotation(c, s, c.reader.out.items + g.first_item + i, &as_written)
        end_record(c, s, g, v)
        at += 1
    return at


# --- a block, the names -----------------------------------------------------------------------

cdef inline void count_rows(const Reader *r, size_t *counts) noexcept nogil:
    """Count the rows of a block in Games, Comments and Annotations."""
    cdef const GameRecord *g
    cdef size_t i, k
    cdef int item_type
    counts[0] = counts[1] = counts[2] = 0
    for i in range(r.out.game_count):
        g = &r.out.games[i]
        if g.rejection != ACCEPTED:
            continue
        counts[0] += 1
        for k in range(g.first_item, g.first_item + g.item_count):
            item_type = type_of_item(&r.out.items[k])
            counts[2 if item_type == ITEM_NAG or item_type == ITEM_VARIATION else 1] += 1


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
