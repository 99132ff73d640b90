from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class Alice(Role):
    pass


class Bob(Role):
    pass


class Shop(Role):
    pass


class D(Enum):
    YES = "yes"
    NO = "no"


class TwoBuyer(Ch3[Alice, Bob, Shop]):
    def __init__(
        self, a_s: Channel[object, Alice, Shop], b_s: Channel[object, Bob, Shop], a_b: Channel[object, Alice, Bob]
    ):
        self.a_s = a_s
        self.b_s = b_s
        self.a_b = a_b

    def buy(
        self, title: At[str, Alice], budget_a: At[int, Alice], budget_b: At[int, Bob]
    ) -> tuple[At[bool, Alice], At[bool, Bob], At[str, Shop]]:
        t = self.a_s.com(title)
        price = len(t) * 10
        pa = self.a_s.com(price)
        pb = self.b_s.com(price)
        share = self.a_b.com(min(budget_a, pa))
        ok = share + budget_b >= pb
        if ok:
            self.a_b.select(D.YES @ Bob())
            self.b_s.select(D.YES @ Bob())
            return True, True, f"sold {t}"
        self.a_b.select(D.NO @ Bob())
        self.b_s.select(D.NO @ Bob())
        return False, False, "not sold"


# run: TwoBuyer.buy Alice.title="'tapl'" Alice.budget_a=20 Bob.budget_b=25
