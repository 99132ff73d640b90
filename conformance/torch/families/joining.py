"""Concatenation, stacking, splitting, meshes and windows of tensors."""

from itertools import product

from ._shapes import b, fill, i, t

SHAPES = [(), (3,), (0,), (9,), (2, 3), (9, 4), (2, 9, 4), (0, 3)]
GROUPS = [[(2, 3), (2, 3)], [(2, 3), (4, 3)], [(2, 3), (2, 4)], [(2, 3), (3,)], [(2, 3), (0,)], [(0,), (2, 3)], [(0,), (0,)], [(), ()], [(3,), (4,)], [(3,), (3,)], [(2, 3, 4), (2, 1, 4)],
          [(2, 3, 4), (2, 3, 4), (2, 3, 5)], [(2, 0), (2, 3)], [(0, 3), (2, 4)], [(1, 3)], [(2, 3), (2, 3), (2, 3)], [(1, 2, 3, 4), (1, 2, 3, 4)], [(2, 3), (1, 3)], [(3,), ()], [(4, 3), (4, 3), (4, 2)], [(5,), (0,), (2,)]]


def rows():
    for group in GROUPS:
        tensors = ", ".join(t(*shape) for shape in group)
        for dim in ["0", "1", "-1", "2", "-2", "-3", "3"]:
            yield f"torch.cat([{tensors}], dim={dim})"
            yield f"torch.stack([{tensors}], dim={dim})"
        yield f"torch.cat(({tensors},))"
        yield f"torch.cat(({tensors},), 1)"
        yield f"torch.concat([{tensors}])"
        yield f"torch.stack([{tensors}])"
        for name in "hstack vstack dstack column_stack row_stack".split():
            yield f"torch.{name}([{tensors}])"
        yield f"torch.block_diag({tensors})"
        yield f"torch.broadcast_tensors({tensors})"
        yield f"torch.meshgrid({tensors})"
        yield f"torch.meshgrid([{tensors}], indexing='ij')"
        yield f"torch.meshgrid({tensors}, indexing='xy')"
        yield f"torch.cartesian_prod({tensors})"
    yield "torch.cat([])"
    yield "torch.stack([])"
    yield "torch.cat([t(2), i(3)])"
    yield "torch.cat([i(2, 3), b(2, 3)], 1)"
    yield "torch.stack([i(2), t(2)])"
    yield "torch.cat(t(2, 3))"
    yield "torch.cat(list(t(2, 3, 4)))"
    yield "torch.stack(list(t(2, 3, 4)), 1)"
    yield "torch.cat([t(2, 3)] * 4)"
    yield "torch.stack([t(3) for _ in range(5)])"
    yield "torch.broadcast_shapes((2, 1), (3,))"
    yield "torch.broadcast_shapes((2, 1), (4, 3))"
    yield "torch.broadcast_shapes((2,), (3,))"
    for shape, dim in product(SHAPES, ["0", "1", "-1"]):
        x = t(*shape)
        for n in [1, 2, 3, 4, 10, 0]:
            yield f"{x}.chunk({n}, dim={dim})"
            yield f"torch.split({x}, {n}, dim={dim})"
            yield f"{x}.tensor_split({n}, dim={dim})"
        for sections in ["[4, 5]", "[2, 7]", "[1, 1, 1]", "[4, 4]", "(2, 1)", "[0, 9]", "[9]", "[]"]:
            yield f"{x}.split({sections}, dim={dim})"
        for sections in ["[1]", "(2, 5)", "[3, 1]", "[-1]", "[20]"]:
            yield f"torch.tensor_split({x}, {sections}, dim={dim})"
    for shape in SHAPES:
        yield f"{t(*shape)}.chunk(3)"
        yield f"len({t(*shape)}.chunk(4))"
        yield f"{t(*shape)}.split(2)"
        for name in "hsplit vsplit dsplit".split():
            yield f"torch.{name}({t(*shape)}, 3)"
            yield f"torch.{name}({t(*shape)}, [1])"
    for padding in ["(1, 1)", "(1, 2, 3, 4)", "(0, 1, 0, 0)", "(1,)", "(-1, 0)", "(1, 1, 1, 1, 1, 1)", "[2, 0]", "(-5, 0)", "()"]:
        for shape in [(), (3,), (2, 3), (2, 3, 4), (1, 2, 3, 4), (0, 3)]:
            yield f"F.pad({t(*shape)}, {padding})"
            yield f"F.pad({t(*shape)}, {padding}, 'constant', 1.0)"
    for mode, shape, padding in product(["reflect", "replicate", "circular"], [(2, 3), (2, 3, 4), (1, 2, 3, 4), (3,)], ["(1, 1)", "(1, 1, 1, 1)", "(2, 2)", "(3, 3)", "(4, 4)", "(1, 1, 2, 2)"]):
        yield f"F.pad({t(*shape)}, {padding}, mode='{mode}')"
    for name in "ZeroPad2d ReflectionPad2d ReplicationPad2d".split():
        for argument, shape in product(["1", "(1, 2, 0, 1)", "3"], [(2, 3, 4), (1, 2, 3, 4), (3, 4), (3,)]):
            yield f"nn.{name}({argument})({t(*shape)})"
    for name in "ConstantPad1d ConstantPad2d".split():
        for shape in [(2, 3), (2, 3, 4), (1, 2, 3, 4)]:
            yield f"nn.{name}(2, 0.5)({t(*shape)})"
            yield f"nn.{name}({'(1, 3)' if '1d' in name else '(1, 0, 2, 1)'}, 0.0)({t(*shape)})"
    for name in "ReflectionPad1d ReplicationPad1d".split():
        for argument, shape in product(["1", "(2, 0)", "3"], [(2, 3), (2, 3, 4), (1, 2, 3, 4), (3,)]):
            yield f"nn.{name}({argument})({t(*shape)})"
    yield from fill(["torch.combinations(t({n}), {r})"], n=[0, 1, 3, 5], r=[1, 2, 3])
    yield f"torch.cat([{b(2)}, {b(3)}])"
    yield f"torch.stack([{i(2)}, {i(2)}], -1)"
