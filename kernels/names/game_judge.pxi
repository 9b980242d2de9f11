"""Who played single games whose names alone do not identify the players.

The games of persons who are certain give their careers; careers, tags and equal games then decide
the sides of the other games. The weights are in ocgdedup/matching/names/evidence.py. Sums are
natural logarithms of probability ratios.
"""

from libc.math cimport INFINITY, exp, log

from careers cimport (
    SurePlayers, add_sure_player, add_to_set, is_sure_player, sort_set,
)
from game_record cimport index_of_id
from player_age cimport evidence_of_age
from sorted_numbers cimport Numbers, add_number_to, free_numbers
from thresholds cimport GameWeights

cdef enum:
    NOBODY = 0xFFFFFFFF        # no person, no name: NO_NAME of index_of_id()

# Facts of a name whose games may be decided.
cdef enum:
    IS_DOUBTFUL = 1            # its games decide, too
    IS_GIVEN_BY_USER = 2       # in a file
    IS_NICKNAME = 4            # in games on the web
    IS_NUMBERED = 8            # its source knows several players of this name

cdef double CANNOT_PLAY = -1e9
cdef double MOST_SHARE = 50.0     # a logarithm, so that no share overflows

ctypedef struct WeighedPerson:
    uint32_t person
    double by_name             # evidence
    double together            # of name and game

ctypedef struct JudgedName:
    uint32_t person
    uint32_t flags
    double probability
    double somebody_else       # evidence that no candidate is meant
    size_t candidates          # the first; those with a FIDE ID in the name's games follow them
    uint32_t candidate_count
    uint32_t tagged_count
    size_t fide_ids            # the first of those in the name's games
    size_t fide_id_count

ctypedef struct SideVerdict:
    bint is_decided
    uint32_t person
    double probability

ctypedef struct DecidedSide:
    int64_t game_id
    int64_t player
    int64_t person
    double probability
    uint8_t side

ctypedef struct SureSide:
    int64_t key
    int64_t person
    int64_t side

ctypedef struct OpenGame:
    int64_t game_id
    int64_t key


