from pytrope.choreo import At, Ch, Channel, Role

type Vector = list[float]


def zeros(n: int) -> Vector:
    return [0.0] * n


def axpy(a: float, x: Vector, y: Vector) -> Vector:
    return [a * xi + yi for xi, yi in zip(x, y)]


class ParameterServer[S: Role, W1: Role, W2: Role](Ch[S, W1, W2]):
    LR: float = 0.5

    def __init__(self, c1: Channel[Vector, S, W1], c2: Channel[Vector, S, W2], dim: int = 2) -> None:
        self.c1 = c1
        self.c2 = c2
        self.weights: At[Vector, S] = zeros(dim)

    def pull(self) -> tuple[At[Vector, W1], At[Vector, W2]]:
        return self.c1.com(self.weights), self.c2.com(self.weights)

    def push(self, g1: At[Vector, W1], g2: At[Vector, W2]) -> None:
        for gradient in (self.c1.com(g1), self.c2.com(g2)):
            self.weights = axpy(-self.LR / 2, gradient, self.weights)

    def train(self, t1: At[Vector, W1], t2: At[Vector, W2], steps: int = 3) -> At[Vector, S]:
        for step in range(steps):
            w1, w2 = self.pull()
            g1 = axpy(-1.0, t1, w1)
            g2 = axpy(-1.0, t2, w2)
            self.push(g1, g2)
        return [round(w, 4) for w in self.weights]


# run: ParameterServer.train W1.t1="[1.0, 2.0]" W2.t2="[3.0, 4.0]"
