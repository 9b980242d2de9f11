// One pair: verdict, both headers, the board, the evidence, commands.

const SIDES = ["left", "right"];
const KIND_WORDS = {
  exact: "the same moves",
  subsumption: "its moves are the beginning, or a part, of the other game's",
  join: "nearly the same moves",
};

const LENGTH_WORDS = {
  longer: "the other game's moves are the beginning, or a part, of its moves",
  diverging: "both games begin alike and have the same length, but later moves differ",
};

function sideNames(row) {
  return kindOf(row) === "suspect" ? SIDES : ["kept", "duplicate"];
}

const REASON_WORDS = {
  partial: "the beginning of the other game, except for a slip",
  "continues from FEN": "it starts from a position of the other game",
  placeholder: "a placeholder without moves",
  transposed: "the same opening moves in another order",
  rotated: "recorded with the board rotated or mirrored",
};

// --- the verdict in words ---

function verdictWords(row) {
  const [left, right] = sidesOf(row).map((game) => `#${games.id[game]}`);
  const kind = kindOf(row);
  const decision = decisionOf(row);
  const decided = decision ? ` You decided: ${decisionWords(decision)}.` : "";
  if (kind === "suspect") {
    return decided ? decided.trim() : possibleWords(row, left, right);
  }
  const where = isDeleted(sidesOf(row)[1])
    ? `${right} was deleted; 'ocgdedup dedup --restore' restores it.`
    : `${left} is kept, ${right} is flagged.`;
  const reason = text(pairs.reason[row]);
  const words = kind === "subsumption" && !isTruncated(row)
    ? LENGTH_WORDS[pairClassWords(row)]
    : reason === "rotated"
    ? `${KIND_WORDS[kind]}, ${REASON_WORDS[reason]}`
    : REASON_WORDS[reason] || reason || KIND_WORDS[kind] || "?";
  const through = pairs.through[row]
    ? " The moves of these two records differ too much; a third record of the group links them."
    : "";
  return `${right} is a duplicate of ${left}: ${pairClassWords(row)} (${words}). ` +
    `${where}${through}${decided}`;
}

function possibleWords(row, left, right) {
  const kind = text(pairs.reason[row]);
  const score = pairs.score[row];
  let why = "";
  if (score !== null && score < report.suspectFrom) {
    why = " The headers are evidence against it; it is listed because so many equal moves are " +
      "hardly " +
      "chance.";
  } else if (score !== null && score >= report.copyFrom) {
    why = " The score is that of a duplicate, but other records are evidence against it.";
  }
  return `${left} and ${right} are possible duplicates (${classWords(kind)}). Both are ` +
    `kept until you decide.${why}`;
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
  const merged = (report.before[games.id[game]] || []).find(([name]) => text(name) === tag);
  return merged && text(merged[1]);
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
  return name ? `${name.split("/").pop()}, game ${games.number[game]}` : "not known";
}

// Return a table of the fields that differ, and one, folded away, of those that are equal.
function headerTables(row, detail) {
  const sides = sidesOf(row);
  const points = sides.map((game) => String(games.score[game] ?? "–"));
  const rows = [
    ...tagRows(row, detail).map((tag) => tagRow(row, tag)),
    factRow(row, UNITS[1], sides.map((game) => String(games.plies[game] ?? "?"))),
    factRow(row, "source", sides.map(sourceOf)),
  ];
  if (points.some((value) => value !== "–")) {
    rows.push(factRow(row, "header score", points));
  }
  const isEqual = (line) => line.classList.contains("same");
  const equal = rows.filter(isEqual);
  const tables = [tableOf(row, rows.filter((line) => !isEqual(line)))];
  if (equal.length) {
    const words = count(equal.length, "equal field", "equal fields");
    tables.push(make("details", {}, make("summary", {}, words), tableOf(row, equal)));
  }
  return tables;
}

function tableOf(row, lines) {
  const sides = sidesOf(row);
  const heads = sideNames(row).map((name, side) => {
    const words = [`#${games.id[sides[side]]}, ${name}`];
    words.push(...mergesOf(sides[side]), isDeleted(sides[side]) ? "deleted" : "");
    return make("th", { scope: "col" }, words.filter(Boolean).join(", "));
  });
  return make("table", { class: "header-table" },
    make("thead", {}, make("tr", {}, make("td", {}), ...heads)),
    make("tbody", {}, ...lines));
}

// --- evidence ---

// Return a scale for all bars of a waterfall: from a value to a place between 0 and 100.
function scaleOf(sums) {
  const low = Math.min(0, ...sums);
  const high = Math.max(report.copyFrom, ...sums);
  return (value) => ((value - low) / (high - low || 1)) * 100;
}

