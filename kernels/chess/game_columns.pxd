"""The places of columns in the rows of games that a load inserts.

The list of columns is ocgdedup/game_columns.py; store/row_writer.py compares the names below with
it when it is imported.
"""

cdef enum:
    C_ID = 0
    C_EVENT
    C_SITE
    C_DATE
    C_ROUND
    C_WHITE
    C_WHITE_ELO
    C_BLACK
    C_BLACK_ELO
    C_RESULT
    C_TIME_CONTROL
    C_ECO
    C_PLY_COUNT
    C_FEN
    C_MOVES
    C_MOVE_HASH
    C_FINAL_ZOBRIST
    C_POSITIONS_KEY
    C_SAMPLED_KEY
    C_SOURCE
    C_SOURCE_NUMBER
    C_SOURCE_OFFSET
    C_DATE_QUALITY
    C_HAS_COMMENTS
    C_HAS_VARIATIONS
    C_SPECIAL_MOVES
    C_CHARSET
    C_EXTRA_TAGS
    LOADED_COUNT
    C_CORE_HASH = LOADED_COUNT
    C_GAME_HASH
    INSERTED_COUNT


cdef inline tuple inserted_columns():
    """Return the names of the columns, each at its place."""
    columns = [None] * INSERTED_COUNT
    for place, name in (
        (C_ID, "ID"),
        (C_EVENT, "EventID"),
        (C_SITE, "SiteID"),
        (C_DATE, "Date"),
        (C_ROUND, "Round"),
        (C_WHITE, "WhiteID"),
        (C_WHITE_ELO, "WhiteElo"),
        (C_BLACK, "BlackID"),
        (C_BLACK_ELO, "BlackElo"),
        (C_RESULT, "Result"),
        (C_TIME_CONTROL, "TimeControl"),
        (C_ECO, "ECO"),
        (C_PLY_COUNT, "PlyCount"),
        (C_FEN, "FEN"),
        (C_MOVES, "Moves2"),
        (C_MOVE_HASH, "MoveHash"),
        (C_FINAL_ZOBRIST, "FinalZobrist"),
        (C_POSITIONS_KEY, "PositionsKey"),
        (C_SAMPLED_KEY, "SampledKey"),
        (C_SOURCE, "SourceID"),
        (C_SOURCE_NUMBER, "SourceNumber"),
        (C_SOURCE_OFFSET, "SourceOffset"),
        (C_DATE_QUALITY, "DateQuality"),
        (C_HAS_COMMENTS, "HasComments"),
        (C_HAS_VARIATIONS, "HasVariations"),
        (C_SPECIAL_MOVES, "SpecialMoves"),
        (C_CHARSET, "Charset"),
        (C_EXTRA_TAGS, "ExtraTags"),
        (C_CORE_HASH, "CoreHash"),
        (C_GAME_HASH, "GameHash"),
    ):
        columns[place] = name
    return tuple(columns)
