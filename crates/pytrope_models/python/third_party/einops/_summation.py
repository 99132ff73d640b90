"""einsum with names of several letters."""

from _pytrope import (
    einsum_shape,
    has_rank,
    is_array,
    is_constant,
    is_unknown,
    learn_rank,
    pattern_tokens,
    refuted,
    require,
    shape_of,
    unknown,
)

from ._patterns import complain, parse_expression

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def einsum(*tensors_and_pattern):
    if not has_rank(tensors_and_pattern):
        return unknown("a sum over unknown tensors")
    if len(tensors_and_pattern) < 2:
        require(False, ValueError, "einsum takes tensors and a pattern", rule="einsum-mismatch")
    pattern = tensors_and_pattern[-1]
    tensors = tensors_and_pattern[:-1]
    if is_unknown(pattern) or not is_constant(pattern):
        return unknown("an unknown pattern")
    if not isinstance(pattern, str):
        require(False, ValueError, "the last argument of einsum is its pattern", rule="einsum-mismatch")
    sides = split_pattern(pattern)
    operands, output = sides
    for position, x in enumerate(tensors):
        if len(operands) == len(tensors) and operands[position].ellipsis() is None:
            learn_rank(x, len(operands[position].groups))
    for x in tensors:
        if is_unknown(x) or not is_array(x) or not has_rank(shape_of(x)):
            return open_sum(tensors, output)
    letters = {}
    terms = [term_of(side, letters) for side in operands]
    for name in output.names():
        if name not in letters:
            complain("einsum", pattern, f"axis {name} is in no operand", output.place_of(name))
    if len(operands) != len(tensors):
        require(
            False,
            tensors[0]._sum_error(),
            f"einsum '{pattern}': {len(operands)} operands are described, but {len(tensors)} are given",
            rule="einsum-mismatch",
        )
    name_mismatches(pattern, operands, tensors)
    spec = ",".join(terms) + "->" + term_of(output, letters)
    first = tensors[0]
    shape = einsum_shape(spec, [shape_of(x) for x in tensors], error=first._sum_error())
    return first._of_shape(shape, first._common_dtype(tensors), True)


def open_sum(tensors, output):
    """A sum over tensors of which some are not known: the pattern says how many axes it has."""
    if output.ellipsis() is None:
        for x in tensors:
            if not is_unknown(x) and is_array(x):
                return x._of_shape(tuple([unknown("a size") for _ in output.groups]), unknown("an element type"))
    return unknown("a sum over unknown tensors")


def name_mismatches(pattern, operands, tensors):
    """Sizes that certainly differ are reported by the names of the pattern, before letters stand for them."""
    known = {}
    for side, x in zip(operands, tensors):
        shape = shape_of(x)
        if side.ellipsis() is not None or len(side.groups) != len(shape):
            continue
        for group, size in zip(side.groups, shape):
            name = group[0][0]
            if name in known and refuted(size == known[name]) and refuted(size == 1) and refuted(known[name] == 1):
                require(
                    False,
                    x._sum_error(),
                    f"einsum '{pattern}': axis {name} is {known[name]}, but {size} in shape {shape}",
                    rule="einsum-mismatch",
                    within=(pattern, group[0][1], group[0][2], f"{size} here"),
                )
            if name not in known:
                known[name] = size


def split_pattern(pattern):
    """The operands and the result that a pattern describes."""
    tokens = pattern_tokens(pattern)
    arrows = [position for position, token in enumerate(tokens) if token[0] == "->"]
    if len(arrows) == 0:
        require(False, ValueError, f"einsum '{pattern}': the pattern needs -> and a result", rule="einsum-mismatch")
    if len(arrows) > 1:
        require(False, ValueError, f"einsum '{pattern}': the pattern needs exactly one ->", rule="einsum-mismatch")
    operands, current = [], []
    for token in tokens[: arrows[0]]:
        if token[0] == ",":
            operands.append(current)
            current = []
        else:
            current.append(token)
    operands.append(current)
    sides = [simple_side(pattern, operand) for operand in operands]
    return sides, simple_side(pattern, tokens[arrows[0] + 1 :])


def simple_side(pattern, tokens):
    seen = []
    for token in tokens:
        if token[0] in ("(", ")"):
            require(
                False,
                NotImplementedError,
                f"einsum '{pattern}': axes cannot be grouped",
                rule="einsum-mismatch",
                within=(pattern, token[1], token[2], "here"),
            )
        if token[0].isdecimal():
            require(
                False,
                NotImplementedError,
                f"einsum '{pattern}': numbers cannot be axes",
                rule="einsum-mismatch",
                within=(pattern, token[1], token[2], "here"),
            )
    distinct = []
    for token in tokens:
        if token[0] not in seen:
            seen.append(token[0])
            distinct.append(token)
    side = parse_expression("einsum", pattern, distinct)
    side.groups = [[token] for token in tokens]
    side.parts = [False for _ in tokens]
    return side


def term_of(side, letters):
    """One operand in letters."""
    term = ""
    for group in side.groups:
        name = group[0][0]
        if name == "...":
            term = term + "..."
        else:
            if name not in letters:
                letters[name] = LETTERS[len(letters)]
            term = term + letters[name]
    return term
