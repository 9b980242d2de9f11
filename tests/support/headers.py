"""Headers of games for tests, and headers after a merge."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from ocgdedup.model import GameHeader

_EMPTY = GameHeader(
    game_id=1,
    event=None,
    site=None,
    date="????.??.??",
    round=None,
    white=None,
    black=None,
    white_elo=None,
    black_elo=None,
    result="*",
    time_control=None,
    eco=None,
    date_quality=0,
    extra_tags=None,
    white_person_id=None,
    black_person_id=None,
    core_hash=None,
    plies=0,
    has_comments=False,
    has_variations=False,
    white_fide_id=None,
    black_fide_id=None,
)
_NAME_FIELDS = {"Event": "event", "Site": "site", "White": "white", "Black": "black"}
_FIELDS_OF_COLUMNS = _NAME_FIELDS | {
    "Date": "date",
    "Round": "round",
    "WhiteElo": "white_elo",
    "BlackElo": "black_elo",
    "Result": "result",
    "TimeControl": "time_control",
    "ECO": "eco",
    "DateQuality": "date_quality",
    "ExtraTags": "extra_tags",
    "WhitePersonID": "white_person_id",
    "BlackPersonID": "black_person_id",
    "CoreHash": "core_hash",
}
# FIDE IDs of the persons with these IDs; persons 3 and 4 are not listed.
FIDE_IDS = {1: 1001, 2: 1002}


def header(game_id=1, **fields):
    """Return a header; `tags` are the extra tags, FIDE IDs follow from the persons."""
    tags = fields.pop("tags", None)
    if tags is not None:
        fields["extra_tags"] = json.dumps(tags, ensure_ascii=False, separators=(",", ":"))
    return _with_fide_ids(_EMPTY._replace(game_id=game_id, **fields))


def _with_fide_ids(made):
    return made._replace(
        white_fide_id=FIDE_IDS.get(made.white_person_id),
        black_fide_id=FIDE_IDS.get(made.black_person_id),
    )


def merged_into(master, values):
    """Return the header of the kept game after a merge."""
    fields = {_FIELDS_OF_COLUMNS[column]: value for column, value in values.items()}
    return _with_fide_ids(master._replace(**fields))


_WHITES = (
    "Kasparov, Garry", "Kasparov,G", "Garry Kasparov", "GM Kasparov, Garry", "KASPAROV, GARRY",
    "Kasparow, Garry", "Kasaprov, Garry", "Kasparov, Garry K", "NN", "Kasparov1, G", None,
)  # fmt: skip
_BLACKS = ("Karpov, Anatoly", "Karpov,A", "A Karpov", "Karpov, Anatolij", "Carpov, Anatoly", "?")
_EVENTS = ("Linares", "Linares 11th", "LINARES 11TH", "Super GM", "Linar", None)
_SITES = ("Linares", "Linares ESP", "Lin", None)
_DATES = ("1993.03.10", "1993.03.11", "1993.03.??", "1993.??.??", "1994.02.03", "????.??.??", None)
_TAGS = (
    '{"WhiteFideId":"4100018"}', '{"EventDate":"1993.02.23","Opening":"KID"}',
    '{"EventDate":"1993.??.??","Annotator":""}', '{"MovetextResult":"0-1"}', None,
)  # fmt: skip
_ELOS = (None, 0, 2805, 2700, 5000)
_PERSON_IDS = (None, 1, 2, 3)

some_headers = st.builds(
    header,
    game_id=st.just(1),
    event=st.sampled_from(_EVENTS),
    site=st.sampled_from(_SITES),
    date=st.sampled_from(_DATES),
    round=st.sampled_from((None, "10", "10.1", "?.1", "11")),
    white=st.sampled_from(_WHITES),
    black=st.sampled_from(_BLACKS),
    white_elo=st.sampled_from(_ELOS),
    black_elo=st.sampled_from(_ELOS),
    result=st.sampled_from(("1-0", "0-1", "1/2-1/2", "*")),
    time_control=st.sampled_from((None, "40/7200", "-")),
    eco=st.sampled_from((None, "E97", "E97b", "E98", "KID")),
    date_quality=st.sampled_from((33, 31, 23, 13, 0)),
    extra_tags=st.sampled_from(_TAGS),
    white_person_id=st.sampled_from(_PERSON_IDS),
    black_person_id=st.sampled_from((None, 4)),
    core_hash=st.sampled_from((None, 5, 6)),
    plies=st.sampled_from((0, 60, 62, 63, 80)),
    has_comments=st.booleans(),
)


@st.composite
def groups_of_headers(draw, most=5):
    """Headers of one game with the IDs 1, 2, ..."""
    result = draw(st.lists(some_headers, min_size=1, max_size=most))
    return [made._replace(game_id=number) for number, made in enumerate(result, 1)]
