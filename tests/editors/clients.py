"""What editors that cannot be started here send first, and what they must get back.

    python3 clients.py PYTROPE

Each client is written after the documentation and the sources of its editor: which abilities it offers, whether it asks for diagnostics or
waits for them, and how it counts columns. A client opens a file with an error, edits it, and closes it.
"""

import pathlib
import sys
import tempfile

from lsp import LspClient

TEXT = "import numpy as np\n\nname = 'é😀'; a = np.zeros((3, 4))\nb = np.zeros((5, 6))\nc = a @ b\n"

CLIENTS = {
    # Asks since 25.01; offers all encodings, its own first.
    "helix": {
        "general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]},
        "textDocument": {"diagnostic": {"dynamicRegistration": False}, "inlayHint": {"dynamicRegistration": False}},
        "workspace": {"workspaceFolders": True, "didChangeWatchedFiles": {"dynamicRegistration": True}},
        "window": {"workDoneProgress": True},
    },
    # eglot of Emacs 29 waits for diagnostics and names no encodings.
    "emacs": {
        "textDocument": {"publishDiagnostics": {"relatedInformation": False}, "hover": {"contentFormat": ["markdown"]}},
        "workspace": {"workspaceFolders": True, "configuration": True},
        "window": {"workDoneProgress": True},
    },
    "zed": {
        "general": {"positionEncodings": ["utf-16"]},
        "textDocument": {
            "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
            "inlayHint": {"resolveSupport": {"properties": ["tooltip", "label.tooltip", "label.location"]}},
        },
        "workspace": {
            "workspaceFolders": True,
            "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        },
        "window": {"workDoneProgress": True},
    },
    # LSP4IJ.
    "pycharm": {
        "textDocument": {
            "publishDiagnostics": {"relatedInformation": True},
            "codeLens": {"dynamicRegistration": True},
            "inlayHint": {"dynamicRegistration": True},
        },
        "workspace": {"workspaceFolders": True, "didChangeWatchedFiles": {"dynamicRegistration": True}},
        "window": {"workDoneProgress": True},
    },
    # Sends the cells of a notebook as one document of its own making, and always the whole text.
    "jupyterlab-lsp": {
        "textDocument": {"publishDiagnostics": {"tagSupport": {"valueSet": [1, 2]}}, "hover": {}},
        "workspace": {"didChangeConfiguration": {"dynamicRegistration": True}},
    },
}


class Session(LspClient):
    def __init__(self, program, folder):
        super().__init__([program, "server"], folder)
        self.sent = []

    def receive_notification(self, message):
        if "method" in message:
            self.sent.append(message)

    def published(self, uri, version):
        while True:
            while not self.sent:
                self.read()
            params = self.sent.pop(0).get("params") or {}
            if params.get("uri") == uri and params.get("version") == version:
                return params["diagnostics"]


def play(name, capabilities, program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder).resolve() / "main.py"
        path.write_text(TEXT, encoding="utf-8")
        uri = path.as_uri()
        session = Session(program, folder)
        root = {"uri": path.parent.as_uri(), "name": "project"}
        given = {"processId": None, "rootUri": root["uri"], "workspaceFolders": [root], "capabilities": capabilities}
        answer = session.request("initialize", given)
        session.notify("initialized", {})
        encoding = answer["capabilities"]["positionEncoding"]
        offered = capabilities.get("general", {}).get("positionEncodings", ["utf-16"])
        assert encoding in offered, (encoding, offered)
        asks = "diagnostic" in capabilities.get("textDocument", {})

        def diagnostics(version):
            if asks:
                return session.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
            return session.published(uri, version)

        document = {"uri": uri, "languageId": "python", "version": 1, "text": TEXT}
        session.notify("textDocument/didOpen", {"textDocument": document})
        found = diagnostics(1)
        assert [item["code"] for item in found] == ["PT202"], found
        created = found[0]["relatedInformation"][0]["location"]["range"]["start"]
        line = TEXT.split("\n")[2]
        before = line[: line.index("np.zeros")]
        column = len(before.encode()) if encoding == "utf-8" else len(before.encode("utf-16-le")) // 2
        assert created == {"line": 2, "character": column}, (created, column)
        place = {"textDocument": {"uri": uri}, "position": {"line": 4, "character": 4}}
        hover = session.request("textDocument/hover", place)
        assert "ndarray[3, 4]" in hover["contents"]["value"], hover
        fixed = TEXT.replace("(5, 6)", "(4, 6)")
        session.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": fixed}]},
        )
        assert diagnostics(2) == []
        session.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        session.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        session.request("shutdown", None)
        session.notify("exit", None)
        session.process.stdin.close()
        assert session.process.wait() == 0
        session.process.stdout.close()
    print(f"ok: {name} ({encoding}, {'asks for' if asks else 'waits for'} diagnostics)")


for client, abilities in CLIENTS.items():
    play(client, abilities, sys.argv[1])
