"""Short forms of names ("Berg, JP") that only one player has, and the probability of this player.

The weights are those of likelihood.py. Names are not compared in pairs: each name adds its weight
to the short forms in which it may be written, and each short form holds the sum. A key is a 64-bit
hash. Among half a million names, two keys collide in one list of 10^8; then neither name has a
short form.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from memory cimport allocate_zeros
from name_readings cimport NameWords
from word_store cimport StoredWord, WordStore

cdef enum:
    PLAIN_LETTERS = 128

# Factors: the penalty of a spelling if the player is meant.
ctypedef struct ShortFormWeights:
    double same                # an equal word, or an initial of the listed name
    double initial             # of a listed given name
    double given_left_out
    double given_added
    double surname_left_out
    double first_surname_left_out
    double particle
    double no_order            # the listed name has no comma
    double unlisted            # players who are in no list
    double[PLAIN_LETTERS] share  # of an initial among given names
    uint8_t[PLAIN_LETTERS] letter_class  # letters for the same sound have one class

ctypedef struct ShortForm:
    uint64_t key               # 0: free
    double total               # of all players who may be written so
    double whole               # of those for whom it is the whole name
    uint32_t holder            # entry + 1 of the name with exactly these letters
    bint is_shared             # another player has it too

ctypedef struct ShortForms:
    ShortForm *slots
    uint64_t mask
    const WordStore *store
    const uint32_t *persons    # of entries
    const double *prominence   # of entries, as a factor
    ShortFormWeights weights
    uint32_t particle_mark


cdef inline int set_weights(ShortForms *forms, dict factors, dict initials) except -1:
    """Load the factors by name, and the class and share of letters."""
    cdef ShortFormWeights *weights = &forms.weights
    forms.slots = NULL
    memset(weights, 0, sizeof(ShortFormWeights))
    weights.same = factors["same"]
    weights.initial = factors["initial"]
    weights.given_left_out = factors["given_left_out"]
    weights.given_added = factors["given_added"]
    weights.surname_left_out = factors["surname_left_out"]
    weights.first_surname_left_out = factors["first_surname_left_out"]
    weights.particle = factors["particle"]
    weights.no_order = factors["no_order"]
    weights.unlisted = factors["unlisted"]
    if sorted(initials) != [chr(letter) for letter in range(c"a", c"z" + 1)]:
        raise ValueError(f"initials are not letters from a to z: {sorted(initials)}")
    for letter, (letter_class, share) in initials.items():
        weights.letter_class[<uint8_t>ord(letter)] = <uint8_t>ord(letter_class)
        weights.share[<uint8_t>ord(letter)] = share


cdef inline int open_short_forms(ShortForms *forms, uint32_t entries) except -1:
    cdef uint64_t capacity = 64
    while capacity < <uint64_t>entries * 2 + entries // 5:  # at most two keys per entry
        capacity *= 2
    forms.mask = capacity - 1
    forms.slots = <ShortForm *>allocate_zeros(capacity, sizeof(ShortForm))


cdef inline uint64_t hash_with(uint64_t key, uint64_t value) noexcept nogil:
    key = (key ^ value) * <uint64_t>0x9E3779B97F4A7C15
    return key ^ (key >> 29)


cdef inline ShortForm *slot_of(ShortForms *forms, uint64_t key) noexcept nogil:
    """Return the slot of a key, or the free one where it belongs."""
    cdef uint64_t index = (key ^ (key >> 32)) & forms.mask
    while forms.slots[index].key and forms.slots[index].key != key:
        index = (index + 1) & forms.mask
    return &forms.slots[index]


cdef inline ShortForm *add_slot(ShortForms *forms, uint64_t key) noexcept nogil:
    cdef ShortForm *slot = slot_of(forms, key)
    slot.key = key
    return slot


cdef inline uint64_t key_of_surname(const NameWords *name, int first, int end) noexcept nogil:
    cdef uint64_t key = 1
    cdef int i
    for i in range(first, end):
        key = hash_with(key, name.numbers[i])
    return key


cdef inline uint64_t hash_with_initial(uint64_t key, uint8_t letter) noexcept nogil:
    return hash_with(key, (<uint64_t>1 << 32) + letter) | 1


cdef inline uint8_t initial_of(const ShortForms *forms, uint32_t number) noexcept nogil:
    """Return the first letter of a word; 0 if it is none from A to Z."""
    cdef const StoredWord *word = &forms.store.words[number]
    cdef uint8_t letter = forms.store.letters[word.begin] if word.length else 0
    return letter if c"a" <= letter <= c"z" else 0


cdef inline bint has_short_form(const ShortForms *forms, const NameWords *name) noexcept nogil:
    """Return whether a name has an ordered surname and given names with plain initials."""
    cdef int i
    if not name.is_ordered or not 0 < name.surname < name.count:
        return False
    for i in range(name.surname, name.count):
        if not initial_of(forms, name.numbers[i]):
            return False
    return True


cdef inline uint64_t key_of(
    const ShortForms *forms, const NameWords *name, bint by_class
) noexcept nogil:
    cdef uint64_t key = key_of_surname(name, 0, name.surname)
    cdef uint8_t letter
    cdef int i
    for i in range(name.surname, name.count):
        letter = initial_of(forms, name.numbers[i])
        key = hash_with_initial(key, forms.weights.letter_class[letter] if by_class else letter)
    return key


cdef inline void add_short_form(
    ShortForms *forms, const NameWords *name, uint32_t entry
) noexcept nogil:
    """Add the short form of an entry, and store its holder."""
    cdef ShortForm *slot
    if not has_short_form(forms, name):
        return
    add_slot(forms, key_of(forms, name, True))
    slot = add_slot(forms, key_of(forms, name, False))
    if not slot.holder:
        slot.holder = entry + 1
    elif forms.persons[slot.holder - 1] != forms.persons[entry]:
        slot.is_shared = True


cdef inline double given_weight(const ShortForms *forms, uint32_t number) noexcept nogil:
    return forms.weights.same if forms.store.words[number].length == 1 else forms.weights.initial


cdef inline void add_weight(
    ShortForms *forms, const NameWords *name, int first_given, int end, uint64_t key,
    double weight, bint is_whole,
) noexcept nogil:
    """Add weight to a surname with the initials of all given names, and of the first ones."""
    cdef ShortForm *slot
    cdef uint8_t letter
    cdef int i
    weight *= forms.weights.given_left_out ** (end - first_given)
    for i in range(first_given, end):
        letter = initial_of(forms, name.numbers[i])
        if not letter:
            return
        key = hash_with_initial(key, forms.weights.letter_class[letter])
        weight *= given_weight(forms, name.numbers[i]) / forms.weights.given_left_out
        slot = slot_of(forms, key)
        if slot.key:
            slot.total += weight
            if is_whole and i == end - 1:
                slot.whole += weight


cdef inline void add_weight_by_surnames(
    ShortForms *forms, const NameWords *name, int first, int end, int first_given, int end_given,
    double weight,
) noexcept nogil:
    """Add weight to the surname `first` to `end` of an entry, and to parts of it."""
    cdef int i, core, cores = 0, particles = 0, kept
    cdef uint64_t key, plain_key
    cdef double left
    for i in range(first, end):
        if forms.store.words[name.numbers[i]].marks & forms.particle_mark:
            particles += 1
        else:
            cores += 1
    add_weight(forms, name, first_given, end_given, key_of_surname(name, first, end), weight, True)
    if not cores or end - first == 1:
        return
    key = plain_key = 1
    core = kept = 0
    for i in range(first, end):
        key = hash_with(key, name.numbers[i])
        if forms.store.words[name.numbers[i]].marks & forms.particle_mark:
            kept += 1
            continue
        plain_key = hash_with(plain_key, name.numbers[i])
        core += 1
        left = weight * forms.weights.surname_left_out ** (cores - core)
        if core < cores:
            add_weight(
                forms, name, first_given, end_given, key,
                left * forms.weights.particle ** (particles - kept), False,
            )
        if kept:
            add_weight(
                forms, name, first_given, end_given, plain_key,
                left * forms.weights.particle ** particles, False,
            )
    if cores > 1:
        for i in range(end - 1, first - 1, -1):
            if not forms.store.words[name.numbers[i]].marks & forms.particle_mark:
                break
        add_weight(
            forms, name, first_given, end_given, key_of_surname(name, i, i + 1),
            weight * forms.weights.first_surname_left_out
            * forms.weights.surname_left_out ** (cores - 2)
            * forms.weights.particle ** particles, False,
        )


cdef inline void add_weight_of_name(
    ShortForms *forms, const NameWords *name, uint32_t entry
) noexcept nogil:
    """Add the weight of an entry to the short forms in which its name may be written."""
    cdef double weight = forms.prominence[entry]
    cdef ShortForm *slot
    cdef int words = name.count
    if name.is_ordered:
        if has_short_form(forms, name):
            slot = slot_of(forms, key_of(forms, name, False))
            if slot.holder != entry + 1 and forms.persons[slot.holder - 1] == forms.persons[entry]:
                return  # another spelling of the same player, already counted
            add_weight_by_surnames(forms, name, 0, name.surname, name.surname, words, weight)
        return
    weight *= forms.weights.no_order
    if words > 1:
        add_weight_by_surnames(forms, name, words - 1, words, 0, words - 1, weight)
        add_weight_by_surnames(forms, name, 0, 1, 1, words, weight)
    if words > 2:
        add_weight_by_surnames(forms, name, words - 2, words, 0, words - 2, weight)
        add_weight_by_surnames(forms, name, 0, 2, 2, words, weight)


cdef inline double probability_of_holder(
    ShortForms *forms, const NameWords *name, uint32_t entry, const double *surname_share
) noexcept nogil:
    """Return the probability that a short form means the only player who has it.

    `surname_share`: shares of words by number. Return -1 if the entry is not the only holder.
    """
    cdef ShortForm *slot
    cdef double evidence = 1.0, weight = forms.prominence[entry], others = forms.weights.unlisted
    cdef uint64_t key
    cdef uint8_t letter
    cdef int i
    if not has_short_form(forms, name):
        return -1.0
    slot = slot_of(forms, key_of(forms, name, False))
    if slot.holder != entry + 1 or slot.is_shared:
        return -1.0
    for i in range(name.surname):
        evidence *= forms.weights.same / surname_share[name.numbers[i]]
    key = key_of_surname(name, 0, name.surname)
    for i in range(name.surname, name.count):
        letter = initial_of(forms, name.numbers[i])
        weight *= given_weight(forms, name.numbers[i])
        evidence /= forms.weights.share[letter]
        key = hash_with_initial(key, forms.weights.letter_class[letter])
        slot = slot_of(forms, key)
        if not slot.key:
            continue
        if i < name.count - 1:  # a listed player with fewer given names
            others += (evidence * slot.whole * forms.weights.given_added ** (name.count - 1 - i))
        else:
            others += evidence * slot.total
    return evidence * weight / others
