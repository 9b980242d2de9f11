"""Names looked up together, by any number of threads at the same time."""

from name_search cimport GameColumns

ctypedef fused Number:
    uint8_t
    uint16_t
    uint32_t
    uint64_t
    int32_t
    int64_t
    double


cdef const Number *column(const Number[::1] values, Py_ssize_t count, str name) except? NULL:
    """Return the values of a column of at least `count` values."""
    if values.shape[0] < count:
        raise ValueError(f"{name}: {values.shape[0]} values, not {count}")
    return &values[0] if count else NULL


cdef int read_person_columns(
    PersonColumns *to, tuple columns, Py_ssize_t entries, Py_ssize_t countries
) except -1:
    """Set the columns of PersonTable.columns(), which the caller keeps."""
    cdef Py_ssize_t persons = len(columns[1]), facts = len(columns[4]), i
    to.person_of = column[uint32_t](columns[0], entries, "entries")
    to.ratings = column[uint16_t](columns[1], persons, "ratings")
    to.years = column[uint16_t](columns[2], 2 * persons, "years")
    to.facts = column[uint32_t](columns[3], persons, "facts")
    to.titles = column[double](columns[4], facts, "titles")
    to.activity = column[double](columns[5], facts, "activity")
    to.countries = column[double](columns[6], countries * facts, "countries")
    to.nations = column[int32_t](columns[7], facts, "nations")
    to.title_ratings = column[uint16_t](columns[8], facts, "title ratings")
    to.fide_ids = column[uint64_t](columns[9], persons, "FIDE IDs")
    to.persons, to.fact_count = persons, facts
    for i in range(entries):
        if to.person_of[i] >= persons:
            raise ValueError(f"entry {i} is of person {to.person_of[i]} of {persons}")
    for i in range(persons):
        if to.facts[i] >= facts:
            raise ValueError(f"person {i} has facts {to.facts[i]} of {facts}")


