"""Chess: PGN, moves, positions, signatures, and the search for positions, also in Go games.

SQLite loads this module as an extension, too: see sqlite_api.h.
"""

from fen cimport set_start
from position cimport Position, ocg_fill_tables
from sha256 cimport ocg_sha256_have_ni

cdef extern from "lex_tables.h" nogil:
    void ocg_fill_lex_tables()

ENTRY_POINT = "ocgdedup_rows_init"     # of the SQLite extension
HAVE_SHA_NI = bool(ocg_sha256_have_ni())
cdef bint USE_SHA_NI = HAVE_SHA_NI

ocg_fill_tables()
ocg_fill_lex_tables()

cdef Position STANDARD
set_start(&STANDARD)

include "chess/move_decode.pxi"
include "chess/pgn_read.pxi"
include "chess/pgn_write.pxi"
include "chess/movetext_parts.pxi"
include "find/signatures.pxi"
include "find/find_positions.pxi"
include "find/find_patterns.pxi"
