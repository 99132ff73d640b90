"""Random programs of plain Python: assignments, branches, loops, functions, classes, closures, generators, containers, exceptions.

Every name the program ends with is in `NAMES`, `OTHERS` or an attribute in `ATTRIBUTES`; `r` is random, so conditions on it are open to us.
"""

NAMES = ["a", "b", "c", "d"]
LISTS = ["xs", "ys"]
OTHERS = ["e", "s", "t", "w", "u"]
OBJECTS = ["o", "q"]
WATCHED = [*NAMES, *LISTS, *OTHERS, "zs"]
SHOWN = [*NAMES, *LISTS, *OTHERS, *OBJECTS, "o.v", "q.v", "zs", "h.left", "o.rank"]

PRELUDE = """\
import random
def asked():
    reveal_type(random)
from dataclasses import dataclass
r = random.randint(0, 3)
a = 1
b = 2
c = 3
d = 0
xs = [1, 2]
ys = [3]
zs = [xs, ys]
e = {'k': 1}
s = {1, 2}
t = (1, 2)
w = 'ab'
u = None
class P:
    size = 2
    rank = 1
    def __init__(self, v=1):
        self.v = v
        self.items = [v]
    def add(self, n):
        self.v += n
        return self.v
    def grow(self):
        self.items.append(self.v)
        return len(self.items)
    @property
    def double(self):
        return self.v * 2
    @property
    def risky(self):
        if self.v > 2:
            raise AttributeError('risky')
        return self.v
    @classmethod
    def make(cls, v):
        return cls(v)
    @staticmethod
    def twice(n):
        return n * 2
    def __len__(self):
        return len(self.items)
    def __getitem__(self, i):
        return self.items[i]
    def __add__(self, other):
        return P(self.v + (other.v if isinstance(other, P) else other))
    def __bool__(self):
        return self.v != 0
class Q(P):
    size = 3
    def __init__(self, v=2):
        super().__init__(v + 1)
        self.extra = v
    def add(self, n):
        return super().add(n) + 1
    def __call__(self, n):
        return self.v - n
    def __iter__(self):
        for i in self.items:
            yield i
@dataclass
class D:
    v: int
    u: int = 2
    rank = 3
class E(ValueError):
    def __init__(self, v):
        super().__init__(v)
        self.v = v
class Hold:
    left = 0
    def __init__(self, swallow):
        self.swallow = swallow
    def __enter__(self):
        return 1
    def __exit__(self, kind, value, trace):
        self.left += 1 if kind is None else 10
        return self.swallow
o = P()
q = Q()
h = Hold(True)
""".splitlines()


