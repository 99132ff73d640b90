"""Messages of the Language Server Protocol over standard input and output, for clients that tests and benchmarks play."""

import json
import subprocess


class LspClient:
    """Starts a server, sends it messages and reads what it answers."""

    def __init__(self, command, folder, stderr=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, cwd=folder
        )
        self.next_id = 0

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        """The next message; requests of the server are answered on the way."""
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b": ")
            if name.lower() == b"content-length":
                length = int(value)
        message = json.loads(self.process.stdout.read(length))
        if "method" in message and "id" in message:
            items = (message.get("params") or {}).get("items", [])
            is_configuration = message["method"] == "workspace/configuration"
            self.send({"id": message["id"], "result": [{}] * len(items) if is_configuration else None})
        else:
            self.receive_notification(message)
        return message

    def receive_notification(self, message):
        """Called with each message that needs no answer."""

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        while True:
            message = self.read()
            if message.get("id") == self.next_id and "method" not in message:
                assert "error" not in message, message
                return message.get("result")
