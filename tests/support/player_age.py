"""The kernel's rules of age, for tests of the rules and for slow references."""

from __future__ import annotations

from ocgdedup._kernels import names


def is_possible(years: tuple[int, int], year: int, *, as_child: bool = False) -> bool:
    """Return whether a person was alive and old enough in a year (0 unknown).

    `years`: years of birth and death, 0 unknown; `as_child`: the game has the child's FIDE ID, or
    is of a youth event.
    """
    return not year or names.can_have_played(*years, year, year, as_child=as_child)


def age_evidence(
    years: tuple[int, int], first_year: int, last_year: int, *, is_youth: bool = False
) -> float:
    """Return the evidence of the age at the games of these years, which are known."""
    return names.age_evidence(*years, first_year, last_year, is_youth=is_youth)
