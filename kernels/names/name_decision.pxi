"""Decide which listed player each of several names means; any number of threads at the same time.

A name means a person if the evidence for this person outweighs that for all other listed persons
and for unlisted persons; limits are in likelihood.py.
"""

from libc.math cimport NAN

from thresholds cimport NameLimits

from player_age cimport can_play, can_play_all, evidence_of_age, is_too_high
from player_age cimport MOST_ABOVE_LIST as _MOST_ABOVE_LIST

MOST_ABOVE_LIST = _MOST_ABOVE_LIST

cdef enum:
    REFUSED_BY_NOTHING, REFUSED_NOT_LISTED, REFUSED_SHORT, REFUSED_TOO_LITTLE, REFUSED_NUMBERED
    REFUSED_AMBIGUOUS, REFUSED_ABBREVIATED, REFUSED_GENERATION, REFUSED_SLIP, REFUSED_DISSIMILAR

# Why no person is chosen.
REFUSALS = {
    "": REFUSED_BY_NOTHING, "NOT_LISTED": REFUSED_NOT_LISTED, "SHORT": REFUSED_SHORT,
    "TOO_LITTLE": REFUSED_TOO_LITTLE, "NUMBERED": REFUSED_NUMBERED,
    "AMBIGUOUS": REFUSED_AMBIGUOUS, "ABBREVIATED": REFUSED_ABBREVIATED,
    "GENERATION": REFUSED_GENERATION, "SLIP": REFUSED_SLIP, "DISSIMILAR": REFUSED_DISSIMILAR,
}


# What one thread knows of a list, and the persons of its names.
ctypedef struct ListRows:
    const WeighedName *weighed
    const uint32_t *ends       # of each name
    const WrittenName *forms
    const uint32_t *form_ends
    const WordStore *store
    const NameEntries *names
    const PersonColumns *persons
    uint32_t offset            # of the numbers of its persons

# A person whom a name may mean, with the evidence of the age.
ctypedef struct Possible:
    uint32_t person            # number in all lists
    uint32_t entry
    double evidence
    double total               # with prominence
    int difference
    int listed                 # the list
    bint is_tagged             # with a FIDE ID in the games

ctypedef struct Verdict:
    int64_t person             # -1 for none
    uint8_t refusal
    double listed              # probability that any listed person is meant
    double dice                # similarity of the bigrams, if it is too low

# The possible persons of names, the best ones first.
ctypedef struct Chosen:
    uint32_t person
    uint8_t difference
    double evidence
    double probability
    double score               # of the first ones

ctypedef struct DecisionMemory:
    Possible *possible
    size_t count, capacity
    Chosen *chosen
    size_t chosen_count, chosen_capacity
    NameScoring scoring


cdef int require_ends(const uint32_t *ends, Py_ssize_t count, Py_ssize_t items) except -1:
    """Raise ValueError unless rows end in order, and within their items."""
    cdef Py_ssize_t i
    for i in range(count):
        if ends[i] > items or (i and ends[i] < ends[i - 1]):
            raise ValueError(f"row {i} ends at {ends[i]} of {items}")


