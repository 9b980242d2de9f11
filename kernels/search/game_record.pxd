"""What the search for copies holds of each game, and the growing memory it stands in.

One record and two bytes a ply for each game, in arrays without Python objects. The records are
read in the order of the database and then sorted by moves: a place in that order, not an ID, is
what all other parts of the search call a game, so that no verdict depends on the IDs.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from move_distance cimport common_plies
from packed_name cimport NameRecord

cdef extern from *:
    """
    #include "compiler.h"
    #define ocg_fetch(place) OCG_FETCH(place)

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
    void ocg_fetch(const void *place) nogil
    void ocg_use_large_pages(void *memory, size_t size) nogil

cdef enum:
    RESULT_OPEN = 0            # "*" or none
    RESULT_WHITE = 1
    RESULT_BLACK = 2
    RESULT_DRAW = 3

cdef enum:
    NO_NAME = 0xFFFFFFFF       # a side or text without an ID

cdef enum:
    GAME_REPLAYS = 1           # the moves are legal from the start position
    GAME_HAS_ADDRESS_TAG = 2   # a tag may hold its address on the web

cdef enum:
    # Bits of an address.
    ONLY_ADDRESS = 1           # a game that has it has no other
    ANY_ADDRESS = 2
    NUMBER_OF_SOURCE = 4       # a number that one source gave, no address on the web

cdef enum:
    # What has become of a game since an earlier search.
    MARK_IS_NEW = 1
    MARK_IS_TOUCHED = 2        # verdicts on it may be others: it is new, or its surroundings are

cdef enum:
    OPENING_PLIES = 16
    MOST_OUTLINED = 255        # plies
    OUTLINE_NUMBERS = 2        # that an Outline is sent as
    EXPECTED_PLIES = 96        # of a game, to reserve memory by
    FETCHED_PLIES = 96         # that are asked for ahead, 32 in 64 bytes
    MOST_IN_LARGE_PAGES = 1 << 26    # bytes of an array: what is cleared is no longer in the cache
    LINE_IS_OPEN = 0x80000000  # a line of games that are not all paired with each other

ctypedef struct Game:
    uint64_t opening           # see opening_lanes(); this and the next few are what most pairs need
    uint64_t start             # Polyglot key of a start position that is not the standard one, or 0
    uint32_t plies
    uint32_t line              # first place with its mainline: equal games, equal number
    uint32_t date              # year << 9 | month << 5 | day, 0 for a part that is not known
    uint16_t theory            # plies that games of others share with it, see opening_theory.pxd
    uint8_t result
    uint8_t flags
    size_t moves               # place of the first move in the arena, in plies
    uint32_t names[2]          # places in Texts of players, NO_NAME if there is none
    int32_t persons[2]         # Persons.ID, 0 if not known
    uint32_t fide_ids[2]       # of the persons, else as the tags say; 0: none is known
    uint32_t event
    uint32_t site
    uint32_t round             # see read_round()
    int16_t elos[2]            # 0 if not known
    uint16_t source
    uint8_t lines              # of a Go board; 0: chess, or moves that are not compared turned
    uint8_t turn               # symmetry that brought the moves into the form that is compared
    uint8_t ways               # those that bring the start into that form, as bits
    uint16_t stones            # of Go, on the board before the first move
    uint32_t roster            # place in Games.roster_sources; 0: only one source has it
    uint32_t rank              # of equal records in a source; those of one rank are one game
    int64_t game_id
    uint64_t content           # hash of all that verdicts rest on: breaks ties, whatever the IDs
    uint64_t final_key
    int64_t core_hash
    uint64_t address           # on the web, see address_key() of web_addresses.pxd; 0: none
    uint64_t written           # hash of date, round and result as they are written

# What decides whether two games need their players to be a candidate pair: see needs_players().
ctypedef struct Outline:
    uint64_t opening
    uint32_t start             # folded: others are others but for one in 2^32
    uint32_t date_and_plies    # date << 8 | plies, MOST_OUTLINED or more as that

# Distinct texts of a table, by rising ID.
ctypedef struct EventText:
    uint64_t key               # of letters and digits alone, in small letters; 0: nothing is known
    uint64_t words[6]          # of its first words, numbers aside
    uint8_t letters[24]        # the first ones, for texts that were cut
    uint8_t word_count
    uint8_t letter_count

