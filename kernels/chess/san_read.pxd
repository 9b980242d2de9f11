"""SAN as programs write it, resolved and played: the fast path of the reader.

Anything unusual (another spelling, a full origin square, another language) is left to
find_odd_move() below: play_san() then returns NULL and has changed nothing.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp, strlen

from chess_types cimport BISHOP, KING, KNIGHT, NO_PIECE, PAWN, QUEEN, ROOK, bitboard_t, move16_t
from pgn_lex cimport invisible_size, is_letter
from position cimport (
    Position, bit, castling_is_legal, castling_move, find_piece, is_pawn_move, ocg_likely,
    ocg_lowest, play_castling, play_pawn, play_piece,
)

cdef extern from "lex_tables.h" nogil:
    const uint8_t OCG_ENDS_TOKEN[256]
    const uint8_t OCG_PIECE_OF[128]


cdef inline bitboard_t file_mask(unsigned int x) noexcept nogil:
    return <bitboard_t>0x0101010101010101 << x


cdef inline bitboard_t rank_mask(unsigned int y) noexcept nogil:
    return <bitboard_t>0xFF << (8 * y)


cdef inline const uint8_t *skip_check_sign(const uint8_t *p) noexcept nogil:
    """Skip one + or #; return NULL if the token continues, except by a glyph such as "!?"."""
    if p[0] == b'+' or p[0] == b'#':
        p += 1
    if OCG_ENDS_TOKEN[p[0]] or p[0] == b'!' or p[0] == b'?':
        return p
    return NULL


cdef inline const uint8_t *play_pawn_san(
    Position *pos, const uint8_t *p, move16_t *move
) noexcept nogil:
    cdef unsigned int x = p[0] - c'a'
    cdef unsigned int y = p[1] - c'1'
    cdef int us = pos.turn
    cdef int back = 16 * us - 8
    cdef int start, target, promotion = 0
    if y < 8:
        target = y * 8 + x
        start = target + back
        p += 2
        if y == <unsigned int>(3 + us) and pos.board[start & 63] == NO_PIECE:
            start += back
    else:
        if p[1] != b'x':
            return NULL
        y = p[3] - c'1'
        if <unsigned int>(p[2] - c'a') > 7 or y > 7:
            return NULL
        target = y * 8 + p[2] - c'a'
        start = <int>((y + 2 * us - 1) * 8 + x)
        p += 4
    if <unsigned int>start > 63:
        return NULL
    if not pos.pieces[PAWN] & pos.colours[us] & bit(start):
        return NULL
    if y == <unsigned int>(7 - 7 * us):
        if p[0] != b'=':
            return NULL
        promotion = QUEEN if p[1] == b'Q' else ROOK if p[1] == b'R' else (
            BISHOP if p[1] == b'B' else KNIGHT if p[1] == b'N' else 0)
        if not promotion:
            return NULL
        p += 2
    p = skip_check_sign(p)
    if p == NULL or not is_pawn_move(pos, start, target):
        return NULL
    move[0] = start | target << 6 | promotion << 12
    play_pawn(pos, start, target, promotion)
    return p


cdef inline const uint8_t *play_piece_san(
    Position *pos, const uint8_t *p, int piece, move16_t *move
) noexcept nogil:
    cdef bitboard_t allowed = <bitboard_t>-1
    cdef unsigned int x, y
    cdef int start, target
    p += 1
    x = p[0] - c'a'
    y = p[1] - c'1'
    if x > 7 or y > 7 or p[2] == b'x' or <unsigned int>(p[2] - c'a') < 8:
        # Not "Nf3": a capture sign, an origin file or rank, or (left to the slow path) both.
        if p[0] != b'x':
            if x < 8:
                allowed = file_mask(x)
            elif <unsigned int>(p[0] - c'1') < 8:
                allowed = rank_mask(p[0] - c'1')
            else:
                return NULL
            p += 1
        if p[0] == b'x':
            p += 1
        x = p[0] - c'a'
        y = p[1] - c'1'
        if x > 7 or y > 7:
            return NULL
    target = y * 8 + x
    p = skip_check_sign(p + 2)
    if p == NULL:
        return NULL
    start = find_piece(pos, piece, target, allowed)
    if start < 0:
        return NULL
    move[0] = start | target << 6
    play_piece(pos, piece, start, target)
    return p


