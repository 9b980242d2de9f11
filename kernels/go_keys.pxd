"""The keys of a Go game, from its start and its moves: one home for reader, check and tests."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

from go_board cimport GO_ODD, GO_OFF_BOARD, GoBoard, go_play, go_read_start, go_write_move
from sha256 cimport sha256_first8

cdef enum:
    GO_EVERY = 5               # moves between the positions of sampled_key
    GO_MOVE_BYTES = 4          # of a move in what is hashed, the blank before it included
    GO_ODD_MOVES = 4           # SpecialMoves: onto a stone, or a suicide

ctypedef struct GoKeys:
    uint64_t mainline_hash
    uint64_t final_zobrist
    uint64_t positions_key
    uint64_t sampled_key
    int special


cdef inline size_t go_message_room(size_t start_bytes, size_t moves) noexcept nogil:
    """Return the bytes that go_keys() needs for what is hashed, padding included."""
    return start_bytes + 1 + GO_MOVE_BYTES * moves + 128


cdef inline Py_ssize_t go_keys(
    const uint8_t *start, size_t start_bytes, const uint16_t *moves, size_t count,
    uint8_t *message, bint use_ni, GoKeys *out,
) noexcept nogil:
    """Replay a game; return the number of moves that are on the board: `count` if all are.

    -1: the start cannot be read. `message`: see go_message_room().
    """
    cdef GoBoard board
    cdef uint8_t *at = message
    cdef size_t i
    cdef int found
    if not go_read_start(&board, start, start + start_bytes):
        return -1
    out.positions_key = out.sampled_key = 0
    out.special = 0
    if start_bytes:
        memcpy(at, start, start_bytes)
        at[start_bytes] = 10
        at += start_bytes + 1
    for i in range(count):
        found = go_play(&board, moves[i])
        if found == GO_OFF_BOARD:
            return <Py_ssize_t>i
        if found == GO_ODD:
            out.special = GO_ODD_MOVES
        out.positions_key += board.key
        if (i + 1) % GO_EVERY == 0:
            out.sampled_key += board.key
        if i:
            at[0] = 32
            at += 1
        at = go_write_move(at, moves[i])
    out.final_zobrist = board.key
    out.mainline_hash = sha256_first8(message, at - message, use_ni)
    return <Py_ssize_t>count
