"""Words of real names: surnames of past masters, spellings of given names, with slips."""

from __future__ import annotations

from hypothesis import strategies as st

from ocgdedup.matching.names.name_form import name_form
from ocgdedup.matching.names.name_words import read_table
from ocgdedup.matching.names.past_masters import past_masters

SURNAMES = sorted({word for master in past_masters() for word in name_form(master.name).surname})
TABLE = read_table("given_names")
GIVEN_NAMES = sorted({*TABLE["male spellings"].split(), *TABLE["female spellings"].split()})

letters = st.sampled_from("abcdefghijklmnopqrstuvwxyz")
real_words = st.sampled_from(SURNAMES + GIVEN_NAMES)
# Few letters, so that random words are near each other and have swapped letters.
name_like_words = st.one_of(real_words, st.text("aeinrv", min_size=1, max_size=9))


@st.composite
def slips(draw: st.DrawFn) -> tuple[str, str]:
    """Return a real word, and the word with up to three letter edits."""
    word = draw(real_words)
    written = list(word)
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(written)))
        kind = draw(st.sampled_from(["put in", "left out", "changed", "swapped"]))
        if kind == "swapped":
            written[place : place + 2] = written[place : place + 2][::-1]
        else:
            written[place : place + (kind != "put in")] = [draw(letters)] * (kind != "left out")
    return word, "".join(written)


word_pairs = st.one_of(slips(), st.tuples(name_like_words, name_like_words))
