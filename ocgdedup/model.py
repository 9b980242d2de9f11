"""Records that cross layers, how tags and moves are split, and the interface for progress.

Named tuples, not dataclasses: those import `inspect`, a tenth of the start-up time of a command.
"""

# No `from __future__ import annotations`: a named tuple compiles each annotation that is a string.
import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from ocgdedup.errors import IntegrityError

PLY_BYTES = 2  # of a ply in a move blob
# Tags (SGF: properties) with the original texts of names that were garbled and have been repaired.
ORIGINAL_NAMES = ("OriginalEvent", "OriginalSite", "OriginalWhite", "OriginalBlack")
ORIGINAL_GO_NAMES = ("ORIGINALEV", "ORIGINALPC", "ORIGINALPW", "ORIGINALPB")
BEST_HEADER = "best-header"  # the default criterion for the kept game
# The annotations of the kept game: of all records, of the record with the most text, its own.
ANNOTATIONS = ALL_ANNOTATIONS, LONGEST_ANNOTATIONS, OWN_ANNOTATIONS = ("merge", "longest", "kept")
USUAL_LINES, MOST_LINES = 19, 25  # of a Go board


class ListFiles(NamedTuple):
    """The player lists that a user names; `month` ("YYYY-MM") overrides the rating list's month.

    `may_be_older`: the rating list may replace a newer one.
    """

    fide: str | None = None
    aliases: str | None = None
    month: str | None = None
    may_be_older: bool = False

    def paths(self) -> list[str]:
        return [path for path in (self.fide, self.aliases) if path is not None]


class FaultNotice(NamedTuple):
    """A game that is stored up to the first error in its moves."""

    source: str
    line: int
    number: int
    ply: int
    reason: str


class RejectNotice(NamedTuple):
    """A rejected text: it is not a game, and is written to the reject file unchanged."""

    source: str
    line: int
    number: int
    reason: str


class LoadedText(NamedTuple):
    """An input text that was read; `is_repeated`: the same bytes had been loaded before."""

    name: str
    sha256: str
    is_repeated: bool = False


class IngestSummary(NamedTuple):
    """The result of loading games; `first_id` is the ID of the first game.

    `damaged`: number of files and archive members that could not be read to the end, or that
    changed while they were read; `skipped`: names of those that were imported before. `is_go`:
    whether the games are Go games; if there are none, whether the first text is SGF. `unwanted`:
    number of games that are stored as deleted, since the user deleted their records before.
    """

    first_id: int
    games: int
    faults: int
    rejects: int
    damaged: int
    skipped: tuple[str, ...] = ()
    is_go: bool = False
    texts: tuple[LoadedText, ...] = ()
    unwanted: int = 0


class Terms(NamedTuple):
    """Summands of the score of two games; the search kernel has the same fields."""

    moves: float
    differences: float
    white: float
    black: float
    date: float
    round: float
    event: float
    site: float
    result: float
    elo: float
    source: float
    colours: float


class Reason:
    """Why a value of another record replaces the kept game's value: MergedTags.Reason."""

    MISSING = "missing"  # in the kept game
    SUPPORTED = "spelling frequency"  # in all records of the database
    ROUND_DAY = "round day"
    FIDE = "FIDE"
    CONFIRMED = "moves"  # which confirm an ECO code
    MAJORITY = "majority"
    EXACT = "more exact"
    RELIABLE = "more reliable record"  # it has fewer worse fields
    DECIDED = "your decision"  # about a name
    CORRECTED = "your correction"
    TIDIED = "tidied"  # by the command tidy, without another record


