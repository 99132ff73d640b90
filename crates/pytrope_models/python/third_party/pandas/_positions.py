"""`df.iloc` and `df.loc`: parts of a frame by position and by label."""

from _pytrope import fresh, has_rank, is_constant, is_unknown, require, unknown

from _open import OpenOperators

from ._arguments import is_label, labels_of


def is_position(key):
    return is_constant(key) and isinstance(key, int) and not isinstance(key, bool)


def is_everything(key):
    """Whether a key is a plain `:`."""
    return isinstance(key, slice) and key.start is None and key.stop is None and key.step is None


def rows_of(frame, key):
    return frame._pytrope_rows if is_everything(key) else fresh("rows")


class ByPosition(OpenOperators):
    def __init__(self, frame):
        self._pytrope_frame = frame

    def __getitem__(self, key):
        from ._frame import frame as made
        from ._series import column

        frame = self._pytrope_frame
        known = frame._pytrope_columns
        if isinstance(key, slice):
            return made(known, rows_of(frame, key))
        if is_unknown(known) or is_unknown(key) or not isinstance(key, tuple) or not has_rank(key) or len(key) != 2:
            return unknown("a part of a frame")
        rows, columns = key
        labels = list(known)
        if is_position(columns):
            require(
                -len(labels) <= columns and columns < len(labels),
                IndexError,
                f"column {columns} is out of range for a frame of {len(labels)} columns",
                rule="index-out-of-bounds",
            )
            if isinstance(rows, slice):
                return column(rows_of(frame, rows), known[labels[columns]])
        if isinstance(rows, slice) and isinstance(columns, slice):
            bounds = (columns.start, columns.stop, columns.step)
            if len([1 for bound in bounds if bound is not None and not is_position(bound)]) == 0:
                return made({label: known[label] for label in labels[columns]}, rows_of(frame, rows))
        return unknown("a part of a frame")

    def __setitem__(self, key, value):
        pass


class ByLabel(OpenOperators):
    def __init__(self, frame):
        self._pytrope_frame = frame

    def __getitem__(self, key):
        from ._frame import frame as made
        from ._series import Series, column

        frame = self._pytrope_frame
        known = frame._pytrope_columns
        if isinstance(key, (slice, Series)):
            return made(known, rows_of(frame, key))
        if is_unknown(known) or is_unknown(key) or not isinstance(key, tuple) or not has_rank(key) or len(key) != 2:
            return unknown("a part of a frame")
        rows, columns = key
        if not isinstance(rows, (slice, Series)):
            return unknown("a part of a frame")
        if is_label(columns):
            frame._pytrope_has(columns)
            return column(rows_of(frame, rows), known.get(columns, unknown("a dtype")))
        labels = labels_of(columns)
        if is_unknown(labels) or not isinstance(columns, list):
            return unknown("a part of a frame")
        for label in labels:
            frame._pytrope_has(label)
        return made({label: known.get(label, unknown("a dtype")) for label in labels}, rows_of(frame, rows))

    def __setitem__(self, key, value):
        """A column or a row that does not exist is added."""
        frame = self._pytrope_frame
        known = frame._pytrope_columns
        frame._pytrope_rows = fresh("rows")
        if is_unknown(known):
            return
        if not isinstance(key, tuple) or not has_rank(key) or len(key) != 2:
            if is_unknown(key) or isinstance(key, tuple) or len(known) == 0:
                frame._pytrope_columns = unknown("unknown columns")
            return
        columns = key[1]
        labels = [columns] if is_label(columns) else labels_of(columns)
        if is_unknown(labels):
            if not isinstance(columns, slice):
                frame._pytrope_columns = unknown("unknown columns")
            return
        changed = dict(known)
        for label in labels:
            changed[label] = unknown("a dtype")
        frame._pytrope_columns = changed
