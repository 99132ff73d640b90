"""Tensors as payloads, in a Python that has PyTorch (that of the tests may have none); prints what it checked."""

import torch
from pytrope.choreo import DecodeError, EncodeError, run_roles, tcp_channel
from pytrope.choreo.codec import copy_payload, decode, encode
from pytrope.choreo.messagepack import write_text

checked = 0


def same(value: torch.Tensor) -> None:
    global checked
    text, buffers = encode(value)
    for got in (decode(text, [bytearray(buffer) for buffer in buffers]), copy_payload(value)):
        assert type(got) is type(value), (type(got), type(value))
        assert got.dtype == value.dtype and got.shape == value.shape and got.requires_grad == value.requires_grad
        assert torch.equal(got.detach(), value.detach().resolve_conj())
        if got.numel():
            got.detach().view(-1)[0] = 0  # the receiver's own
    checked += 1


for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.uint8, torch.bool):
    same(torch.ones(2, 3).to(dtype))
same(torch.tensor(1.5))
same(torch.zeros(0, 3))
same(torch.arange(6.0).reshape(2, 3).T)
same(torch.arange(6.0)[::2])
same(torch.complex(torch.ones(2), torch.ones(2)).conj())
same(torch.ones(2, requires_grad=True))
same(torch.nn.Parameter(torch.ones(2)))
same(torch.nn.Parameter(torch.ones(2), requires_grad=False))

for refused in (
    torch.ones(2, requires_grad=True) * 2,
    torch.ones(2).to_sparse(),
    torch.nn.Parameter(torch.ones(1)).sum(),
):
    try:
        encode(refused)
    except EncodeError:
        checked += 1
    else:
        raise AssertionError(refused)

for told in (
    ["tensor", "float32", [3], 0, False],
    ["tensor", "Tensor", [2], 0, False],
    ["tensor", "float32", [-2], 0, False],
    ["tensor", "int64", [1], 0, True],
    ["parameter", "float32", [1 << 40], 0, True],
):
    try:
        decode(write_text({"$": told}), [bytes(8)])
    except DecodeError:
        checked += 1
    else:
        raise AssertionError(told)

# What arrives over a network is a view of the frame, not a copy.
a, b = tcp_channel("A", "B")
weights = {"layer": torch.randn(300, 400), "bias": torch.randn(400)}
got = run_roles({"A": lambda: a.send(weights), "B": b.recv}, [a, b])["B"]
assert all(torch.equal(got[name], weights[name]) for name in weights)
assert got["layer"].data_ptr() % 16 == 0
checked += 1
print(f"{checked} checked")
