// The page of `anmlc graph` beside the text, as it is now, unsaved changes included.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

import { shown } from "./extension";

const kQuiet = 600;  // ms without a change, before the page is made again

class NetworkPage {
  private timer: NodeJS.Timeout | undefined;
  readonly panel: vscode.WebviewPanel;

  constructor(private readonly client: () => LanguageClient | undefined, readonly uri: vscode.Uri, readonly model: string) {
    this.panel = vscode.window.createWebviewPanel("anml.network", model || shown(uri),
                                                  { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
                                                  { enableScripts: true, retainContextWhenHidden: true });
  }

  async draw(): Promise<void> {
    const client = this.client();
    if (!client) return;
    try {
      const page = await client.sendRequest<{ html: string }>(
        "anml/graph", { textDocument: { uri: this.uri.toString() }, model: this.model });
      this.panel.webview.html = page.html;
      this.panel.title = this.model || shown(this.uri);
    } catch {
      // The text is wrong now, as its diagnostics say: the page stays what it was.
      this.panel.title = `${this.model || shown(this.uri)} (of before)`;
    }
  }

  drawSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(), kQuiet);
  }

  stop(): void { clearTimeout(this.timer); }
}

export class NetworkPages implements vscode.Disposable {
  private readonly pages = new Map<string, NetworkPage>();
  private readonly listening: vscode.Disposable;

  constructor(private readonly client: () => LanguageClient | undefined) {
    this.listening = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document.languageId !== "anml") return;
      for (const page of this.pages.values()) page.drawSoon();  // another file may be imported
    });
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
    this.listening.dispose();
    for (const page of [...this.pages.values()]) page.panel.dispose();
  }
}
