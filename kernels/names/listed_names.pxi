"""Parsed names of listed players in little memory, found by word and by letters.

A rating list has half a million names and few distinct words: a name is an entry of word numbers.
Parses names in plain letters with nothing but words; the caller parses all others. Must not know
players.
"""

from cpython cimport array
from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.math cimport exp

from listed_players cimport Span
from name_entries cimport (
    NameEntries, NameMarks, Posting, add_entry, add_marks, close_entries, count_entry,
    first_with_letters, hash_letters, index_postings, marks_of_entry, put_entry, reserve_entries,
    sort_entries, words_of_entry,
)
from name_form cimport FORM_WORDS, OCG_PARTICLE, ocg_kind_of_word
from name_readings cimport MOST_WORDS, NameWords
from name_search cimport PersonColumns, WrittenName
from short_forms cimport (
    ShortForms, add_short_form, add_weight_of_name, open_short_forms, probability_of_holder,
    set_weights,
)
from thresholds cimport NameWeights
from utf8 cimport is_ascii, is_utf8
from word_store cimport (
    StoredWord, WordStore, add_word, close_words, find_word, next_character, open_words,
    reserve_words,
)

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

cdef enum:
    LONGEST_LISTED = 200       # letters of a name that is parsed here
    LONGEST_SKELETON = 256     # letters of a word that count
    MARK_PARTICLE = 1          # mark of a word
    # A shorter list counts as part of a longer one, so that its words do not seem more common.
    LEAST_WORDS = 300_000
    INITIALS_UNSEEN = 10       # added to the count of each initial

cdef double UNSEEN = 0.3       # added to the count of each word


cdef class NameSearch


cdef Span name_of_person(
    const uint8_t[::1] text, const uint32_t[::1] begins, const uint32_t[::1] ends, size_t person
) except *:
    """Return a name of PersonTable.names(), which the caller keeps."""
    cdef Span name
    if person >= <size_t>begins.shape[0] or person >= <size_t>ends.shape[0]:
        raise ValueError(f"no name of person {person}")
    if not begins[person] <= ends[person] <= text.shape[0]:
        raise ValueError(f"name {begins[person]} to {ends[person]} of {text.shape[0]} bytes")
    name.length = ends[person] - begins[person]
    name.at = &text[begins[person]] if name.length else <const uint8_t *>b""
    return name


ctypedef struct SpelledWord:
    uint64_t head              # the first letters, as a number
    const uint8_t *letters
    uint32_t length
    uint32_t number


cdef int by_spelling(const void *left, const void *right) noexcept nogil:
    cdef const SpelledWord *a = <const SpelledWord *>left
    cdef const SpelledWord *b = <const SpelledWord *>right
    cdef int order
    if a.head != b.head:
        return -1 if a.head < b.head else 1
    order = memcmp(a.letters, b.letters, min(a.length, b.length))
    return order if order else <int>a.length - <int>b.length


cdef int sort_by_spelling(const WordStore *store, uint32_t *numbers, size_t count) except -1:
    """Sort words by their characters, which is also the order of their bytes."""
    cdef SpelledWord *words = <SpelledWord *>allocate(count, sizeof(SpelledWord))
    cdef const StoredWord *word
    cdef const uint8_t *letters
    cdef uint64_t head
    cdef size_t i, k
    for i in range(count):
        word = &store.words[numbers[i]]
        letters = store.letters + word.begin
        head = 0
        for k in range(8):
            head = head << 8 | (letters[k] if k < word.length else 0)
        words[i] = SpelledWord(head, letters, word.length, numbers[i])
    qsort(words, count, sizeof(SpelledWord), by_spelling)
    for i in range(count):
        numbers[i] = words[i].number
    free(words)


