"""`pandas.Index`: the labels of a frame's columns."""

from _pytrope import is_constant, is_unknown, unknown

from _open import OpenOperators


class Index(OpenOperators):
    """The labels, while the frame that has them still knows them."""

    def __init__(self, data=None, *args, **options):
        self._pytrope_frame = None

    def _pytrope_labels(self):
        frame = self._pytrope_frame
        if frame is None or is_unknown(frame) or is_unknown(frame._pytrope_columns):
            return unknown("unknown labels")
        return list(frame._pytrope_columns)

    def __iter__(self):
        labels = self._pytrope_labels()
        return labels if is_unknown(labels) else iter(labels)

    def __len__(self):
        labels = self._pytrope_labels()
        return labels if is_unknown(labels) else len(labels)

    def __contains__(self, key):
        labels = self._pytrope_labels()
        return labels if is_unknown(labels) or not is_constant(key) else key in labels

    def tolist(self):
        return self._pytrope_labels()

    def to_list(self):
        return self._pytrope_labels()

    def __getattr__(self, name):
        # `df.columns.values[0] = "x"` renames a column.
        frame = self._pytrope_frame
        if name in ("values", "array", "_values", "_data") and frame is not None and not is_unknown(frame):
            frame._pytrope_forget()
        return unknown("a part of an index that is not modelled")
