"""`pandas.DataFrame`: which columns it has, and how many rows.

What is known is `_pytrope_columns`, a dictionary from labels to element types, and `_pytrope_rows`. Either may be
Unknown. `_pytrope_plain` says that the index has no name, which keys of groups and merges could mean as well. An
attribute that is not modelled may be a method that changes the frame (`df.insert(…)`): reading it forgets the columns,
unless it is known to leave the frame alone.
"""

from _pytrope import array, fresh, has_rank, is_array, is_constant, is_unknown, require, set_attrs, shape_of, unknown

from _open import OpenOperators

from numpy import ndarray

from ._applied import try_function
from ._arguments import is_label, labels_of, vector_parts
from ._index import Index
from ._positions import ByLabel, ByPosition
from ._series import Series, column

# Attributes that only read the frame.
READING = (
    "abs agg aggregate all any apply applymap at_time axes combine_first compare corr corrwith count cov cummax "
    "cummin cumprod cumsum describe diff dot dtypes duplicated empty eq equals expanding explode filter "
    "first_valid_index ge groupby gt hist index info interpolate isin items iterrows itertuples join kurt "
    "kurtosis last_valid_index le lt map max mean median melt memory_usage min mode mul ndim ne nlargest "
    "nsmallest nunique pct_change pipe pivot pivot_table plot prod quantile rank resample rolling round sem shift "
    "size skew stack std style sum swapaxes to_clipboard to_csv to_dict to_excel to_feather to_hdf to_html "
    "to_json to_latex to_markdown to_parquet to_pickle to_records to_sql to_string transform transpose T unstack "
    "value_counts var xs "
).split()


