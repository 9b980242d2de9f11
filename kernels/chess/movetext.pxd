"""Movetext: parse tokens into moves, annotations and the first fault.

PGN standard 8.2, and the deviations of real files.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp

from chess_types cimport move16_t, zobrist_t
from game_buffers cimport (
    FAULT_AMBIGUOUS, FAULT_ILLEGAL, FAULT_OPEN_COMMENT, FAULT_OPEN_VARIATION, FAULT_POSITION,
    FAULT_UNREADABLE, HAS_NULL_MOVES, ITEM_COMMENT, ITEM_LINE_COMMENT, ITEM_LOOSE_VARIATION,
    ITEM_NAG, ITEM_TEXT, ITEM_VARIATION, NO_FAULT, RESULT_DRAW, RESULT_NONE, RESULT_OPEN, Buffers,
    Fault, Span, Termination, add_item,
)
from pgn_lex cimport (
    at_line_start, blank_line_before, comment_end, find_on_line, invisible_size, is_blank,
    is_letter, is_newline, is_tag_line, line_end, starts_section, tag_follows, variation_end,
)
from position cimport Position, ocg_likely, play_move
from san_read cimport (
    AMBIGUOUS_MOVE, ILLEGAL_MOVE, NO_MOVE, OCG_ENGLISH, PLAYED, Verdict, find_odd_move, has_square,
    is_file, is_promotion_sign, is_rank, ocg_nag_of, play_san, token_end,
)
from termination_marker cimport dash_size, result_at
from variation cimport Line, digits_end, null_size, play_token, variation_replays

cdef extern from "lex_tables.h" nogil:
    const uint8_t OCG_CLASS[256]
    const uint8_t OCG_ENDS_TOKEN[256]
    enum:
        OCG_WORD, OCG_BLANK, OCG_DIGIT, OCG_SAN, OCG_OPEN_BRACE, OCG_OPEN_PAREN, OCG_CLOSE,
        OCG_SEMICOLON, OCG_DOLLAR, OCG_BRACKET, OCG_PERCENT, OCG_ANGLE, OCG_GLYPH, OCG_STAR, OCG_DOT

cdef extern from "result_table.h" nogil:
    int ocg_result_of(const uint8_t *text, size_t length)
    enum:
        OCG_RESULT_CODE, OCG_BOTH_LOST, OCG_IS_SIGN, OCG_UNCLEAR_TAG, OCG_IS_FORFEIT


cdef enum State:
    PLAYING, ENDED

cdef enum:
    MOST_NUMBER = 100000   # of a move or a NAG
    RESULT_BYTES = 64      # of a result in words
    # Unclosed variations in a game; the rest of the game is searched for the end of each.
    MOST_OPEN = 500
    SAMPLE_EVERY = 5       # plies between two positions of the sampled key

ctypedef struct Reader:
    const uint8_t *base
    const uint8_t *end
    Position standard
    Position start         # of the current game
    Position pos
    Position before        # of the mainline after `before_ply` plies, for variations
    int before_ply
    Buffers out
    int language
    State state
    int ply                # plies played in the current game
    int until_sample
    int number             # last move number parsed, 0 before the first
    int number_offset      # that number minus the position's number, after FEN starts
    zobrist_t positions_key
    zobrist_t sampled_key
    int flags
    int result
    Span result_tag        # of the current game
    Span odd_result        # see GameRecord
    Fault fault
    const uint8_t *fault_at
    int open_variations    # without a closing parenthesis, so far
    bint by_squares        # the last move in another spelling was "e2e4" or "e2-e4"
    bint trial             # tries another language, only to count the plies it can read
    # English, no fault so far; "Rf1" may be a French king, not for play_san()
    bint plain


cdef inline void set_fault(Reader *r, Fault fault, const uint8_t *at) noexcept nogil:
    if r.fault == NO_FAULT:
        r.fault = fault
        r.fault_at = at
        r.plain = False
        if r.trial:
            r.state = ENDED


cdef inline void add_annotation(
    Reader *r, int item_type, const uint8_t *start, const uint8_t *end
) noexcept nogil:
    """Store an annotation of the mainline; text after a fault is stored with the fault."""
    if r.fault == NO_FAULT:
        add_item(&r.out, r.ply - 1, item_type, start - r.base, end - start)


cdef inline void count_ply(Reader *r) noexcept nogil:
    r.out.move_count += 1
    r.ply += 1
    r.positions_key += r.pos.key
    r.until_sample -= 1
    if r.until_sample == 0:
        r.until_sample = SAMPLE_EVERY
        r.sampled_key += r.pos.key


cdef inline const uint8_t *read_comment(Reader *r, const uint8_t *p) noexcept nogil:
    cdef bint closed = True
    cdef const uint8_t *text = p + 1
    cdef const uint8_t *stop = comment_end(r.base, text, r.end, &closed)
    if not closed:
        set_fault(r, FAULT_OPEN_COMMENT, p)
        return stop
    add_annotation(r, ITEM_COMMENT, text, stop)
    return stop + 1


cdef inline void reach_before(Reader *r) noexcept nogil:
    """Set `before` to the position before the last move; it follows the mainline."""
    cdef size_t first = r.out.move_count - r.ply
    while r.before_ply < r.ply - 1:
        play_move(&r.before, r.out.moves[first + r.before_ply])
        r.before_ply += 1


cdef inline bint replays_here(Reader *r, const uint8_t *text, const uint8_t *stop) noexcept nogil:
    """Return whether the variation can be played in place of the last move."""
    if r.ply == 0 or r.fault != NO_FAULT:
        return False
    reach_before(r)
    return variation_replays(&r.before, r.base, text, stop, 0)


cdef inline const uint8_t *open_variation_end(
    Reader *r, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Return where a variation ends whose parenthesis is missing; `stop`: the end of the game.

    It ends before a result, and where the number of the next move of the mainline stands instead of
    its own. Return NULL if a comment in it is not closed either, or too many variations are not.
    """
    cdef Line line
    cdef const uint8_t *after
    cdef int byte_class, length
    cdef bint closed = True
    line.pos = r.before
    line.plies = 0
    r.open_variations += 1
    while p < stop:
        if r.open_variations > MOST_OPEN:
            return NULL
        byte_class = OCG_CLASS[p[0]]
        after = p + 1
        if result_at(p, &length) != RESULT_NONE:
            return p
        if byte_class == OCG_SAN or byte_class == OCG_WORD:
            after = play_token(&line, p)
            after = token_end(p) if after == NULL else after
        elif byte_class == OCG_DIGIT:
            if line.plies and number_at(p) == r.pos.fullmove + r.number_offset \
                    and line.pos.fullmove != r.pos.fullmove:
                return p
            after = digits_end(p)
        elif byte_class == OCG_OPEN_BRACE:
            after = comment_end(r.base, p + 1, stop, &closed) + 1
            if not closed:
                return NULL
        elif byte_class == OCG_OPEN_PAREN:
            after = variation_end(r.base, p + 1, stop, &closed)
            after = after + 1 if closed else p + 1
            r.open_variations += not closed
        p = after
    return stop


