"""One game: its tag section, start position, movetext in its language, and its hash."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy, memset

from chess_types cimport CHESS960_CASTLING, move16_t
from fen cimport is_playable, is_standard_start, read_start_fen, write_epd
from game_buffers cimport (
    ENCODED_TAGS, FAULT_ILLEGAL, FAULT_OPEN_COMMENT, FAULT_UNREADABLE, HAS_CHESS960_CASTLING,
    HAS_COMMENTS, HAS_HIGH_BYTES, HAS_STANDARD_START, HAS_VARIATIONS, ITEM_COMMENT, ITEM_NAG,
    ITEM_TEXT, ITEM_VARIATION, NO_FAULT, ODD_FEN, ODD_TAGS, REJECT_NO_GAME, REJECT_VARIANT,
    REPEATED_TAGS, RESULT_NONE, Buffers, GameRecord, Span, TagRecord, add_tag, type_of_item,
)
from game_columns cimport (
    TAG_COUNT, TAG_EVENT, TAG_FEN, TAG_RESULT, TAG_SET_UP, TAG_VARIANT, ocg_tag_number,
)
from memory cimport try_reserve
from movetext cimport (
    ENDED, OCG_CLASS, OCG_DIGIT, PLAYING, Reader, add_annotation, begin_movetext, number_at,
    read_comment, read_movetext, read_unplayed,
)
from pgn_lex cimport (
    at_line_start, find_byte, invisible_size, is_blank, is_hard_boundary, is_letter, is_tag_line,
    is_tag_name_char, line_end, may_be_escape, next_line, tag_value,
)
from position cimport Position
from san_read cimport OCG_ENGLISH, OCG_LANGUAGES, has_square, token_end
from sha256 cimport sha256_first8
from utf8 cimport is_ascii

cdef extern from "lex_tables.h" nogil:
    const uint16_t OCG_SQUARE_TEXT[64]
    const uint8_t OCG_ENDS_VALUE[256]

cdef extern from "variant_table.h" nogil:
    bint ocg_is_other_variant(const uint8_t *text, size_t length)
    size_t ocg_variant_of_event(const uint8_t *event, size_t length, size_t *start)

cdef enum:
    LANGUAGE_GAIN = 6      # extra plies that another language must parse if it does not parse all


cdef inline const uint8_t *skip_blank(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Skip white space, and byte order marks where files were joined."""
    while p < end:
        if is_blank(p[0]):
            p += 1
        elif invisible_size(p):
            p += invisible_size(p)
        else:
            break
    return p


cdef inline bint closes_value(const uint8_t *quote, const uint8_t *end) noexcept nogil:
    """Return whether a quote ends the value: only blanks are between it and the bracket."""
    quote += 1
    while quote < end and (quote[0] == b' ' or quote[0] == b'\t'):
        quote += 1
    return quote < end and quote[0] == b']'


cdef inline const uint8_t *odd_value_end(
    const uint8_t *p, const uint8_t *end, TagRecord *tag
) noexcept nogil:
    """Return the end of a value that the first quote does not end.

    Handles escapes (PGN standard 7), unescaped quotes, and a missing closing quote or bracket; in
    the last case the value ends with its line.
    """
    cdef const uint8_t *start = p
    cdef const uint8_t *stop = line_end(p, end)
    cdef const uint8_t *last_quote = NULL
    while p < stop:
        tag.encoded = tag.encoded or may_be_escape(p)
        if p[0] == b'\\' and p + 1 < stop and (p[1] == b'"' or p[1] == b'\\'):
            tag.escaped = True
            tag.encoded = tag.encoded or p[1] == b'\\'   # "\\u00e9"
            if closes_value(p + 1, stop) and find_byte(p + 2, b'"', stop) == stop:
                return p + 1                          # "C:\" ends in a backslash
            p += 2
            continue
        if p[0] == b'"':
            if closes_value(p, stop):
                return p
            last_quote = p
        p += 1
    if last_quote != NULL and skip_blank(last_quote + 1, stop) == stop:
        return last_quote
    while stop > start and (is_blank((stop - 1)[0]) or (stop - 1)[0] == b']'):
        stop -= 1
    return stop


