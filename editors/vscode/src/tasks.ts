// Tasks of the type `anml`: a verb of anmlc and a file.
import * as vscode from "vscode";

interface Definition extends vscode.TaskDefinition {
  verb: string;
  file: string;
  arguments?: string[];
}

const compiler = () => vscode.workspace.getConfiguration("anml").get<string>("compiler", "anmlc");
const includes = () => vscode.workspace.getConfiguration("anml").get<string[]>("includeDirs", []).flatMap((dir) => ["-I", dir]);

function task(definition: Definition, scope: vscode.WorkspaceFolder | vscode.TaskScope): vscode.Task {
  const short = definition.verb === "check" || definition.verb === "lint" ? ["--error-format=short"] : [];
  const parts = [definition.verb, ...includes(), ...short, definition.file, ...(definition.arguments ?? [])];
  const made = new vscode.Task(definition, scope, `${definition.verb} ${definition.file}`, "anml",
                               new vscode.ProcessExecution(compiler(), parts), "$anmlc");
  if (definition.verb === "check") made.group = vscode.TaskGroup.Build;
  return made;
}

export class TaskProvider implements vscode.TaskProvider {
  provideTasks(): vscode.Task[] {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== "anml" || document.uri.scheme !== "file") return [];
    const folder = vscode.workspace.getWorkspaceFolder(document.uri) ?? vscode.TaskScope.Workspace;
    const file = document.uri.fsPath;
    return ["check", "lint", "run"].map((verb) => task({ type: "anml", verb, file }, folder));
  }
  resolveTask(given: vscode.Task): vscode.Task {
    return task(given.definition as Definition, given.scope as vscode.WorkspaceFolder ?? vscode.TaskScope.Workspace);
  }
}

// Runs it now, of what was saved; `name` of a model or an experiment, "" for the only one.
export async function runVerb(verb: "run" | "experiment", uri: vscode.Uri, name: string): Promise<void> {
  await vscode.workspace.save(uri);
  const choice = name === "" ? [] : verb === "run" ? ["--model", name] : [name];
  const folder = vscode.workspace.getWorkspaceFolder(uri) ?? vscode.TaskScope.Workspace;
  await vscode.tasks.executeTask(task({ type: "anml", verb, file: uri.fsPath, arguments: choice }, folder));
}
