// What all parts share: the data, making elements, colours, and telling the reader of a fault.
// Data become text by textContent alone: nothing in a file of games can become markup.

const SVG = "http://www.w3.org/2000/svg";
const root = document.documentElement;

function byId(id) {
  return document.getElementById(id);
}

function tellFault(message) {
  const notice = byId("fault");
  notice.textContent = message;
  notice.hidden = false;
}

window.addEventListener("error", (event) => {
  root.dataset.fault = event.message;
  tellFault(`A part of this page does not work here: ${event.message}`);
});

const report = JSON.parse(byId("report-data").textContent);

const UNITS = report.isGo ? ["move", "moves"] : ["ply", "plies"];

// Return the text that a number of the data stands for.
function text(number) {
  return report.texts[number];
}

// Make an element: attributes by name, children as text or elements.
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

function count(number, one, many) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

function signed(number) {
  return (number < 0 ? "−" : "+") + Math.abs(number).toFixed(1);
}

// --- commands to copy ---

async function copy(line, button) {
  try {
    await navigator.clipboard.writeText(line);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(button.previousElementSibling);
    button.textContent = "Press Ctrl+C";
  }
  setTimeout(() => {
    button.textContent = "Copy";
  }, 2000);
}

// Return a command line with a button that copies it.
function command(line) {
  const button = make("button", { type: "button", "aria-label": `Copy ${line}` }, "Copy");
  button.addEventListener("click", () => copy(line, button));
  return make("span", { class: "command" }, make("code", {}, line), button);
}

// --- the part of the address behind the #: theme=dark, pair=ID-ID ---

function hashValue(name) {
  const parts = location.hash.slice(1).split("&");
  const part = parts.find((one) => one.startsWith(`${name}=`));
  return part === undefined ? null : part.slice(name.length + 1);
}

function setHashValue(name, value) {
  const parts = location.hash.slice(1).split("&");
  const others = parts.filter((part) => part.includes("=") && !part.startsWith(`${name}=`));
  // Not location.hash: that would fill the history of the browser, a step for each pair.
  const all = value === null ? others : [...others, `${name}=${value}`];
  history.replaceState(null, "", all.length ? `#${all.join("&")}` : location.pathname);
}

// --- light and dark ---

function isDark() {
  const chosen = root.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setTheme(theme) {
  root.dataset.theme = theme;
  byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
}

function toggleTheme() {
  setTheme(isDark() ? "light" : "dark");
  setHashValue("theme", root.dataset.theme);
}

// --- pages of a long list ---

// Fill a bar with buttons for the page before and the next one; `go` takes a page from 0 on.
function showPager(bar, page, pages, go) {
  bar.replaceChildren();
  if (pages < 2) {
    return;
  }
  const button = (label, target) => {
    const made = make("button", { type: "button" }, label);
    made.disabled = target < 0 || target >= pages;
    made.addEventListener("click", () => {
      go(target);
      const again = [...bar.querySelectorAll("button")];
      (again.find((other) => other.textContent === label && !other.disabled) ||
        again.find((other) => !other.disabled)).focus();
    });
    return made;
  };
  bar.append(
    button("First", page === 0 ? -1 : 0),
    button("Back", page - 1),
    `page ${page + 1} of ${pages.toLocaleString("en")}`,
    button("Next", page + 1),
    button("Last", page === pages - 1 ? pages : pages - 1),
  );
}

// Wait with costly work until the reader pauses.
function whenPaused(work) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, 150);
  };
}
