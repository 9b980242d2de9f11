"""Go: SGF, moves and boards."""

# Names that several of the files below use; each file imports the rest.
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeASCII
from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.stdlib cimport free

from chess_types cimport count_moves, store_move, stored_move
from go_board cimport GO_COLOUR, GO_MOST_LINES, GO_PASS, go_is_move
from memory cimport allocate
from sha256 cimport ocg_sha256_have_ni

cdef bint USE_SHA_NI = ocg_sha256_have_ni()

include "go/go_moves.pxi"
include "go/sgf_read.pxi"
include "go/sgf_write.pxi"
