"""Random programs with many NumPy arrays, made in loops and comprehensions, of which some are changed and others used.

As in `many`, one array of ours may stand for many of theirs: the shape that one of them gets, or is found to have, is not that of the others.
"""

import arrays

SHOWN = [*arrays.SHOWN, "ys[0]", "ys[-1]", "ys[0].shape", "ys[-1].shape", "ls[0].w", "ls[-1].w", "by[0]", "by[1].shape", "first", "last", "len(ys)", "got", "S"]
WATCHED = ["k"]

PRELUDE = [*arrays.PRELUDE, *"""\
got = None
def build(k, i=2, o=3):
    made = []
    for _ in range(k):
        made.append(np.ones((i, o)))
    return made
def flat(x):
    x.shape = (-1,)
    return x
def grow(x, rows=1):
    return np.vstack([x, np.zeros((rows, x.shape[-1]))])
def walk(k):
    i = 1
    while i <= k:
        yield np.zeros((i, 2))
        i += 1
ys = build(3)
ls = [layer, Layer(2, 3)]
by = {0: A, 1: B}
first = ys[0]
last = ys[-1]
S = np.zeros((2, 3))
""".splitlines()]


class Program(arrays.Program):
    """A random program, as lines."""

    def turns(self):
        return self.pick("120", "n", "n + 1", "900", "n", "4", "len(xs)", "n + 2")

    def one(self):
        """One of many arrays."""
        return self.pick("ys[0]", "ys[1]", "ys[-1]", "ys[n]", "first", "last", "by[0]", "by[1]", "ls[0].w", "ls[1].w", "ls[-1].b", "ys[0]", "ys[1]", "S")

    def array(self):
        return self.one() if self.rng.random() < 0.45 else super().array()

    def shape(self):
        return self.pick("(3, 2)", "(6,)", "(-1,)", "(2, 3)", "(1, 6)", "(6, 1)", "(2, n)", "(n, -1)", "(1, 2, 3)", "(4,)", "(n,)", "(2, 2)")

    def statement(self, size):
        options = [self.change] * 5 + [self.use] * 4 + [self.make] * 3
        if size > 0 and self.depth < 5:
            options += [self.sweep, self.sweep, self.branch, self.attempt]
        # Half of what may fail is caught at once, so that more programs get to their end.
        caught = self.rng.random() < 0.5
        if caught:
            self.emit("try:")
            self.depth += 1
        if self.rng.random() < 0.3:
            super().statement(size)
        else:
            self.rng.choice(options)(size)
        if caught:
            self.depth -= 1
            self.emit(f"except Exception:\n    {self.pick('pass', 'got = None', 'k = 2')}")

    def make(self, _):
        k, a, b, shape, i = self.turns(), self.size(), self.size(), self.shape(), self.pick("i", "i + 1", "2", "n")
        ending = self.pick("", f"    if i == {self.pick('0', '1', 'n')}:\n        first = x\n", "    last = x\n", f"    if i == {self.pick('1', 'n')}:\n        {self.pick('break', 'continue', f'x.shape = {shape}', 'flat(x)', f'x = x.reshape({shape})')}\n", f"    S = S + x\n", f"    S = grow(S)\n")
        self.emit(self.pick(
            f"ys = [np.zeros(({a}, {b})) for _ in range({k})]", f"ys = [np.zeros({i}) for i in range({k})]", f"ys = [np.ones((2, {i})) for i in range({k})]", f"ys = []\nfor i in range({k}):\n    x = np.zeros(({self.pick(i, a)}, {b}))\n    ys.append(x)\n{ending}", f"ys = []\nfor i in range({k}):\n    x = np.ones(({self.pick(i, a)}, {b}))\n{ending}    ys.append(x)\n",
            f"ys = []\nwhile len(ys) < {k}:\n    ys.append(np.zeros(({a}, {b})))", f"ys = build({k}, {a}, {b})", f"ys = build({k})\nzs = build({k}, {a}, {b})\nlast = zs[0]", f"ys = list(walk({k}))", f"it = walk({k})\nfirst = next(it)\nys = list(it)", f"ys = [{self.array()}.copy() for _ in range({k})]", f"ys = [{self.array()} for _ in range({k})]", f"ys = [x.T for x in ys]", f"ys = [x.reshape({shape}) for x in ys]", f"ys = [x for x in ys if x.ndim == {self.pick('1', '2')}]", f"ys = [np.zeros(({a}, {b}))] * {self.pick('2', '3', 'n')}",
            f"ys = [x @ {self.array()} for x in ys]", f"ys = [x + {self.array()} for x in ys]", f"ls = [Layer({a}, {b}) for _ in range({k})]", f"ls = [Layer({i}, {a}) for i in range({k})]", f"ls = []\nfor i in range({k}):\n    ls.append(Layer(3, {self.pick(i, a)}))", f"by = {{i: np.zeros(({i}, 2)) for i in range({k})}}", f"by = {{}}\nfor i in range({k}):\n    by[i % 2] = np.zeros(({i}, 2))", f"by = dict(enumerate(ys))",
            f"S = np.zeros(({k}, 3))\nfor i in range({k}):\n    S[i] = {self.pick('V', 'i', self.array())}", f"S = np.zeros((0, 3))\nfor i in range({k}):\n    S = np.vstack([S, {self.pick('V', self.array())}])", f"S = []\nfor i in range({k}):\n    S.append({self.pick('V', self.array())})\nS = np.array(S)", f"S = np.array([{self.pick('V', 'V[i % 3]', '[i, i]', self.array())} for i in range({k})])", f"S = np.concatenate([{self.array()} for _ in range({k})])", f"S = np.stack(ys)", f"S = np.concatenate(ys)", f"S = np.array(ys)", f"S = sum(ys)", f"S = np.zeros(3)\nfor x in ys:\n    S = S + x",
            f"first = ys[{self.pick('0', '1', 'n')}]", "last = ys[-1]", "first, *ys = ys", "first, *_, last = ys", f"ys = ys[{self.pick('1:', ':2', '::-1', 'n:')}]", "ys = ys + [first]", "first = S[0]", "first = S[:2]", "last = first.T", "last = first.reshape(-1)", "last = first[:1]",
        ))

    def change(self, _):
        x, y, shape = self.one(), self.one(), self.shape()
        self.emit(self.pick(
            f"{x}.shape = {shape}", f"{x}.shape = {shape}", f"{x}.shape = {shape}", f"{x} += {self.pick('1', y, self.array())}", f"{x} *= {self.pick('2', y)}", f"{x}[:] = {self.pick('0', y)}", f"{x}[0] = {self.pick('1', y)}", f"{x} = {self.expression()}", f"{x} = {self.expression()}", f"{x} = {x}.reshape({shape})", f"np.add({x}, 1, out={y})", f"np.multiply({x}, {self.array()}, out={y})", f"{x}.resize({shape}, refcheck=False)", f"{x}.sort()", f"{x}.fill(1)", f"flat({x})", f"{x} = None", f"{x} = 1.0",
            f"ls[{self.pick('0', '1', '-1')}] = Layer({self.size()}, {self.size()})", f"ls[{self.pick('0', '1')}].b = {self.pick('None', '0.0', self.array())}", f"ls[{self.pick('0', '1')}].w = {self.array()}.T", f"ls[{self.pick('0', '1')}].extra = {y}", f"del ls[{self.pick('0', '1', '-1')}].b", f"ys.append({self.array()})", "ys.pop()", "ys.reverse()", f"ys.insert(0, {self.array()})", "ys[0], ys[1] = ys[1], ys[0]", f"del ys[{self.pick('0', '-1')}]", "ys.clear()", f"del by[{self.pick('0', '1')}]", f"by.setdefault({self.pick('0', '1', '2', 'n')}, {self.array()})", f"by.update({{1: {self.array()}}})",
        ))

    def use(self, _):
        x, y, name = self.one(), self.one(), self.pick("A", "B", "got", "got", "S")
        self.emit(self.pick(
            f"{name} = {x} + {y}", f"{name} = {x} @ {y}", f"{name} = {x} @ {y}.T", f"{name} = {x} + {self.array()}", f"{name} = {x}.reshape({self.shape()})", f"{name} = np.stack(ys[:2])", "got = np.concatenate(ys[:2])", "got = np.vstack(ys)", f"k = {x}.shape[0]", f"k = {x}.ndim", f"got = {x}.shape == {y}.shape", f"got = {x} is {y}", f"got = {x}.shape[1]", f"a, b = {x}.shape", f"got = {x}[1]", f"got = {x}[:, 1]", f"got = {x}[{self.size()}]", f"got = {x}[0, 0]",
            f"got = ls[{self.pick('0', '1', '-1')}]({self.array()})", f"got = ls[{self.pick('0', '1')}].extra", "got = ls[1](ls[0](A))", "S = A\nfor f in ls[:2]:\n    S = f(S)", "got = [x.shape for x in ys[:2]]", "got = {x.shape[0] for x in ys}", "got = sum(x.size for x in ys)", "got = max(len(x) for x in ys)", f"got = by[{self.pick('0', '1', 'n')}].shape", f"got = by.get({self.pick('0', '5')})", f"got = any(x is {y} for x in ys)", f"got = len({x})",
            f"if {x}.shape == (2, 3):\n    got = {y} @ B\nelse:\n    got = {y} + 1", f"if {x}.ndim == 2:\n    m, k = {y}.shape", f"if {x} is {y}:\n    got = 1\nelse:\n    got = {x} + {y}", f"n0 = {x}.shape[0]\ngot = np.zeros(n0) + {y}", f"assert {x}.shape[0] == {self.size()}\ngot = {y} + np.zeros({self.size()})",
        ))

    def sweep(self, size):
        self.emit(self.pick("for first in ys:", "for i, first in enumerate(ys):", f"for i in range({self.turns()}):", f"for i in range({self.turns()}):", "for last in ys[1:]:", "for first, last in zip(ys, ys[1:]):", "for layer in ls:", f"for first in walk({self.turns()}):", "for i in by:", "for first in S:", f"i = 0\nwhile i < {self.turns()}:\n    i += 1", "while len(ys) > 2:\n    last = ys.pop()"))
        self.block(min(size, 2))
        if self.rng.random() < 0.4:
            self.depth += 1
            self.emit(self.pick(f"if {self.condition()}:\n    {self.pick('break', 'continue')}", "if i == 1:\n    first = ys[i]", "S = S + first", "S = grow(S)", f"S = np.concatenate([S, {self.array()}])", "ys.append(S)", "A = A @ A.T", f"k += {self.pick('1', 'first.shape[0]')}"))
            self.depth -= 1

    def text(self):
        self.lines = list(PRELUDE)
        for _ in range(self.rng.randint(1, 2)):
            self.make(0)
        for _ in range(self.rng.randint(3, 7)):
            self.statement(3)
        return "\n".join(self.lines) + "\n"