cdef inline const uint8_t *value_end(
    const uint8_t *p, const uint8_t *end, TagRecord *tag
) noexcept nogil:
    """Return the quote that ends the value which begins at `p`."""
    cdef const uint8_t *stop = p
    while True:
        while not OCG_ENDS_VALUE[stop[0]]:           # NUL follows the block
            stop += 1
        if stop[0] != b'&' and stop[0] != b'%' and stop[0] != b'=':
            break
        tag.encoded = tag.encoded or may_be_escape(stop)
        stop += 1
    if stop[0] == b'"' and stop[1] == b']':
        return stop
    return odd_value_end(p, end, tag)


cdef inline const uint8_t *skip_quote_sign(const uint8_t *p) noexcept nogil:
    """Skip an opening sign used as a quote: an apostrophe or a curled quote."""
    if p[0] == b"'":
        return p + 1
    return p + 3 if p[0] == 0xE2 and p[1] == 0x80 and 0x98 <= p[2] <= 0x9F else p


cdef inline const uint8_t *before_quote_sign(
    const uint8_t *start, const uint8_t *stop
) noexcept nogil:
    """Return the end of the text before the closing sign of an unquoted value."""
    if stop - start >= 3 and (stop - 3)[0] == 0xE2 and (stop - 2)[0] == 0x80 \
            and 0x98 <= (stop - 1)[0] <= 0x9F:
        return stop - 3
    if stop > start and ((stop - 1)[0] == b"'" or (stop - 1)[0] == b'"'):
        return stop - 1
    return stop


