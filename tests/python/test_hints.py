"""Hints must be importable, printable, and harmless wherever annotations are evaluated."""

import copy
import pickle
import typing
import unittest

import peers  # noqa: F401 - puts the package on the path
from pytrope.hints import Dyn, NdArray, TensorType


class Hints(unittest.TestCase):
    def test_every_notation_prints_as_it_is_written(self) -> None:
        for hint, text in [
            (NdArray[2, 3], "NdArray[2, 3]"),
            (NdArray[2], "NdArray[2]"),
            (NdArray[()], "NdArray[()]"),
            (NdArray[int, 2], "NdArray[int, 2]"),
            (NdArray["n", "m"], "NdArray['n', 'm']"),
            (NdArray[..., 3], "NdArray[..., 3]"),
            (TensorType([1, Dyn]), "TensorType([1, Dyn])"),
            (TensorType((1, 2)), "TensorType([1, 2])"),
            (Dyn, "Dyn"),
        ]:
            with self.subTest(text):
                self.assertEqual(repr(hint), text)

    def test_annotations_are_evaluated_without_harm(self) -> None:
        def f(x: NdArray[2, "n"], y: TensorType([1, Dyn]), z: Dyn) -> NdArray[()]:  # noqa: F821
            return x

        hints = typing.get_type_hints(f)
        self.assertEqual(hints["x"], NdArray[2, "n"])
        self.assertEqual(hints["return"], NdArray[()])
        self.assertEqual(f(1, 2, 3), 1)

    def test_hints_combine_with_typing(self) -> None:
        self.assertIsNotNone(typing.Optional[NdArray[2, 3]])  # noqa: UP045 - this spelling is the test
        self.assertIsNotNone(typing.Annotated[object, NdArray["n"]])
        self.assertIsNotNone(NdArray[2] | None)
        self.assertIsNotNone(None | NdArray[2])
        self.assertIsNotNone(list[NdArray[2]])

    def test_hints_compare_and_hash_by_their_dimensions(self) -> None:
        self.assertEqual(NdArray[2, 3], NdArray[2, 3])
        self.assertNotEqual(NdArray[2, 3], NdArray[3, 2])
        self.assertEqual(len({TensorType([1, Dyn]), TensorType((1, Dyn)), TensorType([2, Dyn])}), 2)

    def test_dyn_is_one_object(self) -> None:
        self.assertIs(copy.deepcopy(Dyn), Dyn)
        self.assertIs(pickle.loads(pickle.dumps(Dyn)), Dyn)

    def test_a_hint_is_no_constructor(self) -> None:
        for hint in (NdArray[2], TensorType([2]), Dyn):
            with self.assertRaises(TypeError):
                hint()


if __name__ == "__main__":
    unittest.main()
