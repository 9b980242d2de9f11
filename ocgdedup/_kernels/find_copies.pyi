"""Find the games that are records of one played game: candidates, verdicts, groups."""

from array import array
from collections.abc import Iterable, Iterator

from typing_extensions import Buffer

from ocgdedup._kernels.number_buckets import EdgeList, NumberBuckets
from ocgdedup._kernels.sorted_games import GATES as GATES
from ocgdedup._kernels.sorted_games import TERMS as TERMS
from ocgdedup._kernels.sorted_games import WEIGHTS as WEIGHTS
from ocgdedup._kernels.sorted_games import SortedGames

CONSTANTS: dict[str, int]  # of the enums of the search, under their names
SOURCES: tuple[str, ...]  # of blocking keys: moves, players with dates, addresses on the web

class CopyFinder(SortedGames):
    """What of the games of a batch are duplicates.

    To be used in this order: the stages, as they are declared here (pipeline/search/stages.py calls
    them); then the rest in any order. Stages that take a range of places or a bucket may run for
    several of these at once, other methods not.
    """

    def use_known(self, last_id: int) -> None:
        """Say that an earlier search had all games up to an ID, before lines and theory are found.

        Since then only games with higher IDs have come.
        """

    def load_known(self, edges: Buffer) -> None:
        """Enter verdicts of that search, as judged_edges() yields them, once lines are known.

        Raises ValueError for edges that are none, or are of games that are not there.
        """

    def sort_known(self) -> None:
        """Bring these verdicts in order, before pairs are judged."""

    def count_touched(self) -> int:
        """Return how many games have verdicts that may be others now, once theory is found."""

    def choose_keys(self, first: int, end: int) -> None:
        """Have only keys made that touched games have, from now on: those of a range.

        Ranges one at a time, before keys are added; settle_known() goes with it, behind all of
        them. Neither is called if all keys are to be made. Raises ValueError without use_known().
        """

    def settle_known(self, edges: EdgeList, first: int, most: int) -> int:
        """Take known edges that hold, at most `most` from number `first` on; choose more keys.

        What holds only if the chosen keys make it a pair is left to judge(). Returns where to go
        on, 0 at the end.
        """

    def find_lines(self, first: int, end: int) -> None:
        """Find the mainlines of places from `first` to before `end`, both starts of lines.

        Stages that take a range raise ValueError for places that are not there.
        """

    def find_shared(self, first: int, end: int) -> None:
        """Find how many plies games of a range share with the one before, once lines are known."""

    def find_theory(self, first: int, end: int) -> None:
        """Find how many plies games of a range share with unrelated ones, after find_shared()."""

    def find_ends(self, first: int, end: int) -> None:
        """Find which games continue those of a range, after find_shared(); ranges in order."""

    def add_keys(self, source: str, first: int, end: int, keys: NumberBuckets) -> None:
        """Add the blocking keys of a range from one of SOURCES."""

    def pair_by_keys(
        self, source: str, keys: NumberBuckets, bucket: int, pairs: NumberBuckets
    ) -> None:
        """Add the candidate pairs of one bucket of keys, which holds all keys of it; empty it."""

    def pair_equal_games(self, first: int, end: int, pairs: NumberBuckets) -> None:
        """Add candidate pairs of games with equal moves; a range as find_lines() takes it."""

    def pair_equal_records(self, first: int, end: int, pairs: NumberBuckets) -> None:
        """Add pairs of equal records of several sources; such ranges in order, one at a time."""

    def judge(
        self, pairs: NumberBuckets, bucket: int, edges: EdgeList, first: int, most: int
    ) -> int:
        """Judge pairs of a bucket, which holds all pairs of it, each once, from number `first` on.

        At most `most` pairs; returns where to go on, 0 if the bucket is done, and empty.
        """

    def judged_edges(self, edges: EdgeList, most: int) -> Iterator[bytes]:
        """Yield all edges, at most so many at a time, in an order of their own: schema/README.md.

        To be used before connect().
        """

    def connect(self, edges: EdgeList, decisions: Iterable[tuple[int, int, bool]] = ()) -> int:
        """Find connected components; return how many edges they have.

        `decisions`: (ID, ID, whether they are one game) as the user said.
        """

    def group(self, first: int, end: int) -> None:
        """Group the components that begin from edge `first` to before `end`, in component order."""

    def finish(self) -> None:
        """End the search: from now on its results can be asked for."""

    def groups_found(self) -> tuple[array[int], array[int], array[int]]:
        """Return the groups of two or more games, one after the other, sorted by their first ID.

        The IDs ("q"), rising in each group; for each the number of its mainline ("I"), equal for
        equal games; and for each group the place behind its last game ("Q").
        """

    def suspects_found(self) -> list[tuple[int, int, float]]:
        """Return (ID, ID, score) of pairs that are likely one game, but not sure to be; sorted."""

    def are_together(self, first: int, second: int) -> bool:
        """Return whether two games came into one group; KeyError for an unknown ID."""

    @property
    def pair_bits(self) -> int:
        """Bits of a candidate pair of these games as a number."""

    @property
    def pairs_judged(self) -> int:
        """Number of candidate pairs whose moves were compared; only tests ask for it."""

    @property
    def memory(self) -> int:
        """Bytes held for games, pairs and groups."""
