// The VS Code extension: starts `pytrope server` for Python documents, and shows the shape flow of a model.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { LanguageClient, State } from "vscode-languageclient/node";
import { type Coverage, drawArguments, likelyEntries, serverArguments, type Settings, statusOf } from "./settings";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right);
  status.name = "Pytrope";
  status.command = "pytrope.restart";
  context.subscriptions.push(
    status,
    vscode.commands.registerCommand("pytrope.restart", () => restartServer(status)),
    vscode.commands.registerCommand("pytrope.showFlow", showFlow),
    vscode.window.onDidChangeActiveTextEditor(() => void showStatus(status)),
    vscode.languages.onDidChangeDiagnostics(() => void showStatus(status)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("pytrope")) {
        void restartServer(status);
      }
    }),
  );
  await restartServer(status);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function readSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration("pytrope");
  return {
    path: configuration.get("path", "pytrope"),
    python: configuration.get("python", ""),
    possible: configuration.get("possible", false),
  };
}

async function restartServer(status: vscode.StatusBarItem): Promise<void> {
  await client?.stop();
  const settings = readSettings();
  const command = { command: settings.path, args: serverArguments(settings) };
  const selector = [
    { language: "python", scheme: "file" },
    { language: "python", scheme: "untitled" },
  ];
  client = new LanguageClient("pytrope", "Pytrope", command, { documentSelector: selector });
  client.onDidChangeState(() => void showStatus(status));
  try {
    await client.start();
  } catch (error) {
    const message = `Pytrope cannot be started as \`${settings.path}\` (setting pytrope.path): ${String(error)}`;
    void vscode.window.showErrorMessage(message);
  }
}

/** Shows how many shapes of the open file are known, or the state of the server where that cannot be said. */
async function showStatus(status: vscode.StatusBarItem): Promise<void> {
  const state = client?.state ?? State.Stopped;
  const words = { [State.Stopped]: "stopped", [State.Starting]: "starting", [State.Running]: "running" };
  const document = vscode.window.activeTextEditor?.document;
  let coverage: Coverage | null = null;
  if (state === State.Running && document?.languageId === "python") {
    const params = { textDocument: { uri: document.uri.toString() } };
    // A server of another version does not have the request.
    coverage = (await client?.sendRequest<Coverage | null>("pytrope/coverage", params).catch(() => null)) ?? null;
  }
  const { text, tooltip } = statusOf(words[state], coverage);
  status.text = text;
  status.tooltip = tooltip;
  status.show();
}

/** Asks for an entry of the file that is open, draws it, and shows the page beside the text. */
async function showFlow(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "python") {
    void vscode.window.showInformationMessage("Open the Python file that defines the model.");
    return;
  }
  const entries = likelyEntries(document.getText());
  const entry = await vscode.window.showInputBox({
    title: "The model to draw",
    prompt: "A Python expression in the file's namespace, such as Net() or Net(hidden=64)",
    value: entries[0] ?? "",
  });
  if (!entry) {
    return;
  }
  const settings = readSettings();
  const folder = await mkdtemp(join(tmpdir(), "pytrope-"));
  try {
    await document.save();
    const page = join(folder, "flow.html");
    // In the folder of the file, so that the page names the file alone.
    const where = { cwd: dirname(document.fileName) };
    await promisify(execFile)(settings.path, drawArguments(settings, basename(document.fileName), entry, page), where);
    const panel = vscode.window.createWebviewPanel("pytropeFlow", `Shapes of ${entry}`, vscode.ViewColumn.Beside, {});
    panel.webview.html = await readFile(page, "utf8");
  } catch (error) {
    void vscode.window.showErrorMessage(`Pytrope could not draw ${entry}: ${String(error)}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
