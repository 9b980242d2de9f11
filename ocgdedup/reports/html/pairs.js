// The list of pairs: filter, search, pages, and which pair is chosen. pair.js shows one.

const PAGE_PAIRS = 100;
const games = report.games;
const pairs = report.pairs;

const chosen = { rows: [], place: 0 }; // the pairs that pass the filter, and one of them
let searchTexts = null; // of each pair, made when somebody first searches

const KIND_NAMES = {
  suspect: "possible", join: "near-identical", subsumption: "truncated", exact: "exact",
};
const KIND_CHOICES = [
  ["review", "possible and near-identical", (row) => ["suspect", "join"].includes(kindOf(row))],
  ["open", "possible, not decided", (row) => kindOf(row) === "suspect" && !decisionOf(row)],
  ["join", "near-identical duplicates", (row) => kindOf(row) === "join"],
  ["subsumption", "truncated, longer, diverging", (row) => kindOf(row) === "subsumption"],
  ["exact", "exact duplicates", (row) => kindOf(row) === "exact"],
  ["special", "duplicates with a reason", (row) => kindOf(row) !== "suspect" && hasReason(row)],
  ["decided", "decided", (row) => decisionOf(row) !== null],
  ["all", "all pairs", () => true],
];

// Return a class of the database in words: "truncated (partial)" for "subsumption (partial)".
function classWords(stored) {
  return stored.replace(/^\S+/, (status) => KIND_NAMES[status] || status);
}

// Return the class of a pair; a game of the class "truncated" may also be longer or diverge.
function pairClassWords(row) {
  const kind = kindOf(row);
  if (kind !== "subsumption" || isTruncated(row)) {
    return classWords(kind);
  }
  return morePlies(row) ? "longer" : "diverging";
}

function isTruncated(row) {
  return morePlies(row) < 0;
}

function morePlies(row) {
  const [left, right] = sidesOf(row);
  const plies = games.plies[right] - games.plies[left];
  return plies || (text(pairs.reason[row]) === "continues from FEN" ? -1 : 0);
}

function kindOf(row) {
  return text(pairs.kind[row]);
}

function hasReason(row) {
  return text(pairs.reason[row]) !== "";
}

// Return the places of both games of a pair in the columns of games.
function sidesOf(row) {
  return [pairs.left[row], pairs.right[row]];
}

function isDeleted(game) {
  return (games.flags[game] & 2) !== 0;
}

// Return what was merged into a game, in words.
function mergesOf(game) {
  return [games.flags[game] & 1 ? "headers merged" : "",
    games.flags[game] & 4 ? "annotations merged" : ""];
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

function applyFilter(options = {}) {
  const words = byId("pair-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  chosen.rows = rowsFor(byId("pair-kind").value, words);
  byId("pair-count").textContent = count(chosen.rows.length, "pair", "pairs");
  fillKinds();
  choosePlace(0, options);
}

// Write how many pairs each filter has now, and leave out those that have none.
function fillKinds() {
  const select = byId("pair-kind");
  const before = select.value;
  const options = KIND_CHOICES.map(([name, label, passes]) => {
    const number = pairs.left.filter((_, row) => passes(row)).length;
    const words = `${label} (${number.toLocaleString("en")})`;
    return number || name === "all" || name === before
      ? [make("option", { value: name }, words)]
      : [];
  });
  select.replaceChildren(...options.flat());
  if (before) {
    select.value = before;
  }
}

// --- the list ---

function listItem(row, place) {
  const [left, right] = sidesOf(row);
  const kind = kindOf(row);
  const decision = decisionOf(row);
  const label = decision ? `decided: ${decision.word}` : pairClassWords(row);
  const score = pairs.score[row];
  const button = make(
    "button",
    { type: "button", tabindex: "-1" }, // one stop for the whole list: that of the chosen pair
    make("span", { class: `kind ${kind}` }, label),
    ` ${playersOf(left)}`,
    make(
      "small",
      {},
      [
        text(games.date[left]),
        `#${games.id[left]} and #${games.id[right]}`,
        classWords(text(pairs.reason[row])),
        score === null ? "" : `score ${signed(score)}`,
        isDeleted(right) ? "deleted" : "",
      ].filter(Boolean).join(" · "),
    ),
  );
  if (place === chosen.place) {
    button.setAttribute("aria-current", "true");
    button.tabIndex = 0;
  }
  button.addEventListener("click", () => {
    choosePlace(place, { focus: true });
    openPair();
  });
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
    pane.replaceChildren(make("p", {}, "No pair matches the filter."));
    setHashValue("pair", null);
    return;
  }
  const row = chosen.rows[chosen.place];
  pane.replaceChildren(...showPair(row));
  startAtDifference(row);
  const button = byId("pair-list").querySelector("[aria-current]");
  if (focus) {
    button.focus({ preventScroll: true });
  }
  scrollWithin(byId("pair-list"), button);
  if (!quiet) {
    setHashValue("pair", sidesOf(row).map((game) => games.id[game]).join("-"));
  }
}

// Scroll a list so that an item is visible, without moving the page.
function scrollWithin(list, item) {
  const [inner, outer] = [item, list].map((element) => element.getBoundingClientRect());
  if (inner.top < outer.top) {
    list.scrollTop += inner.top - outer.top - list.clientTop;
  } else if (inner.bottom > outer.bottom) {
    list.scrollTop += inner.bottom - outer.bottom + list.clientTop;
  }
}

// Go some pairs on or back.
function step(by) {
  if (chosen.rows.length) {
    choosePlace(chosen.place + by, { focus: true });
    openPair();
  }
}

// Bring the chosen pair into view: on a narrow screen in place of the list.
function openPair() {
  byId("review").classList.add("is-open");
  const steps = byId("pair").querySelector(".steps");
  const end = steps ? steps.getBoundingClientRect().bottom : 0;
  if (byId("pair").getBoundingClientRect().top < 0 || end > innerHeight || isNarrow()) {
    byId("review").scrollIntoView({ block: "start" });
  }
}

function closePair() {
  byId("review").classList.remove("is-open");
  const button = byId("pair-list").querySelector("[aria-current]");
  button.focus();
  button.scrollIntoView({ block: "center" });
}

function isNarrow() {
  return matchMedia("(max-width: 60rem)").matches;
}

// Choose the pair that the address names; return whether there is one.
function chooseFromHash() {
  const asked = hashValue("pair");
  if (asked === null || !pairs.left.length) {
    return false;
  }
  const ids = asked.split("-").map(Number).sort((one, other) => one - other).join("-");
  const isAsked = (row) =>
    sidesOf(row).map((game) => games.id[game]).sort((one, other) => one - other).join("-") === ids;
  let place = chosen.rows.findIndex(isAsked);
  if (place < 0) {
    byId("pair-kind").value = "all";
    byId("pair-search").value = "";
    applyFilter({ quiet: true });
    place = chosen.rows.findIndex(isAsked);
  }
  if (place >= 0) {
    choosePlace(place, { quiet: true });
    openPair();
  }
  return place >= 0;
}

function startPairs() {
  fillKinds();
  byId("pair-kind").addEventListener("change", () => applyFilter());
  byId("pair-search").addEventListener("input", whenPaused(() => applyFilter()));
  byId("pair-filter").addEventListener("submit", (event) => event.preventDefault());
  byId("pair-list").addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      step(by);
    }
  });
  applyFilter({ quiet: true });
}