ctypedef struct Games:
    Game *games
    size_t count
    size_t room
    uint16_t *arena            # moves of all games
    size_t moves
    size_t moves_room
    int64_t *name_ids          # players
    NameRecord *names
    uint8_t *name_words        # packed, see packed_name.pxd
    size_t name_words_size
    size_t name_words_room
    size_t name_count
    size_t name_room
    int64_t *event_ids
    EventText *events
    size_t event_count
    size_t event_room
    int64_t *site_ids
    EventText *sites
    size_t site_count
    size_t site_room
    int64_t *person_ids        # Persons.ID of those with a FIDE ID, rising
    uint32_t *fide_ids         # of each of them
    size_t person_count
    uint64_t *site_addresses   # of the sites that are addresses of games; NULL: none is
    uint16_t *roster_sources   # of each roster: how many sources have it, and these sources
    size_t roster_count
    size_t roster_room
    uint32_t *lines            # of each place: the first place with its mainline | LINE_IS_OPEN
    uint16_t *shared           # of each place: plies in common with the one before
    uint8_t *marks             # of each place: see MARK_IS_NEW; NULL if no earlier search is known
    uint32_t *ends             # of each place: the place behind the games that continue it
    Outline *outlines          # of each place; NULL: they are made of the records
    bint has_own_texts         # players, events and sites are not those of another batch
    bint is_mapped             # records and moves are in a file that the caller has mapped
    bint is_go                 # else chess
    size_t longest             # plies of the longest game
    int low_bits               # of a place, below those that say in which bucket of pairs it is


cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    """Mix the bits of a number: the finalizer of SplitMix64 (Steele, Lea, Flood 2014)."""
    x ^= x >> 30
    x *= <uint64_t>0xBF58476D1CE4E5B9
    x ^= x >> 27
    x *= <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline uint64_t joined(uint64_t key, uint64_t value) noexcept nogil:
    """Continue a hash by one more number."""
    return mixed(key * <uint64_t>0x9E3779B97F4A7C15 + value + 1)


cdef inline uint64_t hash_bytes(const uint8_t *bytes, size_t length) noexcept nogil:
    cdef uint64_t key = length
    cdef uint64_t word
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


cdef inline bint reserve(void **memory, size_t *room, size_t count, size_t size) noexcept nogil:
    """Reserve room for `count` items of `size` bytes; return False if out of memory."""
    cdef size_t wanted
    cdef void *found
    if count <= room[0]:
        return True
    wanted = room[0] + (room[0] >> 1) + 1024
    if wanted < count:
        wanted = count
    found = realloc(memory[0], wanted * size)
    if found == NULL:
        return False
    memory[0] = found
    room[0] = wanted
    return True


cdef inline bint expect_games(Games *all, size_t count) noexcept nogil:
    """Reserve room for about so many games and their moves; return False if out of memory."""
    if count <= all.room or not reserve(<void **>&all.games, &all.room, count, sizeof(Game)):
        return count <= all.room
    if not reserve(<void **>&all.arena, &all.moves_room, count * EXPECTED_PLIES, 2):
        return False
    ocg_use_large_pages(all.games, min(all.room * sizeof(Game), <size_t>MOST_IN_LARGE_PAGES))
    ocg_use_large_pages(all.arena, min(all.moves_room * 2, <size_t>MOST_IN_LARGE_PAGES))
    return True


cdef inline int require_memory(bint ok) except -1:
    """Raise MemoryError unless `ok`."""
    if not ok:
        raise MemoryError("out of memory for the search for duplicates")
    return 0


cdef inline void free_games(Games *all) noexcept nogil:
    if not all.is_mapped:
        free(all.games)
        free(all.arena)
    free(all.outlines)
    free(all.shared)
    free(all.ends)
    free(all.marks)
    free(all.roster_sources)
    free(all.lines)
    if all.has_own_texts:
        free(all.name_ids)
        free(all.names)
        free(all.name_words)
        free(all.event_ids)
        free(all.events)
        free(all.site_ids)
        free(all.sites)
        free(all.site_addresses)
        free(all.person_ids)
        free(all.fide_ids)