class Program:
    """A random program, as lines."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.functions = []
        self.depth = 0
        self.loops = 0

    def pick(self, *options):
        return self.rng.choice(options)

    def emit(self, text):
        for line in text.splitlines():
            self.lines.append("    " * self.depth + line)

    def number(self):
        if self.rng.random() < 0.15:
            return self.call_text()
        return self.pick(
            *NAMES, *NAMES, "0", "1", "2", "3", "-1", "len(xs)", "len(ys)", "r", f"xs[{self.rng.randint(-2, 2)}]", "sum(xs)", "o.v", "q.v",
            "t[0]", "len(s)", "len(t)", "len(e)",
        )

    def call_text(self):
        n = self.simple()
        options = [
            f"o.add({n})", f"q.add({n})", "o.grow()", "q.double", "o.double", f"q({n})", f"o[{self.rng.randint(-2, 2)}]", "len(o)", f"P.twice({n})", "Q.size", "o.size",
            f"P.make({n}).v", f"(o + {n}).v", "(o + q).v", f"D({n}).v", f"D({n}, u={n}).u", "max(xs)", "min(t)", "len(w)", "sum(v for v in xs)", f"any(v > {n} for v in ys)",
            f"(lambda v: v + {n})({self.simple()})", f"max({n}, {self.simple()})", "next(iter(xs), 5)", f"divmod({n}, 3)[0]", "abs(a)", f"e.get('n', {n})", "int('3')", f"len([*xs, {n}])",
            "sum(zs[0])", f"sum([v * 2 for v in xs if v > {n}])", f"sorted(ys, reverse=True)[0]", "len({v: 1 for v in xs})", "getattr(o, 'v')", "getattr(o, 'zz', 4)", "hasattr(o, 'extra')",
            "getattr(o, 'extra', 3)", "getattr(q, 'risky', 7)", "hasattr(o, 'risky')", "o.rank", "q.rank", "getattr(q, 'rank', 5)", "u", "(u or 2)", "(u if u is not None else 3)", "h.left",
        ]
        for name, arity, kind in self.functions:
            args = ", ".join(self.simple() for _ in range(arity))
            if kind == "gen":
                options += [f"sum({name}({args}))", f"len(list({name}({args})))", f"next({name}({args}), 9)"]
            elif kind == "maker":
                options += [f"{name}({args})()"]
            elif kind == "var":
                options += [f"{name}({args})", f"{name}(*xs)", f"{name}(*t, k={self.simple()})", f"{name}(1, **e)"]
            else:
                options += [f"{name}({args})", f"{name}({args})"]
        return self.rng.choice(options)

    def simple(self):
        return self.pick(*NAMES, "0", "1", "2", "-1", "r", "len(xs)")

    def arith(self):
        op = self.pick("+", "-", "*", "//", "%", "+", "-")
        return f"{self.number()} {op} {self.number()}"

    def condition(self):
        op = self.pick("<", "<=", "==", "!=", ">", ">=")
        simple = self.pick(
            f"{self.number()} {op} {self.number()}", f"r {op} {self.rng.randint(0, 3)}", "xs", "not ys", f"{self.pick(*NAMES)} in xs", "xs is ys", "o", "zs[0] is xs", "'n' in e",
            f"{self.simple()} in s", "isinstance(o, Q)", f"0 <= {self.simple()} < {self.simple()}", "w", "type(q) is Q", f"(a := {self.simple()}) > 1", "t == (1, 2)",
            "u is None", "u is not None", "u", "not u", f"u is not None and u > {self.simple()}", "isinstance(u, int)", "u == 1",
        )
        if self.rng.random() < 0.25:
            return f"{simple} {self.pick('and', 'or')} r {op} 1"
        return simple

    def block(self, size):
        self.depth += 1
        for _ in range(self.rng.randint(1, size)):
            self.statement(size - 1)
        if self.loops and self.rng.random() < 0.06:
            self.emit(self.pick("break", "continue"))
        self.depth -= 1

    def statement(self, size):
        options = [self.assign, self.assign, self.assign, self.augment, self.lists, self.lists, self.unpack, self.containers, self.objects, self.names, self.nothing]
        if size > 0 and self.depth < 4:
            options += [self.branch, self.branch, self.loop, self.while_loop, self.attempt, self.attempt, self.matching, self.within]
        self.rng.choice(options)(size)

    def assign(self, _):
        name = self.pick(*NAMES)
        self.emit(f"{name} = {self.pick(self.arith(), self.number(), f'{self.number()} if {self.condition()} else {self.number()}', self.call_text())}")

    def augment(self, _):
        self.emit(f"{self.pick(*NAMES)} {self.pick('+=', '-=', '*=')} {self.number()}")

    def unpack(self, _):
        self.emit(self.pick("a, b = b, a", "c, *ys = (1, 2, 3)", f"a, b = {self.pick('xs', 'ys', '(1, 2)', 't')}", "(a, b), c = (1, 2), 3", "*xs, c = t", "a, b = e.popitem() if len(e) > 1 else (1, 2)"))

    def lists(self, _):
        xs, other, n = self.pick(*LISTS), self.pick(*LISTS), self.number()
        at = self.rng.randint(-1, 1)
        self.emit(self.pick(
            f"{xs} = [{n}, {self.number()}]", f"{xs}.append({n})", f"{xs} = {other}", f"{xs} = {xs} + [{n}]", f"{xs} = {other}[{at}:]", f"{xs}[{at}] = {n}",
            f"{xs} = [v + 1 for v in {other}]", f"{xs}.extend({other}[:2])", f"{xs} = list(range({self.rng.randint(0, 4)}))", f"del {xs}[0]", f"{xs} = {xs} * 2",
            f"{self.pick(*NAMES)} = {xs}.pop()", f"{xs} = [v for v in {other} if v {self.pick('<', '>')} {n}]", f"{xs}[0:1] = [{n}]", f"{xs}.insert({at}, {n})", f"{xs} = sorted({other})",
            f"{xs}.reverse()", f"{xs} += [{n}]", f"{xs} = list({other})", f"zs[{at}] = {other}", f"zs[{at}].append({n})", f"zs = [{xs}, [{n}]]", f"{xs} = zs[0]",
            f"{xs} = [i * j for i in {other} for j in t]", f"{xs}.remove({n})", f"{xs} = [*{other}, {n}]", f"{xs} = list(map(lambda v: v + 1, {other}))", f"{xs} = o.items", f"del {xs}[{at}:]",
            f"{xs} = [m for m, k in zip({other}, t)]", f"{xs}.clear()", f"{xs}[{at}] += {n}", f"a, {xs}[0] = {n}, b", f"for {xs}[0] in t:\n    pass", f"a = [k := v for v in {other}][0]", f"{xs} = list(reversed({other}))", "h = (v + a for v in xs)\na = 5\nxs = list(h)"
        ))

    def containers(self, _):
        n, k = self.number(), self.pick("'k'", "'n'", "'m'")
        self.emit(self.pick(
            f"e = {{'k': {n}}}", f"e[{k}] = {n}", f"a = e[{k}]", f"a = e.get({k}, 5)", "b = len(e)", f"e.pop({k}, 0)", f"del e[{k}]", f"c = e.pop({k})", f"e.setdefault({k}, {n})",
            f"e = {{**e, {k}: {n}}}", f"e.update({{{k}: {n}}})", "e = {k: v + 1 for k, v in e.items()}", f"for k in list(e):\n    e[k] = {self.simple()}", f"for k in e:\n    e[k] += {self.simple()}",
            f"s.add({n})", f"s.discard({n})", f"s |= {{{n}}}", f"s = {{{n}, {self.simple()}}}", f"s = set(xs)", f"s.remove({n})", "s = s - {1}", "for k in list(s):\n    s.discard(k)",
            f"t = ({n}, {self.number()})", f"t = t + ({n},)", "t = t[1:]", "t = tuple(xs)", "t = t[::-1]", f"w = w + {self.pick(repr('c'), 'str(a)', 'w', repr(''))}", "w = w[1:]", f"w = f'{{a}}-{{r}}'",
            "w = w.upper()", "c = len(w)", "w = w[0]", "w = '-'.join(w)", "w = str(len(xs))", f"e = dict(k={n})", f"w = w * {self.simple()}",
        ))

    def objects(self, _):
        x, y, n = self.pick(*OBJECTS), self.pick(*OBJECTS), self.number()
        self.emit(self.pick(
            f"{x} = P({n})", f"{x} = Q({n})", f"{x} = {y}", f"{x}.v = {n}", f"{x}.v += {n}", f"{x}.add({n})", f"{x}.items.append({n})", f"{x}.items = xs", f"a = {x}.extra", f"{x} = {x} + {n}",
            f"P.size = {n}", f"{x} = D({n})", f"xs = [i for i in {x}]", f"for d in {x}:\n    c += d", f"{x} = {self.pick('P', 'Q')}.make({n})", f"{x}.extra = {n}", f"a = {x}.double", f"{x}.rank = {n}", f"if {self.condition()}:\n    {x}.rank = {n}", f"del {x}.extra", f"del {x}.rank", f"a = {x}.risky", f"if {self.condition()}:\n    {x}.extra = {n}", f"b = {x}[{self.rng.randint(-1, 1)}]",
        ))

    def nothing(self, _):
        n = self.number()
        self.emit(self.pick(
            "u = None", f"u = {n}", f"u = [None, {n}][r > 1]", f"if u is None:\n    u = {n}", f"if u is not None:\n    u += {n}\nelse:\n    u = 2", "if u:\n    a = u + 1", "assert u is not None", "b = u + 1",
            "a = u if u else 0", "u = u or None", "u = xs[0] if xs else None", "u = e.get('n')", f"try:\n    raise E({n})\nexcept E as error:\n    u = error.v", "u = None if u is None else u * 2",
            f"class R(P):\n    size = {n}\n    if {self.condition()}:\n        rank = 4\n    def add(self, n):\n        return n\no = R({self.simple()})", "while u is not None:\n    u = u - 1 if u > 0 else None",
        ))

    def names(self, _):
        self.emit(self.pick("k = 1\ndel k", f"if {self.condition()}:\n    m = {self.simple()}\nelse:\n    m = 2\na = m", f"if (c := {self.simple()}) > 0:\n    b = c", "assert r >= 0", "i = d\nd = i", f"if {self.condition()}:\n    raise ValueError(a)"))

    def branch(self, size):
        self.emit(f"if {self.condition()}:")
        self.block(size)
        if self.rng.random() < 0.3:
            self.emit(f"elif {self.condition()}:")
            self.block(size)
        if self.rng.random() < 0.6:
            self.emit("else:")
            self.block(size)

    def loop(self, size):
        options = [f"range({self.rng.randint(0, 4)})", "range(r)", "list(xs)", "[1, 2]", "enumerate([5, 6])", "xs", "t", "zip(xs, t)", "sorted(s)", "(v * 2 for v in xs)", "q", "range(3, 0, -1)", "e.values()"]
        options += [f"{name}({', '.join(self.simple() for _ in range(arity))})" for name, arity, kind in self.functions if kind == "gen"]
        over = self.rng.choice(options)
        self.emit(f"for {'i, d' if 'enumerate' in over or 'zip' in over else 'd'} in {over}:")
        self.loops += 1
        self.block(size)
        if self.rng.random() < 0.3:
            self.depth += 1
            self.emit(f"if {self.condition()}:")
            self.emit("    " + self.pick("break", "continue"))
            self.depth -= 1
        self.loops -= 1
        if self.rng.random() < 0.2:
            self.emit("else:")
            self.block(1)

    def while_loop(self, size):
        counter = f"n{len(self.lines)}"
        self.emit(f"{counter} = 0")
        self.emit(f"while {counter} < {self.pick('3', 'r', '12', 'len(xs)')}:")
        self.depth += 1
        self.emit(f"{counter} += 1")
        self.depth -= 1
        self.loops += 1
        self.block(size)
        self.loops -= 1
        if self.rng.random() < 0.15:
            self.emit("else:")
            self.block(1)

    def attempt(self, size):
        self.emit("try:")
        self.block(size)
        handled = self.rng.random() < 0.85
        if handled:
            for _ in range(self.pick(1, 1, 2)):
                self.emit(f"except {self.pick('ZeroDivisionError', 'IndexError', '(ValueError, KeyError)', 'Exception', 'TypeError', 'LookupError', 'ArithmeticError')}{self.pick('', ' as error')}:")
                self.block(1)
                if self.rng.random() < 0.1:
                    self.emit("    raise")
            if self.rng.random() < 0.3:
                self.emit("else:")
                self.block(1)
        if not handled or self.rng.random() < 0.3:
            self.emit("finally:")
            # A jump out of here would swallow what ends a run that is too long.
            loops, self.loops = self.loops, 0
            self.block(2)
            self.loops = loops

    def matching(self, size):
        subject = self.pick("a", "t", "xs", "o", "w", "(a, r)", "e", "r")
        self.emit(f"match {subject}:")
        patterns = ["0", "1 | 2", "[m]", "[m, *n]", "(m, 2)", "P(v=1)", "Q()", "{'k': m}", "str()", "int(m)", "[_, _]", "'ab'", "None", "P(v=m)", "-1", "(1, m) | (m, 1)"]
        self.depth += 1
        for _ in range(self.rng.randint(1, 3)):
            guard = f" if {self.condition()}" if self.rng.random() < 0.2 else ""
            self.emit(f"case {self.rng.choice(patterns)}{guard}:")
            self.block(size)
        if self.rng.random() < 0.4:
            self.emit("case _:")
            self.block(1)
        self.depth -= 1

    def within(self, size):
        manager = self.pick("h", f"Hold({self.pick('True', 'False', 'a > 1', 'None')})")
        self.emit(f"with {manager}{self.pick('', ' as c')}:")
        self.block(size)

    def function(self):
        arity = self.rng.randint(1, 2)
        name = f"f{len(self.functions)}"
        second = "q" if arity == 2 else "2"
        n = self.simple
        kind, body = self.pick(
            ("plain", f"return p + {second}"),
            ("plain", f"if p > {second}:\n    return p\nreturn {second} * 2"),
            ("plain", f"z = [p]\nz.append({second})\nreturn len(z)"),
            ("plain", "xs.append(p)\nreturn xs[-1]"),
            ("plain", f"t = 0\nfor j in range(3):\n    t += {second}\nreturn t"),
            ("plain", f"global a\na = {second}\nreturn a + 1"),
            ("plain", f"def g(w):\n    return w + {second}\nreturn g(p)"),
            ("plain", f"return 1 if p <= 0 or p > 6 else p * {name}(p - 1)"),
            ("plain", f"for j in range(4):\n    if j > p:\n        return j\n    try:\n        if j == {second}:\n            continue\n        if j == r:\n            break\n    finally:\n        p += 1\nreturn p"),
            ("plain", f"try:\n    return p // {second}\nexcept ZeroDivisionError:\n    return 0\nfinally:\n    xs.append(p)"),
            ("plain", f"while True:\n    try:\n        p -= 1\n        if p < {second}:\n            return p\n    finally:\n        if p > 20:\n            break\nreturn 7"),
            ("plain", f"for j in range(3):\n    try:\n        p += xs[j] // {second}\n    finally:\n        continue\nreturn p"),
            ("plain", f"for j in [1, 2]:\n    try:\n        p = p // {second}\n    finally:\n        return j\nreturn p"),
            ("plain", f"z = []\ndef put(v):\n    z.append(v)\n    return z\nput(p)\nput({second})\nreturn z[{self.rng.randint(0, 2)}]"),
            ("plain", f"def swap():\n    nonlocal p\n    p = {second}\nold = p\nswap()\nreturn old - p"),
            ("plain", f"try:\n    xs[p] = {second}\nexcept (IndexError, TypeError) as error:\n    return -1\nelse:\n    return xs[p]"),
            ("plain", f"match p:\n    case 0:\n        return 1\n    case 1 | 2 if r > 1:\n        return {second}\n    case _:\n        return p"),
            ("plain", f"y = None\nif p > 1:\n    y = {second}\nif y is None:\n    return 0\nreturn y + 1"),
            ("plain", f"return sum(v for v in range(p % 4)) + {second}"),
            ("plain", f"z = {{}}\nfor j in range(3):\n    z[j % 2] = z.get(j % 2, 0) + p\nreturn z[{self.rng.randint(0, 2)}]"),
            ("plain", f"o.v = {second}\nreturn o.add(p)"),
            ("plain", "def old(z=[]):\n    z.append(1)\n    return len(z)\nreturn old() + old() + p"),
            ("gen", f"for j in range(p % 4):\n    yield j + {second}"),
            ("gen", f"yield p\nif r > 1:\n    yield {second}\nyield 3"),
            ("gen", f"try:\n    yield p\n    yield {second}\nfinally:\n    xs.append(0)"),
            ("gen", f"global b\nfor j in [p, {second}]:\n    b += 1\n    yield j + b"),
            ("gen", f"yield from [p, {second}]\nyield a"),
            ("maker", f"z = p\ndef count():\n    nonlocal z\n    z += {second}\n    return z\ncount()\nreturn count"),
            ("maker", f"return lambda: p - {second}"),
            ("maker", f"fs = []\nfor j in range(3):\n    fs.append(lambda: j + {second})\nreturn fs[p % 3]"),
            ("var", "return len(args) + kw.get('k', 0) + p"),
            ("var", "return sum(args, p) * len(kw)"),
            ("var", "return p + args[0]"),
        )
        parameters = "p, *args, **kw" if kind == "var" else ", ".join(["p", f"q={n() if n() != 'r' else 1}"][:arity])
        self.emit(f"def {name}({parameters}):")
        self.depth += 1
        self.emit(body)
        self.depth -= 1
        self.functions.append((name, 1 if kind == "var" else arity, kind))

    def text(self):
        self.lines = list(PRELUDE)
        for _ in range(self.rng.randint(0, 3)):
            self.function()
        for _ in range(self.rng.randint(2, 6)):
            self.statement(3)
        return "\n".join(self.lines) + "\n"
