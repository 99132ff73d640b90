"""Streaming vital signs: a device signs its readings, a gatherer keeps what it can verify."""

import hashlib
from dataclasses import dataclass
from enum import Enum

from pytrope.choreo import At, Ch, DiChannel, On, Role


class Stream(Enum):
    ON = "on"
    OFF = "off"


@dataclass
class Vitals:
    patient: str
    heart_rate: int


@dataclass
class Signed:
    vitals: Vitals
    signature: str


def seal(vitals: Vitals) -> str:
    return hashlib.sha256(f"key:{vitals.patient}:{vitals.heart_rate}".encode()).hexdigest()


def sign(vitals: Vitals) -> Signed:
    return Signed(vitals, seal(vitals))


def verified(message: Signed) -> bool:
    return message.signature == seal(message.vitals)


def pseudonymise(vitals: Vitals) -> Vitals:
    return Vitals(hashlib.sha256(vitals.patient.encode()).hexdigest()[:8], vitals.heart_rate)


class VitalsStreaming[Device: Role, Gatherer: Role](Ch[Device, Gatherer]):
    """The device only sends, so a directed channel is enough."""

    def __init__(self, channel: DiChannel[Signed, Device, Gatherer]) -> None:
        self.channel = channel

    def gather(self, readings: At[list[Vitals], Device]) -> At[list[Vitals], Gatherer]:
        kept: At[list[Vitals], Gatherer] = []
        position: At[int, Device] = 0
        while position < len(readings):
            self.channel.select(Stream.ON @ On[Device])
            message: At[Signed, Gatherer] = self.channel.com(sign(readings[position]))
            if verified(message):
                kept.append(pseudonymise(message.vitals))
            position += 1
        self.channel.select(Stream.OFF @ On[Device])
        return kept
