"""What crosses layers: small immutable records, how tags and moves are cut, progress.

Named tuples, not dataclasses: those import `inspect`, a tenth of the start-up time of a command.
"""

# Not `from __future__ import annotations`: a named tuple compiles each annotation that is a text.
import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from ocgdedup.errors import IntegrityError

PLY_BYTES = 2  # of a half-move in a move blob
# Tags that keep names as they stood in the source where these were garbled, and so repaired: of
# event, site, White and Black. Of Go: properties.
ORIGINAL_NAMES = ("OriginalEvent", "OriginalSite", "OriginalWhite", "OriginalBlack")
ORIGINAL_GO_NAMES = ("ORIGINALEV", "ORIGINALPC", "ORIGINALPW", "ORIGINALPB")
BEST_HEADER = "best-header"  # the usual way to choose the kept game of a group
# Whose annotations the kept game has: of all records, of the one with the most text, its own.
ANNOTATIONS = ALL_ANNOTATIONS, LONGEST_ANNOTATIONS, OWN_ANNOTATIONS = ("merge", "longest", "kept")
USUAL_LINES, MOST_LINES = 19, 25  # of a Go board


class ListFiles(NamedTuple):
    """The lists to look names up in; `month` ("YYYY-MM") is used in place of the list's own.

    `may_be_older`: the rating list may replace a newer one.
    """

    fide: str | None = None
    aliases: str | None = None
    month: str | None = None
    may_be_older: bool = False

    def paths(self) -> list[str]:
        """Return the files."""
        return [path for path in (self.fide, self.aliases) if path is not None]


class FaultNotice(NamedTuple):
    """A game that was kept up to an error."""

    source: str
    line: int
    number: int
    ply: int
    reason: str


class RejectNotice(NamedTuple):
    """A block of text that is no game; it went to the reject file as it is."""

    source: str
    line: int
    number: int
    reason: str


class LoadedText(NamedTuple):
    """A text that a load has read; `is_repeated`: one of the same bytes had been loaded before."""

    name: str
    sha256: str
    is_repeated: bool = False


class IngestSummary(NamedTuple):
    """What a load did; `first_id` is the ID of its first game.

    `damaged`: files and members of archives that could not be read to their end, and files that
    changed meanwhile; `skipped`: names of those that were in the database already. `is_go`:
    games of Go, not of chess; without a game, what the first text was taken for. `texts`: those
    that were read.
    """

    first_id: int
    games: int
    faults: int
    rejects: int
    damaged: int
    skipped: tuple[str, ...] = ()
    is_go: bool = False
    texts: tuple[LoadedText, ...] = ()


class Terms(NamedTuple):
    """Summands of the score of two games; the search kernel has the same names."""

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
    """Why a value of another record takes the place of the kept game's: MergedTags.Reason."""

    MISSING = "missing"  # the kept game has none
    SUPPORTED = "spelling frequency"  # all records of the database decide so
    ROUND_DAY = "round day"
    FIDE = "FIDE"
    MAJORITY = "majority"
    EXACT = "more exact"
    RELIABLE = "more reliable record"  # with fewer fields that are worse than another's


class Comparison(NamedTuple):
    """The verdict of the kernel on two games; the words for it are in matching/evidence.py.

    `kind`: see KINDS. `is_swapped`: colours, in the headers. `in_gates`: nearly the same by all
    measures. `plies`: shared, in order; `first_difference`: those before it. `transposed`: plies
    of an opening that is the same in another order, 0 for none. `differences`: indel distance, of
    a transposed opening from its end on; `longer`: plies by which one goes on (of a continuation:
    that went before). `ratio`, `winkler`: similarities, 0.0 if not asked for; `distance`: the indel
    distance, measured as these are. `refused`: limits that the user named and the pair does not
    keep, see REFUSALS. `sides`, `date`, `round`, `event`, `site`: codes. `theory`: plies shared
    with games of others. In Go, `symmetry` is the number of the rotation or reflection that makes
    the second record match the first, 0 for none. `terms`: summands of `score`. `verdict`:
    NON_MATCH, POSSIBLE_MATCH or MATCH; `rule`: what decides it in place of the score, see RULES.
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

    `ids`: group after group and rising within a group ("q"); `lines`: for each ID the number of its
    mainline, equal for equal games ("I"); `ends`: for each group the index after its last game
    ("Q").
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

    `kinds`: bits (OPEN, HEADERS, NOTES, COLOURS) of each group; `masters`: its kept game; `plies`:
    plies of the kept game; `scores`, `notes`: header score and kinds of annotations of each game.
    For OPEN groups only `kinds` is set. `merges`: the kernel's own merges, for
    write_kernel_merges().
    """

    kinds: bytearray
    masters: "array[int]"
    scores: "array[int]"
    notes: bytearray
    plies: "array[int]"
    merges: KernelMerges


class SuspectFound(NamedTuple):
    """Two games (first < second) that are possible duplicates."""

    first: int
    second: int
    score: float


Numbers: TypeAlias = Any  # array.array or numpy array, which mypy does not accept as a Buffer


