"""Count records per event, site and player; find days of rounds and sites of events."""

from array import array

from ocgdedup._kernels.sorted_games import SortedGames

def standing(records: int, others: int) -> int:
    """Return how far a spelling is ahead of another, by the records that have each.

    1: twice as many records, and the other has at most ten or a tenth as many; 2: in addition, the
    other has at most two and this spelling at least three; 3: in addition, the other has a tenth
    as many. Negative if the other is ahead; else 0. Only tests call it; HeaderCounts has the
    counts.
    """

class HeaderCounts:
    """Counts over the headers of the games of a search, before any merge."""

    def __init__(self, games: SortedGames, last_id: int | None = None) -> None:
        """Count all records, and separately those of IDs after `last_id`, for unsettle().

        Raises ValueError if the search has not ended.
        """

    def standing(self, kind: int, name_id: int, other_id: int) -> int:
        """Return the standing of a name against another of its kind: 0 event, 1 site, 2 player.

        Names are given by ID; an unknown name has no records. Raises ValueError for another kind.
        """

    def unsettle(self, ids: array[int], ends: array[int], kept: bytearray) -> None:
        """Set kept[i] to 0 for each group whose merge may differ from that at `last_id`.

        `ids`, `ends`: see groups_found() of find_duplicates. `kept`: one byte per group; 0 stays 0.
        Raises ValueError without `last_id`, and KeyError for an unknown game.
        """

    def collect_events(self, ids: array[int], ends: array[int]) -> None:
        """Collect the days of rounds and the sites of events, for days_of() and games_at().

        Covers only events of groups whose records have different days or sites; arguments as above.
        """

    def games_at(self, event: int, site_id: int) -> int:
        """Return the number of records of an event at a site; 0 if the event was not collected.

        `event` as returned by round_of(); the site is given by its ID.
        """

    def round_of(self, game_id: int) -> tuple[int, int, int, int]:
        """Return the event, source, round and date of a game as numbers; KeyError as above.

        The round is 0 if unknown, number << 15 | board or game in the round, or a hash with bit 31
        set. The date is year << 9 | month << 5 | day, with 0 for unknown parts.
        """

    def days_of(self, event: int) -> list[tuple[int, int, int, int]]:
        """Return (source, round, date, games) of an event whose days were collected, else []."""
