// The settings of the extension, and the command lines that follow from them. Knows nothing of VS Code, so that it can be tested alone.

export interface Settings {
  path: string;
  python: string;
  possible: boolean;
}

/** The arguments that start the language server. */
export function serverArguments(settings: Settings): string[] {
  const python = settings.python ? ["--python", settings.python] : [];
  const possible = settings.possible ? ["--possible"] : [];
  return ["server", ...python, ...possible];
}

/** The arguments that draw the shape flow of an entry, such as `Net()`, as a page. */
export function drawArguments(settings: Settings, file: string, entry: string, output: string): string[] {
  const python = settings.python ? ["--python", settings.python] : [];
  return ["draw", file, "--entry", entry, "-o", output, ...python];
}

/** The classes of a file that look like models, as entries to choose from: `class Net(nn.Module)` is `Net()`. */
export function likelyEntries(text: string): string[] {
  const classes = text.matchAll(/^class\s+(\w+)\s*\(([^)]*Module[^)]*)\)/gm);
  return [...classes].map((match) => `${match[1]}()`);
}