cdef inline const uint8_t *read_open_variation(
    Reader *r, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Store the variation that begins at `p` and is never closed, or make it a fault."""
    cdef const uint8_t *end
    reach_before(r)
    end = open_variation_end(r, p + 1, stop)
    if end == NULL:
        set_fault(r, FAULT_OPEN_VARIATION, p)
        return stop
    stop = end
    while is_blank((end - 1)[0]):
        end -= 1
    if not replays_here(r, p + 1, end):
        set_fault(r, FAULT_OPEN_VARIATION, p)
    add_annotation(r, ITEM_VARIATION, p + 1, end)
    return stop


cdef inline const uint8_t *read_variation(Reader *r, const uint8_t *p) noexcept nogil:
    cdef bint closed = True
    cdef int item_type
    cdef const uint8_t *text = p + 1
    cdef const uint8_t *stop = variation_end(r.base, text, r.end, &closed)
    if not closed:
        return read_open_variation(r, p, stop)
    item_type = ITEM_VARIATION if replays_here(r, text, stop) else ITEM_LOOSE_VARIATION
    add_annotation(r, item_type, text, stop)
    return stop + 1


cdef inline void add_nag(Reader *r, int number) noexcept nogil:
    if r.fault == NO_FAULT and number > 0:
        add_item(&r.out, r.ply - 1, ITEM_NAG, 0, number)


cdef inline int number_at(const uint8_t *p) noexcept nogil:
    """Return the number at `p`, MOST_NUMBER if it is larger, 0 if there is none."""
    cdef int number = 0
    while b'0' <= p[0] <= b'9':
        if number < MOST_NUMBER:
            number = number * 10 + p[0] - c'0'
        p += 1
    return MOST_NUMBER if number > MOST_NUMBER else number


cdef inline const uint8_t *read_dollar(Reader *r, const uint8_t *p) noexcept nogil:
    """Parse a NAG; a sign without a valid number is stored as a remark."""
    cdef const uint8_t *start = p
    cdef int number = number_at(p + 1)
    p = digits_end(p + 1)
    if 0 < number < MOST_NUMBER:
        add_nag(r, number)
    else:
        add_annotation(r, ITEM_TEXT, start, p)
    return p


cdef inline const uint8_t *read_odd_move(
    Reader *r, const uint8_t *p, const uint8_t *stop, Verdict *verdict
) noexcept nogil:
    """Play the token [p, stop) if it is a move in another spelling; else set the fault."""
    cdef move16_t move
    verdict[0] = find_odd_move(&r.pos, p, stop, r.language, &move)
    if verdict[0] != PLAYED:
        return p
    r.out.moves[r.out.move_count] = move
    if move == 0:
        r.flags |= HAS_NULL_MOVES
    r.by_squares = stop - p >= 4 and is_file(p[0]) and is_rank(p[1])
    play_move(&r.pos, move)
    count_ply(r)
    return stop


cdef inline Fault fault_of(Verdict verdict) noexcept nogil:
    if verdict == ILLEGAL_MOVE:
        return FAULT_ILLEGAL
    return FAULT_AMBIGUOUS if verdict == AMBIGUOUS_MOVE else FAULT_UNREADABLE


cdef inline const uint8_t *last_text_end(Reader *r, const uint8_t *p) noexcept nogil:
    """Return the end of the text at `p` if it is short and the last of the game, else NULL."""
    cdef const uint8_t *stop = p
    cdef const uint8_t *last = p
    while stop < r.end and not is_newline(stop[0]) and stop[0] not in (b'{', b'[', b';'):
        if stop - p == RESULT_BYTES:
            return NULL
        stop += 1
        if not is_blank((stop - 1)[0]):
            last = stop
    while stop < r.end and is_blank(stop[0]):
        stop += 1
    return last if stop >= r.end or is_tag_line(r.base, stop, r.end) else NULL


cdef inline const uint8_t *read_last_result(
    Reader *r, const uint8_t *p, bint is_clear
) noexcept nogil:
    """Parse a result in an odd spelling that ends the game; return `p` if there is none.

    "+-" may also be the evaluation of the last move, and "0-0" castling. Unless `is_clear`, they
    are results only if the Result tag has the same result.
    """
    cdef const uint8_t *stop = last_text_end(r, p)
    cdef int code = 0 if stop == NULL else ocg_result_of(p, stop - p)
    cdef int tag
    if code == 0:
        return p
    if code & OCG_IS_SIGN and not is_clear:
        tag = ocg_result_of(r.base + r.result_tag.start, r.result_tag.length)
        if (tag ^ code) & OCG_RESULT_CODE:
            return p
    code &= OCG_RESULT_CODE
    r.result = RESULT_OPEN if code == OCG_BOTH_LOST else code
    set_odd_result(r, p, stop)
    r.state = ENDED
    return stop


cdef inline void set_odd_result(
    Reader *r, const uint8_t *start, const uint8_t *stop
) noexcept nogil:
    r.odd_result.start = <uint32_t>(start - r.base)
    r.odd_result.length = <uint32_t>(stop - start)


cdef inline bint words_may_stay(Reader *r, const uint8_t *p) noexcept nogil:
    """Return whether words are a remark, judging by what follows them at `p`.

    They are if the game ends there, or continues with the expected move number. If a move follows
    at once, the words are in the place of a move.
    """
    cdef int length, number, due
    if p >= r.end or result_at(p, &length) != RESULT_NONE:
        return True
    if OCG_CLASS[p[0]] == OCG_DIGIT:
        number = number_at(p)
        due = r.pos.fullmove + r.number_offset
        return number == due or r.number == 0
    return OCG_CLASS[p[0]] not in (OCG_SAN, OCG_WORD, OCG_STAR, OCG_GLYPH)


cdef inline const uint8_t *read_words(Reader *r, const uint8_t *p) noexcept nogil:
    """Parse a run of bare words: store it as a remark, or make it a fault."""
    cdef const uint8_t *start = p
    cdef const uint8_t *stop = read_last_result(r, p, True)
    cdef const uint8_t *next_stop
    cdef int byte_class, length
    if stop > p:
        return stop
    p = stop = token_end(p)
    while p < r.end:
        byte_class = OCG_CLASS[p[0]]
        if byte_class == OCG_BLANK or byte_class == OCG_DOT:
            p += 1
            continue
        if byte_class != OCG_WORD and byte_class != OCG_SAN:
            break
        if result_at(p, &length) != RESULT_NONE:
            break
        next_stop = token_end(p)
        if has_square(p, next_stop):
            break
        p = stop = next_stop
    if words_may_stay(r, p):
        add_annotation(r, ITEM_TEXT, start, stop)
    else:
        set_fault(r, FAULT_UNREADABLE, start)
    return stop


cdef inline bint promotes_before(const uint8_t *p) noexcept nogil:
    """Return whether a square on the first or last rank ends before `p`, signs left aside."""
    while is_promotion_sign((p - 1)[0]):
        p -= 1
    return (p - 1)[0] == b'8' or (p - 1)[0] == b'1'


cdef inline const uint8_t *after_separator(const uint8_t *p) noexcept nogil:
    """Return where a square or another O begins after blanks and one sign, NULL if it does not."""
    cdef int size = (
        (p - 1)[0] == b'x' or (p - 1)[0] == b'X' or dash_size(p - 1) == 1 or dash_size(p - 3) == 3
    )
    while p[0] == b' ':
        p += 1
    if not size:
        size = 1 if p[0] == b'x' or p[0] == b'X' else dash_size(p)
        p += size
    while p[0] == b' ':
        p += 1
    return p if size and (is_file(p[0]) or p[0] == b'O') else NULL


cdef inline const uint8_t *joined_end(const uint8_t *stop) noexcept nogil:
    """Return the end of a move with blanks around its sign ("N x d5", "e2 - e4", "O - O - O").

    `stop`: the end of its first word; return it if no second word belongs to the move.
    """
    cdef const uint8_t *next_word = after_separator(stop)
    while next_word != NULL:
        stop = token_end(next_word)
        next_word = after_separator(stop) if next_word[0] == b'O' else NULL
    return stop


cdef inline const uint8_t *first_of_two(
    const Reader *r, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Return the end of the first of two legal moves with nothing between them ("e4e5"), or `p`.

    Not where moves are written with both squares: "d4d6" is one move then, which is not legal.
    """
    cdef const uint8_t *cut = p + 2
    cdef Position after
    cdef move16_t move
    while cut + 1 < stop and not r.by_squares:
        if is_rank((cut - 1)[0]) and is_file(cut[0]):
            if find_odd_move(&r.pos, p, cut, r.language, &move) == PLAYED:
                after = r.pos
                play_move(&after, move)
                if find_odd_move(&after, cut, stop, r.language, &move) == PLAYED:
                    return cut
        cut += 1
    return p


cdef inline const uint8_t *read_move_with_sign(
    Reader *r, const uint8_t *p, const uint8_t *stop, bint letters
) noexcept nogil:
    """Play a move with an attached sign ("Bb5+/=", or with `letters` "e5N"); store the sign.

    Return `p` if the token is not of this form.
    """
    cdef Verdict verdict = NO_MOVE
    cdef const uint8_t *sign
    cdef int size, number
    for size in range(4, 0, -1):
        sign = stop - size
        if sign - p < 2 or is_file(sign[0]) or is_rank(sign[0]):
            continue
        if letters != is_letter(sign[0]):
            continue
        if letters and is_file(p[0]) and promotes_before(sign):
            # "a8N" is not a novelty but a promotion to a knight
            continue
        number = ocg_nag_of(sign, size)
        if number > 0 and read_odd_move(r, p, sign, &verdict) == sign:
            add_nag(r, number)
            return stop
    return p


cdef inline bint is_descriptive(const uint8_t *p, const uint8_t *stop) noexcept nogil:
    """Return whether a token is a move in the old descriptive notation: "P-K4", "NxP"."""
    cdef bint joined = False
    if stop - p < 3:
        return False
    while p < stop:
        if p[0] == b'-' or p[0] == b'x':
            joined = True
        elif p[0] not in (b'P', b'K', b'Q', b'R', b'B', b'N') and not is_rank(p[0]):
            return False
        p += 1
    return joined


cdef inline const uint8_t *read_odd_token(Reader *r, const uint8_t *p) noexcept nogil:
    """Parse a token that is not plain SAN: another spelling, a word, a glyph, or a fault."""
    cdef const uint8_t *stop
    cdef const uint8_t *other_end
    cdef Verdict verdict = NO_MOVE
    cdef Verdict other_verdict = NO_MOVE
    cdef int length
    if invisible_size(p):
        return p + invisible_size(p)
    if memcmp(p, b"\xe2\x80\xa6", 3) == 0:           # an ellipsis in place of dots
        return p + 3
    length = 0
    if result_at(p, &length) != RESULT_NONE:          # a half sign
        r.result = RESULT_DRAW
        return after_result(r, p, p + length)
    if p[0] == b'0':                                  # "0-0": castling, or both players lost
        stop = read_last_result(r, p, False)
        if stop > p:
            return stop
    stop = token_end(p)
    if r.fault != NO_FAULT:
        return stop
    # "Nf3!?" ends its move at the glyph.
    while stop - 1 > p and ((stop - 1)[0] == b'!' or (stop - 1)[0] == b'?'):
        stop -= 1
    if (
        read_move_with_sign(r, p, stop, False) == stop
        or read_odd_move(r, p, stop, &verdict) == stop
        or read_move_with_sign(r, p, stop, True) == stop
    ):
        return stop
    other_end = joined_end(stop)
    if other_end == stop:
        other_end = first_of_two(r, p, stop)
    if other_end > p and read_odd_move(r, p, other_end, &other_verdict) == other_end:
        return other_end
    length = ocg_nag_of(p, stop - p)
    if verdict == ILLEGAL_MOVE and p[0] == b'0' and read_last_result(r, p, True) > p:
        return stop
    if verdict != NO_MOVE:
        set_fault(r, fault_of(verdict), p)
    elif length >= 0:
        add_nag(r, length)
    elif is_descriptive(p, stop):
        set_fault(r, FAULT_UNREADABLE, p)
    else:
        return read_words(r, p)
    return stop


cdef inline const uint8_t *read_longest_sign(
    Reader *r, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    """Store the longest sign that begins at `p`; an unknown sign is stored as a remark."""
    cdef int size, number
    for size in range(4, 0, -1):
        if size <= stop - p:
            number = ocg_nag_of(p, size)
            if number >= 0:
                add_nag(r, number)
                return p + size
    add_annotation(r, ITEM_TEXT, p, stop)
    return stop


cdef inline const uint8_t *read_glyph(Reader *r, const uint8_t *p) noexcept nogil:
    """Parse a run of signs: a null move, evaluations ("+/-"), marks ("!?"), check signs."""
    cdef const uint8_t *stop = p
    cdef Verdict verdict = NO_MOVE
    if p[0] == b'+' or p[0] == b'-' or p[0] == b'=':
        stop = read_last_result(r, p, r.ply == 0 and r.fault == NO_FAULT)
        if stop > p:
            return stop
    while OCG_CLASS[stop[0]] == OCG_GLYPH:
        stop += 1
        stop += 3 if dash_size(stop) == 3 else 0      # "+−", with a minus sign
    if null_size(p, stop):
        stop = p + 2
        return stop if r.fault != NO_FAULT else read_odd_move(r, p, stop, &verdict)
    if stop - p >= 3 and memcmp(p, b"???", 3) == 0 and (is_blank((p - 1)[0]) or (p - 1)[0] == b'.'):
        set_fault(r, FAULT_UNREADABLE, p)             # in place of an unknown move
    while p < stop:
        p = read_longest_sign(r, p, stop)
    return stop


cdef inline const uint8_t *read_bracket(Reader *r, const uint8_t *p) noexcept nogil:
    """At "[": parse the next game's tags, or text in brackets that should be in a comment.

    A single tag line in the middle of the moves that is not an Event tag and follows neither a
    result nor a blank line does not begin a game.
    """
    cdef const uint8_t *stop
    if is_tag_line(r.base, p, r.end) and (
        r.ply == 0 or memcmp(p, b"[Event ", 7) == 0 or starts_section(r.base, p)
        or tag_follows(p, r.end)
    ):
        r.state = ENDED
        return p
    stop = find_on_line(p, b']', r.end)
    if stop[0] == b']':
        stop += 1
    add_annotation(r, ITEM_TEXT, p, stop)
    return stop


cdef inline const uint8_t *read_sign(Reader *r, const uint8_t *p, int byte_class) noexcept nogil:
    """Parse a comment, variation, NAG, glyph, result or other sign."""
    cdef const uint8_t *stop
    if byte_class == OCG_OPEN_BRACE:
        return read_comment(r, p)
    if byte_class == OCG_OPEN_PAREN:
        return read_variation(r, p)
    if byte_class == OCG_GLYPH:
        return read_glyph(r, p)
    if byte_class == OCG_DOLLAR:
        return read_dollar(r, p)
    if byte_class == OCG_SEMICOLON:
        stop = line_end(p, r.end)
        add_annotation(r, ITEM_LINE_COMMENT, p + 1, stop)
        return stop
    if byte_class == OCG_BRACKET:
        return read_bracket(r, p)
    if byte_class == OCG_STAR:
        r.result = RESULT_OPEN
        return after_result(r, p, p + 1)
    if byte_class == OCG_PERCENT and at_line_start(r.base, p):
        return line_end(p, r.end)                     # PGN standard 6: escape line
    if byte_class == OCG_ANGLE:
        stop = find_on_line(p, b'>', r.end)
        return stop + 1 if stop[0] == b'>' else p + 1   # PGN standard 7: reserved
    return p + 1


cdef inline bint starts_new_game(const Reader *r, int number, const uint8_t *p) noexcept nogil:
    """Return whether a move number 1 begins another game without tags or result before it."""
    return (number == 1 and (r.ply >= 2 or r.fault != NO_FAULT) and r.number >= 1
            and blank_line_before(r.base, p))


cdef inline const uint8_t *read_number(
    Reader *r, const uint8_t *p, const uint8_t *stop
) noexcept nogil:
    cdef int number = number_at(p)
    if starts_new_game(r, number, p):
        r.state = ENDED
        return p
    if stop[0] != b'.' and number != r.pos.fullmove + r.number_offset and (
        r.number != 0 or number != 1
    ):
        add_annotation(r, ITEM_TEXT, p, stop)         # no dot, and not the expected number
        return stop
    if r.number == 0:
        r.number_offset = number - r.pos.fullmove
    r.number = number
    while stop[0] == b'.' or stop[0] == b':':
        stop += 1
    return stop + (stop[0] == b' ')


cdef inline const uint8_t *read_digits(Reader *r, const uint8_t *p) noexcept nogil:
    """Parse a token that begins with a digit: a move number, a result, castling with zeros."""
    cdef const uint8_t *stop = p + 1
    cdef Termination result
    cdef int length
    if ocg_likely(stop[0] == b'.' or b'0' <= stop[0] <= b'9') and p[0] != b'0':
        stop = digits_end(stop)
        if ocg_likely(stop[0] == b'.'):
            return read_number(r, p, stop)
        stop = p + 1
    result = result_at(p, &length)
    if result != RESULT_NONE:
        r.result = result
        return after_result(r, p, p + length)
    if p[0] == b'0' and p[1] != b'-' or (p[1] | 32) == b'f':
        stop = read_last_result(r, p, True)
        if stop > p:
            return stop
        stop = p + 1
    if p[0] == b'0' and (p[1] == b'-' or p[1] == b'0' or p[1] == 0xE2):
        return read_odd_token(r, p)
    stop = digits_end(stop)
    if (p[0] == b'0' and stop[0] == b'.' or stop[0] == b':') and b'0' <= stop[1] <= b'9':
        stop = token_end(stop)                        # an engine's "0.33", a clock's "0:05"
        add_annotation(r, ITEM_TEXT, p, stop)
        return stop
    return read_number(r, p, stop)


cdef inline const uint8_t *after_forfeit(
    Reader *r, const uint8_t *result, const uint8_t *p
) noexcept nogil:
    """Skip the mark of a forfeit at the end of the game: "1-0 ff", "1-0F"."""
    cdef const uint8_t *stop = NULL if is_newline(p[0]) else last_text_end(r, p)
    if stop == NULL or not ocg_result_of(result, stop - result) & OCG_IS_FORFEIT:
        return p
    set_odd_result(r, result, stop)
    return stop


cdef inline const uint8_t *trailing_words(Reader *r, const uint8_t *p) noexcept nogil:
    """Store the words on the line of the result ("1-0 on time") as a remark."""
    cdef const uint8_t *start = p
    cdef const uint8_t *stop = p
    while p < r.end and not is_newline(p[0]) and p[0] not in (b'{', b'[', b';', b'('):
        p += 1
        if not is_blank((p - 1)[0]):
            stop = p
    add_annotation(r, ITEM_TEXT, start, stop)
    return p


cdef inline const uint8_t *after_result(
    Reader *r, const uint8_t *result, const uint8_t *p
) noexcept nogil:
    """Continue after a termination marker at `result`: remarks, more markers, or the game's end.

    Returns in state PLAYING if the marker was in the middle of the game.
    """
    cdef bint same_line = True
    cdef int byte_class, length
    p = after_forfeit(r, result, p)
    while True:
        byte_class = OCG_CLASS[p[0]]
        if byte_class == OCG_BLANK:
            if p >= r.end:
                break
            if is_newline(p[0]):
                same_line = False
            p += 1
        elif byte_class == OCG_WORD and invisible_size(p):
            p += invisible_size(p)
        elif result_at(p, &length) != RESULT_NONE:
            if r.result == RESULT_OPEN:
                r.result = result_at(p, &length)
            elif <int>result_at(p, &length) != r.result:
                add_annotation(r, ITEM_TEXT, p, p + length)  # two different markers
            p += length
        elif byte_class == OCG_DIGIT:
            if number_at(p) != 1 or (r.ply == 0 and not blank_line_before(r.base, p)):
                return p
            break
        elif byte_class == OCG_SAN or byte_class == OCG_WORD:
            if has_square(p, token_end(p)) or (p[0] == b'O' and p[1] == b'-'):
                if same_line:
                    return p
                break
            if not same_line:
                break
            p = trailing_words(r, p)
        elif byte_class == OCG_BRACKET and is_tag_line(r.base, p, r.end):
            break
        else:
            p = read_sign(r, p, byte_class)
    r.state = ENDED
    return p


cdef inline const uint8_t *read_move_text(Reader *r, const uint8_t *p) noexcept nogil:
    """Store moves, numbers and signs up to a comment, variation or result as a remark."""
    cdef const uint8_t *start = p
    cdef const uint8_t *stop = p
    cdef int length
    while p < r.end and result_at(p, &length) == RESULT_NONE:
        if is_blank(p[0]):
            p += 1
        elif OCG_CLASS[p[0]] in (
            OCG_OPEN_BRACE, OCG_OPEN_PAREN, OCG_CLOSE, OCG_SEMICOLON, OCG_BRACKET, OCG_ANGLE
        ):
            break
        else:
            p = stop = token_end(p)
    add_annotation(r, ITEM_TEXT, start, stop)
    return stop


cdef inline const uint8_t *read_unplayed(Reader *r, const uint8_t *p) noexcept nogil:
    """Parse the movetext of a position on which no move can be played: its moves stay as text.

    They are a fault too, but none of the text is lost.
    """
    cdef const uint8_t *first_move = NULL
    cdef const uint8_t *text
    cdef int byte_class, length
    while r.state == PLAYING:
        byte_class = OCG_CLASS[p[0]]
        if byte_class == OCG_BLANK:
            if p >= r.end:
                break
            p += 1
        elif result_at(p, &length) != RESULT_NONE:
            r.result = result_at(p, &length)
            p = after_result(r, p, p + length)
        elif byte_class in (OCG_SAN, OCG_WORD, OCG_DIGIT, OCG_GLYPH, OCG_DOLLAR, OCG_DOT):
            text = p
            p = read_move_text(r, p)
            if first_move == NULL and has_square(text, p):
                first_move = text
        else:
            p = read_sign(r, p, byte_class)
    if first_move != NULL:
        set_fault(r, FAULT_POSITION, first_move)
    return p


cdef inline void begin_movetext(Reader *r, int language) noexcept nogil:
    r.pos = r.start
    r.before = r.start
    r.before_ply = 0
    r.language = language
    r.plain = language == OCG_ENGLISH and r.fault == NO_FAULT
    r.state = PLAYING
    r.ply = 0
    r.until_sample = SAMPLE_EVERY
    r.open_variations = 0
    r.by_squares = False
    r.number = 0
    r.number_offset = 0
    r.positions_key = 0
    r.sampled_key = 0
    r.flags = 0
    r.result = RESULT_NONE
    r.odd_result.length = 0


cdef inline const uint8_t *read_movetext(Reader *r, const uint8_t *p) noexcept nogil:
    """Parse from `p` to the end of the game; return where the next game begins."""
    cdef const uint8_t *stop
    cdef int byte_class
    while r.state == PLAYING:
        byte_class = OCG_CLASS[p[0]]
        if byte_class == OCG_SAN:
            if ocg_likely(r.plain):
                stop = play_san(&r.pos, p, r.out.moves + r.out.move_count)
                if ocg_likely(stop != NULL):
                    p = stop + (stop[0] == b' ')
                    count_ply(r)
                    continue
            p = read_odd_token(r, p)
        elif byte_class == OCG_BLANK:
            if p >= r.end:
                break
            p += 1
        elif byte_class == OCG_DIGIT:
            p = read_digits(r, p)
        elif byte_class == OCG_WORD:
            p = read_odd_token(r, p)
        else:
            p = read_sign(r, p, byte_class)
    return p
