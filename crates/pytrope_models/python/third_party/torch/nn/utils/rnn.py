"""torch.nn.utils.rnn: batches of sequences of different lengths."""

from _pytrope import alike as items_alike
from _pytrope import dtype_of, fresh, is_constant, is_unknown, lifted, require, shape_of, unknown

from ..._joining import several
from ..._make import is_tensor, ranked, tensor, tensor_arg, unranked


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    parts = several(sequences)
    if is_unknown(parts) and not is_unknown(batch_first):
        return _padded_alike(sequences, batch_first)
    if is_unknown(parts) or len(parts) == 0 or is_unknown(batch_first):
        return unranked()
    longest = 0
    for x in parts:
        if not ranked(x) or len(shape_of(x)) == 0:
            return unranked(dtype_of(parts[0]))
        require(
            shape_of(x)[1:] == shape_of(parts[0])[1:],
            RuntimeError,
            f"pad_sequence needs equal trailing sizes: {shape_of(parts[0])} and {shape_of(x)}",
            rule="concat-mismatch",
        )
        steps = shape_of(x)[0]
        longest = max(longest, steps) if is_constant(longest) and is_constant(steps) else fresh("longest")
    head = (len(parts), longest) if batch_first else (longest, len(parts))
    return tensor(head + shape_of(parts[0])[1:], dtype_of(parts[0]))


def _padded_alike(sequences, batch_first):
    """Any number of sequences of one rank."""
    rows = items_alike(sequences)
    if is_unknown(rows) or rows is None or len(rows[0]) == 0:
        return unranked()
    shape, dtype, count = rows
    head = (count, fresh("longest")) if batch_first else (fresh("longest"), count)
    return tensor(head + shape[1:], dtype)


class PackedSequence:
    """The steps of sequences of different lengths, one sequence after the other; remembers how it was packed."""

    def __init__(self, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None, batch=None):
        self.data = data
        self.batch_sizes = unknown("how many sequences have each step")
        self.sorted_indices = unknown("the order of the sequences")
        self.unsorted_indices = unknown("the order of the sequences")
        self._batch = unknown("the number of sequences") if batch is None else batch

    def to(self, *args, **kwargs):
        return self

    def cpu(self):
        return self

    def cuda(self, *args, **kwargs):
        return self

    def __getitem__(self, index):
        return unknown("a field of a packed sequence")

    def __iter__(self):
        return iter(unknown("the fields of a packed sequence"))


def count_of(lengths):
    """How many lengths are given, in a list or a tensor."""
    if is_unknown(lengths):
        return unknown("the number of lengths")
    if is_tensor(lengths):
        return shape_of(lengths)[0] if ranked(lengths) and len(shape_of(lengths)) == 1 else unknown("lengths")
    if isinstance(lengths, (list, tuple)) and is_constant(len(lengths)):
        return len(lengths)
    return unknown("the number of lengths")


@lifted(tensor_arg, "input")
def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    if not ranked(input) or is_unknown(batch_first) or len(shape_of(input)) < 2:
        return unknown("a packed sequence")
    shape = shape_of(input)
    batch = shape[0] if batch_first else shape[1]
    count = count_of(lengths)
    if not is_unknown(count):
        require(
            count == batch,
            RuntimeError,
            f"{count} lengths do not fit a batch of {batch} sequences, of shape {shape}",
            rule="layer-mismatch",
        )
    return PackedSequence(tensor((fresh("steps"),) + shape[2:], dtype_of(input)), batch=batch)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    if is_unknown(sequence) or not isinstance(sequence, PackedSequence) or is_unknown(batch_first):
        return (unranked(), unranked("int64"))
    data = sequence.data
    if is_unknown(data) or not is_tensor(data) or not ranked(data) or is_unknown(sequence._batch):
        return (unranked(), unranked("int64"))
    steps = fresh("steps") if total_length is None or is_unknown(total_length) else total_length
    head = (sequence._batch, steps) if batch_first else (steps, sequence._batch)
    return (tensor(head + shape_of(data)[1:], dtype_of(data)), tensor((sequence._batch,), "int64"))


def pack_sequence(sequences, enforce_sorted=True):
    return unknown("a packed sequence")


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    return unknown("sequences of different lengths")
