// The command lines of the extension, and that the program accepts them (PYTROPE_BIN names it).

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { test } = require("node:test");
const { drawArguments, likelyEntries, serverArguments, statusOf } = require("../dist/settings.js");
const manifest = require("../package.json");

const plain = { path: "pytrope", python: "", possible: false };

test("settings become arguments", () => {
  assert.deepEqual(serverArguments(plain), ["server"]);
  assert.deepEqual(serverArguments({ ...plain, python: ".venv", possible: true }), ["server", "--python", ".venv", "--possible"]);
});

test("models of a file are offered as entries", () => {
  const text = "class Net(nn.Module):\n    pass\n\nclass Data(Dataset):\n    pass\n\nclass Big(torch.nn.Module):\n    pass\n";
  assert.deepEqual(likelyEntries(text), ["Net()", "Big()"]);
});

test("the status shows how much is known", () => {
  const coverage = { arrays: 3, shape: 2, rank: 1, unknown: 0 };
  assert.equal(statusOf("running", coverage).text, "Pytrope: 66 % of 3 shapes");
  assert.match(statusOf("running", coverage).tooltip, /2 have a known shape, 1 only a known rank, 0 neither/);
  assert.equal(statusOf("running", { arrays: 0, shape: 0, rank: 0, unknown: 0 }).text, "Pytrope: no arrays");
  assert.equal(statusOf("running", null).text, "Pytrope: running");
  assert.equal(statusOf("stopped", coverage).text, "Pytrope: stopped");
});

test("every setting of the manifest is one that the code reads", () => {
  const names = Object.keys(manifest.contributes.configuration.properties).map((name) => name.replace("pytrope.", ""));
  assert.deepEqual(names.sort(), Object.keys(plain).sort());
});

const program = process.env.PYTROPE_BIN;

test("the program starts as a server with these arguments", { skip: !program && "PYTROPE_BIN is not set" }, () => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } });
  const end = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "shutdown" });
  const exit = JSON.stringify({ jsonrpc: "2.0", method: "exit" });
  const ready = JSON.stringify({ jsonrpc: "2.0", method: "initialized", params: {} });
  const input = [body, ready, end, exit].map((text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`).join("");
  const output = execFileSync(program, serverArguments({ ...plain, possible: true }), { input, encoding: "utf8" });
  assert.match(output, /"inlayHintProvider":true/);
});

test("the program draws with these arguments", { skip: !program && "PYTROPE_BIN is not set" }, () => {
  const folder = mkdtempSync(join(tmpdir(), "pytrope-"));
  try {
    const file = join(folder, "net.py");
    writeFileSync(file, "from torch import nn\n\n\ndef net():\n    return nn.Sequential(nn.Linear(4, 2))\n");
    const page = join(folder, "flow.html");
    execFileSync(program, drawArguments(plain, file, "net()", page), { stdio: "pipe" });
    assert.match(readFileSync(page, "utf8"), /Linear/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
