// One pair: what was decided, both headers, the board where they part, the evidence, commands.

const SIDES = ["first game", "second game"];
const KIND_WORDS = {
  exact: "the same moves",
  subsumption: "the moves of one are the start, or a part, of the other's",
  join: "nearly the same moves",
};

function sideNames(row) {
  return kindOf(row) === "suspect" ? SIDES : ["master", "copy"];
}

const REASON_WORDS = {
  partial: "partial: but for a slip, the one is the start of the other",
  "continues from FEN": "it starts from a position of the other",
  placeholder: "a placeholder without moves",
  transposed: "the same opening moves in another order",
  rotated: "written down with the board turned or mirrored",
};

// --- what it is, in words ---

function verdictWords(row) {
  const [left, right] = sidesOf(row).map((game) => `#${games.id[game]}`);
  const kind = kindOf(row);
  if (kind === "suspect") {
    return suspectWords(row, left, right);
  }
  const where = isDeleted(sidesOf(row)[1])
    ? `It was deleted; 'ocgdedup dedup --restore' puts it back.`
    : `It is flagged and still there.`;
  const reason = text(pairs.reason[row]);
  const words = reason === "rotated"
    ? `${KIND_WORDS[kind]}, ${REASON_WORDS[reason]}`
    : REASON_WORDS[reason] || reason || KIND_WORDS[kind] || "?";
  const what = `${kind} (${words})`;
  const through = pairs.through[row]
    ? " Beside each other their moves differ too much: a third record of the group links them."
    : "";
  return `${right} is a copy of ${left}: ${what}. ${left} stays. ${where}${through}`;
}

function suspectWords(row, left, right) {
  const decision = decisionOf(row);
  if (decision) {
    const words = decision === "same" ? "one game" : "two different games";
    return `You decided: ${left} and ${right} are ${words}.`;
  }
  const kind = text(pairs.reason[row]);
  const score = pairs.score[row];
  let why = "";
  if (score !== null && score < report.suspectFrom) {
    why = " The headers speak against it; it is listed because so many equal moves are no " +
      "chance.";
  } else if (score !== null && score >= report.copyFrom) {
    why = " The sum would do for a copy, but other records speak against joining them.";
  }
  return `Suspects: ${left} and ${right} may be one game (${kind}). Both stay until you ` +
    `decide.${why}`;
}

// --- headers ---

const SHORT_TAGS = [
  ["Event", "event"], ["Site", "site"], ["Date", "date"], ["Round", "round"],
  ["White", "white"], ["Black", "black"], ["Result", "result"], ["ECO", "eco"],
];

// Return [tag, left value, right value]: all tags if they are there, else the main ones.
function tagRows(row, detail) {
  if (detail && detail.tags) {
    return detail.tags.map(([tag, ...values]) => [text(tag), ...values.map(text)]);
  }
  const sides = sidesOf(row);
  const rows = SHORT_TAGS.map(([tag, column]) => [
    tag,
    ...sides.map((game) => text(games[column][game]) || "?"),
  ]);
  for (const [tag, column] of [["WhiteElo", "whiteElo"], ["BlackElo", "blackElo"]]) {
    rows.push([tag, ...sides.map((game) => String(games[column][game] ?? ""))]);
  }
  return rows.filter(([tag, left, right]) =>
    (left !== "" || right !== "") && !(report.isGo && tag === "ECO"));
}

// Return what a tag of a game was before a merge, undefined if it was not merged.
function valueBefore(game, tag) {
  const found = (report.before[games.id[game]] || []).find(([name]) => text(name) === tag);
  return found && text(found[1]);
}

function valueCell(value, before, side) {
  const cell = make("td", { "data-side": side }, value);
  if (before !== undefined && before !== value) {
    const words = before === "" ? "(nothing)" : before;
    cell.append(make("del", { title: "before the merge" }, words));
  }
  return cell;
}

