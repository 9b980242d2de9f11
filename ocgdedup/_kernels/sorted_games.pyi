"""Games of a batch in the order of their moves: any two of them can be compared."""

from collections.abc import Mapping

from ocgdedup._kernels.game_batch import GameBatch
from ocgdedup.model import Comparison

# Names of the weights, of the gates, and of the terms of a score.
WEIGHTS: tuple[str, ...]
GATES: tuple[str, ...]
TERMS: tuple[str, ...]

class SortedGames:
    """The games of a batch; two of them can be compared once the search has ended."""

    def __init__(
        self,
        batch: GameBatch,
        weights: Mapping[str, float],
        gates: Mapping[str, float],
        named: Mapping[str, float] | None = None,
        min_shorter: int = 0,
    ) -> None:
        """Take numbers by the names in WEIGHTS and GATES; raise ValueError for any other names.

        `named`: gates outside which no near-identical games are grouped; `min_shorter`: plies by
        which a truncated game must be shorter.
        """

    @property
    def batch(self) -> GameBatch:
        """The games that are searched; they are sorted in place."""

    def sort(self) -> None:
        """Sort the games by start, moves, content and ID: a place in this order is a game's number.

        Raises ValueError if no games have been read, or if they have been sorted.
        """

    def start_of_line(self, place: int) -> int:
        """Return the first place, from this one on, whose game differs in moves from the last."""

    def compare(self, first: int, second: int, lenient: bool = False) -> Comparison:
        """Compare two games; raise KeyError for an unknown ID.

        `lenient`: they are of one group, the question is only what their moves are to each other.
        """

    def __contains__(self, game_id: int) -> bool:
        """Return whether a game was read."""

    def has_swapped_colours(self, first: int, second: int) -> bool:
        """Return whether the players of two games agree better with the colours exchanged.

        Raises KeyError for an unknown ID.
        """

    def mainline(self, game_id: int) -> bytes:
        """Return the move blob of a game as it was read; KeyError for an unknown ID."""

    def mainline_beside(self, game_id: int, other: int) -> bytes:
        """Return the move blob of a game; of Go turned to lie as another, if they are alike so.

        Raises KeyError for an unknown ID.
        """

    def turn(self, first: int, second: int) -> int:
        """Return what turns the second game to lie as the first; 0 if nothing does, or none need.

        A symmetry of the board as in kernels/go/go_symmetry.pxd. Raises KeyError for an unknown ID.
        """

    def starts_alike(self, first: int, second: int) -> bool:
        """Return whether two games start from one position, turned or not; KeyError as above."""

    def starts_elsewhere(self, game_id: int) -> bool:
        """Tell if a game starts from another position than the standard one; KeyError as above."""

    def stones(self, game_id: int) -> int:
        """Return how many handicap and setup stones a Go game has; KeyError as above."""

    @property
    def is_go(self) -> bool:
        """True for Go games, False for chess games."""

    @property
    def games(self) -> int:
        """Number of games that were read."""
