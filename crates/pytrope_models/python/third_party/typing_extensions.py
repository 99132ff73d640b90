"""`typing_extensions`: `typing` for older Pythons."""

from typing import (
    TYPE_CHECKING,
    Annotated,
    Generic,
    Protocol,
    assert_type,
    cast,
    dataclass_transform,
    final,
    no_type_check,
    override,
    runtime_checkable,
)
