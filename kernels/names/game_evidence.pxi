"""Persons as candidates for games, their careers, and the evidence of tags and careers."""

from libc.stdint cimport INT64_MIN

from careers cimport (
    CAREER_PARTS, CareerElo, CareerEvent, CareerPart, CareerYears, Careers,
    add_career_elo, add_career_event, add_career_years, add_to_set, event_of, free_careers,
    gap_to_elos_near, is_in_set, sort_careers, sort_set,
)
from game_record cimport hash_bytes
from player_age cimport MOST_ABOVE_LIST as MOST_ABOVE_LISTED
from player_age cimport can_play, evidence_of_age, is_too_high
from thresholds cimport GameWeights

cdef enum:
    MOST_BELOW_LIST = 350      # Elo points
    UNRATED = 1900             # taken for the rating of a player without one
    IMPROVING = 25             # age until which a listed player may be much weaker or stronger

ctypedef struct ListedTable:
    PersonColumns persons
    const uint16_t *titles     # of rows of facts
    const uint16_t *countries  # of rows of facts
    uint32_t count

# A person of any table; 0 for what is unknown. `required`: the rating required for the title.
ctypedef struct ListedPerson:
    int born
    int died
    int rating
    int64_t fide_id
    uint16_t title
    int16_t rank
    int16_t required
    uint16_t country


cdef bint can_play_in(const ListedPerson *person, int year, bint as_child) noexcept nogil:
    """Return whether a person can have played in a year, 0 for an unknown one."""
    return not year or can_play(person.born, person.died, year, year, as_child)


cdef bint is_of_wrong_age(const ListedPerson *person, int year) noexcept nogil:
    """Return whether the age in a year, 0 if unknown, is evidence against a person."""
    return year and (
        not can_play(person.born, person.died, year, year, False)
        or evidence_of_age(person.born, person.died, year, year, False) != 0
    )


cdef bint claim_contradicts(const ListedPerson *person, int title, int64_t elo) noexcept nogil:
    """Return whether a title or an Elo is too high for a player of FIDE's list."""
    return is_too_high(title, elo, person.fide_id != 0, person.required, person.rating)


def tags_contradict(
    int title, tuple elos not None, *, bint has_fide_id, int listed_title, int rating,
    bint has_rival,
) -> bool:
    cdef ListedPerson person
    memset(&person, 0, sizeof(ListedPerson))
    person.rating, person.required, person.fide_id = rating, listed_title, has_fide_id
    lowest, highest = elos
    return elos_contradict(&person, title, lowest, highest, has_rival)


cdef bint elos_contradict(
    const ListedPerson *person, int title, int64_t lowest_elo, int64_t highest_elo, bint has_rival
) noexcept nogil:
    """Return whether title or Elos may be another player's than a listed one's.

    With a rival of the name, an Elo far below the person's counts, too; else he was probably
    weaker in his youth.
    """
    cdef int rating = person.rating if person.rating else UNRATED
    return person.fide_id != 0 and (
        title > person.required
        or (has_rival and 0 < lowest_elo < rating - MOST_BELOW_LIST)
        or highest_elo > rating + MOST_ABOVE_LISTED
    )


