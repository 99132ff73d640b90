"""A matrix class and its tests in pytest's style, run by a tiny runner so that pytest is optional."""
import math
import numbers
import operator
from functools import reduce

try:
    import pytest
except ImportError:
    pytest = None


class Matrix:
    def __init__(self, rows):
        rows = [list(r) for r in rows]
        if not rows or any(len(r) != len(rows[0]) for r in rows):
            raise ValueError("rows must be equally long")
        self._rows = rows

    @classmethod
    def identity(cls, n):
        return cls([[int(i == j) for j in range(n)] for i in range(n)])

    @classmethod
    def zeros(cls, n, m):
        return cls([[0] * m for _ in range(n)])

    @property
    def shape(self):
        return len(self._rows), len(self._rows[0])

    @property
    def T(self):
        return Matrix(zip(*self._rows))

    def __getitem__(self, key):
        if isinstance(key, tuple):
            i, j = key
            if isinstance(i, slice) or isinstance(j, slice):
                rows = self._rows[i] if isinstance(i, slice) else [self._rows[i]]
                return Matrix(r[j] if isinstance(j, slice) else [r[j]] for r in rows)
            return self._rows[i][j]
        return self._rows[key]

    def __setitem__(self, key, value):
        i, j = key
        self._rows[i][j] = value

    def __eq__(self, other):
        if not isinstance(other, Matrix):
            return NotImplemented
        return self._rows == other._rows

    __hash__ = None

    def _map2(self, other, f):
        if isinstance(other, numbers.Number):
            return Matrix([[f(a, other) for a in r] for r in self._rows])
        if self.shape != other.shape:
            raise ValueError(f"shapes {self.shape} and {other.shape} differ")
        return Matrix([[f(a, b) for a, b in zip(r, s)] for r, s in zip(self._rows, other._rows)])

    def __add__(self, other):
        return self._map2(other, operator.add)

    def __sub__(self, other):
        return self._map2(other, operator.sub)

    def __mul__(self, other):
        return self._map2(other, operator.mul)

    __rmul__ = __mul__

    def __neg__(self):
        return -1 * self

    def __matmul__(self, other):
        (n, k), (k2, m) = self.shape, other.shape
        if k != k2:
            raise ValueError(f"inner sizes {k} and {k2} differ")
        columns = list(zip(*other._rows))
        return Matrix([[sum(map(operator.mul, row, col)) for col in columns] for row in self._rows])

    def __pow__(self, n):
        if n < 0:
            return self.inverse() ** -n
        return reduce(operator.matmul, [self] * n, Matrix.identity(len(self._rows)))

    def det(self):
        n, m = self.shape
        if n != m:
            raise ValueError("not square")
        if n == 1:
            return self[0, 0]
        total = 0
        for j in range(n):
            minor = Matrix([r[:j] + r[j + 1 :] for r in self._rows[1:]])
            total += (-1) ** j * self[0, j] * minor.det()
        return total

    def inverse(self):
        n = len(self._rows)
        work = [list(map(float, r)) + e for r, e in zip(self._rows, Matrix.identity(n)._rows)]
        for k in range(n):
            pivot = max(range(k, n), key=lambda i: abs(work[i][k]))
            if work[pivot][k] == 0:
                raise ZeroDivisionError("singular")
            work[k], work[pivot] = work[pivot], work[k]
            p = work[k][k]
            work[k] = [v / p for v in work[k]]
            for i in range(n):
                if i != k:
                    factor = work[i][k]
                    work[i] = [v - factor * w for v, w in zip(work[i], work[k])]
        return Matrix([r[n:] for r in work])

    def __repr__(self):
        return f"Matrix({self._rows!r})"


def raises(kind, f, *args):
    try:
        f(*args)
    except kind as e:
        return e
    raise AssertionError(f"{kind.__name__} not raised")


def sample():
    return Matrix([[1, 2], [3, 4]])


def test_shape():
    assert Matrix([(1, 2, 3)]).shape == (1, 3)
    assert Matrix([(1, 2, 3)]).T.shape == (3, 1)


def test_ragged():
    raises(ValueError, Matrix, [[1], [2, 3]])
    raises(ValueError, Matrix, [])


def test_products():
    m = sample()
    assert m @ Matrix.identity(2) == m
    assert (m @ Matrix([[1], [1]])).T == Matrix([[3, 7]])
    assert str(raises(ValueError, operator.matmul, m, Matrix.zeros(3, 1))) == "inner sizes 2 and 3 differ"


def test_arithmetic():
    m = sample()
    assert 2 * m - m == m
    assert -m + m == Matrix.zeros(2, 2)
    assert m + 1 == Matrix([[2, 3], [4, 5]])
    raises(ValueError, operator.add, m, Matrix.zeros(1, 2))


def test_slices():
    m = Matrix([range(i, i + 3) for i in range(3)])
    assert m[1:, 0] == Matrix([[1], [2]])
    assert m[0, :2] == Matrix([[0, 1]])
    assert m[2][2] == m[-1, -1] == 4
    m[0, 0] = 9
    assert m[0][0] == 9
    raises(IndexError, lambda: m[3, 0])


def test_inverse():
    m = sample()
    assert m.det() == -2
    product = m @ m**-1
    assert all(math.isclose(product[i, j], i == j, abs_tol=1e-12) for i in range(2) for j in range(2))
    raises(ZeroDivisionError, Matrix([[1, 1], [1, 1]]).inverse)
    raises(ValueError, Matrix([[1, 2]]).det)


def test_hash_and_eq():
    assert sample() != 3
    raises(TypeError, hash, sample())


if pytest is not None:

    @pytest.mark.parametrize("n, want", [(0, [[1, 0], [0, 1]]), (1, [[1, 2], [3, 4]]), (2, [[7, 10], [15, 22]])])
    def test_powers(n, want):
        assert (sample() ** n)._rows == want

    @pytest.fixture
    def big():
        return Matrix.identity(10)

    def test_big(big):
        with pytest.raises(ValueError):
            big @ sample()


if __name__ == "__main__":
    tests = {name: f for name, f in globals().copy().items() if name.startswith("test_") and callable(f)}
    failed = []
    for name, test in tests.items():
        if test.__code__.co_argcount:
            continue
        try:
            test()
        except AssertionError as e:
            failed.append((name, e))
    print(f"{len(tests)} tests, {len(failed)} failed")
    assert not failed, failed
