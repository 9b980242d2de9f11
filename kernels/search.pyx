"""The search for duplicates: games, candidate pairs, verdicts, groups, merged headers, flags.

SQLite loads this module as an extension, too: see sqlite_api.h.
"""

from position cimport ocg_fill_tables

ENTRY_POINT = "ocgdedup_rows_init"     # of the SQLite extension

ocg_fill_tables()

include "search/blob_compare.pxi"
include "search/game_batch.pxi"
include "search/sorted_games.pxi"
include "search/header_counts.pxi"
include "search/number_buckets.pxi"
include "search/find_duplicates.pxi"
include "search/part_pairs.pxi"
include "search/search_parts.pxi"
include "groups/header_choice.pxi"
include "groups/header_reader.pxi"
include "groups/resolve_groups.pxi"
include "groups/merge_rows.pxi"
include "groups/flag_rows.pxi"
include "sqlite/column_rows.pxi"
