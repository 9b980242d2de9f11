"""Records of games as the search for duplicates holds them, and their growing memory.

Each game takes one record and two bytes per ply, in arrays without Python objects. Records are read
in database order and then sorted by moves. All other parts of the search identify a game by its
index in that order, not by its ID, so that no verdict depends on IDs.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from memory cimport reserve
from move_distance cimport common_plies
from packed_name cimport NameRecord
from thresholds cimport OPENING_PLIES

cdef extern from *:
    """
    #include "compiler.h"
    #define ocg_prefetch(index) OCG_PREFETCH(index)

    #if defined(__linux__)
    #include <sys/mman.h>
    /* Ask for large pages: most of the time of a first access is the page fault. Only advice. */
    static inline void ocg_use_large_pages(void *memory, size_t size) {
    #ifdef MADV_HUGEPAGE
        const uintptr_t page = 1 << 12;
        uintptr_t first = (uintptr_t)memory & ~(page - 1);
        uintptr_t end = ((uintptr_t)memory + size + page - 1) & ~(page - 1);
        if (memory) (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
    #endif
    }
    #else
    static inline void ocg_use_large_pages(void *memory, size_t size) { (void)memory; (void)size; }
    #endif
    """
    void ocg_prefetch(const void *index) nogil
    void ocg_use_large_pages(void *memory, size_t size) nogil

cdef enum:
    RESULT_UNDECIDED = 0       # "*" or none
    RESULT_WHITE = 1
    RESULT_BLACK = 2
    RESULT_DRAW = 3

cdef enum:
    NO_NAME = 0xFFFFFFFF       # index of a missing name or text

cdef enum:
    GAME_REPLAYS = 1           # the moves are legal from the start position
    GAME_HAS_ADDRESS_TAG = 2   # a tag may hold the web address of the game
    GAME_HAS_COMMENTS = 4      # a comment may hold it

cdef enum:
    # Bits of an address.
    ONLY_ADDRESS = 1           # the game has no other address
    ANY_ADDRESS = 2
    NUMBER_OF_SOURCE = 4       # a number assigned by one source, not a web address

cdef enum:
    # What changed for a game since the previous search.
    MARK_IS_NEW = 1
    # All its verdicts may change: a new game, an equal record of one, or one with less theory.
    MARK_IS_TOUCHED = 2
    MARK_HAS_MORE_THEORY = 4   # its matches may become weaker; no other pair becomes a match
    MARK_HAS_NEW_LINE = 8      # a new game has the same mainline
    MARK_IS_OPEN = 16          # the game has a previous edge that new keys or theory may end
    MARK_HAS_CHOSEN_KEY = 32   # the game may share a key of a touched game
    MARK_IS_IN_SCOPE = 64      # the game lost a previous edge, or the user has decided about it

cdef enum:
    # Of records that are loaded where they are needed.
    NOT_LOADED = 0
    IS_LOADED
    IS_REQUESTED

cdef enum:
    MOST_SUMMARY_PLIES = 255   # larger numbers of plies are stored as this
    SUMMARY_NUMBERS = 2        # numbers per GameSummary when sent to Python
    EXPECTED_PLIES = 96        # of a game, to reserve memory
    FETCHED_PLIES = 64         # plies that are prefetched, 32 per 64 bytes
    # Large pages pay for arrays that fit into the cache, and for those whose page tables do not.
    MOST_IN_LARGE_PAGES = 1 << 26      # bytes; of a larger array only so many, except:
    LEAST_IN_LARGE_PAGES = 1 << 29
    LINE_IS_OPEN = 0x80000000  # flag of a line whose games are not all paired with each other

ctypedef struct Game:
    uint64_t opening           # see opening_lanes(); most pairs need only the first fields
    uint64_t start             # Polyglot key of a start position, 0 for the standard one
    uint32_t plies
    uint32_t line              # first index with the same mainline
    uint32_t date              # year << 9 | month << 5 | day, 0 for an unknown part
    uint16_t theory            # plies shared with unrelated games, see opening_theory.pxd
    uint8_t result
    uint8_t flags
    size_t moves               # offset of the first move in the arena, in plies
    uint32_t names[2]          # indexes in Games.names, or NO_NAME
    int32_t persons[2]         # Persons.ID, 0 if unknown, below 0: see Games.unresolved
    uint32_t fide_ids[2]       # of the players, else from tags; 0 if unknown
    uint32_t event
    uint32_t site
    uint32_t round             # see read_round()
    int16_t elos[2]            # 0 if unknown
    uint16_t source
    uint8_t lines              # Go board size; 0: chess, or moves that are not normalized
    uint8_t symmetry           # symmetry that brought the moves into canonical form
    uint8_t start_symmetries   # symmetries that give the canonical start, as bits
    uint16_t stones            # stones on a Go board before the first move
    uint32_t roster            # index in Games.roster_sources; 0: only one source has the record
    uint32_t rank              # of equal records in a source; equal ranks are the same game
    int64_t game_id
    uint64_t content           # hash of all that was imported: breaks ties independently of IDs
    uint64_t final_key
    int64_t core_hash
    uint64_t address           # see address_key() in web_addresses.pxd; 0 if none
    uint64_t written           # hash of date, round and result as written

# Decides whether two games need their players to be a candidate pair: see needs_players().
ctypedef struct GameSummary:
    uint64_t opening
    uint32_t start             # folded to 32 bits, so that two starts collide once in 2^32
    uint32_t date_and_plies    # date << 8 | plies (at most MOST_SUMMARY_PLIES)

# What a search leaves of a game, in move order: see known_order.pxd.
ctypedef struct OrderRow:
    uint32_t opening[2]        # GameSummary.opening
    uint32_t date
    uint32_t names[2]
    uint32_t ordinal           # index of the game by rising ID
    uint16_t shared            # plies in common with the previous game; 0 if that starts elsewhere
    uint16_t plies
    uint16_t theory
    uint16_t differing         # the move after the shared plies, plus 1; 0 after the last one
    uint8_t reach[2]           # games before and after it that its theory depends on
    uint8_t has_own_end        # its last position differs from that of the first game of its line
    uint8_t unused

ctypedef struct EventText:
    uint64_t key               # hash of lower-case letters and digits; 0 if unknown
    uint64_t words[6]          # hashes of its first words, without numbers
    uint8_t letters[24]        # the first ones, to recognise texts that were cut
    uint8_t word_count
    uint8_t letter_count
    uint8_t is_study           # the text is the address of a study

# Distinct texts of a table, by rising ID.
ctypedef struct TextTable:
    int64_t *ids
    EventText *texts
    size_t count
    size_t capacity

ctypedef struct Games:
    Game *games
    size_t count
    size_t capacity
    uint16_t *arena            # moves of all games
    size_t moves
    size_t moves_capacity
    int64_t *name_ids          # of the players
    NameRecord *names
    uint8_t *name_words        # packed, see packed_name.pxd
    size_t name_words_size
    size_t name_words_capacity
    size_t name_count
    size_t name_capacity
    TextTable events
    TextTable sites
    int64_t *person_ids        # Persons.ID of players with a FIDE ID, rising
    uint32_t *fide_ids         # parallel to person_ids
    size_t person_count
    # By the user's decisions, as rising rows of numbers. Names without a player that are not
    # another name's player: game ID (0: all games), name ID, Game.persons (below 0).
    int64_t *unresolved
    size_t unresolved_count
    int64_t *different         # pairs of Game.persons that are different players, in both orders
    size_t different_count
    uint64_t *site_addresses   # addresses of games that are sites; NULL if there are none
    uint16_t *roster_sources   # per roster: number of sources, then the sources
    size_t roster_count
    size_t roster_capacity
    uint32_t *lines            # by index: the first index with its mainline | LINE_IS_OPEN
    uint16_t *shared           # by index: plies in common with the previous game
    uint8_t *reach             # by index: games before and after it that its theory depends on
    uint8_t *loaded            # by index: IS_LOADED...; NULL if all records are loaded
    OrderRow *rows             # by index; NULL if all records are loaded
    uint8_t *marks             # by index: MARK_...; NULL if there is no previous search
    bint skips_settled         # pairs whose verdict cannot have changed are not made
    const uint64_t *left       # rising hashes of keys that a game had in the previous search only
    size_t left_count
    uint32_t *ends             # by index: the index after the games that continue it
    GameSummary *summaries     # by index; NULL: computed from the records
    bint has_own_texts         # players, events and sites are not borrowed from another batch
    bint is_mapped             # records and moves are in a file mapped by the caller
    bint is_go                 # Go games; else chess games
    size_t longest             # plies of the longest game
    int low_bits               # bits of an index below those that select the bucket of pairs


cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    """Mix the bits of a number: the finalizer of SplitMix64 (Steele, Lea, Flood 2014)."""
    x ^= x >> 30
    x *= <uint64_t>0xBF58476D1CE4E5B9
    x ^= x >> 27
    x *= <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline uint64_t joined(uint64_t key, uint64_t value) noexcept nogil:
    """Combine a hash with one more number."""
    return mixed(key * <uint64_t>0x9E3779B97F4A7C15 + value + 1)


cdef inline uint64_t hash_bytes(const uint8_t *bytes, size_t length) noexcept nogil:
    cdef uint64_t key = length, word
    while length >= 8:
        memcpy(&word, bytes, 8)
        key = joined(key, word)
        bytes += 8
        length -= 8
    if length:
        word = 0
        memcpy(&word, bytes, length)
        key = joined(key, word)
    return key


cdef inline void use_large_pages(void *memory, size_t size) noexcept nogil:
    """Have the system use large pages for an array of `size` bytes, or for its beginning."""
    if size < <size_t>LEAST_IN_LARGE_PAGES:
        size = min(size, <size_t>MOST_IN_LARGE_PAGES)
    ocg_use_large_pages(memory, size)


cdef inline int expect_games(Games *all, size_t count) except -1 nogil:
    """Reserve memory for about `count` games and their moves."""
    if count <= all.capacity:
        return 0
    reserve(<void **>&all.games, &all.capacity, count, sizeof(Game))
    reserve(<void **>&all.arena, &all.moves_capacity, count * EXPECTED_PLIES, 2)
    use_large_pages(all.games, all.capacity * sizeof(Game))
    use_large_pages(all.arena, all.moves_capacity * sizeof(uint16_t))


cdef inline void free_order(Games *all) noexcept nogil:
    """Free the arrays that only candidate pairs and their verdicts need."""
    free(all.summaries)
    free(all.shared)
    free(all.reach)
    free(all.ends)
    free(all.marks)
    all.summaries = NULL
    all.shared = NULL
    all.reach = NULL
    all.ends = NULL
    all.marks = NULL


cdef inline void free_games(Games *all) noexcept nogil:
    if not all.is_mapped:
        free(all.games)
        free(all.arena)
    free_order(all)
    free(all.loaded)
    free(all.rows)
    free(all.roster_sources)
    free(all.lines)
    if all.has_own_texts:
        free(all.name_ids)
        free(all.names)
        free(all.name_words)
        free(all.events.ids)
        free(all.events.texts)
        free(all.sites.ids)
        free(all.sites.texts)
        free(all.site_addresses)
        free(all.person_ids)
        free(all.fide_ids)
        free(all.unresolved)
        free(all.different)


ctypedef fused SortedNumber:
    int64_t
    uint64_t
    uint32_t


cdef inline size_t count_below(
    const SortedNumber *numbers, size_t count, SortedNumber limit
) noexcept nogil:
    """Return how many numbers of a rising list are below another number."""
    cdef size_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) >> 1
        if numbers[middle] < limit:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline const int64_t *find_row(
    const int64_t *rows, size_t count, int width, int64_t first, int64_t second
) noexcept nogil:
    """Return the row that begins with two numbers, of rising rows; NULL if there is none."""
    cdef size_t low = 0, high = count, middle
    cdef const int64_t *row
    while low < high:
        middle = (low + high) >> 1
        row = rows + middle * width
        if row[0] < first or (row[0] == first and row[1] < second):
            low = middle + 1
        else:
            high = middle
    row = rows + low * width
    return row if low < count and row[0] == first and row[1] == second else NULL


cdef inline uint32_t index_of_id(const int64_t *ids, size_t count, int64_t id) noexcept nogil:
    """Return the index of an ID in a rising list, NO_NAME if it is not in the list.

    Since IDs mostly have no gaps, the first guess is mostly right.
    """
    cdef size_t at
    if count == 0 or id < ids[0]:
        return NO_NAME
    at = <size_t>(id - ids[0])
    if at < count and (<size_t>(ids[count - 1] - ids[0]) == count - 1 or ids[at] == id):
        return <uint32_t>at
    at = count_below(ids, count, id)
    return <uint32_t>at if at < count and ids[at] == id else NO_NAME


cdef inline uint32_t index_of_game(const Games *all, int64_t game_id) noexcept nogil:
    """Return the index of an ID among games by rising ID, NO_NAME if there is none."""
    cdef size_t low = 0, high = all.count, middle
    while low < high:
        middle = (low + high) >> 1
        if all.games[middle].game_id < game_id:
            low = middle + 1
        else:
            high = middle
    return <uint32_t>low if low < all.count and all.games[low].game_id == game_id else NO_NAME


cdef inline GameSummary summary_of(const Game *game) noexcept nogil:
    cdef GameSummary made
    made.opening = game.opening
    made.start = start_of_summary(game.start)
    made.date_and_plies = date_and_plies(game.date, game.plies)
    return made


cdef inline uint32_t start_of_summary(uint64_t start) noexcept nogil:
    return <uint32_t>(start ^ start >> 32)


cdef inline uint32_t date_and_plies(uint32_t date, uint32_t plies) noexcept nogil:
    return date << 8 | min(plies, <uint32_t>MOST_SUMMARY_PLIES)


cdef inline void make_summaries(Games *all, size_t first, size_t end) noexcept nogil:
    """Fill Games.summaries for a range of indexes, if allocated."""
    cdef size_t i
    if all.summaries != NULL:
        for i in range(first, end):
            all.summaries[i] = summary_of(&all.games[i])


cdef inline const uint16_t *moves_of(const Games *all, const Game *game) noexcept nogil:
    return all.arena + game.moves


cdef inline int shared_start(const Games *all, const Game *a, const Game *b) noexcept nogil:
    """Return the number of plies before two games differ or one ends; starts are ignored."""
    return common_plies(moves_of(all, a), a.plies, moves_of(all, b), b.plies)


cdef inline bint are_of_one_line(const Games *all, size_t a, size_t b) noexcept nogil:
    """Return whether the games of two indexes have equal starts and moves."""
    return all.lines[a] == all.lines[b]


cdef inline bint are_of_covered_line(const Games *all, size_t a, size_t b) noexcept nogil:
    """Return whether two games have one mainline whose games are all paired with each other."""
    return all.lines[a] == all.lines[b] and not all.lines[a] & LINE_IS_OPEN


cdef inline bint is_of_source(const Games *all, const Game *game, uint16_t source) noexcept nogil:
    """Return whether a source has a game, or an equal record of it."""
    cdef const uint16_t *sources = all.roster_sources + game.roster
    cdef int i
    if game.source == source or not game.roster:
        return game.source == source
    for i in range(1, sources[0] + 1):
        if sources[i] == source:
            return True
    return False


cdef inline bint are_equal_records(const Game *a, const Game *b) noexcept nogil:
    """Return whether two records are equal records of different sources: see equal_records.pxd."""
    return a.roster != 0 and a.roster == b.roster and a.rank == b.rank and a.source != b.source


cdef inline bint is_somebody(const Games *all, uint32_t name) noexcept nogil:
    return name != NO_NAME and not all.names[name].is_unknown


cdef inline bint share_address(const Game *a, const Game *b) noexcept nogil:
    return a.address != 0 and a.address == b.address


cdef inline bint are_other_addresses(uint64_t a, uint64_t b) noexcept nogil:
    """Return whether two addresses differ and each is the only address of its game."""
    return (a & b & ONLY_ADDRESS) and a != b


cdef inline void prefetch_game(const Game *game) noexcept nogil:
    cdef size_t line
    for line in range(0, sizeof(Game), 64):
        ocg_prefetch(<const uint8_t *>game + line)


cdef inline void prefetch_moves(const Games *all, const Game *game) noexcept nogil:
    """Prefetch the moves of a game of usual length."""
    cdef const uint16_t *moves = moves_of(all, game)
    cdef int ply
    for ply in range(0, FETCHED_PLIES, 32):
        ocg_prefetch(moves + ply)


cdef inline void prefetch_name(const Games *all, uint32_t name) noexcept nogil:
    if name != NO_NAME:
        ocg_prefetch(&all.names[name])


cdef inline void prefetch_words_of(const Games *all, uint32_t name) noexcept nogil:
    if name != NO_NAME:
        ocg_prefetch(all.name_words + 4 * <size_t>all.names[name].words)


cdef inline void prefetch_text(const EventText *texts, uint32_t index) noexcept nogil:
    if index != NO_NAME:
        ocg_prefetch(&texts[index])


cdef inline void prefetch_names(const Games *all, const Game *game) noexcept nogil:
    """Prefetch the names of a game, which are scattered in memory."""
    prefetch_name(all, game.names[0])
    prefetch_name(all, game.names[1])


cdef inline uint64_t opening_lanes(const uint16_t *moves, uint32_t plies) noexcept nogil:
    """Return a 16-bit hash for each four of the first 16 plies, 0 if there are fewer."""
    cdef uint64_t word, lanes = 0
    cdef int i
    if plies < OPENING_PLIES:
        return 0
    for i in range(4):
        memcpy(&word, moves + 4 * i, 8)
        lanes = lanes << 16 | (mixed(word) & 0xFFFF)
    return lanes
