"""Parsed names of listed players in little memory, found by word and by letters.

A rating list has half a million names and few distinct words: a name is an entry of word numbers.
Names in plain letters with nothing but words are parsed here; the caller parses all others. Does
not know players.
"""

from array import array


from name_form cimport FORM_WORDS, OCG_PARTICLE, ocg_kind_of_word
from name_entries cimport (
    NameEntries, Posting, add_entry, close_entries, count_entry, first_with_letters, reads_as,
    words_of_entry,
)
from name_readings cimport (
    FITS, MISFITS, MOST_READINGS, UNKNOWN, FitMemo, NameWords, Part, Reading, close_fits,
    empty_fits, fit_of, open_fits, part_length, readings_beside, readings_of, same_letters, set_fit,
    word_in,
)
from short_forms cimport (
    ShortForms, give_weight, note_short_form, open_short_forms, probability_of_holder, set_weights,
)
from word_store cimport StoredWord, WordStore, add_word, close_words, find_word, hash_of, open_words

cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object text)
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

cdef enum:
    MOST_WORDS = 255  # of one name
    LONGEST_LISTED = 200  # letters of a name that is parsed here
    PARTICLE = 1  # mark of a word
    ARE_BEGINNINGS_SET = 1 << 31  # of the beginnings of a word