class DataFrame(OpenOperators):
    _pytrope_volatile = True

    def __init__(self, data=None, index=None, columns=None, dtype=None, copy=None):
        self._pytrope_columns = unknown("unknown columns")
        self._pytrope_rows = unknown("a number of rows")
        self._pytrope_plain = index is None and has_plain_index(data)
        if isinstance(data, dict) and columns is None:
            self._pytrope_from_dict(data, index)
        elif is_array(data, ndarray):
            self._pytrope_from_array(data, columns)
        elif columns is not None and not isinstance(data, (DataFrame, Series)):
            # A dictionary is asked for these columns, and rows are read under these labels.
            labels = labels_of(columns)
            if not is_unknown(labels):
                self._pytrope_columns = untyped_columns(labels)
        elif data is None and columns is None and index is None:
            self._pytrope_columns = {}
            self._pytrope_rows = 0
        if is_unknown(self._pytrope_rows):
            self._pytrope_rows = fresh("rows")

    def _pytrope_from_dict(self, data, index):
        labels = labels_of(list(data))
        if is_unknown(labels):
            return
        found, rows = {}, None
        for label in labels:
            size, kind = vector_parts(data[label])
            found[label] = kind
            if index is not None or is_unknown(size) or not is_constant(size):
                continue
            if rows is None:
                rows = size
            else:
                require(
                    rows == size,
                    ValueError,
                    f"the columns of a frame differ in length: {rows} and {size} values (in {label!r})",
                    rule="shape-argument",
                )
        self._pytrope_columns = found
        if rows is not None:
            self._pytrope_rows = rows

    def _pytrope_from_array(self, data, columns):
        shape = shape_of(data)
        if not has_rank(shape) or len(shape) != 2:
            return
        self._pytrope_rows = shape[0]
        if columns is None:
            if is_constant(shape[1]) and shape[1] <= 64:
                self._pytrope_columns = untyped_columns(list(range(shape[1])))
            return
        labels = labels_of(columns)
        if is_unknown(labels):
            return
        require(
            shape[1] == len(labels),
            ValueError,
            f"{len(labels)} labels do not fit the columns of an array of shape {shape}",
            rule="shape-argument",
        )
        self._pytrope_columns = untyped_columns(labels)

    def _pytrope_forget(self):
        """Something that is not modelled may change the frame."""
        self._pytrope_columns = unknown("unknown columns")
        self._pytrope_rows = fresh("rows")
        self._pytrope_plain = False

    def _pytrope_has(self, key):
        """A column that is asked for exists."""
        require(
            key in self._pytrope_columns,
            KeyError,
            f"{key!r} is not a column of the frame, which has {self._pytrope_listed()}",
            rule="missing-key",
        )

    def _pytrope_listed(self):
        names = [repr(label) for label in self._pytrope_columns]
        return ", ".join(names[:8]) + (", …" if len(names) > 8 else "") if len(names) > 0 else "none"

    def __getattr__(self, name):
        columns = self._pytrope_columns
        if not is_unknown(columns) and name in columns:
            return column(self._pytrope_rows, columns[name])
        if name not in READING:
            self._pytrope_forget()
        elif name in ("index", "axes"):
            self._pytrope_plain = False
        return unknown("a part of a frame that is not modelled")

    def __setattr__(self, name, value):
        """`frame.index = labels` makes an index, `frame.price = values` a column: neither is read as it was stored."""
        if name.startswith("_pytrope"):
            set_attrs(self, **{name: value})
        elif name == "index":
            self._pytrope_plain = False
        else:
            self._pytrope_forget()

    @property
    def columns(self):
        made = Index()
        made._pytrope_frame = self
        return made

    @columns.setter
    def columns(self, labels):
        given = labels_of(labels)
        if is_unknown(given):
            self._pytrope_columns = given
            return
        if not is_unknown(self._pytrope_columns):
            require(
                len(given) == len(self._pytrope_columns),
                ValueError,
                f"{len(given)} labels do not fit a frame of {len(self._pytrope_columns)} columns",
                rule="shape-argument",
            )
        self._pytrope_columns = untyped_columns(given)

    @property
    def shape(self):
        columns = self._pytrope_columns
        return self._pytrope_rows, fresh("columns") if is_unknown(columns) else len(columns)

    @property
    def values(self):
        return self.to_numpy()

    def to_numpy(self, dtype=None, copy=False, na_value=None):
        return array(ndarray, self.shape, unknown("the dtype of a frame"))

    @property
    def iloc(self):
        return ByPosition(self)

    @property
    def loc(self):
        return ByLabel(self)

    def __len__(self):
        return self._pytrope_rows

    def __bool__(self):
        require(
            False,
            ValueError,
            "the truth value of a DataFrame is ambiguous: use empty, any() or all()",
            rule="shape-argument",
        )

    def __iter__(self):
        columns = self._pytrope_columns
        return columns if is_unknown(columns) else iter(list(columns))

    def __contains__(self, key):
        columns = self._pytrope_columns
        return unknown("whether a frame has a column") if is_unknown(columns) or not is_label(key) else key in columns

    def keys(self):
        return self.columns

    def __getitem__(self, key):
        columns = self._pytrope_columns
        if isinstance(key, (Series, slice)):
            return self._pytrope_part(columns, fresh("rows"))
        if is_unknown(columns) or is_unknown(key):
            return unknown("a part of a frame")
        if is_label(key):
            self._pytrope_has(key)
            return column(self._pytrope_rows, columns.get(key, unknown("a dtype")))
        labels = labels_of(key)
        if is_unknown(labels) or not isinstance(key, list):
            return unknown("a part of a frame")
        for label in labels:
            self._pytrope_has(label)
        chosen = {label: columns.get(label, unknown("a dtype")) for label in labels}
        return self._pytrope_part(chosen, self._pytrope_rows)

    def __setitem__(self, key, value):
        columns = self._pytrope_columns
        if is_unknown(columns):
            return
        labels = [key] if is_label(key) else labels_of(key)
        if is_unknown(labels):
            if not isinstance(key, (Series, slice)) and not is_array(key):
                self._pytrope_columns = unknown("unknown columns")
            return
        size, kind = vector_parts(value)
        rows = self._pytrope_rows
        if is_label(key) and not is_unknown(size) and is_constant(size) and is_constant(rows) and len(columns) > 0:
            require(
                size == rows,
                ValueError,
                f"column {key!r} has {size} values, but the frame has {rows} rows",
                rule="shape-argument",
            )
        if len(columns) == 0:
            self._pytrope_rows = fresh("rows") if is_unknown(size) else size
        changed = dict(columns)
        for label in labels:
            changed[label] = kind
        self._pytrope_columns = changed

    def __delitem__(self, key):
        columns = self._pytrope_columns
        if not is_unknown(columns) and is_label(key):
            self._pytrope_has(key)
        self._pytrope_forget()

    def copy(self, deep=True):
        return self._pytrope_part(self._pytrope_columns, self._pytrope_rows)

    def _pytrope_part(self, columns, rows):
        """A frame whose index has the name of this one's."""
        made = frame(columns, rows)
        made._pytrope_plain = self._pytrope_plain
        return made

    def _pytrope_changed(self, columns, rows, inplace, is_plain=None):
        """The result of a method, or the frame itself changed."""
        stays_plain = self._pytrope_plain if is_plain is None else is_plain
        if inplace is False:
            made = frame(columns, rows)
            made._pytrope_plain = stays_plain
            return made
        self._pytrope_forget()
        if inplace is True:
            self._pytrope_columns = columns
            self._pytrope_rows = rows
            self._pytrope_plain = stays_plain
            return None
        return unknown("a frame, or nothing")

    def head(self, n=5):
        return self._pytrope_part(self._pytrope_columns, fresh("rows"))

    def tail(self, n=5):
        return self._pytrope_part(self._pytrope_columns, fresh("rows"))

    def sample(self, n=None, frac=None, *args, **options):
        return self._pytrope_part(self._pytrope_columns, fresh("rows"))

    def query(self, expr, *, inplace=False, **options):
        return self._pytrope_changed(self._pytrope_columns, fresh("rows"), inplace)

    def dropna(self, *, axis=0, inplace=False, **options):
        columns = self._pytrope_columns if axis in (0, "index") else unknown("the remaining columns")
        return self._pytrope_changed(columns, fresh("rows"), inplace)

    def drop_duplicates(self, subset=None, *, keep="first", inplace=False, ignore_index=False):
        return self._pytrope_changed(self._pytrope_columns, fresh("rows"), inplace)

    def fillna(self, value=None, *, inplace=False, **options):
        return self._pytrope_changed(untyped_columns(self._pytrope_columns), self._pytrope_rows, inplace)

    def replace(self, to_replace=None, value=None, *, inplace=False, **options):
        return self._pytrope_changed(untyped_columns(self._pytrope_columns), self._pytrope_rows, inplace)

    def sort_values(self, by, *, axis=0, inplace=False, **options):
        columns = self._pytrope_columns
        if axis not in (0, "index") or is_unknown(axis):
            return self._pytrope_changed(unknown("columns in another order"), fresh("rows"), inplace)
        self._pytrope_keys(by)
        return self._pytrope_changed(columns, self._pytrope_rows, inplace)

    def sort_index(self, *, axis=0, inplace=False, **options):
        columns = self._pytrope_columns if axis in (0, "index") else unknown("columns in another order")
        return self._pytrope_changed(columns, self._pytrope_rows, inplace)

    def astype(self, dtype, copy=None, errors="raise"):
        return self._pytrope_part(untyped_columns(self._pytrope_columns), self._pytrope_rows)

    def isna(self):
        return self._pytrope_part(untyped_columns(self._pytrope_columns), self._pytrope_rows)

    isnull = notna = notnull = isna

    def reset_index(self, level=None, *, drop=False, inplace=False, **options):
        columns = self._pytrope_columns if drop is True else unknown("columns with the index among them")
        return self._pytrope_changed(columns, self._pytrope_rows, inplace, is_plain=level is None)

    def set_index(self, keys, *, drop=True, append=False, inplace=False, verify_integrity=False):
        columns = self._pytrope_columns
        if not is_unknown(columns) and is_label(keys) and isinstance(keys, str):
            self._pytrope_has(keys)
            if drop is True:
                columns = {label: kind for label, kind in columns.items() if label != keys}
        else:
            columns = unknown("columns without those of the index")
        return self._pytrope_changed(columns, self._pytrope_rows, inplace, is_plain=False)

    def rename(self, mapper=None, *, index=None, columns=None, axis=None, inplace=False, **options):
        known = self._pytrope_columns
        given = unknown("new labels")
        if not is_unknown(known) and isinstance(columns, dict) and mapper is None:
            given = labels_of([columns.get(label, label) for label in known])
        made = given if is_unknown(given) else untyped_columns(given)
        stays_plain = self._pytrope_plain and mapper is None and index is None
        return self._pytrope_changed(made, self._pytrope_rows, inplace, is_plain=stays_plain)

    def apply(self, func, axis=0, raw=False, result_type=None, args=(), **kwargs):
        known = self._pytrope_columns
        if not is_unknown(known) and "by_row" not in kwargs and "engine" not in kwargs:
            if is_constant(len(known)) and len(known) > 0:
                try_function(func, self._pytrope_rows, args, kwargs)
        return unknown("what a function makes of a frame")

    def assign(self, **options):
        known = self._pytrope_columns
        if is_unknown(known) or is_unknown(options):
            return self._pytrope_part(unknown("unknown columns"), self._pytrope_rows)
        made = dict(known)
        for name in options:
            made[name] = unknown("a dtype")
        return self._pytrope_part(made, self._pytrope_rows if len(known) > 0 else fresh("rows"))

    def drop(self, labels=None, *, axis=0, index=None, columns=None, level=None, inplace=False, errors="raise"):
        known = self._pytrope_columns
        if labels is not None and axis in (1, "columns"):
            columns = labels
        elif labels is not None or index is not None:
            is_rows = axis in (0, "index") and columns is None
            return self._pytrope_changed(known if is_rows else unknown("the remaining columns"), fresh("rows"), inplace)
        given = [columns] if is_label(columns) else labels_of(columns)
        if is_unknown(known) or is_unknown(given):
            return self._pytrope_changed(unknown("the remaining columns"), self._pytrope_rows, inplace)
        if errors == "raise":
            for label in given:
                self._pytrope_has(label)
        left = {label: kind for label, kind in known.items() if label not in given}
        return self._pytrope_changed(left, self._pytrope_rows, inplace)

    def _pytrope_keys(self, keys):
        """The known labels that keys name, which are columns unless the index has such a name; None otherwise."""
        labels = [keys] if is_label(keys) else labels_of(keys)
        if is_unknown(labels) or is_unknown(self._pytrope_columns) or self._pytrope_plain is not True:
            return None
        for label in labels:
            if not isinstance(label, str):
                return None
        for label in labels:
            self._pytrope_has(label)
        return labels

    def groupby(self, by=None, axis=0, level=None, **options):
        if axis not in (0, "index") or is_unknown(axis) or level is not None or self._pytrope_keys(by) is None:
            return unknown("groups of a frame")
        return Groups(self)

    def merge(self, right, how="inner", on=None, left_on=None, right_on=None, *args, **options):
        if isinstance(right, DataFrame) and not args and not options and how != "cross":
            if on is not None and left_on is None and right_on is None:
                return merged(self, right, self._pytrope_keys(on), right._pytrope_keys(on))
            if on is None and left_on is not None and right_on is not None:
                self._pytrope_keys(left_on)
                right._pytrope_keys(right_on)
        return frame(unknown("columns of two frames"), fresh("rows"))


