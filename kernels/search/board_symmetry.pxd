"""Rotate Go games to one of eight orientations, however the board was recorded.

A game is compared in its canonical orientation: the least of eight by the board of its start, then
by its moves. So duplicates are equal, or one is a prefix of the other, as in chess. A slip in the
first moves can lead to another orientation. Such pairs are found by rotation-invariant keys and
rotated by majority vote.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

from game_record cimport Game, Games, hash_bytes, moves_of
from go_board cimport (
    GO_COLOUR, GO_DEFAULT_LINES, GO_MOST_LINES, GO_PASS, GO_POINT, GoBoard, go_count_stones,
    go_index, go_is_move, go_read_start,
)
from go_symmetry cimport GO_SYMMETRIES, go_inverse, go_map_move, go_map_point
from thresholds cimport LEAST_VOTERS, MOST_SHIFT, MOST_STONES, VOTERS

cdef enum:
    GO_CELLS = GO_MOST_LINES * GO_MOST_LINES
    ALL_SYMMETRIES = (1 << GO_SYMMETRIES) - 1
    ASYMMETRIC_POINT = 1       # column 1, row 0: each symmetry moves it to another point


# --- canonical orientation ----------------------------------------------------------------------

cdef inline void write_rotated_board(
    const GoBoard *board, int symmetry, uint8_t *cells
) noexcept nogil:
    """Write the contents of each point of a rotated board, row by row."""
    cdef uint32_t row, column, point
    for row in range(<uint32_t>board.lines):
        for column in range(<uint32_t>board.lines):
            point = go_map_point(column | row << 5, board.lines, symmetry)
            cells[(point >> 5) * <uint32_t>board.lines + (point & 31)] = (
                board.stones[go_index(column | row << 5)]
            )


cdef inline uint64_t read_go_start(
    const uint8_t *text, size_t length, int *lines, int *symmetries, uint16_t *stones
) noexcept nogil:
    """Return a key of a start that is the same in all orientations.

    The empty 19x19 board has key 0. `symmetries` is set to those that give the least board, as
    bits, `lines` to 0 for a text that is not a start, `stones` to the number of stones on the
    board.
    """
    cdef GoBoard board
    cdef uint8_t[GO_CELLS] least
    cdef uint8_t[GO_CELLS] cells
    cdef size_t size
    cdef int symmetry, order
    lines[0] = 0
    stones[0] = 0
    symmetries[0] = 1
    if not go_read_start(&board, text, text + length):
        return hash_bytes(text, length) | 1
    lines[0] = board.lines
    stones[0] = <uint16_t>go_count_stones(&board)
    size = board.lines * board.lines
    write_rotated_board(&board, 0, least)
    for symmetry in range(1, GO_SYMMETRIES):
        write_rotated_board(&board, symmetry, cells)
        order = memcmp(cells, least, size)
        if order < 0:
            memcpy(least, cells, size)
            symmetries[0] = 0
        if order <= 0:
            symmetries[0] |= 1 << symmetry
    if board.lines == GO_DEFAULT_LINES and stones[0] == 0:
        return 0
    return hash_bytes(least, size) | 1


cdef inline bint are_on_board(const uint16_t *moves, size_t count, int lines) noexcept nogil:
    cdef size_t i
    for i in range(count):
        if not go_is_move(moves[i], lines):
            return False
    return True


cdef inline int canonical_symmetry(
    const uint16_t *moves, size_t count, int lines, int symmetries
) noexcept nogil:
    """Return the symmetry among `symmetries` that gives the least sequence of moves.

    So the beginning of a game has the orientation of the whole game.
    """
    cdef size_t i
    cdef int symmetry, kept = 0
    cdef uint16_t move, least
    for i in range(count):
        if symmetries & (symmetries - 1) == 0:
            break
        least = 0xFFFF
        for symmetry in range(GO_SYMMETRIES):
            if not symmetries >> symmetry & 1:
                continue
            move = go_map_move(moves[i], lines, symmetry)
            if move < least:
                least = move
                kept = 0
            if move == least:
                kept |= 1 << symmetry
        symmetries = kept
    symmetry = 0
    while not symmetries >> symmetry & 1:
        symmetry += 1
    return symmetry


cdef inline void rotate_moves(
    uint16_t *moves, size_t count, int lines, int symmetry
) noexcept nogil:
    cdef size_t i
    if symmetry == 0:
        return
    for i in range(count):
        moves[i] = go_map_move(moves[i], lines, symmetry)


cdef inline void orient_game(Game *game, uint16_t *moves, int symmetries) noexcept nogil:
    """Rotate a game to its canonical orientation, unless moves are off its board."""
    if not are_on_board(moves, game.plies, game.lines):
        game.lines = 0
        return
    game.start_symmetries = <uint8_t>symmetries
    game.symmetry = <uint8_t>canonical_symmetry(moves, game.plies, game.lines, symmetries)
    rotate_moves(moves, game.plies, game.lines, game.symmetry)


# --- rotation-invariant shape -------------------------------------------------------------------

cdef inline void write_shape(
    const uint16_t *moves, size_t count, int lines, uint16_t *out
) noexcept nogil:
    """Write for each move its distances from the centre and from the previous move, and its colour.

    So a run of moves is recognised anywhere in a game and in any orientation.
    """
    cdef int column, row, x, y, last_x = 0, last_y = 0
    cdef uint32_t middle, step
    cdef size_t i
    for i in range(count):
        column = moves[i] & 31
        row = moves[i] >> 5 & 31
        x = 2 * column - (lines - 1)
        y = 2 * row - (lines - 1)
        middle = <uint32_t>(x * x + y * y)
        step = <uint32_t>((x - last_x) * (x - last_x) + (y - last_y) * (y - last_y))
        if moves[i] & GO_POINT == GO_PASS:
            middle = step = 0xFFFF
        else:
            last_x = x
            last_y = y
        out[i] = <uint16_t>(
            (middle * <uint32_t>0x9E3779B1 + step * <uint32_t>0x85EBCA6B) >> 16
        ) ^ <uint16_t>(moves[i] & GO_COLOUR)


# --- two games ----------------------------------------------------------------------------------

cdef inline int count_votes(
    const uint16_t *a, const uint16_t *b, int count, int shift
) noexcept nogil:
    """Return how many moves of b equal the moves of a that are `shift` plies later."""
    cdef int i, votes = 0
    for i in range(max(0, -shift), count - max(0, shift)):
        votes += a[i + shift] == b[i]
    return votes


cdef inline bint agree_when_shifted(
    const uint16_t *a, const uint16_t *b, int count, int most
) noexcept nogil:
    """Return whether more than half of the moves are equal, shifted by at most `most` plies."""
    cdef int shift
    for shift in range(-most, most + 1):
        if 2 * count_votes(a, b, count, shift) > count:
            return True
    return False


cdef inline int most_shift(const Game *a, const Game *b) noexcept nogil:
    return MOST_SHIFT if a.start == b.start else MOST_STONES


cdef inline void write_centre_distances(
    const uint16_t *moves, int count, int lines, uint16_t *out
) noexcept nogil:
    """Write the squared distance of each move from the centre; a pass is a far point."""
    cdef int i, x, y
    for i in range(count):
        x = 2 * (moves[i] & 31) - (lines - 1)
        y = 2 * (moves[i] >> 5 & 31) - (lines - 1)
        out[i] = <uint16_t>(x * x + y * y) | <uint16_t>((moves[i] & GO_COLOUR) << 2)


cdef inline bint may_be_rotated(
    const uint16_t *a, const uint16_t *b, int count, int lines, int most
) noexcept nogil:
    """Return whether enough moves have equal distances from the centre for a vote."""
    cdef uint16_t[VOTERS] left
    cdef uint16_t[VOTERS] right
    write_centre_distances(a, count, lines, left)
    write_centre_distances(b, count, lines, right)
    return agree_when_shifted(left, right, count, most)


cdef inline int symmetry_by_votes(const Games *all, const Game *a, const Game *b) noexcept nogil:
    """Return the symmetry that maps more than half of the first moves of b to a; 0 if none.

    Compares moves of the same number, and moves shifted for a game that lacks a few first moves.
    """
    cdef uint16_t[VOTERS] rotated
    cdef int count = min(VOTERS, <int>min(a.plies, b.plies))
    cdef int symmetry, shift, votes
    cdef int most = count // 2
    cdef int max_shift = most_shift(a, b)
    cdef int best_symmetry = 0
    if count < LEAST_VOTERS:
        return 0
    if not may_be_rotated(moves_of(all, a), moves_of(all, b), count, a.lines, max_shift):
        return 0                           # nearly all pairs; saves rotating them
    for symmetry in range(1, GO_SYMMETRIES):
        memcpy(rotated, moves_of(all, b), 2 * count)
        rotate_moves(rotated, count, b.lines, symmetry)
        for shift in range(-max_shift, max_shift + 1):
            votes = count_votes(moves_of(all, a), rotated, count, shift)
            if votes > most:
                most = votes
                best_symmetry = symmetry
    return best_symmetry


cdef inline bint share_most_moves(const Games *all, const Game *a, const Game *b) noexcept nogil:
    """Return whether more than half of the moves of the shorter game occur in the other."""
    cdef int count = <int>min(a.plies, b.plies)
    return agree_when_shifted(moves_of(all, a), moves_of(all, b), count, most_shift(a, b))


cdef inline void add_rotated_record(
    const Games *all, const Game *game, int symmetry, Game *out
) noexcept nogil:
    """Make a rotated record of a game; its moves go after those of all games."""
    out[0] = game[0]
    out.moves = all.moves
    memcpy(all.arena + all.moves, moves_of(all, game), 2 * <size_t>game.plies)
    rotate_moves(all.arena + all.moves, game.plies, game.lines, symmetry)


cdef inline int compose_symmetries(int first, int second) noexcept nogil:
    """Return the composition of two symmetries, on a board of any size."""
    cdef uint32_t point = go_map_point(ASYMMETRIC_POINT, GO_DEFAULT_LINES, first)
    cdef int symmetry = 0
    point = go_map_point(point, GO_DEFAULT_LINES, second)
    while go_map_point(ASYMMETRIC_POINT, GO_DEFAULT_LINES, symmetry) != point:
        symmetry += 1
    return symmetry


cdef inline int symmetry_between(const Game *a, const Game *b, int symmetry) noexcept nogil:
    """Return the symmetry from the record of b to that of a; `symmetry`: of canonical forms."""
    return compose_symmetries(compose_symmetries(b.symmetry, symmetry), go_inverse(a.symmetry))


cdef inline bint is_changed_by(const Games *all, const Game *game, int symmetry) noexcept nogil:
    """Return whether a symmetry changes a record; it does not if all moves are on its axis."""
    cdef const uint16_t *moves = moves_of(all, game)
    cdef int back = go_inverse(game.symmetry)
    cdef uint16_t move
    cdef size_t i
    if symmetry == 0:
        return False
    if not game.start_symmetries >> compose_symmetries(symmetry, game.symmetry) & 1:
        return True                        # stones of the start change their points
    for i in range(game.plies):
        move = go_map_move(moves[i], game.lines, back)
        if go_map_move(move, game.lines, symmetry) != move:
            return True
    return False
