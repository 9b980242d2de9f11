"""Parsed names of listed players in little memory, found by word and by letters.

A rating list has half a million names and few distinct words: a name is an entry of word numbers.
Parses names in plain letters with nothing but words; the caller parses all others. Must not know
players.
"""

from name_entries cimport (
    NameEntries, Posting, add_entry, close_entries, count_entry, first_with_letters, reads_as,
    words_of_entry,
)
from name_form cimport FORM_WORDS, OCG_PARTICLE, ocg_kind_of_word
from name_readings cimport (
    FITS, MISFITS, MOST_READINGS, UNKNOWN, FitMemo, NameWords, Part, Reading, close_fits,
    empty_fits, fit_of, open_fits, part_length, readings_beside, readings_of, same_letters, set_fit,
    word_in,
)
from short_forms cimport (
    ShortForms, add_short_form, add_weight_of_name, open_short_forms, probability_of_holder,
    set_weights,
)
from word_store cimport StoredWord, WordStore, add_word, close_words, find_word, hash_of, open_words

from array import array

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

cdef enum:
    MOST_WORDS = 255           # of one name
    LONGEST_LISTED = 200       # letters of a name that is parsed here
    MARK_PARTICLE = 1          # mark of a word
    ARE_BEGINNINGS_SET = 1 << 31       # bit of the beginnings of a word


