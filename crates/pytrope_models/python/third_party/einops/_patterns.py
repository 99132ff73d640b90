"""Patterns such as `'b (h w) c -> b h w c'`, read with positions, so that a finding points at the axis it is about.

A side of a pattern is a list of groups; a group is a list of axes `(name, start, end)`, where the positions are those
of the pattern's text. `(h w)` is a group of two axes, `()` and `1` stand for an axis of size 1, `...` for any number
of axes.
"""

from _pytrope import is_constant, pattern_tokens, require, unknown

from ._errors import EinopsError


class Side:
    """One side of a pattern."""

    def __init__(self, groups, parts):
        self.groups = groups
        self.parts = parts

    def names(self):
        """The names of its axes, without numbers and the ellipsis."""
        return [axis[0] for group in self.groups for axis in group if is_name(axis[0])]

    def ellipsis(self):
        """The position of the group that holds the ellipsis, or None."""
        for position, group in enumerate(self.groups):
            for axis in group:
                if axis[0] == "...":
                    return position
        return None

    def has_grouped_ellipsis(self):
        place = self.ellipsis()
        return place is not None and self.parts[place]

    def place_of(self, name):
        """Where an axis stands in the pattern's text."""
        for group in self.groups:
            for axis in group:
                if axis[0] == name:
                    return axis
        return None


def is_name(text):
    return text != "..." and text != "_" and not text.isdecimal()


def number_axes(side):
    """The axes that are numbers other than 1."""
    return [axis for group in side.groups for axis in group if axis[0].isdecimal() and int(axis[0]) != 1]


def complain(function, pattern, what, axis=None, label="here"):
    """The pattern itself is wrong, whatever the tensor is."""
    refuse(False, function, pattern, what, axis, label, EinopsError)


def refuse(holds, function, pattern, what, axis=None, label="here", error=None):
    """What einops requires of a pattern and the sizes; `axis` says where in the pattern."""
    if error is None:
        error = RuntimeError if function == "parse_shape" else EinopsError
    message = f"{function} '{pattern}': {what}"
    if axis is None:
        require(holds, error, message, rule="einsum-mismatch")
    else:
        require(holds, error, message, rule="einsum-mismatch", within=(pattern, axis[1], axis[2], label))


def parse_expression(function, pattern, tokens_of, underscore=False):
    """One side of a pattern, from its text or from the tokens of it."""
    tokens = pattern_tokens(tokens_of) if isinstance(tokens_of, str) else tokens_of
    groups, parts, seen = [], [], []
    inside = None
    for token in tokens:
        text = token[0]
        if text == "(":
            if inside is not None:
                complain(function, pattern, "groups of axes cannot be nested", token)
            inside = []
        elif text == ")":
            if inside is None:
                complain(function, pattern, "a closing parenthesis without an opening one", token)
            groups.append(inside)
            parts.append(True)
            inside = None
        else:
            check_axis_name(function, pattern, token, seen, underscore)
            if is_name(text) or text == "...":
                seen.append(text)
            if inside is not None:
                if not (text.isdecimal() and int(text) == 1):
                    inside.append(token)
            else:
                groups.append([token])
                parts.append(False)
    if inside is not None:
        complain(function, pattern, "a parenthesis is not closed")
    return Side(groups, parts)


def check_axis_name(function, pattern, token, seen, underscore):
    text = token[0]
    if text in seen:
        complain(function, pattern, f"axis {text} is named twice on one side", token, "named again here")
    if text == "...":
        return
    if text.isdecimal():
        if int(text) == 0:
            complain(function, pattern, "an axis of size 0 cannot be written as a number", token)
        return
    if text == "_":
        if not underscore:
            complain(function, pattern, "_ cannot be the name of an axis here", token)
        return
    if not text.isidentifier() or text[0] == "_" or text[-1] == "_":
        complain(function, pattern, f"{text} is not a valid axis name", token)


def parse_pattern(function, pattern):
    """Both sides of a transformation; Unknown if the pattern is not a known text."""
    if not is_constant(pattern) or not isinstance(pattern, str):
        return unknown("an unknown pattern")
    tokens = pattern_tokens(pattern)
    arrows = [position for position, token in enumerate(tokens) if token[0] == "->"]
    if len(arrows) != 1:
        require(
            False,
            ValueError,
            f"{function} '{pattern}': the pattern needs exactly one ->",
            rule="einsum-mismatch",
        )
    left = parse_expression(function, pattern, tokens[: arrows[0]])
    right = parse_expression(function, pattern, tokens[arrows[0] + 1 :])
    if left.ellipsis() is None and right.ellipsis() is not None:
        complain(function, pattern, "... is only on the right side", right.place_of("..."))
    if left.has_grouped_ellipsis():
        complain(function, pattern, "... cannot be in a group on the left side", left.place_of("..."))
    return left, right
