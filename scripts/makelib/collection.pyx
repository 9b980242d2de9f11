"""Made-up games as PGN: each follows from the seed and its number alone.

Openings are real, the moves after them are random but legal and not quite senseless: the best of a
few by a rough count of captures and threats. Names, events and dates are made of syllables and
skewed as real ones are: a few players play much, events are of a few days. A share of the games
are records of an earlier one, disturbed as sources differ. Nothing here decides what a duplicate
is: labels say which game a record was made from.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.math cimport pow, sqrt
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from chess_types cimport KING, NO_PIECE, PAWN, QUEEN, bitboard_t, move16_t
from fen cimport set_start
from position cimport (
    OCG_ATTACKS, OCG_BETWEEN, OCG_PAWN_ATTACKS, Position, bit, castling_is_legal, castling_move,
    in_check, move_is_legal, ocg_fill_tables, ocg_lowest, play_move,
)
from san_write cimport Replay, begin_replay, write_ply
from text_lines cimport write_number

cdef extern from "lex_tables.h" nogil:
    void ocg_fill_lex_tables()

ocg_fill_tables()
ocg_fill_lex_tables()

cdef enum:
    MOST_PLIES = 360
    GAME_BYTES = 4096          # more than a game of so many plies can have
    LABEL_BYTES = 160
    OPENING_PLIES = 40         # of a real game, at most
    TRIES = 160                # random moves before all are tried
    CANDIDATES = 3             # legal moves that are compared
    NAME_BYTES = 64

cdef enum:
    # Streams of random numbers of one game.
    S_ORIGIN = 1
    S_MOVES = 2
    S_HEADER = 3
    S_DISTURBANCE = 4
    S_EVENT = 5
    S_PARTICIPANT = 6
    S_PLAYER = 7

cdef enum:
    # How a record differs from the game that it was made from.
    D_INITIALS = 1
    D_NAME_ORDER = 2
    D_PARTIAL_DATE = 4
    D_OTHER_EVENT = 8
    D_NO_ELO = 16
    D_TRUNCATED = 32
    D_SLIP = 64
    D_COUNT = 7

cdef Position STANDARD
set_start(&STANDARD)

cdef extern from *:
    """
    static const int OCG_PIECE_VALUE[8] = {0, 1, 3, 3, 5, 9, 20, 0};
    static const char *const OCG_DISTURBANCES[] = {
        "initials", "name_order", "partial_date", "other_event", "no_elo", "truncated", "slip"
    };
    static const char *const OCG_EVENT_KINDS[] = {" Open", " Masters", " Team", " Championship"};
    static const char *const OCG_RESULTS[] = {"1-0", "0-1", "1/2-1/2"};
    static const char *const OCG_PLAYER_TAGS[] = {"[White \\"", "[Black \\""};
    static const char *const OCG_ELO_TAGS[] = {"[WhiteElo \\"", "[BlackElo \\""};
    """
    const int OCG_PIECE_VALUE[8]
    const char *const OCG_DISTURBANCES[7]
    const char *const OCG_EVENT_KINDS[4]
    const char *const OCG_RESULTS[3]
    const char *const OCG_PLAYER_TAGS[2]
    const char *const OCG_ELO_TAGS[2]

ctypedef struct Game:
    uint64_t event
    uint64_t players[2]
    int elos[2]                # 0: none
    int year
    int month                  # 0: not known
    int day
    int round
    int board                  # 0: rounds have no boards
    int result                 # 0 White, 1 Black, 2 draw
    int opening
    int plies
    move16_t moves[MOST_PLIES]


# --- random numbers: SplitMix64 (Steele, Lea, Flood 2014) ---------------------------------------

cdef inline uint64_t mixed(uint64_t x) noexcept nogil:
    x = (x ^ x >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ x >> 27) * <uint64_t>0x94D049BB133111EB
    return x ^ x >> 31


cdef inline uint64_t seeded(uint64_t seed, int stream, uint64_t number) noexcept nogil:
    return mixed(mixed(seed + <uint64_t>0x9E3779B97F4A7C15 * stream) + number)


cdef inline uint64_t draw(uint64_t *state) noexcept nogil:
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    return mixed(state[0])


cdef inline uint32_t below(uint64_t *state, uint32_t limit) noexcept nogil:
    return <uint32_t>((draw(state) >> 32) * limit >> 32)


cdef inline double fraction(uint64_t *state) noexcept nogil:
    return (draw(state) >> 11) * (1.0 / <double>(<uint64_t>1 << 53))


# --- moves --------------------------------------------------------------------------------------

cdef inline int random_bit(bitboard_t bits, uint64_t *state) noexcept nogil:
    cdef bitboard_t rest = bits
    cdef int count = 0
    cdef int chosen
    while rest:
        rest &= rest - 1
        count += 1
    chosen = below(state, count)
    while chosen:
        bits &= bits - 1
        chosen -= 1
    return ocg_lowest(bits)


cdef inline bitboard_t pawn_targets(const Position *pos, int start) noexcept nogil:
    cdef int us = pos.turn
    cdef int forward = 8 - 16 * us
    cdef bitboard_t found = OCG_PAWN_ATTACKS[us][start] & pos.colours[1 - us]
    if pos.board[start + forward] == NO_PIECE:
        found |= bit(start + forward)
        if (start >> 3) == 1 + 5 * us and pos.board[start + 2 * forward] == NO_PIECE:
            found |= bit(start + 2 * forward)
    return found


cdef inline move16_t random_move(const Position *pos, uint64_t *state) noexcept nogil:
    """Return a legal move, 0 if the first try was none."""
    cdef int us = pos.turn
    cdef int start = random_bit(pos.colours[us], state)
    cdef int piece = pos.board[start]
    cdef int target
    cdef bitboard_t targets
    cdef move16_t move
    if piece == PAWN:
        targets = pawn_targets(pos, start)
    else:
        targets = OCG_ATTACKS[piece][start] & ~pos.colours[us]
    if not targets:
        return 0
    target = random_bit(targets, state)
    if OCG_BETWEEN[start][target] & (pos.colours[0] | pos.colours[1]):
        return 0
    move = <move16_t>(start | target << 6)
    if piece == PAWN and (target >> 3) % 7 == 0:
        move |= <move16_t>(QUEEN << 12)
    return move if move and move_is_legal(pos, move) else 0


cdef inline int merit(const Position *pos, move16_t move, uint64_t *state) noexcept nogil:
    """Count roughly what a move wins and puts at risk."""
    cdef int start = move & 63
    cdef int target = move >> 6 & 63
    cdef int us = pos.turn
    cdef int piece = pos.board[start]
    cdef int found = 10 * OCG_PIECE_VALUE[pos.board[target]] + <int>below(state, 16)
    if OCG_PAWN_ATTACKS[us][target] & pos.pieces[PAWN] & pos.colours[1 - us]:
        found -= 10 * OCG_PIECE_VALUE[piece]
    if OCG_PAWN_ATTACKS[us][start] & pos.pieces[PAWN] & pos.colours[1 - us]:
        found += 5 * OCG_PIECE_VALUE[piece]
    return found - (8 if piece == KING else 0)


cdef inline move16_t any_move(const Position *pos) noexcept nogil:
    """Return the first legal move, 0 at mate or stalemate."""
    cdef int start, target
    cdef move16_t move
    for start in range(64):
        if pos.colours[pos.turn] >> start & 1:
            for target in range(64):
                move = <move16_t>(start | target << 6)
                if pos.board[start] == PAWN and (target >> 3) % 7 == 0:
                    move |= <move16_t>(QUEEN << 12)
                if move and move_is_legal(pos, move):
                    return move
    return 0


cdef inline move16_t choose_move(const Position *pos, uint64_t *state) noexcept nogil:
    cdef move16_t move
    cdef move16_t best = 0
    cdef int found = 0
    cdef int right, value, _try
    cdef int most = -1 << 30
    if pos.rights and below(state, 3) == 0:
        right = 2 * pos.turn + (below(state, 4) == 0)
        if pos.rights >> right & 1 and castling_is_legal(pos, right):
            return castling_move(pos, right)
    for _try in range(TRIES):
        move = random_move(pos, state)
        if move:
            value = merit(pos, move, state)
            if value > most:
                most = value
                best = move
            found += 1
            if found == CANDIDATES:
                break
    return best if best else any_move(pos)


cdef inline bint replays(const move16_t *moves, int plies) noexcept nogil:
    cdef Position pos = STANDARD
    cdef int ply
    for ply in range(plies):
        if not move_is_legal(&pos, moves[ply]):
            return False
        play_move(&pos, moves[ply])
    return True


cdef inline bint slip(Game *game, uint64_t *state) noexcept nogil:
    """Replace one move by another of the same piece after which the others can be played."""
    cdef Position pos
    cdef move16_t kept, move
    cdef int ply, i, _try
    for _try in range(60):
        ply = game.plies // 2 + <int>below(state, game.plies // 2)
        pos = STANDARD
        for i in range(ply):
            play_move(&pos, game.moves[i])
        move = random_move(&pos, state)
        kept = game.moves[ply]
        if not move or move == kept:
            continue
        game.moves[ply] = move
        if replays(game.moves, game.plies):
            return True
        game.moves[ply] = kept
    return False


# --- text ---------------------------------------------------------------------------------------

cdef inline uint8_t *put(uint8_t *out, const char *text) noexcept nogil:
    while text[0]:
        out[0] = <uint8_t>text[0]
        out += 1
        text += 1
    return out


cdef inline uint8_t *put_two_digits(uint8_t *out, int number) noexcept nogil:
    """Write a month or day; question marks for 0."""
    out[0] = <uint8_t>(c'0' + number // 10) if number else <uint8_t>c'?'
    out[1] = <uint8_t>(c'0' + number % 10) if number else <uint8_t>c'?'
    return out + 2


cdef class Words:
    """Words in C, by number."""
    cdef list kept
    cdef const char **words
    cdef uint32_t count

    def __cinit__(self, words not None):
        cdef uint32_t i
        self.kept = [word.encode() for word in words]
        self.count = <uint32_t>len(self.kept)
        if not self.count:
            raise ValueError("no words")
        self.words = <const char **>malloc(self.count * sizeof(char *))
        if self.words == NULL:
            raise MemoryError("no memory for words")
        for i in range(self.count):
            self.words[i] = PyBytes_AS_STRING(self.kept[i])

    def __dealloc__(self):
        free(self.words)


cdef class Collection:
    """A collection of `games` games; see games().

    `openings`: (move blob, ECO) of real games, the most usual first. `share`: part of the games
    that are disturbed records of an earlier one.
    """
    cdef uint64_t seed
    cdef uint64_t size
    cdef uint64_t player_count
    cdef uint64_t event_count
    cdef double share
    cdef list blobs
    cdef Words ecos
    cdef Words syllables
    cdef Words given_names
    cdef const uint8_t **openings
    cdef int *opening_plies
    cdef uint32_t opening_count

    def __cinit__(
        self, uint64_t seed, uint64_t games, openings not None, syllables not None,
        given_names not None, double share=0.08,
    ):
        cdef uint32_t i
        self.seed = seed
        self.size = games
        self.share = share
        # As collections grow, most games are by players that they have already: large ones of ten
        # million games have about half a million names.
        self.player_count = max(60, <uint64_t>(2.6 * pow(<double>games, 0.75)))
        self.event_count = max(1, games // 120)
        self.blobs = [blob for blob, _ in openings]
        self.ecos = Words([eco for _, eco in openings])
        self.syllables = Words(syllables)
        self.given_names = Words(given_names)
        self.opening_count = <uint32_t>len(self.blobs)
        self.openings = <const uint8_t **>malloc(self.opening_count * sizeof(uint8_t *))
        self.opening_plies = <int *>malloc(self.opening_count * sizeof(int))
        if self.openings == NULL or self.opening_plies == NULL:
            raise MemoryError("no memory for openings")
        for i in range(self.opening_count):
            self.openings[i] = <const uint8_t *>PyBytes_AS_STRING(self.blobs[i])
            self.opening_plies[i] = <int>min(PyBytes_GET_SIZE(self.blobs[i]) // 2, OPENING_PLIES)

    def __dealloc__(self):
        free(self.openings)
        free(self.opening_plies)

    def games(self, uint64_t first, uint64_t count):
        """Return games from number `first` (0-based) on: their PGN, and lines of labels.

        A line of a disturbed record has its number and that of the game it was made from, both
        from 1 on, and the names of its disturbances; tabs between them.
        """
        cdef uint8_t *text = <uint8_t *>malloc(count * GAME_BYTES + 1)
        cdef uint8_t *labels = <uint8_t *>malloc(count * LABEL_BYTES + 1)
        cdef uint8_t *text_end = text
        cdef uint8_t *labels_end = labels
        cdef uint64_t number
        if text == NULL or labels == NULL:
            free(text)
            free(labels)
            raise MemoryError("no memory for the text of games")
        with nogil:
            for number in range(first, first + count):
                text_end = self.write_game(number, text_end, &labels_end)
        try:
            return (
                PyBytes_FromStringAndSize(<char *>text, text_end - text),
                PyBytes_FromStringAndSize(<char *>labels, labels_end - labels),
            )
        finally:
            free(text)
            free(labels)

    cdef uint8_t *write_game(self, uint64_t number, uint8_t *out, uint8_t **labels) noexcept nogil:
        cdef Game game
        cdef uint64_t origin = self.origin(number)
        cdef int changes = 0
        self.make(origin, &game)
        if origin != number:
            changes = self.disturb(number, &game)
            labels[0] = write_label(number, origin, changes, labels[0])
        out = self.write_tags(&game, changes, out)
        return write_movetext(&game, out)

    cdef uint64_t origin(self, uint64_t number) noexcept nogil:
        """Return the number of the game that a record was made from, its own if it is new."""
        cdef uint64_t state
        while number:
            state = seeded(self.seed, S_ORIGIN, number)
            if fraction(&state) >= self.share:
                break
            number = <uint64_t>(fraction(&state) * number)
        return number

    cdef void make(self, uint64_t number, Game *game) noexcept nogil:
        memset(game, 0, sizeof(Game) - sizeof(game.moves))
        self.make_moves(number, game)
        self.make_header(number, game)

    cdef void make_moves(self, uint64_t number, Game *game) noexcept nogil:
        cdef uint64_t state = seeded(self.seed, S_MOVES, number)
        cdef Position pos = STANDARD
        cdef double chosen = fraction(&state)
        cdef int known, length, difference, piece, ply
        cdef move16_t move = 1
        game.opening = <int>(chosen * chosen * self.opening_count)
        known = min(
            self.opening_plies[game.opening],
            6 + <int>below(&state, 10) + <int>below(&state, 10) + <int>below(&state, 16),
        )
        length = 24 + <int>(below(&state, 50) + below(&state, 50) + below(&state, 60))
        if below(&state, 20) == 0:
            length = 8 + <int>below(&state, 20)
        for ply in range(min(known, length)):
            memcpy(&move, self.openings[game.opening] + 2 * ply, 2)
            game.moves[ply] = move
            play_move(&pos, move)
        game.plies = min(known, length)
        while game.plies < length:
            move = choose_move(&pos, &state)
            if not move:
                break
            game.moves[game.plies] = move
            play_move(&pos, move)
            game.plies += 1
        difference = 0
        for piece in range(PAWN, KING):
            difference += OCG_PIECE_VALUE[piece] * (
                count_bits(pos.pieces[piece] & pos.colours[0])
                - count_bits(pos.pieces[piece] & pos.colours[1])
            )
        if not move:
            game.result = 1 - pos.turn if in_check(&pos) else 2
        elif -3 < difference < 3:
            game.result = 2 if below(&state, 3) else <int>below(&state, 2)
        else:
            game.result = difference < 0

    cdef void make_header(self, uint64_t number, Game *game) noexcept nogil:
        cdef uint64_t state = seeded(self.seed, S_HEADER, number)
        cdef uint64_t event
        cdef uint32_t pool, one, other
        cdef int side, day, round_count
        game.event = <uint64_t>(pow(fraction(&state), 1.4) * self.event_count)
        event = seeded(self.seed, S_EVENT, game.event)
        pool = 8 + below(&event, 24) + (below(&event, 200) if below(&event, 4) == 0 else 0)
        game.year = 2025 - <int>(120.0 * pow(fraction(&event), 3.0))
        game.month = 1 + <int>below(&event, 12)
        day = 1 + <int>below(&event, 17)
        round_count = 5 + <int>below(&event, 7)
        one = below(&state, pool)
        other = (one + 1 + below(&state, pool - 1)) % pool
        game.round = 1 + <int>below(&state, round_count)
        game.day = day + game.round - 1
        game.board = 1 + <int>below(&state, pool // 2) if pool > 24 else 0
        game.players[0] = self.participant(game.event, one)
        game.players[1] = self.participant(game.event, other)
        for side in range(2):
            if game.year >= 1975 and below(&state, 5):
                game.elos[side] = 2830 - <int>(
                    900.0 * sqrt(<double>game.players[side] / self.player_count)
                ) - <int>below(&state, 60)

    cdef uint64_t participant(self, uint64_t event, uint32_t place) noexcept nogil:
        cdef uint64_t state = seeded(self.seed, S_PARTICIPANT, event << 10 | place)
        return <uint64_t>(pow(fraction(&state), 2.5) * self.player_count)

    cdef int disturb(self, uint64_t number, Game *game) noexcept nogil:
        """Change a game as another source might have it; return in which ways."""
        cdef uint64_t state = seeded(self.seed, S_DISTURBANCE, number)
        cdef int changes = 0
        if below(&state, 2):
            changes |= D_NAME_ORDER if below(&state, 4) == 0 else D_INITIALS
        if below(&state, 5) == 0:
            changes |= D_PARTIAL_DATE
            game.day = 0
            if below(&state, 3) == 0:
                game.month = 0
        if below(&state, 2):
            changes |= D_OTHER_EVENT
        if below(&state, 3) == 0:
            changes |= D_NO_ELO
            game.elos[0] = game.elos[1] = 0
        if below(&state, 10) == 0 and game.plies > 50:
            changes |= D_TRUNCATED
            game.plies -= 1 + <int>below(&state, game.plies - 45)
        elif below(&state, 10) == 0 and game.plies > 40 and slip(game, &state):
            changes |= D_SLIP
        return changes

    # --- text -----------------------------------------------------------------------------------

    cdef uint8_t *write_word(self, uint64_t key, int least, uint8_t *out) noexcept nogil:
        """Write a capitalised word of syllables."""
        cdef uint8_t *first = out
        cdef int _syllable
        for _syllable in range(least + (below(&key, 3) == 0)):
            out = put(out, self.syllables.words[below(&key, self.syllables.count)])
        first[0] -= 32
        return out

    cdef uint8_t *write_player(self, uint64_t player, int changes, uint8_t *out) noexcept nogil:
        cdef uint64_t state = seeded(self.seed, S_PLAYER, player)
        cdef uint64_t surname = draw(&state)
        cdef const char *given = self.given_names.words[below(&state, self.given_names.count)]
        if changes & D_NAME_ORDER:
            out = put(put(out, given), b" ")
            return self.write_word(surname, 2, out)
        out = self.write_word(surname, 2, out)
        if changes & D_INITIALS:
            out[0] = c','
            out[1] = given[0]
            return out + 2
        return put(put(out, b", "), given)

    cdef uint8_t *write_event(self, const Game *game, int changes, uint8_t *out) noexcept nogil:
        cdef uint64_t state = seeded(self.seed, S_EVENT, game.event) + 1
        cdef uint64_t town = seeded(self.seed, S_EVENT, draw(&state) % 5000) + 2
        cdef uint32_t kind = below(&state, 4)
        out = put(out, b'[Event "')
        if changes & D_OTHER_EVENT:
            out = put(write_number(<uint64_t>game.year, out), b" ")
        out = self.write_word(town, 2, out)
        out = put(put(out, OCG_EVENT_KINDS[kind]), b'"]\n[Site "')
        out = self.write_word(town, 2, out)
        return put(out, b'"]\n')

    cdef uint8_t *write_tags(self, const Game *game, int changes, uint8_t *out) noexcept nogil:
        cdef int side
        out = self.write_event(game, changes, out)
        out = write_number(<uint64_t>game.year, put(out, b'[Date "'))
        out = put_two_digits(put(out, b"."), game.month)
        out = put_two_digits(put(out, b"."), game.day)
        out = write_number(<uint64_t>game.round, put(out, b'"]\n[Round "'))
        if game.board:
            out = write_number(<uint64_t>game.board, put(out, b"."))
        for side in range(2):
            out = put(put(out, b'"]\n'), OCG_PLAYER_TAGS[side])
            out = self.write_player(game.players[side], changes, out)
        out = put(out, b'"]\n[Result "')
        out = put(put(out, OCG_RESULTS[game.result]), b'"]\n')
        for side in range(2):
            if game.elos[side]:
                out = put(out, OCG_ELO_TAGS[side])
                out = put(write_number(<uint64_t>game.elos[side], out), b'"]\n')
        if self.ecos.words[game.opening][0]:
            out = put(put(put(out, b'[ECO "'), self.ecos.words[game.opening]), b'"]\n')
        return put(out, b"\n")


cdef inline int count_bits(bitboard_t bits) noexcept nogil:
    cdef int count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


cdef uint8_t *write_movetext(const Game *game, uint8_t *out) noexcept nogil:
    """Write moves in lines of up to 80 columns."""
    cdef Replay replay
    cdef uint8_t word[24]
    cdef uint8_t *end
    cdef uint8_t *line = out
    cdef int ply
    begin_replay(&replay, &STANDARD)
    for ply in range(game.plies + 1):
        end = word
        if ply == game.plies:
            end = put(end, OCG_RESULTS[game.result])
        else:
            if ply % 2 == 0:
                end = put(write_number(<uint64_t>(ply // 2 + 1), end), b". ")
            end = write_ply(&replay, game.moves[ply], end)
        if (out - line) + 1 + (end - word) > 80:
            out[0] = c'\n'
            out += 1
            line = out
        elif out != line:
            out[0] = c' '
            out += 1
        memcpy(out, word, end - word)
        out += end - word
    return put(out, b"\n\n")


cdef uint8_t *write_label(
    uint64_t number, uint64_t origin, int changes, uint8_t *out
) noexcept nogil:
    cdef int i
    cdef bint is_first = True
    out = put(write_number(number + 1, out), b"\t")
    out = put(write_number(origin + 1, out), b"\t")
    for i in range(D_COUNT):
        if changes >> i & 1:
            if not is_first:
                out = put(out, b"+")
            is_first = False
            out = put(out, OCG_DISTURBANCES[i])
    return put(out, b"\n")
