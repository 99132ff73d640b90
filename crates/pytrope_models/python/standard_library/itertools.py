"""The parts of `itertools` that give finite results; endless iterators are Unknown."""

from _pytrope import unknown

count = unknown("itertools.count does not end")
cycle = unknown("itertools.cycle does not end")


class chain:
    def __init__(self, *iterables):
        self._iterables = iterables

    @classmethod
    def from_iterable(cls, iterable, /):
        return cls(*iterable)

    def __iter__(self):
        for iterable in self._iterables:
            for item in iterable:
                yield item

    def __next__(self):
        return unknown("an item of itertools.chain")


def product(*iterables, repeat=1):
    rows = [()]
    for _ in range(repeat):
        for iterable in iterables:
            pool = tuple(iterable)
            rows = [row + (item,) for row in rows for item in pool]
    return iter(rows)


def combinations(iterable, r):
    pool = tuple(iterable)
    rows = [((), 0)]
    for _ in range(r):
        rows = [(row + (pool[i],), i + 1) for row, start in rows for i in range(start, len(pool))]
    return iter([row for row, _ in rows])


def combinations_with_replacement(iterable, r):
    pool = tuple(iterable)
    rows = [((), 0)]
    for _ in range(r):
        rows = [(row + (pool[i],), i) for row, start in rows for i in range(start, len(pool))]
    return iter([row for row, _ in rows])


def permutations(iterable, r=None):
    pool = tuple(iterable)
    if r is None:
        r = len(pool)
    rows = [((), ())]
    for _ in range(r):
        rows = [(row + (pool[i],), used + (i,)) for row, used in rows for i in range(len(pool)) if i not in used]
    return iter([row for row, _ in rows])


def zip_longest(*iterables, fillvalue=None):
    return unknown("itertools.zip_longest")


def islice(iterable, *bounds):
    return unknown("itertools.islice")


def repeat(object, times=None):
    if times is None:
        return unknown("itertools.repeat does not end")
    return iter([object] * times)


def starmap(function, iterable, /):
    for arguments in iterable:
        yield function(*arguments)


def accumulate(iterable, func=None, *, initial=None):
    return unknown("itertools.accumulate")


def takewhile(predicate, iterable, /):
    return unknown("itertools.takewhile")


def dropwhile(predicate, iterable, /):
    return unknown("itertools.dropwhile")


def filterfalse(function, iterable, /):
    return unknown("itertools.filterfalse")


def compress(data, selectors):
    return unknown("itertools.compress")


def pairwise(iterable, /):
    pool = list(iterable)
    return zip(pool, pool[1:])


def groupby(iterable, key=None):
    return unknown("itertools.groupby")


def tee(iterable, n=2, /):
    return unknown("itertools.tee")
