"""How often records name each event, site and player, days of rounds and sites of events."""

from array import array

from ocgdedup._kernels.sorted_games import SortedGames

def standing(records: int, others: int) -> int:
    """Return how far a spelling is ahead of another one, by the records that have each.

    1: twice as many records, and the other has ten at most or a tenth as many; 2: so, and the
    other has two at most and this one three or more; 3: so, and the other has a tenth as many;
    negative if the other is ahead; else 0. Only tests call it: HeaderCounts has the counts.
    """

class HeaderCounts:
    """Counts over the headers of the games of a search, as they were before merges."""

    def __init__(self, games: SortedGames, last_id: int | None = None) -> None:
        """Count all records, and apart those of games up to an ID, for unsettle().

        Raises ValueError if the search has not ended.
        """

    def standing(self, kind: int, name_id: int, other_id: int) -> int:
        """Return how far a name is ahead of another of its kind: 0 event, 1 site, 2 player.

        By their IDs; a name that is not there has no records. Raises ValueError for another kind.
        """

    def unsettle(self, ids: array[int], ends: array[int], kept: bytearray) -> None:
        """Put 0 for each group whose merge may be another than for the games up to `last_id`.

        `ids`, `ends`: see groups_found() of find_copies. `kept`: a byte for each group; what is 0
        stays so. Raises ValueError without `last_id`, and KeyError for an unknown game.
        """

    def collect_events(self, ids: array[int], ends: array[int]) -> None:
        """Collect when rounds were played and where, for days_of() and games_at().

        Only of the events of groups whose records have different days, or sites; arguments as
        above.
        """

    def games_at(self, event: int, site_id: int) -> int:
        """Return how many records of an event have a site; 0 if those were not collected.

        `event` as round_of() has it, the site by its ID.
        """

    def round_of(self, game_id: int) -> tuple[int, int, int, int]:
        """Return the event, source, round and date of a game as numbers; KeyError as above.

        The round: 0 if not known, the number << 15 | the board or game in it, or a hash with bit
        31. The date: year << 9 | month << 5 | day, 0 for a part that is not known.
        """

    def days_of(self, event: int) -> list[tuple[int, int, int, int]]:
        """Return (source, round, date, games) of an event whose days were collected, else []."""
