"""A search in parts: facts about the games of one part for other parts that never read them.

For engines that distribute a collection. An index in the whole order is a 64-bit number: the caller
composes it of the number of a part and an index in that part.
"""

from candidate_pairs cimport number_of
from equal_records cimport add_source
from game_record cimport summary_of
from search_results cimport root_of
from sorted_numbers cimport add_number


def order_facts(SortedGames games not None):
    cdef const Games *all = games.s.all
    cdef const Game *game
    cdef size_t i, count = games.batch.ids.count
    ids = array.clone(array.array("q"), count, False)
    lines = array.clone(array.array("I"), count, False)
    is_open = array.clone(array.array("B"), count, False)
    ends = array.clone(array.array("I"), count, False)
    shared = array.clone(array.array("i"), count, False)
    plies = array.clone(array.array("I"), count, False)
    theory = array.clone(array.array("I"), count, False)
    games.require_range(0, count)
    if count and (all.shared == NULL or all.ends == NULL):
        raise ValueError("move order is no longer available: components have been made")
    for i in range(count):
        game = &all.games[i]
        (<array.array>ids).data.as_longlongs[i] = game.game_id
        (<array.array>lines).data.as_uints[i] = game.line
        (<array.array>is_open).data.as_uchars[i] = all.lines[i] & LINE_IS_OPEN != 0
        (<array.array>ends).data.as_uints[i] = all.ends[i]
        (<array.array>shared).data.as_ints[i] = all.shared[i]
        if i == 0 or all.games[i - 1].start != game.start:
            (<array.array>shared).data.as_ints[i] = -1
        (<array.array>plies).data.as_uints[i] = game.plies
        (<array.array>theory).data.as_uints[i] = game.theory
    return OrderFacts(
        ids=ids, lines=lines, is_open=is_open, ends=ends, shared=shared, plies=plies, theory=theory
    )


def game_summaries(SortedGames games not None):
    cdef size_t i, count = games.batch.ids.count
    cdef GameSummary summary
    numbers = array.clone(array.array("Q"), SUMMARY_NUMBERS * count, False)
    for i in range(count):
        summary = summary_of(&games.s.all.games[i])
        (<array.array>numbers).data.as_ulonglongs[SUMMARY_NUMBERS * i] = summary.opening
        (<array.array>numbers).data.as_ulonglongs[SUMMARY_NUMBERS * i + 1] = (
            <uint64_t>summary.start << 32 | summary.date_and_plies
        )
    return numbers


def equal_records(SortedGames games not None):
    cdef const Games *all = games.s.all
    cdef const Game *game
    cdef size_t i, k
    records = []
    games.require_range(0, games.batch.ids.count)
    for i in range(games.batch.ids.count):
        game = &all.games[i]
        if game.roster:
            sources = [
                all.roster_sources[game.roster + 1 + k]
                for k in range(all.roster_sources[game.roster])
            ]
            records.append(EqualRecord(game.game_id, game.roster, game.rank, sources))
    return records


def set_theory(SortedGames games not None, const int64_t[::1] ids, const uint32_t[::1] theory):
    cdef Py_ssize_t i
    for i in range(ids.shape[0]):
        games.s.all.games[games.required_index(ids[i])].theory = (
            <unsigned short>min(theory[i], 0xFFFF)
        )


def set_equal_records(SortedGames games not None, rows not None):
    cdef Games *all = games.s.all
    cdef int64_t index
    starts = {}
    if all.roster_count == 0:
        add_source(all, 0)     # index 0 means no roster
    for row in rows:
        index = games.required_index(row.game_id)
        if row.roster not in starts:
            starts[row.roster] = all.roster_count
            add_source(all, len(row.sources))
            for source in row.sources:
                add_source(all, source)
        all.games[index].roster = starts[row.roster]
        all.games[index].rank = row.rank


def add_pairs(
    SortedGames games not None, const int64_t[::1] left, const int64_t[::1] right,
    const uint8_t[::1] conditions, NumberBuckets pairs not None,
):
    cdef int64_t first, second
    cdef Py_ssize_t i
    for i in range(left.shape[0]):
        first = games.sorted_index(left[i])
        second = games.sorted_index(right[i])
        if first < 0 or second < 0 or first == second:
            raise KeyError(left[i] if first < 0 else right[i])
        add_number(
            &pairs.buckets, number_of(
                games.s.all, <uint32_t>min(first, second), <uint32_t>max(first, second)
            ) << CONDITION_BITS | conditions[i]
        )


