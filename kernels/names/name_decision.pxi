"""Decide which listed player a name means."""

from player_age cimport can_play, can_play_all, evidence_of_age, is_too_high
from player_age cimport MOST_ABOVE_LIST as _MOST_ABOVE_LIST

MOST_ABOVE_LIST = _MOST_ABOVE_LIST


def can_have_played(
    int born, int died, int first_year, int last_year, *, bint as_child=False
) -> bool:
    return can_play(born, died, first_year, last_year, as_child)


def age_evidence(
    int born, int died, int first_year, int last_year, *, bint is_youth=False
) -> float:
    return evidence_of_age(born, died, first_year, last_year, is_youth)


def claim_is_too_high(
    int title, int elo, *, bint has_fide_id, int listed_title, int rating
) -> bool:
    return is_too_high(title, elo, has_fide_id, listed_title, rating)
