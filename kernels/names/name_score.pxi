"""Similarity of two names as one number, 0 to 1.

A score alone does not decide: Petrosian T. V. and T. L. score 0.985. See likelihood.py.
"""

# The letters of a name, a blank behind each word.
ctypedef struct NameLetters:
    uint32_t *letters
    size_t count, capacity
    uint32_t begins[MOST_WORDS + 1]  # of words; the last one is the end
    int surname, words

# What the comparison of two names uses.
ctypedef struct NameScoring:
    NameLetters left, right
    uint8_t *flags             # of the letters of two words
    size_t flag_capacity
    uint32_t *rows             # of edit distances
    size_t row_capacity
    uint64_t *bigrams
    size_t bigram_capacity


cdef void close_scoring(NameScoring *scoring) noexcept:
    free(scoring.left.letters)
    free(scoring.right.letters)
    free(scoring.flags)
    free(scoring.rows)
    free(scoring.bigrams)


cdef int add_letter(NameLetters *name, uint32_t letter) except -1 nogil:
    reserve(<void **>&name.letters, &name.capacity, name.count + 1, sizeof(uint32_t))
    name.letters[name.count] = letter
    name.count += 1


cdef int read_letters(
    NameLetters *to, const WordStore *store, const NameWords *name
) except -1 nogil:
    cdef const StoredWord *word
    cdef const uint8_t *text
    cdef const uint8_t *end
    cdef int i
    to.count = 0
    to.surname, to.words = name.surname, name.count
    for i in range(name.count):
        to.begins[i] = <uint32_t>to.count
        word = &store.words[name.numbers[i]]
        text = store.letters + word.begin
        end = text + word.length
        while text < end:
            add_letter(to, next_character(&text, end))
        add_letter(to, c" ")
    to.begins[name.count] = <uint32_t>to.count


cdef int read_letters_of_form(NameLetters *to, form) except -1:
    cdef tuple words = form.surname + form.given
    cdef Py_UCS4 letter
    cdef int i
    if len(words) > MOST_WORDS:
        raise ValueError(f"name has {len(words)} words, more than {MOST_WORDS}")
    to.count = 0
    to.surname, to.words = <int>len(form.surname), <int>len(words)
    for i in range(to.words):
        to.begins[i] = <uint32_t>to.count
        for letter in <str?>words[i]:
            add_letter(to, letter)
        add_letter(to, c" ")
    to.begins[to.words] = <uint32_t>to.count


