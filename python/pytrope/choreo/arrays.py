"""Arrays and tensors as payloads: their bytes travel as they lie in memory, and are not copied on arrival.

A value arrives with its class or is refused: masked arrays and matrices keep theirs, other subclasses of
``numpy.ndarray`` and tensors that are part of a graph are refused by name.
"""

from __future__ import annotations

import importlib
import math
import re
import sys
from collections.abc import Sequence
from typing import Any

from .codec import Buffer, Packing, add_family, add_tag, take_buffer, unpack_one
from .errors import DecodeError, EncodeError

__all__: list[str] = []

_NUMPY_KINDS = "biufcSUmM"
# What `dtype.str` says of these kinds; NumPy itself would read much more into a string, even an expression.
_DTYPE = re.compile(r"[<>|][biufcSUmM][0-9]{1,9}(\[[0-9]{0,9}(generic|Y|M|W|D|h|m|s|ms|us|ns|ps|fs|as)\])?")
_MAX_RANK = 64


def _load(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise DecodeError(f"an array of {name} arrived where {name} is not installed") from None


def _pack_array(value: Any, kind: type, packing: Packing) -> list[Any] | None:
    numpy: Any = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, (numpy.ndarray, numpy.generic)):
        return None
    if kind is numpy.ndarray:
        return ["ndarray", *_pack_bytes(numpy, value, packing)]
    if isinstance(value, numpy.generic):
        return ["scalar", *_pack_bytes(numpy, numpy.asarray(value), packing)]
    if kind is numpy.matrix:
        return ["matrix", *_pack_bytes(numpy, numpy.asarray(value), packing)]
    if kind is numpy.ma.MaskedArray:
        mask = numpy.ma.getmask(value)
        return [
            "masked",
            packing.pack(numpy.ma.getdata(value, subok=False)),
            None if mask is numpy.ma.nomask else packing.pack(numpy.asarray(mask)),
            packing.pack(value.fill_value),
            bool(value.hardmask),
        ]
    raise EncodeError(f"an array of class {kind.__module__}.{kind.__qualname__} cannot be sent: numpy.asarray(…) can")


def _pack_bytes(numpy: Any, array: Any, packing: Packing) -> list[Any]:
    dtype = array.dtype
    if dtype.kind not in _NUMPY_KINDS or not dtype.itemsize:
        raise EncodeError(f"an array of dtype {dtype} cannot be sent")
    shape = list(array.shape)
    # `ascontiguousarray` makes a scalar a vector, which is why the shape is taken before.
    flat = numpy.ascontiguousarray(array).reshape(-1).view(numpy.uint8)
    return [dtype.str, shape, packing.add_buffer(flat.data)]


def _unpack_array(buffers: Sequence[Buffer], _depth: int, name: Any, shape: Any, position: Any) -> Any:
    numpy = _load("numpy")
    if type(name) is not str or not _DTYPE.fullmatch(name):
        raise DecodeError("the payload has an array of a dtype that no sender writes")
    dtype = numpy.dtype(name)
    if not dtype.itemsize:
        raise DecodeError("the payload has an array of elements without a size")
    buffer = take_buffer(buffers, position)
    _check_shape(shape, dtype.itemsize, len(buffer))
    if not len(buffer):
        return numpy.empty(shape, dtype)  # `frombuffer` takes no empty buffer
    return numpy.frombuffer(_writable(buffer), dtype=dtype).reshape(shape)


def _check_shape(shape: Any, itemsize: int, size: int) -> None:
    if type(shape) is not list or len(shape) > _MAX_RANK or not all(type(n) is int and 0 <= n < 1 << 62 for n in shape):
        raise DecodeError("the payload has an array with a damaged shape")
    if math.prod(shape) * itemsize != size:
        raise DecodeError("the payload has an array whose bytes do not fit its shape")


def _writable(buffer: Buffer) -> Buffer:
    """The bytes where they arrived if the receiver may write to them, else a copy."""
    return bytearray(buffer) if memoryview(buffer).readonly else buffer


