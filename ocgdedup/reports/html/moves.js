// Both games of a pair on one board: stepping through either, from where they differ.

const view = { row: -1, side: 0, ply: 0, lines: null, detail: null };
const LEAST_SWIPE = 30; // pixels

// Return the ply after which the games differ, counted in one of them.
function divergence(side) {
  return view.detail.overlap[side] + view.detail.overlap[2];
}

function areEqual() {
  return view.lines.every((line, side) => divergence(side) === line.texts.length);
}

// --- moves as text ---

function moveNumber(line, ply) {
  if (report.isGo) {
    return `${ply + 1}.`;
  }
  const before = line.start.split(" ")[1] === "b" ? 1 : 0;
  const isBlacks = (ply + before) % 2 === 1;
  return `${((ply + before) >> 1) + 1}.${isBlacks ? ".." : ""}`;
}

function needsNumber(line, ply) {
  return report.isGo || ply === 0 || !moveNumber(line, ply).endsWith("..");
}

// Return whether a ply is neither in the shared part nor in the tail that both games end with.
function isOwn(side, ply) {
  const end = view.lines[side].texts.length - view.detail.overlap[3];
  return ply < view.detail.overlap[side] || (ply >= divergence(side) && ply < end);
}

function moveList(side) {
  const line = view.lines[side];
  const list = make("p", {
    class: "plies", tabindex: "0", role: "region",
    "aria-label": `Moves of game ${games.id[sidesOf(view.row)[side]]}`,
  });
  line.texts.forEach((move, ply) => {
    const number = needsNumber(line, ply) ? `${moveNumber(line, ply)} ` : "";
    const attributes = { "data-side": side, "data-ply": ply + 1 };
    attributes.class = isOwn(side, ply) ? "ply own" : "ply";
    list.append(make("span", attributes, number + move), " ");
  });
  if (!line.texts.length) {
    list.append("no moves");
  }
  list.addEventListener("click", (event) => {
    const chosenPly = event.target.closest("[data-ply]");
    if (chosenPly) {
      showPly(side, Number(chosenPly.dataset.ply));
    }
  });
  return list;
}

function gameButton(side) {
  const button = make("button", { type: "button", "data-game": side, "aria-pressed": "false" },
    make("span", { class: `swatch ${["left", "right"][side]}`, "aria-hidden": "true" }),
    `Game ${games.id[sidesOf(view.row)[side]]}`);
  button.addEventListener("click", () => showPly(side, matchingPly(side)));
  return button;
}

// Return the ply of a game that is the place of the other one that is shown now.
function matchingPly(side) {
  const shift = view.detail.overlap[side] - view.detail.overlap[view.side];
  return side === view.side ? view.ply : view.ply + shift;
}

const STEPS = [
  ["first", "|◀", "start of the game", () => 0],
  ["back", "◀", "one move back", () => view.ply - 1],
  ["part", "⇄", "first difference", () => divergence(view.side)],
  ["on", "▶", "one move on", () => view.ply + 1],
  ["last", "▶|", "end of the game", () => view.lines[view.side].texts.length],
];

function stepBar() {
  const bar = make("div", { class: "steps", role: "group", "aria-label": "Step through the game" });
  for (const [name, sign, title, target] of STEPS) {
    const button = make("button", { type: "button", "data-step": name, title }, sign);
    button.setAttribute("aria-label", title);
    button.addEventListener("click", () => showPly(view.side, target()));
    bar.append(button);
  }
  return bar;
}

// Return the board and its controls, at the first difference, and the lists of moves.
function movesOf(row, detail) {
  if (!detail.overlap) {
    return [[make("p", {}, detail.words)], []];
  }
  Object.assign(view, { row, detail, side: 0, lines: mainlinesOf(detail) });
  const box = make("div", { class: "board-box" });
  const frame = make("div", { id: "board" });
  box.append(
    make("div", { class: "games", role: "group", "aria-label": "Game on the board" },
      gameButton(0), gameButton(1)),
    frame,
    make("p", { id: "board-place", role: "status" }),
    stepBar(),
  );
  followSwipes(frame);
  const lists = make("div", { class: "move-lists" }, ...[0, 1].map((side) =>
    make("div", {},
      make("h4", {}, `#${games.id[sidesOf(row)[side]]}, ` +
        count(view.lines[side].texts.length, ...UNITS)),
      moveList(side))));
  return [[box], [make("p", {}, detail.words), lists]];
}

function followSwipes(frame) {
  let start = null;
  frame.addEventListener("touchstart", (event) => {
    start = event.touches.length === 1 ? event.touches[0].clientX : null;
  }, { passive: true });
  frame.addEventListener("touchend", (event) => {
    const way = start === null ? 0 : event.changedTouches[0].clientX - start;
    if (Math.abs(way) >= LEAST_SWIPE) {
      showPly(view.side, view.ply + (way < 0 ? 1 : -1));
    }
  });
}

// --- the position that is shown ---

function boardLabel() {
  if (view.ply === divergence(view.side)) {
    return areEqual() ? "The last position of both games" : "The games differ from here on";
  }
  return "";
}

function placeWords() {
  const line = view.lines[view.side];
  const total = count(line.texts.length, ...UNITS);
  const at = view.ply
    ? `${moveNumber(line, view.ply - 1)} ${line.texts[view.ply - 1]} (${UNITS[0]} ${view.ply} ` +
      `of ${line.texts.length})`
    : `Start position (${total})`;
  const turn = report.isGo ? "" : isWhiteToMove(line, view.ply) ? "White to move" : "Black to move";
  return [at, turn, boardLabel()].filter(Boolean).join(" · ");
}

// Show the position of a game after some plies; a ply that the game does not have is moved into it.
function showPly(side, ply) {
  if (view.lines === null || !byId("board")) {
    return;
  }
  const line = view.lines[side];
  view.side = side;
  view.ply = Math.max(0, Math.min(ply, line.texts.length));
  const isPart = view.ply === divergence(side);
  const next = isPart && !areEqual() ? view.lines.map((one, other) =>
    one.moves[divergence(other)]) : [];
  const last = view.ply ? line.moves[view.ply - 1] : undefined;
  const position = positionAfter(line, view.ply);
  const label = placeWords();
  const drawing = report.isGo
    ? drawGoBoard(position, label, next, last)
    : drawBoard(position, label, next, last);
  byId("board").replaceChildren(drawing);
  byId("board-place").textContent = label;
  markPlace();
}

function markPlace() {
  const pane = byId("pair");
  pane.querySelectorAll("[data-game]").forEach((button) => {
    button.setAttribute("aria-pressed", String(Number(button.dataset.game) === view.side));
  });
  const ends = { first: 0, back: 0, on: view.lines[view.side].texts.length };
  ends.last = ends.on;
  pane.querySelectorAll("[data-step]").forEach((button) => {
    const isEnd = view.ply === ends[button.dataset.step];
    button.setAttribute("aria-disabled", String(isEnd));
  });
  pane.querySelectorAll("[aria-current=step]").forEach((ply) => {
    ply.removeAttribute("aria-current");
  });
  // Both lists show the same place; the move that led to the position is marked.
  for (const side of [0, 1]) {
    const ply = Math.max(1, Math.min(matchingPly(side), view.lines[side].texts.length));
    const move = pane.querySelector(`[data-side="${side}"][data-ply="${ply}"]`);
    if (move) {
      scrollWithin(move.parentElement, move);
    }
    if (move && side === view.side && view.ply) {
      move.setAttribute("aria-current", "step");
    }
  }
}

function stepPly(by) {
  showPly(view.side, view.ply + by);
}
