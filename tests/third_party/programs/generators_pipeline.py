"""Generators: lazy pipelines, send, throw, yield from, tree walks, coroutines as state machines."""
import itertools
import sys
from collections import deque
from contextlib import contextmanager


def primes():
    yield 2
    found = []
    for n in itertools.count(3, 2):
        if all(n % p for p in itertools.takewhile(lambda p: p * p <= n, found)):
            found.append(n)
            yield n


def windowed(iterable, n):
    window = deque(maxlen=n)
    for x in iterable:
        window.append(x)
        if len(window) == n:
            yield tuple(window)


def chunks(seq, size):
    it = iter(seq)
    while chunk := list(itertools.islice(it, size)):
        yield chunk


def running_average():
    total, n, average = 0.0, 0, None
    while True:
        try:
            value = yield average
        except ValueError:
            total, n, average = 0.0, 0, None
            continue
        total += value
        n += 1
        average = total / n


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.value
        if self.right is not None:
            yield from self.right

    def insert(self, value):
        side = "left" if value < self.value else "right"
        child = getattr(self, side)
        if child is None:
            setattr(self, side, Tree(value))
        else:
            child.insert(value)

    def depth(self):
        return 1 + max((c.depth() for c in (self.left, self.right) if c), default=0)


def flatten(items):
    for item in items:
        if isinstance(item, (list, tuple)):
            yield from flatten(item)
        else:
            yield item


def accumulate_until(limit):
    total = 0
    while total < limit:
        got = yield total
        total += got if got is not None else 1
    return total


def delegator(limit, log):
    result = yield from accumulate_until(limit)
    log.append(result)
    yield "done"


@contextmanager
def captured(log):
    before = len(log)
    try:
        yield log
    except ZeroDivisionError as error:
        log.append(str(error))
    finally:
        log.append(len(log) - before)


def traffic_light():
    transitions = {"red": "green", "green": "amber", "amber": "red"}
    state = "red"
    while True:
        command = yield state
        match command:
            case None:
                state = transitions[state]
            case "reset":
                state = "red"
            case ("jump", str(where)) if where in transitions:
                state = where
            case _:
                return


print(list(itertools.islice(primes(), 10)))
print([b - a for a, b in windowed(itertools.islice(primes(), 8), 2)])
print(list(chunks(range(7), 3)), list(chunks("", 2)))
avg = running_average()
next(avg)
print(avg.send(10), avg.send(20), avg.throw(ValueError), avg.send(5))
avg.close()
root = Tree(50)
for v in [30, 70, 20, 40, 60, 80, 10]:
    root.insert(v)
print(list(root), root.depth(), 40 in root, sorted(root, reverse=True)[0])
print(list(flatten([1, [2, (3, [4, [5]])], []])), sum(flatten([[1], [[2]], 3])))
log = []
g = delegator(3, log)
print(next(g), g.send(2), g.send(5), log, next(g, "over"))
with captured(log) as inner:
    inner.append(1 / len([]))
print(log)
light = traffic_light()
print(next(light), next(light), light.send(("jump", "amber")), light.send("reset"))
try:
    light.send(42)
except StopIteration as stop:
    print("stopped", stop.value)
evens, odds = itertools.tee(range(10))
print(list(x for x in evens if x % 2 == 0), dict(zip("abc", (o for o in odds if o % 2))))
fib = (lambda f: (f(f, i) for i in range(10)))(lambda f, n: n if n < 2 else f(f, n - 1) + f(f, n - 2))
print(*fib, sep=",", file=sys.stdout)
print([(k, len(list(v))) for k, v in itertools.groupby("aaabbc")], list(itertools.accumulate([1, 2, 3], lambda a, b: a * b)))
