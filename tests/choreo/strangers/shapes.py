from dataclasses import dataclass
from enum import Enum

from pytrope.choreo import At, Ch, Channel, On, Role


@dataclass(frozen=True)
class Circle:
    r: float


@dataclass(frozen=True)
class Box:
    w: float
    h: float


class S(Enum):
    AREA = 1
    NONE = 2


class Shapes[C: Role, S_: Role](Ch[C, S_]):
    def __init__(self, ch: Channel[object, C, S_]) -> None:
        self.ch = ch

    def area(self, shape: At[Circle | Box | None, C]) -> At[float, S_]:
        match self.ch.com(shape):
            case Circle(r) if r > 0:
                self.ch.select(S.AREA @ On[S_])
                note: At[str, C] = "circle"
                result = 3 * r * r
            case Box(w=w, h=h):
                self.ch.select(S.AREA @ On[S_])
                note = "circle"
                result = w * h
            case None | Circle():
                self.ch.select(S.NONE @ On[S_])
                result = 0.0
            case other:
                self.ch.select(S.NONE @ On[S_])
                result = float(other)
        return result


# run: Shapes.area C.shape="Box(2.0, 3.0)"