cdef class ListedNames:
    """Entries, numbered in the order they were added."""
    cdef WordStore store
    cdef FitMemo surname_memo, given_memo      # cache: does a written word fit a listed word
    cdef list texts            # of words, made when first needed
    cdef object initials_of, skeleton_of, words_near
    cdef uint64_t initials[128]        # of words, by their first letter
    cdef NameEntries names
    cdef bint asked_for_near   # words near a surname are in its memo
    cdef bint is_searching     # the searched arrays must not move
    cdef readonly uint64_t surname_words, given_words

    def __cinit__(self, initials_of not None):
        cdef int letter
        self.texts = []
        self.initials_of = initials_of
        open_words(&self.store)
        open_fits(&self.surname_memo)
        open_fits(&self.given_memo)
        for letter in range(128):
            self.initials[letter] = <uint64_t>initials_of(chr(letter))

    def __dealloc__(self):
        close_words(&self.store)
        close_fits(&self.surname_memo)
        close_fits(&self.given_memo)
        close_entries(&self.names)

    def __len__(self):
        return self.names.count

    cdef int require_no_search(self) except -1:
        if self.is_searching:
            raise ValueError("a callback of a search cannot add names or start a search")

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
        if is_new and length and letters[0] < 128:
            self.store.words[number].initials = self.initials[letters[0]]
        if is_new and ocg_kind_of_word(letters, <int>length) & OCG_PARTICLE:
            self.store.words[number].marks = MARK_PARTICLE
        return number

    cdef uint32_t number_of_text(self, str word) except? 0xFFFFFFFF:
        cdef bytes raw = word.encode()
        cdef const uint8_t *text = <const uint8_t *>PyBytes_AS_STRING(raw)
        cdef uint32_t before = self.store.count
        cdef uint32_t number = self.number_of_letters(text, PyBytes_GET_SIZE(raw))
        if self.store.count > before and (not raw or text[0] >= 128):
            self.store.words[number].initials = <uint64_t>self.initials_of(word)
        return number

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

    def add(self, tuple surname not None, tuple given not None, bint is_ordered):
        cdef uint32_t numbers[MOST_WORDS]
        cdef NameWords name
        cdef int i, count = <int>(len(surname) + len(given))
        self.require_no_search()
        if count > MOST_WORDS:
            raise ValueError(f"name has {count} words, more than {MOST_WORDS}")
        for i, word in enumerate(surname + given):
            numbers[i] = self.number_of_text(word)
        name = NameWords(&numbers[0], <int>len(surname), count, is_ordered)
        add_entry(&self.names, &self.store, &name)
        return self.names.count - 1

    def add_plain(self, list names not None, Py_ssize_t start):
        cdef Py_ssize_t size, index
        cdef const char *text
        cdef str name
        self.require_no_search()
        if not 0 <= start <= len(names):
            raise ValueError(f"cannot start at name {start} of {len(names)}")
        for index in range(start, len(names)):
            name = <str?>names[index]
            if not PyUnicode_IS_ASCII(name):
                return index
            text = PyUnicode_AsUTF8AndSize(name, &size)
            if size > LONGEST_LISTED or not self.add_if_plain(<const uint8_t *>text, size):
                return index
            self.count_words(self.names.count - 1)
        return len(names)

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

    def given_by_first_letter(self):
        cdef uint32_t i
        cdef dict counted = {}
        for i in range(self.store.count):
            if self.store.words[i].in_given:
                letter = self.text(i)[:1]
                counted[letter] = counted.get(letter, 0) + self.store.words[i].in_given
        return counted

    def words_of(self, uint32_t entry):
        cdef NameWords name
        cdef int i
        self.require_entry(entry)
        name = words_of_entry(&self.names, entry)
        words = [self.text(name.numbers[i]) for i in range(name.count)]
        return tuple(words[:name.surname]), tuple(words[name.surname:]), bool(name.is_ordered)

    def words_in_surnames(self):
        cdef uint32_t i
        return [self.text(i) for i in range(self.store.count) if self.store.words[i].entries]

    def bearers(self, str word not None):
        cdef const StoredWord *stored = self.stored_word(word)
        return stored.entries if stored != NULL else 0

    def with_surname(self, str word not None, uint64_t initials):
        cdef const StoredWord *stored = self.stored_word(word)
        cdef uint32_t following = stored.first if stored != NULL else 0
        cdef Posting *posting
        cdef list entries = []
        while following:
            posting = &self.names.postings[following - 1]
            if posting.initials & initials:
                entries.append(posting.entry)
            following = posting.following
        return entries

    def with_letters(self, str letters not None):
        cdef bytes raw = letters.encode()
        cdef const uint8_t *text = <const uint8_t *>PyBytes_AS_STRING(raw)
        cdef Py_ssize_t size = PyBytes_GET_SIZE(raw)
        cdef uint32_t hashed = hash_of(text, size)
        cdef size_t index = first_with_letters(&self.names, hashed)
        cdef NameWords name
        cdef uint32_t entry
        cdef list entries = []
        while index < self.names.letters_count and self.names.by_letters[index] >> 32 == hashed:
            entry = <uint32_t>self.names.by_letters[index]
            name = words_of_entry(&self.names, entry)
            if reads_as(&name, &self.store, text, size, 0) or reads_as(
                &name, &self.store, text, size, name.surname
            ):
                entries.append(entry)
            index += 1
        return entries

    # --- entries that a written name may mean ---

    def forget_surnames_that_fit(self):
        if self.surname_memo.used or self.asked_for_near:
            empty_fits(&self.surname_memo)
            self.asked_for_near = False

    def fitting(
        self, list numbers not None, tuple words not None, int surname, bint is_ordered,
        fits not None,
    ):
        self.require_no_search()
        if not 0 <= surname <= len(words):
            raise ValueError(f"surname has {surname} words in a name of {len(words)}")
        if not 0 < len(words) <= MOST_WORDS:
            return numbers
        self.is_searching = True
        try:
            return self.entries_that_fit(numbers, words, surname, is_ordered, fits)
        finally:
            self.is_searching = False

    cdef list entries_that_fit(
        self, list numbers, tuple words, int surname, bint is_ordered, fits
    ):
        cdef uint32_t written[MOST_WORDS]
        cdef NameWords name = NameWords(&written[0], surname, <int>len(words), is_ordered)
        cdef NameWords listed
        cdef uint32_t entry
        cdef int i
        cdef list entries = []
        for i in range(name.count):
            written[i] = self.number_of_text(words[i])
        self.skeleton_of, self.words_near, beginnings, fit_given = fits
        for i in range(name.count):
            if not self.store.words[written[i]].beginnings:
                bits = <uint32_t>beginnings(self.text(written[i]))
                self.store.words[written[i]].beginnings = bits | ARE_BEGINNINGS_SET
        for entry in numbers:
            self.require_entry(entry)
            listed = words_of_entry(&self.names, entry)
            if self.may_mean(&name, &listed, fit_given):
                entries.append(entry)
        return entries

    cdef bint may_mean(self, const NameWords *name, const NameWords *listed, fit_given) except -1:
        cdef Reading written[MOST_READINGS]
        cdef Reading others[MOST_READINGS]
        cdef int i, j, count = readings_beside(name, listed, written)
        cdef int other_count = readings_of(listed, others)
        for i in range(count):
            for j in range(other_count):
                # Surnames first: in most readings they do not fit.
                if self.surnames_fit(
                    name, &written[i].surname, listed, &others[j].surname
                ) and self.given_names_fit(
                    name, &written[i].given, listed, &others[j].given, fit_given
                ):
                    return True
        return False

    cdef bint surnames_fit(
        self, const NameWords *name, const Part *part, const NameWords *listed,
        const Part *listed_part,
    ) except -1:
        """Return whether a word of a surname fits a listed one, or all letters are equal."""
        cdef int i, j
        for i in range(part_length(part)):
            for j in range(part_length(listed_part)):
                if self.surname_words_fit(word_in(name, part, i), word_in(listed, listed_part, j)):
                    return True
        return same_letters(&self.store, name, part, listed, listed_part)

    cdef bint surname_words_fit(self, uint32_t word, uint32_t other) except -1:
        if word == other:
            return True
        if self.store.words[word].length < 3 or self.store.words[other].length < 3:
            return False
        if self.skeleton_hash(word) == self.skeleton_hash(other):
            return True
        if self.store.words[word].near != self.surname_memo.epoch:
            self.cache_words_near(word)
        return fit_of(&self.surname_memo, word, other) == FITS

    cdef uint32_t skeleton_hash(self, uint32_t number) except? 0:
        """Return a hash of the skeleton of a word, never 0."""
        cdef bytes key
        if not self.store.words[number].skeleton:
            key = (<str?>self.skeleton_of(self.text(number))).encode()
            self.store.words[number].skeleton = 1 | hash_of(
                <const uint8_t *>PyBytes_AS_STRING(key), PyBytes_GET_SIZE(key)
            )
        return self.store.words[number].skeleton

    cdef int cache_words_near(self, uint32_t number) except -1:
        cdef list near = [self.number_of_text(word) for word in self.words_near(self.text(number))]
        cdef uint32_t epoch = 0
        self.asked_for_near = True
        while epoch != self.surname_memo.epoch:        # the memo may have been emptied meanwhile
            epoch = self.surname_memo.epoch
            for other in near:
                set_fit(&self.surname_memo, number, other, FITS)
        self.store.words[number].near = epoch

    cdef bint given_names_fit(
        self, const NameWords *name, const Part *part, const NameWords *listed,
        const Part *listed_part, fit,
    ) except -1:
        cdef int i, j
        cdef uint32_t word, other
        if not part_length(part) or not part_length(listed_part):
            return True
        for i in range(part_length(part)):
            for j in range(part_length(listed_part)):
                word, other = word_in(name, part, i), word_in(listed, listed_part, j)
                if not self.begins_otherwise(word, other) and self.given_words_fit(
                    word, other, fit
                ):
                    return True
        return same_letters(&self.store, name, part, listed, listed_part)

    cdef bint begins_otherwise(self, uint32_t word, uint32_t other) noexcept:
        """Return whether no name with the initial of a listed given name fits a word."""
        cdef uint8_t letter
        if not self.store.words[other].length:
            return False
        letter = self.store.letters[self.store.words[other].begin]
        if not c"a" <= letter <= c"z":
            return False
        return not self.store.words[word].beginnings >> (letter - c"a") & 1

    cdef bint given_words_fit(self, uint32_t word, uint32_t other, fit) except -1:
        """Return whether a written given name fits a listed one."""
        cdef int state
        if word == other:
            return True
        state = fit_of(&self.given_memo, word, other)
        if state == UNKNOWN:
            state = FITS if fit(self.text(word), self.text(other)) else MISFITS
            set_fit(&self.given_memo, word, other, state)
        return state == FITS

    # --- short forms ---

    def short_forms(
        self, const uint32_t[::1] persons not None, const double[::1] prominence not None,
        dict factors not None, dict initials not None, surname_share not None,
    ):
        cdef ShortForms forms
        cdef uint32_t i, entries = self.names.count
        self.require_no_search()
        if persons.shape[0] != entries or prominence.shape[0] != entries:
            raise ValueError(
                f"{persons.shape[0]} players and {prominence.shape[0]} weights "
                f"for {entries} entries"
            )
        if not self.store.count:       # no entry, or none with a word
            return [], [], [], []
        set_weights(&forms, factors, initials)
        forms.store = &self.store
        forms.persons = &persons[0]
        forms.prominence = &prominence[0]
        forms.particle_mark = MARK_PARTICLE
        self.is_searching = True
        shares = array("d", bytes(8 * self.store.count))
        probabilities = array("d", bytes(8 * entries))
        cdef double[::1] share_of = shares
        cdef double[::1] chances = probabilities
        try:
            open_short_forms(&forms, entries)
            for i in range(self.store.count):
                if self.store.words[i].entries:
                    share_of[i] = surname_share(self.text(i))
            with nogil:
                self.find_short_forms(&forms, &share_of[0], &chances[0])
        finally:
            self.is_searching = False
            free(forms.slots)
        numbers = [i for i in range(entries) if chances[i] >= 0]
        return (
            numbers, [chances[i] for i in numbers], [self.letters_of_surname(i) for i in numbers],
            [self.initials_of_given(i) for i in numbers],
        )

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

    cdef str letters_of_surname(self, uint32_t entry):
        cdef NameWords name = words_of_entry(&self.names, entry)
        cdef int i
        return "".join([self.text(name.numbers[i]) for i in range(name.surname)])

    cdef str initials_of_given(self, uint32_t entry):
        cdef NameWords name = words_of_entry(&self.names, entry)
        cdef char[MOST_WORDS] initials
        cdef int i
        for i in range(name.surname, name.count):
            initials[i - name.surname] = <char>self.store.letters[
                self.store.words[name.numbers[i]].begin
            ]
        return initials[:name.count - name.surname].decode("ascii")