cdef class ListedPersons:
    """Persons of several tables as candidates; see the stub."""
    cdef ListedTable *tables
    cdef size_t table_count
    cdef readonly uint32_t count
    cdef NameWeights weights
    cdef TextTable title_texts, country_texts
    cdef KnownText *titles     # by number
    cdef const double *country_values      # by the number written and the number listed
    cdef tuple columns         # hold the memory of the tables

    def __cinit__(
        self, weights not None, tables not None, list titles not None,
        list countries not None, const double[::1] evidence not None,
    ):
        cdef size_t i, facts
        cdef ListedTable *table
        self.weights = weights
        open_texts(&self.title_texts, titles)
        open_texts(&self.country_texts, [(text, 0, 0) for text in countries])
        self.titles = <KnownText *>allocate_zeros(self.title_texts.count, sizeof(KnownText))
        for i in range(self.title_texts.count):
            self.titles[self.title_texts.texts[i].number] = self.title_texts.texts[i]
        facts = self.country_texts.count
        self.country_values = column[double](evidence, (facts + 1) * facts, "evidence")
        self.columns = tuple(map(memoryview, (evidence, *(c for t in tables for c in t[0]))))
        self.table_count = len(tables)
        self.tables = <ListedTable *>allocate_zeros(self.table_count, sizeof(ListedTable))
        for i in range(self.table_count):
            table = &self.tables[i]
            persons, title_numbers, country_numbers = tables[i]
            self.columns += tuple(map(memoryview, (title_numbers, country_numbers)))
            read_person_columns(&table.persons, persons, 0, 0)
            table.count = len(persons[1])
            facts = table.persons.fact_count
            table.titles = column[uint16_t](title_numbers, facts, "titles")
            table.countries = column[uint16_t](country_numbers, facts, "countries")
            self.count += table.count
            if max(title_numbers, default=0) >= max(len(titles), 1):
                raise ValueError(f"title {max(title_numbers)} of {len(titles)}")
            if max(country_numbers, default=0) >= max(len(countries), 1):
                raise ValueError(f"federation {max(country_numbers)} of {len(countries)}")

    def __dealloc__(self):
        free(self.tables)
        free(self.titles)
        free(self.title_texts.texts)
        free(self.country_texts.texts)

    cdef uint32_t require(self, number) except? 0:
        """Return the number of a person."""
        if not 0 <= number < self.count:
            raise ValueError(f"person {number} of {self.count}")
        return number

    cdef const ListedTable *locate(self, uint32_t *number) noexcept nogil:
        """Return the table of a person, and turn the number into the index in it."""
        cdef const ListedTable *table = self.tables
        while number[0] >= table.count:
            number[0] -= table.count
            table += 1
        return table

    cdef ListedPerson get(self, uint32_t number) noexcept nogil:
        cdef const ListedTable *table = self.locate(&number)
        cdef uint32_t facts = table.persons.facts[number]
        cdef const KnownText *title = &self.titles[table.titles[facts]]
        return ListedPerson(
            table.persons.years[2 * number], table.persons.years[2 * number + 1],
            table.persons.ratings[number], <int64_t>table.persons.fide_ids[number], title.number,
            title.rank, title.required, table.countries[facts],
        )

    cdef double prominence(self, uint32_t number) noexcept nogil:
        cdef const ListedTable *table = self.locate(&number)
        return prominence_of(&self.weights, &table.persons, number)

    cdef double country_evidence(
        self, uint16_t written, const ListedPerson *person
    ) noexcept nogil:
        """Return the evidence of a written federation, by its number, for a person."""
        return self.country_values[written * self.country_texts.count + person.country]

    cdef uint16_t country_number(self, str text) except? 0:
        cdef Py_ssize_t size
        cdef const char *address = PyUnicode_AsUTF8AndSize(text, &size)
        return text_with_hash(
            &self.country_texts, hash_bytes(<const uint8_t *>address, size)
        ).number

    cdef int required_by(self, str title) except? -1:
        """Return the rating required for a title in capitals."""
        cdef Py_ssize_t size
        cdef const char *address = PyUnicode_AsUTF8AndSize(title, &size)
        return text_with_hash(
            &self.title_texts, hash_bytes(<const uint8_t *>address, size)
        ).required


# --- careers --------------------------------------------------------------------------------------

cdef inline uint32_t opponent_number(const PlayedGame *game, int side) noexcept nogil:
    """Return a number for the name of the opponent, 0 for none."""
    return game.sides[1 - side].name + 1       # NOBODY is the highest number


cdef packed struct PersonYears:
    uint32_t person
    CareerYears years


