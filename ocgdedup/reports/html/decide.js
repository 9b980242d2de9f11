// Decisions on pairs: sent to the server of `ocgdedup review --web` at once; in a report, which has
// none, kept in the page until they are downloaded.

const MOST_MS = 20_000; // for an answer: the server waits 10 s for other programs
const MOST_FAULTS = 3; // that are shown at once
const REVIEW = "ocgdedup review --web";

const decisions = new Map();
const changes = []; // [row, decision before], the latest one last
const faults = new Map(); // of decisions that were not written, by the key of the pair
let sending = Promise.resolve(); // requests go one after the other, in the order of the decisions

function pairIds(row) {
  return sidesOf(row).map((game) => games.id[game]).sort((one, other) => one - other);
}

function pairKey(row) {
  return pairIds(row).join("-");
}

// Return {word, kept} of a pair, or null: "same" or "different", and the ID of the game to keep.
function decisionOf(row) {
  return decisions.get(pairKey(row)) || null;
}

function decisionWords(decision) {
  if (decision.word === "different") {
    return "different games";
  }
  return decision.kept === null ? "the same game" : `the same game, keep #${decision.kept}`;
}

// --- to decide ---

const CHOICES = [
  ["s", "Same game", "same", null],
  ["d", "Different games", "different", null],
  ["l", "Keep left", "same", 0],
  ["r", "Keep right", "same", 1],
];

function keptGame(row, side) {
  return side === null ? null : games.id[sidesOf(row)[side]];
}

function canChoose(row, side) {
  return side === null || !isDeleted(sidesOf(row)[side]);
}

// Decide about the chosen pair by a key, and go to the next pair.
function choose(key) {
  const row = chosen.rows[chosen.place];
  const [, , word, side] = CHOICES.find(([name]) => name === key);
  if (row === undefined || !canChoose(row, side)) {
    return;
  }
  const decision = { word, kept: keptGame(row, side) };
  afterOthers(() => {
    const before = decisionOf(row);
    return write(row, decision, () => changes.push([row, before]));
  });
  step(1); // the last pair stays
}

// Take the latest decision back and show its pair.
function undo() {
  afterOthers(() => {
    const last = changes.at(-1);
    if (last === undefined) {
      return null;
    }
    const [row, before] = last;
    return write(row, before, () => {
      changes.pop();
      const place = chosen.rows.indexOf(row);
      choosePlace(place < 0 ? chosen.place : place);
      openPair();
    });
  });
}

function keep(row, decision) {
  if (decision === null) {
    decisions.delete(pairKey(row));
  } else {
    decisions.set(pairKey(row), decision);
  }
}

// Run an action once the requests of all earlier ones are answered; a report makes none.
function afterOthers(action) {
  if (report.isReview) {
    sending = sending.then(action).catch((error) => tellFault(String(error)));
  } else {
    action();
  }
}

// Write a decision; the page shows it only once it is written.
function write(row, decision, whenWritten) {
  const show = () => {
    keep(row, decision);
    whenWritten();
    tellFaults(row, null);
    showDecision(row);
  };
  if (!report.isReview) {
    return show();
  }
  return send(row, decision).then(show, (error) => {
    tellFaults(row, `The decision on ${pairKey(row)} was not written: ${error.message}.`);
  });
}

function showDecision(row) {
  const hasFocus = byId("pair-list").contains(document.activeElement);
  showProgress();
  if (chosen.rows[chosen.place] === row) {
    choosePlace(chosen.place);
  } else {
    showList();
  }
  if (hasFocus) {
    byId("pair-list").querySelector("[aria-current]").focus({ preventScroll: true });
  }
}

// Show what was not written until it is: a later decision on another pair does not hide it.
function tellFaults(row, fault) {
  const before = faults.size;
  faults.delete(pairKey(row));
  if (fault !== null) {
    faults.set(pairKey(row), fault);
  }
  if (faults.size) {
    const rest = faults.size - MOST_FAULTS;
    const more = rest > 0 ? `${rest} more were not written.` : "";
    tellFault([...[...faults.values()].slice(-MOST_FAULTS), more].join(" "));
  } else if (before) {
    byId("fault").hidden = true;
  }
}

// Ask the server to write a decision; throw an Error with its message if it did not.
async function send(row, decision) {
  const [first, second] = pairIds(row);
  const { word = null, kept = null } = decision || {};
  let answer;
  try {
    answer = await fetch("decide", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ first, second, decision: word, kept }),
      signal: AbortSignal.timeout(MOST_MS),
    });
    if (answer.ok) {
      await answer.json(); // the server may end within its answer
      return;
    }
  } catch {
    throw new Error(`the server does not answer; start '${REVIEW}' again, which shows all ` +
      "decisions that are written");
  }
  const { error } = await answer.json().catch(() => ({}));
  throw new Error(error || `HTTP status ${answer.status}; start '${REVIEW}' again`);
}

// --- what is decided ---

function showProgress() {
  const rows = pairs.left.map((_, row) => row);
  const asked = rows.filter((row) => kindOf(row) === "suspect");
  const decided = asked.filter((row) => decisionOf(row)).length;
  const others = rows.filter((row) => kindOf(row) !== "suspect" && decisionOf(row)).length;
  const more = others ? `; ${count(others, "other pair", "other pairs")} too` : "";
  byId("progress").max = Math.max(asked.length, 1);
  byId("progress").value = decided;
  byId("progress-words").textContent = `${decided.toLocaleString("en")} of ` +
    `${count(asked.length, "possible duplicate", "possible duplicates")} decided${more}`;
  byId("apply").hidden = !changes.length;
  byId("undo").disabled = !changes.length;
}

function decideBar(row) {
  const bar = make("div", { class: "decide", role: "group", "aria-label": "Decide" });
  const decision = decisionOf(row);
  for (const [key, label, word, side] of CHOICES) {
    const isChosen = decision && decision.word === word && decision.kept === keptGame(row, side);
    const button = make("button", { type: "button", "data-choice": key }, `${label} `,
      make("kbd", {}, key));
    button.setAttribute("aria-pressed", String(Boolean(isChosen)));
    button.disabled = !canChoose(row, side);
    button.addEventListener("click", () => choose(key));
    bar.append(button);
  }
  return bar;
}

// Return the changed decisions as a table that `review --decide` reads.
function decisionsText() {
  const rows = [...new Map(changes.map(([row]) => [pairKey(row), row])).values()];
  const lines = rows.map((row) => {
    const decision = decisionOf(row);
    const values = decision ? [decision.word, decision.kept ?? ""] : ["none", ""];
    return [...pairIds(row), ...values].join("\t");
  });
  return ["GameID1\tGameID2\tDecision\tKeptGameID", ...lines, ""].join("\n");
}

function downloadDecisions() {
  const file = new Blob([decisionsText()], { type: "text/tab-separated-values" });
  const link = make("a", { href: URL.createObjectURL(file), download: "decisions.tsv" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function startDecisions() {
  for (const [first, second, word, kept] of report.decisions) {
    decisions.set(`${first}-${second}`, { word, kept });
  }
  byId("undo").addEventListener("click", undo);
  const notice = byId("apply");
  if (report.isReview) {
    notice.append("Each decision is written to the database at once. To apply them, run ",
      command(`ocgdedup dedup ${report.shellName}`));
  } else {
    const button = make("button", { type: "button", id: "download" }, "Download decisions.tsv");
    button.addEventListener("click", downloadDecisions);
    notice.append("This page keeps your decisions only while it is open. ", button, " and run ",
      command(`ocgdedup review ${report.shellName} --decide decisions.tsv --apply`));
  }
  showProgress();
}
