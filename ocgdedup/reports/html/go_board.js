// A Go board: rows of X, O and ".", the last move, a ringed stone for the next move of each game.

const POINT = 20;
const MARGIN = 26; // from the edge of the drawing to the first line
const GO_LETTERS = "abcdefghijklmnopqrstuvwxy";

// Return [sign, column, row] of each stone.
function stonesOf(rows) {
  return rows.flatMap((line, row) =>
    [...line].map((sign, column) => [sign, column, row]).filter(([sign]) => sign !== "."));
}

// Say where the stones lie, for those who cannot see the board.
function stonesInWords(rows) {
  const sides = [["X", "Black"], ["O", "White"]].map(([sign, name]) => {
    const points = stonesOf(rows)
      .filter(([found]) => found === sign)
      .map(([, column, row]) => GO_LETTERS[column] + GO_LETTERS[row]);
    return `${name}: ${points.join(" ") || "none"}.`;
  });
  return sides.join(" ");
}

function placeOf(number) {
  return MARGIN + number * POINT;
}

// Return the points that a board has marked, as [column, row].
function handicapPoints(lines) {
  if (lines < 7) {
    return [];
  }
  const edge = lines > 12 ? 3 : 2;
  const ends = [edge, lines - 1 - edge];
  const middle = lines % 2 ? [(lines - 1) / 2] : [];
  const across = (columns, rows) => columns.flatMap((column) => rows.map((row) => [column, row]));
  const sides = lines > 13 ? [...across(middle, ends), ...across(ends, middle)] : [];
  return [...across(ends, ends), ...across(middle, middle), ...sides];
}

function grid(lines) {
  const drawn = [];
  const last = placeOf(lines - 1);
  for (let number = 0; number < lines; number += 1) {
    const at = placeOf(number);
    drawn.push(
      draw("line", { class: "grid", x1: MARGIN, x2: last, y1: at, y2: at }),
      draw("line", { class: "grid", x1: at, x2: at, y1: MARGIN, y2: last }),
    );
    const letter = GO_LETTERS[number];
    const above = draw("text", { class: "coordinate", x: at, y: 11, "text-anchor": "middle" });
    const beside = draw("text", { class: "coordinate", x: 4, y: at + 4 });
    above.textContent = letter;
    beside.textContent = letter;
    drawn.push(above, beside);
  }
  for (const [column, row] of handicapPoints(lines)) {
    const place = { cx: placeOf(column), cy: placeOf(row) };
    drawn.push(draw("circle", { class: "handicap", r: 2.6, ...place }));
  }
  return drawn;
}

function stone(sign, column, row) {
  const colour = sign === "X" ? "black" : "white";
  const place = { cx: placeOf(column), cy: placeOf(row), r: POINT * 0.47 };
  return draw("circle", { class: `stone ${colour}`, ...place });
}

// Draw the next move of one game, as SGF writes it: B[pd].
function nextStone(move, side) {
  const point = move === undefined ? null : pointOf(move);
  if (point === null) {
    return [];
  }
  const place = { cx: placeOf(point[0]), cy: placeOf(point[1]), r: POINT * 0.47 };
  const colour = move[0] === "B" ? "black" : "white";
  return [
    draw("circle", { class: `next ${colour}`, ...place }),
    draw("circle", { class: `ring ${side}`, ...place }),
  ];
}

function lastStone(move) {
  const point = move === undefined ? null : pointOf(move);
  const place = point && { cx: placeOf(point[0]), cy: placeOf(point[1]), r: POINT * 0.2 };
  return point ? [draw("circle", { class: "last", ...place })] : [];
}

// Return the board as an SVG element; `next` and `last` as for drawBoard().
function drawGoBoard(rows, label, next, last) {
  const title = draw("title", { id: "board-title" });
  title.textContent = label;
  const description = draw("desc", { id: "board-text" });
  description.textContent = stonesInWords(rows);
  const side = placeOf(rows.length - 1) + MARGIN / 2;
  const frame = { class: "board go", viewBox: `0 0 ${side} ${side}`, role: "img" };
  return draw(
    "svg",
    { ...frame, "aria-labelledby": "board-title", "aria-describedby": "board-text" },
    title, description,
    draw("rect", { class: "wood", width: side, height: side }),
    ...grid(rows.length),
    ...stonesOf(rows).map((found) => stone(...found)),
    ...lastStone(last), ...nextStone(next[0], "left"), ...nextStone(next[1], "right"),
  );
}
