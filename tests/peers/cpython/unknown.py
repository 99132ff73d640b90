"""Random programs that give their objects and functions to code that the analyser cannot read (`mystery`).

Whatever such code may do to what it was given, then or at any later time, must be allowed for.
"""

import makes

SHOWN = [*makes.SHOWN, "got", "k", "k.v", "k.items", "keep.v", "hooked", "kids", "table"]
WATCHED = [*makes.WATCHED, "got", "hooked", "kids"]

PRELUDE = [*makes.PRELUDE, *"""\
import mystery
mystery.begin()
got = None
hooked = []
table = {'k': 1}
class Keep:
    size = 1
    def __init__(self, v=None):
        self.v = v
        self.items = []
        self.w = 1
    def put(self, x):
        self.items.append(x)
        return len(self.items)
    def take(self):
        return self.items.pop()
class Kid(mystery.Base):
    rank = 2
    def __init__(self, v=0):
        self.v = None
        super().__init__(v)
        self.w = 3
    def setup(self):
        self.v = 1
        self.items = [1]
    def react(self, n):
        self.v = n
        return self.v
def hook(x=0):
    hooked.append(x)
    return len(hooked)
def set_a(x=0):
    global a
    a = x
    return a
def reset():
    global got
    got = None
    hooked.clear()
k = Keep()
keep = Keep(1)
kids = [Keep(0), Keep(1)]
""".splitlines()]


