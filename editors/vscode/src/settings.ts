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

/** What the server knows of the arrays of a document (`pytrope/coverage`). */
export interface Coverage {
  arrays: number;
  shape: number;
  rank: number;
  unknown: number;
}

/** The text and the tooltip of the status item. */
export function statusOf(state: string, coverage: Coverage | null): { text: string; tooltip: string } {
  if (state !== "running" || !coverage) {
    return { text: `Pytrope: ${state}`, tooltip: "Restart the server" };
  }
  if (coverage.arrays === 0) {
    return { text: "Pytrope: no arrays", tooltip: "No arrays in this file. Restart the server" };
  }
  const { arrays, shape, rank, unknown } = coverage;
  const tooltip = `Of ${arrays} arrays ${shape} have a known shape, ${rank} only a known rank, ${unknown} neither. Restart the server`;
  return { text: `Pytrope: ${Math.floor((100 * shape) / arrays)} % of ${arrays} shapes`, tooltip };
}
