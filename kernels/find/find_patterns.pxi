"""Find the games that match a position pattern, by replaying them.

Rows are read through SQLite's C interface (sqlite_api.h).
"""


from go_board cimport GO_BLACK_STONE, GO_EMPTY, GO_MOST_LINES, GO_STRIDE, GO_WHITE_STONE
from pattern_match cimport (
    ANYWHERE, EVERY_PLY, FAR_EDGE, MOST_DEPTH, PIECE_CODES, STEPS, STEP_ADD, STEP_AND, STEP_COUNT,
    STEP_DIVIDE, STEP_EQUAL, STEP_FEN, STEP_GREATER, STEP_GREATER_OR_EQUAL, STEP_LESS,
    STEP_LESS_OR_EQUAL, STEP_MULTIPLY, STEP_NUMBER, STEP_OR, STEP_SUBTRACT, STEP_UNEQUAL, GoPattern,
    PatternPoint, Program, Step, match_chess, match_go,
)

# Operation of a step of a program, by its name in the stub.
PATTERN_CONSTANTS = {
    "NUMBER": STEP_NUMBER, "COUNT": STEP_COUNT, "FEN": STEP_FEN, "+": STEP_ADD,
    "-": STEP_SUBTRACT, "*": STEP_MULTIPLY, "/": STEP_DIVIDE, "=": STEP_EQUAL,
    "!=": STEP_UNEQUAL, "<": STEP_LESS, "<=": STEP_LESS_OR_EQUAL, ">": STEP_GREATER,
    ">=": STEP_GREATER_OR_EQUAL, "and": STEP_AND, "or": STEP_OR,
    "ANYWHERE": ANYWHERE, "FAR_EDGE": FAR_EDGE,
    "EMPTY": 1 << GO_EMPTY, "BLACK": 1 << GO_BLACK_STONE, "WHITE": 1 << GO_WHITE_STONE,
}