cdef inline const uint8_t *play_castling_san(
    Position *pos, const uint8_t *p, move16_t *move
) noexcept nogil:
    """Castle from "O-O" or "O-O-O"; zeros and lower case are left to the slow path."""
    cdef int right = 2 * pos.turn
    if p[1] != b'-' or p[2] != b'O':
        return NULL
    if p[3] == b'-' and p[4] == b'O':
        right += 1
        p += 5
    else:
        p += 3
    p = skip_check_sign(p)
    if p == NULL or not castling_is_legal(pos, right):
        return NULL
    move[0] = castling_move(pos, right)
    play_castling(pos, right)
    return p


cdef inline const uint8_t *play_san(Position *pos, const uint8_t *p, move16_t *move) noexcept nogil:
    """Play the SAN at `p` (6 readable bytes), store it, and return its end.

    Return NULL, with nothing changed, if it is not plain SAN or not legal.
    """
    cdef uint8_t letter = p[0]
    cdef int piece
    if letter >= b'a':
        return play_pawn_san(pos, p, move) if letter <= b'h' else NULL
    # A table instead of comparisons, since branch prediction fails on piece letters.
    piece = OCG_PIECE_OF[letter]
    if ocg_likely(piece != NO_PIECE):
        return play_piece_san(pos, p, piece, move)
    if letter == b'O':
        return play_castling_san(pos, p, move)
    return NULL


# --- moves in other spellings ---------------------------------------------------------------------

# Moves in other spellings: the slow path of the reader, tried when plain SAN fails. Long algebraic
# and UCI moves, zeros or lower case for castling, lower-case piece letters, captures without a
# sign, full origin squares, all forms of promotion, null moves, figurines, and the piece letters of
# other languages.

cdef extern from "language_table.h" nogil:
    const char OCG_PIECE_LETTERS[17][6]
    const unsigned short OCG_CYRILLIC_LETTERS[4][5]
    enum:
        OCG_ENGLISH, OCG_CYRILLIC, OCG_CYRILLIC_ROWS, OCG_ENGLISH_P, OCG_LANGUAGES
    int ocg_promotion_of(const uint8_t *text, size_t length)     # 0: not the name of a piece
    bint ocg_is_null_move(const uint8_t *text, size_t length)

cdef extern from "nag_table.h" nogil:
    int ocg_nag_of(const uint8_t *text, size_t length)   # -1 unknown, 0 no meaning

cdef enum Verdict:
    PLAYED, ILLEGAL_MOVE, AMBIGUOUS_MOVE
    UNREADABLE_MOVE        # contains a square, so a move was intended
    NO_MOVE                # a word

cdef enum:
    MAX_TOKEN = 24         # longer tokens are not moves

ctypedef struct MoveText:
    # A token reduced to ASCII, without its leading piece letter in any script.
    uint8_t text[28]
    int length
    int piece              # NO_PIECE: not given
    bint small             # the piece letter is lower case, so it may also be a file


cdef inline int piece_in_row(int language, uint8_t letter) noexcept nogil:
    """Return the piece type of an ASCII capital letter in a language, NO_PIECE if none."""
    cdef int i
    for i in range(5):
        if OCG_PIECE_LETTERS[language][i] == letter:
            return KING - i
    if language == OCG_ENGLISH_P and letter == b'P':
        return PAWN
    return NO_PIECE


cdef inline bint is_cyrillic(int language) noexcept nogil:
    return OCG_CYRILLIC <= language < OCG_CYRILLIC + OCG_CYRILLIC_ROWS


cdef inline int cyrillic_piece(uint32_t letter, int language) noexcept nogil:
    """Return the piece of a Cyrillic capital (a code point) in a language, NO_PIECE if none."""
    cdef int i
    for i in range(5):
        if OCG_CYRILLIC_LETTERS[language - OCG_CYRILLIC][i] == letter:
            return KING - i
    return NO_PIECE


