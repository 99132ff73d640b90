"""The placeholder for the parts of a result that live at another role."""

from __future__ import annotations

from typing import Any, NoReturn, final

from .errors import ElsewhereError

__all__ = ["ELSEWHERE"]


@final
class Elsewhere:
    """May be passed on, stored and compared by identity; every other use is an error."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ELSEWHERE"

    def __reduce__(self) -> str:
        return "ELSEWHERE"

    def _refuse(self, *_args: object) -> NoReturn:
        raise ElsewhereError("this value lives at another role")

    # A placeholder that were true or false would let an ``if`` take a branch by accident.
    __bool__ = __len__ = __iter__ = __call__ = __getitem__ = __setitem__ = __contains__ = _refuse
    __int__ = __float__ = __index__ = __neg__ = __pos__ = __abs__ = __invert__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _refuse
    __pow__ = __rpow__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__") and name.endswith("__"):
            # ``copy``, ``inspect`` and friends probe for protocols and expect this answer.
            raise AttributeError(name)
        raise ElsewhereError(f"this value lives at another role, so it has no attribute {name!r} here")


ELSEWHERE: Any = Elsewhere()
