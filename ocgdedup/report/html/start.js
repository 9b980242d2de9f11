// Keys, and the start of all parts.

function isTyping(target) {
  return target instanceof Element && target.closest("input, select, textarea") !== null;
}

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
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
  startPairs();
  startNames();
  startRejects();
  if (chooseFromHash()) {
    byId("pairs").scrollIntoView();
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