def _unpack_scalar(buffers: Sequence[Buffer], depth: int, name: Any, shape: Any, position: Any) -> Any:
    if shape != []:
        raise DecodeError("the payload has a damaged scalar")
    return _unpack_array(buffers, depth, name, shape, position)[()]


def _unpack_matrix(buffers: Sequence[Buffer], depth: int, name: Any, shape: Any, position: Any) -> Any:
    array = _unpack_array(buffers, depth, name, shape, position)
    if array.ndim != 2:
        raise DecodeError("the payload has a matrix that has not two dimensions")
    return array.view(_load("numpy").matrix)


def _unpack_masked(buffers: Sequence[Buffer], depth: int, data: Any, mask: Any, fill: Any, hard: Any) -> Any:
    numpy = _load("numpy")
    values = unpack_one(buffers, depth, data)
    flags = numpy.ma.nomask if mask is None else unpack_one(buffers, depth, mask)
    if type(values) is not numpy.ndarray or (mask is not None and flags.shape != values.shape):
        raise DecodeError("the payload has a damaged masked array")
    return numpy.ma.MaskedArray(
        values, mask=flags, fill_value=unpack_one(buffers, depth, fill), hard_mask=bool(hard), copy=False
    )


def _pack_tensor(value: Any, kind: type, packing: Packing) -> list[Any] | None:
    torch: Any = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return None
    if kind not in (torch.Tensor, torch.nn.Parameter):
        raise EncodeError(f"a tensor of class {kind.__module__}.{kind.__qualname__} cannot be sent")
    if value.grad_fn is not None:
        raise EncodeError("a tensor that is part of a graph cannot be sent: .detach() it first")
    if value.device.type != "cpu" or value.layout is not torch.strided or value.is_quantized:
        raise EncodeError(f"a tensor on {value.device} with layout {value.layout} cannot be sent: .cpu(), .to_dense()")
    plain = value.detach().resolve_conj().resolve_neg().contiguous()
    # NumPy has no bfloat16, so the tensor's bytes are what is lent to the frame.
    data = plain.reshape(-1).view(torch.uint8).numpy().data if plain.numel() else b""
    return [
        "parameter" if kind is torch.nn.Parameter else "tensor",
        str(value.dtype).removeprefix("torch."),
        list(value.shape),
        packing.add_buffer(data),
        bool(value.requires_grad),
    ]


def _unpack_tensor(
    buffers: Sequence[Buffer], _depth: int, name: Any, shape: Any, position: Any, requires_grad: Any
) -> Any:
    torch = _load("torch")
    dtype = getattr(torch, name, None) if type(name) is str else None
    if not isinstance(dtype, torch.dtype):
        raise DecodeError("the payload has a tensor of a dtype that does not exist here")
    buffer = take_buffer(buffers, position)
    _check_shape(shape, torch.empty(0, dtype=dtype).element_size(), len(buffer))
    if len(buffer):
        made = torch.frombuffer(_writable(buffer), dtype=dtype).reshape(shape)
    else:
        made = torch.empty(shape, dtype=dtype)
    return made.requires_grad_(bool(requires_grad))


def _unpack_parameter(
    buffers: Sequence[Buffer], depth: int, name: Any, shape: Any, position: Any, requires_grad: Any
) -> Any:
    made = _unpack_tensor(buffers, depth, name, shape, position, False)
    return _load("torch").nn.Parameter(made, requires_grad=bool(requires_grad))


add_family(_pack_array)
add_family(_pack_tensor)
add_tag(None, "ndarray", None, _unpack_array)
add_tag(None, "scalar", None, _unpack_scalar)
add_tag(None, "matrix", None, _unpack_matrix)
add_tag(None, "masked", None, _unpack_masked)
add_tag(None, "tensor", None, _unpack_tensor)
add_tag(None, "parameter", None, _unpack_parameter)
