// What the page shows, where it is declared, both ways, and where it is used.
import * as vscode from "vscode";

interface Place {
  name: string;
  uri: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
}

// The answer to `anml/graph`.
export interface Page {
  html: string;
  places?: Place[];
  uses?: Place[];
}

export interface Declaration {
  name: string;
  uri: vscode.Uri;
  range: vscode.Range;
  used?: boolean;  // and not declared, where the text names it
}

const withoutSubscripts = (name: string) => name.replace(/\[[^\]]*\]/g, "");
const withoutLast = (name: string) => name.replace(/\[[^\]]*\]$/, "");

export const sameDeclaration = (a: Declaration, b: Declaration) => a.range.isEqual(b.range) && a.uri.toString() === b.uri.toString();

export class Places {
  private readonly byName = new Map<string, Declaration>();
  private readonly byLine = new Map<string, Declaration[]>();  // "file:///net.anml 12"
  private readonly uses = new Map<string, { range: vscode.Range; name: string }[]>();  // by line
  private readonly firstIn = new Map<string, string>();  // by instance: "net", "net.lan"

  constructor(page: Partial<Page> = {}) {
    const rangeOf = ({ range: { start, end } }: Place) => new vscode.Range(start.line, start.character, end.line, end.character);
    for (const use of page.uses ?? []) {
      const line = this.line(vscode.Uri.parse(use.uri), use.range.start.line), known = this.uses.get(line), one = { range: rangeOf(use), name: use.name };
      if (known) known.push(one); else this.uses.set(line, [one]);
    }
    for (const place of page.places ?? []) {
      const { name, uri, range } = place, declared = { name, uri: vscode.Uri.parse(uri), range: rangeOf(place) };
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

  // What the name there means, or what the line declares around the position, or else declares first.
  at(uri: vscode.Uri, position: vscode.Position): Declaration | undefined {
    const line = this.line(uri, position.line), use = this.uses.get(line)?.find((one) => one.range.contains(position));
    const meant = use && this.byName.get(use.name);
    if (meant) return { ...meant, used: true };
    const declared = this.byLine.get(line);
    return declared?.find((one) => one.range.contains(position)) ?? declared?.[0];
  }

  // A row of nodes that stands for it, which the page can select: itself, or the first one in the instance.
  row(declared: Declaration): string { return this.firstIn.get(declared.name) ?? declared.name; }

  private line(uri: vscode.Uri, line: number): string { return `${uri.toString()} ${line}`; }
}
