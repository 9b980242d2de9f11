"""The fields of a header that a merge can change, and the reasons for a change."""

# In the order of the tags in PGN.
cdef enum:
    F_EVENT, F_SITE, F_DATE, F_ROUND, F_WHITE, F_BLACK, F_WHITE_ELO, F_BLACK_ELO, F_RESULT,
    F_TIME_CONTROL, F_ECO, FIELDS

# Why a value replaces the kept game's: see model.Reason.
cdef enum:
    MISSING, SUPPORTED, RELIABLE, EXACT, MAJORITY, FIDE, ROUND_DAY, REASONS


cdef inline tuple reason_names():
    """Return the names in model.Reason."""
    return ("MISSING", "SUPPORTED", "RELIABLE", "EXACT", "MAJORITY", "FIDE", "ROUND_DAY")
