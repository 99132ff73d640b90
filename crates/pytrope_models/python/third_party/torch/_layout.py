"""How dimensions lie in memory: which neighbours a `view` may take together.

A tensor that an operation makes lies in memory dimension by dimension. Of a view that is not so, `_neighbours` says for
each pair of neighbouring dimensions whether they certainly lie as they would in such a tensor (the stride of the first
is the size of the second times its stride), or is None where nothing is known.

Where a tensor was made by a call that says how it lies, and its sizes are known, so are the strides of its views:
`_strides` holds them, True for a tensor that lies dimension by dimension, or None where an operation does not promise
how its result lies. A `view` that joins what does not lie together is refused then.
"""

from _pytrope import dtype_of, is_constant, is_unknown, product, proved, require, shape_of

from ._make import is_tensor, ranked, tensor


def is_row_major(x):
    """Whether a tensor certainly lies in memory dimension by dimension."""
    return is_constant(x._strides) and x._strides is True


def strides_of(x):
    """How far the neighbours along each dimension are apart in memory; None where that is not known."""
    known = x._strides
    if not is_constant(known) or known is None or not ranked(x) or not is_constant(shape_of(x)):
        return None
    return row_major(shape_of(x)) if known is True else known


def row_major(shape):
    """The strides of a tensor that lies dimension by dimension."""
    step = 1
    strides = []
    for size in reversed(shape):
        strides = [step] + strides
        step = step * size
    return tuple(strides)


def lying(made, strides):
    """Notes how a tensor lies, where that is known."""
    if strides is not None and ranked(made) and is_constant(shape_of(made)):
        made._strides = tuple(strides)
        if [step for step in row_major(shape_of(made))] == [step for step in strides]:
            made._strides = True
    return made


def is_dense(shape, strides):
    """Whether a view of a row-major tensor has no holes and nothing twice: only the order of dimensions is another."""
    reach = 1
    for size, step in zip(shape, strides):
        if step == 0 and size != 1:
            return False
        reach = reach + (size - 1) * step
    return product(shape) > 0 and reach == product(shape)


def kept_order(x, made):
    """Copies and conversions keep the order of dimensions of a tensor without holes."""
    strides = strides_of(x)
    if strides is None or not ranked(made) or not is_constant(shape_of(made)) or not is_dense(shape_of(x), strides):
        return made
    return lying(made, strides)


def in_row_major(made):
    """A tensor that an operation has laid out anew, dimension by dimension."""
    made._strides = True
    return made


def regrouped_strides(shape, strides, new):
    """The strides of a `view`; None where there is no such view.

    Dimensions that lie together form runs. Each run is cut into new dimensions; none of these reaches over two runs.
    """
    runs = []
    for size, step in zip(reversed(shape), reversed(strides)):
        if size != 1:
            if len(runs) > 0 and runs[-1][0] * runs[-1][1] == step:
                runs[-1] = (runs[-1][0] * size, runs[-1][1])
            else:
                runs.append((size, step))
    made = []
    at = 0
    taken = 1
    for size in reversed(new):
        count, step = runs[at] if at < len(runs) else (1, 1)
        made = [step * taken] + made
        if size != 1:
            taken = taken * size
            if count % taken != 0:
                return None
            if taken == count:
                at += 1
                taken = 1
    return made


def view_strides(x, made):
    """The strides of a view of another shape: the view is refused where it would have to copy; None if that is open."""
    if is_row_major(x):
        return True
    strides = strides_of(x)
    if strides is None or not ranked(made) or not is_constant(shape_of(made)):
        return None
    shape, new = shape_of(x), shape_of(made)
    if product(shape) == 0:
        return None
    found = regrouped_strides(shape, strides, new)
    if found is None:
        message = (
            f"a tensor of shape {shape} and strides {strides} has no view of shape {new}: "
            "dimensions that it joins do not lie together in memory"
        )
        require(
            False,
            RuntimeError,
            message,
            rule="reshape-mismatch",
            help="reshape() copies where it must; .contiguous() copies before view()",
        )
    return found


def noted_view(x, made):
    """A view of which it was decided that it exists."""
    strides = view_strides(x, made)
    if is_constant(strides) and strides is True:
        return in_row_major(made)
    return lying(made, strides)


def noted_reshape(x, made):
    """A view where there is one, else a copy."""
    if is_row_major(x):
        return in_row_major(made)
    strides = strides_of(x)
    if strides is None or not ranked(made) or not is_constant(shape_of(made)) or product(shape_of(x)) == 0:
        return made
    found = regrouped_strides(shape_of(x), strides, shape_of(made))
    return in_row_major(made) if found is None else lying(made, found)


def noted_slices(x, index, made):
    """What numbers, slices, None and `...` select."""
    strides = strides_of(x)
    if strides is None or not ranked(made):
        return made
    parts = list(index) if isinstance(index, tuple) else [index]
    named = 0
    for part in parts:
        if is_unknown(part) or is_tensor(part) or isinstance(part, bool):
            return made
        if isinstance(part, (int, slice)):
            named += 1
        elif part is not None and part is not Ellipsis:
            return made
    rest = [slice(None)] * (len(strides) - named)
    if Ellipsis in parts:
        place = parts.index(Ellipsis)
        parts = parts[:place] + rest + parts[place + 1 :]
    else:
        parts = parts + rest
    found = []
    at = 0
    for part in parts:
        if part is None:
            found.append(1)
        elif isinstance(part, slice):
            if not is_constant(part.step):
                return made
            found.append(strides[at] * (1 if part.step is None else part.step))
            at += 1
        else:
            at += 1
    return lying(made, found) if len(found) == len(shape_of(made)) else made


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
    made = with_neighbours(tensor(tuple([shape[k] for k in order]), dtype_of(x)), neighbours)
    strides = strides_of(x)
    return made if strides is None else lying(made, [strides[k] for k in order])


def cut_along(x, place, parts):
    """Views of a tensor, each with a part of one of its dimensions."""
    neighbours = neighbours_of(x)
    if place > 0:
        neighbours[place - 1] = False
    strides = strides_of(x)
    for part in parts:
        lying(with_neighbours(part, neighbours), strides)
    return parts


def selected(x, index, made):
    """What a subscript gives, with what is known of its dimensions in memory."""
    noted_slices(x, index, made)
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
