"""What a look-up of names in a list reads, and the memory of one thread that looks up."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from name_entries cimport NameMarks
from name_readings cimport NameWords

# A name to look up. `country`: index of the written federation, -1 for none; `korean`, `koreans`:
# the listed entries that are other romanisations.
ctypedef struct WrittenName:
    NameWords words
    NameMarks marks
    bint is_full
    int country
    const uint32_t *korean
    size_t koreans

# Columns of the listed persons. A row of facts is a title, a federation and the activity, which
# many persons share.
ctypedef struct PersonColumns:
    const uint32_t *person_of  # of entries
    const uint16_t *ratings
    const uint16_t *years      # birth and death of each person; 0 unknown
    const uint32_t *facts      # rows
    const double *titles       # prominence by title, of rows of facts
    const double *activity     # prominence by activity, of rows of facts
    const double *countries    # evidence by country and row of facts
    const int32_t *nations     # indexes of written federations, by row of facts; -2 for others
    const uint16_t *title_ratings  # which FIDE requires for the title, by row of facts
    const uint64_t *fide_ids   # 0 for none
    size_t persons, fact_count

# A word near another one; (0, True) for any of the same skeleton.
ctypedef struct NearHit:
    uint32_t word
    uint32_t place             # in the order of words
    uint8_t edits
    uint8_t sounds

ctypedef struct NearRow:
    uint32_t begin             # in the hits
    uint32_t count
    uint32_t round             # in which the row was made; 0: never

ctypedef struct EntryRow:
    uint32_t *entries
    size_t count
    size_t capacity

# What the games of names say, by name; 0 for what is unknown.
ctypedef struct GameColumns:
    const uint16_t *years      # first and last
    const uint8_t *are_youth   # whether a game is of a youth event
    const uint32_t *id_ends    # of the FIDE IDs of each name
    const int64_t *fide_ids
    const int64_t *id_persons  # who have the IDs, -1 for nobody
    const uint32_t *claim_ends
    const int64_t *claims      # the rating that FIDE requires for the title, then Elo

# How well the persons fit, of name after name.
ctypedef struct WeighedName:
    uint32_t person
    uint32_t entry
    double evidence
    double prominence
    int difference