cdef inline const uint8_t *after_tag(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """Skip the quote and the bracket that close a tag."""
    if p < end and (p[0] == b'"' or p[0] == b"'"):
        p += 1
    elif p + 2 < end and p[0] == 0xE2 and p[1] == 0x80:
        p += 3
    while p < end and (p[0] == b' ' or p[0] == b'\t'):
        p += 1
    return p + 1 if p < end and p[0] == b']' else p


cdef inline const uint8_t *read_tag(Reader *r, const uint8_t *p, GameRecord *game) noexcept nogil:
    """Parse the tag pair at `p` (a bracket); return its end."""
    cdef TagRecord *tag = add_tag(&r.out)
    cdef const uint8_t *name
    cdef const uint8_t *name_end
    cdef const uint8_t *value = tag_value(p, r.end, &name, &name_end)
    cdef const uint8_t *stop
    cdef Span *value_of_tag
    if tag == NULL:
        return r.end
    tag.escaped = tag.encoded = False
    if value != NULL:
        stop = value_end(value, r.end, tag)
    else:
        name = p + 1
        name_end = name
        while is_tag_name_char(name_end[0]):
            name_end += 1
        value = skip_quote_sign(name_end + 1)
        stop = before_quote_sign(value, odd_value_end(value, r.end, tag))
    tag.name.start = <uint32_t>(name - r.base)
    tag.name.length = <uint32_t>(name_end - name)
    tag.tag = ocg_tag_number(name, name_end - name)
    tag.value.start = <uint32_t>(value - r.base)
    tag.value.length = <uint32_t>(stop - value)
    game.tag_count += 1
    if tag.escaped or tag.tag in (TAG_COUNT, TAG_VARIANT, TAG_SET_UP):
        game.odd_tags |= ODD_TAGS
    if tag.encoded:
        game.odd_tags |= ENCODED_TAGS
    if tag.tag != TAG_COUNT:
        value_of_tag = &game.values[tag.tag]
        if value_of_tag.length or value_of_tag.start:
            game.odd_tags |= REPEATED_TAGS            # the first value counts
            tag.tag = TAG_COUNT
        else:
            value_of_tag[0] = tag.value
    return after_tag(stop, r.end)


cdef inline int tag_at(const uint8_t *p) noexcept nogil:
    """Return the number of the tag that begins at the bracket `p`, else TAG_COUNT."""
    cdef const uint8_t *stop
    p += 1
    while p[0] == b' ' or p[0] == b'\t':
        p += 1
    stop = p
    while is_tag_name_char(stop[0]):
        stop += 1
    return ocg_tag_number(p, stop - p)


cdef inline bint is_first_or_repeated(const uint8_t *p, const GameRecord *game) noexcept nogil:
    """Return whether the tag at `p` is Event, or a tag that the game has already."""
    cdef int tag = tag_at(p)
    return tag == TAG_EVENT or (tag != TAG_COUNT and game.values[tag].start != 0)


cdef inline bint opens_next_game(
    Reader *r, const uint8_t *p, const GameRecord *game, int newlines
) noexcept nogil:
    """Return whether the tag at `p`, after a blank line, belongs to another game."""
    return game.tag_count > 0 and (
        is_hard_boundary(r.base, p, r.end) or (newlines >= 2 and is_first_or_repeated(p, game))
    )


cdef inline const uint8_t *read_preface(Reader *r, const uint8_t *p) noexcept nogil:
    """Parse a comment before the tags; if only the tags end it, nothing is cut."""
    cdef const uint8_t *text = p + 1
    p = read_comment(r, p)
    if r.fault == FAULT_OPEN_COMMENT:
        r.fault = NO_FAULT
        r.plain = True
        add_annotation(r, ITEM_COMMENT, text, p)
    return p


cdef inline const uint8_t *skip_between(
    const Reader *r, const uint8_t *p, bint final
) noexcept nogil:
    """Skip blanks and escape lines (PGN standard 6) between games.

    Unless `final`, an escape line that reaches the end of the text may continue and is not skipped.
    """
    cdef const uint8_t *stop
    while True:
        p = skip_blank(p, r.end)
        if p >= r.end or p[0] != b'%' or not at_line_start(r.base, p):
            return p
        stop = next_line(p, r.end)
        if stop >= r.end and not final:
            return p
        p = stop


cdef inline const uint8_t *read_tag_section(
    Reader *r, const uint8_t *p, GameRecord *game
) noexcept nogil:
    """Parse tag pairs, and the comments and escape lines between them, up to the movetext."""
    cdef int newlines = 0
    while p < r.end:
        if p[0] == b'\n' or (p[0] == b'\r' and p[1] != b'\n'):
            newlines += 1
            p += 1
        elif is_blank(p[0]):
            p += 1
        elif invisible_size(p):
            p += invisible_size(p)
        elif p[0] == b'[' and is_tag_line(r.base, p, r.end):
            if opens_next_game(r, p, game, newlines):
                r.state = ENDED
                return p
            p = read_tag(r, p, game)
            newlines = 0
        elif p[0] == b'%' and at_line_start(r.base, p):
            p = line_end(p, r.end)
        elif p[0] == b'{' and game.tag_count == 0:
            p = read_preface(r, p)
            newlines = 0
        else:
            break
    return p


cdef inline Span trimmed(const uint8_t *base, Span span) noexcept nogil:
    while span.length and is_blank(base[span.start]):
        span.start += 1
        span.length -= 1
    while span.length and is_blank(base[span.start + span.length - 1]):
        span.length -= 1
    return span


cdef inline bint is_board_text(const uint8_t *p, size_t length) noexcept nogil:
    """Return whether the value of a FEN tag is meant as a board: ASCII with a slash."""
    return (
        memchr(p, b'/', length) != NULL and memchr(p, b'\\', length) == NULL and is_ascii(p, length)
    )


cdef inline void reject_variant(Reader *r, GameRecord *game) noexcept nogil:
    """Reject a game whose Variant tag, or the event of a server, names a variant of chess."""
    cdef Span *variant = &game.values[TAG_VARIANT]
    cdef Span event = trimmed(r.base, game.values[TAG_EVENT])
    cdef size_t start = 0
    if variant.length == 0 and event.length:
        variant.length = <uint32_t>ocg_variant_of_event(
            r.base + event.start, event.length, &start
        )
        variant.start = event.start + <uint32_t>start if variant.length else variant.start
    if ocg_is_other_variant(r.base + variant.start, variant.length):
        game.rejection = REJECT_VARIANT


cdef inline void set_up(Reader *r, GameRecord *game) noexcept nogil:
    """Set the start position from the tags."""
    cdef Span fen = trimmed(r.base, game.values[TAG_FEN])
    reject_variant(r, game)
    r.result_tag = game.values[TAG_RESULT]
    r.start = r.standard
    game.flags &= ~HAS_STANDARD_START
    if fen.length == 1 and (r.base[fen.start] == b'-' or r.base[fen.start] == b'?'):
        fen.length = 0                                # the tags say: no FEN
    if fen.length and not is_board_text(r.base + fen.start, fen.length):
        game.odd_tags |= ODD_FEN                      # kept as OriginalFEN; the moves decide
    elif fen.length:
        read_start_fen(&r.start, r.base + fen.start, r.base + fen.start + fen.length, False)
    game.values[TAG_FEN] = fen
    if is_standard_start(&r.start, &r.standard):
        game.flags |= HAS_STANDARD_START


cdef inline const uint8_t *read_in_language(
    Reader *r, const uint8_t *movetext, int language, const GameRecord *game
) noexcept nogil:
    """Parse the movetext again in a language; drop the previous result."""
    r.out.move_count = game.first_move
    r.out.item_count = game.first_item + game.item_count   # comments before the tags stay
    r.fault = NO_FAULT
    begin_movetext(r, language)
    return read_movetext(r, movetext)


cdef inline const uint8_t *read_best_language(
    Reader *r, const uint8_t *movetext, const GameRecord *game
) noexcept nogil:
    """Parse the movetext; if English stops at a token, try other languages.

    Another language is chosen if it parses the whole game, or LANGUAGE_GAIN plies more.
    """
    cdef const uint8_t *stop
    cdef int language, plies, best = OCG_ENGLISH, most
    begin_movetext(r, OCG_ENGLISH)
    stop = read_movetext(r, movetext)
    if r.fault != FAULT_ILLEGAL and r.fault != FAULT_UNREADABLE:
        return stop
    most = r.ply + LANGUAGE_GAIN - 1
    r.trial = True
    for language in range(1, OCG_LANGUAGES):
        read_in_language(r, movetext, language, game)
        plies = r.ply if r.fault != NO_FAULT else r.ply + LANGUAGE_GAIN
        if plies > most:
            best = language
            most = plies
    r.trial = False
    return read_in_language(r, movetext, best, game)


cdef inline uint8_t *write_uci(const move16_t *moves, uint32_t count, uint8_t *out) noexcept nogil:
    """Write UCI moves with a space between them; return their end."""
    cdef uint32_t i
    cdef int promotion
    cdef move16_t move
    for i in range(count):
        move = moves[i]
        if move == 0:
            memcpy(out, b"0000", 4)
        else:
            memcpy(out, &OCG_SQUARE_TEXT[move & 63], 2)
            memcpy(out + 2, &OCG_SQUARE_TEXT[move >> 6 & 63], 2)
        promotion = move >> 12 & 7
        out += 4
        if promotion:
            out[0] = (b"  nbrq")[promotion]
            out += 1
        out[0] = b' '
        out += 1
    return out - 1 if count else out


cdef inline uint64_t mainline_hash(
    Buffers *b, const Position *start, bint standard, const move16_t *moves, uint32_t plies,
    bint use_ni,
) noexcept nogil:
    """Hash [EPD of the start, newline,] UCI moves: see docs/file-format.md."""
    cdef uint8_t *p
    if not try_reserve(<void **>&b.message, &b.message_capacity, <size_t>plies * 6 + 512, 1):
        b.out_of_memory = True
        return 0
    p = b.message
    if not standard:
        p += write_epd(start, p)
        p[0] = b'\n'
        p += 1
    p = write_uci(moves, plies, p)
    return sha256_first8(b.message, p - b.message, use_ni)


cdef inline int item_flags(const Buffers *b, const GameRecord *game) noexcept nogil:
    cdef int flags = 0, item_type
    cdef size_t i
    for i in range(game.first_item, b.item_count):
        item_type = type_of_item(&b.items[i])
        if item_type == ITEM_VARIATION:
            flags |= HAS_VARIATIONS
        elif item_type != ITEM_NAG:
            flags |= HAS_COMMENTS
    return flags


cdef inline void finish_game(Reader *r, GameRecord *game, bint use_ni) noexcept nogil:
    cdef move16_t all_bits = 0
    cdef int i
    game.ply_count = r.ply
    game.item_count = <uint32_t>(r.out.item_count - game.first_item)
    game.final_zobrist = r.pos.key
    game.positions_key = r.positions_key
    game.sampled_key = r.sampled_key
    game.result = r.result
    game.odd_result = r.odd_result
    game.language = r.language
    game.fault = r.fault
    if r.fault != NO_FAULT:
        game.fault_at = <uint32_t>(r.fault_at - r.base)
    if game.tag_count == 0 and r.ply == 0:
        game.rejection = REJECT_NO_GAME
    game.flags |= r.flags | item_flags(&r.out, game)
    for i in range(r.ply):
        all_bits |= r.out.moves[game.first_move + i]
    if all_bits & CHESS960_CASTLING:
        game.flags |= HAS_CHESS960_CASTLING
    if not is_ascii(r.base + game.start, game.end - game.start):
        game.flags |= HAS_HIGH_BYTES
    game.mainline_hash = mainline_hash(
        &r.out, &r.start, game.flags & HAS_STANDARD_START, r.out.moves + game.first_move,
        game.ply_count, use_ni,
    )


cdef inline bint begins_movetext(const Reader *r, const uint8_t *p) noexcept nogil:
    """Return whether text without tags is movetext: move number 1, or a token with a square."""
    if OCG_CLASS[p[0]] == OCG_DIGIT:
        return number_at(p) == 1
    return has_square(p, token_end(p)) or p[0] == b'('


cdef inline const uint8_t *skip_stray_text(const Reader *r, const uint8_t *p) noexcept nogil:
    """Return where the next game begins: tags, or move number 1 at the start of a line."""
    p = next_line(p, r.end)
    while p < r.end:
        if p[0] == b'[' and is_tag_line(r.base, p, r.end):
            break
        if p[0] == b'1' and (p[1] == b'.' or p[1] == b' '):
            break
        p = next_line(p, r.end)
    return p


cdef inline void store_odd_text(Reader *r, const uint8_t *stop) noexcept nogil:
    """Store odd text between the tags, from the fault on, as a remark."""
    cdef const uint8_t *start = r.fault_at
    if r.fault == NO_FAULT:
        return
    r.fault = NO_FAULT
    while stop > start and is_blank((stop - 1)[0]):
        stop -= 1
    add_annotation(r, ITEM_TEXT, start, stop)


cdef inline const uint8_t *read_tagged_movetext(
    Reader *r, const uint8_t *p, GameRecord *game
) noexcept nogil:
    """Parse the movetext, and tags that follow odd text before the first move."""
    cdef const uint8_t *tags
    while True:
        game.item_count = <uint32_t>(r.out.item_count - game.first_item)
        r.fault = NO_FAULT
        set_up(r, game)
        if r.state == ENDED:                          # tags alone
            r.pos = r.start
            return p
        if is_playable(&r.start):
            tags = read_best_language(r, p, game)
        else:
            begin_movetext(r, OCG_ENGLISH)
            tags = read_unplayed(r, p)
        # Odd text between the tags (a remark, a tag without a name) does not start another game.
        if (r.ply or r.result != RESULT_NONE or tags >= r.end or tags[0] != b'['
                or game.tag_count == 0 or is_first_or_repeated(tags, game)):
            return tags
        if is_playable(&r.start):
            store_odd_text(r, tags)
        begin_movetext(r, OCG_ENGLISH)
        p = read_tag_section(r, tags, game)


cdef inline const uint8_t *read_game(
    Reader *r, const uint8_t *p, GameRecord *game, bint use_ni
) noexcept nogil:
    """Parse the game at `p` (not a blank) into `game`; return where the next begins."""
    cdef const uint8_t *movetext
    memset(game, 0, sizeof(GameRecord))
    game.start = <uint32_t>(p - r.base)
    game.first_tag = <uint32_t>r.out.tag_count
    game.first_item = <uint32_t>r.out.item_count
    game.first_move = <uint32_t>r.out.move_count
    r.start = r.standard
    r.fault = NO_FAULT
    begin_movetext(r, OCG_ENGLISH)
    movetext = read_tag_section(r, p, game)
    if r.state == PLAYING and game.tag_count == 0 and not begins_movetext(r, movetext):
        game.rejection = REJECT_NO_GAME
        p = skip_stray_text(r, movetext)
    else:
        p = read_tagged_movetext(r, movetext, game)
    game.end = <uint32_t>(p - r.base)
    finish_game(r, game, use_ni)
    return p
