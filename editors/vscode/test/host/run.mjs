// Runs the extension in a real VS Code, which is code-server from npm, and looks at it with Debian's chromium:
// `node run.mjs PYTROPE FOLDER [CHROMIUM]`. VS Code's own test host is downloaded from a site that builds cannot reach.
//
// FOLDER keeps the installed packages between runs, and the screenshots. Needs Node.js 20 and a C++ compiler, since some
// modules of code-server are built here. Prints `N passed, N failed` last.

import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [program, folder, chromium = "/usr/bin/chromium"] = process.argv.slice(2).map((path) => resolve(path));
const here = dirname(fileURLToPath(import.meta.url));
const extension = dirname(dirname(here));
const server = join(folder, "node_modules/code-server");

function npm(arguments_, where) {
  execFileSync("npm", arguments_, { cwd: where, stdio: ["ignore", "ignore", "inherit"] });
}

/** Installs code-server without its own script, which insists on sources from GitHub for one module that npm has too. */
function install() {
  if (existsSync(join(folder, "installed"))) {
    return;
  }
  mkdirSync(folder, { recursive: true });
  cpSync(join(here, "package.json"), join(folder, "package.json"));
  npm(["install", "--ignore-scripts", "--no-fund", "--no-audit"], folder);
  const editor = join(server, "lib/vscode");
  rmSync(join(editor, "npm-shrinkwrap.json"), { force: true });
  npm(["install", "--omit=dev", "--ignore-scripts"], editor);
  npm(["install", "--omit=dev", "--ignore-scripts"], join(editor, "extensions"));
  // What the editor cannot do without: its log, and passwords (which are switched off, but loaded).
  npm(["rebuild", "@vscode/spdlog"], editor);
  npm(["rebuild", "argon2"], folder);
  if (!existsSync(join(editor, "node_modules.asar"))) {
    symlinkSync("node_modules", join(editor, "node_modules.asar"));
  }
  writeFileSync(join(folder, "installed"), "");
}

let passed = 0;
let failed = 0;

function check(name, holds, detail = "") {
  passed += holds ? 1 : 0;
  failed += holds ? 0 : 1;
  console.log(`${holds ? "ok" : "FAILED"}: ${name}${holds ? "" : `: ${detail}`}`);
}

/** A port that nothing listens on. */
function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

const CLASSIFIER = `import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 16, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(4),
        )
        self.head = nn.Linear(16 * 7 * 7, classes)

    def forward(self, images):
        if images.dim() == 3:
            images = images.unsqueeze(0)
        x = self.features(images)
        x = torch.flatten(x, 1)
        return self.head(x)


scores = Classifier()(torch.randn(8, 3, 32, 32))
`;

const SETTINGS = {
  "pytrope.path": program,
  "editor.inlayHints.enabled": "on",
  "editor.minimap.enabled": false,
  "security.workspace.trust.enabled": false,
  "workbench.startupEditor": "none",
  "workbench.colorTheme": "Default Light Modern",
};

install();
const workspace = join(folder, "workspace");
const data = join(folder, "data");
for (const old of [workspace, data, join(folder, "extensions")]) {
  rmSync(old, { recursive: true, force: true });
}
mkdirSync(workspace, { recursive: true });
mkdirSync(join(data, "User"), { recursive: true });
writeFileSync(join(workspace, "classifier.py"), CLASSIFIER);
writeFileSync(join(data, "User/settings.json"), JSON.stringify(SETTINGS));
npm(["run", "--silent", "compile"], extension);
const vsix = join(folder, "pytrope.vsix");
execFileSync(
  join(folder, "node_modules/.bin/vsce"),
  ["package", "--no-dependencies", "--allow-missing-repository", "--skip-license", "-o", vsix],
  { cwd: extension, stdio: ["ignore", "ignore", "inherit"] },
);
const options = ["--config", join(folder, "config.yaml"), "--user-data-dir", data, "--extensions-dir", join(folder, "extensions")];
const entry = join(server, "out/node/entry.js");
execFileSync("node", [entry, ...options, "--install-extension", vsix], { stdio: ["ignore", "ignore", "inherit"] });
const port = await freePort();
const address = `127.0.0.1:${port}`;
const running = spawn("node", [entry, ...options, "--auth", "none", "--bind-addr", address, "--disable-telemetry", "--disable-update-check"]);
await new Promise((done) => running.stdout.on("data", (text) => String(text).includes("HTTP server listening") && done()));

