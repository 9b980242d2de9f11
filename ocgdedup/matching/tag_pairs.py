"""Tags that belong to the event, to the date, or to each other.

A merge gives a game no combination of them that no record has: facts of an event come with its
name, a time of day with its day, and UTCDate is within a day of the date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ocgdedup._kernels.search import are_of_one_name, dates_agree, is_date

EVENT_TAGS = frozenset(
    (
        "EventCategory", "EventCountry", "EventDate", "EventEndDate", "EventRounds", "EventSponsor",
        "EventType", "Section", "Stage",
    )
)  # fmt: skip
_UTC_DATE = "UTCDate"
_PARTNERS = {"UTCTime": _UTC_DATE, "EndTime": "EndDate", "StartTime": "StartDate"}
_PARTNERS |= {day: time for time, day in _PARTNERS.items()}

Tags = Mapping[str, str]


class EventAndDate(NamedTuple):
    """The event and the date of a header, "" if unknown."""

    event: str
    date: str

    def is_of_event(self, other: EventAndDate) -> bool:
        """Return whether the names of two events agree."""
        return are_of_one_name(self.event, other.event)


def column_of(tag: str) -> str | None:
    """Return the tag in a column whose change may remove this tag."""
    if tag in EVENT_TAGS:
        return "Event"
    return "Date" if _UTC_DATE in (tag, _PARTNERS.get(tag)) else None


def fits(tag: str, record: EventAndDate, others: Tags, merged: EventAndDate, tags: Tags) -> bool:
    """Return whether a record gives a tag to the merged header.

    `others`: all tags of the record; `tags`: those of the merged header without this record.
    """
    if tag in EVENT_TAGS:
        return record.is_of_event(merged)
    if _UTC_DATE in (tag, _PARTNERS.get(tag)) and _contradicts(others.get(_UTC_DATE), merged.date):
        return False
    partner = _PARTNERS.get(tag)
    return partner is None or partner not in tags or tags[partner] == others.get(partner)


def obsolete(
    tags: Tags,
    kept: EventAndDate,
    merged: EventAndDate,
    records: Sequence[tuple[EventAndDate, Tags]],
) -> Iterator[str]:
    """Yield tags of the kept game that no longer hold, since the event or the date changed.

    `records`: the records with their tags.
    """
    if merged.event != kept.event:
        of_event = [others for record, others in records if record.is_of_event(merged)]
        for tag in EVENT_TAGS.intersection(tags):
            if all(_differ(tags[tag], others.get(tag)) for others in of_event):
                yield tag
    if merged.date != kept.date and _contradicts(tags.get(_UTC_DATE), merged.date):
        yield from (_UTC_DATE, _PARTNERS[_UTC_DATE])


def _differ(value: str, other: str | None) -> bool:
    if not other or not other.strip("?.-") or value == other:
        return False
    return not (is_date(value) and is_date(other) and dates_agree(value, other))


def _contradicts(utc_date: str | None, date: str) -> bool:
    """Return whether a day is more than a day, which time zones explain, from a date."""
    from datetime import date as calendar_date  # 3 ms
    from datetime import timedelta  # 3 ms

    if utc_date is None or not is_date(utc_date) or not is_date(date):
        return False
    if dates_agree(utc_date, date):
        return False
    try:
        day = calendar_date(*map(int, utc_date.split(".")))
        near = [day + timedelta(days) for days in (-1, 1)]
    except (ValueError, OverflowError):
        return True
    return not any(dates_agree(f"{day:%Y.%m.%d}".rjust(10, "0"), date) for day in near)
