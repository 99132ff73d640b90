"""Values travel unchanged, or not at all; what arrives is never executed."""

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import pathlib
import random
import re
import string
import sys
import tracemalloc
import unittest
import uuid
import zoneinfo
from typing import Any, NamedTuple

import peers
from pytrope.choreo import ELSEWHERE, DecodeError, ElsewhereError, EncodeError, On, Role, register
from pytrope.choreo.codec import Packing, copy_payload, decode, encode
from pytrope.choreo.messagepack import library, read_text, read_text_plainly, write_text, write_text_plainly


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


class Odd(datetime.tzinfo):
    pass


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
    [0.5 * at for at in range(1000)],
    list(range(-500, 500)),
    [2**64 + at for at in range(600)],
    tuple(float(at) for at in range(600)),
    [True] * 600,
    "é\ud800" * 3000,
    {"text": "long " * 300_000, "list": ["x" * 5000, "y"]},
    b"x" * 600,
    {1: [b"y" * 600]},
    datetime.datetime(2026, 11, 16, 10, 43, 25, 123456),
    datetime.datetime(2026, 10, 25, 2, 30, fold=1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")),
    datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC),
    datetime.date(1, 1, 1),
    datetime.time(23, 59, tzinfo=datetime.timezone(datetime.timedelta(hours=-3, minutes=-30))),
    datetime.timedelta(days=-1, microseconds=1),
    datetime.UTC,
    decimal.Decimal("1.50"),
    decimal.Decimal("-Infinity"),
    fractions.Fraction(-1, 3),
    uuid.UUID(int=7),
    pathlib.Path("a/b"),
    pathlib.PurePosixPath("/x"),
    pathlib.PureWindowsPath("C:/x"),
    range(3, 9, 2),
    collections.OrderedDict(b=1, a=2),
    collections.deque([1, 2], 5),
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
            (0, [1 << 33], "S0"),
            (0, [1 << 33], "V0"),
            (8, [1] * 65, "<f8"),
            (8, [1], "<f8" * 20),
            (8, [True], "<f8"),
        ]:
            with self.subTest(shape), self.assertRaises(DecodeError):
                decode(write_text({"$": ["ndarray", dtype, shape, 0]}), [bytes(size)])

    def test_masked_arrays_and_matrices_keep_their_class(self) -> None:
        np = self.numpy
        for value in (
            np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0], fill_value=-5.0),
            np.ma.array([[1, 2]], hard_mask=True),
            np.matrix([[1, 2], [3, 4]]),
        ):
            for carry in (there_and_back, copy_payload):
                got = carry(value)
                self.assertIs(type(got), type(value))
                self.assertEqual(repr(got), repr(value))
                self.assertEqual(got.dtype, value.dtype)
        self.assertTrue(there_and_back(np.ma.array([1], hard_mask=True)).hardmask)

    def test_other_subclasses_are_refused_by_name(self) -> None:
        np = self.numpy
        for value in (np.rec.array([(1, 2.0)]), np.zeros(2).view(type("Mine", (np.ndarray,), {}))):
            with self.assertRaisesRegex(EncodeError, "cannot be sent"):
                encode(value)

    def test_arrays_are_neither_copied_when_sent_nor_when_received(self) -> None:
        np = self.numpy
        array = np.arange(10_000.0)
        text, (buffer,) = encode(array)
        self.assertTrue(np.shares_memory(np.frombuffer(buffer), array))
        received = bytearray(buffer)
        got = decode(text, [memoryview(received)])
        self.assertTrue(np.shares_memory(got, np.frombuffer(received)))


class Models(unittest.TestCase):
    def setUp(self) -> None:
        try:
            import pydantic
        except ImportError:
            peers.missing("pydantic")

        class Item(pydantic.BaseModel):
            name: str
            price: decimal.Decimal = pydantic.Field(alias="cost")

        class Order(pydantic.BaseModel):
            model_config = pydantic.ConfigDict(frozen=True)
            items: list[Item]
            colour: Colour = Colour.RED
            when: datetime.date | None = None

        self.item, self.order = Item, Order

    def test_models_within_models_arrive_with_their_class(self) -> None:
        Item, Order = self.item, self.order  # the receiver's names
        sent = Order(items=[Item(name="pen", cost=decimal.Decimal("1.50"))], when=datetime.date(2026, 1, 1))
        got = there_and_back(sent)
        self.assertEqual((type(got), got, got.model_fields_set), (Order, sent, {"items", "when"}))
        self.assertIs(type(got.items[0]), Item)

    def test_what_the_receivers_model_refuses_is_a_decode_error(self) -> None:
        Item = self.item
        with self.assertRaisesRegex(DecodeError, "does not accept"):
            decode(write_text({"$": ["pydantic", "Item", ["name", "price"], [5, None], []]}), [])
        self.assertIsNotNone(Item)


class Plainly(unittest.TestCase):
    """The reader and writer that need no library do what the library does."""

    def setUp(self) -> None:
        if library is None:
            peers.missing("msgpack")

    def test_the_same_bytes_and_the_same_values(self) -> None:
        trees = [packing.pack(value) for value in VALUES for packing in (Packing(), Packing(lifts_strings=True))]
        edges = [2**power + off for power in (5, 7, 8, 15, 16, 31, 32, 63, 64, 200, 2100) for off in (-1, 0, 1)]
        edges += [-edge for edge in edges]
        trees += [edges, ["x" * n for n in (31, 32, 255, 256, 65536)], [b"x" * n for n in (0, 255, 256, 65536)]]
        trees += [[[None] * n] for n in (15, 16, 65535, 65536)] + [
            {str(k): k for k in range(n)} for n in (15, 16, 70_000)
        ]
        for tree in trees:
            text = write_text(tree)
            self.assertEqual(write_text_plainly(tree), text)
            self.assertEqual(read_text_plainly(text), tree)
            self.assertEqual(read_text(text), tree)

    def test_both_readers_judge_random_bytes_alike(self) -> None:
        source = random.Random(20261116)
        seeds = [write_text(Packing().pack(value)) for value in VALUES]

        def judge(read: Any, text: bytes) -> Any:
            try:
                return repr(read(text))
            except (ValueError, RecursionError, MemoryError):
                return ValueError

        for _ in range(3000):
            text = bytearray(source.choice(seeds)[:500])
            for _ in range(source.randrange(1, 4)):
                if text:
                    text[source.randrange(len(text))] = source.randrange(256)
            ours, theirs = judge(read_text_plainly, bytes(text)), judge(read_text, bytes(text))
            if ours != theirs:
                self.assertIn("Timestamp", str(theirs))  # an extension that no sender writes, refused by `decode`


