"""The order of the games of an earlier search, and new games put into it.

The earlier search left a row for each of its games, in move order. New games are merged into these
rows by common prefixes, as when sorted lists of strings are merged (Ng, Kakehi 2008): a game of the
earlier search is read only if the rows do not say how it compares. Records of games are loaded
where they are needed; arrays by index cover all games.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from game_record cimport (
    LINE_IS_OPEN, Game, Games, GameSummary, OrderRow, date_and_plies, moves_of, shared_start,
    start_of_summary,
)
from id_list cimport GameIds, id_at
from move_distance cimport common_plies
from sqlite_api cimport OCG_SQLITE_OK, OCG_SQLITE_ROW, ocg_sqlite_api, sqlite3_stmt
from thresholds cimport MOST_PAIRED

cdef enum:
    NO_PLIES = -1              # in common: there is no such game, or it starts elsewhere

# The games with one start position.
ctypedef struct StartSpan:
    uint64_t start             # as Game.start; rising
    uint64_t first             # index of the first game

# Where a new game belongs.
ctypedef struct Place:
    size_t before              # index of the earlier game that follows it
    int shared                 # plies in common with the earlier game before it, or NO_PLIES
    int shared_after           # plies in common with the earlier game after it, or NO_PLIES
    uint16_t differing         # OrderRow.differing of the earlier game after it
    bint has_line              # the earlier game after it has the same mainline


cdef inline uint16_t order_of_ply(const uint16_t *moves, uint32_t plies, size_t ply) noexcept nogil:
    """Return a move as a number that sorts like games; 0 after the last one."""
    return <uint16_t>(moves[ply] + 1) if ply < plies else 0


cdef inline void fill_row(
    const Games *all, size_t index, uint32_t ordinal, OrderRow *row
) noexcept nogil:
    cdef const Game *game = &all.games[index]
    fill_new_row(game, ordinal, row)
    row.shared = all.shared[index]
    row.theory = game.theory
    row.differing = order_of_ply(moves_of(all, game), game.plies, row.shared)
    memcpy(row.reach, all.reach + 2 * index, 2)
    row.has_own_end = game.final_key != all.games[game.line].final_key


cdef inline void fill_new_row(const Game *game, uint32_t ordinal, OrderRow *row) noexcept nogil:
    """Fill the fields of a row that do not depend on other games."""
    memset(row, 0, sizeof(OrderRow))
    memcpy(row.opening, &game.opening, 8)
    row.date = game.date
    memcpy(row.names, game.names, 8)
    row.ordinal = ordinal
    row.plies = <uint16_t>game.plies


cdef inline GameSummary summary_of_row(const OrderRow *row, uint64_t start) noexcept nogil:
    cdef GameSummary made
    memcpy(&made.opening, row.opening, 8)
    made.start = start_of_summary(start)
    made.date_and_plies = date_and_plies(row.date, row.plies)
    return made


cdef inline void number_lines(
    Games *all, const uint16_t *plies, size_t first, size_t end
) noexcept nogil:
    """Number the mainlines of all games with one start position."""
    cdef size_t begin = first, i, k
    cdef uint32_t line
    for i in range(first + 1, end + 1):
        if i < end and plies[i] == plies[i - 1] == all.shared[i]:
            continue
        line = <uint32_t>begin
        if i - begin > MOST_PAIRED or plies[begin] == 0:
            line |= LINE_IS_OPEN
        for k in range(begin, i):
            all.lines[k] = line
        begin = i


cdef inline void find_known_ends(
    Games *all, const uint16_t *plies, uint32_t *open_games, size_t first, size_t end
) noexcept nogil:
    """Fill Games.ends for all games with one start position.

    `open_games`: room for an index of each game.
    """
    cdef size_t depth = 0, i
    for i in range(first, end):
        while i > first and depth and plies[open_games[depth - 1]] > all.shared[i]:
            depth -= 1
            all.ends[open_games[depth]] = <uint32_t>i
        open_games[depth] = <uint32_t>i
        depth += 1
    while depth:
        depth -= 1
        all.ends[open_games[depth]] = <uint32_t>end


# --- rows of the earlier search -------------------------------------------------------------------

cdef inline bint begins_span(const StartSpan *spans, size_t count, size_t index) noexcept nogil:
    """Return whether the games with one start position begin at an index."""
    cdef size_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) >> 1
        if spans[middle].first < index:
            low = middle + 1
        else:
            high = middle
    return low < count and spans[low].first == index


cdef inline bint continues_line(
    const OrderRow *rows, const StartSpan *spans, size_t span_count, size_t index
) noexcept nogil:
    """Return whether a game has the mainline of the game before it."""
    cdef const OrderRow *row = rows + index
    if index == 0 or row.shared != row.plies or (row - 1).plies != row.plies:
        return False
    return not begins_span(spans, span_count, index)


# --- places of new games --------------------------------------------------------------------------

# A statement that returns the moves of a game by its ID.
ctypedef struct MoveReader:
    const ocg_sqlite_api *api
    sqlite3_stmt *statement
    const GameIds *ids


cdef inline bint read_moves(
    MoveReader *reader, uint32_t ordinal, const uint16_t **moves, uint32_t *plies
) noexcept nogil:
    """Read the moves of an earlier game, valid until the next call; return False if that fails."""
    cdef const ocg_sqlite_api *api = reader.api
    api.reset(reader.statement)
    if api.bind_int64(reader.statement, 1, id_at(reader.ids, ordinal)) != OCG_SQLITE_OK:
        return False
    if api.step(reader.statement) != OCG_SQLITE_ROW:
        return False
    moves[0] = <const uint16_t *>api.column_blob(reader.statement, 0)
    plies[0] = <uint32_t>api.column_bytes(reader.statement, 0) // 2
    return True


cdef inline bint place_game(
    const OrderRow *rows, size_t end, const uint16_t *moves, uint32_t plies, MoveReader *reader,
    Place *place,
) noexcept nogil:
    """Find the place of a game; return False if moves cannot be read.

    On entry, the game comes after the earlier game `place.before` - 1, with which it shares
    `place.shared` plies. `end`: index after the games with its start position.
    """
    cdef const uint16_t *other
    cdef uint32_t other_plies
    cdef uint16_t own, differing
    cdef int shared
    place.has_line = False
    while place.before < end:
        shared = rows[place.before].shared
        if place.shared != NO_PLIES:
            own = order_of_ply(moves, plies, place.shared)
            differing = rows[place.before].differing
            if shared > place.shared or (shared == place.shared and differing < own):
                place.before += 1
                continue
            if shared < place.shared or differing > own:
                place.shared_after = shared
                place.differing = differing
                return True
        if not read_moves(reader, rows[place.before].ordinal, &other, &other_plies):
            return False
        shared = common_plies(moves, plies, other, other_plies)
        own = order_of_ply(moves, plies, shared)
        differing = order_of_ply(other, other_plies, shared)
        if own <= differing:
            place.shared_after = shared
            place.differing = differing
            place.has_line = own == differing
            return True
        place.shared = shared
        place.before += 1
    place.shared_after = NO_PLIES
    return True


cdef inline bint place_games(
    const OrderRow *rows, size_t first, size_t end, const Games *new_games, size_t new_first,
    size_t new_end, MoveReader *reader, Place *places,
) noexcept nogil:
    """Find the places of sorted new games among the earlier games with their start position."""
    cdef Place place
    cdef const Game *game
    cdef int shared
    cdef size_t i
    place.before = first
    place.shared = place.shared_after = NO_PLIES
    for i in range(new_first, new_end):
        game = &new_games.games[i]
        if i > new_first:
            # Of three games in order, the first and the last share the least of what neighbours do.
            shared = shared_start(new_games, game - 1, game)
            place.shared = min(place.shared, shared)
            if shared > place.shared_after and place.before < end:
                places[i] = place              # it differs from that game as the last one does
                places[i].has_line = False
                continue
            if shared < place.shared_after:    # it comes after that game
                place.shared = shared
                place.before += 1
        if not place_game(rows, end, moves_of(new_games, game), game.plies, reader, &place):
            return False
        places[i] = place
    return True
