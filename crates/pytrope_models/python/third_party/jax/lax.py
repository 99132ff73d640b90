"""jax.lax: loops and branches, and a few operations."""

from _pytrope import call_back, dtype_of, fresh, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from ._array import new_array
from ._transforms import sliced, stacked
from .tree_util import is_container, tree_map


def same_types(before, after, what):
    """The carry of a loop keeps its form: same containers, same shapes."""
    if is_array(before) and is_array(after):
        one, two = shape_of(before), shape_of(after)
        if not has_rank(one) or not has_rank(two):
            return
        message = f"{what} has shape {one} before and {two} after"
        require(len(one) == len(two), TypeError, message, rule="shape-argument")
        for a, b in zip(one, two):
            if is_constant(a) and is_constant(b):
                require(a == b, TypeError, message, rule="shape-argument")
    elif isinstance(before, (tuple, list)) and isinstance(after, (tuple, list)):
        if not is_unknown(before) and not is_unknown(after) and has_rank(before) and has_rank(after):
            if len(before) == len(after):
                for one, two in zip(before, after):
                    same_types(one, two, what)


def carried(carry):
    """What comes out of a loop: numbers have become arrays."""
    return tree_map(as_array, carry)


def as_array(x):
    if is_array(x) or is_unknown(x):
        return x
    return new_array((), unknown("the dtype of a number")) if isinstance(x, (int, float)) else unknown("a carry")


def scan(f, init, xs=None, length=None, *args, **options):
    if is_unknown(f):
        return unknown("a scan by an unknown function")
    sizes = []
    item = None
    if xs is not None:
        item = tree_map(lambda x: sliced(x, 0, sizes), xs)
    for size in sizes[1:]:
        if is_constant(size) and is_constant(sizes[0]):
            require(
                size == sizes[0],
                ValueError,
                f"scan steps along axes of different sizes: {sizes[0]} ≠ {size}",
                rule="shape-argument",
            )
    count = sizes[0] if len(sizes) > 0 else length
    result = call_back(f, init, item)
    if not is_unknown(result) and (is_array(result) or result is None):
        raise TypeError("the body of a scan returns a pair: what is carried on, and what is stacked")
    if not isinstance(result, tuple) or is_unknown(result) or len(result) != 2:
        return unknown("a scan whose result is not known")
    carry, out = result
    same_types(init, carry, "the carry of scan")
    if count is None or is_unknown(count):
        return (carried(init), unknown("the outputs of a scan"))
    return (carried(carry), None if out is None else tree_map(lambda x: stacked(x, count, 0), out))


def fori_loop(lower, upper, body_fun, init_val, **options):
    if is_unknown(body_fun):
        return unknown("a loop of an unknown function")
    result = call_back(body_fun, unknown("the index of a loop"), init_val)
    same_types(init_val, result, "the value of fori_loop")
    return carried(result)


def while_loop(cond_fun, body_fun, init_val):
    if is_unknown(body_fun):
        return unknown("a loop of an unknown function")
    result = call_back(body_fun, init_val)
    same_types(init_val, result, "the value of while_loop")
    return carried(result)


def cond(pred, true_fun=None, false_fun=None, *operands, **options):
    if len(options) > 0 or not callable(true_fun) or not callable(false_fun):
        return unknown("a branch with a different structure")
    if is_unknown(true_fun) or is_unknown(false_fun):
        return unknown("a branch of an unknown function")
    first = call_back(true_fun, *operands)
    second = call_back(false_fun, *operands)
    same_types(first, second, "the result of cond")
    return first


def switch(index, branches, *operands, **options):
    """Every branch is traced, and all give the same types."""
    if len(options) > 0 or is_unknown(branches) or not isinstance(branches, (tuple, list)) or len(branches) == 0:
        return unknown("the result of one of several functions")
    results = [unknown("a branch") if is_unknown(branch) else call_back(branch, *operands) for branch in branches]
    for result in results[1:]:
        if is_unknown(results[0]) or is_unknown(result):
            return unknown("the result of one of several functions")
        same_types(results[0], result, "the result of switch")
    return results[0]


def window_count(size, window, stride, padding):
    return (size - window) // stride + 1 if padding == "VALID" else (size + stride - 1) // stride


