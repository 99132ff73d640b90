"""keras.preprocessing.sequence: windows of series, and sequences of one length."""

from _pytrope import array, dtype_of, fresh, has_rank, is_array, is_constant, is_unknown, require, shape_of, unknown

from tensorflow._make import converted, plain_numbers, ranked, tensor

from .image import Batches


def pad_sequences(sequences, maxlen=None, dtype="int32", *args, **options):
    """One row for each sequence. Sequences of vectors, which keep another axis, are not told from others."""
    from numpy import ndarray

    if is_unknown(sequences) or not isinstance(sequences, (list, tuple)) or is_array(sequences):
        return unknown("unknown sequences")
    if not has_rank(sequences) or len(sequences) == 0 or is_unknown(maxlen):
        return unknown("unknown sequences")
    for row in sequences:
        if is_unknown(row) or not isinstance(row, (list, tuple)) or not has_rank(row):
            return unknown("unknown sequences")
        if len(row) > 0 and not plain_numbers(list(row)):
            return unknown("sequences of values that are not numbers")
    length = max([len(row) for row in sequences]) if maxlen is None else maxlen
    return array(ndarray, (len(sequences), length), dtype if is_constant(dtype) else unknown("a dtype"))


class TimeseriesGenerator(Batches):
    """Batches of windows, each with its target."""

    def __init__(self, data, targets, length, sampling_rate=1, *args, **options):
        series, wanted = converted(data), converted(targets)
        self._pytrope_elements = unknown("windows of unknown series")
        if is_unknown(series) or is_unknown(wanted) or not ranked(series) or not ranked(wanted):
            return
        if len(shape_of(series)) == 0 or len(shape_of(wanted)) == 0:
            return
        a, b = shape_of(series)[0], shape_of(wanted)[0]
        if is_constant(a) and is_constant(b):
            require(
                a == b, ValueError, f"the series and its targets differ in length: {a} ≠ {b}", rule="shape-argument"
            )
        if is_unknown(length) or is_unknown(sampling_rate):
            return
        batch = fresh("batch")
        windows = (batch, (length + sampling_rate - 1) // sampling_rate) + shape_of(series)[1:]
        self._pytrope_elements = (
            tensor(windows, dtype_of(series)),
            tensor((batch,) + shape_of(wanted)[1:], dtype_of(wanted)),
        )


def __getattr__(name):
    return unknown(name)
