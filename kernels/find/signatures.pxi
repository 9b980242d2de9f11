"""Signatures of games: a few moves as text, MD5s of all (docs/file-format.md)."""

from libc.stdint cimport uint16_t

from go_board cimport GO_POINT, go_point_of
from go_symmetry cimport GO_SYMMETRIES, GoLetters, go_fill_letters
from move_signature cimport (
    CHESS_LETTERS, GO_LETTERS, SIGNATURE_MOVES, Scratch, Signatures, StoredMoves, sign_chess,
    sign_go, write_squares,
)
from sha256 cimport MD5_BYTES


cdef class ScratchOwner:
    """Frees the memory of a Scratch."""

    cdef Scratch scratch

    def __dealloc__(self):
        free(self.scratch.text)


cdef int read_game(StoredMoves *game, start, bytes moves) except -1:
    """Point to the stored values of a game; the objects must outlive it."""
    cdef Py_ssize_t length = 0
    game.count = count_moves(moves)
    game.moves = <const uint8_t *>PyBytes_AS_STRING(moves)
    game.start = NULL
    if start is not None:
        game.start = <const uint8_t *>PyUnicode_AsUTF8AndSize(start, &length)
    game.start_bytes = length


cdef str text_of(const uint8_t *text, Py_ssize_t length):
    return PyUnicode_DecodeASCII(<const char *>text, length, "strict")


cdef bytes digest_of(const uint8_t *digest):
    return PyBytes_FromStringAndSize(<const char *>digest, MD5_BYTES)


cdef tuple row_of(game_id, const Signatures *signatures, int letters):
    cdef Py_ssize_t half = SIGNATURE_MOVES * letters
    return (
        game_id, text_of(signatures.moves, half), text_of(signatures.moves + half, half),
        text_of(signatures.symmetric, 2 * half), digest_of(signatures.all_moves),
        digest_of(signatures.first50), digest_of(signatures.first100),
        digest_of(signatures.canonical),
    )


def signature_rows(list games not None, bint is_go) -> list:
    """Return a row of the table Signatures, or None, for each (ID, start | None, moves | None)."""
    cdef ScratchOwner owner = ScratchOwner()
    cdef StoredMoves game
    cdef Signatures signatures
    cdef bint is_valid
    cdef list rows = []
    for game_id, start, moves in games:
        moves = b"" if moves is None else moves
        if not isinstance(moves, bytes) or len(moves) & 1 or not isinstance(start, str | None):
            rows.append(None)
            continue
        read_game(&game, start, moves)
        with nogil:
            if is_go:
                is_valid = sign_go(&owner.scratch, &game, &signatures)
            else:
                is_valid = sign_chess(&owner.scratch, &game, &STANDARD, &signatures)
        rows.append(row_of(game_id, &signatures, GO_LETTERS if is_go else CHESS_LETTERS)
                    if is_valid else None)
    return rows


def moves_at(bytes moves not None, numbers not None, bint is_go) -> str:
    """Return the moves with these numbers (from 1) in signature form."""
    cdef StoredMoves game
    cdef uint8_t[CHESS_LETTERS] text
    cdef uint16_t move
    cdef list texts = []
    read_game(&game, None, moves)
    for number in numbers:
        if not 0 < number <= game.count:
            texts.append("??" if is_go else "????")
            continue
        move = stored_move(game.moves, <size_t>number - 1)
        if not is_go:
            write_squares(text, move)
            texts.append(text_of(text, CHESS_LETTERS))
        elif move & GO_POINT == GO_POINT:
            texts.append("tt")
        else:
            text[0] = <uint8_t>(97 + (move & 31))
            text[1] = <uint8_t>(97 + (move >> 5 & 31))
            texts.append(text_of(text, GO_LETTERS))
    return "".join(texts)


def symmetric_form(str signature not None, start=None) -> str:
    """Return the least of the eight forms of a Go signature: letters in pairs."""
    cdef StoredMoves game
    cdef GoBoard board
    cdef GoLetters letters
    cdef bytes raw = signature.encode()
    cdef const uint8_t *text = <const uint8_t *>PyBytes_AS_STRING(raw)
    cdef Py_ssize_t i
    cdef int point, symmetry
    if len(raw) & 1:
        raise ValueError(f"signature is not made of pairs of letters: {signature!r}")
    read_game(&game, start, b"")
    if not go_read_start(&board, game.start, game.start + game.start_bytes):
        raise ValueError(f"not a start position of a Go game: {start!r}")
    letters.lines = 0
    go_fill_letters(&letters, board.lines)
    forms = []
    for symmetry in range(GO_SYMMETRIES):
        form = bytearray()
        for i in range(0, len(raw), 2):
            if raw[i:i + 2] in (b"??", b"tt"):
                form += raw[i:i + 2]
                continue
            point = go_point_of(text + i)
            if point < 0 or not letters.texts[symmetry][point][0]:
                raise ValueError(f"not a point of the board: {signature[i:i + 2]!r}")
            form += letters.texts[symmetry][point][:GO_LETTERS]
        forms.append(bytes(form))
    return min(forms).decode("ascii")
