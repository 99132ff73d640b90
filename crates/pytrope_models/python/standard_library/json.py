"""`json`: text out is a string, what comes in is Unknown; what is no document and what has no text."""

from _pytrope import is_constant, json_problem, some, standard, unknown


class JSONDecodeError(ValueError):
    pass


JSONDecoder = standard()
JSONEncoder = standard()


def _require_text(obj, options):
    """Refuses what has no text. Options may give it one."""
    if len(options) > 0:
        return
    if isinstance(obj, (set, frozenset, bytes, bytearray, complex, range)):
        raise TypeError(f"Object of type {type(obj).__name__} is not JSON serializable")
    if isinstance(obj, dict):
        if is_constant(len(obj)):
            for key in obj:
                if isinstance(key, (tuple, bytes, frozenset)):
                    raise TypeError(f"keys must be str, int, float, bool or None, not {type(key).__name__}")
            for value in obj.values():
                _require_text(value, options)
    elif isinstance(obj, (list, tuple)):
        if is_constant(len(obj)):
            for value in obj:
                _require_text(value, options)


def dumps(obj, **options):
    _require_text(obj, options)
    return some(str)


def dump(obj, fp, **options):
    _require_text(obj, options)
    return None


def loads(s, **options):
    if isinstance(s, str) and is_constant(s) and len(options) == 0:
        problem = json_problem(s)
        if problem is not None:
            raise JSONDecodeError(problem)
    return unknown("json.loads reads data")


def load(fp, **options):
    return unknown("json.load reads data")
