"""torch.jit: code that Python runs is not scripted; decorators leave functions as they are."""

from _pytrope import unknown

Final = unknown("a type")


def is_scripting():
    return False


def is_tracing():
    return bool(unknown("whether a tracer runs"))


def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    return obj


def trace(func, example_inputs=None, **options):
    return unknown("a traced function")


def ignore(drop=False, **kwargs):
    if callable(drop):
        return drop
    return lambda fn: fn


def unused(fn):
    return fn


def export(fn):
    return fn


def _overload_method(fn):
    return unknown("an overload")


def script_if_tracing(fn):
    return fn


def annotate(the_type, the_value):
    return the_value


def isinstance(obj, target_type):
    return unknown("a type test")