cdef class PatternFinder:
    """A compiled pattern; several threads may call scan() at a time."""
    cdef bint is_go
    cdef Py_ssize_t at
    cdef Program program
    cdef int positions             # of the program
    cdef GoPattern *patterns
    cdef int count

    def __cinit__(self, bint is_go, at=None):
        self.is_go = is_go
        self.at = EVERY_PLY if at is None else at
        if at is not None and at < 0:
            raise ValueError(f"number of plies is negative: {at}")

    def __dealloc__(self):
        cdef int i
        free(self.program.steps)
        free(self.program.positions)
        for i in range(self.count if self.patterns != NULL else 0):
            free(self.patterns[i].points)
        free(self.patterns)

    @staticmethod
    def of_chess(steps not None, positions not None, at=None):
        """Return a finder of positions for which a program is true; see the stub."""
        cdef PatternFinder finder = PatternFinder(False, at)
        finder.add_steps(list(steps), len(positions))
        finder.add_positions(list(positions))
        return finder

    @staticmethod
    def of_go(patterns not None, at=None):
        """Return a finder of any of the patterns; see the stub."""
        cdef PatternFinder finder = PatternFinder(True, at)
        cdef list pattern_list = list(patterns)
        finder.patterns = <GoPattern *>allocate_zeros(len(pattern_list), sizeof(GoPattern))
        for lines, column, row, width, height, points in pattern_list:
            finder.add_pattern(lines, column, row, width, height, points)
        return finder

    cdef int add_steps(self, list steps, Py_ssize_t positions) except -1:
        cdef Step *step
        cdef int depth = 0
        self.program.steps = <Step *>allocate_zeros(len(steps), sizeof(Step))
        for operation, piece, value in steps:
            step = &self.program.steps[self.program.count]
            step.operation, step.piece, step.value = operation, piece, value
            if not (0 <= step.operation < STEPS and 0 <= step.piece < PIECE_CODES):
                raise ValueError(f"unknown step of a pattern program: {operation}, {piece}")
            if step.operation == STEP_FEN and step.value >= <size_t>positions:
                raise ValueError(f"unknown position in a pattern program: {value}")
            depth += 1 if step.operation <= STEP_FEN else -1
            if not 0 < depth <= MOST_DEPTH:
                raise ValueError("pattern program: stack underflow or overflow")
            self.program.count += 1
        if depth != 1:
            raise ValueError(f"pattern program: {depth} values left on the stack, not 1")

    cdef int add_positions(self, list positions) except -1:
        self.program.positions = <PositionQuery *>allocate_zeros(
            len(positions), sizeof(PositionQuery)
        )
        for text, fields in positions:
            read_query(&self.program.positions[self.positions], text, fields)
            self.positions += 1

    cdef int add_pattern(
        self, int lines, int column, int row, int width, int height, points
    ) except -1:
        cdef GoPattern *pattern = &self.patterns[self.count]
        cdef PatternPoint *point
        cdef list point_list = list(points)
        if not (
            0 <= lines <= GO_MOST_LINES and FAR_EDGE <= column < GO_MOST_LINES
            and FAR_EDGE <= row < GO_MOST_LINES and 0 < width <= GO_MOST_LINES
            and 0 < height <= GO_MOST_LINES
        ):
            raise ValueError(f"invalid Go pattern: {lines}, {column}, {row}, {width}, {height}")
        pattern.lines, pattern.column, pattern.row = lines, column, row
        pattern.width, pattern.height = width, height
        pattern.points = <PatternPoint *>allocate_zeros(len(point_list), sizeof(PatternPoint))
        self.count += 1
        for x, y, allowed in point_list:
            if not (0 <= x < width and 0 <= y < height and 0 <= allowed < 8):
                raise ValueError(f"invalid point of a Go pattern: {x}, {y}, {allowed}")
            point = &pattern.points[pattern.count]
            point.column, point.row, point.allowed = x, y, allowed
            point.offset = GO_STRIDE * <int>y + <int>x
            pattern.count += 1

    def scan(self, connection not None, str sql not None):
        """Return the first match of each game: (ID, plies, pattern index); see the stub."""
        cdef SqliteConnection source = SqliteConnection(connection)
        cdef const ocg_sqlite_api *api = source.api
        cdef sqlite3_stmt *row = source.prepare(sql)
        cdef int64_t game_id = 0
        cdef Py_ssize_t plies = NOT_FOUND
        cdef int pattern_index = 0, code = OCG_SQLITE_ROW
        cdef list matches = []
        try:
            while code == OCG_SQLITE_ROW:
                with nogil:
                    api.mutex_enter(source.mutex)
                    while True:
                        code = api.step(row)
                        if code != OCG_SQLITE_ROW:
                            break
                        plies = self.replay(api, row, &pattern_index)
                        if plies != NOT_FOUND:
                            game_id = api.column_int64(row, 0)
                            break
                    api.mutex_leave(source.mutex)
                if code == OCG_SQLITE_ROW:
                    matches.append((game_id, plies, pattern_index))
            source.check(code)
        finally:
            api.finalize(row)
        return matches

    cdef Py_ssize_t replay(
        self, const ocg_sqlite_api *api, sqlite3_stmt *row, int *pattern_index
    ) noexcept nogil:
        """Search the game in a row: ID, start, moves."""
        cdef Position pos
        cdef GoBoard board
        cdef StoredGame game = game_in_row(api, row, 1)
        pattern_index[0] = 0
        if self.is_go:
            if not go_read_start(&board, game.start, game.start + game.start_bytes):
                return NOT_FOUND
            return match_go(
                &board, game.moves, game.plies, self.patterns, self.count, self.at, pattern_index
            )
        if not begin_chess(&pos, &STANDARD, &game):
            return NOT_FOUND
        return match_chess(&pos, game.moves, game.plies, &self.program, self.at)
