"""Values on the command line, and results on the terminal."""

from __future__ import annotations

import ast
from types import ModuleType
from typing import Any

__all__ = ["read_value", "show"]


def read_value(text: str, names: dict[str, Any]) -> Any:
    """A literal, or a call on such values: of what the choreography's file defines, or of a module that it imports."""
    try:
        expression = ast.parse(text, mode="eval").body
    except SyntaxError:
        raise ValueError(f"{text!r} is not a Python value (strings need quotes)") from None
    return _value(expression, names)


def _value(expression: ast.expr, names: dict[str, Any]) -> Any:
    match expression:
        case ast.List(elts):
            return [_value(item, names) for item in elts]
        case ast.Tuple(elts):
            return tuple(_value(item, names) for item in elts)
        case ast.Set(elts):
            return {_value(item, names) for item in elts}
        case ast.Dict(keys, values) if all(key is not None for key in keys):
            return {_value(k, names): _value(v, names) for k, v in zip(keys, values, strict=True) if k is not None}
        case ast.Call(ast.Name(name), args, keywords) if callable(names.get(name)):
            given = {keyword.arg: _value(keyword.value, names) for keyword in keywords if keyword.arg}
            return names[name](*(_value(argument, names) for argument in args), **given)
        case ast.Call(ast.Attribute(ast.Name(name), attribute), args, keywords) if isinstance(
            names.get(name), ModuleType
        ) and callable(getattr(names[name], attribute, None)):
            given = {keyword.arg: _value(keyword.value, names) for keyword in keywords if keyword.arg}
            return getattr(names[name], attribute)(*(_value(argument, names) for argument in args), **given)
        case ast.Attribute(ast.Name(name), attribute) if isinstance(names.get(name), type):
            return getattr(names[name], attribute)
        case ast.Name(name) if name in names and not name.startswith("__"):
            return names[name]
        case _:
            try:
                return ast.literal_eval(expression)
            except ValueError:
                raise ValueError(
                    f"{ast.unparse(expression)!r} is not a value known here (strings need quotes of their own)"
                ) from None


def show(value: object) -> str:
    """A result for people: objects without a text of their own are shown by their fields."""
    if isinstance(value, tuple) and type(value) is tuple:
        return f"({', '.join(map(show, value))}{',' if len(value) == 1 else ''})"
    if type(value).__repr__ is object.__repr__ and hasattr(value, "__dict__"):
        fields = ", ".join(f"{name}={show(item)}" for name, item in vars(value).items())
        return f"{type(value).__name__}({fields})"
    return repr(value)
