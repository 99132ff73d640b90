"""The time from an edit to its diagnostics, of any language server that speaks over standard input and output.

    python3 edit_latency.py FOLDER EDITS [FILE] -- pytrope server

Opens FILE, or up to twenty files of the folder, inserts and removes statements at the top level of one of them, and waits for the
diagnostics of the new text after each edit: asked for where the server can be asked, awaited where it sends them. Prints one
line of JSON: milliseconds on the clock, mean processor time of an edit, and memory.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "editors"))
from lsp import LspClient  # noqa: E402

OPEN_FILES = 20


class Client(LspClient):
    def __init__(self, command, folder):
        super().__init__(command, folder, stderr=subprocess.DEVNULL)
        self.published = {}

    def receive_notification(self, message):
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.published[params["uri"]] = params.get("version")

    def await_version(self, uri, version):
        while self.published.get(uri) != version:
            self.read()


def top_level_lines(text):
    """The numbers of lines before which a statement can be put."""
    starts = ("def ", "class ", "import ", "from ")
    return [number for number, line in enumerate(text.split("\n")) if line.startswith(starts)] or [0]


def resident_mib(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM"))


def cpu_ms(pid):
    """Processor time of a process and its threads, which a busy machine changes less than the clock."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def main():
    arguments, command = sys.argv[1 : sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1 :]
    folder, edits = pathlib.Path(arguments[0]).resolve(), int(arguments[1])
    draw = random.Random(7)
    files = [folder / arguments[2]] if len(arguments) > 2 else sorted(folder.rglob("*.py"))
    files = draw.sample(files, min(OPEN_FILES, len(files)))
    client = Client(command, folder)
    capabilities = {
        "textDocument": {"diagnostic": {}, "publishDiagnostics": {"versionSupport": True}},
        "workspace": {"configuration": True, "workspaceFolders": True},
    }
    root = {"uri": folder.as_uri(), "name": folder.name}
    started = time.perf_counter()
    given = {"processId": None, "rootUri": root["uri"], "workspaceFolders": [root], "capabilities": capabilities}
    answer = client.request("initialize", given)
    can_be_asked = answer["capabilities"].get("diagnosticProvider") is not None
    client.notify("initialized", {})

    def diagnostics(uri, version):
        if can_be_asked:
            client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        else:
            client.await_version(uri, version)

    texts = {}
    for file in files:
        text = texts[file] = file.read_text(encoding="utf-8")
        document = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": document})
        diagnostics(file.as_uri(), 1)
    first = time.perf_counter() - started

    times = []
    cpu = cpu_ms(client.process.pid)
    inserted = {}
    for version in range(2, edits + 2):
        file = draw.choice(files)
        uri = file.as_uri()
        if (line := inserted.pop(file, None)) is not None:
            place = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
            change = {"range": place, "text": ""}
        else:
            line = inserted[file] = draw.choice(top_level_lines(texts[file]))
            place = {"line": line, "character": 0}
            change = {"range": {"start": place, "end": place}, "text": f"probe_{version} = {version}\n"}
        started = time.perf_counter()
        client.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]},
        )
        diagnostics(uri, version)
        times.append((time.perf_counter() - started) * 1000)
    times.sort()
    result = {
        "first": round(first * 1000, 1),
        "p50": round(times[len(times) // 2], 2),
        "p95": round(times[len(times) * 95 // 100], 2),
        "most": round(times[-1], 2),
        "cpu": round((cpu_ms(client.process.pid) - cpu) / edits, 2),
        "mib": round(resident_mib(client.process.pid)),
    }
    print(json.dumps(result))
    client.process.kill()


main()
