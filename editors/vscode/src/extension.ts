// ANML in VS Code: the language server (`anmlc lsp`), tasks that run anmlc, and the network's page beside the text.
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";

import { NetworkPages } from "./network_pages";
import { runVerb, TaskProvider } from "./tasks";

let client: LanguageClient | undefined;

const settings = () => vscode.workspace.getConfiguration("anml");

async function start(): Promise<void> {
  const command = settings().get<string>("compiler", "anmlc");
  client = new LanguageClient(
    "anml", "ANML", { command, args: ["lsp"] },
    {
      documentSelector: [{ language: "anml" }],
      initializationOptions: { includeDirs: settings().get("includeDirs"), lint: settings().get("lint") },
      revealOutputChannelOn: RevealOutputChannelOn.Never,
    });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const choice = await vscode.window.showErrorMessage(
      `ANML: \`${command} lsp\` does not start (${error instanceof Error ? error.message : String(error)}). Where is anmlc?`, "Settings");
    if (choice) void vscode.commands.executeCommand("workbench.action.openSettings", "anml.compiler");
  }
}

async function stop(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.stop();
}

interface Subject { uri: vscode.Uri; name: string }

// What a lens or the palette means: the document's path and the name of a model or an experiment. Of several in a file somebody
// has to choose; "" for the only one.
async function subject(wanted: vscode.SymbolKind, uri?: string | vscode.Uri, _path?: string, name?: string): Promise<Subject | undefined> {
  const document = uri === undefined ? vscode.window.activeTextEditor?.document.uri
                                     : typeof uri === "string" ? vscode.Uri.parse(uri) : uri;
  if (!document) {
    void vscode.window.showInformationMessage("ANML: open a model first.");
    return undefined;
  }
  if (typeof name === "string") return { uri: document, name };
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>("vscode.executeDocumentSymbolProvider", document);
  const names = (symbols ?? []).filter((symbol) => symbol.kind === wanted).map((symbol) => symbol.name);
  const chosen = names.length > 1 ? await vscode.window.showQuickPick(names, { title: shown(document) }) : names[0] ?? "";
  return chosen === undefined ? undefined : { uri: document, name: chosen };
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const pages = new NetworkPages(() => client);
  const command = (name: string, wanted: vscode.SymbolKind, run: (of: Subject) => unknown) =>
    vscode.commands.registerCommand(name, async (uri?: string | vscode.Uri, path?: string, of?: string) => {
      const meant = await subject(wanted, uri, path, of);
      return meant && run(meant);
    });
  context.subscriptions.push(
    pages,
    command("anml.graph", vscode.SymbolKind.Module, (of) => pages.show(of.uri, of.name)),
    command("anml.simulate", vscode.SymbolKind.Module, (of) => runVerb("run", of.uri, of.name)),
    command("anml.experiment", vscode.SymbolKind.Event, (of) => runVerb("experiment", of.uri, of.name)),
    vscode.commands.registerCommand("anml.restart", async () => { await stop(); await start(); }),
    vscode.tasks.registerTaskProvider("anml", new TaskProvider()),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("anml")) { await stop(); await start(); }
    }));
  await start();
}

export const deactivate = stop;

// For messages: a path as the workspace has it.
export const shown = (uri: vscode.Uri) => path.basename(uri.fsPath);
