"""Player names: parse, compare and look them up in a list; read rating lists.

SQLite loads this module as an extension, too: see sqlite_api.h.

Functions and methods that Python calls are documented in ocgdedup/_kernels/names.pyi.
"""

# What several of the files below use; each of them imports the rest.
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, qsort
from libc.string cimport memchr, memcmp, memcpy, memmove, memset

from memory cimport allocate, allocate_zeros, append_items, ocg_trim_memory, reserve
from name_form cimport NameForm, read_name
from name_words cimport JOINED_LETTERS, edits_within

ENTRY_POINT = "ocgdedup_rows_init"     # of the SQLite extension

include "sqlite/sqlite_connection.pxi"
include "sqlite/insert_rows.pxi"
include "names/given_names.pxi"
include "names/syllables.pxi"
include "names/name_distance.pxi"
include "names/player_names.pxi"
include "names/listed_names.pxi"
include "names/list_dump.pxi"
include "names/name_likelihood.pxi"
include "names/name_search.pxi"
include "names/name_batch.pxi"
include "names/name_score.pxi"
include "names/name_decision.pxi"
include "names/phonetic_rules.pxi"
include "names/fide_list.pxi"
include "names/alias_rows.pxi"
include "names/filled_fields.pxi"
include "names/game_tags.pxi"
include "names/played_games.pxi"
include "names/side_counts.pxi"
include "names/name_games.pxi"
include "names/game_evidence.pxi"
include "names/game_judge.pxi"
include "names/fold_groups.pxi"
include "names/game_players.pxi"


def trim_memory():
    ocg_trim_memory()
