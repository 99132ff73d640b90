"""A request through three services, each with its own knowledge, after HasChor."""

from __future__ import annotations

from pytrope.choreo import At, Ch, Channel, Role


class Client(Role): ...


class Gateway(Role): ...


class Users(Role): ...


class Orders(Role): ...


def ask[Asking: Role, Answering: Role](
    ch: Channel[object, Asking, Answering], key: At[str, Asking], table: At[dict[str, str], Answering]
) -> At[str, Asking]:
    wanted = ch.com(key)
    return ch.com(table.get(wanted, "unknown"))


class Services(Ch[Client, Gateway, Users, Orders]):
    def __init__(
        self,
        front: Channel[object, Client, Gateway],
        users: Channel[object, Gateway, Users],
        orders: Channel[object, Gateway, Orders],
    ) -> None:
        self.front = front
        self.users = users
        self.orders = orders

    def show(
        self, token: At[str, Client], known: At[dict[str, str], Users], bought: At[dict[str, str], Orders]
    ) -> At[str, Client]:
        arrived = self.front.com(token)
        name = ask(self.users, arrived, known)
        order = ask(self.orders, name, bought)
        return self.front.com(f"{name}: {order}")


# run: Services.show Client.token="'t1'" Users.known="{'t1': 'ada'}" Orders.bought="{'ada': 'a loom'}"