function thresholds(scale) {
  const limits = [["zero", 0], ["limit", report.suspectFrom], ["limit", report.copyFrom]];
  return limits.map(([kind, value]) =>
    draw("line", { class: kind, x1: scale(value), x2: scale(value), y1: 0, y2: 10 }));
}

// Draw one step of the waterfall: a bar from the sum before it to the sum after it.
function evidenceBar(from, to, kind, scale) {
  const bar = draw("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none" });
  bar.setAttribute("aria-hidden", "true");
  const x = scale(Math.min(from, to));
  const width = Math.max(scale(Math.max(from, to)) - x, 0.6);
  bar.append(
    draw("rect", { class: kind, x, y: 1, width, height: 8 }),
    ...thresholds(scale),
  );
  return bar;
}

function evidenceRow([name, value, words], before, scale) {
  const bars = value === null || value === 0 ? [] : [
    evidenceBar(before, before + value, value < 0 ? "against" : "for", scale),
  ];
  return make("tr", {},
    make("th", { scope: "row" }, text(name)),
    make("td", { class: "number" }, value === null ? "" : signed(value)),
    make("td", { class: "bar" }, ...bars),
    make("td", {}, text(words)));
}

function evidenceTable(row, detail) {
  const terms = detail.terms.filter(([, value, words]) => value !== 0 || text(words));
  if (!terms.length) {
    return [];
  }
  const sums = [0];
  terms.forEach(([, value]) => sums.push(sums[sums.length - 1] + (value || 0)));
  const scale = scaleOf(sums);
  const body = make("tbody", {}, ...terms.map((term, number) =>
    evidenceRow(term, sums[number], scale)));
  const score = pairs.score[row];
  if (score !== null) {
    body.append(make("tr", { class: "sum" },
      make("th", { scope: "row" }, "score"),
      make("td", { class: "number" }, signed(score)),
      make("td", { class: "bar" }, evidenceBar(0, score, "total", scale)),
      make("td", {}, `duplicate from ${report.copyFrom}, possible from ${report.suspectFrom}`)));
  }
  return [
    make("h4", {}, "Evidence"),
    make("table", { class: "evidence" }, body),
    make("p", { class: "muted" }, "Match weights: above 0 for the same game, " +
      "below 0 for different games. Each bar starts where the one above ends; the dashed lines " +
      "are the two thresholds."),
  ];
}

// --- commands ---

function commandsFor(row) {
  const ids = sidesOf(row).map((game) => games.id[game]).join(" ");
  const kind = kindOf(row);
  const database = report.shellName;
  const lines = [`ocgdedup dedup ${database} --explain ${ids}`];
  if (kind !== "suspect") {
    lines.push(`ocgdedup printpgn ${database} --group ${games.id[sidesOf(row)[0]]}`);
  }
  lines.push(`ocgdedup review ${database} --pair ${ids}`);
  return [make("details", {}, make("summary", {}, "Commands for this pair"),
    make("div", { class: "commands" }, ...lines.map(command)))];
}

// --- the whole pair ---

function pairHead(row) {
  const place = `${(chosen.place + 1).toLocaleString("en")} of ` +
    chosen.rows.length.toLocaleString("en");
  const button = (name, label, key, go, isOff) => {
    const made = make("button", { type: "button", "data-go": name }, `${label} `,
      ...(key ? [make("kbd", {}, key)] : []));
    made.disabled = isOff;
    made.addEventListener("click", go);
    return made;
  };
  return make("div", { class: "pair-head" },
    button("list", "‹ List", "", closePair, false),
    make("h3", {}, playersOf(sidesOf(row)[0])),
    make("span", { class: "muted", id: "pair-place" }, `pair ${place}`),
    button("previous", "Previous", "k", () => step(-1), chosen.place === 0),
    button("next", "Next", "j", () => step(1), chosen.place === chosen.rows.length - 1));
}

// Return the elements that show a pair.
function showPair(row) {
  const detail = report.details[row];
  const [board, moves] = detail ? movesOf(row, detail) : [[], [withoutMoves(row)]];
  const facts = make("div", { class: "facts" },
    make("p", { class: "verdict" }, verdictWords(row)),
    ...headerTables(row, detail),
    ...moves,
    ...(detail ? evidenceTable(row, detail) : []),
    ...commandsFor(row));
  return [
    pairHead(row),
    decideBar(row),
    make("div", { class: board.length ? "pair-body" : "" }, ...board, facts),
  ];
}

function withoutMoves(row) {
  const [left] = sidesOf(row);
  return make("p", {}, kindOf(row) === "exact"
    ? `The same moves: ${count(games.plies[left] || 0, ...UNITS)}.`
    : "The commands below show the moves of this pair.");
}

// Put the board to the first difference, once the elements of the pair are in the page.
function startAtDifference(row) {
  if (report.details[row] && report.details[row].overlap) {
    showPly(0, divergence(0));
  } else {
    view.lines = null;
  }
}
