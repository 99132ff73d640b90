"""torch.func: functions of functions. `vmap` adds a dimension, `grad` gives what it differentiates by."""

from _pytrope import dtype_of, is_constant, is_unknown, shape_of, unknown

from ._make import alike, axis, is_tensor, ranked, tensor


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """The function on each slice along a dimension, with the results stacked."""

    def batched(*args, **kwargs):
        if not is_constant(in_dims) or not is_constant(out_dims) or len(kwargs) > 0 or not is_constant(len(args)):
            return unknown("a function over unknown dimensions")
        dims = in_dims if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        if len(dims) != len(args):
            return unknown("a function over unknown dimensions")
        slices, size = [], None
        for argument, dim in zip(args, dims):
            if dim is None:
                slices.append(argument)
            elif is_unknown(argument) or not is_tensor(argument) or not ranked(argument) or not isinstance(dim, int):
                return unknown("a function over unknown dimensions")
            else:
                shape = shape_of(argument)
                if len(shape) == 0:
                    return unknown("a function over a scalar")
                place = axis(dim, len(shape))
                size = shape[place]
                slices.append(tensor(shape[:place] + shape[place + 1 :], dtype_of(argument)))
        if size is None:
            return unknown("a function over no dimension")
        return restored(func(*slices), size, out_dims)

    return batched


def restored(result, size, out_dims):
    """The results for all slices as one."""
    if isinstance(result, tuple):
        return tuple([restored(part, size, out_dims) for part in result])
    if is_unknown(result) or not is_tensor(result) or not ranked(result) or not isinstance(out_dims, int):
        return unknown("the results of a function over a dimension")
    shape = shape_of(result)
    place = out_dims + len(shape) + 1 if out_dims < 0 else out_dims
    return tensor(shape[:place] + (size,) + shape[place:], dtype_of(result))


def grad(func, argnums=0, has_aux=False):
    def gradient(*args, **kwargs):
        func(*args, **kwargs)
        if argnums == 0 and has_aux is False and len(args) > 0 and is_tensor(args[0]):
            return alike(args[0], dtype_of(args[0]))
        return unknown("gradients")

    return gradient


def grad_and_value(func, argnums=0, has_aux=False):
    def both(*args, **kwargs):
        value = func(*args, **kwargs)
        if argnums == 0 and has_aux is False and len(args) > 0 and is_tensor(args[0]):
            return alike(args[0], dtype_of(args[0])), value
        return unknown("gradients and a value")

    return both


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    return unknown("a module with other parameters")