// Make a row of the table of headers: marked where the records differ, as they came.
function comparedRow(row, label, cells, { differs, same }) {
  const sign = make("span", { class: "sign" }, differs ? " ≠" : "");
  const heading = make("th", { scope: "row" }, label, sign);
  const kind = differs ? "differs" : same ? "same" : "";
  return make("tr", kind ? { class: kind } : {}, heading, ...cells);
}

function tagRow(row, [tag, ...values]) {
  const before = sidesOf(row).map((game) => valueBefore(game, tag));
  const own = values.map((value, side) => before[side] ?? value);
  const known = own.map((value) => (value === "?" ? "" : value));
  const cells = values.map((value, side) => valueCell(value, before[side], sideNames(row)[side]));
  const isMergedTag = before.some((value) => value !== undefined);
  return comparedRow(row, tag, cells, {
    differs: known[0] !== known[1],
    same: !isMergedTag && values[0] === values[1],
  });
}

function factRow(row, label, values) {
  const names = sideNames(row);
  const cells = values.map((value, side) => make("td", { "data-side": names[side] }, value));
  const same = values[0] === values[1];
  return comparedRow(row, label, cells, { differs: label === UNITS[1] && !same, same });
}

function sourceOf(game) {
  const name = text(games.source[game]);
  return name ? `${name}, game ${games.number[game]}` : "not known";
}

function headerTable(row, detail) {
  const sides = sidesOf(row);
  const heads = sideNames(row).map((name, side) => {
    const words = [`#${games.id[sides[side]]}, ${name}`];
    words.push(isMerged(sides[side]) ? "merged" : "", isDeleted(sides[side]) ? "deleted" : "");
    return make("th", { scope: "col" }, words.filter(Boolean).join(", "));
  });
  const points = sides.map((game) => String(games.score[game] ?? "–"));
  const body = make("tbody", {}, ...tagRows(row, detail).map((tag) => tagRow(row, tag)));
  body.append(
    factRow(row, UNITS[1], sides.map((game) => String(games.plies[game] ?? "?"))),
    factRow(row, "source", sides.map(sourceOf)),
  );
  if (points.some((value) => value !== "–")) {
    body.append(factRow(row, "points", points));
  }
  return make(
    "table",
    { class: "header-table" },
    make("thead", {}, make("tr", {}, make("td", {}), ...heads)),
    body,
  );
}

// --- moves ---

function boardLabel(detail) {
  if (detail.moves.some(Boolean) && report.isGo) {
    return "Where they part";
  }
  const turn = detail.fen.split(" ")[1] === "b" ? "Black" : "White";
  return detail.moves.some(Boolean)
    ? `Where they part: ${turn} to move`
    : "The last position that both have";
}

// Tell if a move has a place on the board: a null move, a pass and the end of a game have none.
function hasPlace(move) {
  return move !== "" && !move.startsWith("0000") && !move.endsWith("[]");
}

// Write a continuation; its first move is the one that differs.
function continuation(row, detail, side) {
  const [first, rest] = detail.after[side];
  const sign = report.isGo ? "ring" : "arrow";
  const legend = side ? `dashed red ${sign}` : `blue ${sign}`;
  const marked = hasPlace(detail.moves[side]);
  return [
    make("h4", {}, `#${games.id[sidesOf(row)[side]]}${marked ? ` (${legend})` : ""}`),
    make("p", {}, make("strong", {}, first), ` ${rest}`),
  ];
}

function movesOf(row, detail) {
  if (!detail.fen && !detail.rows.length) {
    return [make("h3", {}, "Moves"), make("p", {}, detail.words)];
  }
  const side = make("div", { class: "continuations" }, make("p", {}, detail.words));
  if (detail.before) {
    const heading = detail.after ? "Before, in both" : "The last moves";
    side.append(make("h4", {}, heading), make("p", {}, detail.before));
  }
  if (detail.after) {
    side.append(...continuation(row, detail, 0), ...continuation(row, detail, 1));
  }
  if (detail.tail) {
    side.append(make("h4", {}, "Then the same again"), make("p", {}, detail.tail));
  }
  const label = boardLabel(detail);
  const board = report.isGo
    ? drawGoBoard(detail.rows, label, detail.moves)
    : drawBoard(detail.fen, label, detail.moves);
  return [make("h4", {}, "Moves"), make("div", { class: "moves" }, board, side)];
}

