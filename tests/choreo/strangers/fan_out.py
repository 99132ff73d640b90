from pytrope.choreo import At, Ch3, Channel, Role


class Hub(Role): ...


class Left(Role): ...


class Right(Role): ...


class FanOut(Ch3[Hub, Left, Right]):
    def __init__(self, l: Channel[int, Hub, Left], r: Channel[int, Hub, Right]) -> None:
        self.links = (l, r)

    def run(self, x: At[int, Hub]) -> tuple[At[int, Left], At[int, Right]]:
        a = self.links[0].com(x)
        b = self.links[1].com(x + 1)
        return a, b


# run: FanOut.run Hub.x=3
