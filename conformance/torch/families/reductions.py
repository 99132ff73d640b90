"""Reductions, scans, sorting and softmax: dims, negative dims, tuples, keepdim, empty tensors."""

from ._shapes import b, i, t

SHAPES = [(), (3,), (0,), (2, 3), (2, 0), (0, 3), (2, 3, 4), (1, 2, 1, 3, 2)]
DIMS = ["0", "1", "-1", "-2", "2", "-3", "5", "dim=0", "dim=-1"]
MANY = ["(0,)", "(0, 1)", "(0, -1)", "(0, 0)", "[1, 0]", "(1, 5)", "()"]


def rows():
    for name in "sum mean prod max min amax amin any all argmax argmin std var norm median nansum count_nonzero logsumexp cumsum cumprod sort argsort softmax mode nanmean".split():
        for shape in SHAPES:
            yield f"{t(*shape)}.{name}()"
            for dim in DIMS:
                if name == "norm":
                    dim = "dim=" + dim.removeprefix("dim=")
                yield f"{t(*shape)}.{name}({dim})"
        yield f"torch.{name}({t(2, 3)})"
        yield f"torch.{name}({t(2, 3)}, dim=1)"
        if name not in ("cumsum", "cumprod", "sort", "argsort", "softmax", "count_nonzero"):
            for shape in SHAPES[1:]:
                for dim in ("0", "-1", "1"):
                    yield f"{t(*shape)}.{name}(dim={dim}, keepdim=True)"
            yield f"{t(2, 3)}.{name}(1, keepdim=False)" if name != "norm" else "t(2, 3).norm(2, 1)"
        for source in ("i(2, 3)", "b(2, 3)"):
            yield f"{source}.{name}(dim=1)" if name not in ("max", "min", "median", "mode", "sort") else f"{source}.{name}(dim=1)[1]"
            yield f"{source}.{name}()"
    for name in "sum mean amax amin std var norm logsumexp nansum count_nonzero prod max any argmax".split():
        for shape in [(2, 3), (2, 3, 4), (3,), (0, 3)]:
            for dims in MANY:
                yield f"{t(*shape)}.{name}(dim={dims})"
            yield f"{t(*shape)}.{name}(dim=(0, -1), keepdim=True)"
    for name in "softmax log_softmax softmin".split():
        for shape in SHAPES:
            for dim in ("0", "-1", "2", "-3"):
                yield f"F.{name}({t(*shape)}, dim={dim})"
        yield f"F.{name}({i(2, 3)}, dim=1)"
        yield f"F.{name}({t(2, 3)}, dim=1, dtype=torch.float64)"
    for shape in SHAPES:
        for k in (0, 1, 2, 4):
            yield f"{t(*shape)}.topk({k})"
            yield f"torch.topk({t(*shape)}, {k}, dim=0)"
        for dim in ("0", "-1", "4"):
            yield f"torch.kthvalue({t(*shape)}, 1, dim={dim})"
            yield f"torch.cummax({t(*shape)}, {dim})"
            yield f"torch.logcumsumexp({t(*shape)}, {dim})"
            yield f"torch.sort({t(*shape)}, dim={dim}, descending=True)"
            yield f"torch.unique({i(*shape)}, dim={dim}).dim()" if shape and 0 not in shape else f"{i(*shape)}.dim()"
            yield f"torch.diff({t(*shape)}, dim={dim})"
            yield f"F.normalize({t(*shape)}, dim={dim})"
            yield f"torch.var_mean({t(*shape)}, dim={dim})"
            yield f"torch.std_mean({t(*shape)}, dim={dim}, keepdim=True)"
    for shape in [(3,), (2, 3), (2, 3, 4)]:
        for arguments in ("1", "-1, 'fro'", "p=2, dim=-1", "p=1, dim=0, keepdim=True", "dim=(0, 1)", "2, 5"):
            yield f"{t(*shape)}.norm({arguments})"
            yield f"torch.norm({t(*shape)}, {arguments})"
        for arguments in ("", ", dim=0", ", dim=-1, keepdim=True", ", ord=2, dim=1", ", 1", ", dim=(0, 1)", ", dim=7"):
            yield f"torch.linalg.norm({t(*shape)}{arguments})"
            yield f"torch.linalg.vector_norm({t(*shape)}{arguments})"
    for dtype in "int32 float64 bool uint8 float16".split():
        for name in "sum prod cumsum mean".split():
            arguments = "0" if name == "cumsum" else ""
            yield f"torch.ones(2, 3, dtype=torch.{dtype}).{name}({arguments})"
            yield f"torch.ones(2, 3, dtype=torch.{dtype}).{name}({arguments or '0'}, dtype=torch.float32)"
        yield f"torch.ones(2, 3, dtype=torch.{dtype}).sum(dtype=torch.float64)"
    for row in ["torch.max(t(2, 3), t(3))", "torch.min(t(2, 3), t(2))", "t(2, 3).max(t(2, 1))", "torch.max(t(2, 3), 0)", "torch.max(t(2, 3), 1, keepdim=True)", "torch.max(t(2, 3), 0)[0]",
                "torch.max(t(2, 3), 0).values", "torch.max(t(2, 3), 1).indices", "t(2, 3).sort(-1, descending=True)[1]", "t(4, 5).topk(2, dim=1)[0]", "t(4, 5).topk(6, dim=1)", "torch.dist(t(2), t(2))",
                "torch.histc(t(5), bins=4)", "torch.bincount(i(5), minlength=4)", "torch.quantile(t(5), 0.5)", "torch.quantile(t(3, 5), t(2), dim=1)", "torch.trace(t(3, 4))", "torch.trace(t(3))",
                "torch.msort(t(3, 4))", "torch.aminmax(t(3, 4))", "torch.aminmax(t(3, 4), dim=1)", "t(3).sum(0, True)", "t(3, 4).mean((0, 1), True)", "t(3, 4).sum(1, keepdims=True)"]:
        yield row
    yield f"{b(2, 3)}.sum(-1)"
    yield f"{i(2, 3)}.sum(axis=1)"
    yield f"{t(2, 3)}.mean(axis=0, keepdim=True)"
    yield f"{t(2, 3)}.argmax(axis=1)"
