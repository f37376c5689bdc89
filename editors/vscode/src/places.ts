// What the page shows and where it is declared, both ways.
import * as vscode from "vscode";

interface Place {
  name: string;
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
}

export interface Declaration {
  name: string;
  uri: vscode.Uri;
  range: vscode.Range;
}

const withoutSubscripts = (name: string) => name.replace(/\[[^\]]*\]/g, "");
const withoutLast = (name: string) => name.replace(/\[[^\]]*\]$/, "");

export const sameDeclaration = (a: Declaration, b: Declaration) => a.range.isEqual(b.range) && a.uri.toString() === b.uri.toString();

export class Places {
  private readonly byName = new Map<string, Declaration>();
  private readonly byLine = new Map<string, Declaration[]>();  // "file:///net.anml 12"
  private readonly firstIn = new Map<string, string>();  // by instance: "net", "net.lan"

  constructor(places: Place[] = []) {
    for (const { name, uri, range } of places) {
      const declared = { name, uri: vscode.Uri.parse(uri), range: new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character) };
      this.byName.set(name, declared);
      const line = this.line(declared.uri, range.start.line), known = this.byLine.get(line);
      if (known) known.push(declared); else this.byLine.set(line, [declared]);
      // Rows come before instances.
      const path = withoutSubscripts(name);
      for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1))
        if (!this.firstIn.has(path.slice(0, dot))) this.firstIn.set(path.slice(0, dot), name);
    }
  }

  // Of what the page calls "net[3].gateway", "net[3].client[17]", "net[3].client[0 .. 7]" or, an instance, "net[3]".
  named(shown: string): Declaration | undefined {
    return this.byName.get(shown) ?? this.byName.get(withoutLast(shown)) ?? this.byName.get(withoutSubscripts(shown));
  }

  // What the line declares around the position, or else declares first.
  at(uri: vscode.Uri, position: vscode.Position): Declaration | undefined {
    const declared = this.byLine.get(this.line(uri, position.line));
    return declared?.find((one) => one.range.contains(position)) ?? declared?.[0];
  }

  // A row of nodes that stands for it, which the page can select: itself, or the first one in the instance.
  row(declared: Declaration): string { return this.firstIn.get(declared.name) ?? declared.name; }

  private line(uri: vscode.Uri, line: number): string { return `${uri.toString()} ${line}`; }
}
