"""Random programs with NumPy arrays: shapes flow through operators, reductions, indexing, functions, branches and loops.

`n` is random, so shapes made from it are open to us.
"""

ARRAYS = ["A", "B", "C", "V"]
SHOWN = [*ARRAYS, "k", "m", "xs"]
WATCHED = ["k", "xs"]

PRELUDE = """\
import random
def asked():
    reveal_type(random)
import numpy as np
n = random.randint(1, 3)
A = np.ones((2, 3))
B = np.zeros((3, 2))
C = np.arange(6.0).reshape(2, 3)
V = np.ones(3)
k = 2
m = 0
xs = [np.ones((2, 2)), np.zeros((2, 2))]
def apply(x, w):
    return x @ w
def scale(x, axis=0):
    return (x - x.mean(axis=axis, keepdims=True)) / 2.0
def last(x):
    if x.ndim > 1:
        return x[:, -1]
    return x[-1:]
class Layer:
    def __init__(self, i, o):
        self.w = np.ones((i, o))
        self.b = np.zeros(o)
    def __call__(self, x):
        return x @ self.w + self.b
layer = Layer(3, 2)
""".splitlines()


class Program:
    """A random program, as lines."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.depth = 0

    def pick(self, *options):
        return self.rng.choice(options)

    def emit(self, text):
        for line in text.splitlines():
            self.lines.append("    " * self.depth + line)

    def size(self):
        return self.pick("1", "2", "2", "3", "3", "4", "n", "k", "n + 1", "len(V)", "A.shape[0]", "B.shape[-1]", "6")

    def array(self):
        return self.pick(*ARRAYS, *ARRAYS, "xs[0]", "xs[-1]", "layer.w", "layer.b")

    def axis(self):
        return self.pick("0", "1", "-1", "0", "1", "2", "None")

    def made(self):
        a, b = self.size(), self.size()
        return self.pick(
            f"np.zeros(({a}, {b}))", f"np.ones({a})", f"np.arange({a})", f"np.eye({a})", f"np.full(({a}, {b}), 2.0)", f"np.random.rand({a}, {b})", f"np.linspace(0, 1, {a})",
            "np.array([[1, 2], [3, 4]])", "np.array([1.0, 2.0, 3.0])", f"np.zeros(({a}, {b}, 2))", f"np.empty_like({self.array()})", "np.array([True, False, True])",
        )

    def expression(self):
        x, y = self.array(), self.array()
        a, b, axis = self.size(), self.size(), self.axis()
        return self.pick(
            f"{x} + {y}", f"{x} * {y}", f"{x} - {y}", f"{x} @ {y}", f"{x} @ {y}.T", f"{x}.T", f"np.dot({x}, {y})", f"{x}.reshape({a}, {b})", f"{x}.reshape(-1)", f"{x}.reshape(-1, {a})",
            f"{x}.sum(axis={axis})", f"{x}.mean(axis={axis}, keepdims=True)", f"{x}.max(axis={axis})", f"np.concatenate([{x}, {y}])", f"np.concatenate([{x}, {y}], axis={axis})", f"np.stack([{x}, {y}])",
            f"np.vstack([{x}, {y}])", f"np.hstack([{x}, {y}])", f"{x}[0]", f"{x}[:, 0]", f"{x}[{a}:]", f"{x}[:, :{a}]", f"{x}[None]", f"{x}[..., None]", f"{x}[::2]", f"{x}[{x} > 0]", f"{x}[[0, 1]]", f"{x}[-1]",
            f"np.where({x} > 0, {x}, {y})", f"np.outer({x}, {y})", f"np.transpose({x})", f"{x}.ravel()", f"np.expand_dims({x}, {self.pick('0', '-1', '1', '3')})", f"np.squeeze({x})", f"np.tile({x}, {a})",
            f"np.repeat({x}, {a}, axis={axis})", f"np.broadcast_to({x}, ({a}, 3))", f"np.argsort({x}, axis=-1)", f"np.cumsum({x}, axis={axis})", f"np.exp({x}) / {a}", f"np.einsum('ij,jk->ik', {x}, {y})",
            f"np.linalg.norm({x})", f"np.linalg.inv({x})", f"np.maximum({x}, {y})", f"{x} / {y}.sum()", f"{x} ** 2", f"apply({x}, {y})", f"scale({x}, {self.pick('0', '1', '-1')})", f"last({x})", f"layer({x})",
            f"np.pad({x}, {self.pick('0', '1')})", f"{x}.copy()", f"{x}.astype(int)", f"np.diag({x})", f"np.split({x}, {self.pick('1', '2', '3')})[0]", f"np.clip({x}, 0, 1)", f"{x}.swapaxes(0, {self.pick('0', '1', '-1')})",
            self.made(), self.made(), self.made(), f"np.meshgrid({x}, {y})[0]" if "V" in (x, y) else f"{x} + 1", f"np.array([row for row in {x}])", f"np.array([{x}, {x}])", f"np.matmul({x}, {y})", f"-{x}", f"np.sqrt({x}) + {y}",
        )

    def condition(self):
        x, y = self.array(), self.array()
        return self.pick(f"{x}.shape == {y}.shape", f"{x}.ndim == {self.pick('1', '2', '3')}", f"{x}.shape[0] == {self.size()}", "n > 1", "n == 2", f"len({x}) > {self.size()}", f"{x}.size > 3", "k < n", f"{x}.shape[-1] == {y}.shape[0]", "random.random() < 0.5")

    def statement(self, size):
        options = [self.assign] * 6 + [self.update, self.store, self.scalar, self.lists]
        if size > 0 and self.depth < 3:
            options += [self.branch, self.branch, self.loop, self.loop, self.attempt]
        self.rng.choice(options)(size)

    def assign(self, _):
        self.emit(f"{self.pick(*ARRAYS)} = {self.expression()}")

    def update(self, _):
        self.emit(f"{self.pick(*ARRAYS)} {self.pick('+=', '-=', '*=')} {self.pick(self.array(), '1.0', self.expression())}")

    def store(self, _):
        self.emit(f"{self.pick(*ARRAYS)}[{self.pick('0', ':', '-1', '1:', ':, 0', '0, 0', self.size())}] = {self.pick('1.0', self.array(), self.expression())}")

    def scalar(self, _):
        x = self.array()
        self.emit(self.pick(f"k = {x}.shape[0]", f"m, k = {x}.shape", f"k = len({x})", f"k = {x}.ndim", f"m = {x}.sum()", "k += 1", f"k = {x}.size", f"m = float({x}.mean())", f"k, = {x}.shape", "k = n"))

    def lists(self, _):
        x = self.array()
        self.emit(self.pick(f"xs.append({x})", f"xs = [{x}, {self.array()}]", f"{self.pick(*ARRAYS)} = np.array(xs)", f"{self.pick(*ARRAYS)} = np.concatenate(xs)", f"xs = list({x})", f"{self.pick(*ARRAYS)} = sum(xs)", f"xs = [y + {x} for y in xs]", f"{self.pick(*ARRAYS)} = xs.pop()"))

    def block(self, size):
        self.depth += 1
        for _ in range(self.rng.randint(1, size)):
            self.statement(size - 1)
        self.depth -= 1

    def branch(self, size):
        self.emit(f"if {self.condition()}:")
        self.block(size)
        if self.rng.random() < 0.5:
            self.emit("else:")
            self.block(size)

    def loop(self, size):
        self.emit(self.pick("for i in range(3):", "for i in range(n):", f"for row in {self.array()}:", "for i, x in enumerate(xs):", f"for i in range({self.array()}.shape[0]):"))
        self.block(size)
        if self.rng.random() < 0.2:
            self.emit(f"    if {self.condition()}:\n        {self.pick('break', 'continue')}")

    def attempt(self, size):
        self.emit("try:")
        self.block(size)
        self.emit(f"except {self.pick('ValueError', 'IndexError', 'Exception', '(ValueError, TypeError)')}:")
        self.block(1)

    def text(self):
        self.lines = list(PRELUDE)
        for _ in range(self.rng.randint(2, 6)):
            self.statement(3)
        return "\n".join(self.lines) + "\n"
