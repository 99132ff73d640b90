"""Values travel unchanged, or not at all; what arrives is never executed."""

import collections
import dataclasses
import decimal
import enum
import json
import math
import random
import string
import unittest
from typing import Any, NamedTuple

import peers
from pytrope.choreo import ELSEWHERE, DecodeError, ElsewhereError, EncodeError, On, Role, register
from pytrope.choreo.codec import copy_payload, decode, encode


class Colour(enum.Enum):
    RED = 1
    BLUE = "b"


class Level(enum.IntEnum):
    LOW = 1


class Access(enum.Flag):
    READ = enum.auto()
    WRITE = enum.auto()


@dataclasses.dataclass
class Point:
    x: float
    y: float
    history: "list[Point]" = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: int
    b: int = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "b", self.a * 2)


class Pair(NamedTuple):
    left: int
    right: str


class Outer:
    class Inner(enum.Enum):
        HERE = 0


def there_and_back(value: Any) -> Any:
    text, buffers = encode(value)
    return decode(text, buffers)


VALUES = [
    None,
    True,
    0,
    -1,
    2**63,
    10**2000,
    -(2**10_000),
    0.1,
    -0.0,
    math.inf,
    -math.inf,
    "",
    "é\n\ud800\x00",
    b"",
    b"\x00\xff",
    bytearray(b"ab"),
    [],
    [1, [2, [3]]],
    (),
    (1,),
    ((), [()]),
    {},
    {"a": 1},
    {"$": "enum"},
    {1: "a", (2, 3): None},
    {"a", "b"},
    frozenset({1}),
    1 + 2j,
    complex(math.inf, -0.0),
    Colour.RED,
    Colour.BLUE,
    Level.LOW,
    Access.READ | Access.WRITE,
    Point(1.0, 2.0, [Point(0.5, -1.0)]),
    Frozen(4),
    Pair(1, "r"),
    Outer.Inner.HERE,
    {"deep": [Point(0.0, 0.0), {Colour.RED: (b"x",)}]},
]


class RoundTrip(unittest.TestCase):
    def test_each_kind_of_value_arrives_equal_and_of_the_same_type(self) -> None:
        for carry in (there_and_back, copy_payload):
            for value in VALUES:
                with self.subTest(repr(value)[:60], carry=carry.__name__):
                    arrived = carry(value)
                    self.assertEqual(arrived, value)
                    self.assertIs(type(arrived), type(value))
                    self.assertEqual(
                        repr(arrived) if not isinstance(value, (set, int)) else "",
                        repr(value) if not isinstance(value, (set, int)) else "",
                    )

    def test_nan_arrives(self) -> None:
        self.assertTrue(math.isnan(there_and_back(math.nan)))

    def test_random_values_arrive(self) -> None:
        source = random.Random(20261115)

        def make(depth: int) -> Any:
            kind = source.randrange(12 if depth else 7)
            if kind < 7:
                return [
                    None,
                    source.random() < 0.5,
                    source.randint(-(2**70), 2**70),
                    source.uniform(-1e300, 1e300),
                    "".join(source.choices(string.printable + "äß😀", k=source.randrange(9))),
                    source.randbytes(source.randrange(9)),
                    source.choice([Colour.RED, Level.LOW, Access.WRITE]),
                ][kind]
            parts = [make(depth - 1) for _ in range(source.randrange(4))]
            return [
                parts,
                tuple(parts),
                dict(zip("abcd", parts, strict=False)),
                {i: part for i, part in enumerate(parts)},
                Point(1.0, 2.0, parts),
            ][kind - 7]

        for _ in range(2000):
            value = make(4)
            self.assertEqual(there_and_back(value), value)
            self.assertEqual(copy_payload(value), value)

    def test_the_receiver_shares_nothing_with_the_sender(self) -> None:
        sent = [bytearray(b"a"), [1]]
        got = copy_payload(sent)
        got[0][0] = 0
        got[1].append(2)
        self.assertEqual(sent, [bytearray(b"a"), [1]])


