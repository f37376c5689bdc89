// One file of the extension and its client, and the grammar beside it.
import { build } from "esbuild";
import { copyFileSync, mkdirSync } from "node:fs";

mkdirSync("dist", { recursive: true });
copyFileSync("../textmate/anml.tmLanguage.json", "dist/anml.tmLanguage.json");
await build({
  entryPoints: ["src/extension.ts"],
  bundle: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  external: ["vscode"],
  minify: true,
  outfile: "dist/extension.js",
});
