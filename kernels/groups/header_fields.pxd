"""The fields of a header that a merge can change, and the reasons for a change."""

# In the order of the tags in PGN.
cdef enum:
    FIELD_EVENT, FIELD_SITE, FIELD_DATE, FIELD_ROUND, FIELD_WHITE, FIELD_BLACK, FIELD_WHITE_ELO,
    FIELD_BLACK_ELO, FIELD_RESULT, FIELD_TIME_CONTROL, FIELD_ECO, FIELDS

# Why a value replaces the kept game's: see model.Reason.
cdef enum:
    MISSING, SUPPORTED, RELIABLE, EXACT, MAJORITY, FIDE, ROUND_DAY, CONFIRMED, REASONS


cdef inline tuple reason_names():
    """Return the names in model.Reason."""
    return (
        "MISSING", "SUPPORTED", "RELIABLE", "EXACT", "MAJORITY", "FIDE", "ROUND_DAY", "CONFIRMED",
    )
