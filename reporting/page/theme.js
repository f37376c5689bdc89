// Light or dark, and what changes with it.
const repaint = [];
const theme = {
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
// Paper is white.
let beforePrint;
addEventListener("beforeprint", () => { beforePrint = document.documentElement.dataset.theme; theme.show("light"); });
addEventListener("afterprint", () => theme.show(beforePrint));

// An element with a class, and texts or elements in it: text never becomes markup.
function make(tag, kind, ...children) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  for (const child of children) element.append(child);
  return element;
}
const seriesColour = (i) => theme.colour("s" + i % 6);
function key(run) {
  const mark = make("span", "key");
  const draw = () => { mark.style.background = seriesColour(run); };
  repaint.push(draw);
  return mark;
}

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
