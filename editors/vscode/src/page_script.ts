// Runs in the network's page, behind its own scripts: tells the extension what is selected there, and selects what it says.
export const pageScript = `<script>
"use strict";
(() => {
  const editor = acquireVsCodeApi();
  if (/vscode-(dark|high-contrast)(?!-light)/.test(document.body.className)) anml.theme("dark");
  let told = "";
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
  editor.postMessage({ ready: true });
})();
</script>`;