cdef inline uint32_t code_point(const uint8_t *p, const uint8_t *end, int *size) noexcept nogil:
    """Decode one UTF-8 character; a lone high byte is windows-1251."""
    cdef uint8_t c = p[0]
    size[0] = 1
    if c < 0x80:
        return c
    if c & 0xE0 == 0xC0 and p + 1 < end and p[1] & 0xC0 == 0x80:
        size[0] = 2
        return (c & 0x1F) << 6 | (p[1] & 0x3F)
    if c & 0xF0 == 0xE0 and p + 2 < end and p[1] & 0xC0 == 0x80 and p[2] & 0xC0 == 0x80:
        size[0] = 3
        return (c & 0x0F) << 12 | (p[1] & 0x3F) << 6 | (p[2] & 0x3F)
    return 0x410 + c - 0xC0 if c >= 0xC0 else 0xFFFD


cdef inline bint is_ignored(uint32_t letter) noexcept nogil:
    """Return whether a character inside a token is ignored: blanks, variation selectors."""
    return letter == 32 or letter == 0xFE0E or letter == 0xFE0F or letter == 0x200B


cdef inline uint8_t to_ascii(uint32_t letter, int language) noexcept nogil:
    """Return the ASCII equivalent of a character inside a token; 1 if unknown."""
    cdef int piece
    if letter < 0x80:
        return b'x' if letter == b'X' else <uint8_t>letter
    if letter == 0xD7 or letter == 0x2715:         # multiplication signs
        return b'x'
    if 0x2010 <= letter <= 0x2015 or letter == 0x2212:   # hyphens and dashes
        return b'-'
    if letter == 0x2020 or letter == 0x2021 or letter == 0x2260:   # check and mate: † ‡ ≠
        return b'+'
    if letter == 0x41E or letter == 0x43E:         # Cyrillic O, in castling
        return b'O'
    if 0x2654 <= letter <= 0x265F:                 # figurines, in promotions
        return (b"KQRBNP")[(letter - 0x2654) % 6]
    piece = cyrillic_piece(letter, language) if is_cyrillic(language) else NO_PIECE
    return (b"  NBRQK")[piece] if piece else 1


cdef inline int leading_piece(
    const uint8_t *p, const uint8_t *end, int language, int *size
) noexcept nogil:
    """Return the piece that the token begins with (capital or figurine), NO_PIECE if none."""
    cdef int first, piece, second = 0
    cdef uint32_t letter = code_point(p, end, &first)
    cdef uint32_t follower
    size[0] = first
    if 0x2654 <= letter <= 0x265F:                 # figurines K Q R B N P, white then black
        return KING - <int>((letter - 0x2654) % 6)
    if is_cyrillic(language) and letter >= 0x80:
        follower = code_point(p + first, end, &second) if p + first < end else 0
        if letter == 0x41A and (follower == 0x440 or follower == b'p'):
            size[0] = first + second
            return KING
        if letter == 0x41E and follower == b'-':
            return NO_PIECE                        # castling; the letter is also a bishop
        return cyrillic_piece(letter, language)
    if letter >= 0x80:
        return NO_PIECE
    piece = piece_in_row(language, <uint8_t>letter)
    # Some games mix two languages: an unused letter keeps its English meaning.
    return piece if piece else piece_in_row(OCG_ENGLISH, <uint8_t>letter)


cdef inline bint ends_with(const MoveText *t, const char *tail) noexcept nogil:
    cdef int n = <int>strlen(tail)
    return t.length > n and memcmp(t.text + t.length - n, tail, n) == 0


cdef inline void strip_tail(MoveText *t) noexcept nogil:
    """Strip check signs, mate, e.p. and the like."""
    cdef uint8_t last
    while t.length:
        last = t.text[t.length - 1]
        if last in (b'+', b'#', b'!', b'?', b'.', b'=', b':', b'-') and t.length > 2:
            t.length -= 1
        elif ends_with(t, "e.p") or ends_with(t, "mate"):
            t.length -= 3 if ends_with(t, "e.p") else 4
        elif ends_with(t, "check"):
            t.length -= 5
        elif ends_with(t, "dis") or ends_with(t, "dbl"):
            t.length -= 3
        elif ends_with(t, "ep") or ends_with(t, "EP") or ends_with(t, "ch") or ends_with(t, "mt"):
            t.length -= 2
        else:
            break


