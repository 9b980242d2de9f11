"""Careers of persons: events, years, opponents and Elos of the games that are surely theirs.

Sorted arrays, sorted again now and then while they grow. Sort before the first lookup.
"""

from libc.stdint cimport INT64_MIN, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free

from libc.string cimport memcpy, memmove

from game_record cimport count_below
from memory cimport reserve
from sorted_numbers cimport (
    CompareRecords, Numbers, add_number_to, count_before, free_numbers, order_of,
    sort_few_records, sort_numbers,
)

cdef enum:
    CAREER_PARTS = 64          # by the lowest bits of the person, so that little is sorted at once
    FEWEST_TO_SORT = 1024
    YEARS_NEAR = 2
    SIDE_BIT = 32              # of a sure player: index of the key, side, person

# A set of numbers.
ctypedef struct NumberSet:
    Numbers numbers
    size_t limit               # at which the numbers are sorted

# The only source of a person's games in an event, or INT64_MIN.
cdef packed struct CareerEvent:
    int64_t event
    int64_t source
    uint32_t person

# Sums of whole numbers are exact below 2 ** 53.
cdef packed struct CareerElo:
    double total
    uint32_t person
    uint32_t games
    uint16_t year

cdef packed struct CareerYears:
    uint16_t first             # 0: no dated game
    uint16_t last
    uint8_t has_games

# Records by person; records that compare as equal become one when they are sorted.
ctypedef struct CareerRecords:
    void *items
    size_t count
    size_t capacity
    size_t limit               # at which the records are sorted

ctypedef struct CareerPart:
    CareerRecords events       # of CareerEvent
    CareerRecords elos         # of CareerElo

# Adds a record to an equal one.
ctypedef void (*JoinRecords)(void *, const void *) noexcept nogil

ctypedef struct Careers:
    CareerPart parts[CAREER_PARTS]
    NumberSet opponents        # person << 32 | number of the opponent's name
    CareerYears *years         # of each person


# --- sets of numbers ------------------------------------------------------------------------------

cdef inline void sort_set(NumberSet *numbers) noexcept nogil:
    cdef Numbers *all = &numbers.numbers
    cdef size_t i, count = 0
    sort_numbers(all, 64)
    for i in range(all.count):
        if not count or all.items[count - 1] != all.items[i]:
            all.items[count] = all.items[i]
            count += 1
    all.count = count
    numbers.limit = max(2 * count, <size_t>FEWEST_TO_SORT)


cdef inline int add_to_set(NumberSet *numbers, uint64_t number) except -1 nogil:
    if numbers.numbers.count >= max(numbers.limit, <size_t>FEWEST_TO_SORT):
        sort_set(numbers)
    add_number_to(&numbers.numbers, number)


cdef inline size_t set_index(const NumberSet *numbers, uint64_t number) noexcept nogil:
    """Return how many numbers of a sorted set are lower."""
    return count_below(
        <const uint64_t *>numbers.numbers.items, numbers.numbers.count, number
    )


cdef inline bint is_in_set(const NumberSet *numbers, uint64_t number) noexcept nogil:
    cdef size_t at = set_index(numbers, number)
    return at < numbers.numbers.count and numbers.numbers.items[at] == number


# --- careers --------------------------------------------------------------------------------------

cdef inline int by_person_and_event(const void *a, const void *b) noexcept nogil:
    cdef const CareerEvent *left = <const CareerEvent *>a
    cdef const CareerEvent *right = <const CareerEvent *>b
    if left.person != right.person:
        return order_of(left.person, right.person)
    return order_of(left.event, right.event)


cdef inline int by_person_and_year(const void *a, const void *b) noexcept nogil:
    cdef const CareerElo *left = <const CareerElo *>a
    cdef const CareerElo *right = <const CareerElo *>b
    if left.person != right.person:
        return order_of(left.person, right.person)
    return order_of(left.year, right.year)


cdef inline void join_events(void *joined, const void *other) noexcept nogil:
    if (<CareerEvent *>joined).source != (<const CareerEvent *>other).source:
        (<CareerEvent *>joined).source = INT64_MIN


cdef inline void join_elos(void *joined, const void *other) noexcept nogil:
    (<CareerElo *>joined).total += (<const CareerElo *>other).total
    (<CareerElo *>joined).games += (<const CareerElo *>other).games


cdef inline void sort_career(
    CareerRecords *records, size_t size, CompareRecords compare, JoinRecords join
) noexcept nogil:
    """Sort records of `size` bytes, and join equal ones."""
    cdef uint8_t *items = <uint8_t *>records.items
    cdef uint8_t *last = items
    cdef size_t i
    if records.count:
        sort_few_records(items, records.count, size, compare)
        for i in range(1, records.count):
            if compare(last, items + i * size):
                last += size
                memmove(last, items + i * size, size)
            else:
                join(last, items + i * size)
        records.count = (last - items) // size + 1
    records.limit = max(2 * records.count, <size_t>FEWEST_TO_SORT)