// --- evidence ---

function evidenceBar(value, most) {
  const width = (Math.abs(value) / most) * 50;
  const bar = draw("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none" });
  bar.setAttribute("aria-hidden", "true");
  bar.append(
    draw("rect", {
      class: value < 0 ? "against" : "for",
      x: value < 0 ? 50 - width : 50, y: 0, width, height: 10,
    }),
    draw("line", { class: "zero", x1: 50, x2: 50, y1: 0, y2: 10 }),
  );
  return bar;
}

function evidenceRow([name, value, words], most) {
  const cells = [
    make("td", { class: "number" }, value === null ? "" : signed(value)),
    make("td", { class: "bar" }, ...(value === null ? [] : [evidenceBar(value, most)])),
    make("td", {}, text(words)),
  ];
  return make("tr", {}, make("th", { scope: "row" }, text(name)), ...cells);
}

function evidenceTable(row, detail) {
  if (!detail.terms.length) {
    return [];
  }
  const most = Math.max(1, ...detail.terms.map(([, value]) => Math.abs(value || 0)));
  const body = make("tbody", {}, ...detail.terms.map((term) => evidenceRow(term, most)));
  const score = pairs.score[row];
  if (score !== null) {
    const limits = `a copy from ${report.copyFrom} on, a suspect from ${report.suspectFrom} on`;
    body.append(
      make(
        "tr",
        { class: "sum" },
        make("th", { scope: "row" }, "sum"),
        make("td", { class: "number" }, signed(score)),
        make("td", { colspan: "2" }, limits),
      ),
    );
  }
  const hint = "Natural logarithms of likelihood ratios: right of the line speaks for one game, " +
    "left of it against.";
  return [
    make("h4", {}, "Evidence"),
    make("table", { class: "evidence" }, body),
    make("p", { class: "muted" }, hint),
  ];
}

// --- what can be done ---

function commandsFor(row) {
  const ids = sidesOf(row).map((game) => games.id[game]).join(" ");
  const kind = kindOf(row);
  const database = report.shellName;
  const lines = [`ocgdedup dedup ${database} --explain ${ids}`];
  if (kind !== "suspect") {
    lines.push(`ocgdedup printpgn ${database} --group ${games.id[sidesOf(row)[0]]}`);
  }
  lines.push(`ocgdedup review ${database} --pair ${ids}`);
  const codes = lines.map((line) => make("code", {}, line));
  return [make("h4", {}, "To look closer, and to decide"),
    make("div", { class: "commands" }, ...codes)];
}

// Return the elements that show a pair.
function showPair(row) {
  const detail = report.details[row];
  const [left] = sidesOf(row);
  const place = `${(chosen.place + 1).toLocaleString("en")} of ` +
    chosen.rows.length.toLocaleString("en");
  const shown = [
    make("h3", {}, playersOf(left)),
    make("p", { class: "muted" }, `pair ${place}`),
    make("p", { class: "verdict" }, verdictWords(row)),
    make("div", { class: "scroll" }, headerTable(row, detail)),
  ];
  if (detail) {
    shown.push(...movesOf(row, detail), ...evidenceTable(row, detail));
  } else if (kindOf(row) === "exact") {
    shown.push(make("p", {}, `The same moves: ${count(games.plies[left] || 0, ...UNITS)}.`));
  } else {
    shown.push(make("p", {}, "The commands below show the moves of this pair."));
  }
  return [...shown, ...commandsFor(row)];
}