cdef class NameBatch:
    """Names to look up in one list, whose words are known to it; a name has several forms."""
    cdef ListedNames listed
    cdef WrittenName *forms
    cdef Py_ssize_t form_count
    cdef uint32_t *form_ends       # of the forms of each name
    cdef Py_ssize_t count
    cdef uint32_t *words
    cdef size_t word_count, word_capacity
    cdef uint32_t *koreans
    cdef PersonColumns persons
    cdef tuple columns             # hold the memory of `persons`

    def __cinit__(
        self, ListedNames listed not None, list names not None, list full not None,
        list koreans not None, list countries not None, tuple columns not None,
    ):
        cdef list forms = [form for forms in names for form in forms]
        cdef Py_ssize_t i, end = 0
        self.listed = listed
        listed.require_no_search()
        self.count, self.form_count = len(names), len(forms)
        if not self.form_count == len(full) == len(koreans) == len(countries):
            raise ValueError(f"{self.form_count} forms, but other numbers of their properties")
        self.forms = <WrittenName *>allocate_zeros(self.form_count, sizeof(WrittenName))
        self.form_ends = <uint32_t *>allocate(self.count, sizeof(uint32_t))
        for i in range(self.count):
            end += len(names[i])
            self.form_ends[i] = <uint32_t>end
        self.read_columns(columns, countries)
        for i in range(self.form_count):
            self.read_form(&self.forms[i], forms[i])
            self.forms[i].is_full = full[i]
            self.forms[i].country = countries[i]
        self.set_words()
        self.read_koreans(koreans)
        listed.prepare_written({self.words[i] for i in range(self.word_count)})

    def __dealloc__(self):
        free(self.forms)
        free(self.form_ends)
        free(self.words)
        free(self.koreans)

    cdef int read_columns(self, tuple columns, list countries) except -1:
        self.columns = tuple(map(memoryview, columns))  # which keeps the columns as they are
        read_person_columns(
            &self.persons, columns, self.listed.names.count, max(countries, default=-1) + 1
        )

    cdef int read_form(self, WrittenName *name, form) except -1:
        cdef uint32_t numbers[MOST_WORDS]
        self.listed.read_form(form, numbers, &name.words, &name.marks)
        append_items(
            <void **>&self.words, &self.word_count, &self.word_capacity, numbers,
            name.words.count, sizeof(uint32_t),
        )

    cdef void set_words(self) noexcept:
        """Point from the forms to their words, which do not move any more."""
        cdef size_t begin = 0
        cdef Py_ssize_t i
        for i in range(self.form_count):
            self.forms[i].words.numbers = self.words + begin
            begin += self.forms[i].words.count

    cdef int read_koreans(self, list koreans) except -1:
        cdef size_t count = sum(map(len, koreans)), at = 0
        cdef Py_ssize_t i
        self.koreans = <uint32_t *>allocate(count, sizeof(uint32_t))
        for i in range(self.form_count):
            self.forms[i].korean = self.koreans + at
            self.forms[i].koreans = len(koreans[i])
            for entry in koreans[i]:
                self.listed.require_entry(entry)
                self.koreans[at] = entry
                at += 1

    def __len__(self):
        return self.count

    cdef size_t first_form(self, Py_ssize_t name) noexcept nogil:
        return self.form_ends[name - 1] if name else 0

    cdef NameSearch weighed(self, Py_ssize_t begin, Py_ssize_t end, uint32_t[::1] ends):
        """Return a search with the persons of names, and set the end of each name's.

        Nothing can be added to the list until it is given back by done().
        """
        cdef NameSearch search
        cdef Py_ssize_t i
        cdef size_t form, first
        if not 0 <= begin <= end <= self.count:
            raise ValueError(f"names {begin} to {end} of {self.count}")
        search = self.listed.search()
        search.begin(&self.persons)
        self.listed.searches += 1
        try:
            with nogil:
                for i in range(begin, end):
                    first = search.weighed_count
                    for form in range(self.first_form(i), self.form_ends[i]):
                        weigh_name(search, &self.forms[form], first)
                    ends[i - begin] = <uint32_t>search.weighed_count
        except BaseException:
            self.done(search)
            raise
        return search

    cdef int done(self, NameSearch search) except -1:
        self.listed.searches -= 1
        self.listed.put_back(search)

    def weigh(self, Py_ssize_t begin, Py_ssize_t end):
        ends = array.array("I", bytes(4 * max(end - begin, 0)))
        cdef NameSearch search = self.weighed(begin, end, ends)
        try:
            return results_of(search, ends)
        finally:
            self.done(search)

    def candidates(self, Py_ssize_t index):
        cdef NameSearch search
        cdef size_t i
        if not 0 <= index < self.form_count:
            raise ValueError(f"form {index} of {self.form_count}")
        search = self.listed.search()
        search.begin(&self.persons)
        find_candidates(search, &self.forms[index])
        entries = [search.candidates.entries[i] for i in range(search.candidates.count)]
        self.listed.put_back(search)
        return entries


cdef tuple results_of(NameSearch search, ends):
    """Return the ends of the names' rows, and the columns of the rows."""
    cdef size_t count = search.weighed_count, i
    persons = array.array("I", bytes(4 * count))
    entries = array.array("I", bytes(4 * count))
    evidence = array.array("d", bytes(8 * count))
    prominence = array.array("d", bytes(8 * count))
    differences = array.array("B", bytes(count))
    cdef uint32_t[::1] to_person = persons, to_entry = entries
    cdef double[::1] to_evidence = evidence, to_prominence = prominence
    cdef uint8_t[::1] to_difference = differences
    for i in range(count):
        to_person[i] = search.weighed[i].person
        to_entry[i] = search.weighed[i].entry
        to_evidence[i] = search.weighed[i].evidence
        to_prominence[i] = search.weighed[i].prominence
        to_difference[i] = <uint8_t>search.weighed[i].difference
    return ends, persons, entries, evidence, prominence, differences
