"""Role A of talk.py as an asyncio projection writes it."""

from dataclasses import dataclass

from pytrope.choreo import ELSEWHERE

CHOREOGRAPHY = "talk"
SITES = {1: "Talk.round, talk.py:26", 2: "Talk.round, talk.py:28"}


@dataclass
class Box:
    content: int


class Talk_A:
    def __init__(self, ab, ca):
        self.ab = ab
        self.ca = ca

    async def round(self, box):
        await self.ab.send(box, site=1)
        return await self.ca.recv(site=3), ELSEWHERE
