"""Careers of persons: events, years, opponents and Elos of the games that are surely theirs.

Sorted arrays, sorted again now and then while they grow. Sort before the first lookup.
"""

from libc.stdint cimport INT64_MIN, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free

from memory cimport allocate_zeros, new_item
from sorted_numbers cimport Numbers, add_number_to, free_numbers, order_of, sort_numbers
from sorted_numbers cimport sort_few_records

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

ctypedef struct CareerPart:
    CareerEvent *events
    size_t event_count, event_capacity, event_limit
    CareerElo *elos
    size_t elo_count, elo_capacity, elo_limit

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
    cdef size_t low = 0, high = numbers.numbers.count, middle
    while low < high:
        middle = (low + high) // 2
        if numbers.numbers.items[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low


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


cdef inline void sort_events(CareerPart *part) noexcept nogil:
    cdef CareerEvent *last = part.events
    cdef size_t i
    if part.event_count:
        sort_few_records(
            part.events, part.event_count, sizeof(CareerEvent), by_person_and_event
        )
        for i in range(1, part.event_count):
            if by_person_and_event(last, &part.events[i]):
                last += 1
                last[0] = part.events[i]
            elif last.source != part.events[i].source:
                last.source = INT64_MIN
        part.event_count = last - part.events + 1
    part.event_limit = max(2 * part.event_count, <size_t>FEWEST_TO_SORT)


cdef inline void sort_elos(CareerPart *part) noexcept nogil:
    cdef CareerElo *last = part.elos
    cdef size_t i
    if part.elo_count:
        sort_few_records(part.elos, part.elo_count, sizeof(CareerElo), by_person_and_year)
        for i in range(1, part.elo_count):
            if by_person_and_year(last, &part.elos[i]):
                last += 1
                last[0] = part.elos[i]
            else:
                last.total += part.elos[i].total
                last.games += part.elos[i].games
        part.elo_count = last - part.elos + 1
    part.elo_limit = max(2 * part.elo_count, <size_t>FEWEST_TO_SORT)


cdef inline void sort_careers(Careers *careers) noexcept nogil:
    cdef int i
    sort_set(&careers.opponents)
    for i in range(CAREER_PARTS):
        sort_events(&careers.parts[i])
        sort_elos(&careers.parts[i])


cdef inline int add_career_event(Careers *careers, CareerEvent event) except -1 nogil:
    cdef CareerPart *part = &careers.parts[event.person % CAREER_PARTS]
    if part.event_count >= max(part.event_limit, <size_t>FEWEST_TO_SORT):
        sort_events(part)
    (<CareerEvent *>new_item(
        <void **>&part.events, &part.event_count, &part.event_capacity, sizeof(CareerEvent)
    ))[0] = event


cdef inline int add_career_elo(Careers *careers, CareerElo elo) except -1 nogil:
    cdef CareerPart *part = &careers.parts[elo.person % CAREER_PARTS]
    if part.elo_count >= max(part.elo_limit, <size_t>FEWEST_TO_SORT):
        sort_elos(part)
    (<CareerElo *>new_item(
        <void **>&part.elos, &part.elo_count, &part.elo_capacity, sizeof(CareerElo)
    ))[0] = elo


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
    cdef const CareerPart *part = &careers.parts[person % CAREER_PARTS]
    cdef CareerEvent wanted = CareerEvent(event, 0, person)
    cdef size_t low = 0, high = part.event_count, middle
    while low < high:
        middle = (low + high) // 2
        if by_person_and_event(&part.events[middle], &wanted) < 0:
            low = middle + 1
        else:
            high = middle
    if low == part.event_count or by_person_and_event(&part.events[low], &wanted):
        return NULL
    return &part.events[low]


cdef inline double gap_to_elos_near(
    const Careers *careers, uint32_t person, int year, double elo
) noexcept nogil:
    """Return the least difference from the mean Elos within two years; -1 if there are none."""
    cdef const CareerPart *part = &careers.parts[person % CAREER_PARTS]
    cdef CareerElo wanted = CareerElo(0.0, person, 0, <uint16_t>max(year - YEARS_NEAR, 0))
    cdef size_t low = 0, high = part.elo_count, middle
    cdef double gap = -1.0, this_gap
    while low < high:
        middle = (low + high) // 2
        if by_person_and_year(&part.elos[middle], &wanted) < 0:
            low = middle + 1
        else:
            high = middle
    while low < part.elo_count and part.elos[low].person == person and (
        part.elos[low].year <= year + YEARS_NEAR
    ):
        this_gap = elo - part.elos[low].total / part.elos[low].games
        this_gap = -this_gap if this_gap < 0 else this_gap
        gap = this_gap if gap < 0 or this_gap < gap else gap
        low += 1
    return gap


cdef inline void free_careers(Careers *careers) noexcept nogil:
    cdef int i
    for i in range(CAREER_PARTS):
        free(careers.parts[i].events)
        free(careers.parts[i].elos)
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