class Comparison(NamedTuple):
    """The kernel's verdict on two games; its codes and their words are in matching/evidence.py.

    `kind`: how the moves are related, see STATUS_OF_KIND. `is_swapped`: the headers have different
    colours. `in_gates`: near-identical by all measures. `plies`: number of shared plies, in order;
    `first_difference`: plies before the first difference. `transposed`: plies of an opening with
    the same moves in another order, 0 for none. `differences`: indel distance, after a transposed
    opening; `longer`: additional plies at the end of a game (of a continuation: at the beginning).
    `ratio`, `winkler`: similarities, 0.0 if not computed; `distance`: the indel distance of the
    same plies. `refused`: bits of the user's limits that the pair fails, see REFUSALS. `sides`,
    `date`, `round`, `event`, `site`: codes. `theory`: plies shared with unrelated games. In Go,
    `symmetry` is the number of the rotation or reflection that makes the second record match the
    first, 0 for none. `terms`: summands of `score`. `verdict`: NON_MATCH, POSSIBLE_MATCH or MATCH;
    `rule`: the rule that decides it instead of the score, see RULES.
    """

    kind: int
    is_swapped: bool
    in_gates: bool
    plies: int
    first_difference: int
    transposed: int
    differences: int
    longer: int
    ratio: float
    winkler: float
    distance: int
    refused: int
    sides: tuple[int, int]
    date: int
    round: int
    event: int
    site: int
    theory: int
    symmetry: int
    terms: Terms
    score: float
    verdict: int
    rule: int


class GroupsFound(NamedTuple):
    """The groups of two or more games, sorted by their first ID.

    `ids`: of all groups in sequence, rising within a group ("q"); `lines`: for each ID the number
    of its mainline, equal for equal games ("I"); `ends`: for each group the index after its last
    game ("Q").
    """

    ids: "array[int]"
    lines: "array[int]"
    ends: "array[int]"


class KernelMerges(NamedTuple):
    """Merges of the search kernel; rows refer to parts of `texts`."""

    rows: bytes
    texts: bytes


class KeptGames(NamedTuple):
    """The kernel's result for some groups: see GroupResolver.resolve().

    `kinds`: bits (OPEN, HEADERS, NOTES, COLOURS) of each group; `kept_ids`: its kept game; `plies`:
    plies of the kept game; `scores`, `notes`: header score and kinds of annotations of each game.
    For OPEN groups only `kinds` is set. `merges`: for write_kernel_merges().
    """

    kinds: bytearray
    kept_ids: "array[int]"
    scores: "array[int]"
    notes: bytearray
    plies: "array[int]"
    merges: KernelMerges


class PossibleDuplicate(NamedTuple):
    """Two games (IDs, the lower first) that are possible duplicates."""

    first: int
    second: int
    score: float


Numbers: TypeAlias = Any  # array.array or numpy array, which mypy does not accept as a Buffer


class OrderFacts(NamedTuple):
    """Facts about each game of a part of a search, by its index in the order by moves.

    `ids` ("q"); `lines`: the first index of its mainline ("I"); `is_open`: 1 if games of that
    mainline are not all paired with each other ("B"); `ends`: the index after the games that
    continue it ("I"); `shared`: plies shared with the previous game, -1 if there is none or its
    start differs ("i"); `plies`, `theory` ("I").
    """

    ids: Numbers
    lines: Numbers
    is_open: Numbers
    ends: Numbers
    shared: Numbers
    plies: Numbers
    theory: Numbers


class PairColumns(NamedTuple):
    """Candidate pairs: the IDs or indexes of their games ("q"), and their conditions ("B")."""

    left: Numbers
    right: Numbers
    conditions: Numbers


class EqualRecord(NamedTuple):
    """A record in several sources; records with equal roster and rank are the same game."""

    game_id: int
    roster: int
    rank: int
    sources: Sequence[int]


class EventCount(NamedTuple):
    """The number of records of an event in a source, round and day, or (source None) at a site.

    `value`: the date, or the ID of the site. Round and date: see HeaderCounts.days_of().
    """

    event_id: int
    source: int | None
    round: int
    value: int
    games: int


class NameForm(NamedTuple):
    """A parsed name; words are in plain lower-case letters, in the order written.

    `is_ordered`: a comma follows the surname; without a comma all words are in `surname`.
    `country`: FIDE's code. `generation` is "1" for a father, "2" for a son, "3" for a grandson, ""
    if not given. `number`: digits that distinguish namesakes in a source. `is_handle`: a nickname
    or a program, with its digits. The name of an unknown player has no words.
    """

    surname: tuple[str, ...]
    given: tuple[str, ...]
    is_ordered: bool
    country: str = ""
    birth_year: int | None = None
    generation: str = ""
    number: str = ""
    is_handle: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        return self.surname + self.given


