"""SGF trees: read by sgfmill, and split as docs/go.md describes their storage."""

from typing import NamedTuple

from sgfmill import sgf_grammar

from tests.support.go_games import blob_of


class Node(NamedTuple):
    """A node: its move as "Bpd", other properties with unescaped values, and its children."""

    move: str | None
    properties: dict[str, list[str]]
    children: list["Node"]


class Stored(NamedTuple):
    """A tree as stored in a database; notes as (ply, is comment, text)."""

    tags: dict[str, str]
    moves: bytes
    notes: list[tuple[int, bool, str]]


def parsed(text):
    """Return all records of a text as nodes; every byte must belong to a record."""
    trees = sgf_grammar.parse_sgf_collection(text)
    return [_node_of(tree) for tree in trees]


def _node_of(tree):
    node = None
    for properties in reversed(tree.sequence):
        children = [_node_of(child) for child in tree.children] if node is None else [node]
        move = None
        others = {}
        for name, values in properties.items():
            texts = [sgf_grammar.text_value(value).decode() for value in values]
            if name in ("B", "W"):
                assert move is None
                assert len(texts) == 1
                move = name + texts[0]
            else:
                others[name] = texts
        node = Node(move, others, children)
    return node


def escaped(text):
    return "".join("\\" + char if char in "\\]" else char for char in text)


def properties_text(properties):
    return "".join(
        name + "".join(f"[{escaped(value)}]" for value in values)
        for name, values in properties.items()
    )


def node_text(node):
    move = f"{node.move[0]}[{node.move[1:]}]" if node.move else ""
    return f";{move}{properties_text(node.properties)}"


def branch_text(node):
    """Return a branch by plain recursion, each child in its own parentheses."""
    return f"({node_text(node)}{''.join(map(branch_text, node.children))})"


def stored(root):
    """Split a tree; the mainline is the first branch everywhere."""
    tags = {name: values[0] for name, values in root.properties.items() if _is_tag(name, values)}
    moves, notes = [], []
    node, ply = root, -1
    while True:
        if node.move is not None:
            moves.append(node.move)
            ply += 1
        if node is root or node.move is not None:
            if "C" in node.properties:
                notes.append((ply, True, node.properties["C"][0]))
            others = {
                name: values
                for name, values in node.properties.items()
                if name != "C" and not (node is root and name in tags)
            }
            if others:
                notes.append((ply, False, properties_text(others)))
        else:
            notes.append((ply, False, node_text(node)))
        notes.extend((ply, False, branch_text(child)) for child in node.children[1:])
        if not node.children:
            return Stored(tags, blob_of(" ".join(moves)), notes)
        node = node.children[0]


def _is_tag(name, values):
    return name != "C" and len(values) == 1