cdef class ListedNames:
    """Entries, numbered in the order they were added."""

    cdef WordStore _store
    cdef FitMemo _surnames, _given  # cache: does a written word fit a listed word
    cdef list _texts  # of words, made when first needed
    cdef object _initials_of, _skeleton_of, _near
    cdef uint64_t _initials[128]  # of words, by their first letter
    cdef NameEntries _names
    cdef bint _was_asked  # for surnames that fit
    cdef bint _is_searching  # the searched data must stay in place
    cdef readonly uint64_t surname_words, given_words

    def __cinit__(self, initials_of not None):
        """Set the function for a word's initials (a bit set)."""
        cdef int letter
        self._texts = []
        self._initials_of = initials_of
        open_words(&self._store)
        open_fits(&self._surnames)
        open_fits(&self._given)
        for letter in range(128):
            self._initials[letter] = <uint64_t> initials_of(chr(letter))

    def __dealloc__(self):
        close_words(&self._store)
        close_fits(&self._surnames)
        close_fits(&self._given)
        close_entries(&self._names)

    def __len__(self) -> int:
        return self._names.count

    cdef uint32_t _number_of_text(self, str word) except? 0xFFFFFFFF:
        cdef bytes raw = word.encode()
        cdef const uint8_t *text = <const uint8_t *> PyBytes_AS_STRING(raw)
        cdef uint32_t before = self._store.count
        cdef uint32_t number = self._number_of_letters(text, PyBytes_GET_SIZE(raw))
        if self._store.count > before and (not raw or text[0] >= 128):
            self._store.words[number].initials = <uint64_t> self._initials_of(word)
        return number

    cdef uint32_t _number_of_letters(
        self, const uint8_t *letters, Py_ssize_t length
    ) except? 0xFFFFFFFF:
        """Return the number of a word; note the initials of a new one, and if it is a particle."""
        cdef bint is_new
        cdef uint32_t number = add_word(&self._store, letters, length, &is_new) - 1
        if is_new and length and letters[0] < 128:
            self._store.words[number].initials = self._initials[letters[0]]
        if is_new and ocg_kind_of_word(letters, <int> length) & OCG_PARTICLE:
            self._store.words[number].marks = PARTICLE
        return number

    cdef const StoredWord *_stored(self, str word) except? NULL:
        """Return a word if it is stored."""
        cdef bytes raw = word.encode()
        cdef uint32_t entry = find_word(
            &self._store, <const uint8_t *> PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw)
        )
        return &self._store.words[entry - 1] if entry else NULL

    def add(self, surname: tuple, given: tuple, bint is_ordered) -> int:
        """Add a parsed name; return its number.

        Raises ValueError over 255 words, and during a search.
        """
        cdef uint32_t numbers[MOST_WORDS]
        cdef NameWords name
        cdef int i
        self._require_no_search()
        if len(surname) + len(given) > MOST_WORDS:
            raise ValueError(f"name has {len(surname) + len(given)} words, more than {MOST_WORDS}")
        for i, word in enumerate(surname + given):
            numbers[i] = self._number_of_text(word)
        name.numbers = numbers
        name.surname = <int> len(surname)
        name.count = <int> len(surname + given)
        name.is_ordered = is_ordered
        add_entry(&self._names, &self._store, &name)
        return self._names.count - 1

    def add_plain(self, names: list, Py_ssize_t start) -> int:
        """Add and count names from `start` on, up to one that is not plain; return its index.

        The result is len(names) if all were plain: in ASCII, and with nothing but words. Raises
        ValueError for a start beyond the names, TypeError for a name that is not a str.
        """
        cdef Py_ssize_t size, index
        cdef const char *text
        cdef str name
        self._require_no_search()
        if not 0 <= start <= len(names):
            raise ValueError(f"cannot start at name {start} of {len(names)}")
        for index in range(start, len(names)):
            name = <str?> names[index]
            if not PyUnicode_IS_ASCII(name):
                return index
            text = PyUnicode_AsUTF8AndSize(name, &size)
            if size > LONGEST_LISTED or not self._add_plain(<const uint8_t *> text, size):
                return index
            self._count(self._names.count - 1)
        return len(names)

    cdef int _require_no_search(self) except -1:
        if self._is_searching:
            raise ValueError("a callback of a search cannot add names or start a search")

    cdef bint _add_plain(self, const uint8_t *text, Py_ssize_t size) except -1:
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
            numbers[i] = self._number_of_letters(
                form.letters + form.words[i].begin, form.words[i].length
            )
        name.numbers = numbers
        name.surname = form.surname
        name.count = form.count
        name.is_ordered = form.is_ordered
        add_entry(&self._names, &self._store, &name)
        return True

    def count(self, uint32_t entry) -> None:
        """Count the words of an entry as common ones. Raises IndexError."""
        self._check(entry)
        self._count(entry)

    cdef int _check(self, uint32_t entry) except -1:
        if entry >= self._names.count:
            raise IndexError(f"entry {entry} of {self._names.count}")

    cdef void _count(self, uint32_t number) noexcept:
        cdef NameWords name = words_of_entry(&self._names, number)
        count_entry(&self._names, &self._store, number)
        self.surname_words += name.surname
        self.given_words += name.count - (name.surname if name.is_ordered else 0)

    def counts(self, word: str) -> tuple[int, int]:
        """Return how often a word was counted in surnames and in given names."""
        cdef const StoredWord *stored = self._stored(word)
        if stored == NULL:
            return 0, 0
        return stored.in_surnames, stored.in_given

    def given_by_first_letter(self) -> dict[str, int]:
        """Return the number of words counted in given names, by their first letter."""
        cdef uint32_t i
        counted: dict[str, int] = {}
        for i in range(self._store.count):
            if self._store.words[i].in_given:
                letter = self._text(i)[:1]
                counted[letter] = counted.get(letter, 0) + self._store.words[i].in_given
        return counted

    cdef str _text(self, uint32_t number):
        cdef StoredWord *word
        if number >= <size_t> len(self._texts):
            self._texts.extend([None] * (self._store.count - len(self._texts)))
        text = self._texts[number]
        if text is None:
            word = &self._store.words[number]
            text = (<char *> self._store.letters)[word.begin:word.begin + word.length].decode()
            self._texts[number] = text
        return <str> text

    def words_of(self, uint32_t entry) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
        """Return surname, given names and whether a comma separates them. Raises IndexError."""
        cdef NameWords name
        cdef int i
        self._check(entry)
        name = words_of_entry(&self._names, entry)
        words = [self._text(name.numbers[i]) for i in range(name.count)]
        return tuple(words[:name.surname]), tuple(words[name.surname:]), bool(name.is_ordered)

    def words_in_surnames(self) -> list[str]:
        """Return the words in surnames, in no order."""
        cdef uint32_t i
        return [self._text(i) for i in range(self._store.count) if self._store.words[i].entries]

    def bearers(self, word: str) -> int:
        """Return the number of entries with a word in their surname."""
        cdef const StoredWord *stored = self._stored(word)
        return stored.entries if stored != NULL else 0

    def with_surname(self, word: str, uint64_t initials) -> list[int]:
        """Return the entries with a word in their surname and any of these initials."""
        cdef const StoredWord *stored = self._stored(word)
        cdef uint32_t following = stored.first if stored != NULL else 0
        cdef Posting *posting
        found: list[int] = []
        while following:
            posting = &self._names.postings[following - 1]
            if posting.initials & initials:
                found.append(posting.entry)
            following = posting.following
        return found

    def with_letters(self, letters: str) -> list[int]:
        """Return the entries with the same letters, the given names last or first."""
        cdef bytes raw = letters.encode()
        cdef const uint8_t *text = <const uint8_t *> PyBytes_AS_STRING(raw)
        cdef Py_ssize_t size = PyBytes_GET_SIZE(raw)
        cdef uint32_t hashed = hash_of(text, size)
        cdef size_t index = first_with_letters(&self._names, hashed)
        cdef NameWords name
        cdef uint32_t entry
        found: list[int] = []
        while index < self._names.letters_count and self._names.by_letters[index] >> 32 == hashed:
            entry = <uint32_t> self._names.by_letters[index]
            name = words_of_entry(&self._names, entry)
            if reads_as(&name, &self._store, text, size, 0) or reads_as(
                &name, &self._store, text, size, name.surname
            ):
                found.append(entry)
            index += 1
        return found

    def forget_surnames_that_fit(self) -> None:
        """Clear the cache of fitting surnames, since the words near a word depend on all words."""
        if self._surnames.used or self._was_asked:
            empty_fits(&self._surnames)
            self._was_asked = False

    def fitting(
        self, numbers: list, words: tuple, int surname, bint is_ordered, fits not None
    ) -> list[int]:
        """Return the entries among `numbers` that a written name may mean, in order.

        The name is `words`, the first `surname` of which are the surname. An entry is left out if
        in no reading both a surname word and (if there are any) a given name fit. Surnames fit if
        their skeletons are equal or the listed word is near. `fits` are functions that return the
        skeleton of a word, the words near it, the first letters of the given names that fit it
        (bits from "a" on), and whether a written given name fits a listed one. Their results must
        not vary; each is called once.

        Raises IndexError for an unknown number; ValueError for a surname longer than the name, and
        for a nested call from within `fits`.
        """
        self._require_no_search()
        if not 0 <= surname <= len(words):
            raise ValueError(f"surname has {surname} words in a name of {len(words)}")
        if not 0 < len(words) <= MOST_WORDS:
            return numbers
        self._is_searching = True
        try:
            return self._fitting(numbers, words, surname, is_ordered, fits)
        finally:
            self._is_searching = False

    cdef list _fitting(self, list numbers, tuple words, int surname, bint is_ordered, fits):
        cdef uint32_t written[MOST_WORDS]
        cdef NameWords name, listed
        cdef uint32_t entry
        cdef int i
        name.numbers = written
        name.surname = surname
        name.count = <int> len(words)
        name.is_ordered = is_ordered
        for i in range(name.count):
            written[i] = self._number_of_text(words[i])
        self._skeleton_of, self._near, beginnings, fit_given = fits
        for i in range(name.count):
            self._set_beginnings(written[i], beginnings)
        found: list[int] = []
        for entry in numbers:
            self._check(entry)
            listed = words_of_entry(&self._names, entry)
            if self._may_be(&name, &listed, fit_given):
                found.append(entry)
        return found

    cdef bint _may_be(self, const NameWords *name, const NameWords *listed, fit_given) except -1:
        cdef Reading written[MOST_READINGS]
        cdef Reading others[MOST_READINGS]
        cdef int i, j, count = readings_beside(name, listed, written)
        cdef int other_count = readings_of(listed, others)
        for i in range(count):
            for j in range(other_count):
                # Surnames first: for most other readings they do not fit.
                if not self._fits(name, &written[i].surname, listed, &others[j].surname):
                    continue
                if self._may_be_given(name, &written[i].given, listed, &others[j].given, fit_given):
                    return True
        return False

    cdef int _set_beginnings(self, uint32_t number, beginnings) except -1:
        if not self._store.words[number].beginnings:
            bits = <uint32_t> beginnings(self._text(number))
            self._store.words[number].beginnings = bits | ARE_BEGINNINGS_SET

    cdef bint _begins_otherwise(self, uint32_t word, uint32_t other) noexcept:
        """Return whether a listed given name has another initial than all fitting names."""
        cdef uint8_t letter
        if not self._store.words[other].length:
            return False
        letter = self._store.letters[self._store.words[other].begin]
        if not c"a" <= letter <= c"z":
            return False
        return not self._store.words[word].beginnings >> (letter - c"a") & 1

    cdef bint _may_be_given(
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
                if not self._begins_otherwise(word, other) and self._fits_word(word, other, fit):
                    return True
        return same_letters(&self._store, name, part, listed, listed_part)

    cdef bint _fits_word(self, uint32_t word, uint32_t other, fit) except -1:
        """Return whether a written given name fits a listed one."""
        cdef int stored
        if word == other:
            return True
        stored = fit_of(&self._given, word, other)
        if stored == UNKNOWN:
            stored = FITS if fit(self._text(word), self._text(other)) else MISFITS
            set_fit(&self._given, word, other, stored)
        return stored == FITS

    cdef bint _fits(
        self, const NameWords *name, const Part *part, const NameWords *listed,
        const Part *listed_part,
    ) except -1:
        """Return whether a word of a surname fits a listed one, or the joined letters are equal."""
        cdef int i, j
        for i in range(part_length(part)):
            for j in range(part_length(listed_part)):
                if self._fits_surname(word_in(name, part, i), word_in(listed, listed_part, j)):
                    return True
        return same_letters(&self._store, name, part, listed, listed_part)

    cdef bint _fits_surname(self, uint32_t word, uint32_t other) except -1:
        if word == other:
            return True
        if self._store.words[word].length < 3 or self._store.words[other].length < 3:
            return False
        if self._skeleton(word) == self._skeleton(other):
            return True
        if self._store.words[word].near != self._surnames.epoch:
            self._ask_near(word)
        return fit_of(&self._surnames, word, other) == FITS

    cdef uint32_t _skeleton(self, uint32_t number) except? 0:
        """Return a hash of the skeleton of a word, never 0."""
        cdef bytes key
        if not self._store.words[number].skeleton:
            key = (<str?> self._skeleton_of(self._text(number))).encode()
            self._store.words[number].skeleton = 1 | hash_of(
                <const uint8_t *> PyBytes_AS_STRING(key), PyBytes_GET_SIZE(key)
            )
        return self._store.words[number].skeleton

    cdef int _ask_near(self, uint32_t number) except -1:
        """Cache the words near a word."""
        cdef list near = [self._number_of_text(word) for word in self._near(self._text(number))]
        cdef uint32_t epoch = 0
        self._was_asked = True
        while epoch != self._surnames.epoch:  # the cache may have been emptied meanwhile
            epoch = self._surnames.epoch
            for other in near:
                set_fit(&self._surnames, number, other, FITS)
        self._store.words[number].near = epoch

    def short_forms(
        self, const uint32_t[::1] persons not None, const double[::1] prominence not None,
        dict factors not None, dict initials not None, surname_share not None,
    ) -> tuple[list[int], list[float], list[str], list[str]]:
        """Return entries, probabilities, surnames and initials of short forms of only one player.

        A surname is its letters in a row. The probability is that the short form means the player
        of the entry. `persons` and `prominence` (a factor): of entries, by number. `factors`: those
        of ShortFormWeights, by name. `initials`: for the letters a to z their class and their share
        among given names. `surname_share`: returns the share of a word, above 0. Raises ValueError
        for arrays of another length and other letters, KeyError for a missing factor.
        """
        cdef ShortForms forms
        cdef uint32_t i, entries = self._names.count
        self._require_no_search()
        if persons.shape[0] != entries or prominence.shape[0] != entries:
            raise ValueError(
                f"{persons.shape[0]} players and {prominence.shape[0]} weights "
                f"for {entries} entries"
            )
        if not self._store.count:  # no entry, or none with a word
            return [], [], [], []
        set_weights(&forms, factors, initials)
        forms.store = &self._store
        forms.persons = &persons[0]
        forms.prominence = &prominence[0]
        forms.particle_mark = PARTICLE
        self._is_searching = True
        shares = array("d", bytes(8 * self._store.count))
        probabilities = array("d", bytes(8 * entries))
        cdef double[::1] share_of = shares
        cdef double[::1] chances = probabilities
        try:
            open_short_forms(&forms, entries)
            for i in range(self._store.count):
                if self._store.words[i].entries:
                    share_of[i] = surname_share(self._text(i))
            with nogil:
                self._find_short_forms(&forms, &share_of[0], &chances[0])
        finally:
            self._is_searching = False
            free(forms.slots)
        numbers: list[int] = []
        values: list[float] = []
        surnames: list[str] = []
        initials_of: list[str] = []
        for i in range(entries):
            if chances[i] >= 0:
                numbers.append(i)
                values.append(chances[i])
                surnames.append(self._letters_of_surname(i))
                initials_of.append(self._initials_of_given(i))
        return numbers, values, surnames, initials_of

    cdef str _letters_of_surname(self, uint32_t entry):
        cdef NameWords name = words_of_entry(&self._names, entry)
        cdef int i
        letters: str = self._text(name.numbers[0])
        for i in range(1, name.surname):
            letters += self._text(name.numbers[i])
        return letters

    cdef str _initials_of_given(self, uint32_t entry):
        cdef NameWords name = words_of_entry(&self._names, entry)
        cdef char[MOST_WORDS] initials
        cdef int i
        for i in range(name.surname, name.count):
            initials[i - name.surname] = <char> self._store.letters[
                self._store.words[name.numbers[i]].begin
            ]
        return initials[:name.count - name.surname].decode("ascii")

    cdef void _find_short_forms(
        self, ShortForms *forms, const double *share_of, double *found
    ) noexcept nogil:
        cdef NameWords name
        cdef uint32_t i
        for i in range(self._names.count):
            name = words_of_entry(&self._names, i)
            note_short_form(forms, &name, i)
        for i in range(self._names.count):
            name = words_of_entry(&self._names, i)
            give_weight(forms, &name, i)
        for i in range(self._names.count):
            name = words_of_entry(&self._names, i)
            found[i] = probability_of_holder(forms, &name, i, share_of)
