"""`types`: `SimpleNamespace`, and in a closed world the classes of functions and modules; the rest is Unknown."""

from _pytrope import closed_world, standard, unknown


class SimpleNamespace:
    """An object with the attributes that it is given."""

    def __init__(self, mapping_or_iterable=(), /, **kwargs):
        given = {} if isinstance(mapping_or_iterable, tuple) and len(mapping_or_iterable) == 0 else None
        if given is None:
            given = dict(mapping_or_iterable)
        for name, value in given.items():
            setattr(self, name, value)
        for name, value in kwargs.items():
            setattr(self, name, value)


class FunctionType(unknown("the class of functions")):
    _pytrope_types = ("function",)


class MethodType(unknown("the class of methods")):
    _pytrope_types = ("method",)


class BuiltinFunctionType(unknown("the class of builtin functions")):
    _pytrope_types = ("builtin_function_or_method",)


class ModuleType(unknown("the class of modules")):
    _pytrope_types = ("module",)


if not closed_world():
    FunctionType = standard()
    MethodType = standard()
    BuiltinFunctionType = standard()
    ModuleType = standard()

LambdaType = FunctionType
BuiltinMethodType = BuiltinFunctionType
