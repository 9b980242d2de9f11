"""SGF out: what sgfmill reads is the tree that was stored."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocgdedup.sgf.root_values import read_date
from ocgdedup.sgf.tree import Note
from ocgdedup.sgf.writer import Header, Record, SgfWriter
from tests.support.go_games import blob_of
from tests.support.sgf_trees import Node, parsed, stored

NOTHING = Header(None, None, None, None, None, None, None, None, {})
FORMAT = {"GM": ["1"], "FF": ["4"], "CA": ["UTF-8"], "SZ": ["19"]}

texts = st.text("ab]\\:[();\n é囲", max_size=6)
values = st.lists(texts, min_size=1, max_size=3)
moves = st.sampled_from(["Bpd", "Wdd", "B", "W", "Bss"])
node_properties = st.fixed_dictionaries(
    {},
    optional={"C": texts.map(lambda text: [text]), "LB": values, "TR": values, "KGSDE": values},
)


# One that says nothing is left out of the mainline.
contents = st.tuples(st.none() | moves, node_properties).filter(any)


def nodes(children):
    return st.builds(lambda content, following: Node(*content, following), contents, children)


trees = st.recursive(
    nodes(st.just([])), lambda tree: nodes(st.lists(tree, max_size=3)), max_leaves=12
)
roots = st.builds(Node, st.none(), node_properties, st.lists(trees, max_size=3))


def sgf(record, width=80):
    return SgfWriter(width, lambda text: read_date(text)[0]).write(record)


def record_of(tree):
    kept = stored(tree)
    header = NOTHING._replace(tags=kept.tags)
    return Record(header, None, kept.moves, [Note(*note) for note in kept.notes])


@given(roots, st.sampled_from([0, 20, 80]))
def test_a_stored_tree_is_written_whole(root, width):
    expected = root._replace(properties=FORMAT | root.properties)
    assert parsed(sgf(record_of(root), width)) == [expected]


@given(roots)
def test_one_line_a_game(root):
    text = sgf(record_of(root), 0).decode()
    held = sum(value.count("\n") for value in _all_values(root))
    assert text.count("\n") == held + 1


def _all_values(node):
    for some in node.properties.values():
        yield from some
    for child in node.children:
        yield from _all_values(child)


def main_line(node):
    while True:
        if node.move is not None:
            yield node.move
        if not node.children:
            return
        node = node.children[0]


@given(
    st.lists(moves, max_size=8),
    st.lists(
        st.tuples(
            st.integers(-3, 12),
            st.booleans(),
            st.text("();[]\\BAC ", max_size=8) | st.sampled_from(["(;B[aa])", ";C[x]", "LB[aa:1]"]),
        ),
        max_size=6,
    ),
)
def test_odd_annotations_harm_nothing(played, notes):
    """Whatever annotations hold and wherever they stand: the mainline stays, text is kept."""
    ordered = [Note(*note) for note in sorted(notes, key=lambda note: note[0])]
    record = Record(NOTHING, None, blob_of(" ".join(played)), ordered)
    (root,) = parsed(sgf(record))
    assert list(main_line(root)) == played
    kept = sgf(record).decode().replace("\\", "")
    for note in ordered:
        for word in note.text.replace("\\", " ").replace("]", " ").split():
            assert word in kept


def test_layout():
    header = Header(
        "Meijin", "Tokyo", "1996.05.06", "2", "Go Seigen", "Honinbo ]Shu\\sai", "1-0", "8h",
        {"KM": "6.5", "GC": "one\ntwo"},
    )  # fmt: skip
    played = blob_of(" ".join(["Bpd", "Wdd"] * 11))
    notes = [Note(-1, True, "start"), Note(20, True, "here"), Note(20, False, "(;W[aa])")]
    text = sgf(Record(header, "SZ[19]AB[aa][bb]AW[cc]", played, notes)).decode()
    ten = ";B[pd];W[dd]" * 5
    assert text.split("\n") == [
        "(;GM[1]FF[4]CA[UTF-8]SZ[19]", "EV[Meijin]", "DT[1996-05-06]", "RO[2]", "PC[Tokyo]",
        "PB[Honinbo \\]Shu\\\\sai]", "PW[Go Seigen]", "TM[8h]", "RE[W+]", "KM[6.5]", "GC[one",
        "two]", "AB[aa][bb]AW[cc]", "C[start]", ten, ten, ";B[pd]C[here]", "(;W[dd])",
        "(;W[aa]))", "", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("width", "lengths"),
    [
        (80, [60, 60, 12]),
        (120, [120, 12]),
        (60, [60, 60, 12]),
        (41, [36] * 3 + [24]),
        (3, [6] * 22),
    ],
)
def test_width(width, lengths):
    text = sgf(Record(NOTHING, None, blob_of(" ".join(["Bpd", "Wdd"] * 11))), width).decode()
    lines = text.removesuffix(")\n\n").split("\n")
    assert list(map(len, lines[1:])) == lengths


def test_many_stones_break_lines():
    points = [f"{column}{row}" for column in "abcdefghi" for row in "abcdefghi"]
    start = f"SZ[9]AB{''.join(f'[{point}]' for point in points)}AW[aa]"
    text = sgf(Record(NOTHING, start, b"")).decode()
    assert max(map(len, text.split("\n"))) <= 80
    (root,) = parsed(text.encode())
    assert root.properties["AB"] == points
    assert root.properties["SZ"] == ["9"]


@pytest.mark.parametrize(
    ("notes", "tail"),
    [
        # A branch with nothing beside it must not become the mainline.
        ([(0, False, "(;W[aa])")], ";B[pd]\n(;)\n(;W[aa]))\n\n"),
        ([(0, False, "(;W[aa])"), (0, False, ";C[x]")], ";B[pd]\n(;C[x])\n(;W[aa]))\n\n"),
        ([(0, False, ";C[x]"), (0, False, "(;W[aa])")], ";B[pd]\n;C[x]\n(;)\n(;W[aa]))\n\n"),
        # What was not ended is ended.
        ([(0, False, "(;W[aa]C[x")], ";B[pd]\n(;)\n(;W[aa]C[x]))\n\n"),
        ([(0, False, "LB[aa:x\\")], ";B[pd]LB[aa:x\\\\])\n\n"),
        # What is no SGF is kept as a comment.
        ([(0, False, "(;W[aa]))(")], ";B[pd]C[(;W[aa\\]))(])\n\n"),
        ([(0, False, "LB[aa:1] x"), (0, True, "y")], ";B[pd]C[LB[aa:1\\] x\ny])\n\n"),
        ([(0, True, "a"), (0, False, "TR[aa]"), (0, True, "b")], ";B[pd]C[a\nb]TR[aa])\n\n"),
        # What follows a further node belongs to it; an empty one is none.
        ([(0, False, ";"), (0, True, "x"), (0, False, "LB[a]")], ";B[pd]\n;C[x]LB[a])\n\n"),
        ([(0, False, ";TR[aa]"), (0, True, "x")], ";B[pd]\n;TR[aa]C[x])\n\n"),
        ([(0, False, ";")], ";B[pd])\n\n"),
        ([(0, False, "(;W[aa])"), (0, True, "x")], ";B[pd]C[x]\n(;)\n(;W[aa]))\n\n"),
        # No annotation becomes a move.
        (
            [(0, False, ";W[aa]"), (0, False, "LB[aa]W[cc]")],
            ";B[pd]C[;W[aa\\]\n\\LB[aa\\]W[cc\\]])\n\n",
        ),
        # Beyond the last move.
        ([(5, True, "late")], ";B[pd]C[late])\n\n"),
        ([(-2, True, "early")], "C[early]\n;B[pd])\n\n"),
    ],
)
def test_odd_places(notes, tail):
    record = Record(NOTHING, None, blob_of("Bpd"), [Note(*note) for note in notes])
    text = sgf(record).decode()
    assert text == "(;GM[1]FF[4]CA[UTF-8]SZ[19]\n" + tail
    assert len(parsed(text.encode())) == 1


@pytest.mark.parametrize("start", ["SZ[19", "SZ[19]AB", "SZ[19]AE[aa]", "AB[aa]", "SZ[19]AB[aA]"])
def test_no_start(start):
    with pytest.raises(ValueError, match="not a start position of a Go game"):
        sgf(Record(NOTHING, start, b""))
