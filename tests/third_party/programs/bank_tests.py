"""unittest style: a small bank and its tests, with fixtures, sub-tests, mocks and context managers."""
import io
import unittest
from contextlib import redirect_stdout
from decimal import Decimal
from unittest import mock

import numpy as np


class InsufficientFunds(Exception):
    pass


class Account:
    def __init__(self, owner, balance=0, *, overdraft=0):
        self.owner = owner
        self.balance = Decimal(balance)
        self.overdraft = Decimal(overdraft)
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("deposits are positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if self.balance + self.overdraft < amount:
            raise InsufficientFunds(f"{self.owner} has only {self.balance}")
        self.balance -= amount
        self.history.append(("withdraw", amount))

    def statement(self, rates=None):
        rate = rates.fetch(self.owner) if rates else 1
        for kind, amount in self.history:
            print(f"{kind:>10}: {amount * rate:.2f}")


def transfer(source, target, amount):
    source.withdraw(amount)
    try:
        target.deposit(amount)
    except ValueError:
        source.balance += amount
        raise


def normalise(m):
    m = np.asarray(m, dtype=float)
    if m.ndim != 2:
        raise ValueError("need a matrix")
    sums = m.sum(axis=1, keepdims=True)
    return m / np.where(sums == 0, 1, sums)


class AccountTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rates = {"EUR": 1}

    def setUp(self):
        self.ann = Account("Ann", 100)
        self.bob = Account("Bob", overdraft=50)
        self.addCleanup(self.ann.history.clear)

    def test_deposit(self):
        self.ann.deposit(20)
        self.assertEqual(self.ann.balance, 120)
        self.assertEqual(self.ann.history[-1], ("deposit", 20))

    def test_bad_amounts(self):
        for amount in (0, -1, Decimal("-0.01")):
            with self.subTest(amount=amount):
                with self.assertRaises(ValueError):
                    self.ann.deposit(amount)

    def test_overdraft(self):
        self.bob.withdraw(50)
        with self.assertRaisesRegex(InsufficientFunds, "Bob has only"):
            self.bob.withdraw(1)
        self.assertLess(self.bob.balance, 0)

    def test_transfer(self):
        transfer(self.ann, self.bob, 30)
        self.assertEqual((self.ann.balance, self.bob.balance), (70, 30))
        self.assertRaises(InsufficientFunds, transfer, self.ann, self.bob, 1000)

    def test_transfer_rolls_back(self):
        with mock.patch.object(Account, "deposit", side_effect=ValueError("closed")):
            with self.assertRaises(ValueError) as caught:
                transfer(self.ann, self.bob, 30)
        self.assertEqual(str(caught.exception), "closed")
        self.assertEqual(self.ann.balance, 100)

    def test_statement(self):
        rates = mock.Mock()
        rates.fetch.return_value = 2
        self.ann.deposit(5)
        out = io.StringIO()
        with redirect_stdout(out):
            self.ann.statement(rates)
        self.assertIn("10.00", out.getvalue())
        rates.fetch.assert_called_once_with("Ann")

    def test_missing_argument(self):
        with self.assertRaises(TypeError):
            Account()
        with self.assertRaises(AttributeError):
            self.ann.colour


class NormaliseTest(unittest.TestCase):
    def test_rows_sum_to_one(self):
        got = normalise([[1, 3], [2, 2], [0, 0]])
        np.testing.assert_allclose(got.sum(axis=1), [1, 1, 0])
        self.assertEqual(got.shape, (3, 2))

    def test_rejects_vectors(self):
        with self.assertRaises(ValueError):
            normalise([1, 2, 3])

    def test_shapes_must_agree(self):
        with self.assertRaises(ValueError):
            np.ones((2, 3)) @ np.ones((2, 3))
        self.assertRaises(ValueError, np.dot, np.ones((2, 3)), np.ones((2, 3)))

    @unittest.skipIf(np.__version__.startswith("1."), "needs NumPy 2")
    def test_ragged(self):
        self.assertRaises(ValueError, np.array, [[1, 2], [3]])

    @unittest.expectedFailure
    def test_known_bug(self):
        self.assertEqual(normalise([[1, 1]])[0, 0], 1)


if __name__ == "__main__":
    result = unittest.main(exit=False, argv=["bank_tests"], verbosity=0).result
    assert result.wasSuccessful()
