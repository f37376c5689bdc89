// Light or dark, and what changes with it.
const repaint = [];
const theme = {
  paper: false,
  dark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  },
  colour(name) { return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim(); },
  show(name) {
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
    document.getElementById("theme").textContent = theme.dark() ? "Light" : "Dark";
    for (const draw of repaint) draw();
  },
  toggle() { theme.show(theme.dark() ? "light" : "dark"); },
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme.show(document.documentElement.dataset.theme));
// Paper is white, and as wide as A4 between its margins: charts are drawn for it, tables that are wider become smaller, and what is folded opens, but for details.
const PAPER = 690;
function watchPaper() {
  let before, opened = [], shrunk = [];
  addEventListener("beforeprint", () => {
    if (theme.paper) return;
    before = document.documentElement.dataset.theme;
    theme.paper = true;
    opened = [...document.querySelectorAll("details:not(.choose):not(.detail):not([open])")];
    for (const details of opened) details.open = true;
    theme.show("light");
    for (const wide of document.querySelectorAll(".wide")) {
      const room = wide.closest(".sides") ? PAPER / 2 : PAPER, table = wide.querySelector("table");
      wide.style.width = room + "px";
      const width = table.offsetWidth;
      wide.style.width = "";
      if (width <= room) continue;
      table.style.zoom = room / width;
      shrunk.push(table);
    }
  });
  addEventListener("afterprint", () => {
    theme.paper = false;
    for (const details of opened) details.open = false;
    for (const table of shrunk) table.style.zoom = "";
    shrunk = [];
    theme.show(before);
  });
}

// An element with a class, and texts or elements in it: text never becomes markup.
function make(tag, kind, ...children) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  for (const child of children) element.append(child);
  return element;
}
const seriesColour = (i) => theme.colour("s" + i % 6);
// Which of several lines of a colour it is.
const DASHES = [undefined, [5, 4], [2, 3], [9, 3, 2, 3]];
const linePaint = (colour, dash) => dash ? `repeating-linear-gradient(90deg, ${colour} 0 ${dash[0]}px, transparent ${dash[0]}px ${dash[0] + dash[1]}px)` : colour;
function key(run) {
  const mark = make("span", "key");
  const draw = () => { mark.style.background = seriesColour(run); };
  repaint.push(draw);
  return mark;
}

// A text of the emulator's or the compiler's, which has names and values between backticks.
const coded = (text) => text.split(/`([^`]+)`/).map((part, i) => i % 2 ? make("code", "", part) : part);

// The theme by its button and `t`, sections by `n` and `p`.
function watchKeys() {
  document.getElementById("theme").addEventListener("click", theme.toggle);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
    if (event.key === "t") theme.toggle();
    const step = { n: 1, p: -1 }[event.key];
    if (!step) return;
    const parts = [...document.querySelectorAll("section")];
    const next = parts[Math.min(parts.length - 1, Math.max(0, parts.indexOf(document.activeElement.closest("section")) + step))];
    next.focus({ preventScroll: true });
    next.scrollIntoView();
  });
}
