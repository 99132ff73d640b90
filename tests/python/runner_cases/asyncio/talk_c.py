"""Role C of talk.py as an asyncio projection writes it."""

from dataclasses import dataclass

from pytrope.choreo import ELSEWHERE

CHOREOGRAPHY = "talk"


@dataclass
class Box:
    content: int


class Talk_C:
    def __init__(self, bc, ca):
        self.bc = bc
        self.ca = ca

    async def round(self, bonus):
        box = await self.bc.recv(site=2)
        await self.ca.send(Box(box.content + bonus), site=3)
        return ELSEWHERE, ELSEWHERE
