"""Views of tensors that were transposed, cut, expanded and copied, drawn at random with a fixed seed: which of them exist depends on
how a tensor lies in memory.
"""

import random

import torch

NAMES = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "t": lambda *shape: torch.rand(shape)}
STARTS = [(2, 3, 4), (4, 6), (2, 3, 2, 2), (1, 4, 3), (6,), (2, 1, 6), (3, 4, 2), (2, 2, 2, 3), (8, 3), (0, 3, 2)]
PLAIN = """{x}.contiguous()
{x}.clone()
{x} * 2
{x} + {x}
{x} - 1
{x}.relu()
{x}.softmax(-1)
{x}.squeeze()
{x}.t()
{x}.T
{x}.mT
{x}.flatten()
{x}.flatten(1)
{x}.flatten(0, 1)
{x}.detach()
{x}.double()
{x}.unbind(0)[0]
{x} @ {x}.mT
{x} @ t({last}, 4)
t(4, {rows}) @ {x}
nn.Linear({last}, 6)({x})
torch.cat([{x}, {x}], 0)
torch.stack([{x}, {x}], -1)
torch.matmul({x}.mT, {x})
{x}.sum(-1)
{x}.masked_fill({x} > 0.5, 0.0)
F.dropout({x}, 0.1)
{x}.to(torch.float64)
{x}[torch.tensor([0])]
F.layer_norm({x}, ({last},))
""".splitlines()


def run(statements):
    """The last tensor of a chain, or None where it raises or is none."""
    scope = dict(NAMES)
    try:
        for statement in statements:
            exec(statement, scope)  # noqa: S102
    except Exception:  # noqa: BLE001
        return None
    value = scope[statements[-1].split(" = ")[0]]
    return value if isinstance(value, torch.Tensor) else None


def factors(draw, count):
    """Sizes whose product is a number."""
    sizes = []
    while count > 1 and len(sizes) < 4:
        divisors = [size for size in range(2, count + 1) if count % size == 0]
        sizes.append(draw.choice(divisors))
        count //= sizes[-1]
    if count > 1:
        sizes.append(count)
    for _ in range(draw.choice([0, 0, 0, 1])):
        sizes.insert(draw.randrange(len(sizes) + 1), 1)
    return sizes


def step(draw, tensor, name):
    shape = tuple(tensor.shape)
    rank = len(shape)
    kinds = ["plain", "permute", "transpose", "slice", "narrow", "select", "expand", "unsqueeze", "reshape", "chunk", "split", "movedim"]
    kind = draw.choice(kinds + ["permute", "transpose"] * 2)
    place = draw.randrange(rank) if rank else 0
    if rank == 0:
        return f"{name}.reshape(1)"
    if kind == "permute":
        order = list(range(rank))
        draw.shuffle(order)
        return f"{name}.permute({', '.join(map(str, order))})"
    if kind in ("transpose", "movedim"):
        return f"{name}.{kind}({place}, {draw.randrange(-rank, rank)})"
    if kind == "slice":
        cuts = [draw.choice([":", ":", "1:", ":-1", "::2", ":1", "0", "None", "..."]) for _ in range(draw.randint(1, rank))]
        while cuts.count("...") > 1:
            cuts.remove("...")
        return f"{name}[{', '.join(cuts)}]"
    if kind == "narrow" and shape[place] > 1:
        start = draw.randrange(shape[place] - 1)
        return f"{name}.narrow({place}, {start}, {draw.randint(1, shape[place] - start)})"
    if kind == "select" and shape[place] > 0:
        return f"{name}.select({place}, {draw.randrange(shape[place])})"
    if kind == "expand":
        sizes = [draw.choice([2, 3]) if size == 1 else draw.choice([-1, size]) for size in shape]
        return f"{name}.expand({', '.join(map(str, draw.choice([[], [2]]) + sizes))})"
    if kind == "unsqueeze":
        return f"{name}.unsqueeze({place})"
    if kind == "reshape":
        return f"{name}.reshape({', '.join(map(str, factors(draw, tensor.numel()) or [-1]))})"
    if kind in ("chunk", "split"):
        return f"{name}.{kind}(2, {place})[{draw.choice([0, 0, -1])}]"
    return draw.choice(PLAIN).format(x=name, last=shape[-1], rows=shape[-2] if rank > 1 else 1)


def draw_rows(count, seed):
    """Chains of one to four steps, and a view behind them."""
    draw = random.Random(seed)
    rows = []
    while len(rows) < count:
        start = draw.choice(STARTS)
        statements = [f"x = t({', '.join(map(str, start))})"]
        tensor = run(statements)
        for name in "yzuv"[: draw.choice([1, 2, 2, 3, 3, 4])]:
            statement = f"{name} = {step(draw, tensor, statements[-1].split(' = ')[0])}"
            made = run([*statements, statement])
            if made is not None:
                statements.append(statement)
                tensor = made
        name = statements[-1].split(" = ")[0]
        sizes = factors(draw, tensor.numel())
        if sizes and draw.random() < 0.3:
            sizes[draw.randrange(len(sizes))] = -1
        last = f"{name}.view({', '.join(map(str, sizes or [-1]))})"
        rows.append("; ".join([*statements, last]))
    return rows


def rows():
    return draw_rows(1500, 11)
