"""Find duplicate games: candidate pairs, verdicts, groups."""

from array import array
from collections.abc import Iterable, Iterator

from typing_extensions import Buffer

from ocgdedup._kernels.number_buckets import EdgeList, NumberBuckets
from ocgdedup._kernels.sorted_games import GATES as GATES
from ocgdedup._kernels.sorted_games import TERMS as TERMS
from ocgdedup._kernels.sorted_games import WEIGHTS as WEIGHTS
from ocgdedup._kernels.sorted_games import SortedGames

CONSTANTS: dict[str, int]  # enum constants of the search, by name
SOURCES: tuple[str, ...]  # of blocking keys: moves, players with dates, web addresses

class DuplicateFinder(SortedGames):
    """The search for duplicates among the games of a batch.

    Call the stages once each, in the order in which they are declared here (as
    pipeline/search/stages.py does). After finish(), call the other methods in any order. Stages
    that take a range of places or a bucket may run in several threads at once, other methods may
    not.
    """

    def use_known(self, last_id: int) -> None:
        """Set the highest ID of the previous search, before lines and theory are found.

        Since that search, only games with higher IDs have been added.
        """

    def load_known(self, edges: Buffer) -> None:
        """Load verdicts of the previous search, as judged_edges() yields them, after find_lines().

        Raises ValueError for a wrong size and for edges of unknown games.
        """

    def sort_known(self) -> None:
        """Sort the loaded verdicts, before pairs are judged."""

    def count_touched(self) -> int:
        """Return the number of games whose verdicts may have changed, after find_theory()."""

    def choose_keys(self, first: int, end: int) -> None:
        """Restrict blocking keys to those of the touched games of a range.

        Call it for one range at a time, before keys are added, and settle_known() after the last
        range. Call neither to make all keys. Raises ValueError without use_known().
        """

    def settle_known(self, edges: EdgeList, pairs: NumberBuckets, first: int, most: int) -> int:
        """Keep known edges that still hold, at most `most` from index `first` on; choose more keys.

        Edges that hold only if the chosen keys make the pair again are left to judge(), and so are
        those of games with more theory than before, which are added to `pairs`. Returns the index
        to continue at, 0 at the end.
        """

    def find_lines(self, first: int, end: int) -> None:
        """Assign numbers to the mainlines of places `first` to before `end`, both starts of lines.

        Stages that take a range raise ValueError for places out of range.
        """

    def find_shared(self, first: int, end: int) -> None:
        """Count the plies that each game shares with the one before, after find_lines()."""

    def find_theory(self, first: int, end: int) -> None:
        """Count the plies that games share with unrelated games, after find_shared()."""

    def find_ends(self, first: int, end: int) -> None:
        """Find which games continue those of a range, after find_shared(); ranges in order."""

    def add_keys(
        self, source: str, first: int, end: int, keys: NumberBuckets, by_line: bool = False
    ) -> None:
        """Add the blocking keys of a range from one of SOURCES.

        With `by_line`, only the first chess game of each mainline gets the keys of moves, on behalf
        of all its games; one with another last position gets a key of its own. Pass the same
        `by_line` to pair_by_keys().
        """

    def pair_by_keys(
        self,
        source: str,
        keys: NumberBuckets,
        bucket: int,
        pairs: NumberBuckets,
        by_line: bool = False,
    ) -> None:
        """Add the candidate pairs of one complete bucket of keys; empty the bucket."""

    def pair_equal_games(self, first: int, end: int, pairs: NumberBuckets) -> None:
        """Add candidate pairs of games with equal moves; ranges as in find_lines()."""

    def pair_equal_records(self, first: int, end: int, pairs: NumberBuckets) -> None:
        """Add pairs of equal records of several sources; ranges as in find_lines(), in order."""

    def judge(
        self, pairs: NumberBuckets, bucket: int, edges: EdgeList, first: int, most: int
    ) -> int:
        """Judge the distinct pairs of a complete bucket from index `first` on.

        Judges at most `most` pairs. Returns the index to continue at, or 0 if the bucket is done
        and emptied.
        """

    def judged_edges(self, edges: EdgeList, most: int) -> Iterator[bytes]:
        """Yield all edges, at most `most` at a time, in the format of schema/README.md.

        Call it before connect(); the edges can be taken after it too, while threads group.
        """

    def connect(self, edges: EdgeList, decisions: Iterable[tuple[int, int, bool]] = ()) -> int:
        """Find the connected components of all edges; return the number of edges within components.

        `decisions`: (ID, ID, True for a match) as declared by the user.
        """

    def group(self, first: int, end: int) -> None:
        """Group the components that begin at edges `first` to before `end`, in component order."""

    def finish(self) -> None:
        """Complete the search; afterwards its results can be queried."""

    def groups_found(self) -> tuple[array[int], array[int], array[int]]:
        """Return the groups of two or more games, sorted by their first ID.

        The IDs ("q"), group after group and rising within a group; for each ID the number of its
        mainline ("I"), equal for equal games; for each group the index after its last game ("Q").
        """

    def suspects_found(self) -> list[tuple[int, int, float]]:
        """Return (ID, ID, score) of possible duplicates, sorted."""

    def are_together(self, first: int, second: int) -> bool:
        """Return whether two games are in one group; raise KeyError for an unknown ID."""

    @property
    def pair_bits(self) -> int:
        """Bits of the number that encodes a candidate pair."""

    @property
    def pairs_judged(self) -> int:
        """Number of candidate pairs whose moves were compared; only tests call it."""

    @property
    def memory(self) -> int:
        """Bytes used by games, pairs and groups."""
