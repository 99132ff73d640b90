"""What operations return that have several results: tuples whose items have names.

```python
best = q.max(dim=1)
target = rewards + 0.99 * best          # TypeError: a tuple is no tensor
target = rewards + 0.99 * best.values
```
"""

from _pytrope import array_test, is_unknown, unknown

# Here, below `_make`, which refuses these tuples as tensors.
is_tensor = array_test("torch._tensor", "Tensor")


def refuse_operand(x, operator):
    """Tuples have no arithmetic with tensors and numbers, apart from repetition."""
    if not is_unknown(x) and (is_tensor(x) or isinstance(x, (int, float, complex))):
        raise TypeError(
            f"unsupported operand for {operator}: a tuple of several results, whose items are to be taken first"
        )
    return unknown("an operation on a tuple of results")


class NamedResult(unknown("the builtin tuple")):
    """A tuple whose items have names, too."""

    def __init__(self, **items):
        self._items = tuple(items.values())
        for name in items:
            setattr(self, name, items[name])

    def __getitem__(self, place):
        return self._items[place]

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __add__(self, other):
        return refuse_operand(other, "+")

    def __radd__(self, other):
        return refuse_operand(other, "+")

    def __sub__(self, other):
        return refuse_operand(other, "-")

    def __rsub__(self, other):
        return refuse_operand(other, "-")

    def __mul__(self, other):
        return self._items * other if isinstance(other, int) else refuse_operand(other, "*")

    def __rmul__(self, other):
        return self._items * other if isinstance(other, int) else refuse_operand(other, "*")

    def __truediv__(self, other):
        return refuse_operand(other, "/")

    def __rtruediv__(self, other):
        return refuse_operand(other, "/")

    def __pow__(self, other):
        return refuse_operand(other, "**")

    def __neg__(self):
        raise TypeError("bad operand for unary -: a tuple of several results, whose items are to be taken first")

    def __gt__(self, other):
        return refuse_operand(other, ">")

    def __ge__(self, other):
        return refuse_operand(other, ">=")

    def __lt__(self, other):
        return refuse_operand(other, "<")

    def __le__(self, other):
        return refuse_operand(other, "<=")


class PairResult(NamedResult):
    """What `max(dim)`, `sort` and the like return."""

    def __init__(self, values, indices):
        self._items = (values, indices)
        self.values = values
        self.indices = indices