cdef class PlayerCareers:
    """The careers of persons; see the stub."""
    cdef Careers careers
    cdef uint32_t count

    def __cinit__(self, uint32_t persons):
        self.count = persons
        self.careers.years = <CareerYears *>allocate_zeros(persons, sizeof(CareerYears))

    def __dealloc__(self):
        free_careers(&self.careers)

    cdef int add(
        self, uint32_t person, uint32_t opponent, int year, int64_t event, int64_t source,
        int64_t elo,
    ) except -1 nogil:
        """Add a game; `event`: its event_key()."""
        add_career_years(&self.careers, person, year, year)
        add_to_set(&self.careers.opponents, <uint64_t>person << 32 | opponent)
        if event:
            add_career_event(&self.careers, CareerEvent(event, source, person))
        if year and elo:
            add_career_elo(&self.careers, CareerElo(<double>elo, person, 1, year))

    cdef void sort(self) noexcept nogil:
        sort_careers(&self.careers)

    def dump(self):
        cdef CareerPart *part
        cdef PersonYears years
        cdef int i
        self.sort()
        events, elos, active = bytearray(), bytearray(), bytearray()
        for i in range(CAREER_PARTS):
            part = &self.careers.parts[i]
            events += bytes_of_rows(
                <const char *>part.events.items, part.events.count * sizeof(CareerEvent)
            )
            elos += bytes_of_rows(
                <const char *>part.elos.items, part.elos.count * sizeof(CareerElo)
            )
        for years.person in range(self.count):
            years.years = self.careers.years[years.person]
            if years.years.has_games:
                active += bytes_of_rows(<const char *>&years, sizeof(PersonYears))
        opponents = bytes_of_rows(
            <const char *>self.careers.opponents.numbers.items,
            self.careers.opponents.numbers.count * sizeof(uint64_t),
        )
        return bytes(active), opponents, bytes(events), bytes(elos)

    def load(self, tuple parts not None):
        cdef bytes active, opponents, events, elos
        cdef PersonYears years
        cdef CareerEvent event
        cdef CareerElo elo
        cdef uint64_t pair
        cdef size_t i
        active, opponents, events, elos = parts
        for data, size in (
            (active, sizeof(PersonYears)), (opponents, 8), (events, sizeof(CareerEvent)),
            (elos, sizeof(CareerElo)),
        ):
            if len(data) % size:
                raise ValueError(f"{len(data)} bytes of careers are no rows of {size}")
        for i in range(len(active) // sizeof(PersonYears)):
            memcpy(&years, PyBytes_AS_STRING(active) + i * sizeof(PersonYears), sizeof(PersonYears))
            self.require(years.person)
            add_career_years(&self.careers, years.person, years.years.first, years.years.last)
        for i in range(len(opponents) // 8):
            memcpy(&pair, PyBytes_AS_STRING(opponents) + 8 * i, 8)
            add_to_set(&self.careers.opponents, pair)
        for i in range(len(events) // sizeof(CareerEvent)):
            memcpy(&event, PyBytes_AS_STRING(events) + i * sizeof(CareerEvent), sizeof(CareerEvent))
            add_career_event(&self.careers, event)
        for i in range(len(elos) // sizeof(CareerElo)):
            memcpy(&elo, PyBytes_AS_STRING(elos) + i * sizeof(CareerElo), sizeof(CareerElo))
            add_career_elo(&self.careers, elo)
        self.sort()

    cdef int require(self, uint32_t person) except -1:
        if person >= self.count:
            raise ValueError(f"career of person {person} of {self.count}")


cdef bytes bytes_of_rows(const char *rows, size_t size):
    return rows[:size] if size else b""


# --- evidence -------------------------------------------------------------------------------------

cdef double evidence_of_tags(
    const GameWeights *w, const PlayedSide *side, const ListedPerson *person, bint name_has_id
) noexcept nogil:
    """Return the evidence of FIDE ID and title."""
    cdef double value = 0.0
    if person.fide_id:
        if side.fide_id == person.fide_id:
            value += w.game_has_fide_id
        elif side.fide_id:
            value += w.other_fide_id
        elif name_has_id:
            value += w.fide_id_of_name
    if side.title.number and side.title.number == person.title:
        value += w.same_title
    elif side.title.rank > person.rank:
        value += w.higher_title
    return value


cdef double evidence_of_career(
    const GameWeights *w, const PlayedGame *game, int side, const Careers *careers,
    uint32_t person, bint presence,
) noexcept nogil:
    """Return the evidence of a person's other games; `presence`: that there are any counts."""
    cdef double value = 0.0
    cdef int64_t key = event_key(game.event, game.year)
    cdef const CareerEvent *event = event_of(careers, person, key) if key else NULL
    cdef const CareerYears *years = &careers.years[person]
    if event != NULL:
        if event.source == INT64_MIN or event.source != game.source:
            value += w.same_event
        else:
            value += w.same_event_of_source
    if is_in_set(&careers.opponents, <uint64_t>person << 32 | opponent_number(game, side)):
        value += w.same_opponent
    if game.year and years.first:
        if years.first - 3 <= game.year <= years.last + 3:
            value += w.active_then if presence else 0.0
        elif game.year < years.first - 25 or game.year > years.last + 25:
            value += w.years_apart
    return value


cdef double evidence_of_rating(
    int64_t elo, int year, const ListedPerson *person, const Careers *careers, uint32_t number
) noexcept nogil:
    """Compare an Elo with the person's games of these years, else with the list.

    `careers`: NULL if the person has no career.
    """
    cdef double gap = -1.0, value
    if not elo:
        return 0.0
    if careers != NULL:
        gap = gap_to_elos_near(careers, number, year, <double>elo)
    if gap >= 0:
        return 2.5 if gap <= 50 else 1.0 if gap <= 120 else -1.0 if gap <= 250 else -4.0
    if not person.rating:
        return -1.0 if elo >= 2300 else 0.0
    # Ratings change over the years, so only a large difference counts much, and less for the young.
    gap = elo - person.rating if elo > person.rating else person.rating - elo
    value = 1.5 if gap <= 60 else 0.5 if gap <= 150 else -1.0 if gap <= 350 else -4.0
    if value < 0 and year and person.born and year < person.born + IMPROVING:
        return value / 2 if elo > person.rating else 0.0
    return value
