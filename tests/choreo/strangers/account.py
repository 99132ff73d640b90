from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Account(Ch2[A, B]):
    count: int = 0

    def __init__(self, ch: Channel[int, A, B], start: At[int, B] = 100 @ B()) -> None:
        self.ch = ch
        self._balance = start

    @property
    def balance(self) -> At[int, B]:
        return self._balance

    @staticmethod
    def fee(amount: int) -> int:
        return max(1, amount // 10)

    def pay(self, amount: At[int, A]) -> At[int, A]:
        got = self.ch.com(amount)
        self._balance -= got + self.fee(got)
        return self.ch.com(self.balance) + self.fee(amount)

    def __repr__(self) -> str:
        return "Account()"


# run: Account.pay A.amount=30
