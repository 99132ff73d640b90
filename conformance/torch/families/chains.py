"""Two or three operations in a row, drawn at random with a fixed seed: what one gives the next must take."""

import random

from ._shapes import text

START = [(2, 3), (3,), (2, 3, 4), (4, 4), (1, 6), (2, 1, 5), (2, 3, 4, 4), (6,), (8, 3), (2, 0, 3)]
STEPS = """
{x}.sum({d})
{x}.mean(dim={d})
{x}.mean(dim={d}, keepdim=True)
{x}.max(dim={d})[0]
{x}.argmax({d})
{x}.amax(({d}, {e}))
{x}.unsqueeze({d})
{x}.squeeze({d})
{x}.squeeze()
{x}.transpose({d}, {e})
{x}.permute({d}, {e}, {f})
{x}.permute(*reversed(range({x}.dim())))
{x}.flatten({d})
{x}.flatten(1)
{x}.reshape(-1)
{x}.reshape({s}, -1)
{x}.reshape({x}.shape[0], -1)
{x}.view(-1, {s})
{x}.view({x}.size(0), -1)
{x}.view({s}, {s}, -1)
{x}.expand({s}, {s}, {s})
{x}.expand({s}, *{x}.shape)
{x}.repeat({s}, 1)
{x}.repeat_interleave(2, dim={d})
{x}[{d}]
{x}[:, {d}]
{x}[..., :{s}]
{x}[{s}:]
{x}[..., None]
{x}[:, None]
{x}[{x} > 0.5].sum()
{x}[torch.tensor([0, 1])]
{x} @ t({s}, {s})
{x} @ t({s})
t({s}, {s}) @ {x}
{x} @ {x}.transpose(-1, -2)
{x} @ {x}.T
{x} + t({s})
{x} * t({s}, 1)
{x} - {x}.mean({d}, keepdim=True)
{x} / {x}.sum({d})
{x} / {x}.norm(dim={d}, keepdim=True)
torch.cat([{x}, {x}], dim={d})
torch.cat([{x}, t({s}, {s})], dim={d})
torch.stack([{x}, {x}, {x}], dim={d})
torch.chunk({x}, 2, dim={d})[0]
torch.split({x}, {s}, dim={d})[0]
torch.split({x}, [{s}, 1], dim={d})[1]
torch.cumsum({x}, {d})
F.softmax({x}, dim={d})
F.log_softmax({x}, {d})
F.normalize({x}, dim={d})
F.pad({x}, (1, {s}))
F.one_hot({x}.argmax({d}), 6)
F.interpolate({x}, scale_factor=2)
F.max_pool2d({x}, 2)
F.adaptive_avg_pool2d({x}, 1)
nn.Linear({s}, 5)({x})
nn.Linear({s}, {s})({x})
nn.LayerNorm({s})({x})
nn.Conv1d({s}, 4, 1)({x})
nn.Conv2d({s}, 4, 3, padding=1)({x})
nn.BatchNorm1d({s})({x})
nn.Flatten()({x})
nn.Embedding(7, {s})({x}.long())
nn.GRU({s}, 4, batch_first=True)({x})[0]
nn.LSTM({s}, 4)({x})[1][0]
nn.MaxPool1d(2)({x})
torch.einsum('ij,jk->ik', {x}, t({s}, 4))
torch.einsum('bij->bji', {x})
torch.einsum('...i,i->...', {x}, t({s}))
torch.where({x} > 0, {x}, t({s}))
torch.bmm({x}, t(2, {s}, 4))
torch.matmul({x}, t({s}, 2))
torch.outer({x}, t({s}))
torch.dot({x}, t({s}))
torch.diag({x})
torch.tril({x})
torch.flip({x}, [{d}])
torch.roll({x}, 1, {d})
torch.topk({x}, {s}, dim={d})[0]
torch.sort({x}, dim={d})[1]
torch.gather({x}, {d}, i({s}, {s}))
torch.index_select({x}, {d}, i({s}))
torch.movedim({x}, {d}, {e})
torch.unbind({x}, {d})[0]
torch.cdist({x}, t({s}, 3))
torch.linalg.norm({x}, dim={d})
torch.broadcast_to({x}, ({s}, {s}, {s}))
torch.tensordot({x}, t({s}, 4), dims=1)
torch.masked_fill({x}, {x} > 0.5, 0.0)
{x}.unfold({d}, {s}, 1)
{x}.new_zeros({x}.shape[0], {s})
{x}.diagonal(dim1={d}, dim2={e})
{x}.long()
{x}.double()
{x}.bool().any({d})
{x}.tolist().__len__()
{x}.shape[{d}]
{x}.size({d}) * {s}
{x}.numel() // {s}
{x}.dim()
{x}.T
{x}.t()
{x}.std({d}, keepdim=True)
{x}.clone().fill_(1.0)
{x}.swapaxes({d}, {e})
{x}.unflatten({d}, ({s}, -1))
{x}.narrow({d}, 0, {s})
{x}.select({d}, 0)
{x}.index_add(0, i({s}), t({s}, 3))
{x}.clamp(min=0).sqrt()
""".strip().splitlines()
COUNT = 7000


def rows():
    choose = random.Random(2026)
    for _ in range(COUNT):
        shape = choose.choice(START)
        statements = [f"x = t({text(shape)})"]
        previous = "x"
        for name in "yzw"[: choose.choice([1, 2, 2, 3])]:
            step = choose.choice(STEPS)
            for letter, choices in [("d", [0, 1, -1, -1, 2, -2]), ("e", [0, 1, -1, 2]), ("f", [0, 1, 2])]:
                step = step.replace("{" + letter + "}", str(choose.choice(choices)))
            while "{s}" in step:
                step = step.replace("{s}", str(choose.choice([1, 2, 3, 3, 4, 4, 6])), 1)
            statements.append(f"{name} = {step.replace('{x}', previous)}")
            previous = name
        statements[-1] = statements[-1].split(" = ", 1)[1]
        yield "; ".join(statements)
