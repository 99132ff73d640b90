"""torch.func: functions of functions. `vmap` adds a dimension, `grad` gives what it differentiates by."""

from _pytrope import call_back, dtype_of, is_constant, is_unknown, require, shape_of, unknown

from ._make import alike, is_tensor, ranked, tensor


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """The function on each slice along a dimension, with the results stacked."""

    def batched(*args, **kwargs):
        if not is_constant(in_dims) or not is_constant(out_dims) or len(kwargs) > 0 or not is_constant(len(args)):
            return unknown("a function over unknown dimensions")
        if isinstance(in_dims, (tuple, list)):
            require(
                len(in_dims) == len(args),
                ValueError,
                f"in_dims and the arguments of vmap differ in number: {len(in_dims)} ≠ {len(args)}",
            )
        dims = in_dims if isinstance(in_dims, (tuple, list)) else (in_dims,) * len(args)
        sizes = []
        slices = [slice_of(argument, dim, sizes) for argument, dim in zip(args, dims)]
        for part in sizes:
            if part is None:
                return unknown("a function over unknown dimensions")
        if len(sizes) == 0:
            return unknown("a function over no dimension")
        for size in sizes[1:]:
            require(
                size == sizes[0],
                ValueError,
                f"vmap maps along axes of different sizes: {sizes[0]} ≠ {size}",
                rule="broadcast-mismatch",
            )
        return restored(call_back(func, *slices), sizes[0], out_dims)

    return batched


def slice_of(argument, dim, sizes):
    """One slice of an argument, which may be a tuple, list or dictionary of tensors; notes the number of slices."""
    if dim is None:
        return argument
    if is_unknown(argument):
        # It may be a tree of tensors of any depth.
        sizes.append(None)
        return argument
    if isinstance(argument, dict) and isinstance(dim, int):
        return {name: slice_of(part, dim, sizes) for name, part in argument.items()}
    if isinstance(argument, (tuple, list)) and isinstance(dim, int):
        return type(argument)([slice_of(part, dim, sizes) for part in argument])
    if not is_tensor(argument) or not ranked(argument) or not isinstance(dim, int):
        sizes.append(None)
        return argument
    shape = shape_of(argument)
    require(
        -len(shape) <= dim and dim < len(shape),
        ValueError,
        f"vmap dim {dim} is out of range for a tensor of shape {shape}",
        rule="axis-out-of-range",
    )
    place = dim + len(shape) if dim < 0 else dim
    sizes.append(shape[place])
    return tensor(shape[:place] + shape[place + 1 :], dtype_of(argument))


def restored(result, size, out_dims):
    """The results for all slices as one."""
    if is_unknown(result):
        return unknown("the results of a function whose result is unknown")
    if isinstance(result, tuple):
        return tuple([restored(part, size, out_dims) for part in result])
    if isinstance(result, dict):
        return {name: restored(part, size, out_dims) for name, part in result.items()}
    if is_unknown(result) or not is_tensor(result) or not ranked(result) or not isinstance(out_dims, int):
        return unknown("the results of a function over a dimension")
    shape = shape_of(result)
    require(
        -len(shape) - 1 <= out_dims and out_dims <= len(shape),
        IndexError,
        f"out_dims {out_dims} does not fit results of shape {shape}",
        rule="axis-out-of-range",
    )
    place = out_dims + len(shape) + 1 if out_dims < 0 else out_dims
    return tensor(shape[:place] + (size,) + shape[place:], dtype_of(result))


def like_argument(argument):
    """A gradient by an argument: tensors of its shapes."""
    if isinstance(argument, dict):
        return {name: like_argument(part) for name, part in argument.items()}
    if isinstance(argument, (tuple, list)):
        return type(argument)([like_argument(part) for part in argument])
    if is_unknown(argument) or not is_tensor(argument):
        return unknown("a gradient")
    return alike(argument, dtype_of(argument))


def chosen_arguments(args, argnums):
    """Gradients by the arguments that are asked for."""
    if is_constant(argnums) and isinstance(argnums, int) and argnums < len(args):
        return like_argument(args[argnums])
    if is_constant(argnums) and isinstance(argnums, tuple):
        return tuple([like_argument(args[number]) for number in argnums if number < len(args)])
    return unknown("gradients")