cdef inline bint reduce_token(
    const uint8_t *p, const uint8_t *end, int language, MoveText *t
) noexcept nogil:
    """Fill `t` from the token; return False if it is too long for a move."""
    cdef int size
    cdef uint32_t letter
    t.length = 0
    t.small = False
    t.piece = leading_piece(p, end, language, &size)
    if t.piece != NO_PIECE:
        p += size
    while p < end:
        if t.length >= MAX_TOKEN:
            return False
        letter = code_point(p, end, &size)
        p += size
        if not is_ignored(letter):
            t.text[t.length] = to_ascii(letter, language)
            t.length += 1
    t.text[t.length] = 0
    strip_tail(t)
    return True


cdef inline int castling_size(const MoveText *t) noexcept nogil:
    """Count the O's of a castling token in any spelling; 0 if it is none."""
    cdef int i, count = 0
    if t.piece != NO_PIECE:
        return 0
    for i in range(t.length):
        if t.text[i] in (b'o', b'O', b'0'):
            count += 1
        elif t.text[i] != b'-':
            return 0
    return count if t.length >= 2 and 2 <= count <= 3 else 0


cdef inline bint is_file(uint8_t c) noexcept nogil:
    return b'a' <= c <= b'h'


cdef inline bint is_rank(uint8_t c) noexcept nogil:
    return b'1' <= c <= b'8'


cdef inline bint has_square(const uint8_t *p, const uint8_t *end) noexcept nogil:
    while p + 1 < end:
        if is_file(p[0]) and is_rank(p[1]):
            return True
        p += 1
    return False


ctypedef struct Coordinates:
    # Contents of a token: origin (or a part of it), target, promotion.
    bitboard_t allowed
    int from_file          # -1: not given
    int from_rank
    int target             # -1: only its file is given ("ed")
    int to_file
    int promotion          # NO_PIECE: not given
    bint capture


cdef inline int promotion_piece(uint8_t letter, int language) noexcept nogil:
    cdef int piece
    if b'a' <= letter <= b'z':
        letter -= 32
    piece = piece_in_row(language, letter)
    if piece == NO_PIECE or piece == KING or piece == PAWN:
        piece = piece_in_row(OCG_ENGLISH, letter)
    return piece if KNIGHT <= piece <= QUEEN else NO_PIECE


cdef inline bint is_promotion_sign(uint8_t c) noexcept nogil:
    """Return whether a character may be between a target square and the piece, or around it."""
    return c in (b'=', b'/', b'(', b')', b'[', b']', b'+', b'#', b'.', b'-', b'>', b'_', b"'")


cdef inline bint read_promotion(
    const uint8_t *p, int length, int language, Coordinates *c
) noexcept nogil:
    """Parse the text after the target: nothing, or the piece, by letter or name, after signs."""
    while length and is_promotion_sign(p[0]):
        p += 1
        length -= 1
    while length and is_promotion_sign(p[length - 1]):
        length -= 1
    if length == 0:
        return True
    c.promotion = promotion_piece(p[0], language) if length == 1 else ocg_promotion_of(p, length)
    return c.promotion != NO_PIECE


cdef inline bint read_coordinates(
    const uint8_t *p, int length, int language, Coordinates *c
) noexcept nogil:
    """Parse files and ranks, ignoring signs between them; return False if they are no move."""
    cdef uint8_t signs[6]
    cdef int count = 0, i = 0
    c.allowed = <bitboard_t>-1
    c.from_file = c.from_rank = c.target = -1
    c.promotion = NO_PIECE
    c.capture = False
    while i < length and count < 6:
        if is_file(p[i]) or is_rank(p[i]):
            signs[count] = p[i]
            count += 1
        elif p[i] == b'x' or p[i] == b':':
            c.capture = True
        elif p[i] != b'-':
            break
        i += 1
    if count >= 3 and is_file(signs[count - 1]) and is_rank(signs[count - 2]):
        # "a7a8b": the last letter is the promotion piece
        count -= 1
        i -= 1
    if not read_promotion(p + i, length - i, language, c):
        return False
    if count == 2 and is_file(signs[0]) and is_file(signs[1]):
        c.from_file = signs[0] - c'a'                # "ed": files of a pawn capture
        c.to_file = signs[1] - c'a'
        return True
    if count < 2 or count > 4 or not is_file(signs[count - 2]) or not is_rank(signs[count - 1]):
        return False
    c.to_file = signs[count - 2] - c'a'
    c.target = (signs[count - 1] - c'1') * 8 + c.to_file
    for i in range(count - 2):
        if is_file(signs[i]):
            if c.from_file >= 0:
                return False
            c.from_file = signs[i] - c'a'
            c.allowed &= file_mask(c.from_file)
        else:
            c.from_rank = signs[i] - c'1'
            c.allowed &= rank_mask(c.from_rank)
    return True