cdef class NameDecisions:
    """Names with the evidence of their games, to look up in several lists."""
    cdef list batches              # of the same names, one for each list
    cdef Py_ssize_t count
    cdef GameColumns games
    cdef tuple columns             # hold the memory of `games`
    cdef const uint8_t[::1] are_excluded
    cdef NameLimits limits
    cdef double unlisted

    def __cinit__(
        self, list batches not None, tuple games not None, limits not None, double unlisted,
        const uint8_t[::1] are_excluded not None,
    ):
        cdef NameBatch batch
        cdef size_t persons = 0
        self.batches, self.limits, self.unlisted = batches, limits, unlisted
        self.count = len(games[1])
        self.read_games(games)
        for batch in batches:
            persons += batch.persons.persons
            if batch.count != self.count:
                raise ValueError(f"batch of {batch.count} names, not {self.count}")
        if are_excluded.shape[0] and <size_t>are_excluded.shape[0] < persons:
            raise ValueError(f"{are_excluded.shape[0]} marks of {persons} persons")
        self.are_excluded = are_excluded

    cdef int read_games(self, tuple columns) except -1:
        cdef GameColumns *games = &self.games
        cdef Py_ssize_t ids = len(columns[3]), claims = len(columns[6]) // 2
        self.columns = tuple(map(memoryview, columns))  # which keeps the columns as they are
        games.years = column[uint16_t](columns[0], 2 * self.count, "years")
        games.are_youth = column[uint8_t](columns[1], self.count, "youth events")
        games.id_ends = column[uint32_t](columns[2], self.count, "ends of FIDE IDs")
        games.fide_ids = column[int64_t](columns[3], ids, "FIDE IDs")
        games.id_persons = column[int64_t](columns[4], ids, "persons of FIDE IDs")
        games.claim_ends = column[uint32_t](columns[5], self.count, "ends of claims")
        games.claims = column[int64_t](columns[6], 2 * claims, "claims")
        require_ends(games.id_ends, self.count, ids)
        require_ends(games.claim_ends, self.count, claims)

    def __len__(self):
        return self.count

    def decide(
        self, Py_ssize_t begin, Py_ssize_t end, *, size_t most, size_t most_of_sure, size_t scored
    ):
        cdef size_t lists = len(self.batches), names, i
        cdef ListRows *rows = <ListRows *>allocate_zeros(lists, sizeof(ListRows))
        cdef Verdict *verdicts = NULL
        cdef DecisionMemory memory
        cdef NameBatch batch
        cdef list searches = [], ends = []
        memset(&memory, 0, sizeof(DecisionMemory))
        try:
            if not 0 <= begin <= end <= self.count:
                raise ValueError(f"names {begin} to {end} of {self.count}")
            names = end - begin
            verdicts = <Verdict *>allocate_zeros(names, sizeof(Verdict))
            for i in range(lists):
                batch = self.batches[i]
                ends.append(array.array("I", bytes(4 * names)))
                searches.append(batch.weighed(begin, end, ends[i]))
                set_rows(&rows[i], batch, searches[i], ends[i])
                if i:
                    rows[i].offset = rows[i - 1].offset + <uint32_t>rows[i - 1].persons.persons
            chosen_ends = array.array("I", bytes(4 * names))
            tagged = array.array("d", bytes(8 * (self.first_id(end) - self.first_id(begin))))
            self.decide_range(
                &memory, rows, lists, begin, names, verdicts, chosen_ends, tagged, most,
                most_of_sure, scored,
            )
            return decisions_of(verdicts, names, &memory, chosen_ends, tagged)
        finally:
            for batch, search in zip(self.batches, searches):
                batch.done(search)
            free(rows)
            free(verdicts)
            free(memory.possible)
            free(memory.chosen)
            close_scoring(&memory.scoring)

    cdef size_t first_id(self, Py_ssize_t name) noexcept nogil:
        return self.games.id_ends[name - 1] if name else 0

    cdef int decide_range(
        self, DecisionMemory *m, const ListRows *lists, size_t list_count, Py_ssize_t begin,
        size_t names, Verdict *verdicts, uint32_t[::1] ends, double[::1] tagged, size_t most,
        size_t most_of_sure, size_t scored,
    ) except -1:
        cdef size_t i, k, first_id = self.first_id(begin)
        with nogil:
            for i in range(names):
                m.count = 0
                for k in range(list_count):
                    self.add_possible(m, lists, <int>k, i, begin + i)
                for k in range(self.first_id(begin + i), self.games.id_ends[begin + i]):
                    tagged[k - first_id] = evidence_for(m, self.games.id_persons[k])
                self.decide_name(m, lists, begin + i, &verdicts[i], most, most_of_sure, scored)
                ends[i] = <uint32_t>m.chosen_count

    cdef bint is_tagged(self, Py_ssize_t name, uint64_t fide_id) noexcept nogil:
        """Return whether a FIDE ID is in games with a name."""
        cdef size_t k
        for k in range(self.first_id(name), self.games.id_ends[name]):
            if fide_id and <uint64_t>self.games.fide_ids[k] == fide_id:
                return True
        return False

    cdef bint are_claims_too_high(
        self, Py_ssize_t name, const PersonColumns *persons, uint32_t person
    ) noexcept nogil:
        """Return whether all games claim a title or an Elo that the person never had."""
        cdef size_t first = self.games.claim_ends[name - 1] if name else 0, k
        for k in range(first, self.games.claim_ends[name]):
            if not is_too_high(
                <int>self.games.claims[2 * k], self.games.claims[2 * k + 1],
                persons.fide_ids[person] != 0, persons.title_ratings[persons.facts[person]],
                persons.ratings[person],
            ):
                return False
        return first < self.games.claim_ends[name]

    cdef int add_possible(
        self, DecisionMemory *m, const ListRows *lists, int listed, size_t index, Py_ssize_t name
    ) except -1 nogil:
        """Add the persons of a list who can have played a game of a name.

        The others were born too late, had died, or have a lower title or Elo than in all games. A
        person with an only similar name must have been able to play all games.
        """
        cdef const ListRows *rows = &lists[listed]
        cdef int first_year = self.games.years[2 * name], last_year = self.games.years[2 * name + 1]
        cdef bint is_youth = self.games.are_youth[name], is_tagged, can
        cdef const WeighedName *fit
        cdef const PersonColumns *persons = rows.persons
        cdef double evidence
        cdef int born, died
        cdef size_t k
        for k in range(rows.ends[index - 1] if index else 0, rows.ends[index]):
            fit = &rows.weighed[k]
            if self.are_excluded.shape[0] and self.are_excluded[rows.offset + fit.person]:
                continue
            born, died = persons.years[2 * fit.person], persons.years[2 * fit.person + 1]
            is_tagged = self.is_tagged(name, persons.fide_ids[fit.person])
            evidence = fit.evidence
            if first_year:
                if fit.difference == DIFFERS_BY_SLIP:
                    can = can_play_all(born, died, first_year, last_year, is_tagged or is_youth)
                else:
                    can = can_play(born, died, first_year, last_year, is_tagged or is_youth)
                if not can:
                    continue
                evidence += evidence_of_age(born, died, first_year, last_year, is_youth)
            if not is_tagged and self.are_claims_too_high(name, persons, fit.person):
                continue
            reserve(<void **>&m.possible, &m.capacity, m.count + 1, sizeof(Possible))
            m.possible[m.count] = Possible(
                rows.offset + fit.person, fit.entry, evidence, evidence + fit.prominence,
                fit.difference, listed, is_tagged,
            )
            m.count += 1

    cdef int decide_name(
        self, DecisionMemory *m, const ListRows *lists, Py_ssize_t name, Verdict *verdict,
        size_t most, size_t most_of_sure, size_t scored,
    ) except -1 nogil:
        """Choose among the possible persons; append the best ones to those chosen."""
        cdef const NameLimits *limits = &self.limits
        cdef double total, by_name, probability
        cdef const Possible *best
        cdef const ListRows *rows
        cdef const WrittenName *written
        cdef size_t first = m.chosen_count, count
        verdict.person = -1
        verdict.refusal = REFUSED_NOT_LISTED
        if not m.count:
            return 0
        total, by_name = log_sum(m, self.unlisted, True), log_sum(m, self.unlisted, False)
        qsort(m.possible, m.count, sizeof(Possible), by_total)
        best = &m.possible[0]
        rows = &lists[best.listed]
        written = &rows.forms[rows.form_ends[name - 1] if name else 0]
        probability = exp(best.total - total)
        verdict.listed = 1 - exp(self.unlisted - total)
        append_chosen(m, lists, name, m.count if m.count < most else most, scored, total)
        verdict.refusal = self.refusal_of(
            m, rows, best, probability, exp(best.evidence - by_name), written, verdict
        )
        if verdict.refusal == REFUSED_BY_NOTHING:
            verdict.person = best.person
        if best.difference == DIFFERS_BY_SLIP and not is_supported(rows, best, written):
            probability = min(probability, limits.most_by_similarity)
            m.chosen[first].probability = probability
        count = m.chosen_count - first
        if verdict.person >= 0 and probability >= limits.sure_probability and count > most_of_sure:
            m.chosen_count = first + most_of_sure

    cdef int refusal_of(
        self, DecisionMemory *m, const ListRows *rows, const Possible *best, double probability,
        double by_name_alone, const WrittenName *written, Verdict *verdict,
    ) except -1 nogil:
        """Return why the best person is not accepted.

        `by_name_alone`: probability if all persons are equally prominent.
        """
        cdef const NameLimits *limits = &self.limits
        cdef NameWords listed = words_of_entry(rows.names, best.entry)
        cdef NameMarks marks = marks_of_entry(rows.names, best.entry)
        cdef size_t letters = 0
        cdef int i
        for i in range(listed.count):
            letters += rows.store.words[listed.numbers[i]].characters
        if letters < <size_t>limits.min_letters:
            return REFUSED_SHORT
        if best.evidence < self.unlisted + limits.least_above_chance:
            return REFUSED_TOO_LITTLE
        if written.marks.number[0] and memcmp(
            written.marks.number, marks.number, sizeof(marks.number)
        ) != 0:
            return REFUSED_NUMBERED
        if probability < limits.min_probability:
            return REFUSED_AMBIGUOUS if best.evidence > self.unlisted else REFUSED_TOO_LITTLE
        if not (
            by_name_alone >= limits.min_probability_of_initials
            or is_of_country(rows, best, written)
            or is_of_prominent(limits, rows.store, written, &listed, probability, by_name_alone)
        ) and is_abbreviated(limits, rows.store, written, &listed, probability):
            return REFUSED_ABBREVIATED
        if written.marks.generation and written.marks.generation != marks.generation:
            return REFUSED_GENERATION
        if best.difference != DIFFERS_BY_SLIP:
            return REFUSED_BY_NOTHING
        if probability < limits.min_probability_of_slip or by_name_alone < 0.5:
            return REFUSED_SLIP
        read_letters(&m.scoring.left, rows.store, &written.words)
        read_letters(&m.scoring.right, rows.store, &listed)
        if score_of_names(&m.scoring) < limits.min_score:
            verdict.dice = bigram_dice(&m.scoring)
            if verdict.dice < limits.min_dice:
                return REFUSED_DISSIMILAR
        return REFUSED_BY_NOTHING