cdef double jaro_winkler(
    NameScoring *s, const uint32_t *left, size_t n, const uint32_t *right, size_t m
) except -1 nogil:
    """Return the similarity of two words; an initial matches the word that it begins."""
    cdef size_t bound = max(n, m) // 2 - 1, common = 0, moved = 0, prefix = 0, i, j
    cdef uint8_t *of_left
    cdef uint8_t *of_right
    cdef double value
    if not n or not m:
        return n == m
    if n == 1 or m == 1:
        return left[0] == right[0]
    if n == m and memcmp(left, right, n * sizeof(uint32_t)) == 0:
        return 1.0
    reserve(<void **>&s.flags, &s.flag_capacity, n + m, 1)
    memset(s.flags, 0, n + m)
    of_left, of_right = s.flags, s.flags + n
    for j in range(m):
        for i in range(j - bound if j > bound else 0, min(n, j + bound + 1)):
            if not of_left[i] and left[i] == right[j]:
                of_left[i] = of_right[j] = True
                common += 1
                break
    if not common:
        return 0.0
    j = 0
    for i in range(n):
        if of_left[i]:
            while not of_right[j]:
                j += 1
            moved += left[i] != right[j]
            j += 1
    value = <double>common / n + <double>common / m + <double>(common - moved // 2) / common
    value /= 3.0
    if value > 0.7:
        while prefix < min(min(n, m), <size_t>4) and left[prefix] == right[prefix]:
            prefix += 1
        value = min(value + prefix * 0.1 * (1.0 - value), 1.0)
    return value


cdef double similarity_of_words(
    NameScoring *s, const NameLetters *left, int i, const NameLetters *right, int j
) except -1 nogil:
    return jaro_winkler(
        s, left.letters + left.begins[i], left.begins[i + 1] - left.begins[i] - 1,
        right.letters + right.begins[j], right.begins[j + 1] - right.begins[j] - 1,
    )


cdef double mean_of_best(
    NameScoring *s, const NameLetters *left, int first, int end, const NameLetters *right,
    int other, int other_end
) except -1 nogil:
    """Return the mean over the left words of the similarity to the best right one."""
    cdef double total = 0.0, best
    cdef int i, j
    for i in range(first, end):
        best = 0.0
        for j in range(other, other_end):
            best = max(best, similarity_of_words(s, left, i, right, j))
        total += best
    return total / (end - first)


cdef double similarity_of_parts(
    NameScoring *s, int first, int end, int other, int other_end
) except -1 nogil:
    """Return Monge-Elkan's similarity of words of both names, the better of both directions."""
    if end - first == 1 and other_end - other == 1:
        return similarity_of_words(s, &s.left, first, &s.right, other)
    if end == first or other_end == other:
        return 0.0
    return max(
        mean_of_best(s, &s.left, first, end, &s.right, other, other_end),
        mean_of_best(s, &s.right, other, other_end, &s.left, first, end),
    )


cdef size_t edit_distance(
    NameScoring *s, const uint32_t *left, size_t n, const uint32_t *right, size_t m
) except? 0xFFFFFFFF nogil:
    """Return the Damerau-Levenshtein distance, in which letters between two swapped ones count."""
    cdef size_t width = m + 1, i, j, before, last
    cdef uint32_t *distances       # rows, then for each right letter the last row that has it
    cdef uint32_t *last_rows
    cdef uint32_t *row
    cdef uint32_t best
    reserve(<void **>&s.rows, &s.row_capacity, (n + 2) * width, sizeof(uint32_t))
    distances, last_rows = s.rows, s.rows + (n + 1) * width
    memset(last_rows, 0, width * sizeof(uint32_t))
    for j in range(width):
        distances[j] = <uint32_t>j
    for i in range(1, n + 1):
        row = distances + i * width
        row[0] = <uint32_t>i
        last = 0                   # column of the letter of this row
        for j in range(1, width):
            best = min(row[j - 1], distances[(i - 1) * width + j]) + 1
            best = min(best, distances[(i - 1) * width + j - 1] + (left[i - 1] != right[j - 1]))
            before = last_rows[j]
            if before and last:
                best = min(best, <uint32_t>(
                    distances[(before - 1) * width + last - 1] + (i - before) + (j - last) - 1
                ))
            if left[i - 1] == right[j - 1]:
                last = j
            row[j] = best
        for j in range(1, width):
            if left[i - 1] == right[j - 1]:
                last_rows[j] = <uint32_t>i
    return distances[n * width + m]


cdef double score_of_names(NameScoring *s) except -1 nogil:
    """Return 0.5 Jaro-Winkler (surname) + 0.3 (given) + 0.2 Damerau-Levenshtein (surname)."""
    cdef const NameLetters *left = &s.left
    cdef const NameLetters *right = &s.right
    cdef size_t n = left.begins[left.surname] - (left.surname > 0)
    cdef size_t m = right.begins[right.surname] - (right.surname > 0)
    cdef double surname, given, kept = 1.0
    cdef bint has_given = left.words > left.surname, has_other = right.words > right.surname
    surname = similarity_of_parts(s, 0, left.surname, 0, right.surname)
    if has_given and has_other:
        given = similarity_of_parts(s, left.surname, left.words, right.surname, right.words)
    else:
        given = 0.5 if has_given or has_other else 1.0
    if n != m or memcmp(left.letters, right.letters, n * sizeof(uint32_t)) != 0:
        kept -= <double>edit_distance(s, left.letters, n, right.letters, m) / max(n, m)
    return 0.5 * surname + 0.3 * given + 0.2 * kept


cdef Py_ssize_t write_bigrams(const NameLetters *name, uint64_t *bigrams) except -1 nogil:
    """Write the pairs of letters that follow each other, whatever the blanks, and sort them."""
    cdef uint64_t letter, before = 0, bigram
    cdef size_t i
    cdef Py_ssize_t count = 0, at
    cdef bint has_letter = False
    for i in range(name.count):
        letter = name.letters[i]
        if letter == c" ":
            continue
        if has_letter:
            bigram = before << 32 | letter
            at = count
            while at > 0 and bigrams[at - 1] > bigram:
                bigrams[at] = bigrams[at - 1]
                at -= 1
            bigrams[at] = bigram
            count += 1
        has_letter, before = True, letter
    return count


cdef double bigram_dice(NameScoring *s) except -1 nogil:
    """Return 2 |common bigrams| / |bigrams| (Dice, Ecology 26, 1945), as multisets."""
    cdef Py_ssize_t count, other, i = 0, j = 0, common = 0
    cdef uint64_t *left
    cdef uint64_t *right
    reserve(
        <void **>&s.bigrams, &s.bigram_capacity, s.left.count + s.right.count, sizeof(uint64_t)
    )
    left, right = s.bigrams, s.bigrams + s.left.count
    count, other = write_bigrams(&s.left, left), write_bigrams(&s.right, right)
    while i < count and j < other:
        if left[i] == right[j]:
            common += 1
            i += 1
            j += 1
        elif left[i] < right[j]:
            i += 1
        else:
            j += 1
    if count + other:
        return 2.0 * common / (count + other)
    return s.left.count == s.right.count and memcmp(
        s.left.letters, s.right.letters, s.left.count * sizeof(uint32_t)
    ) == 0


def name_scores(left not None, right not None) -> tuple[float, float]:
    cdef NameScoring scoring
    memset(&scoring, 0, sizeof(NameScoring))
    try:
        read_letters_of_form(&scoring.left, left)
        read_letters_of_form(&scoring.right, right)
        return score_of_names(&scoring), bigram_dice(&scoring)
    finally:
        close_scoring(&scoring)