cdef inline Verdict find_pawn(
    const Position *pos, const Coordinates *c, move16_t *move
) noexcept nogil:
    """Find the only pawn move that the coordinates can mean."""
    cdef bitboard_t pawns = pos.pieces[PAWN] & pos.colours[pos.turn] & c.allowed
    cdef bitboard_t targets = file_mask(c.to_file) if c.target < 0 else bit(c.target)
    cdef bitboard_t left
    cdef int count = 0, start, target, promotion
    if c.target < 0:
        pawns &= file_mask(c.from_file)
    if c.from_file < 0 and not c.capture:
        pawns &= file_mask(c.to_file)
    while pawns:
        start = ocg_lowest(pawns)
        pawns &= pawns - 1
        left = targets
        while left:
            target = ocg_lowest(left)
            left &= left - 1
            if c.from_rank < 0 and c.from_file == (target & 7):
                # "bb5" is not a pawn move: see lower-case letters
                continue
            if not is_pawn_move(pos, start, target):
                continue
            promotion = c.promotion
            if target >> 3 == 7 - 7 * pos.turn:
                promotion = promotion if promotion else QUEEN
            elif promotion:
                continue
            move[0] = start | target << 6 | promotion << 12
            count += 1
    return PLAYED if count == 1 else AMBIGUOUS_MOVE if count else ILLEGAL_MOVE


cdef inline Verdict find_castling(const Position *pos, int right, move16_t *move) noexcept nogil:
    if not castling_is_legal(pos, right):
        return ILLEGAL_MOVE
    move[0] = castling_move(pos, right)
    return PLAYED


cdef inline Verdict find_king_or_piece(
    const Position *pos, int piece, const Coordinates *c, move16_t *move
) noexcept nogil:
    cdef int king = pos.kings[pos.turn]
    cdef int right, start
    if c.promotion or c.target < 0:
        return ILLEGAL_MOVE
    if piece == KING and c.from_file >= 0 and c.allowed >> king & 1:
        # "Ke1-g1", "e1g1", or in Chess960 "e1h1": king takes own rook.
        for right in range(2 * pos.turn, 2 * pos.turn + 2):
            if pos.rights >> right & 1 and (
                c.target == pos.rook_from[right]
                or c.target == (castling_move(pos, right) >> 6 & 63)
            ):
                return find_castling(pos, right, move)
    start = find_piece(pos, piece, c.target, c.allowed)
    if start < 0:
        return AMBIGUOUS_MOVE if start == -2 else ILLEGAL_MOVE
    move[0] = start | c.target << 6
    return PLAYED


cdef inline Verdict find_by_coordinates(
    const Position *pos, int piece, const Coordinates *c, move16_t *move
) noexcept nogil:
    cdef int start
    if piece == NO_PIECE and c.from_file >= 0 and c.from_rank >= 0:
        start = c.from_rank * 8 + c.from_file
        piece = pos.board[start] if pos.colours[pos.turn] >> start & 1 else PAWN
    if piece == NO_PIECE or piece == PAWN:
        return find_pawn(pos, c, move)
    return find_king_or_piece(pos, piece, c, move)


cdef inline Verdict find_small_piece(
    const Position *pos, const MoveText *t, int language, move16_t *move
) noexcept nogil:
    """Interpret a lower-case first letter as a piece: "nf3", "bb5"."""
    cdef Coordinates c
    cdef uint8_t letter = t.text[0]
    cdef int piece
    if t.piece != NO_PIECE or t.length < 3 or not b'a' <= letter <= b'z':
        return NO_MOVE
    piece = piece_in_row(language, letter - 32)
    if piece == NO_PIECE or not read_coordinates(t.text + 1, t.length - 1, language, &c):
        return NO_MOVE
    return find_by_coordinates(pos, piece, &c, move)


