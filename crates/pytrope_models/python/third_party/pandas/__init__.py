"""pandas, as far as columns and numbers of rows are known. A name that is not here is Unknown."""

from ._frame import DataFrame
from ._index import Index
from ._reading import (
    concat,
    get_dummies,
    isna,
    isnull,
    merge,
    notna,
    notnull,
    read_csv,
    read_excel,
    read_json,
    read_parquet,
    read_pickle,
    read_table,
)
from ._series import Series
