"""The report in a browser: it shows pairs, answers keys and search, and has no faults."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import Command
from tests.support.databases import change, value
from tests.support.html_page import Page
from tests.support.played_games import EXPECTED_COPIES, EXPECTED_SUSPECTS

_NAMES = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium to show the page in")

# A page around the report that works it and writes down what it sees. The report itself lets no
# foreign script in.
HARNESS = """<!doctype html><pre id="seen"></pre>
<iframe id="frame" style="width:WIDTHpx;height:900px"></iframe>
<script>
const seen = { faults: [] };
const frame = document.getElementById("frame");
frame.addEventListener("load", () => {
  const page = frame.contentDocument;
  const inside = frame.contentWindow;
  page.addEventListener(
    "securitypolicyviolation", (event) => seen.faults.push(event.violatedDirective));
  const text = (id) => page.getElementById(id).textContent;
  const press = (key) => page.body.dispatchEvent(
    new inside.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const choose = (kind) => {
    page.getElementById("pair-kind").value = kind;
    page.getElementById("pair-kind").dispatchEvent(new inside.Event("change"));
  };
  seen.ready = page.documentElement.dataset.ready;
  seen.fault = page.documentElement.dataset.fault || null;
  seen.width = page.documentElement.scrollWidth;
  seen.listed = page.querySelectorAll("#pair-list button").length;
  seen.first = text("pair");
  seen.pieces = page.querySelectorAll("#pair .board use").length;
  seen.pieceWidths = [...page.querySelectorAll("#pair .board use")].map(
    (piece) => piece.getBoundingClientRect().width);
  press("j");
  seen.second = text("pair");
  seen.address = inside.location.hash;
  press("k");
  seen.again = text("pair");
  choose("join");
  seen.join = text("pair");
  seen.arrows = page.querySelectorAll("#pair .board polygon").length;
  seen.evidence = page.querySelectorAll("#pair .evidence tr").length;
  choose("all");
  seen.all = text("pair-count");
  press("t");
  seen.theme = page.documentElement.dataset.theme;
  seen.background = inside.getComputedStyle(page.body).backgroundColor;
  press("?");
  seen.help = page.getElementById("help").open;
  page.getElementById("help").close();
  page.getElementById("pair-search").value = "SEARCHED";
  page.getElementById("pair-search").dispatchEvent(new inside.Event("input"));
  setTimeout(() => {
    seen.found = text("pair-count");
    seen.shown = text("pair");
    document.getElementById("seen").textContent = JSON.stringify(seen);
  }, 400);
});
frame.src = "r.htmlHASH";
</script>"""


def dumped(page: Path, profile: Path) -> str:
    assert CHROMIUM is not None
    done = subprocess.run(
        [
            CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--allow-file-access-from-files", f"--user-data-dir={profile}",
            "--virtual-time-budget=20000", "--dump-dom", page.absolute().as_uri(),
        ],
        capture_output=True, timeout=120, check=True,
    )  # fmt: skip
    return done.stdout.decode("utf-8")


def work(tmp_path: Path, *, width: int = 1000, hash_: str = "", search: str = "") -> dict[str, Any]:
    text = HARNESS.replace("WIDTH", str(width)).replace("HASH", hash_).replace("SEARCHED", search)
    Path("harness.html").write_text(text, encoding="utf-8")
    found = re.search(r'<pre id="seen">(.*?)</pre>', dumped(Path("harness.html"), tmp_path / "p"))
    assert found
    assert found[1], "the page was not worked to its end"
    seen: dict[str, Any] = json.loads(unescape(found[1]))
    return seen


def test_a_reader_goes_through_the_pairs(command: Command, made: str, tmp_path: Path) -> None:
    command("dedup", made, "--report", "r.html")
    page = Page.of("r.html")
    pairs = page.pairs()
    joins = [row for row in pairs if row["kind"] == "join"]
    seen = work(tmp_path, search=f"#{joins[0]['right']}")
    assert (seen["ready"], seen["fault"], seen["faults"]) == ("yes", None, [])
    assert seen["listed"] == len(EXPECTED_SUSPECTS) + len(joins)
    assert f"#{pairs[0]['left']} and #{pairs[0]['right']} may be one game" in seen["first"]
    assert f"#{pairs[1]['left']} and #{pairs[1]['right']}" in seen["second"]
    assert seen["address"] == f"#pair={pairs[1]['left']}-{pairs[1]['right']}"
    assert seen["again"] == seen["first"]
    board = pairs[0]["detail"]["fen"].split(" ")[0]
    assert seen["pieces"] == sum(letter.isalpha() for letter in board) > 0
    assert all(width > 0 for width in seen["pieceWidths"])
    assert f"#{joins[0]['right']} is a copy of #{joins[0]['left']}: join" in seen["join"]
    assert seen["arrows"] == sum(map(bool, joins[0]["detail"]["moves"]))
    assert seen["evidence"] == len(joins[0]["detail"]["terms"]) + 1
    assert seen["all"] == f"{len(EXPECTED_COPIES) + len(EXPECTED_SUSPECTS)} pairs"
    assert seen["theme"] in ("dark", "light")
    assert seen["help"] is True
    with_copy = [row for row in pairs if joins[0]["right"] in (row["left"], row["right"])]
    assert seen["found"] == f"{len(with_copy)} pair{'s' * (len(with_copy) != 1)}"
    assert f"#{joins[0]['right']}" in seen["shown"]


def test_a_link_to_a_pair_on_a_telephone_in_the_dark(
    command: Command, made: str, tmp_path: Path
) -> None:
    command("dedup", made, "--report", "r.html")
    exact = next(row for row in Page.of("r.html").pairs() if row["kind"] == "exact")
    link = f"#theme=dark&pair={exact['right']}-{exact['left']}"
    seen = work(tmp_path, width=360, hash_=link)
    assert (seen["fault"], seen["faults"]) == (None, [])
    assert f"#{exact['right']} is a copy of #{exact['left']}: exact" in seen["first"]
    assert seen["width"] <= 360  # nothing is to be scrolled sideways
    assert seen["theme"] == "light"  # from dark, by the key
    assert seen["background"] == "rgb(250, 249, 246)"


def test_odd_names_do_nothing(command: Command, made: str, tmp_path: Path) -> None:
    odd = "</script><img src=x onerror=document.title='bad'> &lt;"
    sql = "UPDATE Players SET Name = ? WHERE ID = (SELECT max(WhiteID) FROM Games)"
    command("dedup", made)
    change(made, sql, odd)
    command("dedup", made, "--full", "--report", "r.html")
    assert value(made, "SELECT count(*) FROM Players WHERE Name = ?", odd) == 1
    dom = dumped(Path("r.html"), tmp_path / "p")
    assert "<title>Duplicates in a.db3</title>" in dom
    assert "<img" not in re.sub(r"<script.*?</script>", "", dom, flags=re.DOTALL)
