"""Whether a player can have played in a year, by birth and death, and whether a claim is too high.

Years, titles and ratings are 0 if unknown. A title is the rating that FIDE requires for it.
"""

from libc.math cimport log

cdef enum:
    YOUNGEST = 9               # age in years at a game
    YOUNGEST_CHILD = 6         # with the child's FIDE ID in the game, or in a youth event
    OLDEST = 100
    GROWN = 13
    AGED = 70
    MOST_ABOVE_LIST = 400      # Elo points


cdef inline bint can_play(
    int born, int died, int first_year, int last_year, bint as_child
) noexcept nogil:
    """Return whether a person can have played in one of the years, which are known."""
    cdef int youngest = YOUNGEST_CHILD if as_child else YOUNGEST
    if born and not (last_year >= born + youngest and first_year <= born + OLDEST):
        return False
    # One more year, since correspondence games can end after a player's death.
    return not (died and first_year > died + 1)


cdef inline bint can_play_all(
    int born, int died, int first_year, int last_year, bint as_child
) noexcept nogil:
    """Return whether a person can have played in all of the years, which are known."""
    return (
        can_play(born, died, first_year, first_year, as_child)
        and can_play(born, died, last_year, last_year, as_child)
    )


cdef inline double evidence_of_age(
    int born, int died, int first_year, int last_year, bint is_youth
) noexcept nogil:
    """Return the evidence of the age at the games of these years, which are known.

    Children and old people play few published games. Someone else with the name played in the
    years in which the person cannot have played. `is_youth`: a game is of a youth event, where only
    small children are few.

    Of 3,000 listed players of the age of nine, one has a game in two issues of a weekly; of twelve,
    one in eighty; of twenty, one in thirteen; of eighty, one in a thousand.
    """
    cdef int grown = YOUNGEST if is_youth else GROWN
    cdef int first = first_year, last = last_year
    cdef double value = 0.0
    if born:
        value += -1.2 * max(born + grown - last_year, 0)
        value += -0.2 * max(first_year - born - AGED, 0)
        first = max(first_year, born + YOUNGEST_CHILD)
    if died:
        last = min(last_year, died + 1)
    if first <= last and (first_year < first or last < last_year):
        value += log(<double>(last - first + 1) / (last_year - first_year + 1))
    return value


cdef inline bint is_too_high(
    int title, int elo, bint has_fide_id, int listed_title, int rating
) noexcept nogil:
    """Return whether the title or Elo in a game is too high for a player of FIDE's list."""
    if not has_fide_id:
        return False
    return title > listed_title or (rating and elo > rating + MOST_ABOVE_LIST)
