// A chess board: pieces, the last move, an arrow for the next move of each game.

const SQUARE = 45;
const PIECES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

function isWhite(letter) {
  return letter !== letter.toLowerCase();
}

// Return [letter, column, row] of each piece; the row of Black's pieces at the start is 0.
function piecesOf(position) {
  return position.flatMap((letter, square) =>
    letter === "" ? [] : [[letter, square & 7, 7 - (square >> 3)]]);
}

// Describe the position for those who cannot see the board.
function piecesInWords(position) {
  const sides = [true, false].map((white) => {
    const names = piecesOf(position)
      .filter(([letter]) => isWhite(letter) === white)
      .map(([letter, column, row]) => {
        const name = letter.toUpperCase() === "P" ? "" : letter.toUpperCase();
        return `${name}${"abcdefgh"[column]}${8 - row}`;
      });
    return `${white ? "White" : "Black"}: ${names.join(" ")}.`;
  });
  return sides.join(" ");
}

function squareCentre(square) {
  return [((square & 7) + 0.5) * SQUARE, (7 - (square >> 3) + 0.5) * SQUARE];
}

// Draw the next move of one game as an arrow; a null move has none. A light border under it keeps
// it visible on dark pieces, and short dashes show on an arrow over one square too.
function arrow(move, side) {
  const ends = move === undefined ? null : endsOf(move);
  if (ends === null) {
    return [];
  }
  const [[fromX, fromY], [toX, toY]] = ends.map(squareCentre);
  const length = Math.hypot(toX - fromX, toY - fromY) || 1;
  const [alongX, alongY] = [(toX - fromX) / length, (toY - fromY) / length];
  const neckX = toX - alongX * 15;
  const neckY = toY - alongY * 15;
  const wing = (sign) => `${neckX - sign * alongY * 10},${neckY + sign * alongX * 10}`;
  const line = { x1: fromX, y1: fromY, x2: neckX, y2: neckY };
  const points = `${toX},${toY} ${wing(1)} ${wing(-1)}`;
  return [
    draw("line", { class: "border", ...line }),
    draw("polygon", { class: "border", points }),
    draw("line", { class: side, ...line }),
    draw("polygon", { class: side, points }),
  ];
}

function lastMoveSquares(move) {
  return (endsOf(move) || []).map((square) => draw("rect", {
    class: "last",
    x: (square & 7) * SQUARE,
    y: (7 - (square >> 3)) * SQUARE,
    width: SQUARE,
    height: SQUARE,
  }));
}

function squares() {
  const drawn = [];
  for (let row = 0; row < 8; row += 1) {
    for (let column = 0; column < 8; column += 1) {
      const colour = (row + column) % 2 ? "dark" : "light";
      const place = { x: column * SQUARE, y: row * SQUARE, width: SQUARE, height: SQUARE };
      drawn.push(draw("rect", { class: colour, ...place }));
    }
  }
  return drawn;
}

function coordinates() {
  const drawn = [];
  for (let number = 0; number < 8; number += 1) {
    const rank = draw("text", { class: "coordinate", x: 2, y: number * SQUARE + 11 });
    rank.textContent = String(8 - number);
    const x = (number + 1) * SQUARE - 8;
    const file = draw("text", { class: "coordinate", x, y: 8 * SQUARE - 3 });
    file.textContent = "abcdefgh"[number];
    drawn.push(rank, file);
  }
  return drawn;
}

// Return the board as an SVG element. `next`: the next moves of the left and the right game;
// `last`: the move that led here.
function drawBoard(position, label, next, last) {
  const title = draw("title", { id: "board-title" });
  title.textContent = label;
  const description = draw("desc", { id: "board-text" });
  description.textContent = piecesInWords(position);
  const pieces = piecesOf(position).map(([letter, column, row]) => {
    const colour = isWhite(letter) ? "white" : "black";
    const place = { x: column * SQUARE, y: row * SQUARE, width: SQUARE, height: SQUARE };
    return draw("use", { href: `#piece-${colour}-${PIECES[letter.toLowerCase()]}`, ...place });
  });
  const side = 8 * SQUARE;
  const frame = { class: "board", viewBox: `0 0 ${side} ${side}`, role: "img" };
  return draw(
    "svg",
    { ...frame, "aria-labelledby": "board-title", "aria-describedby": "board-text" },
    title, description, ...squares(), ...(last === undefined ? [] : lastMoveSquares(last)),
    ...coordinates(), ...pieces, ...arrow(next[0], "left"), ...arrow(next[1], "right"),
  );
}
