"""Go: SGF, moves and boards."""

from sha256 cimport ocg_sha256_have_ni

cdef bint USE_SHA_NI = ocg_sha256_have_ni()

include "go/go_moves.pxi"
include "go/sgf_read.pxi"
include "go/sgf_write.pxi"
