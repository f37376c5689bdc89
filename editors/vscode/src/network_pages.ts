// The page of `anmlc graph` beside the text, as it is now, unsaved changes included. What is selected in one of them is shown
// in the other.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

import { shown } from "./extension";
import { pageScript } from "./page_script";
import { Declaration, Page, Places, sameDeclaration } from "./places";

const kQuiet = 600;  // ms without a change, before the page is made again

class NetworkPage {
  private timer: NodeJS.Timeout | undefined;
  private places = new Places();
  private selected: Declaration | undefined;  // in both
  private closed = false;
  private changes = 0;                        // of texts since the page was made: lines may have moved
  readonly panel: vscode.WebviewPanel;

  constructor(private readonly client: () => LanguageClient | undefined, readonly uri: vscode.Uri, readonly model: string) {
    this.panel = vscode.window.createWebviewPanel("anml.network", model || shown(uri),
                                                  { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
                                                  { enableScripts: true, retainContextWhenHidden: true });
    this.panel.webview.onDidReceiveMessage((message: { ready?: boolean; shown?: string; selected?: string }) => {
      if (message.selected !== undefined) void this.showText(message.selected);
      if (message.ready) this.ready(message.shown ?? "");
    });
  }

  async draw(): Promise<void> {
    const client = this.client();
    if (!client) return;
    const changes = this.changes;
    try {
      const page = await client.sendRequest<Page>("anml/graph", { textDocument: { uri: this.uri.toString() }, model: this.model });
      if (this.closed || changes !== this.changes) return;  // then it will be made again
      this.places = new Places(page);
      this.changes = 0;
      this.panel.webview.html = page.html.replace(/<\/body>\s*<\/html>\s*$/, (end) => pageScript + end);
      this.panel.title = this.model || shown(this.uri);
    } catch (error) {
      if (this.closed) return;
      if (this.panel.webview.html === "") {
        void vscode.window.showErrorMessage(`ANML: there is nothing to show of ${shown(this.uri)}: ${error instanceof Error ? error.message : String(error)}`);
        this.panel.dispose();
        return;
      }
      // The text is wrong now, as its diagnostics say: the page stays what it was.
      this.panel.title = `${this.model || shown(this.uri)} (before the errors)`;
    }
  }

  drawSoon(): void {
    ++this.changes;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(), kQuiet);
  }

  // The cursor moved.
  follow(uri: vscode.Uri, position: vscode.Position): void {
    if (this.changes > 0 || !this.take(uri, position)) return;
    this.select();
  }

  // What the text means there becomes what is selected; false: nothing else than before.
  private take(uri: vscode.Uri, position: vscode.Position): boolean {
    const meant = this.places.at(uri, position);
    // What the page has selected may be another element of the same array: it stays.
    if (!meant || (this.selected && (meant.used ? meant.name === this.selected.name : sameDeclaration(meant, this.selected)))) return false;
    this.selected = meant;
    return true;
  }

  // The page is there, for the first time or again, when it shows what was selected before.
  private ready(shown: string): void {
    const known = this.places.named(shown);
    this.selected = known ?? (this.selected && this.places.named(this.selected.name));
    const editor = vscode.window.activeTextEditor;
    const other = editor?.document.languageId === "anml" && this.take(editor.document.uri, editor.selection.active);
    if (other || !known) this.select();
  }

  private select(): void {
    if (this.selected) void this.panel.webview.postMessage({ select: this.places.row(this.selected) });
  }

  private async showText(name: string): Promise<void> {
    const declared = this.places.named(name);
    if (!declared) return;
    this.selected = declared;
    const open = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === declared.uri.toString());
    await vscode.window.showTextDocument(declared.uri, {
      viewColumn: open?.viewColumn ?? vscode.ViewColumn.One, preserveFocus: true, preview: true, selection: declared.range });
  }

  stop(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }
}

export class NetworkPages implements vscode.Disposable {
  private readonly pages = new Map<string, NetworkPage>();
  private readonly listening: vscode.Disposable[];

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.listening = [
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document.languageId !== "anml") return;
        for (const page of this.pages.values()) page.drawSoon();  // another file may be imported
      }),
      vscode.window.onDidChangeTextEditorSelection((event) => {
        if (event.textEditor.document.languageId !== "anml") return;
        for (const page of this.pages.values()) page.follow(event.textEditor.document.uri, event.selections[0].active);
      }),
    ];
  }

  async show(uri: vscode.Uri, model: string): Promise<void> {
    const key = `${uri.toString()} ${model}`;
    let page = this.pages.get(key);
    if (page) {
      page.panel.reveal(undefined, true);
    } else {
      page = new NetworkPage(this.client, uri, model);
      this.pages.set(key, page);
      page.panel.onDidDispose(() => { page?.stop(); this.pages.delete(key); });
    }
    await page.draw();
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
    for (const page of [...this.pages.values()]) page.panel.dispose();
  }
}
