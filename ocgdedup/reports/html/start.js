// Keys, and the start of all parts.

function isTyping(target) {
  return target instanceof Element && target.closest("input, select, textarea") !== null;
}

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  ArrowLeft: () => stepPly(-1),
  ArrowRight: () => stepPly(1),
  Home: () => showPly(view.side, 0),
  End: () => showPly(view.side, Infinity),
  g: () => view.lines && showPly(view.side, divergence(view.side)),
  f: () => view.lines && showPly(1 - view.side, matchingPly(1 - view.side)),
  s: () => choose("s"),
  d: () => choose("d"),
  l: () => choose("l"),
  r: () => choose("r"),
  u: undo,
  t: toggleTheme,
  "/": () => {
    byId("pair-search").focus();
    byId("pair-search").select();
  },
  "?": () => byId("help").showModal(),
};

function onKey(event) {
  const hasModifier = event.ctrlKey || event.altKey || event.metaKey;
  if (hasModifier || isTyping(event.target) || byId("help").open || !KEYS[event.key]) {
    return;
  }
  event.preventDefault();
  KEYS[event.key]();
}

function start() {
  const theme = hashValue("theme");
  setTheme(theme === "dark" || theme === "light" ? theme : isDark() ? "dark" : "light");
  if (theme === null) {
    delete root.dataset.theme; // the system decides until somebody chooses
  }
  document.querySelectorAll(".scripted, .buttons").forEach((part) => {
    part.hidden = false;
  });
  byId("theme").addEventListener("click", toggleTheme);
  byId("help-open").addEventListener("click", () => byId("help").showModal());
  document.addEventListener("keydown", onKey);
  startDecisions();
  startPairs();
  startNames();
  startUnresolved();
  startRejects();
  if (chooseFromHash() && !report.isReview) {
    byId("review").scrollIntoView();
  }
  window.addEventListener("hashchange", () => {
    const asked = hashValue("theme");
    if (asked === "dark" || asked === "light") {
      setTheme(asked);
    }
    chooseFromHash();
  });
  root.dataset.ready = "yes";
}

start();
