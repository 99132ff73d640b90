from enum import IntEnum

from pytrope.choreo import At, Ch2, Channel, Role


class Patient(Role): ...


class Hospital(Role): ...


class Level(IntEnum):
    OK = 0
    WATCH = 1
    ALARM = 2


class Triage(Ch2[Patient, Hospital]):
    def __init__(self, ch: Channel[object, Patient, Hospital]) -> None:
        self.ch = ch

    def report(self, pulse: At[int, Patient]) -> At[str, Hospital]:
        if pulse < 50 or pulse > 140:
            self.ch.select(Level.ALARM @ Patient())
            where: At[str, Hospital] = self.ch.com("home" @ Patient())
            note = f"send ambulance to {where}"
        elif pulse > 100:
            self.ch.select(Level.WATCH @ Patient())
            note = "call back"
        else:
            self.ch.select(Level.OK @ Patient())
            note = "fine"
        return note


# run: Triage.report Patient.pulse=150
