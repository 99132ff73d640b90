"""How each example is run: its arguments, where its results live, and what they must be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ExampleRun:
    """``at`` gives the parts of a result their roles: a name for one part, a tuple for several."""

    file: str
    target: str
    arguments: dict[str, dict[str, str]]
    at: str | tuple[str, ...]
    holds: Callable[[Any], bool]


def near(value: float, wanted: float, tolerance: float = 0.02) -> bool:
    return abs(value - wanted) <= tolerance


def equals(*wanted: Any) -> Callable[[Any], bool]:
    return lambda got: got == (wanted if len(wanted) > 1 else wanted[0])


ATTEMPTS = "[Credentials('ada', 'wrong'), Credentials('bob', 'bob'), Credentials('eve', 'eve')]"
LINE = ["[(0.0, 1.0), (1.0, 3.0)]", "[(2.0, 5.0), (3.0, 7.0)]", "[(-1.0, -1.0), (1.5, 4.0), (2.5, 6.0)]"]

RUNS = [
    ExampleRun(
        "hello_roles.py",
        "HelloRoles.greet",
        {"Alice": {"name": "'Ada'"}},
        ("Alice", "Bob"),
        equals("Ada says hello", "hello Ada, this is Bob"),
    ),
    ExampleRun(
        "dist_auth.py",
        "DistAuth.authenticate",
        {"Client": {"credentials": "Credentials('ada', 'lovelace')"}},
        "AuthResult",
        lambda got: (got.left, got.right) == ("token-1815", "token-1815"),
    ),
    ExampleRun(
        "dist_auth.py",
        "DistAuth.authenticate",
        {"Client": {"credentials": "Credentials('ada', 'byron')"}},
        "AuthResult",
        lambda got: (got.left, got.right) == (None, None),
    ),
    ExampleRun(
        "buyer_seller_shipper.py",
        "Purchase.buy",
        {"Buyer": {"title": "'Flatland'", "budget": "20", "address": "'1 Plane Street'"}},
        ("Buyer", "Seller"),
        equals("Monday at 1 Plane Street", 12),
    ),
    ExampleRun(
        "buyer_seller_shipper.py",
        "Purchase.buy",
        {"Buyer": {"title": "'Gadget'", "budget": "20", "address": "'1 Plane Street'"}},
        ("Buyer", "Seller"),
        equals("too dear", 0),
    ),
    ExampleRun(
        "single_sign_on.py",
        "SingleSignOn.login",
        {"Client": {"attempts": ATTEMPTS}},
        ("Client", "Service"),
        equals("token of bob", "token of bob"),
    ),
    ExampleRun(
        "single_sign_on.py",
        "SingleSignOn.login",
        {"Client": {"attempts": "[Credentials('ab', 'ab'), Credentials('cd', 'cd')]"}},
        ("Client", "Service"),
        equals("no token", "no token"),
    ),
    ExampleRun(
        "diffie_hellman.py",
        "DiffieHellman.agree",
        {"A": {"secret_a": "123456789123456789"}, "B": {"secret_b": "987654321987654321"}},
        ("A", "B"),
        lambda got: got[0] == got[1] and got[0].bit_length() > 1500,
    ),
    ExampleRun("remote_function.py", "RemoteFunction.call", {"Client": {"x": "7"}}, "Client", equals(49)),
    ExampleRun(
        "mergesort.py",
        "Mergesort.sort",
        {"A": {"items": "[5, 3, 9, 1, 2, 2, 8, -4, 0]"}},
        "A",
        equals([-4, 0, 1, 2, 2, 3, 5, 8, 9]),
    ),
    ExampleRun(
        "quicksort.py",
        "Quicksort.sort",
        {"A": {"items": "[5, 3, 9, 1, 2, 2, 8, -4, 0]"}},
        "A",
        equals([-4, 0, 1, 2, 2, 3, 5, 8, 9]),
    ),
    ExampleRun(
        "karatsuba.py", "Karatsuba.multiply", {"A": {"x": str(3**60), "y": str(7**45)}}, "A", equals(3**60 * 7**45)
    ),
    ExampleRun("ping_pong.py", "PingPong.play", {"Ping": {"rounds": "10"}}, ("Ping", "Pong"), equals(20, 10)),
    ExampleRun(
        "vitals_streaming.py",
        "VitalsStreaming.gather",
        {"Device": {"readings": "[Vitals('ada', 62), Vitals('bob', 71)]"}},
        "Gatherer",
        lambda got: [v.heart_rate for v in got] == [62, 71] and "ada" not in repr(got),
    ),
    ExampleRun(
        "fedavg.py",
        "FedAvg.fit",
        {"Client1": {"data1": LINE[0]}, "Client2": {"data2": LINE[1]}, "Client3": {"data3": LINE[2]}},
        "Server",
        lambda got: near(got.slope, 2.0) and near(got.offset, 1.0),
    ),
    ExampleRun(
        "secure_aggregation.py",
        "SecureAggregation.add_up",
        {
            "A": {"vector_a": "[1, 2]", "seed_a": "11"},
            "B": {"vector_b": "[10, 20]", "seed_b": "22"},
            "C": {"vector_c": "[100, 200]", "seed_c": "33"},
        },
        "Server",
        equals([111, 222]),
    ),
    ExampleRun(
        "split_learning.py",
        "SplitLearning.fit",
        {"Client": {"inputs": "[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]", "labels": "[0.0, 1.0, 1.0, 1.0]"}},
        ("Client", "Server"),
        lambda got: 0 < got[1] < 0.05,
    ),
    ExampleRun(
        "parameter_server.py",
        "ParameterServer.fit",
        {
            "Server": {"tolerance": "1e-6"},
            "Worker1": {"shard1": LINE[0]},
            "Worker2": {"shard2": "[(2.0, 5.0), (-1.0, -1.0)]"},
        },
        ("Server", "Worker1", "Worker2"),
        lambda got: near(got[0][0], 2.0) and near(got[0][1], 1.0) and got[1] == got[2] < 500,
    ),
    ExampleRun(
        "vertical_logistic.py",
        "VerticalLogistic.fit",
        {
            "Bank": {"accounts": "[[1.0, 0.2], [1.0, 0.9], [1.0, 0.1], [1.0, 0.8]]"},
            "Shop": {"baskets": "[[0.5], [0.1], [0.6], [0.3]]"},
            "Arbiter": {"answers": "[0, 1, 0, 1]"},
        },
        ("Bank", "Shop", "Arbiter"),
        lambda got: got[2] == 4,
    ),
    ExampleRun(
        "model_release.py",
        "ModelRelease.decide",
        {"Trainer": {"report": "Report('m', 0.9, 0, 'MIT')"}, "Quality": {"threshold": "0.8"}},
        ("Trainer", "Safety", "Quality", "Legal"),
        equals("m is released", True, True, True),
    ),
    ExampleRun(
        "model_release.py",
        "ModelRelease.decide",
        {"Trainer": {"report": "Report('m', 0.5, 3, 'MIT')"}, "Quality": {"threshold": "0.8"}},
        ("Trainer", "Safety", "Quality", "Legal"),
        equals("m is withheld", False, False, False),
    ),
]
