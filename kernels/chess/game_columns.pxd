"""The places of columns in the rows of games that a load inserts.

The list of columns is ocgdedup/game_columns.py; store/row_writer.py compares the names below with
it when it is imported.
"""

cdef enum:
    ROW_ID = 0
    ROW_EVENT
    ROW_SITE
    ROW_DATE
    ROW_ROUND
    ROW_WHITE
    ROW_WHITE_ELO
    ROW_BLACK
    ROW_BLACK_ELO
    ROW_RESULT
    ROW_TIME_CONTROL
    ROW_ECO
    ROW_PLY_COUNT
    ROW_FEN
    ROW_MOVES
    ROW_MOVE_HASH
    ROW_FINAL_ZOBRIST
    ROW_POSITIONS_KEY
    ROW_SAMPLED_KEY
    ROW_SOURCE
    ROW_SOURCE_NUMBER
    ROW_SOURCE_OFFSET
    ROW_DATE_QUALITY
    ROW_HAS_COMMENTS
    ROW_HAS_VARIATIONS
    ROW_SPECIAL_MOVES
    ROW_CHARSET
    ROW_EXTRA_TAGS
    LOADED_COUNT
    ROW_CORE_HASH = LOADED_COUNT
    ROW_GAME_HASH
    INSERTED_COUNT


cdef inline tuple inserted_columns():
    """Return the names of the columns, each at its place."""
    columns = [None] * INSERTED_COUNT
    for place, name in (
        (ROW_ID, "ID"),
        (ROW_EVENT, "EventID"),
        (ROW_SITE, "SiteID"),
        (ROW_DATE, "Date"),
        (ROW_ROUND, "Round"),
        (ROW_WHITE, "WhiteID"),
        (ROW_WHITE_ELO, "WhiteElo"),
        (ROW_BLACK, "BlackID"),
        (ROW_BLACK_ELO, "BlackElo"),
        (ROW_RESULT, "Result"),
        (ROW_TIME_CONTROL, "TimeControl"),
        (ROW_ECO, "ECO"),
        (ROW_PLY_COUNT, "PlyCount"),
        (ROW_FEN, "FEN"),
        (ROW_MOVES, "Moves2"),
        (ROW_MOVE_HASH, "MoveHash"),
        (ROW_FINAL_ZOBRIST, "FinalZobrist"),
        (ROW_POSITIONS_KEY, "PositionsKey"),
        (ROW_SAMPLED_KEY, "SampledKey"),
        (ROW_SOURCE, "SourceID"),
        (ROW_SOURCE_NUMBER, "SourceNumber"),
        (ROW_SOURCE_OFFSET, "SourceOffset"),
        (ROW_DATE_QUALITY, "DateQuality"),
        (ROW_HAS_COMMENTS, "HasComments"),
        (ROW_HAS_VARIATIONS, "HasVariations"),
        (ROW_SPECIAL_MOVES, "SpecialMoves"),
        (ROW_CHARSET, "Charset"),
        (ROW_EXTRA_TAGS, "ExtraTags"),
        (ROW_CORE_HASH, "CoreHash"),
        (ROW_GAME_HASH, "GameHash"),
    ):
        columns[place] = name
    return tuple(columns)
