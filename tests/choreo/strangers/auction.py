from enum import Enum

from pytrope.choreo import At, Ch, Channel, On, Role


class Outcome(Enum):
    WON = 0
    LOST = 1


class Auction[Auctioneer: Role, Bidder1: Role, Bidder2: Role, Bidder3: Role](Ch[Auctioneer, Bidder1, Bidder2, Bidder3]):
    """Sealed-bid second-price auction."""

    RESERVE = 10

    def __init__(
        self,
        c1: Channel[object, Auctioneer, Bidder1],
        c2: Channel[object, Auctioneer, Bidder2],
        c3: Channel[object, Auctioneer, Bidder3],
    ) -> None:
        self.c1, self.c2, self.c3 = c1, c2, c3

    def run(
        self, b1: At[int, Bidder1], b2: At[int, Bidder2], b3: At[int, Bidder3]
    ) -> tuple[At[int, Auctioneer], At[str, Bidder1], At[str, Bidder2], At[str, Bidder3]]:
        bids: At[list[int], Auctioneer] = [self.c1.com(b1), self.c2.com(b2), self.c3.com(b3)]
        best = max(range(3), key=lambda i: bids[i])
        price = max(sorted(bids)[-2], self.RESERVE)
        if best == 0:
            self.c1.select(Outcome.WON @ On[Auctioneer])
            self.c2.select(Outcome.LOST @ On[Auctioneer])
            self.c3.select(Outcome.LOST @ On[Auctioneer])
            return price, f"won at {self.c1.com(price)}", "lost", "lost"
        elif best == 1:
            self.c1.select(Outcome.LOST @ On[Auctioneer])
            self.c2.select(Outcome.WON @ On[Auctioneer])
            self.c3.select(Outcome.LOST @ On[Auctioneer])
            return price, "lost", f"won at {self.c2.com(price)}", "lost"
        else:
            self.c1.select(Outcome.LOST @ On[Auctioneer])
            self.c2.select(Outcome.LOST @ On[Auctioneer])
            self.c3.select(Outcome.WON @ On[Auctioneer])
            return price, "lost", "lost", f"won at {self.c3.com(price)}"


# run: Auction.run Bidder1.b1=5 Bidder2.b2=30 Bidder3.b3=20
