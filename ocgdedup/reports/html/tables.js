// Long tables, searched and shown page by page: names, rejects, games cut at a fault.

const PAGE_ROWS = 50;

const COLLATOR = new Intl.Collator(undefined, { numeric: true });

// Make a table under a search field. `columns`: [label, row -> text, is a number]; `choice`:
// [label, row -> whether it stays], a box that is ticked at first; `words`: one row, many rows.
// A click on a heading sorts by its column, a second one the other way round.
function pagedTable(place, { caption, rows, columns, choice, words }) {
  const field = make("input", { type: "search", autocomplete: "off" });
  const box = make("input", { type: "checkbox" });
  box.checked = true;
  const total = make("output");
  const heads = columns.map(([label, , isNumber], column) => {
    const button = make("button", { type: "button", class: "sort" }, label);
    button.addEventListener("click", () => sortBy(column));
    return make("th", { scope: "col", ...(isNumber ? { class: "number" } : {}) }, button);
  });
  const head = make("tr", {}, ...heads);
  const body = make("tbody");
  const bar = make("div", { class: "pager" });
  const sorted = { column: -1, way: 1 };
  let texts = null;
  let kept = [];

  const sortBy = (column) => {
    sorted.way = sorted.column === column ? -sorted.way : 1;
    sorted.column = column;
    heads.forEach((heading, number) => {
      if (number === column) {
        heading.setAttribute("aria-sort", sorted.way > 0 ? "ascending" : "descending");
      } else {
        heading.removeAttribute("aria-sort");
      }
    });
    filter();
  };
  const inOrder = (some) => {
    if (sorted.column < 0) {
      return some;
    }
    const [, read] = columns[sorted.column];
    const keyed = some.map((row) => [read(row), row]);
    keyed.sort(([one], [other]) => sorted.way * COLLATOR.compare(one, other));
    return keyed.map(([, row]) => row);
  };

  const filter = () => {
    const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (asked.length && texts === null) {
      texts = rows.map((row) => columns.map(([, read]) => read(row)).join("\n").toLowerCase());
    }
    kept = inOrder(rows.filter((row, number) =>
      (!choice || !box.checked || choice[1](row)) &&
      asked.every((word) => texts[number].includes(word))));
    total.textContent = count(kept.length, ...words);
    show(0);
  };
  const show = (page) => {
    const some = kept.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
    body.replaceChildren(...some.map((row) => make("tr", {}, ...columns.map(
      ([label, read, isNumber]) => make(
        "td",
        { "data-label": label, ...(isNumber ? { class: "number" } : {}) },
        read(row),
      )))));
    showPager(bar, page, Math.ceil(kept.length / PAGE_ROWS), show);
  };

  const form = make("form", { class: "filter", role: "search", "aria-label": caption },
    make("label", {}, "Search ", field));
  if (choice) {
    form.append(make("label", { class: "tick" }, box, choice[0]));
  }
  form.append(total);
  form.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", whenPaused(filter));
  box.addEventListener("change", filter);
  place.append(
    form,
    make(
      "table",
      { class: "stacked" },
      make("caption", {}, caption),
      make("thead", {}, head),
      body,
    ),
    bar,
  );
  filter();
}

// Turn columns of equal length into rows of texts.
function rowsOf(columns) {
  return columns[0].map((_, row) => columns.map((column) => column[row]));
}

function shownNumber(value) {
  return value === null ? "" : String(value);
}

function startNames() {
  const rows = rowsOf(report.names)
    .sort((one, other) => COLLATOR.compare(text(one[2]), text(other[2])));
  if (!rows.length) {
    return;
  }
  const hasFideIds = !report.isGo || rows.some((row) => row[3] !== null);
  const fideColumn = ["FIDE ID", ([, , , fideId]) => shownNumber(fideId), true];
  pagedTable(byId("names-table"), {
    caption: "Names and the players they stand for",
    rows,
    words: ["name", "names"],
    choice: ["only names that differ from the player's", (row) => row[0] !== row[2]],
    columns: [
      ["name in games", ([name]) => text(name)],
      ["games", ([, number]) => shownNumber(number), true],
      ["player", ([, , person]) => text(person)],
      ...(hasFideIds ? [fideColumn] : []),
      ["applies to", ([, , , , scope]) => (text(scope) === "game" ? "some games" : "all games")],
      ["resolved by", ([, , , , , stage]) => text(stage)],
      ["score", (row) => (row[6] === null ? "" : row[6].toFixed(2)), true],
      ["evidence", (row) => text(row[7])],
    ],
  });
}

function startUnresolved() {
  const rows = rowsOf(report.unresolved);
  if (!rows.length) {
    return;
  }
  pagedTable(byId("unresolved-table"), {
    caption: "Unresolved names",
    rows,
    words: ["name", "names"],
    columns: [
      ["name in games", ([, name]) => text(name)],
      ["games without a player", ([games]) => String(games), true],
      ["players who may be meant (probability)", ([, , candidates]) => text(candidates)],
      ["why unresolved", ([, , , reason]) => text(reason)],
      ["what would decide", (row) => text(row[4])],
    ],
  });
}

function startRejects() {
  const rejects = rowsOf(report.rejects);
  const cuts = rowsOf(report.cuts);
  if (rejects.length) {
    pagedTable(byId("rejects-table"), {
      caption: "Rejected text",
      rows: rejects,
      words: ["rejected text", "rejected texts"],
      columns: [
        ["source", ([source]) => text(source)],
        ["line", ([, line]) => String(line), true],
        ["block", ([, , number]) => String(number), true],
        ["reason", (row) => text(row[3])],
      ],
    });
  }
  if (cuts.length) {
    pagedTable(byId("cuts-table"), {
      caption: "Games read up to an error",
      rows: cuts,
      words: ["game", "games"],
      columns: [
        ["source", ([source]) => text(source)],
        ["line", ([, line]) => String(line), true],
        ["game in it", ([, , number]) => shownNumber(number), true],
        ["game ID", (row) => String(row[3]), true],
        [`${UNITS[1]} kept`, (row) => String(row[4]), true],
        ["reason", (row) => text(row[5])],
        ["text from the error on", (row) => text(row[6])],
      ],
    });
  }
}
