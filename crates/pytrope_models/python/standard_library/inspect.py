"""`inspect`: signatures of functions written in Python; the rest is Unknown."""

from _pytrope import parameters_of, unknown


class _empty:
    pass


class _ParameterKind:
    """A number with a name."""

    def __init__(self, value, name):
        self.value = value
        self.name = name

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, _ParameterKind) else other)

    def __lt__(self, other):
        return self.value < (other.value if isinstance(other, _ParameterKind) else other)

    def __gt__(self, other):
        return self.value > (other.value if isinstance(other, _ParameterKind) else other)

    def __le__(self, other):
        return not self > other

    def __ge__(self, other):
        return not self < other

    def __hash__(self):
        return hash(self.value)

    def __int__(self):
        return self.value


class Parameter:
    POSITIONAL_ONLY = _ParameterKind(0, "POSITIONAL_ONLY")
    POSITIONAL_OR_KEYWORD = _ParameterKind(1, "POSITIONAL_OR_KEYWORD")
    VAR_POSITIONAL = _ParameterKind(2, "VAR_POSITIONAL")
    KEYWORD_ONLY = _ParameterKind(3, "KEYWORD_ONLY")
    VAR_KEYWORD = _ParameterKind(4, "VAR_KEYWORD")
    empty = _empty

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.name = name
        self.kind = kind
        self.default = default
        self.annotation = annotation


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty):
        # A mapping by name, whatever sequence it is made of.
        self.parameters = parameters if isinstance(parameters, dict) else unknown("the parameters of a signature")
        self.return_annotation = return_annotation


_KINDS = (
    Parameter.POSITIONAL_ONLY,
    Parameter.POSITIONAL_OR_KEYWORD,
    Parameter.VAR_POSITIONAL,
    Parameter.KEYWORD_ONLY,
    Parameter.VAR_KEYWORD,
)


def signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
    listed = parameters_of(obj)
    if listed is None or not follow_wrapped:
        return unknown("the signature is not known")
    parameters = {}
    for name, kind, has_default in listed:
        default = unknown("a default") if has_default else _empty
        parameters[name] = Parameter(name, _KINDS[kind], default=default, annotation=unknown("an annotation"))
    return Signature(parameters, return_annotation=unknown("an annotation"))


def get_annotations(obj, *, globals=None, locals=None, eval_str=False):
    return unknown("annotations")