class OrderFacts(NamedTuple):
    """Facts about each game from the order of a part of a search, by place.

    `ids` ("q"); `lines`: the first place of its mainline ("I"); `is_open`: 1 if games of that
    mainline are not all paired with each other ("B"); `ends`: the place after the games that
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
    """Candidate pairs: the IDs or places of their games ("q"), and their conditions ("B")."""

    left: Numbers
    right: Numbers
    conditions: Numbers


class EqualRecord(NamedTuple):
    """A record that several sources have: those with equal roster and rank are the same game."""

    game_id: int
    roster: int
    rank: int
    sources: Sequence[int]


class EventCount(NamedTuple):
    """Records of an event in a source and a round on a day; or, without a source, at a site.

    `value`: the date, or the ID of the site. Round and date: see HeaderCounts.days_of().
    """

    event_id: int
    source: int | None
    round: int
    value: int
    games: int


class NameForm(NamedTuple):
    """A parsed name; words are in plain lower-case letters, in the order written.

    `is_ordered`: a comma shows which words are the surname; without a comma all words are in
    `surname`. `country`: FIDE's code. `generation` is "1" for a father, "2" for a son, "3" for a
    grandson, "" if not given. `number`: digits by which a source tells namesakes apart.
    `is_handle`: a nickname or a program, with its digits. An unknown name has no words.
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
    """A player of a rating list; "" or None where the list says nothing.

    `country` is FIDE's code of the federation, `sex` "M" or "F", `title` the best one ("GM",
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
    """Someone who plays: the canonical name and what is known of him.

    `title` is FIDE's ("" none), `country` the code of a federation, `rating` the standard one of
    the list in Elo points, `is_active` is False for one who no longer plays rated games.
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


class AliasGroup(NamedTuple):
    """One player of a spelling file: the canonical name and other spellings of it."""

    name: str
    aliases: tuple[str, ...]
    title: str
    country: str
    birth_year: int | None
    death_year: int | None
    fide_id: int | None


class GivenDecision(NamedTuple):
    """What a user decided about two games, as a file has it; `place` names its line for messages.

    `decision` is "same", "different", or None, which takes back what was decided; `master` the
    one of the two that he wants to stay.
    """

    place: str
    first: int
    second: int
    decision: str | None
    master: int | None = None


class Reporter(Protocol):
    """What a long phase tells while it runs; implementations live in the command line."""

    def start(
        self, phase: str, total_bytes: int | None, total_games: int | None, unit: str = "games"
    ) -> None:
        """Begin a phase of known size in bytes or games, if either is known.

        `unit`: what is counted where it is no games, such as names.
        """

    def advance(self, games: int, position_bytes: int) -> None:
        """Tell how many games are done, and how many bytes of the input."""

    def warn(self, message: str) -> None:
        """Tell what the user should know though the work goes on."""

    def finish(self) -> None:
        """End the phase."""


class GameHeader(NamedTuple):
    """The header of a stored game, names as texts; the columns of Games say what each holds.

    `extra_tags` is a JSON object as text. Texts are None where the game has none: "?" counts as
    none for names, event, site and round. The FIDE numbers are those of the persons.
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
    """Cut a move blob into half-moves, to be compared."""
    return [blob[at : at + PLY_BYTES] for at in range(0, len(blob), PLY_BYTES)]


_MANY_TAGS_BYTES = 1 << 16  # of JSON
_JSON_BLANKS = (" ", "\t", "\r", "\n")


def extra_tags_of(game_id: int, text: str | bytes | None, database: str = "FILE") -> dict[str, str]:
    """Return the tags of a game's ExtraTags; what is no text there, as JSON.

    Raises IntegrityError if they are no JSON object; `database` is the file to check then.
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
        raise _no_tags(game_id, database)
    return {name: _tag_text(value) for name, value in tags.items()}


def extra_tag_pairs(game_id: int, text: str, database: str) -> Iterable[tuple[str, str]]:
    """Return the tags of extra_tags_of(); of a long text, one at a time is in memory.

    They can be read several times.
    """
    if len(text) < _MANY_TAGS_BYTES:
        return extra_tags_of(game_id, text, database).items()
    return _ScannedTags(game_id, text, database)


class _ScannedTags:
    """Tags that are read from JSON anew each time."""

    def __init__(self, game_id: int, text: str, database: str) -> None:
        self._source = game_id, text, database

    def __iter__(self) -> Iterator[tuple[str, str]]:
        game_id, text, database = self._source
        scan = json.JSONDecoder().raw_decode
        sign, place = _next_sign(text, 0)
        expected = "{"
        if sign == expected and _next_sign(text, place)[0] == "}":
            sign, place = _next_sign(text, place)
        while sign == expected:
            try:
                name, place = scan(text, _skip_blanks(text, place))
                sign, place = _next_sign(text, place)
                value, place = scan(text, _skip_blanks(text, place))
            except (ValueError, RecursionError) as error:
                raise _no_tags(game_id, database) from error
            if not isinstance(name, str) or sign != ":":
                break
            yield name, _tag_text(value)
            sign, place = _next_sign(text, place)
            expected = ","
        if sign != "}" or _skip_blanks(text, place) < len(text):
            raise _no_tags(game_id, database)


def _skip_blanks(text: str, place: int) -> int:
    while text[place : place + 1] in _JSON_BLANKS:
        place += 1
    return place


def _next_sign(text: str, place: int) -> tuple[str, int]:
    place = _skip_blanks(text, place)
    return text[place : place + 1], place + 1


def _tag_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _no_tags(game_id: int, database: str) -> IntegrityError:
    return IntegrityError(
        f"game {game_id}: its ExtraTags are not a JSON object; run 'ocgdedup check {database}' to "
        "find all such games, and correct them by hand"
    )
