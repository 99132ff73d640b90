"""Role B of talk.py as an asyncio projection writes it."""

from dataclasses import dataclass

from pytrope.choreo import ELSEWHERE

CHOREOGRAPHY = "talk"


@dataclass
class Box:
    content: int


class Talk_B:
    def __init__(self, ab, bc, factor=2):
        self.ab = ab
        self.bc = bc
        self.factor = factor

    async def round(self, bonus):
        box = await self.ab.recv(site=1)
        await self.bc.send(Box(box.content * self.factor + bonus), site=2)
        return ELSEWHERE, self.factor
