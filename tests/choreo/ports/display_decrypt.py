"""A message is decrypted by one role and displayed by another, after HasChor."""

from __future__ import annotations

from pytrope.choreo import At, Ch3, Channel, Role


class Sender(Role): ...


class Vault(Role): ...


class Screen(Role): ...


def shifted(text: str, key: int) -> str:
    return "".join(chr((ord(letter) - 97 + key) % 26 + 97) for letter in text)


class Display(Ch3[Sender, Vault, Screen]):
    def __init__(self, secret: Channel[str, Sender, Vault], plain: Channel[str, Vault, Screen]) -> None:
        self.secret = secret
        self.plain = plain

    def show(self, text: At[str, Sender], key: int) -> At[str, Screen]:
        hidden = self.secret.com(shifted(text, key))
        return self.plain.com(shifted(hidden, -key)).upper()


# run: Display.show Sender.text="'attack'" Sender.key=3 Vault.key=3 Screen.key=3
