"""The parts of `itertools` that give finite results; endless iterators are Unknown."""

from _pytrope import is_constant, havoc, unknown

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
        havoc(self._iterables)
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
    if len(iterables) > 1 and len([one for one in iterables if one is iterables[0]]) > 1:
        # An iterator given twice gives its items in turn.
        havoc(iterables[0])
        return unknown("itertools.zip_longest")
    pools = [list(iterable) for iterable in iterables]
    longest = max([len(pool) for pool in pools], default=0)
    return iter([tuple([pool[i] if i < len(pool) else fillvalue for pool in pools]) for i in range(longest)])


def islice(iterable, *bounds):
    for bound in bounds:
        if isinstance(bound, int) and is_constant(bound) and bound < 0:
            raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if isinstance(iterable, (list, tuple)):
        return iter(iterable[slice(*bounds)])
    # It is consumed in part, and its items are handed out.
    havoc(iterable)
    return unknown("itertools.islice")


def repeat(object, times=None):
    if times is None:
        return unknown("itertools.repeat does not end")
    return iter([object] * times)


def starmap(function, iterable, /):
    for arguments in iterable:
        yield function(*arguments)


def accumulate(iterable, func=None, *, initial=None):
    total = initial
    is_first = initial is None
    if not is_first:
        yield total
    for item in iterable:
        if is_first:
            total = item
            is_first = False
        elif func is None:
            total = total + item
        else:
            total = func(total, item)
        yield total


def takewhile(predicate, iterable, /):
    for item in iterable:
        if not predicate(item):
            break
        yield item


def dropwhile(predicate, iterable, /):
    drops = True
    for item in iterable:
        drops = drops and predicate(item)
        if not drops:
            yield item


def filterfalse(function, iterable, /):
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


def compress(data, selectors):
    for item, selected in zip(data, selectors):
        if selected:
            yield item


def pairwise(iterable, /):
    pool = list(iterable)
    return zip(pool, pool[1:])


def groupby(iterable, key=None):
    havoc(iterable)
    havoc(key)
    return unknown("itertools.groupby")


def tee(iterable, n=2, /):
    if n == 0:
        return ()
    pool = list(iterable)
    return tuple([iter(pool) for _ in range(n)])