cdef int set_rows(ListRows *rows, NameBatch batch, NameSearch search, uint32_t[::1] ends) except -1:
    rows.weighed = search.weighed
    rows.ends = &ends[0] if ends.shape[0] else NULL
    rows.forms, rows.form_ends = batch.forms, batch.form_ends
    rows.store, rows.names = &batch.listed.store, &batch.listed.names
    rows.persons = &batch.persons


cdef double evidence_for(const DecisionMemory *m, int64_t person) noexcept nogil:
    """Return the evidence for a person, NaN if the name cannot mean this person."""
    cdef size_t k
    for k in range(m.count):
        if m.possible[k].person == person:
            return m.possible[k].evidence
    return NAN


cdef double log_sum(const DecisionMemory *m, double unlisted, bint of_totals) noexcept nogil:
    """Return the logarithm of a sum of probabilities that are given as logarithms."""
    cdef double top = unlisted, total
    cdef const Possible *possible
    cdef size_t k
    for k in range(m.count):
        possible = &m.possible[k]
        top = max(top, possible.total if of_totals else possible.evidence)
    total = exp(unlisted - top)
    for k in range(m.count):
        possible = &m.possible[k]
        total += exp((possible.total if of_totals else possible.evidence) - top)
    return top + log(total)


cdef int by_total(const void *left, const void *right) noexcept nogil:
    """Order by falling totals, then by person."""
    cdef const Possible *a = <const Possible *>left
    cdef const Possible *b = <const Possible *>right
    if a.total != b.total:
        return 1 if a.total < b.total else -1
    return (a.person > b.person) - (a.person < b.person)


