"""The fields of a header that a merge can change, and the reasons for a change."""

# In the order of the tags in PGN.
cdef enum:
    F_EVENT = 0
    F_SITE = 1
    F_DATE = 2
    F_ROUND = 3
    F_WHITE = 4
    F_BLACK = 5
    F_WHITE_ELO = 6
    F_BLACK_ELO = 7
    F_RESULT = 8
    F_TIME_CONTROL = 9
    F_ECO = 10
    FIELDS = 11

# Why a value replaces the kept game's: see model.Reason.
cdef enum:
    MISSING = 0
    SUPPORTED = 1
    RELIABLE = 2
    EXACT = 3
    MAJORITY = 4
    FIDE = 5
    ROUND_DAY = 6
    REASONS = 7


cdef inline tuple reason_names():
    """Return the names in model.Reason."""
    return ("MISSING", "SUPPORTED", "RELIABLE", "EXACT", "MAJORITY", "FIDE", "ROUND_DAY")