class FidePlayer(NamedTuple):
    """A player of a rating list; "" or None for absent values.

    `country` is FIDE's code of the federation, `sex` "M" or "F", `title` the highest title ("GM",
    "WIM", ...), the ratings are Elo points, `flag` is FIDE's ("i" inactive, "w" woman, "wi").
    """

    fide_id: int
    name: str
    country: str
    sex: str
    title: str
    rating: int | None
    rapid: int | None
    blitz: int | None
    birth_year: int | None
    flag: str


class Person(NamedTuple):
    """A player, with the canonical name.

    `title` is FIDE's ("" none), `country` the code of a federation, `rating` the standard rating of
    the list in Elo points, `is_active` is False for players whom FIDE lists as inactive.
    """

    name: str
    fide_id: int | None = None
    title: str = ""
    country: str = ""
    birth_year: int | None = None
    death_year: int | None = None
    rating: int | None = None
    sex: str = ""
    is_active: bool = True


class PlayerColumns(NamedTuple):
    """The players of a rating list, by FIDE ID.

    `ends`: of each player's name in `names`, UTF-8; `birth_years`, `ratings`: 0 if unknown;
    `facts`: indexes in `fact_list`, of title, federation, sex and whether the player is active.
    """

    names: bytes
    ends: "array[int]"
    fide_ids: "array[int]"
    birth_years: "array[int]"
    ratings: "array[int]"
    facts: "array[int]"
    fact_list: list[tuple[str, str, str, bool]]


class AliasGroup(NamedTuple):
    """One player of a spelling file: the canonical name and other spellings of it."""

    name: str
    aliases: tuple[str, ...]
    title: str
    country: str
    birth_year: int | None
    death_year: int | None
    fide_id: int | None


class SpellingLine(NamedTuple):
    """A line of a spelling file that says more than a spelling; `line` is its number.

    `section` and `kind`: see the table SpellingLines. `name` is a canonical name, `value` a
    spelling of it, the wrong part of a name, or the text of the line.
    """

    line: int
    section: str
    kind: str
    name: str
    value: str


class GivenDecision(NamedTuple):
    """A user's decision about two games; `location` names its line in a file for messages.

    `decision` is "same", "different", or None to revert an earlier decision; `kept_id` is the one
    of the two games that the user wants to keep. `note` None: the stored note stays.
    """

    location: str
    first: int
    second: int
    decision: str | None
    kept_id: int | None = None
    note: str | None = None


class DecidedName(NamedTuple):
    """A name that the user decided about, in all games or in one game (`game_id`)."""

    name: str
    game_id: int | None = None

    def __str__(self) -> str:
        return self.name if self.game_id is None else f"{self.name}@{self.game_id}"


class NameDecision(NamedTuple):
    """A user's decision about a name.

    `decision`: "same" or "different" player as `other`, or "name": `other` is the canonical name of
    the player, never in one game.
    """

    decision: str
    name: DecidedName
    other: DecidedName

    def __str__(self) -> str:
        option = f"--{self.decision}"
        return f"{option} {quoted_name(str(self.name))} {quoted_name(str(self.other))}"


class GivenNameDecision(NamedTuple):
    """A decision about a name; `location` names its line in a file, "" for the command line."""

    location: str
    decision: NameDecision


def quoted_name(name: str) -> str:
    """Return a name in the quotes of a shell."""
    return "'" + name.replace("'", "'\\''") + "'"


class Reporter(Protocol):
    """The interface for progress of long phases; the command line implements it."""

    def start(
        self, phase: str, total_bytes: int | None, total_games: int | None, unit: str = "games"
    ) -> None:
        """Begin a phase; `unit`: the noun for what is counted."""

    def advance(self, games: int, position_bytes: int) -> None:
        """Report the number of finished games, and the position in the input."""

    def warn(self, message: str) -> None:
        """Show a warning."""

    def finish(self) -> None:
        """End the phase."""


class SilentReporter:
    """A reporter that prints nothing."""

    def start(self, *_: object, **__: object) -> None: ...
    def advance(self, *_: object) -> None: ...
    def finish(self) -> None: ...
    def warn(self, message: str) -> None: ...


