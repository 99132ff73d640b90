"""torch.nn.utils.rnn: batches of sequences of different lengths."""

from _pytrope import dtype_of, is_constant, is_unknown, require, shape_of, unknown

from ..._joining import several
from ..._make import ranked, tensor, unranked


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    parts = several(sequences)
    if is_unknown(parts) or len(parts) == 0 or is_unknown(batch_first):
        return unranked()
    longest = 0
    for x in parts:
        if not ranked(x) or not is_constant(shape_of(x)) or len(shape_of(x)) == 0:
            return unranked(dtype_of(parts[0]))
        require(
            shape_of(x)[1:] == shape_of(parts[0])[1:],
            RuntimeError,
            f"pad_sequence needs equal trailing sizes: {shape_of(parts[0])} and {shape_of(x)}",
            rule="concat-mismatch",
        )
        longest = max(longest, shape_of(x)[0])
    head = (len(parts), longest) if batch_first else (longest, len(parts))
    return tensor(head + shape_of(parts[0])[1:], dtype_of(parts[0]))


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    return unknown("a packed sequence")


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    return (unranked(), unranked("int64"))


def pack_sequence(sequences, enforce_sorted=True):
    return unknown("a packed sequence")
