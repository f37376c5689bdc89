// Runs in the network's page, behind its own scripts: tells the extension what is selected there, and selects what it says.
// A page that is made again shows what the one before it showed: folds, camera, colours, what is selected. It is as light or
// dark as the editor, in its colours, and follows when that changes.
export const pageScript = `<script>
"use strict";
(() => {
  const editor = acquireVsCodeApi();
  const isDark = () => ["vscode-dark", "vscode-high-contrast"].includes(document.body.dataset.vscodeThemeKind);
  const colours = document.head.appendChild(document.createElement("style"));
  const followEditor = () => {
    const theme = isDark() ? "dark" : "light", given = getComputedStyle(document.documentElement);
    const rules = [["--paper", "editor-background"], ["--ink", "editor-foreground"], ["--card", "sideBar-background"]]
      .map(([own, theirs]) => [own, given.getPropertyValue("--vscode-" + theirs).trim()])
      .filter(([, colour]) => /^#[0-9a-f]{6}$/i.test(colour));
    colours.textContent = ":root[data-theme=" + theme + "] { " + rules.map(([own, colour]) => own + ": " + colour + ";").join(" ") + " }";
    anml.theme(theme);
  };
  followEditor();
  let wasDark = isDark();
  new MutationObserver(() => {
    if (isDark() === wasDark) return;
    wasDark = isDark();
    followEditor();
  }).observe(document.body, { attributes: true, attributeFilter: ["data-vscode-theme-kind"] });
  const kept = editor.getState();
  if (kept) anml.restore(kept);
  let keeping;
  anml.whenDrawn(() => {
    clearTimeout(keeping);
    keeping = setTimeout(() => editor.setState(anml.view()), 150);
  });
  let told = anml.selected() || "";
  const tell = () => setTimeout(() => {
    const name = anml.selected() || "";
    if (name === told) return;
    told = name;
    if (name) editor.postMessage({ selected: name });
  });
  for (const kind of ["click", "keyup"]) addEventListener(kind, tell);
  addEventListener("message", ({ data }) => {
    if (typeof data.select !== "string") return;
    anml.select(data.select);
    told = anml.selected() || "";
  });
  editor.postMessage({ ready: true, shown: told });
})();
</script>`;
