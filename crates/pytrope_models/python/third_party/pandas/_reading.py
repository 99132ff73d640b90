"""Functions of `pandas`: frames from files, and of other frames. What a file holds is not known."""

from _pytrope import fresh, is_constant, is_unknown, unknown

from ._arguments import labels_of
from ._frame import DataFrame, frame, untyped_columns
from ._series import Series


def from_file():
    return frame(unknown("the columns of a file"), fresh("rows"))


def read_csv(
    filepath_or_buffer, *, names=None, index_col=None, usecols=None, chunksize=None, iterator=False, **options
):
    if chunksize is not None or iterator is not False or options.get("squeeze") is not None:
        return unknown("a file in parts")
    labels = unknown("the columns of a file") if names is None else labels_of(names)
    if is_unknown(labels) or usecols is not None or index_col is not None:
        return from_file()
    return frame(untyped_columns(labels), fresh("rows"))


def read_table(filepath_or_buffer, **options):
    return read_csv(filepath_or_buffer, **options)


def read_parquet(path, *args, **options):
    return from_file()


def read_excel(io, sheet_name=0, *args, **options):
    """All sheets, or a list of them, are a dictionary."""
    return from_file() if is_constant(sheet_name) and isinstance(sheet_name, (int, str)) else unknown("sheets")


def read_json(path_or_buf, *args, **options):
    return unknown("a frame, a series or parts of a file")


def read_pickle(filepath_or_buffer, *args, **options):
    return unknown("an object from a file")


def merge(left, right, *args, **options):
    if isinstance(left, DataFrame) and isinstance(right, DataFrame):
        return left.merge(right, *args, **options)
    return unknown("a merged frame")


def concat(objs, *args, **options):
    return unknown("concatenated frames or series")


def get_dummies(data, *args, **options):
    return frame(unknown("a column for each value"), fresh("rows"))


def isna(obj):
    return obj.isna() if isinstance(obj, (DataFrame, Series)) else unknown("whether values are missing")


isnull = notna = notnull = isna