cdef class GameJudge:
    """Collects careers from games, then decides sides of games; see the stub."""
    cdef GameWeights weights
    cdef readonly PlayerCareers careers
    cdef ListedPersons persons
    cdef SurePlayers sure
    # Of each name, by rising ID.
    cdef int64_t *ids
    cdef uint32_t *person_of   # NOBODY for an unresolved name
    cdef uint32_t *row_of      # of a judged name, else NOBODY
    cdef uint8_t *is_sure      # whether its games count as those of its person
    cdef size_t count
    cdef JudgedName *judged
    cdef size_t judged_count, judged_capacity
    cdef WeighedPerson *candidates
    cdef size_t candidate_count, candidate_capacity
    cdef Numbers fide_ids
    cdef uint8_t *is_candidate  # of each person: of a name that is unresolved or doubtful
    cdef WeighedPerson *weighed  # the candidates of the current side
    cdef size_t most_weighed
    cdef object may_be_nickname, number_of
    # Of the database whose games are judged.
    cdef ClaimRules claims
    cdef DecidedSide *decided
    cdef size_t decided_count, decided_capacity
    cdef SureSide *sure_sides
    cdef size_t sure_count, sure_capacity
    cdef OpenGame *open_games
    cdef size_t open_count, open_capacity

    def __cinit__(
        self, weights not None, const int64_t[::1] names not None, ListedPersons persons not None,
        may_be_nickname not None, number_of not None,
    ):
        cdef size_t i
        self.weights = weights
        self.persons = persons
        self.careers = PlayerCareers(persons.count)
        self.claims = ClaimRules(
            0, sites=(), events=(), youth_sites=(), youth_events=(), has_nicknames=bool
        )
        self.may_be_nickname, self.number_of = may_be_nickname, number_of
        self.count = names.shape[0]
        self.ids = <int64_t *>allocate(self.count, sizeof(int64_t))
        self.person_of = <uint32_t *>allocate(self.count, sizeof(uint32_t))
        self.row_of = <uint32_t *>allocate(self.count, sizeof(uint32_t))
        self.is_sure = <uint8_t *>allocate_zeros(self.count, 1)
        self.is_candidate = <uint8_t *>allocate_zeros(persons.count, 1)
        for i in range(self.count):
            if i and names[i - 1] >= names[i]:
                raise ValueError(f"names {names[i - 1]} and {names[i]} are not in rising order")
            self.ids[i] = names[i]
            self.person_of[i] = self.row_of[i] = NOBODY

    def __dealloc__(self):
        free(self.ids)
        free(self.person_of)
        free(self.row_of)
        free(self.is_sure)
        free(self.judged)
        free(self.candidates)
        free(self.is_candidate)
        free(self.weighed)
        free(self.decided)
        free(self.sure_sides)
        free(self.open_games)
        free_numbers(&self.fide_ids)
        free_numbers(&self.sure.keys.numbers)
        free_numbers(&self.sure.players.numbers)

    def set_claims(self, ClaimRules claims not None):
        self.claims = claims

    # --- names ------------------------------------------------------------------------------------

    def add(self, use not None, identity not None, *, bint is_given, bint is_by_fide_id):
        cdef JudgedName name
        cdef uint32_t number = index_of_id(self.ids, self.count, use.player_id)
        cdef uint32_t i
        if number == NOBODY:
            raise ValueError(f"name {use.player_id} is not among the names")
        memset(&name, 0, sizeof(JudgedName))
        name.person = NOBODY if identity.person is None else self.persons.require(identity.person)
        name.probability = identity.probability
        name.candidates, name.fide_ids = self.candidate_count, self.fide_ids.count
        candidates, tagged = identity.candidates, identity.tagged
        if candidates or tagged:
            self.add_candidates(&name, candidates, tagged)
        if name.candidate_count and name.person != NOBODY and not is_by_fide_id:
            if self.name_is_doubtful(use, &name):
                name.flags |= IS_DOUBTFUL
        self.person_of[number] = name.person
        self.is_sure[number] = name.person != NOBODY and (
            name.probability >= self.weights.sure_probability or not name.flags & IS_DOUBTFUL
        )
        if not self.name_is_judged(use, &name):
            self.candidate_count = name.candidates
            return
        if name.person == NOBODY or name.flags & IS_DOUBTFUL:
            for i in range(name.candidate_count):
                self.is_candidate[self.candidates[name.candidates + i].person] = True
        if is_given:
            name.flags |= IS_GIVEN_BY_USER
        self.add_facts(use, &name)
        self.row_of[number] = <uint32_t>self.judged_count
        append_items(
            <void **>&self.judged, &self.judged_count, &self.judged_capacity, &name, 1,
            sizeof(JudgedName),
        )

    def add_resolved(self, int64_t player, person, *, bint is_sure):
        cdef uint32_t number = index_of_id(self.ids, self.count, player)
        if number == NOBODY:
            raise ValueError(f"name {player} is not among the names")
        self.person_of[number] = self.persons.require(person)
        self.is_sure[number] = is_sure

    cdef int add_candidates(self, JudgedName *name, candidates, tagged) except -1:
        cdef WeighedPerson candidate
        for pairs in (candidates, tagged):
            for person, evidence in pairs:
                candidate = WeighedPerson(self.persons.require(person), evidence, 0.0)
                append_items(
                    <void **>&self.candidates, &self.candidate_count, &self.candidate_capacity,
                    &candidate, 1, sizeof(WeighedPerson),
                )
        name.candidate_count, name.tagged_count = len(candidates), len(tagged)
        reserve(
            <void **>&self.weighed, &self.most_weighed, name.candidate_count, sizeof(WeighedPerson)
        )

    cdef int add_facts(self, use, JudgedName *name) except -1:
        """Add what is needed to decide games of a name."""
        cdef double best = 0.0, fitting
        cdef const WeighedPerson *candidate
        cdef uint32_t i
        for fide_id in use.fide_ids:
            add_number_to(&self.fide_ids, fide_id)
        name.fide_id_count = self.fide_ids.count - name.fide_ids
        if self.may_be_nickname(use.name):
            name.flags |= IS_NICKNAME
        name.somebody_else = self.weights.somebody_else
        number = self.number_of(use.name)
        if not number:
            return 0
        # The source has at least that many namesakes, who match as well as the best candidate.
        name.flags |= IS_NUMBERED
        for i in range(name.candidate_count):
            candidate = &self.candidates[name.candidates + i]
            fitting = candidate.by_name + 0.5 * self.persons.prominence(candidate.person)
            best = fitting if not i else max(best, fitting)
        name.somebody_else = max(name.somebody_else, best + log(max(int(number) - 1, 1)))

    cdef bint name_is_doubtful(self, use, const JudgedName *name) except -1:
        """Return whether the person of a name may be another one, by the name or by all games."""
        cdef const WeighedPerson *candidates = self.candidates + name.candidates
        cdef ListedPerson person = self.persons.get(name.person)
        cdef double least = INFINITY
        cdef bint has_rival = False
        cdef uint32_t i
        if name.probability < self.weights.sure_probability:
            return True
        for i in range(name.candidate_count):
            if candidates[i].person == name.person:
                least = candidates[i].by_name - self.weights.rival
        if least == INFINITY:
            raise ValueError(f"person {name.person} of name {use.player_id} is no candidate")
        for i in range(name.candidate_count):
            if candidates[i].person != name.person and candidates[i].by_name > least:
                has_rival = True
        tags = use.tags
        for country in tags.countries:
            if self.persons.country_evidence(self.persons.country_number(country), &person) < 0:
                return True
        return elos_contradict(
            &person, self.persons.required_by(tags.title), tags.lowest_elo, tags.highest_elo,
            has_rival,
        ) or is_of_wrong_age(&person, use.first_year) or is_of_wrong_age(&person, use.last_year)

    cdef bint name_is_judged(self, use, const JudgedName *name) except -1:
        """Return whether some games of a name may be decided."""
        cdef ListedPerson person
        if name.person == NOBODY:
            return name.candidate_count or name.tagged_count
        if name.flags & IS_DOUBTFUL:
            return True
        person = self.persons.get(name.person)
        if not (
            can_play_in(&person, use.first_year, False)
            and can_play_in(&person, use.last_year, False)
        ):
            return True
        fide_ids = use.fide_ids
        if fide_ids and (len(fide_ids) > 1 or person.fide_id not in fide_ids):
            return True
        if not person.fide_id or fide_ids:
            return False
        if claim_contradicts(&person, self.persons.required_by(use.highest.title), use.highest.elo):
            return True
        return self.may_be_nickname(use.name)

    def is_doubtful(self, int64_t player):
        cdef uint32_t number = index_of_id(self.ids, self.count, player)
        if number == NOBODY or self.row_of[number] == NOBODY:
            return False
        return self.judged[self.row_of[number]].flags & IS_DOUBTFUL != 0

    def judged_names(self):
        return [self.ids[i] for i in range(self.count) if self.row_of[i] != NOBODY]

    def open_names(self):
        cdef const JudgedName *name
        cdef size_t i
        result = []
        for i in range(self.count):
            if self.row_of[i] != NOBODY:
                name = &self.judged[self.row_of[i]]
                if name.candidate_count and (name.person == NOBODY or name.flags & IS_DOUBTFUL):
                    result.append(self.ids[i])
        return result

    def names_of_candidates(self):
        return [self.ids[i] for i in range(self.count) if self.sure_person(i) != NOBODY]

    cdef uint32_t sure_person(self, uint32_t number) noexcept nogil:
        """Return the person of a resolved name, if he is also a candidate of other names."""
        if number == NOBODY or not self.is_sure[number]:
            return NOBODY
        return self.person_of[number] if self.is_candidate[self.person_of[number]] else NOBODY

    cdef const JudgedName *judged_name(self, uint32_t number) noexcept nogil:
        """Return the facts of a name whose games may be decided, NULL for another name."""
        if number == NOBODY or self.row_of[number] == NOBODY:
            return NULL
        return &self.judged[self.row_of[number]]

    # --- games ------------------------------------------------------------------------------------

    def add_keys(self, GameRows rows not None):
        rows.require_columns(1)
        with nogil:
            while rows.step():
                add_to_set(&self.sure.keys, <uint64_t>rows.number(0))
            sort_set(&self.sure.keys)

    def add_sure(
        self, const int64_t[::1] keys not None, const int64_t[::1] sides not None,
        const int64_t[::1] persons not None,
    ):
        cdef Py_ssize_t i
        if not keys.shape[0] == sides.shape[0] == persons.shape[0]:
            raise ValueError("the columns of certain players have different lengths")
        for i in range(keys.shape[0]):
            add_to_set(&self.sure.keys, <uint64_t>keys[i])
        sort_set(&self.sure.keys)
        for i in range(keys.shape[0]):
            if not 0 <= sides[i] <= 1:
                raise ValueError(f"side {sides[i]} is neither 0 nor 1")
            add_sure_player(&self.sure, keys[i], sides[i], self.persons.require(persons[i]))
        sort_set(&self.sure.players)

    def collect(self, GameRows rows not None, size_t most):
        cdef PlayedGame game
        cdef size_t count = 0
        cdef int side
        rows.require_columns(GAME_COLUMNS)
        with nogil:
            while count < most and rows.step():
                count += 1
                self.read_game(rows, &game)
                for side in range(2):
                    if game.key and self.sure_person(game.sides[side].name) != NOBODY:
                        add_sure_player(
                            &self.sure, game.key, side, self.sure_person(game.sides[side].name)
                        )
                    self.add_career(rows, &game, side)
            if count < most:
                self.careers.sort()
                sort_set(&self.sure.players)
        return count

    def split(self, GameRows rows not None):
        cdef PlayedGame game
        cdef SideVerdict verdict
        cdef SureSide sure
        cdef OpenGame open_game
        cdef int side
        cdef bint is_open
        rows.require_columns(GAME_COLUMNS)
        with nogil:
            while rows.step():
                self.read_game(rows, &game)
                is_open = False
                for side in range(2):
                    sure = SureSide(game.key, self.sure_person(game.sides[side].name), side)
                    if game.key and sure.person != NOBODY:
                        append_items(
                            <void **>&self.sure_sides, &self.sure_count, &self.sure_capacity,
                            &sure, 1, sizeof(SureSide),
                        )
                    self.add_career(rows, &game, side)
                    if not self.decide_by_name(rows, &game, side, &verdict):
                        is_open = True
                if is_open:
                    open_game = OpenGame(game.game_id, game.key)
                    append_items(
                        <void **>&self.open_games, &self.open_count, &self.open_capacity,
                        &open_game, 1, sizeof(OpenGame),
                    )
                else:
                    self.decide_game(rows, &game)

    def decide(self, GameRows rows not None, size_t most):
        cdef PlayedGame game
        cdef size_t count = 0
        rows.require_columns(GAME_COLUMNS)
        with nogil:
            while count < most and rows.step():
                count += 1
                self.read_game(rows, &game)
                self.decide_game(rows, &game)
        return count

    def take_decided(self):
        cdef size_t i, count = self.decided_count
        columns = (
            array.array("q", bytes(8 * count)), array.array("B", bytes(count)),
            array.array("q", bytes(8 * count)), array.array("q", bytes(8 * count)),
            array.array("d", bytes(8 * count)),
        )
        cdef int64_t[::1] games = columns[0], players = columns[2], persons = columns[3]
        cdef uint8_t[::1] sides = columns[1]
        cdef double[::1] probabilities = columns[4]
        for i in range(count):
            games[i], sides[i] = self.decided[i].game_id, self.decided[i].side
            players[i], persons[i] = self.decided[i].player, self.decided[i].person
            probabilities[i] = self.decided[i].probability
        self.decided_count = 0
        return columns

    def take_sure(self):
        cdef bytes rows = bytes_of_rows(
            <const char *>self.sure_sides, self.sure_count * sizeof(SureSide)
        )
        self.sure_count = 0
        return rows

    def take_open(self):
        cdef bytes rows = bytes_of_rows(
            <const char *>self.open_games, self.open_count * sizeof(OpenGame)
        )
        self.open_count = 0
        return rows

    cdef int read_game(self, GameRows rows, PlayedGame *game) except -1 nogil:
        cdef int side
        rows.read_game(game, &self.persons.title_texts, &self.persons.country_texts)
        for side in range(2):
            game.sides[side].name = index_of_id(
                self.ids, self.count, game.sides[side].player
            )

    cdef int add_career(self, GameRows rows, const PlayedGame *game, int side) except -1 nogil:
        """Add a game to the career of a candidate who certainly played it and may have done so."""
        cdef const PlayedSide *of_side = &game.sides[side]
        cdef uint32_t person = self.sure_person(of_side.name)
        cdef const JudgedName *name = self.judged_name(of_side.name)
        if person == NOBODY or (
            name != NULL and not self.is_possible(rows, name, <PlayedGame *>game, side)
        ):
            return 0
        self.careers.add(
            person, opponent_number(game, side), game.year, event_key(game.event, game.year),
            game.source, of_side.elo,
        )

    cdef bint has_fide_id(self, const JudgedName *name, int64_t fide_id) noexcept nogil:
        """Return whether a game of a name has a FIDE ID."""
        cdef size_t i
        for i in range(name.fide_ids, name.fide_ids + name.fide_id_count):
            if <int64_t>self.fide_ids.items[i] == fide_id:
                return True
        return False

    # --- decisions --------------------------------------------------------------------------------

    cdef bint is_old_enough(
        self, const ListedPerson *person, const PlayedGame *game, int side
    ) noexcept nogil:
        """Return whether a person was alive and no small child."""
        cdef int64_t fide_id = game.sides[side].fide_id
        cdef bint has_id = fide_id and fide_id == person.fide_id
        return can_play_in(person, game.year, has_id or self.claims.is_youth(game))

    cdef bint is_possible(
        self, GameRows rows, const JudgedName *name, PlayedGame *game, int side
    ) except -1 nogil:
        """Return whether a name's person can have played a game."""
        cdef ListedPerson person = self.persons.get(name.person)
        if not self.is_old_enough(&person, game, side):
            return False
        if name.flags & IS_GIVEN_BY_USER:
            return True
        # If the years fit, a FIDE ID in any game of the name decides.
        if not person.fide_id or self.has_fide_id(name, person.fide_id):
            return True
        if name.flags & IS_NICKNAME and self.claims.is_on_web(rows, game):
            return False
        return not (
            claim_contradicts(&person, game.sides[side].claimed.required, game.sides[side].elo)
            and self.claims.has_claims(rows, game)
        )

    cdef bint is_doubtful_game(
        self, const JudgedName *name, const PlayedGame *game, int side
    ) noexcept nogil:
        """Return whether a game of a doubtful name may be another person's.

        If the name alone is enough, those games are that contradict its person.
        """
        cdef const PlayedSide *of_side = &game.sides[side]
        cdef ListedPerson person
        if not name.flags & IS_DOUBTFUL:
            return False
        if name.probability < self.weights.sure_probability:
            return True
        person = self.persons.get(name.person)
        return (
            self.persons.country_evidence(of_side.country, &person) < 0
            or elos_contradict(&person, of_side.claimed.required, of_side.elo, of_side.elo, True)
            or is_of_wrong_age(&person, game.year)
        )

    cdef uint32_t tagged_person(
        self, const JudgedName *name, const PlayedGame *game, int side
    ) noexcept nogil:
        """Return the candidate of a name with the FIDE ID of a game, NOBODY if there is none."""
        cdef const WeighedPerson *candidates = self.candidates + name.candidates
        cdef ListedPerson person
        cdef uint32_t i
        if not game.sides[side].fide_id:
            return NOBODY
        for i in range(name.candidate_count + name.tagged_count):
            person = self.persons.get(candidates[i].person)
            if person.fide_id == game.sides[side].fide_id:
                if candidates[i].person != name.person and self.is_old_enough(&person, game, side):
                    return candidates[i].person
                return NOBODY
        return NOBODY

    cdef bint decide_by_name(
        self, GameRows rows, PlayedGame *game, int side, SideVerdict *verdict
    ) except -1 nogil:
        """Decide a side by name and FIDE ID; return False if only evidence can decide it."""
        cdef const JudgedName *name = self.judged_name(game.sides[side].name)
        cdef uint32_t tagged
        verdict[0] = SideVerdict(False, NOBODY, 0.0)
        if name == NULL:
            return True
        tagged = self.tagged_person(name, game, side)
        if tagged != NOBODY:
            verdict[0] = SideVerdict(True, tagged, 1.0)
            return True
        if (
            name.person != NOBODY and not self.is_doubtful_game(name, game, side)
            and self.is_possible(rows, name, game, side)
        ):
            return True
        if name.flags & IS_NICKNAME and self.claims.is_on_web(rows, game):
            verdict.is_decided = name.person != NOBODY
            return True
        return False

    cdef int decide_side(
        self, GameRows rows, PlayedGame *game, int side, SideVerdict *verdict
    ) except -1 nogil:
        """Decide a side; for a doubtful name, the player may be that of the name."""
        cdef const JudgedName *name
        if self.decide_by_name(rows, game, side, verdict):
            return 0
        name = self.judged_name(game.sides[side].name)
        self.weigh(rows, name, game, side)
        self.choose(name, verdict)
        if verdict.person != NOBODY:
            return 0
        if name.person == NOBODY:
            verdict.is_decided = False
        elif name.flags & IS_DOUBTFUL and self.is_possible(rows, name, game, side):
            verdict.probability = self.revised_probability(name)
            verdict.is_decided = verdict.probability < self.weights.least_of_name
        return 0

    cdef int decide_game(self, GameRows rows, PlayedGame *game) except -1 nogil:
        """Decide both sides; a player matched to both sides is assigned to neither."""
        cdef SideVerdict verdicts[2]
        cdef uint32_t persons[2]
        cdef const PlayedSide *of_side
        cdef DecidedSide decided
        cdef int side
        for side in range(2):
            of_side = &game.sides[side]
            self.decide_side(rows, game, side, &verdicts[side])
            persons[side] = NOBODY
            if verdicts[side].is_decided:
                persons[side] = verdicts[side].person
            elif of_side.name != NOBODY:
                persons[side] = self.person_of[of_side.name]
        for side in range(2):
            if not verdicts[side].is_decided:
                continue
            of_side = &game.sides[side]
            if persons[0] == persons[1] != NOBODY and not of_side.fide_id:
                verdicts[side] = SideVerdict(True, NOBODY, 0.0)
            decided = DecidedSide(
                game.game_id, of_side.player, verdicts[side].person, verdicts[side].probability,
                side,
            )
            if verdicts[side].person == NOBODY:
                decided.person = -1
            append_items(
                <void **>&self.decided, &self.decided_count, &self.decided_capacity, &decided, 1,
                sizeof(DecidedSide),
            )

    cdef int weigh(
        self, GameRows rows, const JudgedName *name, PlayedGame *game, int side
    ) except -1 nogil:
        """Set the evidence of name and game for each candidate of a name."""
        cdef const WeighedPerson *candidate
        cdef uint32_t i
        cdef bint is_own
        for i in range(name.candidate_count):
            candidate = &self.candidates[name.candidates + i]
            # The games of a name are no evidence for the name itself.
            is_own = candidate.person == name.person and self.is_sure[game.sides[side].name]
            self.weighed[i] = candidate[0]
            self.weighed[i].together = candidate.by_name + self.evidence_of_side(
                rows, name, game, side, candidate.person, is_own
            )

    cdef double evidence_of_side(
        self, GameRows rows, const JudgedName *name, PlayedGame *game, int side, uint32_t number,
        bint is_own,
    ) except? -1 nogil:
        """Return the evidence of a side of a game for a person, apart from the name."""
        cdef const GameWeights *w = &self.weights
        cdef const PlayedSide *of_side = &game.sides[side]
        cdef ListedPerson person = self.persons.get(number)
        cdef bint name_has_id = self.has_fide_id(name, person.fide_id)
        cdef bint has_career = not is_own and self.careers.careers.years[number].has_games
        cdef bint presence
        cdef double value
        if not self.is_old_enough(&person, game, side):
            return CANNOT_PLAY
        if (
            not name_has_id and (not person.fide_id or of_side.fide_id != person.fide_id)
            and claim_contradicts(&person, of_side.claimed.required, of_side.elo)
            and self.claims.has_claims(rows, game)
        ):
            return CANNOT_PLAY
        value = evidence_of_tags(w, of_side, &person, name_has_id)
        value += self.persons.country_evidence(of_side.country, &person)
        if game.year:
            value += evidence_of_age(
                person.born, person.died, game.year, game.year, self.claims.is_youth(game)
            )
        if game.key and not is_own and is_sure_player(&self.sure, game.key, side, number):
            value += w.same_game
        value += evidence_of_rating(
            of_side.elo, game.year, &person, &self.careers.careers if has_career else NULL, number
        )
        if has_career:
            # Rivals are not present under a doubtful name, but its person may be under no other
            # one. A source that numbers namesakes would have the number in the other games.
            presence = not name.flags & (IS_NUMBERED | IS_DOUBTFUL)
            value += evidence_of_career(
                w, game, side, &self.careers.careers, number, presence
            )
            if presence:
                value += w.in_collection
        return value

    cdef void choose(self, const JudgedName *name, SideVerdict *verdict) noexcept nogil:
        """Choose the candidate with the most evidence, nobody if it is not enough."""
        cdef double best = -INFINITY, top = name.somebody_else, total, value
        cdef uint32_t person = NOBODY, i
        verdict[0] = SideVerdict(True, NOBODY, 0.0)
        for i in range(name.candidate_count):
            if self.weighed[i].together > CANNOT_PLAY / 2:
                value = self.total_of(i)
                if value > best or (value == best and self.weighed[i].person < person):
                    best, person = value, self.weighed[i].person
        if person == NOBODY:
            return
        top = max(top, best)
        total = exp(name.somebody_else - top)
        for i in range(name.candidate_count):
            if self.weighed[i].together > CANNOT_PLAY / 2:
                total += exp(self.total_of(i) - top)
        verdict.probability = exp(best - (top + log(total)))
        if verdict.probability >= self.weights.least_of_game:
            verdict.person = person

    cdef double total_of(self, uint32_t i) noexcept nogil:
        """Return the evidence for a candidate of the current side, with half of the prominence."""
        return self.weighed[i].together + 0.5 * self.persons.prominence(self.weighed[i].person)

    cdef double revised_probability(self, const JudgedName *name) noexcept nogil:
        """Return the probability of a name's person after the evidence of a game.

        All who are no candidates keep their share.
        """
        cdef const WeighedPerson *weighed
        cdef double top = 0.0, before = 0.0, after = 0.0, of_person = 0.0, share, others
        cdef uint32_t i
        for i in range(name.candidate_count):
            if self.weighed[i].person == name.person:
                top = self.weighed[i].by_name + self.persons.prominence(name.person)
        for i in range(name.candidate_count):
            weighed = &self.weighed[i]
            share = exp(min(
                weighed.by_name + self.persons.prominence(weighed.person) - top, MOST_SHARE
            ))
            before += share
            if weighed.together < CANNOT_PLAY / 2:
                share = 0.0
            else:
                share *= exp(weighed.together - weighed.by_name)
            after += share
            if weighed.person == name.person:
                of_person = share
        others = max(1 / name.probability - before, 0.0)
        return of_person / (others + after) if of_person else 0.0
