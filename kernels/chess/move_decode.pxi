"""Decode move blobs as UCI, SAN and FEN; compute their keys; perft, a test of legality.

Nothing is guessed: a blob that does not replay raises a ValueError that names the ply.
"""


from chess_types cimport CHESS960_CASTLING, KING, KNIGHT, NO_PIECE, PAWN, QUEEN
from fen cimport is_playable, is_standard_start, write_epd
from movetext cimport begin_movetext, count_ply
from pgn_game cimport mainline_hash, write_uci
from position cimport in_check, key_from_scratch, move_is_legal, play_move
from san_read cimport OCG_ENGLISH

cdef enum:
    EPD_BYTES = 128        # more than write_epd() can write
    MAX_DEPTH = 32         # of perft
    UCI_BYTES = 5          # of a promotion; write_uci() needs one more byte for its blank


# --- arguments ----------------------------------------------------------------------------------

cdef int read_start(Position *start, fen, bint has_moves) except -1:
    """Set up the start of a game: see read_start_fen(). None is the standard start position."""
    cdef Py_ssize_t length = 0
    cdef const uint8_t *text
    if fen is None:
        start[0] = STANDARD
        return 0
    text = <const uint8_t *>PyUnicode_AsUTF8AndSize(fen, &length)
    if not read_start_fen(start, text, text + length, has_moves):
        raise ValueError(f"FEN is not a legal position: {fen!r}")


cdef int raise_illegal(const uint8_t *moves, Py_ssize_t ply, Py_ssize_t plies) except -1:
    raise ValueError(
        f"ply {ply + 1} of {plies}: stored move 0x{stored_move(moves, ply):04x} is not legal"
    )


# --- replay -------------------------------------------------------------------------------------

cdef bint zeroes_clock(const Position *pos, move16_t move) noexcept nogil:
    """Return whether a legal move is a capture or pawn move, which resets the 50-move clock."""
    if move == 0 or move & CHESS960_CASTLING:
        return False
    return pos.board[move & 63] == PAWN or pos.board[move >> 6 & 63] != NO_PIECE


cdef Py_ssize_t play_all(Position *pos, const uint8_t *moves, Py_ssize_t plies) noexcept nogil:
    """Play the moves and count the halfmove clock; stop before a move that is not legal."""
    cdef Py_ssize_t ply
    cdef move16_t move
    for ply in range(plies):
        move = stored_move(moves, ply)
        if not move_is_legal(pos, move):
            return ply
        pos.halfmove = 0 if zeroes_clock(pos, move) else pos.halfmove + 1
        play_move(pos, move)
    return plies


cdef int reach_end(Position *pos, bytes moves, fen) except -1:
    """Set up the position after the last ply."""
    cdef Py_ssize_t plies = count_moves(moves)
    cdef Py_ssize_t played
    cdef const uint8_t *blob = <const uint8_t *>PyBytes_AS_STRING(moves)
    read_start(pos, fen, plies > 0)
    with nogil:
        played = play_all(pos, blob, plies)
    if played < plies:
        raise_illegal(blob, played, plies)


cdef str epd_of(const Position *pos):
    cdef uint8_t text[EPD_BYTES]
    cdef Py_ssize_t length = write_epd(pos, text)
    return PyUnicode_DecodeASCII(<const char *>text, length, "strict")


cdef Py_ssize_t write_both(
    Replay *replay, const uint8_t *blob, Py_ssize_t plies, uint8_t **uci, uint8_t **san
) noexcept nogil:
    """Write each move in both notations, followed by a blank; stop before an illegal move."""
    cdef Py_ssize_t ply
    cdef move16_t move
    cdef uint8_t *stop
    for ply in range(plies):
        move = stored_move(blob, ply)
        stop = write_ply(replay, move, san[0])
        if stop == NULL:
            return ply
        stop[0] = b' '
        san[0] = stop + 1
        stop = write_uci(&move, 1, uci[0])
        stop[0] = b' '
        uci[0] = stop + 1
    return plies


def decode_texts(bytes moves not None, fen=None) -> tuple[str, str]:
    """Return the moves of a blob as two texts, UCI and SAN, with a blank between moves."""
    cdef Replay replay
    cdef Position start
    cdef Py_ssize_t played, plies = count_moves(moves)
    cdef const uint8_t *blob = <const uint8_t *>PyBytes_AS_STRING(moves)
    cdef uint8_t *text
    cdef uint8_t *sans
    cdef uint8_t *uci
    cdef uint8_t *san
    read_start(&start, fen, plies > 0)
    if plies == 0:
        return "", ""
    begin_replay(&replay, &start)
    text = <uint8_t *>allocate(plies, UCI_BYTES + SAN_BYTES + 2)
    try:
        sans = text + plies * (UCI_BYTES + 1)
        uci, san = text, sans
        with nogil:
            played = write_both(&replay, blob, plies, &uci, &san)
        if played < plies:
            raise_illegal(blob, played, plies)
        return (
            PyUnicode_DecodeASCII(<const char *>text, uci - text - 1, "strict"),
            PyUnicode_DecodeASCII(<const char *>sans, san - sans - 1, "strict"),
        )
    finally:
        free(text)


def decode_san(bytes moves not None, fen=None) -> list[str]:
    """Return the SAN moves of a blob; a null move is "--"."""
    return decode_texts(moves, fen)[1].split()


def start_epd(fen not None, *, bint is_legal=False) -> str:
    """Return the EPD of a start position, without the counters."""
    cdef Position pos
    read_start(&pos, fen, is_legal)
    return epd_of(&pos)