class Program(makes.Program):
    """A random program, as lines."""

    def thing(self):
        return self.pick("xs", "ys", "e", "s", "k", "keep", "k.items", "keep.items", "hooked", "kids", "kids[0]", "table", "zs", "o", "q", "t", "(xs, k)", "[ys, keep]", "{'k': table}", "a", "w", "got")

    def value(self):
        return self.pick("None", "None", "0", "1", "'s'", "r", "(1, 2)", "[]", "a")

    def function_text(self):
        return self.pick("hook", "set_a", "reset", "k.put", "xs.append", "lambda *v: ys.clear()", "lambda *v: hook(2)", "table.update", "Keep", "lambda *v: setattr(k, 'v', 3)", "keep.take")

    def statement(self, size):
        options = [self.give] * 5 + [self.settle] * 4 + [self.use] * 5
        if size > 0 and self.depth < 4:
            options += [self.branch, self.loop, self.attempt, self.inside, self.define]
        caught = self.rng.random() < 0.4
        if caught:
            self.emit("try:")
            self.depth += 1
        if self.rng.random() < 0.2:
            super().statement(size)
        else:
            self.rng.choice(options)(size)
        if caught:
            self.depth -= 1
            self.emit(f"except Exception:\n    {self.pick('pass', 'got = None', 'a = 0')}")

    def give(self, _):
        x, y, f, name = self.thing(), self.thing(), self.function_text(), self.pick("a", "got", "got", "b")
        self.emit(self.pick(
            f"mystery.keep({x})", f"mystery.keep({x})", f"mystery.touch({x})", f"{name} = mystery.same({x})", f"{name} = mystery.choose({x}, {y})", "mystery.later()", "mystery.later()", "b = mystery.later()", f"mystery.call({f})", f"{name} = mystery.call({f}, {self.value()})", f"mystery.soon({f}, {self.value()})", f"mystery.keep({f})", f"mystery.decorate({f})", f"{name} = mystery.fail({self.value()})",
            f"k = Kid({self.value()})", "k.ping()", f"got = k.ping({self.value()})", f"f = mystery.twice({f})\n{name} = f({self.value()})", f"mystery.keep(lambda: {x})", f"got = mystery.same([{x}, {y}])", "mystery.kept.append(xs)", f"mystery.kept[-1] = {x}", f"mystery.state = {x}", f"keep.other = mystery.same({x})", f"kids.append(mystery.same({x}))", f"mystery.touch(x={x})", f"mystery.touch(*[{x}])", f"mystery.call(mystery.touch, {x})",
        ))

    def settle(self, _):
        """Makes something known again."""
        v, n = self.value(), self.simple()
        self.emit(self.pick(
            "xs.clear()", "ys.clear()", f"xs[:] = [{n}]", "del ys[:]", f"ys.append({v})", "e.clear()", f"e['k'] = {v}", "table.clear()", f"table['k'] = {v}", "table = {'k': 1}", "hooked.clear()", f"hooked = [{v}]", f"k.v = {v}", f"k.v = {v}", f"keep.v = {v}", f"keep.v = {v}", "k.items = []", "keep.items.clear()", "keep.items = xs", f"kids[0].v = {v}", "kids.clear()", "kids = [keep, k]", "k = keep", "k = Keep()", f"k = Keep({v})", "s.clear()", "s = {1}", f"got = {v}", "got = k", f"got.v = {v}", f"got.append({v})", f"got['k'] = {v}", "got += [1]", "del got[0]", f"got.items.append({v})", "got.clear()", "del k.v", "del keep.w", f"k.w = {v}", "zs[0] = []", f"Keep.size = {v}", f"type(got).size = {v}", "xs = []", "xs = [1, 2]", "reset()", "hook()",
        ))

    def use(self, _):
        name = self.pick("a", "b", "c", "got", "got")
        self.emit(self.pick(
            f"{name} = xs[0]", f"{name} = xs[0] + 1", f"{name} = ys[-1]", f"{name} = len(ys)", "a, b = xs", f"{name} = e['k']", f"{name} = table['k'] + 1", f"{name} = table['k']", f"{name} = hooked[0]", f"{name} = len(hooked)", f"{name} = k.v + 1", f"{name} = k.v", f"{name} = keep.v + 1", f"{name} = keep.v", f"{name} = len(k.items)", f"{name} = k.items[0]", f"{name} = keep.items[-1]", f"{name} = kids[0].v + 1", f"{name} = kids[1].v", f"{name} = keep.w + 1", f"{name} = k.w", f"{name} = Keep.size", f"{name} = 1 in s", f"{name} = min(s)", f"{name} = got + 1", f"{name} = got.v", f"{name} = got[0]",
            f"{name} = sum(xs)", f"{name} = max(ys)", f"{name} = k is keep", f"{name} = got is k", f"{name} = 10 // k.v", f"{name} = [x for x in xs][0]", f"{name} = k.take()", f"{name} = k.put(1)", f"{name} = zs[0][0]", "if k.v is None:\n    b = 1\nelse:\n    b = k.v + 1", "if not xs:\n    xs.append(1)\ngot = xs[0]", "if got is None:\n    got = 3\na = got", f"{name} = not hooked", f"{name} = k.rank", f"{name} = k.base", f"{name} = len(kids)", f"{name} = keep.other",
        ))

    def condition(self):
        if self.rng.random() < 0.4:
            return super().condition()
        return self.pick("mystery.later()", "mystery.later() > 1", "k.v", "k.v is None", "keep.v", "got", "got is None", "xs", "hooked", "len(hooked) > 1", "k is keep", "k in kids", "mystery.kept", "isinstance(got, int)", "mystery.fail(1)", "'k' in table")

    def inside(self, size):
        self.emit(f"with {self.pick('mystery.around()', f'mystery.around({self.thing()})', 'mystery.forgiving()', f'mystery.forgiving({self.thing()}) as got')}:")
        self.block(min(size, 2))

    def define(self, size):
        """A function with variables of its own, which it gives away."""
        name = f"g{len(self.lines)}"
        decorator = self.pick("", "", "@mystery.decorate\n", "@mystery.twice\n")
        self.emit(f"{decorator}def {name}(p=1, *rest):")
        self.depth += 1
        self.emit(self.pick(
            "z = [p]\nmystery.keep(z)\nz.clear()\nmystery.later()\nreturn len(z)", "n = 0\ndef up(*v):\n    nonlocal n\n    n += 1\n    return n\nmystery.keep(up)\nmystery.soon(up)\nreturn n", "z = {}\nmystery.keep(lambda: z)\nmystery.later()\nreturn z.get('k', p)", "z = Keep(p)\nmystery.keep(z)\nz.v = None\nmystery.later()\nreturn z.v", "for i in range(3):\n    z = mystery.same([i])\n    z.append(p)\nreturn z[0]", "z = []\nmystery.call(z.append, p)\nreturn z[0]", "z = mystery.fail(p)\nreturn z", "global xs\nxs = []\nmystery.keep(xs)\nreturn p", "with mystery.forgiving():\n    return p + ''\nreturn p",
        ))
        self.depth -= 1
        self.emit(f"got = {name}({self.simple()})")

    def text(self):
        self.lines = list(PRELUDE)
        if self.rng.random() < 0.4:
            self.function()
        for _ in range(self.rng.randint(4, 10)):
            self.statement(3)
        return "\n".join(self.lines) + "\n"
