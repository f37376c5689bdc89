// Runs in the network's page, behind its own scripts: tells the extension what is selected there, and selects what it says.
// A page that is made again shows what the one before it showed: folds, camera, colours, what is selected.
export const pageScript = `<script>
"use strict";
(() => {
  const editor = acquireVsCodeApi();
  if (/vscode-(dark|high-contrast)(?!-light)/.test(document.body.className)) anml.theme("dark");
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
