"""Games of a batch in move order, any two of which can be compared."""

from collections.abc import Mapping, Sequence

from ocgdedup._kernels.game_batch import GameBatch
from ocgdedup.model import Comparison

# Names of the weights, of the gates, and of the terms of a score.
WEIGHTS: tuple[str, ...]
GATES: tuple[str, ...]
TERMS: tuple[str, ...]

class SortedGames:
    """The games of a batch, sorted by moves; two can be compared after the search."""

    def __init__(
        self,
        batch: GameBatch,
        weights: Mapping[str, float],
        gates: Mapping[str, float],
        named: Mapping[str, float] | None = None,
        min_shorter: int = 0,
    ) -> None:
        """Set numbers by the names in WEIGHTS and GATES; raise ValueError for any other names.

        `named`: gates of the user, outside which near-identical games are not grouped.
        `min_shorter`: plies that a truncated game must lack to be grouped.
        """

    @property
    def batch(self) -> GameBatch:
        """The games of the search, sorted in place."""

    def sort(self) -> None:
        """Sort the games by start, moves, content and ID; other methods call an index here a place.

        Raises ValueError if no games have been read, or if they are already sorted.
        """

    def begin_sort(self, parts: int) -> list[tuple[int, int]]:
        """Begin what sort() does; return about `parts` ranges, in any order, for sort_part().

        Threads can sort the ranges at the same time. Raises ValueError as sort() does.
        """

    def sort_part(self, first: int, end: int) -> None:
        """Sort the games of one of the ranges that begin_sort() returned.

        Raises ValueError if it did not, or if the range was passed before; so do place_part() and
        copy_moves() for theirs.
        """

    def begin_placing(self, parts: int) -> list[tuple[int, int]]:
        """Return about `parts` ranges, none if there are few games, for place_part().

        Raises ValueError unless sort_part() was called for all its ranges, and for a second call
        before end_sort().
        """

    def place_part(self, first: int, end: int) -> None:
        """Put most games in order, by one of the ranges that begin_placing() returned.

        Threads can do so at the same time.
        """

    def end_sort(self) -> None:
        """Put the remaining games in order.

        Raises ValueError unless place_part() was called for all its ranges.
        """

    def begin_move_copy(self, ranges: Sequence[tuple[int, int]]) -> bool:
        """Reserve memory for the moves of all games in the order of the games.

        The stages that follow go through the games in order. Their results are the same without
        the copies, which take at most as much memory as the moves, for a while in addition to them.
        Return False if there is not so much memory. `ranges`: all places in a row, for
        copy_moves(). Raises ValueError if they are not, or if the games are in files, where their
        moves are in order already.
        """

    def copy_moves(self, first: int, end: int) -> int:
        """Copy the moves of one of the ranges; return the number of plies copied.

        Moves that several games have are copied once. Threads can copy ranges at the same time.
        """

    def end_move_copy(self) -> None:
        """Replace the moves by the copies.

        Raises ValueError unless copy_moves() was called for all its ranges.
        """

    def start_of_line(self, place: int) -> int:
        """Return the first place from `place` on whose moves differ from the game before."""

    def compare(self, first: int, second: int, lenient: bool = False) -> Comparison:
        """Compare two games; raise KeyError for an unknown ID.

        `lenient`: the games are in one group, so only the relation of their moves is asked for.
        """

    def __contains__(self, game_id: int) -> bool:
        """Return whether a game was read."""

    def has_swapped_colours(self, first: int, second: int) -> bool:
        """Return whether the players of two games agree better with the colours swapped.

        Raises KeyError for an unknown ID.
        """

    def mainline(self, game_id: int) -> bytes:
        """Return the move blob of a game as read; raise KeyError for an unknown ID."""

    def mainline_beside(self, game_id: int, other: int) -> bytes:
        """Return the move blob of a game; a Go game is rotated to match `other` if possible.

        Raises KeyError for an unknown ID.
        """

    def symmetry(self, first: int, second: int) -> int:
        """Return the symmetry that rotates the second game to match the first, 0 if none is needed.

        Symmetries are numbered as in kernels/go/go_symmetry.pxd; 0 is also returned if none
        matches. Raises KeyError for an unknown ID.
        """

    def starts_alike(self, first: int, second: int) -> bool:
        """Return whether two games have the same start up to rotation; KeyError as above."""

    def starts_elsewhere(self, game_id: int) -> bool:
        """Return whether a game has a start other than the standard one; KeyError as above."""

    def stones(self, game_id: int) -> int:
        """Return the number of handicap and setup stones of a Go game; KeyError as above."""

    @property
    def is_go(self) -> bool:
        """True for Go games, False for chess games."""

    @property
    def games(self) -> int:
        """Number of games read."""
