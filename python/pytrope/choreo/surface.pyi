# What type checkers see of a choreography: payload types are theirs to check, roles are Pytrope's.
from enum import Enum
from typing import Any, Generic, TypeVar, overload

from typing_extensions import TypeVarTuple, Unpack

_T = TypeVar("_T")
_S = TypeVar("_S")
_E = TypeVar("_E", bound=Enum)
_R = TypeVar("_R", bound=Role)
_Rs = TypeVarTuple("_Rs")
_R1 = TypeVar("_R1", bound=Role)
_R2 = TypeVar("_R2", bound=Role)
_R3 = TypeVar("_R3", bound=Role)
_R4 = TypeVar("_R4", bound=Role)
_R5 = TypeVar("_R5", bound=Role)
_R6 = TypeVar("_R6", bound=Role)
_R7 = TypeVar("_R7", bound=Role)
_R8 = TypeVar("_R8", bound=Role)
_R9 = TypeVar("_R9", bound=Role)
_R10 = TypeVar("_R10", bound=Role)

class Role:
    __array_ufunc__: None
    def __rmatmul__(self, value: _T, /) -> _T: ...

# Transparent: a located value is used like the value.
type At[T, R: Role] = T

class _OnMeta(type):
    __array_ufunc__: None
    def __rmatmul__(cls, value: _T, /) -> _T: ...

class On(Generic[_R], metaclass=_OnMeta): ...

# The base of classes whose roles are type parameters: subscripting them is the language's own.
class Ch(Generic[Unpack[_Rs]]): ...

# Lets ``Mergesort[B, C, A](...)`` be written for a class whose roles are no type parameters.
class _ChMeta(type):
    def __getitem__(cls: type[_T], roles: Any, /) -> type[_T]: ...

# No metaclass, so that a label type may be written ``class L(Ch1[A], Enum)``.
class Ch1(Generic[_R1]): ...
class Ch2(Generic[_R1, _R2], metaclass=_ChMeta): ...
class Ch3(Generic[_R1, _R2, _R3], metaclass=_ChMeta): ...
class Ch4(Generic[_R1, _R2, _R3, _R4], metaclass=_ChMeta): ...
class Ch5(Generic[_R1, _R2, _R3, _R4, _R5], metaclass=_ChMeta): ...
class Ch6(Generic[_R1, _R2, _R3, _R4, _R5, _R6], metaclass=_ChMeta): ...
class Ch7(Generic[_R1, _R2, _R3, _R4, _R5, _R6, _R7], metaclass=_ChMeta): ...
class Ch8(Generic[_R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8], metaclass=_ChMeta): ...
class Ch9(Generic[_R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9], metaclass=_ChMeta): ...
class Ch10(Generic[_R1, _R2, _R3, _R4, _R5, _R6, _R7, _R8, _R9, _R10], metaclass=_ChMeta): ...

class _Carrier(Generic[_T]):
    # A channel of objects carries anything and keeps its type.
    @overload
    def com(self: _Carrier[object], value: _S, /) -> _S: ...
    @overload
    def com(self, value: _T, /) -> _T: ...
    def select(self, label: _E, /) -> _E: ...

# Transparent in the roles, so that a channel may be handed to ``Mergesort[B, C, A]`` and a
# symmetric one may be named from either side.
type Channel[T, A: Role, B: Role] = _Carrier[T]
type DiChannel[T, A: Role, B: Role] = _Carrier[T]

def direct_channel() -> Any: ...
