"""A purchase among three parties: the buyer decides, the seller passes the decision on."""

from enum import Enum

from pytrope.choreo import At, Ch, Channel, On, Role


class Decision(Enum):
    ORDER = "order"
    QUIT = "quit"


CATALOGUE = {"Flatland": 12, "Gadget": 80}


def price_of(title: str) -> int:
    return CATALOGUE.get(title, 1000)


def delivery_date(address: str) -> str:
    return f"Monday at {address}"


class Purchase[Buyer: Role, Seller: Role, Shipper: Role](Ch[Buyer, Seller, Shipper]):
    """The buyer asks for a price and orders if it can pay; the shipper names the day."""

    def __init__(
        self,
        buyer_seller: Channel[object, Buyer, Seller],
        seller_shipper: Channel[str, Seller, Shipper],
        shipper_buyer: Channel[str, Shipper, Buyer],
    ) -> None:
        self.buyer_seller = buyer_seller
        self.seller_shipper = seller_shipper
        self.shipper_buyer = shipper_buyer

    def buy(
        self, title: At[str, Buyer], budget: At[int, Buyer], address: At[str, Buyer]
    ) -> tuple[At[str, Buyer], At[int, Seller]]:
        wanted: At[str, Seller] = self.buyer_seller.com(title)
        price: At[int, Seller] = price_of(wanted)
        asked: At[int, Buyer] = self.buyer_seller.com(price)
        if asked <= budget:
            self.buyer_seller.select(Decision.ORDER @ On[Buyer])
            self.seller_shipper.select(Decision.ORDER @ On[Seller])
            destination: At[str, Seller] = self.buyer_seller.com(address)
            date: At[str, Shipper] = delivery_date(self.seller_shipper.com(destination))
            return self.shipper_buyer.com(date), price
        else:
            self.buyer_seller.select(Decision.QUIT @ On[Buyer])
            self.seller_shipper.select(Decision.QUIT @ On[Seller])
            return "too dear" @ On[Buyer], 0 @ On[Seller]
