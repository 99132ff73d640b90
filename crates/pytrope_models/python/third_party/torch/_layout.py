"""How dimensions lie in memory: which neighbours a `view` may take together.

A tensor that an operation makes lies in memory dimension by dimension. Of a view that is not so, `_neighbours` says for
each pair of neighbouring dimensions whether they certainly lie as they would in such a tensor (the stride of the first
is the size of the second times its stride), or is None where nothing is known.
"""

from _pytrope import dtype_of, is_unknown, product, proved, shape_of

from ._make import is_tensor, tensor


def neighbours_of(x):
    count = len(shape_of(x)) - 1
    if not x._is_noncontiguous:
        return [True] * count
    if x._neighbours is None:
        return [False] * count
    return list(x._neighbours)


def with_neighbours(made, neighbours):
    """A view of which it is known what lies together."""
    if False in neighbours:
        made._is_noncontiguous = True
        made._neighbours = tuple(neighbours)
    return made


def arranged(x, order):
    """The view of a tensor with its dimensions in another order."""
    shape = shape_of(x)
    old = neighbours_of(x)
    neighbours = []
    for k in range(len(order) - 1):
        neighbours.append(order[k + 1] == order[k] + 1 and old[order[k]])
    return with_neighbours(tensor(tuple([shape[k] for k in order]), dtype_of(x)), neighbours)


def cut_along(x, place, parts):
    """Views of a tensor, each with a part of one of its dimensions."""
    neighbours = neighbours_of(x)
    if place > 0:
        neighbours[place - 1] = False
    for part in parts:
        with_neighbours(part, neighbours)
    return parts


def selected(x, index, made):
    """What a subscript gives, with what is known of its dimensions in memory."""
    neighbours = _kept_neighbours(x, index)
    if neighbours is None:
        made._is_noncontiguous = True
        return made
    return with_neighbours(made, neighbours)


def _kept_neighbours(x, index):
    """The neighbours in what numbers, slices, None and `...` select of a tensor; None for all other subscripts."""
    parts = list(index) if isinstance(index, tuple) else [index]
    named = 0
    for part in parts:
        if is_unknown(part) or is_tensor(part) or isinstance(part, bool):
            return None
        if isinstance(part, (int, slice)):
            named += 1
        elif part is not None and part is not Ellipsis:
            return None
    rest = [slice(None)] * (len(shape_of(x)) - named)
    if Ellipsis in parts:
        at = parts.index(Ellipsis)
        parts = parts[:at] + rest + parts[at + 1 :]
    else:
        parts = parts + rest
    old = neighbours_of(x)
    neighbours = []
    is_first = True
    link = True
    at = 0
    for part in parts:
        if part is None:
            if not is_first:
                neighbours.append(link)
            is_first = False
        elif isinstance(part, slice):
            if not is_first:
                is_whole = part.start is None and part.stop is None and part.step is None
                neighbours.append(link and is_whole and at > 0 and old[at - 1])
            is_first = False
            link = part.step is None
            at += 1
        else:
            link = False
            at += 1
    return neighbours


def regrouped(x, new):
    """What lies together in a `view` of another shape; None where it was not shown that there is one."""
    sizes, links = _long_dimensions(shape_of(x), neighbours_of(x))
    wanted = [size for size in new if not proved(size == 1)]
    within = []
    i = 0
    j = 0
    while i < len(sizes) and j < len(wanted):
        group = _equal_products(sizes[i:], wanted[j:])
        if group is None:
            return None
        for k in range(i, i + group[0] - 1):
            if not links[k]:
                return None
        i += group[0]
        j += group[1]
        within = within + [True] * (group[1] - 1)
        if j < len(wanted):
            within.append(i < len(sizes) and links[i - 1])
    if i < len(sizes) or j < len(wanted):
        return None
    return _beside_ones(new, within)


def _long_dimensions(shape, neighbours):
    """The sizes that may not be 1, and which of them lie together."""
    sizes = []
    links = []
    link = True
    for k in range(len(shape)):
        if k > 0:
            link = link and neighbours[k - 1]
        if not proved(shape[k] == 1):
            if len(sizes) > 0:
                links.append(link)
            sizes.append(shape[k])
            link = True
    return sizes, links


def _equal_products(first, second):
    """How many of the first sizes on both sides have one product, as few as possible; None where none is shown."""
    for total in range(2, len(first) + len(second) + 1):
        for taken in range(1, total):
            if taken <= len(first) and total - taken <= len(second):
                if proved(product(tuple(first[:taken])) == product(tuple(second[: total - taken]))):
                    return taken, total - taken
    return None


def _beside_ones(shape, within):
    """The neighbours of a shape from those of its sizes that are not 1."""
    neighbours = []
    at = -1
    for k in range(len(shape)):
        if k > 0:
            neighbours.append(within[at] if 0 <= at < len(within) else True)
        if not proved(shape[k] == 1):
            at += 1
    return neighbours
