"""SGF import, export and import: the database is the same for any records."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocgdedup.cli.main import run
from tests.support.databases import query
from tests.support.sgf_trees import Node, branch_text, parsed

GAMES = (
    "SELECT Games.ID, Events.Name, Sites.Name, Date, Round, White.Name, Black.Name, Result, "
    "TimeControl, FEN, Moves2, MoveHash, FinalZobrist, PositionsKey, SampledKey, DateQuality, "
    "SpecialMoves, ExtraTags FROM Games "
    "JOIN Events ON Events.ID = EventID JOIN Sites ON Sites.ID = SiteID "
    "JOIN Players AS White ON White.ID = WhiteID JOIN Players AS Black ON Black.ID = BlackID "
    "ORDER BY Games.ID"
)
COMMENTS = "SELECT GameID, Ply, Position, Comment FROM Comments ORDER BY 1, 2, 3"
NOTES = "SELECT GameID, Ply, Position, NAG, Variation FROM Annotations ORDER BY 1, 2, 3"

# As sgfmill and this reader have texts: without blanks around a line.
words = st.text("ab]\\:[(;)é囲", max_size=5)
texts = st.lists(words.filter(bool), min_size=1, max_size=3).map("\n".join)
moves = st.sampled_from(["Bpd", "Wdd", "Baa", "Waa", "B", "W"])
properties = st.fixed_dictionaries(
    {}, optional={"C": texts.map(lambda text: [text]), "LB": st.lists(words, min_size=1)}
)
contents = st.tuples(st.none() | moves, properties).filter(any)
headers = st.fixed_dictionaries(
    {"GM": st.just(["1"])},
    optional={
        "PB": words.map(lambda text: [text]),
        "EV": words.map(lambda text: [text]),
        "DT": st.sampled_from([["1996"], ["1996-05-06,07"], ["14-05-2001"], ["spring"]]),
        "RE": st.sampled_from([["W+"], ["W+R"], ["0"], ["Jigo"], ["Void"], ["B+3.5"]]),
        "KGSSB": texts.map(lambda text: [text]),
        "SZ": st.just(["19"]),
        "LB": st.lists(words, min_size=2),
        "C": texts.map(lambda text: [text]),
    },
)


def nodes(children):
    return st.builds(lambda content, following: Node(*content, following), contents, children)


trees = st.recursive(nodes(st.just([])), lambda tree: nodes(st.lists(tree, max_size=3)))
roots = st.builds(Node, st.none(), headers, st.lists(trees, max_size=2))
pieces = st.sampled_from(
    ["(", ")", ";", ";B[aa]", ";W[bb]", ";B[]", "C[a]", "LB[aa:1]", "[", "]", "x", "\\", "\n",
     "(;W[cc]", "TR[aa][bb]", "C[a [b] c]", "PB[a]", "PB[b]", "KM[6.5]", "AB[aa][bb]", "B[dd]"]
)  # fmt: skip
odd_records = st.lists(pieces, max_size=14).map(lambda some: f"(;EV[e]{''.join(some)})\n")

many_examples = settings(max_examples=25)


def content(database):
    return [query(database, sql) for sql in (GAMES, COMMENTS, NOTES)]


def there_and_back(text, *options):
    """Return the contents of both databases and the text between them."""
    with tempfile.TemporaryDirectory() as folder:
        first, between, second = (f"{folder}/{name}" for name in ("1.db3", "1.sgf", "2.db3"))
        Path(f"{folder}/in.sgf").write_text(text, encoding="utf-8")
        assert run(["create", first, f"{folder}/in.sgf", "-q"]) in (0, 1)
        if not query(first, "SELECT 1 FROM Games"):
            return [[], [], []], [[], [], []], b""
        assert run(["export", first, "-o", between, "-q", *options]) == 0
        # What is written has no faults.
        assert run(["create", second, between, "-q"]) == 0
        return content(first), content(second), Path(between).read_bytes()


@pytest.mark.slow
@many_examples
@given(st.lists(roots, min_size=1, max_size=4), st.sampled_from(["80", "0"]))
def test_trees(some, width):
    text = "\n".join(map(branch_text, some))
    first, second, written = there_and_back(text, "--width", width)
    assert first == second
    assert len(first[0]) == len(some)
    for root, result in zip(some, parsed(written), strict=True):
        assert result.children == root.children


@pytest.mark.slow
@many_examples
@given(st.lists(odd_records, min_size=1, max_size=4))
def test_odd_records(some):
    """An invalid branch becomes a comment; nothing else changes, and nothing changes again."""
    first, second, written = there_and_back("".join(some))
    assert first[0] == second[0]
    again, third, rewritten = there_and_back(written.decode())
    assert again == second == third
    assert written == rewritten


def test_a_text_that_ends_like_the_start_of_a_game():
    text = "(;EV[e]KGSSB[a\n\\(;EV[b]C[c\n\\(;EV[d\n\\PB[f];B[aa])(;EV[g])"
    first, second, _ = there_and_back(text)
    assert first == second
    assert len(first[0]) == 2
    assert first[1] == [(1, -1, 0, "c\n(;EV[d\nPB[f")]


def test_games_of_a_folder(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.sgf").write_bytes(
        "(;GM[1]SZ[13]PB[黒 一郎]PW[b]DT[1933-10-16,17]AB[dd:ee];W[cc]C[x\\]y])".encode("euc_jp")
    )
    Path("b.sgf").write_text("(;SZ[9];B[aa](;W[bb])(;W[cc]LB[dd:x];B[]))(;PB[c]RE[B+R])")
    assert command("create", "a.db3", "a.sgf", "b.sgf", "-q").status == 0
    command("export", "a.db3", "-o", "out.sgf")
    command("create", "b.db3", "out.sgf", "-q")
    assert content("a.db3") == content("b.db3")
    assert "PB[黒 一郎]" in Path("out.sgf").read_text(encoding="utf-8")