def conv_general_dilated(
    lhs,
    rhs,
    window_strides,
    padding,
    lhs_dilation=None,
    rhs_dilation=None,
    dimension_numbers=None,
    feature_group_count=1,
    **options,
):
    """A convolution whose axes are named by letters: batch `N`, channels `C`, and sizes `H`, `W` and so on."""
    if not is_array(lhs) or not is_array(rhs) or not has_rank(shape_of(lhs)) or not has_rank(shape_of(rhs)):
        return unknown("a convolution of an unknown value")
    if lhs_dilation is not None or rhs_dilation is not None or not is_constant(feature_group_count):
        return unknown("a convolution in an unsupported form")
    if not is_constant(padding) or padding not in ("VALID", "SAME") or not is_constant(window_strides):
        return unknown("a convolution in an unsupported form")
    image, kernel = shape_of(lhs), shape_of(rhs)
    if len(image) != len(kernel) or len(image) != len(window_strides) + 2:
        return unknown("a convolution of unequal ranks")
    letters = "DHW"[3 - len(window_strides) :] if len(window_strides) <= 3 else ""
    names = ("NC" + letters, "OI" + letters, "NC" + letters) if dimension_numbers is None else dimension_numbers
    if not is_constant(names) or not isinstance(names, (tuple, list)) or len(names) != 3:
        return unknown("a convolution in an unsupported form")
    source, filters, result = names
    if len(source) != len(image) or len(filters) != len(kernel) or len(result) != len(image):
        return unknown("a convolution in an unsupported form")
    channels, expected = image[source.index("C")], kernel[filters.index("I")]
    require(
        channels == expected * feature_group_count,
        ValueError,
        f"a convolution of {expected} channels in {feature_group_count} groups, but the operand of shape {image} "
        f"has {channels}",
        rule="layer-mismatch",
    )
    spatial = [letter for letter in filters if letter not in "IO"]
    sizes = []
    for letter in result:
        if letter == "N":
            sizes.append(image[source.index("N")])
        elif letter == "C":
            sizes.append(kernel[filters.index("O")])
        else:
            stride = window_strides[spatial.index(letter)]
            sizes.append(window_count(image[source.index(letter)], kernel[filters.index(letter)], stride, padding))
    return new_array(tuple(sizes), dtype_of(lhs))


def reduce_window(operand, init_value, computation, window_dimensions, window_strides, padding, **options):
    """A reduction over windows of each size: as many windows as fit, or as the strides give with padding."""
    if not is_array(operand) or not has_rank(shape_of(operand)) or len(options) > 0:
        return unknown("windows of an unknown value")
    if not is_constant(window_dimensions) or not is_constant(window_strides) or not is_constant(padding):
        return unknown("windows of unknown sizes")
    shape = shape_of(operand)
    if len(window_dimensions) != len(shape) or len(window_strides) != len(shape) or padding not in ("VALID", "SAME"):
        return unknown("windows in an unsupported form")
    sizes = []
    for size, window, stride in zip(shape, window_dimensions, window_strides):
        sizes.append(window_count(size, window, stride, padding))
    return new_array(tuple(sizes), dtype_of(operand))


def map(f, xs, **options):
    sizes = []
    item = tree_map(lambda x: sliced(x, 0, sizes), xs)
    if is_unknown(f) or len(sizes) == 0:
        return unknown("a function of each row")
    return tree_map(lambda x: stacked(x, sizes[0], 0), call_back(f, item))


def dynamic_slice(operand, start_indices, slice_sizes, **options):
    if not is_array(operand) or is_unknown(slice_sizes) or not isinstance(slice_sizes, (tuple, list)):
        return unknown("a slice of an unknown value")
    shape = shape_of(operand)
    if has_rank(shape) and has_rank(slice_sizes):
        starts = start_indices
        if not is_unknown(starts) and isinstance(starts, (tuple, list)) and not is_array(starts) and has_rank(starts):
            message = f"{len(starts)} starts of a slice of an operand of shape {shape}"
            require(len(starts) == len(shape), ValueError, message, rule="shape-argument")
        message = f"a slice of sizes {tuple(slice_sizes)} of an operand of shape {shape}"
        require(len(slice_sizes) == len(shape), ValueError, message, rule="shape-argument")
        for size, whole in zip(slice_sizes, shape):
            if is_constant(size) and is_constant(whole):
                require(size <= whole, TypeError, message, rule="index-range")
    return new_array(tuple(slice_sizes), dtype_of(operand))


def dynamic_update_slice(operand, update, start_indices, **options):
    """A copy of the operand with the update written at the start; starts that reach too far are moved."""
    if not is_array(operand):
        return unknown("a write to an unknown value")
    shape = shape_of(operand)
    if has_rank(shape) and is_array(update) and has_rank(shape_of(update)):
        message = f"an update of shape {shape_of(update)} in an operand of shape {shape}"
        require(len(shape_of(update)) == len(shape), TypeError, message, rule="shape-argument")
        for size, whole in zip(shape_of(update), shape):
            if is_constant(size) and is_constant(whole):
                require(size <= whole, TypeError, message, rule="shape-argument")
    return new_array(shape, dtype_of(operand))


def stop_gradient(x):
    return x


def conv(lhs, rhs, window_strides, padding, *args, **options):
    """Images (batch, channels, …) and kernels (out, in, …)."""
    if not is_array(lhs) or not is_array(rhs) or not has_rank(shape_of(lhs)) or not has_rank(shape_of(rhs)):
        return unknown("a convolution of an unknown value")
    one, two = shape_of(lhs), shape_of(rhs)
    if len(one) != len(two) or len(one) < 3 or not isinstance(padding, str) or not is_constant(tuple(window_strides)):
        return unknown("a convolution with unsupported arguments")
    if is_constant(one[1]) and is_constant(two[1]):
        require(
            one[1] == two[1],
            ValueError,
            f"images of shape {one} have {one[1]} channels, but the kernel of shape {two} has {two[1]}",
            rule="layer-mismatch",
        )
    sizes = []
    for at in range(len(one) - 2):
        step = window_strides[at]
        if padding == "SAME":
            sizes.append((one[2 + at] + step - 1) // step)
        else:
            sizes.append((one[2 + at] - two[2 + at]) // step + 1)
    return new_array((one[0], two[0]) + tuple(sizes), dtype_of(lhs))


def __getattr__(name):
    return unknown(name)