cdef inline uint32_t place_of(const int64_t *ids, size_t count, int64_t wanted) noexcept nogil:
    """Return the place of an ID in a rising list, NO_NAME if it is not there.

    IDs mostly have no gaps: then the first guess is right.
    """
    cdef size_t low = 0
    cdef size_t high = count
    cdef size_t middle
    if count == 0 or wanted < ids[0]:
        return NO_NAME
    middle = <size_t>(wanted - ids[0])
    if middle < count and <size_t>(ids[count - 1] - ids[0]) == count - 1:
        return <uint32_t>middle
    if middle < count and ids[middle] == wanted:
        return <uint32_t>middle
    while low < high:
        middle = (low + high) >> 1
        if ids[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return <uint32_t>low if low < count and ids[low] == wanted else NO_NAME


cdef inline uint32_t place_of_game(const Games *all, int64_t wanted) noexcept nogil:
    """Return the place of an ID among games by rising ID, NO_NAME if it is not there."""
    cdef size_t low = 0
    cdef size_t high = all.count
    cdef size_t middle
    while low < high:
        middle = (low + high) >> 1
        if all.games[middle].game_id < wanted:
            low = middle + 1
        else:
            high = middle
    return <uint32_t>low if low < all.count and all.games[low].game_id == wanted else NO_NAME


cdef inline Outline outline_of(const Game *game) noexcept nogil:
    cdef Outline made
    made.opening = game.opening
    made.start = <uint32_t>(game.start ^ game.start >> 32)
    made.date_and_plies = game.date << 8 | min(game.plies, <uint32_t>MOST_OUTLINED)
    return made


cdef inline void make_outlines(Games *all, size_t first, size_t end) noexcept nogil:
    """Fill in Games.outlines of a range of places, if there are any."""
    cdef size_t i
    if all.outlines != NULL:
        for i in range(first, end):
            all.outlines[i] = outline_of(&all.games[i])


cdef inline const uint16_t *moves_of(const Games *all, const Game *game) noexcept nogil:
    return all.arena + game.moves


cdef inline int shared_start(const Games *all, const Game *a, const Game *b) noexcept nogil:
    """Return how many plies two games share before they differ or one ends, wherever they start."""
    return common_plies(moves_of(all, a), a.plies, moves_of(all, b), b.plies)


cdef inline bint are_of_one_line(const Games *all, size_t a, size_t b) noexcept nogil:
    """Return whether the games of two places have equal starts and moves."""
    return all.lines[a] == all.lines[b]


cdef inline bint are_of_covered_line(const Games *all, size_t a, size_t b) noexcept nogil:
    """Return whether two games are of one line whose games are all paired with each other."""
    return all.lines[a] == all.lines[b] and not all.lines[a] & LINE_IS_OPEN


cdef inline bint is_of_source(const Games *all, const Game *game, uint16_t source) noexcept nogil:
    """Return whether a source has a game, or an equal record."""
    cdef const uint16_t *sources = all.roster_sources + game.roster
    cdef int i
    if game.source == source or not game.roster:
        return game.source == source
    for i in range(1, sources[0] + 1):
        if sources[i] == source:
            return True
    return False


cdef inline bint are_equal_records(const Game *a, const Game *b) noexcept nogil:
    """Return whether two sources have the same record: see equal_records.pxd."""
    return a.roster != 0 and a.roster == b.roster and a.rank == b.rank and a.source != b.source


cdef inline bint is_somebody(const Games *all, uint32_t name) noexcept nogil:
    return name != NO_NAME and not all.names[name].is_unknown


cdef inline bint share_address(const Game *a, const Game *b) noexcept nogil:
    return a.address != 0 and a.address == b.address


cdef inline bint are_other_addresses(uint64_t a, uint64_t b) noexcept nogil:
    """Return whether two addresses differ, and a game that has one of them has no other."""
    return (a & b & ONLY_ADDRESS) and a != b


cdef inline bint have_other_addresses(const Game *a, const Game *b) noexcept nogil:
    """Tell if two games were played on the web at different addresses, and have no others."""
    return are_other_addresses(a.address, b.address)


cdef inline void fetch_game(const Game *game) noexcept nogil:
    """Ask for all of a record."""
    cdef size_t line
    for line in range(0, sizeof(Game), 64):
        ocg_fetch(<const uint8_t *>game + line)


cdef inline void fetch_moves(const Games *all, const Game *game) noexcept nogil:
    """Ask for the moves of a game of usual length."""
    cdef const uint16_t *moves = moves_of(all, game)
    cdef int ply
    for ply in range(0, FETCHED_PLIES, 32):
        ocg_fetch(moves + ply)


cdef inline void fetch_names(const Games *all, const Game *game) noexcept nogil:
    """Ask for memory that is needed soon: names lie far apart."""
    cdef int side
    for side in range(2):
        if game.names[side] != NO_NAME:
            ocg_fetch(&all.names[game.names[side]])


cdef inline uint64_t opening_lanes(const uint16_t *moves, uint32_t plies) noexcept nogil:
    """Return a hash of 16 bits for each four of the first 16 plies, 0 if there are fewer."""
    cdef uint64_t word
    cdef uint64_t lanes = 0
    cdef int i
    if plies < OPENING_PLIES:
        return 0
    for i in range(4):
        memcpy(&word, moves + 4 * i, 8)
        lanes = lanes << 16 | (mixed(word) & 0xFFFF)
    return lanes