cdef int append_chosen(
    DecisionMemory *m, const ListRows *lists, Py_ssize_t name, size_t count, size_t scored,
    double total,
) except -1 nogil:
    """Append the best persons, with scores of the first ones."""
    cdef const Possible *possible
    cdef const ListRows *rows
    cdef NameWords listed
    cdef Chosen *chosen
    cdef size_t k
    reserve(<void **>&m.chosen, &m.chosen_capacity, m.chosen_count + count, sizeof(Chosen))
    for k in range(count):
        possible = &m.possible[k]
        chosen = &m.chosen[m.chosen_count]
        chosen.person, chosen.difference = possible.person, <uint8_t>possible.difference
        chosen.evidence, chosen.probability = possible.evidence, exp(possible.total - total)
        chosen.score = 0.0
        if k < scored:
            rows = &lists[possible.listed]
            listed = words_of_entry(rows.names, possible.entry)
            read_letters(
                &m.scoring.left, rows.store,
                &rows.forms[rows.form_ends[name - 1] if name else 0].words,
            )
            read_letters(&m.scoring.right, rows.store, &listed)
            chosen.score = score_of_names(&m.scoring)
        m.chosen_count += 1


cdef bint is_of_country(
    const ListRows *rows, const Possible *best, const WrittenName *written
) noexcept nogil:
    cdef uint32_t person = best.person - rows.offset
    return (
        written.country >= 0
        and rows.persons.nations[rows.persons.facts[person]] == written.country
    )