def pairs_of(SortedGames games not None, NumberBuckets pairs not None):
    return pair_columns(games.s.all, pairs, NULL)


def load_edges_of(SortedGames games not None, const uint8_t[::1] stored not None):
    cdef EdgeList edges = EdgeList()
    if stored.shape[0] % EDGE_BYTES:
        raise ValueError(f"stored edges: {stored.shape[0]} bytes, not a multiple of {EDGE_BYTES}")
    if stored.shape[0]:
        if not load_edges(
            &games.s, &stored[0], stored.shape[0] // EDGE_BYTES, games.sorted_indexes,
            games.batch.ids.count,
        ):
            raise ValueError("an edge refers to an unknown game")
        append_edges(&edges.edges, &games.s.previous)
        free(games.s.previous.items)
        memset(&games.s.previous, 0, sizeof(Edges))
    return edges


# --- counts over all games ----------------------------------------------------------------------

def event_rows(HeaderCounts counts not None):
    cdef const Games *all = counts.games.s.all
    cdef const EventRow *row
    cdef size_t i
    counts.collect_all_events()
    rows = []
    for i in range(counts.rows.count):
        row = &counts.rows.rows[i]
        is_site = row.source == ANY_SOURCE
        rows.append(EventCount(
            all.events.ids[row.event], None if is_site else row.source, row.round,
            all.sites.ids[row.value] if is_site else row.value, row.games,
        ))
    return rows


def give_counts(HeaderCounts counts not None, records not None, rows not None):
    cdef uint32_t event, index
    cdef EventRow own
    for table, name_id, games in records:
        index = counts.index_of(table, name_id)
        if index != NO_NAME:
            counts.names.counts[table][index] = min(games, 0xFFFFFFFF)
    free_rows(&counts.rows)
    for row in rows:
        is_site = row.source is None
        event = counts.index_of(EVENT, row.event_id)
        index = counts.index_of(SITE, row.value) if is_site else row.value
        if event == NO_NAME or index == NO_NAME:
            continue
        own = EventRow(
            event, ANY_SOURCE if is_site else row.source, row.round, index,
            min(row.games, 0xFFFFFFFF),
        )
        add_row(&counts.rows, &own)
    sort_rows(&counts.rows)
    counts.has_all_rows = True


def components(const int64_t[::1] first not None, const int64_t[::1] second not None, size_t count):
    cdef Py_ssize_t i
    cdef uint32_t left, right
    roots = array.clone(array.array("I"), count, False)
    cdef uint32_t *parents = (<array.array>roots).data.as_uints
    for i in range(<Py_ssize_t>count):
        parents[i] = <uint32_t>i
    for i in range(first.shape[0]):
        if not (0 <= first[i] < <int64_t>count and 0 <= second[i] < <int64_t>count):
            raise ValueError(f"link {i}: number out of range (below {count})")
        left = root_of(parents, <uint32_t>first[i])
        right = root_of(parents, <uint32_t>second[i])
        parents[max(left, right)] = min(left, right)
    for i in range(<Py_ssize_t>count):
        parents[i] = root_of(parents, <uint32_t>i)
    return roots


# --- the order of games as bytes ----------------------------------------------------------------

def line_keys(SortedGames games not None):
    cdef const Games *all = games.s.all
    cdef size_t i
    for i in range(games.batch.ids.count):
        yield all.games[i].game_id, line_key(
            <bytes>(<const char *>moves_of(all, &all.games[i]))[:2 * all.games[i].plies],
            all.games[i].start,
        )


def name_hash(str name not None):
    cdef bytes raw = name.encode()
    return hash_bytes(<const uint8_t *>PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw))


def line_key(bytes moves not None, uint64_t start=0):
    cdef Py_ssize_t plies = len(moves) // 2, i
    cdef bytes key = PyBytes_FromStringAndSize(NULL, 8 + 2 * plies)
    cdef uint8_t *out = <uint8_t *>PyBytes_AS_STRING(key)
    cdef const uint8_t *raw = <const uint8_t *>PyBytes_AS_STRING(moves)
    cdef uint32_t piece
    for i in range(8):
        out[i] = <uint8_t>(start >> (56 - 8 * i))
    for i in range(plies):
        piece = (raw[2 * i] | <uint32_t>raw[2 * i + 1] << 8) + 1
        out[8 + 2 * i] = <uint8_t>(piece >> 8)
        out[9 + 2 * i] = <uint8_t>piece
    return key
