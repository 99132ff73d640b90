"""Random programs that make many objects in loops and comprehensions, change some of them, and use and compare others.

Loops of more than a hundred turns, comprehensions of more than eight hundred, and those whose length depends on `r` are widened by us: one
object of ours stands for many of theirs. What is done to one of them must not be believed of the others.
"""

import makes

ELEMENTS = ["first", "last"]
SHOWN = [*makes.SHOWN, "first", "last", "first.v", "last.v", "ps[0].v", "ps[-1].v", "rows[0]", "rows[-1]", "ms[0]", "len(ps)", "len(rows)", "hold.items", "text", "flag", "P.size", "got"]
WATCHED = [*makes.WATCHED, "got", "text"]

PRELUDE = [*makes.PRELUDE, *"""\
import os
n = random.randint(2, 4)
env = len(os.environ)
key = random.choice(['k', 'n', 'x'])
text = 'ab' * r
flag = random.random() < 0.5
got = None
class G:
    known = 1
    def __init__(self, v=None):
        self.v = v
        self.items = []
    def __getattr__(self, name):
        if name.startswith('x'):
            return len(name)
        raise AttributeError(name)
class K:
    def __init__(self, v=None):
        self.v = v
        self.items = [0]
    def __eq__(self, other):
        return isinstance(other, K) and self.v == other.v
    def __hash__(self):
        return 1
class Hold2:
    shared = []
    def __init__(self):
        self.items = []
        self.by = {}
    def put(self, p):
        self.items.append(p)
        self.by[len(self.items)] = p
        return p
def touch(p):
    p.v = None
def reset(p, v=0):
    p.v = v
    p.items.clear()
    return p
def build(k, v=None):
    made = []
    for i in range(k):
        p = P(v)
        p.items = []
        made.append(p)
    return made
def table(k):
    made = {}
    for i in range(k):
        made.setdefault(i % 3, []).append(i)
    return made
def each(k):
    i = 0
    while i < k:
        p = G(i)
        yield p
        i += 1
ps = build(3, 1)
rows = [[1, 2], [3, 4]]
ms = [{'k': 1}, {'k': 2}]
ss = [{1}, {2}]
fs = [lambda: 1]
first = ps[0]
last = ps[-1]
hold = Hold2()
hold.items = ps
""".splitlines()]


