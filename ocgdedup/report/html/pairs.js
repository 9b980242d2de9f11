// The list of pairs: filter, search, pages, and which pair is chosen. pair.js shows one.

const PAGE_PAIRS = 100;
const games = report.games;
const pairs = report.pairs;

const chosen = { rows: [], place: 0 }; // the pairs that pass the filter, and one of them
let searchTexts = null; // of each pair, made when somebody first searches

const KIND_CHOICES = [
  ["review", "suspects and joins", (row) => ["suspect", "join"].includes(kindOf(row))],
  ["open", "suspects to decide", (row) => kindOf(row) === "suspect" && !decisionOf(row)],
  ["decided", "suspects decided", (row) => kindOf(row) === "suspect" && decisionOf(row)],
  ["join", "joins", (row) => kindOf(row) === "join"],
  ["subsumption", "cut-off or partial copies", (row) => kindOf(row) === "subsumption"],
  ["exact", "equal copies", (row) => kindOf(row) === "exact"],
  ["special", "copies of a special kind", (row) => kindOf(row) !== "suspect" && hasReason(row)],
  ["all", "all pairs", () => true],
];

function kindOf(row) {
  return text(pairs.kind[row]);
}

function hasReason(row) {
  return text(pairs.reason[row]) !== "";
}

function decisionOf(row) {
  return text(pairs.decision[row]);
}

// Return the places of both games of a pair in the columns of games.
function sidesOf(row) {
  return [pairs.left[row], pairs.right[row]];
}

function isDeleted(game) {
  return (games.flags[game] & 2) !== 0;
}

function isMerged(game) {
  return (games.flags[game] & 1) !== 0;
}

function playersOf(game) {
  return `${text(games.white[game]) || "?"} – ${text(games.black[game]) || "?"}`;
}

// --- filter and search ---

function searchText(row) {
  const columns = [games.white, games.black, games.event, games.site, games.date, games.source];
  const words = sidesOf(row).flatMap((game) => [
    `#${games.id[game]} ${games.id[game]}`,
    ...columns.map((column) => text(column[game])),
  ]);
  return [...words, text(pairs.reason[row])].join("\n").toLowerCase();
}

function matches(row, words) {
  return words.every((word) => searchTexts[row].includes(word));
}

function rowsFor(kind, words) {
  const [, , passes] = KIND_CHOICES.find(([name]) => name === kind);
  if (words.length && searchTexts === null) {
    searchTexts = pairs.left.map((_, row) => searchText(row));
  }
  const rows = [];
  for (let row = 0; row < pairs.left.length; row += 1) {
    if (passes(row) && (!words.length || matches(row, words))) {
      rows.push(row);
    }
  }
  return rows;
}

function applyFilter() {
  const words = byId("pair-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  chosen.rows = rowsFor(byId("pair-kind").value, words);
  byId("pair-count").textContent = count(chosen.rows.length, "pair", "pairs");
  choosePlace(0, { quiet: true });
}

function fillKinds() {
  const select = byId("pair-kind");
  for (const [name, label, passes] of KIND_CHOICES) {
    const number = pairs.left.filter((_, row) => passes(row)).length;
    if (number || name === "all") {
      const words = `${label} (${number.toLocaleString("en")})`;
      select.append(make("option", { value: name }, words));
    }
  }
}

// --- the list ---

function listItem(row, place) {
  const [left, right] = sidesOf(row);
  const kind = kindOf(row);
  const decision = decisionOf(row);
  const label = decision ? `decided: ${decision}` : kind;
  const score = pairs.score[row];
  const button = make(
    "button",
    { type: "button" },
    make("span", { class: `kind ${kind}` }, label),
    ` ${playersOf(left)}`,
    make(
      "small",
      {},
      [
        text(games.date[left]),
        `#${games.id[left]} and #${games.id[right]}`,
        text(pairs.reason[row]),
        score === null ? "" : `evidence ${signed(score)}`,
        isDeleted(right) ? "deleted" : "",
      ].filter(Boolean).join(" · "),
    ),
  );
  if (place === chosen.place) {
    button.setAttribute("aria-current", "true");
  }
  button.addEventListener("click", () => choosePlace(place, { focus: true }));
  return make("li", {}, button);
}

function currentPage() {
  return Math.floor(chosen.place / PAGE_PAIRS);
}

function showList() {
  const first = currentPage() * PAGE_PAIRS;
  const shown = chosen.rows.slice(first, first + PAGE_PAIRS);
  const list = byId("pair-list");
  list.replaceChildren(...shown.map((row, number) => listItem(row, first + number)));
  list.setAttribute("start", String(first + 1));
  const pages = Math.ceil(chosen.rows.length / PAGE_PAIRS);
  showPager(byId("pair-pager"), currentPage(), pages, (page) => choosePlace(page * PAGE_PAIRS));
}

// Choose a pair by its place among those that pass the filter, and show it.
function choosePlace(place, { focus = false, quiet = false } = {}) {
  chosen.place = Math.max(0, Math.min(place, chosen.rows.length - 1));
  showList();
  const pane = byId("pair");
  if (!chosen.rows.length) {
    pane.replaceChildren(make("p", {}, "No pair is like this."));
    return;
  }
  const row = chosen.rows[chosen.place];
  pane.replaceChildren(...showPair(row));
  const button = byId("pair-list").querySelector("[aria-current]");
  if (focus) {
    button.focus({ preventScroll: true });
  }
  scrollWithin(byId("pair-list"), button);
  if (!quiet) {
    setHashValue("pair", sidesOf(row).map((game) => games.id[game]).join("-"));
  }
}

// Bring an item into sight without moving the page.
function scrollWithin(list, item) {
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop) {
    list.scrollTop = top;
  } else if (top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top + item.offsetHeight - list.clientHeight;
  }
}

// Go some pairs on or back; the page moves only if the pair is out of sight.
function step(by) {
  if (!chosen.rows.length) {
    return;
  }
  choosePlace(chosen.place + by, { focus: true });
  const box = byId("pair").getBoundingClientRect();
  if (box.top > innerHeight * 0.7 || box.bottom < 0) {
    byId("pair").scrollIntoView({ block: "start" });
  }
}

// Choose the pair that the address names; return whether there is one.
function chooseFromHash() {
  const asked = hashValue("pair");
  if (asked === null) {
    return false;
  }
  const ids = asked.split("-").map(Number).sort((one, other) => one - other).join("-");
  const isAsked = (row) =>
    sidesOf(row).map((game) => games.id[game]).sort((one, other) => one - other).join("-") === ids;
  let place = chosen.rows.findIndex(isAsked);
  if (place < 0) {
    byId("pair-kind").value = "all";
    byId("pair-search").value = "";
    applyFilter();
    place = chosen.rows.findIndex(isAsked);
  }
  if (place >= 0) {
    choosePlace(place, { quiet: true });
  }
  return place >= 0;
}

function startPairs() {
  fillKinds();
  byId("pair-kind").addEventListener("change", applyFilter);
  byId("pair-search").addEventListener("input", whenPaused(applyFilter));
  byId("pair-filter").addEventListener("submit", (event) => event.preventDefault());
  byId("pair-list").addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      step(by);
    }
  });
  applyFilter();
}
