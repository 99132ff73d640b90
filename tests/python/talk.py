"""Small conversations and a watchdog, shared by the tests of the transports."""

from __future__ import annotations

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


class Authority:
    """A fresh certificate authority, and certificates for 127.0.0.1 that bear a name."""

    def __init__(self) -> None:
        self._openssl = peers.tool("openssl")
        self._temporary = tempfile.TemporaryDirectory()
        self._folder = Path(self._temporary.name)
        self._run(
            *("req", "-x509", *_KEY, "-days", "2", "-subj", "/CN=pytrope authority"),
            *("-addext", "keyUsage=critical,keyCertSign,cRLSign", *self._files("authority")),
        )

    def cleanup(self) -> None:
        self._temporary.cleanup()

    def contexts(self, name: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
        """A client's and a server's context of the holder of a certificate in that name."""
        key, cert = self._folder / f"{name}.key", self._folder / f"{name}.cert"
        self._run(
            *("req", "-x509", *_KEY, "-days", "2", "-subj", f"/CN={name}"),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:false"),
            *("-CA", str(self._folder / "authority.cert"), "-CAkey", str(self._folder / "authority.key")),
            *self._files(name),
        )
        authority = str(self._folder / "authority.cert")
        client = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=authority)
        server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=authority)
        server.verify_mode = ssl.CERT_REQUIRED
        for context in (client, server):
            context.load_cert_chain(str(cert), str(key))
        return client, server

    def _files(self, name: str) -> list[str]:
        return ["-keyout", str(self._folder / f"{name}.key"), "-out", str(self._folder / f"{name}.cert")]

    def _run(self, *arguments: str) -> None:
        subprocess.run([self._openssl, *arguments], check=True, capture_output=True)


_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


def certificates() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A client's and a server's context that trust one fresh authority for 127.0.0.1."""
    authority = Authority()
    try:
        return authority.contexts("pytrope test")
    finally:
        authority.cleanup()
