"""Shape hints that Pytrope reads and Python ignores.

``x: NdArray[2, 3]`` says that ``x`` is a NumPy array of shape (2, 3).  A dimension is an
integer, ``int`` (any size), a name shared within one function (``"n"``), or ``...`` for any
number of dimensions; ``NdArray[()]`` has none.  ``TensorType([1, Dyn])`` is the notation of
the gradual shape types that ``pytrope migrate`` writes.  ``Float[np.ndarray, "n 3"]``, ``Int``,
``Bool`` and ``Shaped`` are jaxtyping's notation, which type checkers accept, for programs that do not
need that package.  Nothing here is checked at run time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, final

__all__ = ["Bool", "Dyn", "Float", "Int", "NdArray", "Shaped", "TensorType"]

Bool = Float = Int = Shaped = Annotated


@final
class ShapeHint:
    """What a hint evaluates to at run time: the name and the dimensions, for people to print."""

    __slots__ = ("dims", "name")

    def __init__(self, name: str, dims: tuple[object, ...]) -> None:
        self.name = name
        self.dims = dims

    def __repr__(self) -> str:
        return f"{self.name}[{', '.join(map(_spell, self.dims)) or '()'}]"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ShapeHint):
            return NotImplemented
        return (self.name, self.dims) == (other.name, other.dims)

    def __hash__(self) -> int:
        return hash((self.name, self.dims))

    def __call__(self, *_args: object, **_keywords: object) -> Any:
        # ``typing`` asks whether an annotation is callable before it accepts it in ``X | None``,
        # ``Optional[X]`` or ``get_type_hints``; calling it is a mistake.
        raise TypeError(f"{self!r} is a hint, not a constructor")

    def __or__(self, other: object) -> ShapeHint:
        return ShapeHint("Union", (self, other))

    def __ror__(self, other: object) -> ShapeHint:
        return ShapeHint("Union", (other, self))


class NdArray:
    """A NumPy array with a shape: ``NdArray[2, 3]``, ``NdArray[int, 2]``, ``NdArray["n", "m"]``."""

    def __class_getitem__(cls, dims: object) -> ShapeHint:
        return ShapeHint("NdArray", dims if isinstance(dims, tuple) else (dims,))


@final
class _Dyn:
    """The dimension, or the tensor, about which nothing is known."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Dyn"

    def __call__(self, *_args: object, **_keywords: object) -> Any:
        raise TypeError("Dyn is a hint, not a constructor")

    def __reduce__(self) -> str:
        return "Dyn"


Dyn = _Dyn()


class TensorType:
    """A tensor with a gradual shape: ``TensorType([1, Dyn])``, also ``TensorType((1, Dyn))``."""

    __slots__ = ("dims",)

    def __init__(self, dims: Iterable[object]) -> None:
        self.dims = tuple(dims)

    def __iter__(self) -> Iterator[object]:
        return iter(self.dims)

    def __repr__(self) -> str:
        return f"TensorType([{', '.join(map(_spell, self.dims))}])"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorType):
            return NotImplemented
        return self.dims == other.dims

    def __hash__(self) -> int:
        return hash(self.dims)

    def __call__(self, *_args: object, **_keywords: object) -> Any:
        raise TypeError(f"{self!r} is a hint, not a constructor")


def _spell(dimension: object) -> str:
    if dimension is Ellipsis:
        return "..."
    return dimension.__name__ if isinstance(dimension, type) else repr(dimension)
