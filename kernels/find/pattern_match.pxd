"""Position patterns: a chess query as a small program, and parts of a Go board.

The games are replayed and the pattern is matched after every move, or after one given move. For the
query language, see docs/find.md.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t

from chess_types cimport bitboard_t, stored_move
from game_positions cimport NOT_FOUND, PositionQuery, matches_query, next_chess
from go_board cimport (
    GO_BLACK_STONE, GO_COLOUR, GO_EMPTY, GO_OFF_BOARD, GO_ORIGIN, GO_PASS, GO_POINT, GO_STRIDE,
    GO_WHITE_STONE, GoBoard, go_index, go_is_move, go_play, go_stone_key,
)
from position cimport Position

cdef extern from "compiler.h":
    int OCG_COUNT_BITS(uint64_t word) nogil

cdef enum:
    EVERY_PLY = -1             # for `at`
    MOST_DEPTH = 320           # of the stack of a program

cdef enum:
    # Steps of a program; each takes its operands from the stack and pushes one number.
    STEP_NUMBER
    STEP_COUNT                 # of the pieces of a code on the squares of a mask
    STEP_FEN                   # 1 if the position equals the FEN of that index, else 0
    STEP_ADD, STEP_SUBTRACT, STEP_MULTIPLY
    STEP_DIVIDE                # truncates towards 0; division by 0 gives 0
    STEP_EQUAL, STEP_UNEQUAL, STEP_LESS, STEP_LESS_OR_EQUAL, STEP_GREATER, STEP_GREATER_OR_EQUAL
    STEP_AND, STEP_OR, STEPS

cdef enum:
    # Of STEP_COUNT: 8 * colour + type, or ALL_TYPES.
    ALL_TYPES = 7
    PIECE_CODES = 16

ctypedef struct Step:
    int operation              # STEP_NUMBER and so on
    int piece
    uint64_t value             # number, squares, or index of a FEN

ctypedef struct Program:
    Step *steps
    int count
    PositionQuery *positions

ctypedef struct PatternPoint:
    uint8_t column, row
    uint8_t allowed            # bit 1 << GO_EMPTY and so on
    int offset                 # from the first point to this point, in board indexes

cdef enum:
    ANYWHERE = -1              # position of a pattern
    FAR_EDGE = -2

ctypedef struct GoPattern:
    int lines                  # of the board, 0: any
    int column, row            # of its first point, or ANYWHERE, FAR_EDGE
    int width, height
    int count
    PatternPoint *points

ctypedef struct Range:
    int first, last            # of a column or row


# --- chess --------------------------------------------------------------------------------------

cdef inline uint64_t count_pieces(
    const Position *pos, int piece, bitboard_t squares
) noexcept nogil:
    squares &= pos.colours[piece >> 3]
    if piece & 7 != ALL_TYPES:
        squares &= pos.pieces[piece & 7]
    return OCG_COUNT_BITS(squares)


cdef inline int64_t quotient(int64_t left, int64_t right) noexcept nogil:
    if right == 0:
        return 0
    if right == -1:
        return <int64_t>(0 - <uint64_t>left)      # the lowest number has no opposite
    return left // right


cdef inline uint64_t combined(int operation, uint64_t left, uint64_t right) noexcept nogil:
    """Return the result of two numbers; they are signed, sums and products wrap around."""
    if operation == STEP_ADD:
        return left + right
    if operation == STEP_SUBTRACT:
        return left - right
    if operation == STEP_MULTIPLY:
        return left * right
    if operation == STEP_DIVIDE:
        return <uint64_t>quotient(<int64_t>left, <int64_t>right)
    if operation == STEP_EQUAL:
        return left == right
    if operation == STEP_UNEQUAL:
        return left != right
    if operation == STEP_LESS:
        return <int64_t>left < <int64_t>right
    if operation == STEP_LESS_OR_EQUAL:
        return <int64_t>left <= <int64_t>right
    if operation == STEP_GREATER:
        return <int64_t>left > <int64_t>right
    if operation == STEP_GREATER_OR_EQUAL:
        return <int64_t>left >= <int64_t>right
    if operation == STEP_AND:
        return left != 0 and right != 0
    return left != 0 or right != 0


cdef inline bint is_true(const Program *program, const Position *pos) noexcept nogil:
    """Return whether a checked program evaluates to a number other than 0."""
    cdef uint64_t[MOST_DEPTH] stack
    cdef const Step *step
    cdef int i, depth = 0
    for i in range(program.count):
        step = &program.steps[i]
        if step.operation == STEP_NUMBER:
            stack[depth] = step.value
            depth += 1
        elif step.operation == STEP_COUNT:
            stack[depth] = count_pieces(pos, step.piece, step.value)
            depth += 1
        elif step.operation == STEP_FEN:
            stack[depth] = matches_query(pos, &program.positions[step.value])
            depth += 1
        else:
            depth -= 1
            stack[depth - 1] = combined(step.operation, stack[depth - 1], stack[depth])
    return stack[0] != 0


cdef inline Py_ssize_t match_chess(
    Position *pos, const uint8_t *moves, Py_ssize_t plies, const Program *program, Py_ssize_t at
) noexcept nogil:
    """Return the first ply after which a program is true, NOT_FOUND if it never is.

    `at`: the only ply to test, or EVERY_PLY.
    """
    cdef Py_ssize_t ply = 0
    if at > plies:
        return NOT_FOUND
    while ply < at or not is_true(program, pos):
        if ply == at or ply == plies or not next_chess(pos, moves, ply):
            return NOT_FOUND
        ply += 1
    return ply


# --- Go -----------------------------------------------------------------------------------------

cdef inline Range origins(int edge_or_index, int size, int lines) noexcept nogil:
    """Return the range of the first column or row of a pattern; empty if `last` < `first`."""
    cdef Range bounds
    bounds.first = 0
    bounds.last = lines - size
    if edge_or_index == FAR_EDGE:
        bounds.first = bounds.last
    elif edge_or_index != ANYWHERE:
        bounds.first = edge_or_index
        bounds.last = min(edge_or_index, bounds.last)
    if bounds.first < 0:
        bounds.last = -1
    return bounds


cdef inline bint matches_at(
    const GoBoard *board, const GoPattern *pattern, int column, int row
) noexcept nogil:
    """Return whether a pattern matches with its first point here; it must fit on the board."""
    cdef const uint8_t *stones = board.stones + GO_ORIGIN + GO_STRIDE * row + column
    cdef int i
    for i in range(pattern.count):
        if not pattern.points[i].allowed >> stones[pattern.points[i].offset] & 1:
            return False
    return True


cdef inline bint matches_anywhere(const GoBoard *board, const GoPattern *pattern) noexcept nogil:
    cdef Range columns, rows
    cdef int column, row
    if pattern.lines and pattern.lines != board.lines:
        return False
    columns = origins(pattern.column, pattern.width, board.lines)
    rows = origins(pattern.row, pattern.height, board.lines)
    for row in range(rows.first, rows.last + 1):
        for column in range(columns.first, columns.last + 1):
            if matches_at(board, pattern, column, row):
                return True
    return False


cdef inline bint matches_around(
    const GoBoard *board, const GoPattern *pattern, int column, int row, uint8_t stone
) noexcept nogil:
    """Return whether a pattern matches in a position that covers this stone."""
    cdef Range columns, rows
    cdef int i, first_column, first_row
    if pattern.lines and pattern.lines != board.lines:
        return False
    columns = origins(pattern.column, pattern.width, board.lines)
    rows = origins(pattern.row, pattern.height, board.lines)
    for i in range(pattern.count):
        if not pattern.points[i].allowed >> stone & 1:
            continue
        first_column = column - pattern.points[i].column
        first_row = row - pattern.points[i].row
        if (
            columns.first <= first_column <= columns.last and rows.first <= first_row <= rows.last
            and matches_at(board, pattern, first_column, first_row)
        ):
            return True
    return False


cdef inline int first_matching(
    const GoBoard *board, const GoPattern *patterns, int count
) noexcept nogil:
    """Return the number of the first pattern that matches, NOT_FOUND if none does."""
    cdef int i
    for i in range(count):
        if matches_anywhere(board, &patterns[i]):
            return i
    return NOT_FOUND


cdef inline int match_after_move(
    GoBoard *board, uint16_t move, const GoPattern *patterns, int count, bint *is_played
) noexcept nogil:
    """Play a move; return the first pattern that matches after it, NOT_FOUND if none does.

    No pattern matched before, so without captures only positions around the new stone can match.
    """
    cdef uint64_t key = board.key
    cdef int point = move & GO_POINT
    cdef uint8_t stone = GO_WHITE_STONE if move & GO_COLOUR else GO_BLACK_STONE
    cdef bint was_empty
    cdef int i
    is_played[0] = go_is_move(move, board.lines)
    if not is_played[0] or point == GO_PASS:
        return NOT_FOUND
    was_empty = board.stones[go_index(point)] == GO_EMPTY
    go_play(board, move)
    if not was_empty or board.key != key ^ go_stone_key(go_index(point), stone):
        return first_matching(board, patterns, count)
    for i in range(count):
        if matches_around(board, &patterns[i], point & 31, point >> 5, stone):
            return i
    return NOT_FOUND


cdef inline Py_ssize_t match_go(
    GoBoard *board, const uint8_t *moves, Py_ssize_t plies, const GoPattern *patterns, int count,
    Py_ssize_t at, int *pattern_index
) noexcept nogil:
    """Return the first move after which a pattern matches, and its index; or NOT_FOUND."""
    cdef Py_ssize_t ply
    cdef bint is_played = True
    pattern_index[0] = NOT_FOUND
    if at != EVERY_PLY:
        if at > plies:
            return NOT_FOUND
        for ply in range(at):
            if go_play(board, stored_move(moves, ply)) == GO_OFF_BOARD:
                return NOT_FOUND
        pattern_index[0] = first_matching(board, patterns, count)
        return at if pattern_index[0] != NOT_FOUND else NOT_FOUND
    pattern_index[0] = first_matching(board, patterns, count)
    if pattern_index[0] != NOT_FOUND:
        return 0
    for ply in range(plies):
        pattern_index[0] = match_after_move(
            board, stored_move(moves, ply), patterns, count, &is_played
        )
        if pattern_index[0] != NOT_FOUND:
            return ply + 1
        if not is_played:
            return NOT_FOUND
    return NOT_FOUND
