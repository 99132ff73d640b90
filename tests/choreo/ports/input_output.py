"""Local input and output around messages, after ChoRus."""

from __future__ import annotations

from pytrope.choreo import At, Channel, Role


class Asker(Role): ...


class Teller(Role): ...


def prompt(lines: list[str]) -> str:
    return lines[0].strip()


def exchange(ch: Channel[str, Asker, Teller], lines: At[list[str], Asker], screen: At[list[str], Teller]) -> At[list[str], Teller]:
    screen.append(ch.com(prompt(lines)))
    screen.append(ch.com(prompt(lines[1:])))
    return screen


# run: exchange Asker.lines="[' a ', 'b ']" Teller.screen="[]"