class TournamentRecord(NamedTuple):
    """A record: the values that were read, and the current ones (`now_`). Missing texts are "".

    `group`: the ID of the kept game. `is_kept`: not a duplicate, and not deleted. `event_date`,
    `utc_date`: tags, if a part of the date is missing.
    """

    group: int
    event: str
    site: str
    date: str
    round: str
    white: str
    black: str
    is_kept: bool
    game_id: int
    now_event: str
    now_site: str
    now_date: str
    now_round: str
    event_date: str
    utc_date: str


class GameHeader(NamedTuple):
    """The header of a stored game, with names as texts; game_columns.txt explains the fields.

    `extra_tags` is a JSON object as text. Absent texts are None; for names, event, site and round
    "?" is an absent text. The FIDE IDs are those of the persons.
    """

    game_id: int
    event: str | None
    site: str | None
    date: str | None
    round: str | None
    white: str | None
    black: str | None
    white_elo: int | None
    black_elo: int | None
    result: str | None
    time_control: str | None
    eco: str | None
    date_quality: int | None
    extra_tags: str | None
    white_person_id: int | None
    black_person_id: int | None
    core_hash: int | None
    plies: int
    has_comments: bool
    has_variations: bool
    white_fide_id: int | None
    black_fide_id: int | None


def plies_of(blob: bytes) -> list[bytes]:
    """Split a move blob into plies, to compare them."""
    return [blob[i : i + PLY_BYTES] for i in range(0, len(blob), PLY_BYTES)]


_MANY_TAGS_BYTES = 1 << 16  # of JSON
_JSON_BLANKS = (" ", "\t", "\r", "\n")


def extra_tags_of(game_id: int, text: str | bytes | None, database: str = "FILE") -> dict[str, str]:
    """Return the tags of a game's ExtraTags; a value that is not a text, as JSON.

    Raise IntegrityError if ExtraTags is not a JSON object; `database`: the file to name in it.
    """
    if not text:
        return {}
    try:
        tags = json.loads(text)
        if "\\u" in str(text):  # half of a pair of surrogates, which is no character
            whole = json.dumps(tags, ensure_ascii=False).encode("utf-8", "replace")
            tags = json.loads(whole)
    except (ValueError, RecursionError):
        tags = None
    if not isinstance(tags, dict):
        raise _tags_error(game_id, database)
    return {name: _tag_text(value) for name, value in tags.items()}


def extra_tag_pairs(game_id: int, text: str, database: str) -> Iterable[tuple[str, str]]:
    """Return the pairs of extra_tags_of(), to iterate any number of times.

    Of a long text only one tag at a time is in memory.
    """
    if len(text) < _MANY_TAGS_BYTES:
        return extra_tags_of(game_id, text, database).items()
    return _ScannedTags(game_id, text, database)


class _ScannedTags:
    """Tags that each iteration reads from JSON."""

    def __init__(self, game_id: int, text: str, database: str) -> None:
        self._source = game_id, text, database

    def __iter__(self) -> Iterator[tuple[str, str]]:
        game_id, text, database = self._source
        scan = json.JSONDecoder().raw_decode
        sign, index = _next_sign(text, 0)
        expected = "{"
        if sign == expected and _next_sign(text, index)[0] == "}":
            sign, index = _next_sign(text, index)
        while sign == expected:
            try:
                name, index = scan(text, _skip_blanks(text, index))
                sign, index = _next_sign(text, index)
                value, index = scan(text, _skip_blanks(text, index))
            except (ValueError, RecursionError) as error:
                raise _tags_error(game_id, database) from error
            if not isinstance(name, str) or sign != ":":
                break
            yield name, _tag_text(value)
            sign, index = _next_sign(text, index)
            expected = ","
        if sign != "}" or _skip_blanks(text, index) < len(text):
            raise _tags_error(game_id, database)


def _skip_blanks(text: str, index: int) -> int:
    while text[index : index + 1] in _JSON_BLANKS:
        index += 1
    return index


def _next_sign(text: str, index: int) -> tuple[str, int]:
    index = _skip_blanks(text, index)
    return text[index : index + 1], index + 1


def _tag_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _tags_error(game_id: int, database: str) -> IntegrityError:
    return IntegrityError(
        f"game {game_id}: its ExtraTags are not a JSON object; run 'ocgdedup check {database}' to "
        "find all such games, and correct them by hand"
    )
