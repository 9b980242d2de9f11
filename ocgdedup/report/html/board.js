// The board where two games part: pieces from a FEN, an arrow for the next move of each.

const SQUARE = 45;
const PIECES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

function isWhite(letter) {
  return letter !== letter.toLowerCase();
}

// Return [letter, column, row] of each piece; the row of Black's pieces at the start is 0.
function piecesOf(fen) {
  const found = [];
  fen.split(" ")[0].split("/").forEach((line, row) => {
    let column = 0;
    for (const letter of line) {
      if (letter >= "1" && letter <= "8") {
        column += Number(letter);
      } else {
        found.push([letter, column, row]);
        column += 1;
      }
    }
  });
  return found;
}

// Say where the pieces stand, for those who cannot see the board.
function piecesInWords(fen) {
  const sides = [true, false].map((white) => {
    const names = piecesOf(fen)
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
  const column = square.charCodeAt(0) - 97;
  return [(column + 0.5) * SQUARE, (8 - Number(square[1]) + 0.5) * SQUARE];
}

// Draw a move in UCI notation; a null move has no arrow. The games' arrows lie beside each other.
function arrow(move, side) {
  if (move.length < 4 || move.startsWith("0000")) {
    return [];
  }
  const [fromX, fromY] = squareCentre(move.slice(0, 2));
  const [toX, toY] = squareCentre(move.slice(2, 4));
  const length = Math.hypot(toX - fromX, toY - fromY) || 1;
  const [alongX, alongY] = [(toX - fromX) / length, (toY - fromY) / length];
  const neckX = toX - alongX * 16;
  const neckY = toY - alongY * 16;
  const wing = (sign) => `${neckX - sign * alongY * 10},${neckY + sign * alongX * 10}`;
  return [
    draw("line", {
      class: side,
      x1: fromX + alongX * 8,
      y1: fromY + alongY * 8,
      x2: neckX - alongX * 3,
      y2: neckY - alongY * 3,
    }),
    draw("polygon", { class: side, points: `${toX},${toY} ${wing(1)} ${wing(-1)}` }),
  ];
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

// Return the board as an SVG element; `moves` are those of the left and the right game.
function drawBoard(fen, label, moves) {
  const title = draw("title", { id: "board-title" });
  title.textContent = label;
  const description = draw("desc", { id: "board-text" });
  description.textContent = piecesInWords(fen);
  const pieces = piecesOf(fen).map(([letter, column, row]) => {
    const colour = isWhite(letter) ? "white" : "black";
    const place = { x: column * SQUARE, y: row * SQUARE, width: SQUARE, height: SQUARE };
    return draw("use", { href: `#piece-${colour}-${PIECES[letter.toLowerCase()]}`, ...place });
  });
  const side = 8 * SQUARE;
  const frame = { class: "board", viewBox: `0 0 ${side} ${side}`, role: "img" };
  return draw(
    "svg",
    { ...frame, "aria-labelledby": "board-title", "aria-describedby": "board-text" },
    title, description, ...squares(), ...pieces,
    ...arrow(moves[0], "left"), ...arrow(moves[1], "right"),
  );
}
