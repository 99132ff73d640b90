"""Small conversations and a watchdog, shared by the tests of the transports."""

from __future__ import annotations

import faulthandler
import socket
import ssl
import subprocess
import tempfile
from enum import Enum
from pathlib import Path
from typing import Any

import peers
from pytrope.choreo import Session, parse_address
from pytrope.choreo.frames import FrameReader, Kind
from pytrope.choreo.hello import check_hello, hello_text
from pytrope.choreo.link import Link

# Nothing in these tests may hang; if something does, say where and stop.
faulthandler.dump_traceback_later(300, exit=True)

DEADLINE = 0.3
"""Seconds; tests only ask which error comes, never when."""


class Answer(Enum):
    YES = 1
    NO = 2


class RawPeer:
    """A peer that greets properly and then writes whatever bytes a test wants."""

    def __init__(self, address: str | tuple[str, int], role: str, peer: str, session: Session | None = None) -> None:
        self.link: Link = (session or Session()).link(role, peer, "")
        self.socket = socket.create_connection(parse_address(address), 10)
        self.reader = FrameReader()

    def greet(self) -> RawPeer:
        self.write(self.hello())
        check_hello(self.link, self.frame())
        return self

    def hello(self) -> bytes:
        return b"".join(self.link.write_control(Kind.HELLO, hello_text(self.link)))

    def frame(self) -> Any:
        while (frame := self.reader.next()) is None:
            data = self.socket.recv(len(self.reader.target))
            if not data:
                raise EOFError
            self.reader.feed(data)
        return frame

    def value(self, value: object, site: int | None = None) -> bytes:
        return b"".join(self.link.write(Kind.VALUE, value, site))

    def label(self, value: object) -> bytes:
        return b"".join(self.link.write(Kind.LABEL, value))

    def write(self, data: bytes) -> None:
        self.socket.sendall(data)

    def close(self) -> None:
        self.socket.close()


def certificates() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A client's and a server's context that trust one fresh authority for 127.0.0.1."""
    openssl = peers.tool("openssl")
    with tempfile.TemporaryDirectory() as folder:
        key, cert = Path(folder, "key.pem"), Path(folder, "cert.pem")
        subprocess.run(
            [
                openssl,
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=pytrope test",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
                "-keyout",
                str(key),
                "-out",
                str(cert),
            ],
            check=True,
            capture_output=True,
        )
        client = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=str(cert))
        server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(cert))
        server.verify_mode = ssl.CERT_REQUIRED
        for context in (client, server):
            context.load_cert_chain(str(cert), str(key))
    return client, server