class Program(makes.Program):
    """A random program, as lines."""

    def turns(self):
        """How often: more than is run exactly, or open."""
        return self.pick("120", "150", "n", "n", "r", "r + 1", "900", "n + 1", "len(text)", "3", "env")

    def some(self):
        """One of many objects with attributes."""
        return self.pick("ps[0]", "ps[1]", "ps[-1]", "ps[r]", "ps[n - 1]", "first", "last", "hold.items[0]", "hold.items[-1]", "ps[0]", "ps[1]", "o", "q")

    def row(self):
        return self.pick("rows[0]", "rows[1]", "rows[-1]", "rows[r]", "first.items", "last.items", f"{self.some()}.items")

    def mapping(self):
        return self.pick("ms[0]", "ms[1]", "ms[-1]", "ms[r]", "e", f"ms[{self.rng.randint(0, 2)}]")

    def value(self):
        return self.pick("None", "None", "0", "1", "'s'", "[]", "r", "(1, 2)", "a", self.number())

    def statement(self, size):
        options = [self.change] * 5 + [self.use] * 5 + [self.make] * 2 + [self.texts]
        if size > 0 and self.depth < 5:
            options += [self.branch, self.sweep, self.sweep, self.attempt, self.choose]
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
            self.emit(f"except Exception:\n    {self.pick('pass', 'got = None', 'a = 0')}")

    def make(self, _):
        k, v, kind = self.turns(), self.value(), self.pick("P", "P", "G", "K", "Q", "D")
        i = self.pick("i", "i", v)
        ending = self.pick("", f"    if i == {self.pick('0', '1', '2', 'r')}:\n        first = p\n", "    last = p\n", f"    if i == {self.pick('1', 'n')}:\n        {self.pick('break', 'continue', f'p.v = {v}', f'p.w = {v}', 'touch(p)', 'del p.v')}\n")
        self.emit(self.pick(
            f"ps = [{kind}({v}) for _ in range({k})]", f"ps = [{kind}({i}) for i in range({k})]", f"ps = []\nfor i in range({k}):\n    p = {kind}({i})\n    ps.append(p)\n{ending}",
            f"ps = []\nfor i in range({k}):\n    p = {kind}({i})\n{ending}    ps.append(p)\n", f"ps = []\nwhile len(ps) < {k}:\n    ps.append({kind}({v}))", f"ps = build({k}, {v})", f"ps = build({k}, {v})\nhold.items = build({k}, {self.value()})",
            f"ps = list(map({kind}, range({k})))", f"ps = [{kind}({v})] * {self.pick('2', '3', 'n')}", f"ps = list(each({k}))", f"it = each({k})\nfirst = next(it, first)\nps = list(it)", f"it = each(3)\nfirst = next(it)\nlast = next(it)",
            f"first = None\nfor i in range({k}):\n    p = {kind}({i})\n    p.next = first\n    first = p", f"ps = [({kind}({i}), i)[0] for i in range({k}) if i != {self.pick('0', '1', 'r')}]",
            f"ps = []\nfor i in range({k}):\n    ps += [{kind}({i}), {kind}({v})]", f"hold = Hold2()\nfor i in range({k}):\n    hold.put({kind}({i}))\nps = {self.pick('hold.items', 'list(hold.items)', 'hold.items[1:]', '[*hold.by.values()]')}",
            f"ps = [build({self.pick('1', 'n')}, i)[0] for i in range({k})]", f"ps = [{kind}({v}) for _ in range({k}) for _ in range(2)]", f"ps = [{kind}({v}) for x in xs]",
            f"for i in range({k}):\n    {self.pick('first', 'last')} = {kind}({i})", f"first = last = {kind}({v})\nfor i in range({k}):\n    first, last = last, {kind}({i})",
            f"rows = [[] for _ in range({k})]", f"rows = [[i, {v}] for i in range({k})]", f"rows = [[{v}] * {self.pick('2', '3', 'n')} for _ in range({k})]", f"rows = [[{v}]] * {k}", f"rows = []\nfor i in range({k}):\n    line = [i]\n    rows.append(line)\n    if i == {self.pick('0', '1')}:\n        line.append({v})",
            f"rows = []\nfor i in range({k}):\n    line = []\n    for j in range({self.pick('2', 'n', 'i', '3')}):\n        line.append({self.pick('j', v)})\n    rows.append(line)", f"rows = [[j for j in range({self.pick('2', 'n', 'i')})] for i in range({k})]", f"rows = list(table({k}).values())", f"rows = [list(range(i)) for i in range({k})]",
            f"ms = [{{'k': {i}}} for i in range({k})]", f"ms = []\nfor i in range({k}):\n    m = {{}}\n    m['k'] = {v}\n    ms.append(m)\n    if i == {self.pick('0', '1')}:\n        {self.pick('m.clear()', f'm[key] = {v}', 'del m[' + repr('k') + ']', f'm.update(n={v})')}", f"ms = [dict(k=i, n={v}) for i in range({k})]", f"ms = [{{}} for i in range({k})]", f"ms = [{{i: {v}}} for i in range({k})]",
            f"ms = [table({self.pick('3', 'n', k)}) for i in range(n)]", f"e = {{i: P(i) for i in range({k})}}\nps = list(e.values())", f"e = {{str(i): [i] for i in range({k})}}\nrows = list(e.values())", f"ss = [{{i}} for i in range({k})]", f"ss = [set() for _ in range({k})]",
            f"fs = []\nfor i in range({k}):\n    fs.append(lambda: {self.pick('i', 'p', 'first')})", f"fs = [lambda i=i: i for i in range({k})]", f"fs = []\nfor i in range({k}):\n    def g(z=[]):\n        z.append(i)\n        return len(z)\n    fs.append(g)",
            f"first = ps[{self.pick('0', '1', 'r')}]", "last = ps[-1]", "hold.items = ps", "hold.items = ps[:2]", "first, *ps = ps", "first, *_, last = ps", f"ps = ps[{self.pick(':2', '1:', '::-1', 'r:')}]", "ps = [*ps, first]", "ps = list(ps)", "ps = [p for p in ps if p.v]", "ps = [p for p in ps if p is not first]",
            "rows = [p.items for p in ps]", "ps = sorted(ps, key=lambda p: p.v)", f"rows = [list(line) for line in rows]", "rows = rows[::-1]", f"hold.by = {{p.v: p for p in ps}}\nfirst = hold.by[{self.pick('0', '1', 'r')}]", "Hold2.shared.append(first)\nps = hold.shared",
        ))

    def change(self, _):
        x, y, row, m, v = self.some(), self.some(), self.row(), self.mapping(), self.value()
        at, k = self.pick("0", "1", "-1", "r"), self.pick("'k'", "'n'", "key", "0", "1")
        self.emit(self.pick(
            f"{x}.v = {v}", f"{x}.v = {v}", f"{x}.v = {v}", f"del {x}.v", f"{x}.v += 1", f"{x}.w = {v}", f"{x}.w = {v}", f"del {x}.w", f"{x}.items = []", f"{x}.items = [{v}]", f"{x}.items.append({v})", f"{x}.items.clear()", f"{x}.items = {y}.items", f"{x}.items += [{v}]", f"touch({x})", f"reset({x})", f"reset({x}, {v}).w = 1",
            f"setattr({x}, 'w', {v})", f"{x}.__dict__['v'] = {v}", f"{x}.size = {v}", f"type({x}).size = {v}", f"P.size = {v}", f"{x}.add({self.simple()})", f"{x}.next = {y}", f"ps[{at}] = {y}", f"ps[0], ps[1] = ps[1], ps[0]", "ps.reverse()", "ps.pop()", "ps.pop(0)", f"ps.insert(0, {y})", f"del ps[{at}]", f"ps.append({y})", f"last = ps.pop({at})", "ps.clear()",
            f"{row}.append({v})", f"{row}.append({v})", f"{row}[{at}] = {v}", f"{row}[{at}] = {v}", f"{row}.pop()", f"{row}.clear()", f"del {row}[{at}]", f"{row}.sort()", f"{row}.extend({self.row()}[:2])", f"{row} += [{v}]", f"{row}[{at}] += 1", f"{row}[:] = [{v}]", f"{row}.insert(0, {v})", f"{row}.remove({self.simple()})", f"rows[{at}] = [{v}]", f"rows[{at}] = {self.row()}", f"{row}.reverse()", f"rows.pop({at})", f"{row} *= 2",
            f"{m}[{k}] = {v}", f"{m}[{k}] = {v}", f"del {m}[{k}]", f"{m}.pop({k}, None)", f"{m}.setdefault({k}, {v})", f"{m}.setdefault({k}, []).append({v})", f"{m}.update({{{k}: {v}}})", f"{m}.clear()", f"{m} |= {{{k}: {v}}}", f"{m}[{k}] += 1", f"ms[{at}] = {m}", f"{m}.popitem()",
            f"ss[{at}].add({self.simple()})", f"ss[{at}].discard({self.simple()})", f"ss[{at}].remove({self.simple()})", f"ss[{at}] |= {{1, 2}}", f"ss[{at}].clear()", f"ss[{at}].pop()", f"o = {x}", f"q = {y}", f"zs[{self.pick('0', '1')}] = {row}", f"xs = {row}", f"e = {m}",
        ))

    def use(self, _):
        x, y, row, m, v = self.some(), self.some(), self.row(), self.mapping(), self.value()
        at, k, name = self.pick("0", "1", "-1", "r"), self.pick("'k'", "'n'", "key", "0", "1"), self.pick("a", "b", "c", "got", "got")
        self.emit(self.pick(
            f"{name} = {x}.v", f"{name} = {x}.v + 1", f"{name} = {x}.v + 1", f"{name} = len({x}.v)", f"{name} = {x}.w", f"{name} = {x}.w", f"{name} = {x}.v[0]", f"{name} = {x}.items[{at}]", f"{name} = {x}.items[{at}] + 1", f"{name} = len({x}.items)", f"{name} = {x} is {y}", f"{name} = {x} == {y}", f"{name} = {x} in ps", f"{name} = ps.index({x})", f"{name} = ps.count({x})",
            f"{name} = {x}.items is {y}.items", f"{name} = {x}.v is None", f"{name} = getattr({x}, 'w', 5)", f"{name} = hasattr({x}, {self.pick(repr('w'), repr('v'))})", f"{name} = {x}.xyz", f"{name} = {x}.size", f"{name} = {x}.next.v", f"{name} = {x}.known", f"{name} = isinstance({x}, P)", f"{name} = type({x}).__name__",
            f"{name} = {row}[{at}]", f"{name} = {row}[{at}] + 1", f"{name} = len({row})", f"a, b = {row}", f"a, *b = {row}", f"{name} = {row} == {self.row()}", f"{name} = {row} is {self.row()}", f"{name} = sum({row})", f"{name} = max({row})", f"{name} = {row}.index({self.simple()})", f"{name} = {self.simple()} in {row}", f"{name} = not {row}", f"{name} = sorted({row})[0]", f"{name} = {row}[{self.pick('0:1', '1:', ':-1')}]",
            f"{name} = [line[0] for line in rows][:2]", f"{name} = sum(len(line) for line in rows[:3])", f"{name} = [p.v for p in ps][:2]", f"{name} = sum(p.v for p in ps[:2])", f"{name} = {{p.v for p in ps[:3]}}", f"{name} = [p.w for p in ps[:1]]", f"{name} = any(p is {y} for p in ps)", f"{name} = next((p.v for p in ps if p.v is not None), 7)", f"{name} = min(p.v for p in ps)", f"{name} = [len(p.items) for p in ps][{at}]",
            f"{name} = {m}[{k}]", f"{name} = {m}[{k}] + 1", f"{name} = {m}.get({k}, 5)", f"{name} = {k} in {m}", f"{name} = len({m})", f"{name} = list({m})[:1]", f"{name} = {m} == {self.mapping()}", f"{name} = {m} is {self.mapping()}", f"{name} = [*{m}.values()][{at}]", f"{name} = [d['k'] for d in ms][:2]", f"{name} = sum(d.get('k') for d in ms[:2])",
            f"{name} = len(ss[{at}])", f"{name} = {self.simple()} in ss[{at}]", f"{name} = ss[0] == ss[1]", f"{name} = fs[{at}]()", f"{name} = fs[0]() + fs[-1]()", f"{name} = fs[0]().v", f"{name} = {x}.v + {y}.v", f"{name} = [{x}.v, {y}.v]", f"{name} = {x}.v or {v}", f"{name} = {x}.items + {y}.items", f"{name} = hold.by[{self.pick('1', '2', 'n')}].v", f"{name} = len(ps)", f"{name} = len(rows[0]) == len(rows[-1])",
            f"if {x}.v is None:\n    {name} = 1\nelse:\n    {name} = {x}.v + 1", f"if {x} is {y}:\n    {name} = {x}.v\nelse:\n    {y}.v = {v}\n    {name} = {x}.v", f"if not {row}:\n    {row}.append({v})\n{name} = {row}[0]", f"if {k} not in {m}:\n    {m}[{k}] = {v}\n{name} = {m}[{k}]",
        ))

    def texts(self, _):
        n = self.simple()
        self.emit(self.pick(
            "text = f'{r}-{n}'", "text = text + 'c'", f"text = text[{self.pick('1:', ':2', '::-1', '0')}]", "a = len(text)", "b = text.index('a')", "c = int(text or '1')", "text = text.replace('a', 'xy')", "got = text.split('-')", "a, b = text.split('-')", "got = text[0]", "text = key * r", "got = text == key", "text = '-'.join(str(v) for v in xs)",
            "got = key.upper()", f"e[key] = {n}", "got = e[key]", "del e[key]", "a = e.get(key, 3)", "got = key in e", "e = {key: 1, 'k': 2}", f"e = {{**e, key: {n}}}", "b = e['k']", "c = len(e)", "got = [v for v in e if v != key]", "got = list(e.items())[0]", "e.pop(key)", "got = '%s' % text", "got = text.startswith('a')", "w = text", "got = text.find('b')", "got = ord(text)",
            "s.add(key)", "got = key in s", "s = {key, 'k'}\na = len(s)", "xs = list(text)", "got = int('0' + text[:0])", "flag = not flag", f"flag = n > {self.pick('2', '3')}", "got = random.choice(xs)", "a = random.randint(1, 3)", "xs = random.sample([1, 2, 3], 2)", "random.shuffle(xs)",
        ))

    def condition(self):
        x, y = self.some(), self.some()
        if self.rng.random() < 0.4:
            return super().condition()
        return self.pick("flag", "flag", "n > 2", "n == 3", f"{x}.v", f"{x}.v is None", f"{x}.v is not None", f"{x} is {y}", f"{x} == {y}", f"hasattr({x}, 'w')", f"isinstance({x}.v, int)", f"{self.row()}", f"len({self.row()}) > {self.pick('0', '1', '2')}", f"key in {self.mapping()}", f"'k' in {self.mapping()}", "text", "key == 'k'", f"{x} in ps", "env > 3", "len(ps) > 100", f"{self.row()} is {self.row()}")

    def sweep(self, size):
        """A loop over many objects, or of many turns, in which some are changed."""
        k = self.turns()
        self.emit(self.pick(
            "for first in ps:", "for last in ps[1:]:", "for i, first in enumerate(ps):", f"for i in range({k}):", f"for i in range({k}):", "for line in rows:", "for d in ms:", "while len(ps) > n:\n    ps.pop()", "for first, last in zip(ps, ps[1:]):", "for d in ms:", "for first in hold.items:", f"for first in each({k}):", f"i = 0\nwhile i < {k}:\n    i += 1", "while flag:\n    flag = random.random() < 0.5",
            "for got in list(e):", "for got in text:", "for first in reversed(ps):",
        ))
        self.loops += 1
        self.block(min(size, 2))
        self.depth += 1
        if self.rng.random() < 0.4:
            self.emit(self.pick(f"if {self.condition()}:\n    {self.pick('break', 'continue')}", f"if i == {self.pick('0', '1', '2')}:\n    {self.pick('break', 'continue', 'first = ps[i]', 'ps[i].v = None')}", "rows.append([i])", "ps.append(P(i))", "try:\n    got = first.v + 1\nexcept (TypeError, AttributeError):\n    got = 0", "xs.append(len(xs))"))
        self.depth -= 1
        self.loops -= 1
        if self.rng.random() < 0.15:
            self.emit("else:")
            self.block(1)

    def choose(self, size):
        x, row = self.some(), self.row()
        self.emit(f"match {self.pick(x, row, self.mapping(), 'text', f'{x}.v', 'got')}:")
        self.depth += 1
        for _ in range(self.rng.randint(1, 3)):
            self.emit(f"case {self.pick('None', 'P(v=None)', 'P(v=got)', 'G()', 'K(v=1)', '[]', '[got]', '[got, *_]', '[_, _]', repr(''), 'str()', 'int()', '{' + repr('k') + ': got}', '{' + repr('k') + ': None}', '0', 'P(items=[])')}{self.pick('', '', f' if {self.condition()}')}:")
            self.block(min(size, 2))
        if self.rng.random() < 0.5:
            self.emit("case _:")
            self.block(1)
        self.depth -= 1

    def text(self):
        self.lines = list(PRELUDE)
        if self.rng.random() < 0.5:
            self.function()
        for _ in range(self.rng.randint(1, 2)):
            self.make(0)
        inside = self.rng.random() < 0.2
        if inside:
            # What it changes, others see.
            names = sorted({"a", "b", "c", "d", "xs", "ys", "zs", "e", "s", "t", "w", "u", "o", "q", "h", "first", "last", "ps", "rows", "ms", "ss", "fs", "hold", "text", "flag", "got", "key"})
            self.emit("def work():")
            self.depth += 1
            self.emit(f"global {', '.join(names)}")
        for _ in range(self.rng.randint(3, 8)):
            self.statement(3)
        if inside:
            self.depth -= 1
            self.emit("\n".join(["work()"] * self.pick(1, 1, 2)))
        return "\n".join(self.lines) + "\n"