def final_fen(bytes moves not None, fen=None) -> str:
    """Return the FEN of the final position, with its counters."""
    cdef Position pos
    reach_end(&pos, moves, fen)
    if not is_playable(&pos):
        return fen
    return f"{epd_of(&pos)} {pos.halfmove} {pos.fullmove}"


cdef bint can_move(const Position *pos) noexcept nogil:
    """Return whether the side to move has a legal move; who can castle has another move too."""
    cdef int start, target
    cdef move16_t move
    for start in range(64):
        if pos.board[start] == NO_PIECE:
            continue
        for target in range(64):
            move = <move16_t>(start | target << 6)
            if move == 0:                  # a null move
                continue
            if move_is_legal(pos, move) or (
                pos.board[start] == PAWN and move_is_legal(pos, move | QUEEN << 12)
            ):
                return True
    return False


def board_result(bytes moves not None, fen=None) -> str | None:
    """Return the result of mate or stalemate in the final position, None for neither."""
    cdef Position pos
    reach_end(&pos, moves, fen)
    if not is_playable(&pos) or can_move(&pos):
        return None
    if not in_check(&pos):
        return "1/2-1/2"
    return "0-1" if pos.turn == 0 else "1-0"


# --- keys ---------------------------------------------------------------------------------------

cdef Py_ssize_t sum_keys(
    Reader *r, const uint8_t *blob, move16_t *moves, Py_ssize_t plies
) noexcept nogil:
    """Replay moves and sum their keys in the reader; return the number of legal plies."""
    cdef Py_ssize_t ply
    begin_movetext(r, OCG_ENGLISH)
    for ply in range(plies):
        moves[ply] = stored_move(blob, ply)
        if not move_is_legal(&r.pos, moves[ply]):
            return ply
        play_move(&r.pos, moves[ply])
        count_ply(r)
    return plies


cdef Py_ssize_t fill_keys(
    Reader *r, const uint8_t *blob, Py_ssize_t plies, uint64_t *hash
) except -1 nogil:
    """Return the number of plies that could be played."""
    cdef Py_ssize_t played
    cdef bint standard = is_standard_start(&r.start, &STANDARD)
    cdef move16_t *moves = <move16_t *>allocate(plies, sizeof(move16_t))
    played = sum_keys(r, blob, moves, plies)
    if played == plies:
        hash[0] = mainline_hash(&r.out, &r.start, standard, moves, plies, USE_SHA_NI)
    free(moves)
    require_memory(not r.out.out_of_memory)
    return played


def keys_of(bytes moves not None, fen=None) -> tuple[int, int, int, int]:
    """Return mainline hash, final Zobrist, positions key and sampled key, as signed integers."""
    cdef Reader r
    cdef Py_ssize_t plies = count_moves(moves)
    cdef Py_ssize_t played
    cdef uint64_t hash = 0
    cdef const uint8_t *blob = <const uint8_t *>PyBytes_AS_STRING(moves)
    if plies > 0x7FFFFFFF:
        raise ValueError(f"game is too long: {plies} plies")
    memset(&r, 0, sizeof(Reader))
    read_start(&r.start, fen, plies > 0)
    with nogil:
        played = fill_keys(&r, blob, plies, &hash)
        free(r.out.message)
    if played < plies:
        raise_illegal(blob, played, plies)
    return (
        <int64_t>hash, <int64_t>r.pos.key, <int64_t>r.positions_key, <int64_t>r.sampled_key
    )


def scratch_key(bytes moves not None, fen=None) -> int:
    """Return the Polyglot key of the final position, computed from the board alone."""
    cdef Position pos
    reach_end(&pos, moves, fen)
    return <int64_t>key_from_scratch(&pos)


# --- perft --------------------------------------------------------------------------------------

cdef int collect_from(const Position *pos, int start, move16_t *moves) noexcept nogil:
    """Try every target, promotion and castling; return the number of legal moves."""
    cdef int target, promotion, count = 0
    cdef move16_t move
    for target in range(64):
        move = <move16_t>(start | target << 6)
        if move != 0 and move_is_legal(pos, move):
            moves[count] = move
            count += 1
        if pos.board[start] == KING and move_is_legal(pos, move | CHESS960_CASTLING):
            moves[count] = move | CHESS960_CASTLING
            count += 1
        if pos.board[start] != PAWN:
            continue
        for promotion in range(KNIGHT, KING):
            if move_is_legal(pos, <move16_t>(move | promotion << 12)):
                moves[count] = <move16_t>(move | promotion << 12)
                count += 1
    return count


cdef uint64_t count_leaves(const Position *pos, int depth) noexcept nogil:
    cdef move16_t moves[32]            # a queen has 27 moves at most
    cdef Position after
    cdef uint64_t leaves = 0
    cdef int start, count, i
    if depth == 0:
        return 1
    for start in range(64):
        if not pos.colours[pos.turn] >> start & 1:
            continue
        count = collect_from(pos, start, moves)
        if depth == 1:
            leaves += count
            continue
        for i in range(count):
            after = pos[0]
            play_move(&after, moves[i])
            leaves += count_leaves(&after, depth - 1)
    return leaves


def perft(fen not None, int depth) -> int:
    """Count the leaves of the tree of legal moves, generated by trying every possible move."""
    cdef Position pos
    cdef uint64_t leaves
    if not 0 <= depth <= MAX_DEPTH:
        raise ValueError(f"depth out of range (0 to {MAX_DEPTH}): {depth}")
    read_start(&pos, fen, True)
    with nogil:
        leaves = count_leaves(&pos, depth)
    return leaves