def scalar_of(value, has_aux):
    """What is differentiated is one number."""
    number = value
    if has_aux is False and not is_unknown(value):
        if isinstance(value, (tuple, list, dict)) or is_constant(value):
            raise RuntimeError(f"grad needs a function whose result is a tensor, not a {type(value).__name__}")
    if has_aux is True and isinstance(value, tuple) and len(value) == 2:
        number = value[0]
    if not is_unknown(number) and is_tensor(number) and ranked(number) and is_constant(has_aux):
        require(
            len(shape_of(number)) == 0,
            RuntimeError,
            f"grad needs a function with a scalar result, but this one returns shape {shape_of(number)}",
        )


def grad(func, argnums=0, has_aux=False):
    def gradient(*args, **kwargs):
        value = call_back(func, *args, **kwargs)
        scalar_of(value, has_aux)
        if has_aux is False:
            return chosen_arguments(args, argnums)
        return unknown("gradients and what comes with them")

    return gradient


def grad_and_value(func, argnums=0, has_aux=False):
    def both(*args, **kwargs):
        value = call_back(func, *args, **kwargs)
        scalar_of(value, has_aux)
        if has_aux is False:
            return chosen_arguments(args, argnums), value
        return unknown("gradients and a value")

    return both


def derivative(result, argument, times):
    """The dimensions of the result, then those of the argument, once or twice."""
    if is_unknown(result) or is_unknown(argument) or not is_tensor(result) or not is_tensor(argument):
        return unknown("a derivative")
    if not ranked(result) or not ranked(argument):
        return unknown("a derivative")
    return tensor(shape_of(result) + shape_of(argument) * times, dtype_of(result))


def is_place(argnums, args):
    """Whether one argument is chosen, and it is there."""
    return is_constant(argnums) and isinstance(argnums, int) and 0 <= argnums and argnums < len(args)


def jacrev(func, argnums=0, has_aux=False, *, chunk_size=None, _preallocate_and_copy=False):
    def jacobian(*args, **kwargs):
        value = call_back(func, *args, **kwargs)
        if has_aux is False and is_place(argnums, args):
            return derivative(value, args[argnums], 1)
        return unknown("a derivative")

    return jacobian


def jacfwd(func, argnums=0, has_aux=False, *, randomness="error"):
    return jacrev(func, argnums, has_aux)


def hessian(func, argnums=0):
    def second(*args, **kwargs):
        value = call_back(func, *args, **kwargs)
        if is_place(argnums, args):
            return derivative(value, args[argnums], 2)
        return unknown("a derivative")

    return second


def vjp(func, *primals, has_aux=False):
    value = func(*primals)
    return (value, unknown("a function of cotangents")) if has_aux is False else unknown("a value with further results")


def jvp(func, primals, tangents, *, strict=False, has_aux=False):
    if is_unknown(primals) or not isinstance(primals, (tuple, list)):
        return unknown("a value and its tangent")
    value = func(*primals)
    return (value, like_argument(value)) if has_aux is False else unknown("a value with further results")


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """The module called with other tensors in the place of its own, which it has again afterwards."""
    given = parameter_and_buffer_dicts
    if is_unknown(module) or not isinstance(given, dict) or not is_constant(len(given)):
        return unknown("a module with other parameters")
    replaced = []
    for name, value in given.items():
        owner = owner_of(module, name)
        last = name.split(".")[-1]
        if is_unknown(owner) or not hasattr(owner, last):
            return unknown("a module with other parameters")
        replaced.append((owner, last, getattr(owner, last)))
        owner._pytrope_set(last, value)
    arguments = args if isinstance(args, tuple) else () if args is None else (args,)
    try:
        return module(*arguments) if kwargs is None else module(*arguments, **kwargs)
    finally:
        for owner, last, value in replaced:
            owner._pytrope_set(last, value)


def owner_of(module, name):
    """The module inside that a dotted name leads to."""
    for part in name.split(".")[:-1]:
        if not hasattr(module, part):
            return unknown("an unknown module")
        module = getattr(module, part)
    return module


def stack_module_state(models):
    return unknown("the parameters of several modules"), unknown("their buffers")


def functionalize(func, *, remove="mutations"):
    return func