cdef class ListedNames:
    """Entries, numbered in the order they were added."""
    cdef WordStore store
    cdef NameEntries names
    cdef NearIndex near
    cdef NameWeights weights
    cdef uint32_t words_read           # by read_words()
    cdef double *surname_shares        # of words
    cdef double *given_shares
    cdef size_t surname_capacity, given_capacity
    cdef uint32_t shared_words         # words with shares
    cdef uint32_t shared_version
    cdef ListedNames shares            # the list from which word frequencies are taken, or None
    cdef list texts            # of words, made when first needed
    cdef object encode
    cdef SyllableTable syllables
    cdef GivenNames given
    cdef readonly bint is_compared_with_itself
    cdef readonly uint64_t surname_words, given_words
    cdef uint32_t version      # number of changes
    cdef int searches          # that are running; meanwhile nothing may change
    cdef list idle             # NameSearch objects

    def __cinit__(
        self, GivenNames given not None, weights not None, encode not None,
        SyllableTable syllables not None, ListedNames shares=None,
        bint is_compared_with_itself=False,
    ):
        cdef uint32_t number
        self.texts = []
        self.idle = []
        self.shares = shares
        self.is_compared_with_itself = is_compared_with_itself
        self.weights = weights
        self.given, self.encode = given, encode
        open_words(&self.store)
        self.syllables = syllables
        for number in range(c"a", c"z" + 1):   # whose shares are asked for
            self.number_of_text(chr(number))
        for word, bits in syllables.surnames.items():
            number = self.number_of_text(word)
            self.store.words[number].surname_languages = bits

    def __dealloc__(self):
        close_words(&self.store)
        close_entries(&self.names)
        close_near_index(&self.near)
        free(self.surname_shares)
        free(self.given_shares)

    def __len__(self):
        return self.names.count

    cdef int require_no_search(self) except -1:
        if self.searches:
            raise ValueError("names cannot be added during a search")

    cdef int change(self) except -1:
        """Note a change of the list: nothing that depends on all words is valid."""
        self.require_no_search()
        self.version += 1
        self.idle = []
        if self.near.is_complete:
            forget_near_words(&self.near)

    cdef int require_entry(self, uint32_t entry) except -1:
        if entry >= self.names.count:
            raise IndexError(f"entry {entry} of {self.names.count}")

    # --- words ---

    cdef uint32_t number_of_letters(
        self, const uint8_t *letters, Py_ssize_t length
    ) except? 0xFFFFFFFF:
        """Return the number of a word; a new word gets its initials and the mark of a particle."""
        cdef bint is_new
        cdef uint32_t number = add_word(&self.store, letters, length, &is_new) - 1
        if is_new:
            self.store.words[number].initials = initials_of(self.store.words[number].letter)
            self.store.words[number].letter_set = letters_in(letters, <int>length)
        if is_new and ocg_kind_of_word(letters, <int>length) & OCG_PARTICLE:
            self.store.words[number].marks = MARK_PARTICLE
        return number

    cdef uint32_t number_of_text(self, str word) except? 0xFFFFFFFF:
        cdef bytes raw = word.encode()
        cdef const uint8_t *text = <const uint8_t *>PyBytes_AS_STRING(raw)
        return self.number_of_letters(text, PyBytes_GET_SIZE(raw))

    cdef const StoredWord *stored_word(self, str word) except? NULL:
        """Return a word, NULL if it is not stored."""
        cdef bytes raw = word.encode()
        cdef uint32_t number = find_word(
            &self.store, <const uint8_t *>PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw)
        )
        return &self.store.words[number - 1] if number else NULL

    cdef str text(self, uint32_t number):
        cdef const StoredWord *word
        if number >= <size_t>len(self.texts):
            self.texts.extend([None] * (self.store.count - len(self.texts)))
        text = self.texts[number]
        if text is None:
            word = &self.store.words[number]
            text = (<char *>self.store.letters)[word.begin:word.begin + word.length].decode()
            self.texts[number] = text
        return <str>text

    # --- entries ---

    def add(self, form not None):
        cdef uint32_t numbers[MOST_WORDS]
        cdef NameWords name
        cdef NameMarks marks
        self.change()
        self.read_form(form, numbers, &name, &marks)
        add_entry(&self.names, &self.store, &name)
        if has_marks(&marks):
            add_marks(&self.names, &marks)
        return self.names.count - 1

    cdef int read_form(
        self, form, uint32_t *numbers, NameWords *name, NameMarks *marks
    ) except -1:
        """Read a NameForm; new words are added to the store."""
        cdef tuple surname, given
        cdef bytes country, number
        cdef int i, count
        surname, given, is_ordered, text, birth_year, generation, digits, is_handle = form
        count = <int>(len(surname) + len(given))
        if count > MOST_WORDS:
            raise ValueError(f"name has {count} words, more than {MOST_WORDS}")
        for i, word in enumerate(surname + given):
            numbers[i] = self.number_of_text(word)
        name[0] = NameWords(numbers, <int>len(surname), count, is_ordered)
        memset(marks, 0, sizeof(NameMarks))
        country, number = text.encode(), digits.encode()
        if len(country) >= sizeof(marks.country) or len(number) >= sizeof(marks.number):
            raise ValueError(f"federation {text!r} or number {digits!r} is too long")
        memcpy(marks.country, PyBytes_AS_STRING(country), len(country))
        memcpy(marks.number, PyBytes_AS_STRING(number), len(number))
        marks.birth_year = birth_year or 0
        marks.generation = int(generation or 0)
        marks.is_handle = is_handle

    def add_plain(
        self, const uint8_t[::1] text not None, const uint32_t[::1] begins not None,
        const uint32_t[::1] ends not None, Py_ssize_t start,
    ):
        cdef Py_ssize_t index, count = begins.shape[0]
        cdef Span name
        self.change()
        if not 0 <= start <= count:
            raise ValueError(f"cannot start at name {start} of {count}")
        for index in range(start, count):
            name = name_of_person(text, begins, ends, index)
            if name.length > LONGEST_LISTED or not is_ascii(name.at, name.length):
                return index
            if not self.add_if_plain(name.at, name.length):
                return index
            self.count_words(self.names.count - 1)
        return count

    cdef bint add_if_plain(self, const uint8_t *text, Py_ssize_t size) except -1:
        cdef NameForm form
        cdef uint32_t numbers[FORM_WORDS]
        cdef NameWords name
        cdef int i
        read_name(text, size, &form)
        if form.is_unknown or form.is_handle or form.generation or form.birth_year:
            return False
        if form.country[0] or form.number[0] or form.is_title:
            return False
        for i in range(form.count):
            numbers[i] = self.number_of_letters(
                form.letters + form.words[i].begin, form.words[i].length
            )
        name = NameWords(&numbers[0], form.surname, form.count, form.is_ordered)
        add_entry(&self.names, &self.store, &name)
        return True

    def count(self, uint32_t entry):
        self.require_entry(entry)
        self.change()
        self.count_words(entry)

    cdef void count_words(self, uint32_t entry) noexcept:
        cdef NameWords name = words_of_entry(&self.names, entry)
        count_entry(&self.names, &self.store, entry)
        self.surname_words += name.surname
        self.given_words += name.count - (name.surname if name.is_ordered else 0)

    def counts(self, str word not None):
        cdef const StoredWord *stored = self.stored_word(word)
        if stored == NULL:
            return 0, 0
        return stored.in_surnames, stored.in_given

    def form(self, uint32_t entry):
        cdef NameWords name
        cdef NameMarks marks
        cdef int i
        self.require_entry(entry)
        name = words_of_entry(&self.names, entry)
        words = [self.text(name.numbers[i]) for i in range(name.count)]
        surname, given = tuple(words[:name.surname]), tuple(words[name.surname:])
        if not self.names.entries[entry].has_marks:
            return model.NameForm(surname, given, bool(name.is_ordered))
        marks = marks_of_entry(&self.names, entry)
        return model.NameForm(
            surname, given, bool(name.is_ordered), (<const char *>marks.country).decode(),
            marks.birth_year or None, str(marks.generation) if marks.generation else "",
            (<const char *>marks.number).decode(), bool(marks.is_handle),
        )

    def with_surname(self, str word not None):
        cdef const StoredWord *stored = self.stored_word(word)
        cdef uint32_t following = stored.first if stored != NULL else 0
        cdef list entries = []
        while following:
            entries.append(self.names.postings[following - 1].entry)
            following = self.names.postings[following - 1].following
        return entries

    # --- what depends on all words ---

    cdef int prepare(self) except -1:
        """Compute what searches need of the words and the list."""
        self.read_words()
        self.read_shares()
        sort_entries(&self.names, &self.store)
        if not self.near.is_complete:
            self.index_near_words()

    cdef void read_words(self) noexcept nogil:
        """Find the skeletons of new words, and the languages of whose syllables they are made."""
        cdef uint32_t number
        cdef StoredWord *word
        for number in range(self.words_read, self.store.count):
            word = &self.store.words[number]
            word.skeleton = skeleton_hash(self.store.letters + word.begin, word.length)
            if 2 <= word.characters == word.length:
                word.given_languages = <uint8_t>self.syllables.languages_of(
                    self.store.letters + word.begin, word.length
                )
        self.words_read = self.store.count

    cdef ListedNames counted(self):
        """Return the list from which frequencies of words are taken."""
        return self.shares if self.shares is not None else self

    cdef int read_shares(self) except -1:
        """Compute the shares of words in surnames and given names, which are never 0."""
        cdef ListedNames shares = self.counted()
        cdef uint64_t[128] by_class
        cdef uint32_t i, number
        cdef StoredWord *word
        cdef StoredWord *counted
        cdef double surnames = max(shares.surname_words, <uint64_t>LEAST_WORDS)
        cdef double given = max(shares.given_words, <uint64_t>LEAST_WORDS)
        if self.shared_version != shares.version + 1:
            self.shared_version = shares.version + 1
            self.shared_words = 0
        if self.shared_words == self.store.count:
            return 0
        reserve(
            <void **>&self.surname_shares, &self.surname_capacity, self.store.count, sizeof(double)
        )
        reserve(
            <void **>&self.given_shares, &self.given_capacity, self.store.count, sizeof(double)
        )
        shares.count_initials(by_class)
        for i in range(self.shared_words, self.store.count):
            word = &self.store.words[i]
            number = i + 1
            if shares is not self:
                number = find_word(&shares.store, self.store.letters + word.begin, word.length)
            counted = &shares.store.words[number - 1] if number else NULL
            self.surname_shares[i] = (
                (counted.in_surnames if number else 0) + UNSEEN
            ) / surnames
            if word.characters == 1:
                self.given_shares[i] = (
                    shares.count_of_initial(word.letter, by_class) + INITIALS_UNSEEN
                ) / <double>(shares.given_words + 26 * INITIALS_UNSEEN)
            else:
                self.given_shares[i] = ((counted.in_given if number else 0) + UNSEEN) / given
        self.shared_words = self.store.count

    cdef void count_initials(self, uint64_t *by_class) noexcept nogil:
        """Count the given names by class of an initial in ASCII."""
        cdef uint32_t i
        cdef StoredWord *word
        memset(by_class, 0, 128 * sizeof(uint64_t))
        for i in range(self.store.count):
            word = &self.store.words[i]
            if word.letter < 128:
                by_class[ocg_initial_class(<uint8_t>word.letter)] += word.in_given

    cdef uint64_t count_of_initial(self, uint32_t letter, const uint64_t *by_class) noexcept nogil:
        cdef uint64_t count = 0
        cdef uint32_t i
        if letter < 128:
            return by_class[ocg_initial_class(<uint8_t>letter)]
        for i in range(self.store.count):
            if self.store.words[i].letter == letter:
                count += self.store.words[i].in_given
        return count

    cdef int index_near_words(self) except -1:
        """Index the words in surnames by spelling, sound and skeleton."""
        cdef size_t count = 0
        cdef uint32_t i
        forget_near_words(&self.near)
        self.near.numbers = <uint32_t *>allocate(self.store.count, sizeof(uint32_t))
        for i in range(self.store.count):
            if self.store.words[i].entries and may_be_near(&self.store.words[i]):
                self.near.numbers[count] = i
                count += 1
        sort_by_spelling(&self.store, self.near.numbers, count)
        self.add_codes(self.near.numbers, count)
        self.add_near_words(count)
        index_keys(&self.near.words)
        self.near.is_complete = True

    cdef int add_near_words(self, size_t count) except -1:
        """Add the words of `near.numbers`, which are in their order and have codes, but no keys."""
        cdef size_t letters = 0, i
        cdef const StoredWord *word
        cdef uint32_t number
        self.near.by_skeleton = <uint64_t *>allocate(count, sizeof(uint64_t))
        for i in range(count):
            letters += self.store.words[self.near.numbers[i]].length
        open_near_words(&self.near.words, count, letters)
        for i in range(count):
            number = self.near.numbers[i]
            word = &self.store.words[number]
            add_near_word(
                &self.near.words, self.store.letters + word.begin, <int>word.length,
                <const uint8_t *>(self.near.codes + self.near.code_begins[number]),
                self.near.code_counts[number],
            )
            self.near.by_skeleton[i] = word.skeleton >> 32 << 32 | i
        sort_numbers(self.near.by_skeleton, count)

    cdef int add_codes(self, const uint32_t *numbers, size_t count) except -1:
        """Compute the phonetic codes of distinct words that have none and may be near others."""
        cdef const StoredWord *word
        cdef size_t i, size = 0
        cdef uint32_t found = 0
        cdef array.array ends = array.clone(array.array("I"), count, zero=False)
        cdef array.array missing = array.clone(ends, count, zero=False)
        cdef bytearray text
        reserve_codes(&self.near, self.store.count)
        for i in range(count):
            word = &self.store.words[numbers[i]]
            if may_be_near(word) and self.near.code_begins[numbers[i]] == 0xFFFFFFFFu:
                size += word.length
                ends.data.as_uints[found] = <uint32_t>size
                missing.data.as_uints[found] = numbers[i]
                found += 1
        if not found:
            return 0
        array.resize(ends, found)
        array.resize(missing, found)
        text = bytearray(size)
        size = 0
        for i in range(found):
            word = &self.store.words[missing.data.as_uints[i]]
            memcpy(PyByteArray_AS_STRING(text) + size, self.store.letters + word.begin, word.length)
            size += word.length
        code_ends, codes = self.encode(text, ends)
        self.keep_codes(missing, code_ends, codes)

    cdef int keep_codes(
        self, const uint32_t[::1] numbers, const uint8_t[::1] ends, const uint8_t[::1] codes
    ) except -1:
        """Store the codes of words, in which `ends` are those of the words."""
        cdef size_t i, begin = self.near.code_count, count = numbers.shape[0]
        cdef uint32_t end, before = 0, most = <uint32_t>(codes.shape[0] // 4)
        if ends.shape[0] != 4 * numbers.shape[0]:
            raise ValueError(f"codes of {ends.shape[0] // 4} words, not {count}")
        for i in range(count):
            memcpy(&end, &ends[4 * i], sizeof(uint32_t))
            if not before <= end <= most or end - before >= NO_CODES:
                raise ValueError(f"codes {before} to {end} of {most}")
            self.near.code_begins[numbers[i]] = <uint32_t>begin + before
            self.near.code_counts[numbers[i]] = <uint16_t>(end - before)
            before = end
        append_items(
            <void **>&self.near.codes, &self.near.code_count, &self.near.code_capacity,
            &codes[0] if before else NULL, before, sizeof(uint32_t),
        )

    cdef int prepare_written(self, set numbers) except -1:
        """Compute what searches need of the words of names to look up."""
        cdef const uint32_t[::1] words = array.array("I", sorted(numbers))
        self.prepare()
        self.add_codes(&words[0] if numbers else NULL, words.shape[0])

    def shares_of(self, str word not None):
        cdef uint32_t number
        self.require_no_search()
        number = self.number_of_text(word)
        self.read_shares()
        return self.surname_shares[number], self.given_shares[number]

    cdef NameSearch search(self):
        """Return a search with what an earlier one remembers, or a new one."""
        cdef NameSearch search = self.idle.pop() if self.idle else NameSearch(self)
        search.listed = self
        return search

    cdef int put_back(self, NameSearch search) except -1:
        """Keep a search for later names; it must not refer to the list, which refers to it."""
        search.listed = None
        self.idle.append(search)

    def near_words(self, str word not None):
        cdef PersonColumns nobody
        cdef NameSearch search
        cdef const NearRow *row
        cdef uint32_t i, number
        self.require_no_search()
        number = self.number_of_text(word)
        self.prepare_written({number})
        search = self.search()
        memset(&nobody, 0, sizeof(PersonColumns))
        search.begin(&nobody)
        row = near_row(search, number)
        near = {
            self.text(search.hits[row.begin + i].word): (
                search.hits[row.begin + i].edits, bool(search.hits[row.begin + i].sounds)
            )
            for i in range(row.count)
        }
        self.put_back(search)
        return near

    # --- the list as bytes ---

    def dump(self):
        self.prepare()
        return write_list(self)

    def load(self, read not None, size_t size):
        self.change()
        if self.names.count:
            raise ValueError(f"the list has {self.names.count} names already")
        read_list(self, read, size)

    # --- short forms ---

    def short_forms(
        self, const uint32_t[::1] persons not None, const double[::1] prominence not None,
        dict factors not None, dict initials not None,
    ):
        cdef ShortForms forms
        cdef uint32_t i, entries = self.names.count
        self.require_no_search()
        if persons.shape[0] != entries or prominence.shape[0] != entries:
            raise ValueError(
                f"{persons.shape[0]} players and {prominence.shape[0]} weights "
                f"for {entries} entries"
            )
        if not entries or not self.store.count:        # no entry, or none with a word
            return array.array("d", [-1.0] * entries)
        set_weights(&forms, factors, initials)
        forms.store = &self.store
        forms.persons = &persons[0]
        forms.prominence = &prominence[0]
        forms.particle_mark = MARK_PARTICLE
        probabilities = array.array("d", bytes(8 * entries))
        cdef double[::1] chances = probabilities
        self.read_shares()
        self.searches += 1
        try:
            open_short_forms(&forms, entries)
            with nogil:
                self.find_short_forms(&forms, self.surname_shares, &chances[0])
        finally:
            self.searches -= 1
            free(forms.slots)
        return probabilities

    def prominence(self, tuple columns not None):
        cdef PersonColumns persons
        cdef uint32_t i, entries = self.names.count
        read_person_columns(&persons, columns, entries, 0)
        factors = array.array("d", bytes(8 * entries))
        cdef double[::1] values = factors
        for i in range(entries):
            values[i] = exp(prominence_of(&self.weights, &persons, persons.person_of[i]))
        return factors

    cdef void find_short_forms(
        self, ShortForms *forms, const double *share_of, double *found
    ) noexcept nogil:
        """Store the probability of each entry's short form; -1 for an entry without one."""
        cdef NameWords name
        cdef uint32_t i
        for i in range(self.names.count):
            name = words_of_entry(&self.names, i)
            add_short_form(forms, &name, i)
        for i in range(self.names.count):
            name = words_of_entry(&self.names, i)
            add_weight_of_name(forms, &name, i)
        for i in range(self.names.count):
            name = words_of_entry(&self.names, i)
            found[i] = probability_of_holder(forms, &name, i, share_of)


cdef inline bint has_marks(const NameMarks *marks) noexcept nogil:
    return (
        marks.birth_year or marks.country[0] or marks.number[0] or marks.generation
        or marks.is_handle
    )


cdef inline bint may_be_near(const StoredWord *word) noexcept nogil:
    return word.characters >= SHORTEST_NEAR and word.length <= LONGEST_NEAR


cdef uint64_t[128] INITIALS        # of letters in ASCII


cdef void fill_initials() noexcept:
    cdef uint32_t letter
    for letter in range(128):
        INITIALS[letter] = find_initials(letter)


cdef inline uint64_t initials_of(uint32_t letter) noexcept nogil:
    """Return two bit sets for a first letter: its class, and the possible sounds.

    The second set, shifted left by 32, is wider: Evgeny and Yevgeny, Sofia and Zsofia.
    """
    return INITIALS[letter] if letter < 128 else find_initials(letter)


cdef uint64_t find_initials(uint32_t letter) noexcept nogil:
    cdef const char *sound
    cdef uint64_t bits
    if not letter:
        return 0
    bits = <uint64_t>1 << ((ocg_initial_class(<uint8_t>letter) if letter < 128 else letter) & 31)
    if not c"a" <= letter <= c"z":
        return bits | <uint64_t>1 << (32 + (letter & 31))
    sound = OCG_BEGINNINGS[letter - c"a"]
    while sound[0]:
        bits |= <uint64_t>1 << (32 + (sound[0] & 31))
        sound += 1
    return bits

fill_initials()


cdef uint64_t skeleton_hash(const uint8_t *text, size_t length) noexcept nogil:
    """Return FNV-1a, of 64 bits, of the skeleton of a word."""
    cdef Py_UCS4[4 * (LONGEST_SKELETON + 1)] block
    cdef const uint8_t *end = text + length
    cdef uint64_t value = 0xCBF29CE484222325u
    cdef Letters word
    cdef Py_ssize_t i
    word.letters, word.others = &block[0], &block[2 * (LONGEST_SKELETON + 1)]
    word.count = 0
    while text < end and word.count < LONGEST_SKELETON:
        word.letters[word.count] = <Py_UCS4>next_character(&text, end)
        word.count += 1
    take_skeleton(&word)
    for i in range(word.count):
        value = (value ^ <uint64_t>word.letters[i]) * 0x100000001B3u
    return value