class Groups(OpenOperators):
    """The groups of a frame whose columns are known."""

    def __init__(self, source):
        self._pytrope_source = source

    def __getattr__(self, name):
        return unknown("a part of groups that is not modelled")

    def __getitem__(self, key):
        source = self._pytrope_source
        labels = [key] if is_label(key) else labels_of(key)
        if not is_unknown(labels) and not is_unknown(source._pytrope_columns):
            for label in labels:
                source._pytrope_has(label)
        return unknown("groups of some columns")


def has_plain_index(data):
    """Whether the index that a frame gets from its data has no name: a series would bring its own."""
    if is_array(data, ndarray) or data is None:
        return True
    if is_unknown(data) or not isinstance(data, dict):
        return False
    for part in data.values():
        if is_unknown(part) or not (is_array(part, ndarray) or isinstance(part, (list, tuple, range, str, int, float))):
            return False
    return True


def merged(left, right, keys, same_keys):
    """The frame that two frames make by columns of the same names; other names that both have get suffixes."""
    if keys is None or same_keys is None:
        return frame(unknown("columns of two frames"), fresh("rows"))
    ours, theirs, found = left._pytrope_columns, right._pytrope_columns, {}
    for label in ours:
        shared = label in theirs and label not in keys
        if shared and not isinstance(label, str):
            return frame(unknown("columns of two frames"), fresh("rows"))
        found[f"{label}_x" if shared else label] = unknown("a dtype")
    for label in theirs:
        if label not in keys:
            found[f"{label}_y" if label in ours else label] = unknown("a dtype")
    made = frame(found, fresh("rows"))
    made._pytrope_plain = True
    return made


def untyped_columns(labels):
    """The same labels, of unknown types; Unknown if they are."""
    return labels if is_unknown(labels) else {label: unknown("a dtype") for label in labels}


def frame(columns, rows):
    """A frame of known columns and rows."""
    made = DataFrame()
    made._pytrope_columns = columns if is_unknown(columns) else dict(columns)
    made._pytrope_rows = rows
    made._pytrope_plain = False
    return made
