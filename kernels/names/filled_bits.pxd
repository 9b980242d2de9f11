"""The bits of Games.BackFilled: which fields of a game were filled in by its players."""

cdef enum:
    # For White; those for Black are one further left.
    FILLED_FIDE_ID = 1
    FILLED_TITLE = 4
    FILLED_ELO = 16
    FILLED_ELO_0 = 64          # an Elo that was 0, not NULL