cdef bint is_supported(
    const ListRows *rows, const Possible *best, const WrittenName *written
) noexcept nogil:
    """Return whether anything besides a similar name is evidence for a person."""
    cdef uint32_t born = rows.persons.years[2 * (best.person - rows.offset)]
    return (
        best.is_tagged or is_of_country(rows, best, written)
        or (born and written.marks.birth_year == born)
    )


cdef bint has_word(
    const WordStore *store, const NameWords *name, uint32_t number, bint of_initials
) noexcept nogil:
    """Return whether a name has a word; `of_initials`: or a word that begins with this initial."""
    cdef const StoredWord *word = &store.words[number]
    cdef int i
    for i in range(name.count):
        if name.numbers[i] == number:
            return True
        if of_initials and word.characters == 1:
            if store.words[name.numbers[i]].letter == word.letter:
                return True
    return False


cdef bint is_of_prominent(
    const NameLimits *limits, const WordStore *store, const WrittenName *written,
    const NameWords *listed, double probability, double by_name_alone,
) noexcept nogil:
    """Return whether surname and initial are those of a player who is far more prominent."""
    cdef const NameWords *name = &written.words
    cdef uint32_t first = name.numbers[name.surname if name.count > name.surname else 0]
    return (
        by_name_alone >= limits.min_probability_beside_prominence and name.count >= 2
        and probability >= limits.min_probability_of_prominent
        and has_word(store, listed, first, True)
        and has_word(store, listed, name.numbers[name.surname - 1], True)
    )


cdef bint is_abbreviated(
    const NameLimits *limits, const WordStore *store, const WrittenName *written,
    const NameWords *listed, double probability,
) noexcept nogil:
    """Return whether a name is shorter than the listed one; then prominence alone is not enough."""
    cdef const NameWords *name = &written.words
    cdef uint32_t letters = 0
    cdef int i
    if written.marks.generation:
        return True
    if not name.is_ordered:
        for i in range(name.surname):
            if store.words[name.numbers[i]].characters == 1:
                return True
        return name.surname == 1
    if name.count > name.surname:
        if has_word(store, listed, name.numbers[name.surname], False):
            return False
        letters = store.words[name.numbers[name.surname]].characters
    # Two letters distinguish namesakes ("Williams,Si1"), so they are stronger evidence than one.
    return letters < 2 or (letters == 2 and probability < limits.min_probability_of_two_letters)


cdef tuple decisions_of(
    const Verdict *verdicts, size_t names, const DecisionMemory *m, ends, tagged
):
    """Return the columns of the names, then those of the persons chosen."""
    cdef size_t count = m.chosen_count, i
    means = array.array("q", bytes(8 * names))
    refusals = array.array("B", bytes(names))
    listed = array.array("d", bytes(8 * names))
    dice = array.array("d", bytes(8 * names))
    persons = array.array("I", bytes(4 * count))
    evidence = array.array("d", bytes(8 * count))
    probabilities = array.array("d", bytes(8 * count))
    differences = array.array("B", bytes(count))
    scores = array.array("d", bytes(8 * count))
    cdef int64_t[::1] to_means = means
    cdef uint8_t[::1] to_refusal = refusals, to_difference = differences
    cdef double[::1] to_listed = listed, to_dice = dice, to_evidence = evidence
    cdef double[::1] to_probability = probabilities, to_score = scores
    cdef uint32_t[::1] to_person = persons
    for i in range(names):
        to_means[i] = verdicts[i].person
        to_refusal[i] = verdicts[i].refusal
        to_listed[i] = verdicts[i].listed
        to_dice[i] = verdicts[i].dice
    for i in range(count):
        to_person[i] = m.chosen[i].person
        to_evidence[i] = m.chosen[i].evidence
        to_probability[i] = m.chosen[i].probability
        to_difference[i] = m.chosen[i].difference
        to_score[i] = m.chosen[i].score
    return (
        means, refusals, listed, dice, ends, tagged, persons, evidence, probabilities, differences,
        scores,
    )


def can_have_played(
    int born, int died, int first_year, int last_year, *, bint as_child=False
) -> bool:
    return can_play(born, died, first_year, last_year, as_child)


def age_evidence(
    int born, int died, int first_year, int last_year, *, bint is_youth=False
) -> float:
    return evidence_of_age(born, died, first_year, last_year, is_youth)


def claim_is_too_high(
    int title, int64_t elo, *, bint has_fide_id, int listed_title, int rating
) -> bool:
    return is_too_high(title, elo, has_fide_id, listed_title, rating)
