"""Chess: PGN, moves, positions, signatures, and the search for positions, also in Go games.

SQLite loads this module as an extension, too: see sqlite_api.h.
"""

# Names that several of the files below use; each file imports the rest.
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeASCII
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from chess_types cimport count_moves, move16_t, stored_move, zobrist_t
from fen cimport read_fen, read_start_fen, set_start
from game_positions cimport (
    NOT_FOUND, PositionQuery, StoredGame, begin_chess, game_in_row, pieces_key,
)
from go_board cimport GoBoard, go_read_start
from memory cimport allocate, allocate_zeros, require_memory
from movetext cimport Reader
from pgn_lex cimport is_newline
from position cimport Position, ocg_fill_tables
from san_write cimport SAN_BYTES, Replay, begin_replay, write_ply
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

include "sqlite/sqlite_connection.pxi"
include "chess/move_decode.pxi"
include "chess/pgn_read.pxi"
include "chess/pgn_write.pxi"
include "chess/scid_read.pxi"
include "chess/movetext_parts.pxi"
include "chess/openings.pxi"
include "find/signatures.pxi"
include "find/find_positions.pxi"
include "find/find_patterns.pxi"
