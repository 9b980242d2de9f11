"""The search for duplicates: games, candidate pairs, verdicts, groups, merged headers, flags.

SQLite also loads this module as an extension: see sqlite_api.h. Functions and methods that Python
calls are documented in ocgdedup/_kernels/search.pyi.
"""

# What several of the files below use; each of them imports the rest.
from cpython cimport array
from cpython.buffer cimport PyBUF_READ
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from cpython.memoryview cimport PyMemoryView_FromMemory
from libc.stdint cimport (
    INT64_MIN, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t,
)
from libc.stdlib cimport bsearch, free, qsort
from libc.string cimport memcpy, memset

from blocking_keys cimport INDEX_BITS
from candidate_pairs cimport CONDITION_BITS, Edges, append_edges, left_of, pair_by_keys, right_of
from fen cimport set_start
from field_rules cimport ASK, LEFT, Text, compare_plain, count_char, is_blank, is_date_text
from game_record cimport (
    IS_LOADED, IS_REQUESTED, LINE_IS_OPEN, NO_NAME, NOT_LOADED, SUMMARY_NUMBERS, Game, GameSummary,
    Games, OrderRow, count_below, hash_bytes, moves_of,
)
from header_fields cimport (
    FIELDS, FIELD_BLACK, FIELD_BLACK_ELO, FIELD_DATE, FIELD_ECO, FIELD_EVENT, FIELD_RESULT,
    FIELD_ROUND, FIELD_SITE, FIELD_TIME_CONTROL, FIELD_WHITE, FIELD_WHITE_ELO,
)
from header_rows cimport (
    NAME_COUNT, NO_TEXT, NUMBER_DATE_QUALITY, NUMBER_WHITE_ELO, OCG_TAKE_HEADER, Header, text_in,
)
from id_list cimport index_in
from previous_verdicts cimport EDGE_BYTES, load_edges
from memory cimport allocate, allocate_zeros, require_memory, reserve
from merge_store cimport REASON_BITS, PairMerge
from names_by_id cimport (
    ASKED, EMPTY, NAMED, PERSONS, PLAYERS, TABLES, set_state, state_of, text_of_name,
)
from position cimport ocg_fill_tables
from row_insert cimport (
    Failure, Inserter, begin_row, begin_rows, end_row, finalize, open_inserter, put_int, put_null,
    put_text, raise_failure,
)
from sorted_numbers cimport (
    BUCKET_BITS, BUCKET_COUNT, Numbers, by_id, free_numbers, order_of, sort_by_id, sort_numbers,
)
from sqlite_api cimport (
    IS_INTEGER, IS_NULL, OCG_SQLITE_DONE, OCG_SQLITE_OK, OCG_SQLITE_ROW, OCG_STATIC, bind_number,
    bind_static_text, ocg_sqlite_api, open_sqlite, prepared, refuse, sqlite3, sqlite3_stmt,
)
from utf8 cimport is_ascii
from web_addresses cimport pair_by_addresses

ENTRY_POINT = "ocgdedup_rows_init"     # of the SQLite extension

ocg_fill_tables()

include "sqlite/sqlite_connection.pxi"
include "search/blob_compare.pxi"
include "search/game_batch.pxi"
include "search/sorted_games.pxi"
include "search/header_counts.pxi"
include "search/stored_counts.pxi"
include "search/number_buckets.pxi"
include "search/key_runs.pxi"
include "search/find_duplicates.pxi"
include "search/delta_search.pxi"
include "search/known_games.pxi"
include "search/part_pairs.pxi"
include "search/search_parts.pxi"
include "groups/header_choice.pxi"
include "groups/header_reader.pxi"
include "groups/resolve_groups.pxi"
include "groups/merge_rows.pxi"
include "groups/flag_rows.pxi"
include "sqlite/column_rows.pxi"
