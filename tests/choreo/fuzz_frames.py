"""Feeds damaged frames to everything that reads them: a frame, a typed error, or not enough bytes; nothing else.

    python tests/choreo/fuzz_frames.py [--cases 4000] [--seed 1]

Damage is done to whole frames (bytes changed, cut, repeated, spliced), to their headers (fields at their
limits) and to their payloads (trees with parts exchanged).  The process runs within limits of memory and
processor time that no honest decoding of these sizes comes near, so that a payload which makes a reader
allocate or loop is caught too.  The last line is `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import collections
import copy
import dataclasses
import datetime
import decimal
import enum
import random
import resource
import sys
import traceback
import uuid
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "python"))

import contextlib

from pytrope.choreo import ChoreoError, Session
from pytrope.choreo.codec import Packing, decode
from pytrope.choreo.frames import HEADER, MAGIC, VERSION, FrameReader, Kind, key_of, read_frame, write_frame
from pytrope.choreo.hello import Refusal, judge_header, read_hello
from pytrope.choreo.messagepack import read_text_plainly, write_text_plainly

MEMORY = 2 << 30
SECONDS_PER_THOUSAND = 60


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Point:
    x: float
    y: list[int]


class Pair(NamedTuple):
    left: int
    right: str


def payloads() -> list[Any]:
    values = [
        0,
        -(2**70),
        1.5,
        "text",
        b"bytes",
        [1, [2.0, None, True]],
        {"key": [1, {"deep": "er"}]},
        {1: 2, (3, 4): "five"},
        {1, 2, 3},
        (Colour.RED, Point(1.0, [2]), Pair(1, "r")),
        [0.5] * 600,
        list(range(600)),
        b"x" * 2000,
        "long " * 2000,
        datetime.datetime(2026, 11, 16, tzinfo=datetime.UTC),
        decimal.Decimal("1.5"),
        uuid.UUID(int=1),
        Path("a/b"),
        collections.deque([1], 3),
        range(5),
    ]
    try:
        import numpy
    except ImportError:
        print("numpy is not installed: arrays are not among the payloads", file=sys.stderr)
    else:
        values += [numpy.arange(6.0).reshape(2, 3), numpy.ma.array([1, 2], mask=[0, 1]), numpy.float32(1)]
    return values


def frame_of(value: Any, kind: Kind = Kind.VALUE) -> bytes:
    packing = Packing()
    text = write_text_plainly(packing.pack(value))
    return b"".join(write_frame(kind, key_of("s"), key_of("c"), 1, 0, text, packing.buffers))


def control_frames() -> list[bytes]:
    """What ends say of themselves: every kind that carries no value, as an end writes it."""
    link = Session(name="s", choreography="c").link("A", "B", "")
    written = [link.write(Kind.OUTCOME, True, 1), link.close_frame(), link.abort_frame("A", "a reason")]
    written += [link.write_control(kind) for kind in (Kind.SETTLED, Kind.HEARTBEAT, Kind.REFUSED, Kind.HELLO)]
    return [b"".join(pieces) for pieces in written if pieces is not None]


ODD = [0, 1, -1, 2**31, 2**32 - 1, 2**63, 2**64, -(2**63), 1e308, "", "$", b"", None, True, [], {}]


def damage_tree(source: random.Random, tree: Any, depth: int = 0) -> Any:
    """The tree with some of its parts exchanged for others."""
    if source.random() < 0.15 or depth > 20:
        return copy.deepcopy(source.choice([*ODD, {"$": ["tuple", [1]]}, {"$": ["ndarray", "S0", [2**33], 0]}, tree]))
    if type(tree) is list and len(tree) < 50:
        parts = [damage_tree(source, item, depth + 1) for item in tree]
        if parts and source.random() < 0.2:
            parts.pop(source.randrange(len(parts)))
        return parts * 2 if source.random() < 0.05 else parts
    if type(tree) is dict:
        return {key: damage_tree(source, item, depth + 1) for key, item in tree.items()}
    return tree


def damage_bytes(source: random.Random, data: bytes, others: list[bytes]) -> bytes:
    made = bytearray(data)
    for _ in range(source.randrange(1, 5)):
        at = source.randrange(len(made) + 1)
        match source.randrange(6):
            case 0 if made:
                made[at % len(made)] = source.randrange(256)
            case 1 if made:
                made[at % len(made)] ^= 1 << source.randrange(8)
            case 2:
                del made[at:]
            case 3:
                made[at:at] = source.randbytes(source.randrange(1, 9))
            case 4:
                made[at:] = source.choice(others)[at:]
            case _:
                # A length somewhere becomes one at a limit.
                made[at : at + 4] = source.choice(
                    [b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x00\x01\x00\x00", bytes(4)]
                )
    return bytes(made)


def damage_header(source: random.Random, data: bytes) -> bytes:
    fields = list(HEADER.unpack_from(data))
    kinds = [0, *Kind, max(Kind) + 1, 255]
    limits = {0: [MAGIC, b"PTRX"], 1: [VERSION, 0, 255], 2: kinds, 3: [0, 1, 2**16, 2**32 - 1]}
    limits |= {4: [0, 1, 2**32 - 1], 5: [0, 1, 2**32, 2**63, 2**64 - 1], 9: [0, 1, 2**32 - 1]}
    for _ in range(source.randrange(1, 3)):
        at = source.randrange(10)
        fields[at] = source.choice(limits.get(at, [0, 1, 2**64 - 1, fields[at]]))
    return HEADER.pack(*fields) + data[HEADER.size :]


def read_everywhere(source: random.Random, data: bytes) -> None:
    """Every reader of bytes that come from elsewhere; only errors of this package may leave it."""
    with contextlib.suppress(ChoreoError):
        read_frame(data)
    link = Session(name="s", choreography="c").link("B", "A", "")
    reader = FrameReader(1 << 20, 1 << 20)
    rest = memoryview(data)
    try:
        while rest:
            chunk = rest[: min(source.randrange(1, 4000), len(reader.target))]
            reader.feed(chunk)
            rest = rest[len(chunk) :]
            while (frame := reader.next()) is not None:
                # Each of the ways in which an end may be waiting, whatever has come.
                match source.randrange(5):
                    case 0:
                        link.read_close(frame)
                    case 1:
                        link.read_settled(frame)
                    case 2:
                        link.read_outcome(frame, source.choice([None, 1]))
                    case _:
                        link.read(frame, source.choice([Kind.VALUE, Kind.LABEL]), source.choice([None, 1]))
    except ChoreoError:
        pass
    try:
        if len(data) >= HEADER.size:
            judge_header(data[: HEADER.size], "s", "c")
        read_hello(data[HEADER.size : HEADER.size + 4096])
    except Refusal:
        pass


def read_payload(text: bytes, buffers: list[bytes]) -> None:
    with contextlib.suppress(ChoreoError):
        decode(text, buffers)
    with contextlib.suppress(ValueError, RecursionError):
        read_text_plainly(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=20261116)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    limit = SECONDS_PER_THOUSAND * (1 + options.cases // 1000)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    source = random.Random(options.seed)
    values = payloads()
    frames = [frame_of(value) for value in values] + [frame_of(Colour.RED, Kind.LABEL)]
    frames += [frame_of(value, Kind.OUTCOME) for value in (True, False, None)] + control_frames()
    packed = [(packing.pack(value), packing) for value in values for packing in [Packing()]]
    passed = failed = 0
    for _ in range(options.cases):
        try:
            match source.randrange(4):
                case 0:
                    read_everywhere(source, damage_bytes(source, source.choice(frames), frames))
                case 1:
                    read_everywhere(source, damage_header(source, source.choice(frames)))
                case 2:
                    tree, packing = source.choice(packed)
                    text = write_text_plainly(damage_tree(source, tree))
                    read_payload(text, [bytes(buffer) for buffer in packing.buffers])
                case _:
                    tree, packing = source.choice(packed)
                    text = damage_bytes(source, write_text_plainly(tree), frames)
                    read_payload(text, [bytes(buffer) for buffer in packing.buffers])
            passed += 1
        except Exception:  # noqa: BLE001 - every other error is what this looks for
            failed += 1
            if failed <= 5:
                traceback.print_exc()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
