"""A Go board: stones, captures, and the key of the position.

Defines the 2-byte Go move and the start of a game (docs/file-format.md). Captures walk groups,
since boards are small and most moves touch no group without liberties.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from sha256 cimport sha256_first8

cdef enum:
    # Contents of a point.
    GO_EMPTY, GO_BLACK_STONE, GO_WHITE_STONE, GO_EDGE

cdef enum:
    GO_MOST_LINES = 25
    GO_DEFAULT_LINES = 19
    GO_COLOUR = 1 << 10        # bit of a move: White plays
    GO_POINT = GO_COLOUR - 1   # bits of a move: column and row
    GO_PASS = GO_POINT         # column 31, row 31
    GO_STRIDE = 32             # distance of two rows
    GO_ORIGIN = GO_STRIDE + 1  # index of column 0, row 0: the board has a border
    GO_BOARD_BYTES = GO_STRIDE * (GO_MOST_LINES + 2) + 2

cdef enum:
    # Outcome of a move.
    GO_PLAIN = 0
    GO_ODD = 1                 # onto a stone, or suicide
    GO_OFF_BOARD = 2           # not played

ctypedef struct GoBoard:
    uint64_t key
    int lines
    uint8_t[GO_BOARD_BYTES] stones


cdef extern from *:
    """
    #include <stdint.h>
    /* SplitMix64's finalizer (Steele, Lea, Flood 2014) of n * golden ratio. */
    static inline uint64_t ocg_go_number(uint64_t n) {
        uint64_t x = n * 0x9E3779B97F4A7C15u;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        return x ^ (x >> 31);
    }
    /* To the neighbours of a point, in the order of captures; 32 is GO_STRIDE. */
    static const int OCG_GO_STEPS[4] = {-1, 1, -32, 32};
    """
    uint64_t ocg_go_number(uint64_t n) noexcept nogil
    const int OCG_GO_STEPS[4]


cdef inline int go_index(uint32_t point) noexcept nogil:
    """Return the board index of a point: column | row << 5."""
    return GO_ORIGIN + GO_STRIDE * <int>(point >> 5) + <int>(point & 31)


cdef inline uint64_t go_stone_key(int index, uint8_t stone) noexcept nogil:
    """Return the number that a stone on a point adds to the key of the position."""
    return ocg_go_number(<uint64_t>(2 * (index - GO_ORIGIN) + stone))


cdef inline bint go_on_board(int lines, uint32_t point) noexcept nogil:
    return <int>(point & 31) < lines and <int>(point >> 5 & 31) < lines


cdef inline bint go_is_move(uint16_t move, int lines) noexcept nogil:
    """Return whether a number is a move (a point or a pass, no other bits) on a board.

    `lines`: board size; GO_MOST_LINES tests for any board.
    """
    if move > (GO_COLOUR | GO_POINT):
        return False
    return move & GO_POINT == GO_PASS or go_on_board(lines, move & GO_POINT)


cdef inline void go_clear(GoBoard *board, int lines) noexcept nogil:
    """Clear the board and set its size, 1 to GO_MOST_LINES lines."""
    cdef int row
    memset(board.stones, GO_EDGE, sizeof(board.stones))
    for row in range(lines):
        memset(board.stones + GO_ORIGIN + GO_STRIDE * row, GO_EMPTY, lines)
    board.lines = lines
    board.key = 0 if lines == GO_DEFAULT_LINES else ocg_go_number(4096 + lines)


cdef inline void go_put(GoBoard *board, uint32_t point, uint8_t stone) noexcept nogil:
    """Put a stone, or GO_EMPTY, on a point of the board; nothing is captured."""
    cdef int index = go_index(point)
    if board.stones[index] != GO_EMPTY:
        board.key ^= go_stone_key(index, board.stones[index])
    board.stones[index] = stone
    if stone != GO_EMPTY:
        board.key ^= go_stone_key(index, stone)


cdef inline int go_count_stones(const GoBoard *board) noexcept nogil:
    cdef int column, row, count = 0
    for row in range(board.lines):
        for column in range(board.lines):
            count += board.stones[go_index(column | row << 5)] != GO_EMPTY
    return count


cdef inline bint go_has_liberty(const GoBoard *board, int index) noexcept nogil:
    """Return whether one of the four neighbours of a point is empty."""
    return (
        board.stones[index - 1] == GO_EMPTY or board.stones[index + 1] == GO_EMPTY
        or board.stones[index - GO_STRIDE] == GO_EMPTY
        or board.stones[index + GO_STRIDE] == GO_EMPTY
    )


cdef inline int go_capture(GoBoard *board, int index) noexcept nogil:
    """Capture the group of a stone if it has no liberty; return the number of stones."""
    cdef int[GO_MOST_LINES * GO_MOST_LINES] group
    cdef uint8_t[GO_BOARD_BYTES] is_in_group
    cdef uint8_t stone = board.stones[index]
    cdef int count = 1, at = 0, i, k, near
    if go_has_liberty(board, index):
        return 0
    memset(is_in_group, 0, sizeof(is_in_group))
    group[0] = index
    is_in_group[index] = True
    while at < count:
        for k in range(4):
            near = group[at] + OCG_GO_STEPS[k]
            if board.stones[near] == stone and not is_in_group[near]:
                if go_has_liberty(board, near):
                    return 0
                is_in_group[near] = True
                group[count] = near
                count += 1
        at += 1
    for i in range(count):
        board.stones[group[i]] = GO_EMPTY
        board.key ^= go_stone_key(group[i], stone)
    return count


cdef inline int go_play(GoBoard *board, uint16_t move) noexcept nogil:
    """Play a move; return GO_PLAIN, GO_ODD, or GO_OFF_BOARD if it was not played.

    SGF FF[4], "Move properties": a move is executed whether it is legal or not.
    """
    cdef uint32_t point = move & GO_POINT
    cdef uint8_t stone = GO_WHITE_STONE if move & GO_COLOUR else GO_BLACK_STONE
    cdef uint8_t opponent = GO_BLACK_STONE + GO_WHITE_STONE - stone
    cdef int index, k, outcome = GO_PLAIN
    if not go_is_move(move, board.lines):
        return GO_OFF_BOARD
    if point == GO_PASS:
        return GO_PLAIN
    index = go_index(point)
    if board.stones[index] != GO_EMPTY:
        outcome = GO_ODD
    go_put(board, point, stone)
    for k in range(4):
        if board.stones[index + OCG_GO_STEPS[k]] == opponent:
            go_capture(board, index + OCG_GO_STEPS[k])
    if go_capture(board, index):
        outcome = GO_ODD
    return outcome


cdef inline int go_point_of(const uint8_t *text) noexcept nogil:
    """Return the point of two lower-case letters, -1 if they are not a point."""
    cdef int column = text[0] - c'a'
    cdef int row = text[1] - c'a'
    if 0 <= column < 26 and 0 <= row < 26:
        return column | row << 5
    return -1


cdef inline bint go_read_start(
    GoBoard *board, const uint8_t *text, const uint8_t *end
) noexcept nogil:
    """Set up a board from the stored start of a game; return False if the text is invalid.

    An empty text is the empty 19x19 board. For the format (two letters and brackets), see
    docs/go.md.
    """
    cdef int lines = 0, point
    cdef uint8_t stone
    if text == end:
        go_clear(board, GO_DEFAULT_LINES)
        return True
    if end - text < 5 or memcmp(text, b"SZ[", 3) != 0:
        return False
    text += 3
    while text < end and b'0' <= text[0] <= b'9' and lines < 100:
        lines = 10 * lines + text[0] - c'0'
        text += 1
    if text == end or text[0] != b']' or not 0 < lines <= GO_MOST_LINES:
        return False
    text += 1
    go_clear(board, lines)
    while text < end:
        if end - text < 6 or text[0] != b'A' or text[1] not in (b'B', b'W'):
            return False
        stone = GO_BLACK_STONE if text[1] == b'B' else GO_WHITE_STONE
        text += 2
        while text < end and text[0] == b'[':
            if end - text < 4 or text[3] != b']':
                return False
            point = go_point_of(text + 1)
            if point < 0 or not go_on_board(lines, <uint32_t>point):
                return False
            go_put(board, <uint32_t>point, stone)
            text += 4
    return True


cdef inline uint8_t *go_write_move(uint8_t *out, uint16_t move) noexcept nogil:
    """Write a move as colour and point, "Bpd", a pass as the colour alone; return the end."""
    cdef uint32_t point = move & GO_POINT
    out[0] = b'W' if move & GO_COLOUR else b'B'
    if point == GO_PASS:
        return out + 1
    out[1] = <uint8_t>(c'a' + (point & 31))
    out[2] = <uint8_t>(c'a' + (point >> 5))
    return out + 3


# --- keys of a game -------------------------------------------------------------------------------

cdef enum:
    GO_EVERY = 5               # moves between two positions of sampled_key
    GO_MOVE_BYTES = 4          # maximum of a move in the message to hash, with the blank before it
    GO_ODD_MOVES = 4           # SpecialMoves: onto a stone, or suicide

ctypedef struct GoKeys:
    uint64_t mainline_hash
    uint64_t final_zobrist
    uint64_t positions_key
    uint64_t sampled_key
    int special


cdef inline size_t go_message_bytes(size_t start_bytes, size_t moves) noexcept nogil:
    """Return the size of the message that go_keys() hashes, with padding."""
    return start_bytes + 1 + GO_MOVE_BYTES * moves + 128


cdef inline Py_ssize_t go_keys(
    const uint8_t *start, size_t start_bytes, const uint16_t *moves, size_t count,
    uint8_t *message, bint use_ni, GoKeys *out,
) noexcept nogil:
    """Replay a game; return the number of moves that are on the board: `count` if all are.

    Return -1 if the start is invalid. `message`: see go_message_bytes().
    """
    cdef GoBoard board
    cdef uint8_t *at = message
    cdef size_t i
    cdef int outcome
    if not go_read_start(&board, start, start + start_bytes):
        return -1
    out.positions_key = out.sampled_key = 0
    out.special = 0
    if start_bytes:
        memcpy(at, start, start_bytes)
        at[start_bytes] = b'\n'
        at += start_bytes + 1
    for i in range(count):
        outcome = go_play(&board, moves[i])
        if outcome == GO_OFF_BOARD:
            return <Py_ssize_t>i
        if outcome == GO_ODD:
            out.special = GO_ODD_MOVES
        out.positions_key += board.key
        if (i + 1) % GO_EVERY == 0:
            out.sampled_key += board.key
        if i:
            at[0] = b' '
            at += 1
        at = go_write_move(at, moves[i])
    out.final_zobrist = board.key
    out.mainline_hash = sha256_first8(message, at - message, use_ni)
    return <Py_ssize_t>count
