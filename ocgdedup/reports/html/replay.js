// Positions of a game, ply by ply: chess from 2-byte moves as docs/file-format.md describes them,
// Go from SGF moves.

const PROMOTED = ["", "", "n", "b", "r", "q"];

// --- chess: 64 letters of a FEN or "", a1 first, h8 last ---

function squaresOf(fen) {
  const squares = new Array(64).fill("");
  fen.split(" ")[0].split("/").forEach((line, row) => {
    let column = 0;
    for (const letter of line) {
      if (letter >= "1" && letter <= "8") {
        column += Number(letter);
      } else {
        squares[(7 - row) * 8 + column] = letter;
        column += 1;
      }
    }
  });
  return squares;
}

function decodeMoves(base64) {
  const bytes = atob(base64);
  const moves = [];
  for (let place = 0; place < bytes.length; place += 2) {
    moves.push(bytes.charCodeAt(place) | (bytes.charCodeAt(place + 1) << 8));
  }
  return moves;
}

// Return the squares that a move leaves and reaches; null for a null move.
function endsOf(move) {
  return move === 0 ? null : [move & 63, (move >> 6) & 63];
}

function playChess(squares, move) {
  const ends = endsOf(move);
  if (ends === null) {
    return;
  }
  const [from, to] = ends;
  const piece = squares[from];
  squares[from] = "";
  if (move >> 15) { // Chess960: the king takes its own rook
    const rank = from & 56;
    const rook = squares[to];
    squares[to] = "";
    squares[rank + (to > from ? 6 : 2)] = piece;
    squares[rank + (to > from ? 5 : 3)] = rook;
    return;
  }
  const isCastling = piece.toLowerCase() === "k" && Math.abs(to - from) === 2;
  if (isCastling) {
    const corner = (from & 56) + (to > from ? 7 : 0);
    squares[(from + to) / 2] = squares[corner];
    squares[corner] = "";
  }
  const isPawn = piece.toLowerCase() === "p";
  if (isPawn && (from & 7) !== (to & 7) && squares[to] === "") {
    squares[(from & 56) + (to & 7)] = ""; // en passant
  }
  const promoted = PROMOTED[(move >> 12) & 7];
  squares[to] = promoted ? (isWhite(piece) ? promoted.toUpperCase() : promoted) : piece;
}

// --- Go: rows of ".", "X" black, "O" white ---

function neighboursOf(rows, column, row) {
  return [[column - 1, row], [column + 1, row], [column, row - 1], [column, row + 1]].filter(
    ([x, y]) => y >= 0 && y < rows.length && x >= 0 && x < rows[y].length,
  );
}

// Return the points of the chain of stones at a point, or null if it has a liberty.
function chainWithoutLiberty(rows, column, row) {
  const sign = rows[row][column];
  const points = [[column, row]];
  const seen = new Set([`${column},${row}`]);
  for (const [x, y] of points) {
    for (const [nextX, nextY] of neighboursOf(rows, x, y)) {
      if (rows[nextY][nextX] === ".") {
        return null;
      }
      if (rows[nextY][nextX] === sign && !seen.has(`${nextX},${nextY}`)) {
        seen.add(`${nextX},${nextY}`);
        points.push([nextX, nextY]);
      }
    }
  }
  return points;
}

function playGo(rows, move) {
  const ends = pointOf(move);
  if (ends === null) {
    return;
  }
  const [column, row] = ends;
  rows[row][column] = move[0] === "B" ? "X" : "O";
  const around = neighboursOf(rows, column, row);
  const others = around.filter(([x, y]) => ![".", rows[row][column]].includes(rows[y][x]));
  for (const [x, y] of [...others, [column, row]]) { // the own chain last: suicide
    const chain = rows[y][x] === "." ? null : chainWithoutLiberty(rows, x, y);
    for (const [deadX, deadY] of chain || []) {
      rows[deadY][deadX] = ".";
    }
  }
}

// Return the point of a move as SGF writes it, B[pd]; null for a pass.
function pointOf(move) {
  const column = GO_LETTERS.indexOf(move[2]);
  const row = GO_LETTERS.indexOf(move[3]);
  return column < 0 || row < 0 ? null : [column, row];
}

// --- both games of a pair ---

function words(texts) {
  return texts === "" ? [] : texts.split(" ");
}

// Return {start, texts, moves} of both games; moves are those that a board can play.
function mainlinesOf(detail) {
  const read = ([texts, blob]) => ({
    texts: words(texts),
    moves: report.isGo ? words(texts) : decodeMoves(blob),
  });
  const [leftStart, , shared, tail] = detail.overlap;
  const left = read(detail.left);
  const [before, after] = detail.right.map(read);
  const joined = (name) => [
    ...before[name],
    ...left[name].slice(leftStart, leftStart + shared),
    ...after[name],
    ...left[name].slice(left[name].length - tail),
  ];
  return [
    { start: detail.starts[0], ...left },
    { start: detail.starts[1], texts: joined("texts"), moves: joined("moves") },
  ];
}

// Return the position after some plies: squares of chess, rows of Go.
function positionAfter(line, plies) {
  const position = report.isGo ? line.start.map((row) => [...row]) : squaresOf(line.start);
  const play = report.isGo ? playGo : playChess;
  line.moves.slice(0, plies).forEach((move) => play(position, move));
  return position;
}

function isWhiteToMove(line, plies) {
  return (line.start.split(" ")[1] === "b") === (plies % 2 === 1);
}
