"""The first example of ChoRus: a greeting and an answer."""

from __future__ import annotations

from pytrope.choreo import At, Channel, Role


class Alice(Role): ...


class Bob(Role): ...


def greet(ch: Channel[str, Alice, Bob], name: At[str, Alice]) -> tuple[At[str, Alice], At[str, Bob]]:
    """A greeting goes there, an answer comes back."""
    heard = ch.com(f"Hello from {name}")
    answer = ch.com(heard.replace("Hello", "Hi"))
    return answer, heard


# run: greet Alice.name="'Ada'"