const puppeteer = createRequire(join(folder, "package.json"))("puppeteer-core");
const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1180, height: 720 });
  await page.goto(`http://${address}/?folder=${workspace}`, { waitUntil: "domcontentloaded", timeout: 120_000 });
  const texts = (selector) => page.$$eval(selector, (found) => found.map((element) => element.innerText));
  /** Waits until a condition on the page holds; false if it does not within a minute. */
  const appears = (condition, ...given) =>
    page.waitForFunction(condition, { timeout: 60_000 }, ...given).then(() => true, () => false);
  const shows = (selector, text) =>
    appears((s, t) => [...document.querySelectorAll(s)].some((e) => e.innerText.replaceAll("\u00a0", " ").includes(t)), selector, text);
  const press = async (...keys) => {
    for (const key of keys.slice(0, -1)) await page.keyboard.down(key);
    await page.keyboard.press(keys.at(-1));
    for (const key of keys.slice(0, -1).reverse()) await page.keyboard.up(key);
  };
  const command = async (text) => {
    await press("F1");
    await appears(() => document.querySelector(".quick-input-widget input") === document.activeElement);
    await page.keyboard.type(text);
    await shows(".quick-input-list .monaco-list-row", text);
    await press("Enter");
  };

  await page.waitForSelector(".explorer-folders-view .monaco-list-row", { timeout: 60_000 });
  await page.click('.explorer-folders-view .monaco-list-row[aria-label*="classifier.py"]', { count: 2 });
  check("the error is underlined", await appears(() => document.querySelector(".squiggly-error") !== null));
  check("shapes are beside the code", await shows(".view-line", "[8, 1024]"), String(await texts(".view-line")));
  check("the signature is above the method", await shows(".codelens-decoration", "(images: [8, 3, 32, 32])"), String(await texts(".codelens-decoration")));
  check("the status says how many shapes are known", await shows(".statusbar-item", "% of"), String(await texts(".statusbar-item")));
  await command("Problems: Focus on Problems View");
  check("the problem has its message", await shows(".markers-panel", "linear expects 784 features"), String(await texts(".markers-panel")));
  check("and the places that it is about", await shows(".markers-panel", "Linear created here"));
  await page.screenshot({ path: join(folder, "problems.png") });

  // A quick fix of a branch: the lines go away.
  const lines = await page.$$(".view-line");
  for (const line of lines) {
    if ((await line.evaluate((element) => element.innerText)).includes("images.dim()")) {
      // Near the start of the line, where its text is.
      await line.click({ offset: { x: 100, y: 8 } });
    }
  }
  await press("Control", "Period");
  const offered = await shows(".action-widget", "Prune for `not (images.dim() == 3)`");
  check("a branch can be pruned", offered, String(await texts(".action-widget")));
  await page.screenshot({ path: join(folder, "actions.png") });
  await press("Escape");

  await command("Pytrope: Show the shape flow of a model");
  await shows(".quick-input-widget", "The model to draw");
  await press("Enter");
  check("the shape flow is shown", await shows(".tab", "Shapes of Classifier()"), String(await texts(".tab")));
  await page.screenshot({ path: join(folder, "flow.png") });

  // The mistake is corrected; nothing is saved.
  await page.click('.tab[data-resource-name="classifier.py"]');
  await press("Control", "KeyF");
  await page.keyboard.type("7 * 7");
  await press("Escape");
  await page.keyboard.type("8 * 8");
  check("the error goes with its cause", await appears(() => document.querySelector(".squiggly-error") === null));
} finally {
  await browser.close();
  running.kill();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