cdef inline Verdict find_odd_move(
    const Position *pos, const uint8_t *p, const uint8_t *end, int language, move16_t *move
) noexcept nogil:
    """Find the move that the token [p, end) means; the position is not changed."""
    cdef MoveText t
    cdef Coordinates c
    cdef Verdict verdict = NO_MOVE
    cdef Verdict small
    cdef int size
    if not reduce_token(p, end, language, &t):
        return NO_MOVE
    if ocg_is_null_move(p, end - p) or (
        t.piece == NO_PIECE and ocg_is_null_move(t.text, t.length)
    ):
        move[0] = 0
        return PLAYED
    size = castling_size(&t)
    if size:
        return find_castling(pos, 2 * pos.turn + size - 2, move)
    if read_coordinates(t.text, t.length, language, &c):
        verdict = find_by_coordinates(pos, t.piece, &c, move)
        if verdict == PLAYED:
            return PLAYED
    small = find_small_piece(pos, &t, language, move)
    if small != NO_MOVE:
        return small
    # "ed" may be a word; only a square shows that a move was intended.
    if not has_square(p, end):
        return NO_MOVE
    return verdict if verdict != NO_MOVE else UNREADABLE_MOVE


cdef inline int letters_at(const uint8_t *p) noexcept nogil:
    """Return how many letters are at `p`, MAX_TOKEN if more."""
    cdef int count = 0
    while count < MAX_TOKEN and is_letter(p[count]):
        count += 1
    return count


cdef inline int empty_word_size(const uint8_t *p) noexcept nogil:
    """Return the length of a word that adds nothing to a move ("ch", "mate"), else 0."""
    cdef int size = letters_at(p)
    return size if size and ocg_nag_of(p, size) == 0 else 0


cdef inline int piece_size(const uint8_t *p) noexcept nogil:
    """Return the length of the letter or name of a piece, 0 if there is none."""
    cdef int size = letters_at(p)
    if ocg_promotion_of(p, size):
        return size
    return size and (size == 1 or empty_word_size(p + 1) == size - 1)


cdef inline const uint8_t *promotion_end(const uint8_t *start, const uint8_t *p) noexcept nogil:
    """Return the end of a promotion that is separated from its pawn move [start, p).

    "a8(Q)", "a8(=Q)", "a8=(Queen)", "a8 = Q", "a8 Q"; return `p` if no promotion follows.
    """
    cdef const uint8_t *stop = p
    cdef const uint8_t *piece
    cdef const uint8_t *last = p - 1
    cdef bint has_sign = False
    cdef uint8_t closing = 0
    while last > start and is_promotion_sign(last[0]):
        has_sign = has_sign or last[0] == b'='
        last -= 1
    if not is_file(start[0]) or not (has_sign or last[0] == b'8' or last[0] == b'1'):
        return p
    while stop[0] in (b' ', b'=', b'/', b'(', b'['):
        has_sign = has_sign or stop[0] != b' '
        closing = b')' if stop[0] == b'(' else b']' if stop[0] == b'[' else closing
        stop += 1
    piece = stop
    stop += piece_size(stop)
    if stop == piece or (not has_sign and piece[0] not in (b'Q', b'R', b'B', b'N')):
        return p
    if closing:
        if stop[0] != closing:
            return p
        stop += 1
    elif is_letter(stop[0]) and not empty_word_size(stop):
        return p
    while not OCG_ENDS_TOKEN[stop[0]] and not is_letter(stop[0]) and not b'0' <= stop[0] <= b'9':
        stop += 1
    return stop + empty_word_size(stop)


cdef inline const uint8_t *token_end(const uint8_t *p) noexcept nogil:
    """Return where the token at `p` ends: at white space or a delimiter.

    Two moves without a space between them, "Nf3Nc6", and a result after a check sign are two
    tokens.
    """
    cdef const uint8_t *start = p
    p += 1
    while not OCG_ENDS_TOKEN[p[0]]:
        if is_rank((p - 1)[0]) and p[0] in (b'N', b'B', b'R', b'Q', b'K') and (
            is_file(p[1]) or is_rank(p[1]) or p[1] == b'x'
        ) and has_square(p + 1, p + 5):
            return p
        if ((p - 1)[0] == b'#' or (p - 1)[0] == b'+') and b'0' <= p[0] <= b'9':
            return p
        if p[0] >= 0x80 and (p[0] != 0xA0 or (p - 1)[0] < 0x80) and invisible_size(p):
            return p
        p += 1
    return promotion_end(start, p)
