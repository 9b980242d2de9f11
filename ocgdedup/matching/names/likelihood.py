"""The weights of names: evidence that a name as written means a listed person. Owns all of them.

The model is that of Fellegi and Sunter ("A theory for record linkage", JASA 64, 1969). For each
part of a name, it divides the probability of this spelling if the person is meant by the
probability that anybody has such a name. The evidence is the sum of the natural logarithms. A rare
surname counts more than a common one, and a typing error costs more than an initial.

The kernel adds the evidence up, and decides: name_likelihood.pxi and name_decision.pxi in
kernels/names.
"""

from __future__ import annotations

from enum import IntEnum
from math import exp, log
from typing import NamedTuple

from ocgdedup.matching.names.name_words import SUCCESSORS
from ocgdedup.thresholds import SURE_PROBABILITY


class NameDifference(IntEnum):
    """The largest difference between two names that match, in ascending order of cost."""

    SAME = 0
    TURNED = 1
    VARIANT = 2  # initials, missing or additional names, particles, spacing
    SOUND = 3  # another spelling of the same sounds
    SIMILAR = 4  # a typing error


class NameWeights(NamedTuple):
    """Weights of names. The build makes the struct of the kernel from these fields.

    Most are logarithms of the probability that a name is written so if the person is meant. Set by
    hand on one half of 26,000 labelled spellings, tested on the other half.
    """

    # Words of surnames and given names. All but `full_for_initial` are adjusted for the term
    # frequency, as in splink: a rare word is stronger evidence.
    same: float = log(0.85)
    joined: float = log(0.1)  # the same letters with other spaces: "Ding, Li Ren"
    slip: float = log(3e-4)
    two_slips: float = log(2e-5)
    three_slips: float = log(1e-6)
    sounding_slip: float = log(1e-3)  # the words sound alike
    two_sounding_slips: float = log(1e-4)
    three_sounding_slips: float = log(1e-5)
    slip_in_first_letter: float = log(0.2)
    same_skeleton: float = log(0.05)
    initial: float = log(0.3)  # for a full given name
    full_for_initial: float = log(0.25)
    given_spelling: float = log(0.1)
    given_beginning: float = log(0.02)
    given_cognate: float = log(3e-3)
    given_slip: float = log(1e-3)
    same_syllables: float = log(0.5)  # "Yi Fan" for Yifan
    cut_to_a_name: float = log(3e-3)
    cut_to_another_name: float = log(3e-4)
    # Least shares of a word that is not the listed one: a typing error makes any word rare.
    rarest_given: float = 1e-4
    rarest_surname: float = 1e-4 * exp(-4)
    # Surnames of several words.
    surname_left_out: float = log(0.25)
    first_surname_left_out: float = log(0.01)
    surname_added: float = log(0.04)
    first_surname_added: float = log(0.004)
    surname_initial: float = log(0.1) + 2.5
    particle: float = log(0.7)
    surname_conflict: float = log(1e-4)
    # Given names of several words.
    no_given: float = log(0.02)
    given_left_out: float = log(0.17)
    given_added: float = log(0.1)
    first_given_skipped: float = log(0.03)
    given_out_of_order: float = log(0.1)
    given_conflict: float = -20.0  # Tigran V. and Tigran L.
    # The order of surname and given names, and names as a whole.
    turned: float = log(0.01)
    no_order: float = log(0.3)
    comma_misplaced: float = log(3e-3)
    korean_spelling: float = log(0.02)  # another romanisation
    # What else a name says.
    same_birth_year: float = 4.0
    next_birth_year: float = 1.0
    other_birth_year: float = -9.0
    generation_unsaid: float = -5.0
    other_generation: float = -20.0
    year_unsaid: float = log(0.3)
    numbered: float = log(0.3)
    same_number: float = log(2)
    # Candidates with less evidence from the words are ignored.
    least_evidence: float = -10.0
    # Prominence by rating, in units above the least rating. The best values of a grid search on
    # names with FIDE IDs in game tags, as the prominence by title.
    least_rating: float = 1500.0
    rating_unit: float = 150.0
    most_by_rating: float = 6.0


WEIGHTS = NameWeights()


class NameLimits(NamedTuple):
    """Limits of the decision about a name. The build makes the struct of the kernel from them."""

    min_probability: float = 0.8  # of the best candidate
    # Of the best candidate for an abbreviated name, without prominence: it must be unambiguous.
    min_probability_of_initials: float = 0.87
    min_probability_of_two_letters: float = 0.93
    # Or, with prominence and without it: at most one other player, who is not prominent.
    min_probability_of_prominent: float = 0.97
    min_probability_beside_prominence: float = 0.45
    # Prominence is not enough: the least evidence of the name, above that for unlisted players.
    least_above_chance: float = -1.5
    # One letter can make another surname, so typing errors need more evidence,
    min_probability_of_slip: float = 0.95
    # and one of these similarities, see kernels/names/name_score.pxi.
    min_score: float = 0.82
    min_dice: float = 0.80
    # Limit for a name that is only similar to a listed one, without other evidence, since it may be
    # the name of an unlisted person; nothing is filled in then.
    most_by_similarity: float = 0.89
    sure_probability: float = SURE_PROBABILITY
    min_letters: int = 5  # of a listed name that is matched by name alone


LIMITS = NameLimits()

_SAME_COUNTRY = 3.0
_OTHER_COUNTRY = -2.3

# Prominence: the logarithm of the ratio of a person's published games to those of others. Titled,
# strong and active players have more.
PROMINENCE_OF_TITLE = {
    "GM": 4.0, "IM": 2.6, "WGM": 2.6, "FM": 1.3, "WIM": 1.3, "CM": 0.6, "WFM": 0.6,
}  # fmt: skip
PROMINENCE_OF_INACTIVE = -0.5
# The rating that FIDE requires for a title: it orders titles.
RATING_OF_TITLE = {
    "WCM": 2000, "WFM": 2100, "CM": 2200, "WIM": 2200, "FM": 2300, "WGM": 2300, "IM": 2400,
    "GM": 2500,
}  # fmt: skip

# Costs of writing a name as surname and initials, as factors, for short_forms.py.
SHORT_FORM_COSTS = {
    name: exp(getattr(WEIGHTS, name))
    for name in (
        "same", "initial", "given_left_out", "given_added", "surname_left_out",
        "first_surname_left_out", "particle", "no_order",
    )
}  # fmt: skip


def country_evidence(written: str, listed: str) -> float:
    """Return the evidence of two federation codes; players sometimes change federation."""
    if not written or not listed:
        return 0.0
    if written == listed or listed in SUCCESSORS.get(written, ()):
        return _SAME_COUNTRY
    return _OTHER_COUNTRY
