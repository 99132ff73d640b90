"""A picture is classified where the model is, and the label decides who stores it, after HasChor."""

from __future__ import annotations

from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class Camera(Role): ...


class Model(Role): ...


class Store(Role): ...


class Kind(Enum):
    KEEP = 1
    DROP = 2


class Classify(Ch3[Camera, Model, Store]):
    def __init__(self, picture: Channel[object, Camera, Model], label: Channel[object, Model, Store]) -> None:
        self.picture = picture
        self.label = label

    def run(self, pictures: At[list[list[int]], Camera]) -> At[list[str], Store]:
        kept: At[list[str], Store] = []
        for at in range(3):
            seen = self.picture.com(pictures[at])
            match sum(seen) > 10:
                case True:
                    self.label.select(Kind.KEEP @ Model())
                    kept.append(self.label.com("bright" @ Model()))
                case _:
                    self.label.select(Kind.DROP @ Model())
        return kept


# run: Classify.run Camera.pictures="[[1, 2], [9, 9], [6, 5]]"