class Refused(unittest.TestCase):
    def test_what_cannot_travel_says_so(self) -> None:
        itself: list[Any] = []
        itself.append(itself)
        for value, text in [
            (object(), "builtins.object"),
            (lambda: 0, "function"),
            (itself, "contains itself"),
            (collections.ChainMap(), "ChainMap"),
            (collections.defaultdict(int), "defaultdict"),
            (decimal.Decimal("1." + "9" * 20_000), "digits"),
            (datetime.datetime(2026, 1, 1, tzinfo=Odd()), "time zone of type Odd"),
            (type("Text", (str,), {})("x"), "Text"),
            (open, "builtin"),
            (ELSEWHERE, "another role"),
        ]:
            with self.subTest(text), self.assertRaisesRegex(EncodeError, text):
                encode([value])

    def test_hostile_payloads_are_typed_errors(self) -> None:
        for text in [
            b"",
            b"\xc1",
            b"\x91",
            b"\xa5abc",
            b"\x81\x01\x02",
            b"\x91" * 100_000,
            b"\xd4\x05\x00",
            b"\x01\x01",
        ]:
            for read in (read_text, read_text_plainly):
                with self.subTest(text[:50], read=read.__name__), self.assertRaises((ValueError, RecursionError)):
                    read(text)
            with self.subTest(text[:50]), self.assertRaises(DecodeError):
                decode(text, [])
        for told in [
            ["os.system", "true"],
            [["a"]],
            [],
            5,
            ["enum"],
            ["enum", "Colour", "GREEN"],
            ["enum", "open", "x"],
            ["enum", 5, "x"],
            ["enum", "Point", "x"],
            ["enum", "Access", "x"],
            ["dataclass", "Colour", [], []],
            ["dataclass", "Point", ["x"], [1]],
            ["dataclass", "Point", 5, 5],
            ["dataclass", "unittest.TestCase", [], []],
            ["bytes", 0],
            ["bytes", -1],
            ["tuple", 5],
            ["set", [[]]],
            ["floats", 0],
            ["str", "x"],
            ["complex", "a"],
            ["complex", 1.0],
            ["dict", [1], []],
            ["dict", [[]], [1]],
            ["dict", [1, 1], [1, 2]],
            ["named", "Colour", []],
            ["named", "Pair", [1]],
            ["registered", "nothing", 1],
            ["registered", ["x"], 1],
            ["datetime", "yesterday", 0, None],
            ["datetime", "2026-11-16", 0, "../../etc/passwd"],
            ["decimal", "9" * 20_000],
            ["fraction", 1, 0],
            ["fraction", 1 << 100_000, 1],
            ["uuid", b"short"],
            ["range", 1, 2, 0],
            ["deque", [1], "x"],
            ["matrix", "<f8", [0], 0],
            ["masked", 1, 2, 3, 4],
            ["tensor", "open", [1], 0, False],
            ["pydantic", "Point", [], [], []],
        ]:
            with self.subTest(told), self.assertRaises(DecodeError):
                decode(write_text({"$": told}), [])

    def test_keys_that_collide_are_refused_before_a_table_is_made(self) -> None:
        prime = sys.hash_info.modulus
        colliding = [at * prime for at in range(1, 2000)]
        for told in (
            ["set", colliding],
            ["dict", colliding, colliding],
            ["frozenset", [{"$": ["tuple", [key]]} for key in colliding]],
            ["ordered", colliding, colliding],
            ["set", [{"$": ["fraction", key, 1]} for key in colliding]],
        ):
            with self.assertRaisesRegex(DecodeError, "keys with one hash"):
                decode(write_text({"$": told}), [])
        honest = set(range(-5000, 5000)) | {10**40 + at for at in range(1000)}
        self.assertEqual(there_and_back(honest), honest)

    def test_a_claimed_length_is_not_allocated(self) -> None:
        """Lists within lists that each claim to be as long as the text: gigabytes, were they believed."""
        text = b"\xdd\x00\x10\x00\x00" * 1000 + bytes(1 << 20)
        tracemalloc.start()
        try:
            with self.assertRaises(DecodeError):
                decode(text, [])
            self.assertLess(tracemalloc.get_traced_memory()[1], 16 << 20)
        finally:
            tracemalloc.stop()

    def test_a_name_is_not_a_path_into_modules(self) -> None:
        with self.assertRaises(DecodeError):
            decode(write_text({"$": ["enum", "enum.Enum", "x"]}), [])


class Registered(unittest.TestCase):
    def test_a_registered_type_travels(self) -> None:
        kind = type(re.compile("x"))
        register(kind, "pattern", lambda value: value.pattern, re.compile)
        try:
            self.assertEqual(there_and_back([re.compile("a+")]), [re.compile("a+")])
        finally:
            from pytrope.choreo import codec

            del codec._encoders[kind], codec._decoders["pattern"]


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