class Arrays(unittest.TestCase):
    def setUp(self) -> None:
        try:
            import numpy
        except ImportError:
            peers.missing("numpy")
        self.numpy = numpy

    def test_a_marker_leaves_an_array_as_it_is(self) -> None:
        """`array @ Role()` is the array, not a product: NumPy asks the right operand first."""
        for marker in (Role(), On[Role]):
            array = self.numpy.arange(6).reshape(2, 3)
            self.assertIs(array @ marker, array)

    def test_arrays_keep_shape_dtype_and_values(self) -> None:
        np = self.numpy
        for array in [
            np.arange(6.0).reshape(2, 3),
            np.zeros((0, 3), np.int8),
            np.array(5),
            np.array([True]),
            np.array(["ab", "c"]),
            np.arange(6).reshape(2, 3).T,
            np.array([1 + 2j], np.complex64),
            np.arange(3, dtype=">i4"),
            np.array(["2026-11-15"], "M8[D]"),
        ]:
            with self.subTest(repr(array)):
                for carry in (there_and_back, copy_payload):
                    got = carry(array)
                    self.assertEqual((got.dtype, got.shape), (array.dtype, array.shape))
                    np.testing.assert_array_equal(got, array)
                    self.assertTrue(got.flags.writeable)

    def test_scalars_stay_scalars(self) -> None:
        got = there_and_back(self.numpy.float32(1.5))
        self.assertEqual((type(got), got), (self.numpy.float32, 1.5))

    def test_objects_in_arrays_are_refused(self) -> None:
        with self.assertRaisesRegex(EncodeError, "dtype object"):
            encode(self.numpy.array([object()]))

    def test_an_array_whose_bytes_do_not_fit_is_refused(self) -> None:
        for size, shape, dtype in [
            (8, [3], "<f8"),
            (8, [-1], "<f8"),
            (8, [1], "O"),
            (8, [1 << 70], "<f8"),
            (8, "1", "<f8"),
            (8, [1], "zz"),
        ]:
            with self.subTest(shape), self.assertRaises(DecodeError):
                decode(json.dumps({"$": "ndarray", "d": dtype, "s": shape, "v": 0}).encode(), [bytes(size)])


class Refused(unittest.TestCase):
    def test_what_cannot_travel_says_so(self) -> None:
        itself: list[Any] = []
        itself.append(itself)
        for value, text in [
            (object(), "builtins.object"),
            (lambda: 0, "function"),
            (decimal.Decimal(1), "decimal.Decimal"),
            (itself, "contains itself"),
            (collections.OrderedDict(a=1), "OrderedDict"),
            (open, "builtin"),
            (ELSEWHERE, "another role"),
        ]:
            with self.subTest(text), self.assertRaisesRegex(EncodeError, text):
                encode([value])

    def test_hostile_payloads_are_typed_errors(self) -> None:
        for text in [
            b"",
            b"{",
            b"\xff",
            b"NaN",
            b"[" * 100_000,
            b"1" * 10_000,
            b'{"$":"os.system","v":"true"}',
            b'{"$":["a"]}',
            b'{"$":"enum"}',
            b'{"$":"enum","t":"Colour","v":"GREEN"}',
            b'{"$":"enum","t":"open","v":"x"}',
            b'{"$":"enum","t":5,"v":"x"}',
            b'{"$":"enum","t":"Point","v":"x"}',
            b'{"$":"dataclass","t":"Colour","v":{}}',
            b'{"$":"dataclass","t":"Point","v":{"x":1}}',
            b'{"$":"dataclass","t":"Point","v":5}',
            b'{"$":"dataclass","t":"unittest.TestCase","v":{}}',
            b'{"$":"bytes","v":0}',
            b'{"$":"bytes","v":-1}',
            b'{"$":"tuple","v":5}',
            b'{"$":"set","v":[[]]}',
            b'{"$":"int","v":"x"}',
            b'{"$":"float","v":"1"}',
            b'{"$":"complex","v":["a"]}',
            b'{"$":"dict","v":[[1]]}',
            b'{"$":"dict","v":[[[],1]]}',
            b'{"$":"named","t":"Colour","v":[]}',
            b'{"$":"named","t":"Pair","v":[1]}',
            b'{"$":"registered","t":"nothing","v":1}',
        ]:
            with self.subTest(text[:50]), self.assertRaises(DecodeError):
                decode(text, [])

    def test_a_name_is_not_a_path_into_modules(self) -> None:
        with self.assertRaises(DecodeError):
            decode(b'{"$":"enum","t":"enum.Enum","v":"x"}', [])


class Registered(unittest.TestCase):
    def test_a_registered_type_travels(self) -> None:
        register(decimal.Decimal, "decimal", str, decimal.Decimal)
        try:
            self.assertEqual(there_and_back([decimal.Decimal("1.50")]), [decimal.Decimal("1.50")])
        finally:
            from pytrope.choreo import codec

            del codec._encoders[decimal.Decimal], codec._decoders["decimal"]


class Placeholder(unittest.TestCase):
    def test_elsewhere_may_be_passed_on_but_not_used(self) -> None:
        import copy

        self.assertIs(copy.deepcopy((ELSEWHERE,))[0], ELSEWHERE)
        self.assertEqual(repr(ELSEWHERE), "ELSEWHERE")
        for use in [
            bool,
            len,
            iter,
            lambda e: e + 1,
            lambda e: 1 + e,
            lambda e: e.field,
            lambda e: e[0],
            lambda e: e(),
            lambda e: e < 1,
        ]:
            with self.subTest(use), self.assertRaises(ElsewhereError):
                use(ELSEWHERE)
        with self.assertRaises(ElsewhereError):
            if ELSEWHERE:
                self.fail("a placeholder decided a branch")


if __name__ == "__main__":
    unittest.main()
