"""Counts of names and days over all records of a database, for the merge of headers.

HeaderCounts makes the counts from the games of a search; matching/consensus.py has the rules.
"""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from ocgdedup._kernels.search import HeaderCounts
from ocgdedup.matching.names.name_form import letters_for_search
from ocgdedup.matching.round_days import RoundDay
from ocgdedup.pipeline.search.detect import SearchResult
from ocgdedup.pipeline.search.groups import GroupBatch
from ocgdedup.store.names import id_of_name
from ocgdedup.thresholds import EVENT, PLAYER, SITE

_TABLES = {EVENT: "Events", SITE: "Sites", PLAYER: "Players"}


class Consensus:
    """Counts over all records of a search of chess games."""

    def __init__(self, connection: apsw.Connection, search_result: SearchResult) -> None:
        stored = None if search_result.counts is None else search_result.counts.headers
        self.counts = HeaderCounts(search_result.finder, search_result.last_searched_id, stored)
        if search_result.write_state is not None:
            self.counts.collect_all_events()
        self._connection = connection
        self._ids: dict[int, dict[str, int | None]] = {kind: {} for kind in _TABLES}
        self._days: dict[int, Mapping[RoundDay, int]] = {}
        self._collected: GroupBatch | None = None  # the groups of the last collect_events()

    def unsettle(self, groups: GroupBatch, kept: bytearray) -> None:
        """Set `kept` to 0 for each group whose merged header new games may change."""
        self.counts.unsettle(groups.ids, groups.ends, kept)

    def collect_events(self, groups: GroupBatch) -> None:
        """Collect the days and sites of the events of groups whose records differ in them.

        Call this before Python or the kernel merges the headers of these groups.
        """
        if groups is not self._collected:
            self.counts.collect_events(groups.ids, groups.ends)
            self._collected = groups

    def frequency_rank(self, kind: int, text: str, other: str) -> int:
        """See matching/consensus.py for this method and those below."""
        name_id, other_id = self._id_of(kind, text), self._id_of(kind, other)
        if name_id is None or other_id is None:
            return 0
        return self.counts.frequency_rank(kind, name_id, other_id)

    def count_names_with(self, word: str) -> int:
        return self.counts.names_with(word.encode())

    def count_records_of(self, name: str) -> int:
        return self.counts.records_of(letters_for_search(name).encode())

    def games_at(self, event: int, site: str) -> int:
        site_id = self._id_of(SITE, site)
        return 0 if site_id is None else self.counts.games_at(event, site_id)

    def _id_of(self, kind: int, text: str) -> int | None:
        ids = self._ids[kind]
        if text not in ids:
            ids[text] = id_of_name(self._connection, _TABLES[kind], text)
        return ids[text]

    def round_of(self, game_id: int) -> RoundDay:
        return RoundDay(*self.counts.round_of(game_id))

    def days_of(self, event: int) -> Mapping[RoundDay, int]:
        if event not in self._days:
            self._days[event] = {
                RoundDay(event, source, number, date): games
                for source, number, date, games in self.counts.days_of(event)
            }
        return self._days[event]
