"""Parse names of players and compare them pair by pair: name_form.pxd and player_name.pxd."""

from name_form cimport NAME_KEY_BYTES, NAME_CHARACTERS, put_key
from name_words cimport WORD_BYTES, sounds_of
from parsed_name cimport ParsedName, parse_name
from player_name cimport (
    NAME_COMPATIBLE, NAME_DIFFERENT, NAME_EQUAL, NAME_NAMESAKE, NAME_SIMILAR, NAME_UNKNOWN,
    name_relation,
)

from sys import intern

from ocgdedup import model

UNKNOWN, EQUAL, COMPATIBLE = NAME_UNKNOWN, NAME_EQUAL, NAME_COMPATIBLE
SIMILAR, NAMESAKE, DIFFERENT = NAME_SIMILAR, NAME_NAMESAKE, NAME_DIFFERENT
MOST_LETTERS = JOINED_LETTERS
LONGEST_NAME = NAME_CHARACTERS


cdef tuple words_of_form(const NameForm *form, int first, int end):
    cdef const uint8_t *letters
    cdef list words = []
    cdef int i
    for i in range(first, end):
        letters = form.letters + form.words[i].begin
        word = letters[:form.words[i].length].decode("utf-8", "surrogatepass")
        words.append(intern(word))  # half a million names have few distinct words
    return tuple(words)


def parse(str name not None):
    cdef bytes raw = name.encode("utf-8", "surrogatepass")
    cdef const uint8_t *text = raw
    cdef size_t length = len(raw)
    cdef NameForm form
    with nogil:
        read_name(text, length, &form)
    if form.is_title:
        return model.NameForm((), (), False)
    return model.NameForm(
        words_of_form(&form, 0, form.surname),
        words_of_form(&form, form.surname, form.count),
        bool(form.is_ordered),
        (<const char *>form.country).decode("ascii"),
        form.birth_year or None,
        str(form.generation) if form.generation else "",
        (<const char *>form.number).decode("ascii"),
        bool(form.is_handle),
    )


def name_key(str name not None) -> str:
    cdef bytes raw = name.encode("utf-8", "surrogatepass")
    cdef const uint8_t *text = raw
    cdef size_t length = len(raw)
    cdef uint8_t[NAME_KEY_BYTES] key
    cdef int key_length
    with nogil:
        key_length = put_key(text, length, key)
    return (<const char *>key)[:key_length].decode("utf-8", "surrogatepass")


cdef int parse_into(object name, ParsedName *parsed) except -1:
    """Parse a name; text is encoded as UTF-8."""
    cdef bytes raw = name.encode("utf-8", "surrogatepass") if isinstance(name, str) else name
    cdef const uint8_t *text = raw
    cdef size_t length = len(raw)
    with nogil:
        parse_name(text, length, parsed)


def relation(left not None, right not None) -> int:
    cdef ParsedName a, b
    parse_into(left, &a)
    parse_into(right, &b)
    return name_relation(&a, &b)


def surname_keys(name not None) -> tuple[int, ...]:
    cdef ParsedName parsed
    parse_into(name, &parsed)
    if parsed.is_unknown:
        return ()
    if parsed.keys[0] == parsed.keys[1]:
        return (parsed.keys[0],)
    return (parsed.keys[0], parsed.keys[1])


def is_unknown(name not None) -> bool:
    cdef bytes raw = name.encode("utf-8", "surrogatepass") if isinstance(name, str) else name
    cdef NameForm form
    read_name(raw, len(raw), &form)
    return bool(form.is_unknown)


def name_words(name not None) -> tuple[tuple[bytes, ...], int, int]:
    cdef ParsedName parsed
    cdef int i
    parse_into(name, &parsed)
    words = tuple([parsed.words[i][:parsed.lengths[i]] for i in range(parsed.n_words)])
    return words, parsed.n_surname, parsed.generation


def name_hash(name not None) -> int:
    cdef ParsedName parsed
    parse_into(name, &parsed)
    return parsed.hash


def word_sounds(bytes word not None) -> bytes:
    cdef uint64_t sounds
    cdef const uint8_t *letters = word
    if len(word) >= WORD_BYTES:
        raise ValueError(f"word has {len(word)} letters, more than {WORD_BYTES - 1}")
    sounds = sounds_of(letters, <int>len(word))
    return int(sounds).to_bytes(8, "big").lstrip(b"\0")


def word_edits(bytes left not None, bytes right not None, int limit) -> int:
    if len(left) > JOINED_LETTERS or len(right) > JOINED_LETTERS:
        raise ValueError(
            f"words of {len(left)} and {len(right)} letters: more than {JOINED_LETTERS}"
        )
    if not 0 <= limit <= JOINED_LETTERS:
        raise ValueError(f"limit {limit} is not in 0 to {JOINED_LETTERS}")
    return edits_within(left, <int>len(left), right, <int>len(right), limit)
