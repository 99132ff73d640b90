"""Views, permutations and everything else that only moves elements."""

from ._shapes import b, fill, i, t

SHAPES = [(), (3,), (0,), (6,), (2, 3), (0, 3), (2, 3, 4), (1, 3, 1), (2, 1, 3, 1), (1, 2, 1, 2, 1, 2)]
TARGETS = ["6", "-1", "2, 3", "3, -1", "-1, 4", "0, -1", "-1, -1", "1, -1, 1", "2, 12", "5, -1", "0", "1", "-2", "24", "(2, 3)", "[3, 2]", "(-1, 2)", "()", "2, 3, 4", "1, 1", "-1, 0"]
DIMS = ["0", "1", "-1", "-2", "2", "3", "-4"]


def rows():
    for shape in SHAPES:
        x = t(*shape)
        for target in TARGETS:
            yield f"{x}.reshape({target})"
            yield f"{x}.view({target})"
        for target in ["(2, 3)", "(-1,)", "(3, -1)", "[-1, 2]", "()", "(0, -1)", "6", "-1"]:
            yield f"torch.reshape({x}, {target})"
        yield from fill([f"{x}.flatten()", f"{x}.flatten({{d}})", f"torch.flatten({x}, {{d}})", f"{x}.flatten({{d}}, {{e}})", f"torch.flatten({x}, start_dim={{d}}, end_dim={{e}})"],
                        d=["0", "1", "-1", "-2", "3"], e=["0", "1", "-1", "2"])
        yield f"{x}.squeeze()"
        yield f"torch.squeeze({x})"
        yield from fill([f"{x}.squeeze({{d}})", f"{x}.unsqueeze({{d}})", f"torch.unsqueeze({x}, {{d}})", f"torch.squeeze({x}, dim={{d}})", f"{x}.size({{d}})", f"{x}.shape[{{d}}]"], d=DIMS)
        yield from fill([f"{x}.transpose({{d}}, {{e}})", f"torch.transpose({x}, {{d}}, {{e}})", f"{x}.swapaxes({{d}}, {{e}})", f"{x}.movedim({{d}}, {{e}})"], d=["0", "1", "-1", "3"], e=["0", "-2", "1"])
        for dims in ["0", "1, 0", "0, 1", "(1, 0)", "2, 0, 1", "(-1, 0, 1)", "0, 0", "0, 1, 2, 3", "3, 2, 1, 0", "[0, 2, 1]"]:
            yield f"{x}.permute({dims})"
        yield f"torch.permute({x}, (1, 0))"
        yield f"torch.permute({x}, (0, 2, 1))"
        yield f"{x}.t()"
        yield f"{x}.T"
        yield f"{x}.mT"
        yield f"torch.t({x})"
        for sizes in ["3", "2, 3", "-1, 3", "4, -1, -1", "(5, 2, 3)", "-1", "2, 3, 4", "0, 3", "2, -1, 4, 3", "1", "-1, -1, 5", "3, 1, 1", "6, 6"]:
            yield f"{x}.expand({sizes})"
        for sizes in ["(2, 3)", "(4, 2, 3)", "(3,)", "(2, 5, 3, 4)"]:
            yield f"torch.broadcast_to({x}, {sizes})"
            yield f"{x}.expand_as(t({sizes.strip('()').rstrip(',')}))"
        for sizes in ["2", "2, 1", "1, 2, 1", "(3, 2)", "0", "2, 0, 2", "1, 1, 1, 2"]:
            yield f"{x}.repeat({sizes})"
            yield f"{x}.tile({sizes if sizes.startswith('(') else '(' + sizes + ',)'})"
        yield from fill([f"{x}.repeat_interleave(2, dim={{d}})", f"torch.roll({x}, 1, {{d}})", f"{x}.flip({{d}})", f"torch.flip({x}, [{{d}}])", f"{x}.unbind({{d}})", f"torch.unbind({x}, dim={{d}})"], d=["0", "-1", "1", "4"])
        yield f"{x}.repeat_interleave(3)"
        yield f"torch.roll({x}, 2)"
        yield f"torch.roll({x}, (1, 1), (0, 1))"
        yield f"torch.roll({x}, shifts=(1, 2), dims=(0,))"
        yield f"{x}.flip((0, 1))"
        yield f"{x}.flip(0, 0)"
        yield f"torch.rot90({x})"
        yield f"torch.rot90({x}, 1, (0, 1))"
        yield from fill([f"{x}.select({{d}}, 0)", f"{x}.select({{d}}, -1)", f"{x}.select({{d}}, 5)", f"{x}.narrow({{d}}, 0, 2)", f"{x}.narrow({{d}}, 1, 2)", f"{x}.narrow({{d}}, 0, 0)",
                         f"{x}.unfold({{d}}, 2, 1)", f"{x}.unfold({{d}}, 1, 2)"], d=["0", "1", "-1", "2"])
        for arguments in ["", "1", "-1", "5"]:
            yield f"torch.diag({x}{', ' + arguments if arguments else ''})"
            yield f"{x}.diagonal({arguments})"
            yield f"{x}.tril({arguments})"
            yield f"torch.triu({x}{', diagonal=' + arguments if arguments else ''})"
        yield f"{x}.diagonal(dim1=-2, dim2=-1)"
        yield f"torch.diag_embed({x})"
        yield f"{x}.ravel()"
        yield f"{x}.view_as(t(2, 3))"
        yield f"{x}.reshape_as(t(6))"
        for name in "dim() ndim numel() size() shape nelement() ndimension() contiguous() is_contiguous() T.shape".split():
            if name != "is_contiguous()":
                yield f"{x}.{name}"
        yield f"torch.numel({x})"
        yield f"tuple({x}.shape)"
        yield f"list({x}.size())"
        yield f"{x}.shape.numel()"
        yield f"{x}.size()[-1]"
        yield f"{x}.shape[:-1]"
        yield f"{x}.shape + (1,)"
        yield f"{x}.shape == (2, 3)"
        yield f"torch.atleast_1d({x})"
        yield f"torch.atleast_2d({x})"
        yield f"torch.atleast_3d({x})"
        yield f"torch.moveaxis({x}, 0, -1)"
        yield f"torch.swapdims({x}, 0, -1)"
        yield f"{x}.adjoint()"
        yield f"{x}.unflatten(0, (2, -1))"
        yield f"{x}.unflatten(-1, (3, 1))"
        yield f"{x}.unflatten(0, (4, 2))"
        yield f"nn.Unflatten(1, (3, 1))({x})"
        yield f"nn.Flatten()({x})"
        yield f"nn.Flatten(0)({x})"
        yield f"nn.Flatten(0, 1)({x})"
    for row in ["t(2, 3).transpose(0, 1).view(6)", "t(2, 3).t().reshape(6)", "t(2, 3).expand(4, 2, 3).reshape(-1)", "i(2, 3).view(-1)", "b(2, 3).reshape(3, 2)", "t(2, 3).permute(1, 0).contiguous().view(-1)",
                "t(4, 6).view(4, 2, 3).transpose(1, 2).contiguous().view(4, 6)", "t(2, 3, 4).permute(dims=(2, 0, 1))", "t(2, 3).view(torch.int32)", "t(8, 3).view(2, 4, -1)", "t(8, 3).view(2, -1, 5)",
                "t(2, 8).view(2, 2, 2, 2).permute(0, 2, 1, 3).shape", "torch.movedim(t(2, 3, 4), (0, 1), (1, 2))", "t(2, 3).unsqueeze_(0)", "t(1, 3).squeeze_()", "t(2, 3).transpose_(0, 1)", "t(2, 3).t_()",
                "t(6).view(size=(2, 3))", "t(6).reshape(shape=(2, 3))", "t(3, 4).repeat_interleave(i(3) + 2, dim=0).dim()", "torch.repeat_interleave(t(3, 4), 2)", "torch.repeat_interleave(t(3, 4), 2, 1)",
                "t(2, 3, 4, 5).flatten(1).shape", "t(2, 3).H", "t(2).H", "t(2, 3).size(dim=1)", "t(2, 3).stride()", "t(2, 3, 4).stride()", "t(2, 3).element_size()"]:
        yield row
    yield f"{i(2, 3)}.flatten()"
    yield f"{b(2, 3)}.t()"
