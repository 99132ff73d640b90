"""`inspect`: signatures of functions written in Python; the rest is Unknown."""

from _pytrope import parameters_of, unknown


class _empty:
    pass


class Parameter:
    POSITIONAL_ONLY = 0
    POSITIONAL_OR_KEYWORD = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4
    empty = _empty

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        self.name = name
        self.kind = kind
        self.default = default
        self.annotation = annotation


class Signature:
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty):
        self.parameters = parameters
        self.return_annotation = return_annotation


def signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
    listed = parameters_of(obj)
    if listed is None or not follow_wrapped:
        return unknown("the signature is not known")
    parameters = {}
    for name, kind, has_default in listed:
        default = unknown("a default") if has_default else _empty
        parameters[name] = Parameter(name, kind, default=default, annotation=unknown("an annotation"))
    return Signature(parameters, return_annotation=unknown("an annotation"))