cdef inline int add_to_career(
    CareerRecords *records, const void *record, size_t size, CompareRecords compare,
    JoinRecords join,
) except -1 nogil:
    if records.count >= max(records.limit, <size_t>FEWEST_TO_SORT):
        sort_career(records, size, compare, join)
    reserve(&records.items, &records.capacity, records.count + 1, size)
    memcpy(<uint8_t *>records.items + records.count * size, record, size)
    records.count += 1


cdef inline void sort_careers(Careers *careers) noexcept nogil:
    cdef int i
    sort_set(&careers.opponents)
    for i in range(CAREER_PARTS):
        sort_career(
            &careers.parts[i].events, sizeof(CareerEvent), by_person_and_event, join_events
        )
        sort_career(&careers.parts[i].elos, sizeof(CareerElo), by_person_and_year, join_elos)


cdef inline int add_career_event(Careers *careers, CareerEvent event) except -1 nogil:
    add_to_career(
        &careers.parts[event.person % CAREER_PARTS].events, &event, sizeof(CareerEvent),
        by_person_and_event, join_events,
    )


cdef inline int add_career_elo(Careers *careers, CareerElo elo) except -1 nogil:
    add_to_career(
        &careers.parts[elo.person % CAREER_PARTS].elos, &elo, sizeof(CareerElo),
        by_person_and_year, join_elos,
    )


cdef inline void add_career_years(
    Careers *careers, uint32_t person, uint16_t first, uint16_t last
) noexcept nogil:
    """Add games of a person, the first and the last in these years; 0 if no game is dated."""
    cdef CareerYears *years = &careers.years[person]
    years.has_games = True
    if first and (not years.first or first < years.first):
        years.first = first
    years.last = max(years.last, last)


cdef inline const CareerEvent *event_of(
    const Careers *careers, uint32_t person, int64_t event
) noexcept nogil:
    """Return the event of a person, NULL if there is none."""
    cdef const CareerRecords *records = &careers.parts[person % CAREER_PARTS].events
    cdef CareerEvent wanted = CareerEvent(event, 0, person)
    cdef size_t at = count_before(
        records.items, records.count, sizeof(CareerEvent), &wanted, by_person_and_event
    )
    cdef const CareerEvent *found = <const CareerEvent *>records.items + at
    return NULL if at == records.count or by_person_and_event(found, &wanted) else found


cdef inline double gap_to_elos_near(
    const Careers *careers, uint32_t person, int year, double elo
) noexcept nogil:
    """Return the least difference from the mean Elos within two years; -1 if there are none."""
    cdef const CareerRecords *records = &careers.parts[person % CAREER_PARTS].elos
    cdef const CareerElo *elos = <const CareerElo *>records.items
    cdef CareerElo wanted = CareerElo(0.0, person, 0, <uint16_t>max(year - YEARS_NEAR, 0))
    cdef size_t at = count_before(
        elos, records.count, sizeof(CareerElo), &wanted, by_person_and_year
    )
    cdef double gap = -1.0, this_gap
    while at < records.count and elos[at].person == person and (
        elos[at].year <= year + YEARS_NEAR
    ):
        this_gap = elo - elos[at].total / elos[at].games
        this_gap = -this_gap if this_gap < 0 else this_gap
        gap = this_gap if gap < 0 or this_gap < gap else gap
        at += 1
    return gap


cdef inline void free_careers(Careers *careers) noexcept nogil:
    cdef int i
    for i in range(CAREER_PARTS):
        free(careers.parts[i].events.items)
        free(careers.parts[i].elos.items)
    free_numbers(&careers.opponents.numbers)
    free(careers.years)


# --- players of equal moves -----------------------------------------------------------------------

# The certain players of each side of given moves, in any game.
ctypedef struct SurePlayers:
    NumberSet keys
    NumberSet players          # index of the key << 33 | side << 32 | person


cdef inline int add_sure_player(
    SurePlayers *sure, int64_t key, int side, uint32_t person
) except -1 nogil:
    """Add a player; other moves than those of the keys, which are sorted, are ignored."""
    cdef size_t at = set_index(&sure.keys, <uint64_t>key)
    if at < sure.keys.numbers.count and sure.keys.numbers.items[at] == <uint64_t>key:
        add_to_set(
            &sure.players, <uint64_t>at << SIDE_BIT + 1 | <uint64_t>side << SIDE_BIT | person
        )


cdef inline bint is_sure_player(
    const SurePlayers *sure, int64_t key, int side, uint32_t person
) noexcept nogil:
    cdef size_t at = set_index(&sure.keys, <uint64_t>key)
    return (
        at < sure.keys.numbers.count and sure.keys.numbers.items[at] == <uint64_t>key
        and is_in_set(
            &sure.players, <uint64_t>at << SIDE_BIT + 1 | <uint64_t>side << SIDE_BIT | person
        )
    )
