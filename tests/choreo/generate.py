"""Random choreographies: well-formed ones, and well-formed ones with something damaged.

Every choreography is a class over two to five roles, in one of the two notations, whose method `run` takes an
integer of each role and returns one for each.  All that the language allows is drawn on: messages inside
expressions, decisions with direct and forwarded selections, loops of every kind, early returns, recursion,
other choreographies at permuted roles, functions over roles, fields, values of several roles, results of several parts, dataclasses and
enums as payloads, aliases of located types, channels in tuples, local functions, handled failures, and state that every role
has a copy of: variables, lists and fields without a role, methods and helpers that change them.
"""

from __future__ import annotations

import random
import re
from itertools import combinations

ROLES = ["A", "B", "C", "D", "E"]

PRELUDE = '''"""Random choreographies, made by tests/choreo/generate.py."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from pytrope.choreo import At, Ch, Ch2, Ch3, Ch4, Ch5, Channel, ChoreoError, On, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class D(Role): ...


class E(Role): ...


class P(Role): ...


class Q(Role): ...


class L(Enum):
    ZERO = 0
    ONE = 1
    TWO = 2
    MORE = 3
    STOP = 4


@dataclass
class Pack:
    left: int
    right: int


type Num[R: Role] = At[int, R]
NumP = At[int, P]

STEPS = (1, 2)


def mix(a: int, b: int) -> int:
    return (3 * a + b) % 89


def halve(a: int) -> int:
    return a // 2


def take(xs: list[int]) -> int:
    return xs.pop() if len(xs) > 1 else xs[0]


def push(xs: list[int], n: int) -> None:
    held = xs
    held.append(n % 7)


def peek(xs: list[int]) -> int:
    return sorted(xs)[0] + len(xs)


def checked(n: int) -> int:
    if n > 1000:
        raise ValueError(n)
    return n


class Ping(Ch2[P, Q]):
    def __init__(self, ch: Channel[int, P, Q]) -> None:
        self.ch = ch
        self.rounds: At[int, Q] = 0

    def go(self, x: NumP) -> At[int, Q]:
        self.rounds += 1
        return mix(self.ch.com(x), self.rounds)

    def bounce(self, x: At[int, P]) -> At[int, P]:
        return self.ch.com(self.go(x)) + 1


class Parts[P: Role, Q: Role](Ch[P, Q]):
    def __init__(self, ch: Channel[int, P, Q]) -> None:
        self.links = (ch,)

    def both(self, x: Num[P]) -> tuple[Num[P], Num[Q]]:
        if x > 20:
            self.links[0].select(L.ONE @ On[P])
            return 3, self.links[0].com(x) + 1
        self.links[0].select(L.TWO @ On[P])
        return x, 4


def carry[X: Role, Y: Role](ch: Channel[int, X, Y], x: At[int, X], times: int = 1) -> At[int, Y]:
    total: At[int, Y] = 0
    for step in range(times):
        total = mix(total, ch.com(x + step))
    return total


def descend[X: Role, Y: Role](ch: Channel[int, X, Y], x: At[int, X]) -> At[int, X]:
    if x > 40:
        ch.select(L.MORE @ On[X])
        return carry(ch, descend(ch, carry(ch, halve(x)))) + 1
    ch.select(L.STOP @ On[X])
    return x


def through[X: Role, Y: Role](
    step: Callable[[Channel[int, X, Y], At[int, X]], At[int, X]], ch: Channel[int, X, Y], x: At[int, X]
) -> At[int, X]:
    return step(ch, step(ch, x))
'''


class Choreography:
    """One class under construction."""

    def __init__(self, rng: random.Random, name: str) -> None:
        self.rng = rng
        self.name = name
        self.roles = ROLES[: rng.randint(2, 5)]
        self.modern = rng.random() < 0.5  # roles as type parameters
        self.fresh = 0
        self.helpers: list[tuple[str, list[str], str, bool]] = []
        self.shared: list[str] = []
        # Whether the method at hand has variables that every role has a copy of.
        self.replicates = False
        self.lines: list[str] = []

    # Names and channels.

    def channel(self, one: str, other: str) -> str:
        return "self." + "".join(sorted((one, other))).lower()

    def new(self, role: str) -> str:
        self.fresh += 1
        return f"{role.lower()}{self.fresh}"

    def at(self, *roles: str) -> str:
        """What places a value: `@ A()`, or `@ On[A]` where a role is a type parameter."""
        if self.modern and self.rng.random() < 0.5:
            return f"@ On[{' | '.join(roles)}]"
        return " ".join(f"@ On[{role}]" if self.modern else f"@ {role}()" for role in roles)

    # Expressions.

    def expr(self, role: str, env: dict[str, list[str]], active: list[str], depth: int = 2) -> str:
        """An integer at a role; messages from active roles may be part of it."""
        rng = self.rng
        known = env[role] + self.shared + [f"self.f_{role}"]
        pick = rng.random()
        others = [other for other in active if other != role]
        if depth == 0 or pick < 0.3:
            return rng.choice([*known, str(rng.randint(0, 9))])
        if pick < 0.45 and others:
            other = rng.choice(others)
            return f"{self.channel(role, other)}.com({self.placed(other, env, active, depth - 1)})"
        left = self.expr(role, env, active, depth - 1)
        right = self.expr(role, env, active, depth - 1)
        if pick < 0.6:
            return f"mix({left}, {right})"
        if pick < 0.7:
            return f"max({left}, {right})"
        if pick < 0.75:
            return f"[{left}, {right}][0]"
        if pick < 0.8:
            return f"int(f'{{abs({rng.choice(known)})}}')"
        return f"({left} {rng.choice(['+', '-', '+'])} {right}) % 97"

    def placed(self, role: str, env: dict[str, list[str]], active: list[str], depth: int) -> str:
        """An expression that surely has its role."""
        text = self.expr(role, env, active, depth)
        return f"({text}) {self.at(role)}" if self.rng.random() < 0.7 else f"({text} + {self.rng.choice(env[role])})"

    def condition(self, role: str, env: dict[str, list[str]]) -> str:
        return f"{self.rng.choice(env[role])} {self.rng.choice(['>', '<', '=='])} {self.rng.choice(env[role] + ['3', '20', '40'])}"

    # Selections.

    def tree(self, decider: str, informed: list[str]) -> list[tuple[str, str]]:
        """Who tells whom: each informed role hears from one that knows."""
        knows = [decider]
        edges = []
        for role in informed:
            edges.append((self.rng.choice(knows), role))
            knows.append(role)
        return edges

    def select(self, edges: list[tuple[str, str]], label: str) -> list[str]:
        return [f"{self.channel(a, b)}.select(L.{label} {self.at(a)})" for a, b in edges]

    def some(self, roles: list[str]) -> list[str]:
        chosen = [role for role in roles if self.rng.random() < 0.7]
        self.rng.shuffle(chosen)
        return chosen

    # Statements.

    def block(self, active: list[str], env: dict[str, list[str]], budget: int, depth: int) -> list[str]:
        """Statements that the active roles take part in, all of whom know that they run."""
        env = {role: list(names) for role, names in env.items()}
        out: list[str] = []
        for _ in range(self.rng.randint(1, max(1, budget))):
            out += self.statement(active, env, depth)
        return out

    def statement(self, active: list[str], env: dict[str, list[str]], depth: int) -> list[str]:
        rng = self.rng
        kinds = [
            "assign",
            "assign",
            "com",
            "com",
            "parallel",
            "field",
            "local",
            "ping",
            "call",
            "both",
            "finally",
            "augment",
            "parts",
            "pack",
            "enum",
            "gather",
            "function",
            "store",
            "store",
            "carry",
        ]
        if depth > 0:
            kinds += ["if", "if", "if", "same", "while", "forever", "for", "match", "for"]
        if self.replicates and len(active) == len(self.roles):
            # All roles run what stands here, so that all of them change their copies.
            kinds += ["tick", "tape", "tape", "drain", "over", "attempt"]
        return getattr(self, "make_" + rng.choice(kinds))(active, env, depth)

    def target(self, role: str, env: dict[str, list[str]]) -> str:
        """A variable to assign: an old one, or a new one with its place."""
        old = [name for name in env[role] if name[0] == role.lower()]
        if old and self.rng.random() < 0.5:
            return self.rng.choice(old)
        name = self.new(role)
        env[role].append(name)
        return f"{name}: At[int, {role}]"

    def make_assign(self, active, env, depth):
        role = self.rng.choice(active)
        value = self.expr(role, env, active)
        return [f"{self.target(role, env)} = {value}"]

    def make_augment(self, active, env, depth):
        role = self.rng.choice(active)
        return [f"{self.rng.choice(env[role])} += {self.expr(role, env, active)}"]

    def make_com(self, active, env, depth):
        if len(active) < 2:
            return self.make_assign(active, env, depth)
        sender, receiver = self.rng.sample(active, 2)
        value = f"{self.channel(sender, receiver)}.com({self.placed(sender, env, active, 2)})"
        if self.rng.random() < 0.2:
            return [value]
        return [f"{self.target(receiver, env)} = {value}"]

    def make_parallel(self, active, env, depth):
        if len(active) < 2:
            return self.make_assign(active, env, depth)
        one, other = self.rng.sample(active, 2)
        values = f"{self.placed(one, env, active, 2)}, {self.placed(other, env, active, 2)}"
        names = self.new(one), self.new(other)
        env[one].append(names[0])
        env[other].append(names[1])
        return [f"{names[0]}, {names[1]} = {values}"]

    def make_field(self, active, env, depth):
        role = self.rng.choice(active)
        return [f"self.f_{role} = {self.expr(role, env, active)}"]

    def make_local(self, active, env, depth):
        role = self.rng.choice(active)
        name = self.rng.choice(env[role])
        item = self.new(role)
        return [
            f"for {item} in range({name} % 4):",
            f"    if {item} == {self.rng.randint(0, 3)}:",
            f"        {self.rng.choice(['continue', 'break', 'pass'])}",
            f"    {name} += {item}",
        ]

    def make_ping(self, active, env, depth):
        if len(active) < 2:
            return self.make_assign(active, env, depth)
        one, other = self.rng.sample(active, 2)
        channel = self.channel(one, other)
        if self.rng.random() < 0.5:
            value = f"Ping[{one}, {other}]({channel}).go({self.expr(one, env, active)})"
            return [f"{self.target(other, env)} = {value}"]
        value = f"Ping[{one}, {other}]({channel}).bounce({self.expr(one, env, active)})"
        return [f"{self.target(one, env)} = {value}"]

    def make_parts(self, active, env, depth):
        """A result with a part at each of two roles."""
        if len(active) < 2:
            return self.make_assign(active, env, depth)
        one, other = self.rng.sample(active, 2)
        names = self.new(one), self.new(other)
        value = f"Parts[{one}, {other}]({self.channel(one, other)}).both({self.expr(one, env, active)})"
        env[one].append(names[0])
        env[other].append(names[1])
        return [f"{names[0]}, {names[1]} = {value}"]

    def make_carry(self, active, env, depth):
        """Functions over roles: called, at swapped roles, and as values."""
        if len(active) < 2:
            return self.make_assign(active, env, depth)
        one, other = self.rng.sample(active, 2)
        # Of a value without a role it would not be known which end of the channel is meant.
        given = f"{self.channel(one, other)}, mix({self.expr(one, env, active)}, 1 {self.at(one)})"
        kind = self.rng.randrange(3)
        if kind == 0:
            return [f"{self.target(other, env)} = carry({given}{self.rng.choice(['', ', 2', ', times=3'])})"]
        value = f"descend({given})" if kind == 1 else f"through(descend, {given})"
        return [f"{self.target(one, env)} = {value}"]

    def make_pack(self, active, env, depth):
        if len(active) < 2:
            return self.make_assign(active, env, depth)
        one, other = self.rng.sample(active, 2)
        name, result = self.new(other), self.new(other)
        fields = f"{self.rng.choice(env[one])}, right={self.expr(one, env, active, 1)}"
        env[other].append(result)
        return [
            f"{name}: At[Pack, {other}] = {self.channel(one, other)}.com(Pack({fields}))",
            f"{result}: At[int, {other}] = {name}.left + {name}.right",
        ]

    def make_enum(self, active, env, depth):
        """A label as a value: the receiver's own member."""
        if len(active) < 2:
            return self.make_assign(active, env, depth)
        one, other = self.rng.sample(active, 2)
        name = self.new(other)
        env[other].append(name)
        label = f"L.ONE if {self.condition(one, env)} else L.TWO"
        return [f"{name}: At[int, {other}] = {self.channel(one, other)}.com({label}).value + 0"]

    def make_gather(self, active, env, depth):
        """A loop of one role over what others send."""
        role = self.rng.choice(active)
        others = [other for other in active if other != role]
        if not others:
            return self.make_assign(active, env, depth)
        parts = [f"{self.channel(role, other)}.com({self.placed(other, env, active, 1)})" for other in others]
        name, part = self.rng.choice(env[role]), self.new(role)
        return [f"for {part} in ({', '.join(parts)},):", f"    {name} = mix({name}, {part})"]

    def make_store(self, active, env, depth):
        """An element of a list, found by what others send."""
        role = self.rng.choice(active)
        index = f"abs({self.expr(role, env, active)}) % 3"
        operator = self.rng.choice(["=", "+=", "="])
        result = self.new(role)
        store = f"self.l_{role}[{index}] {operator} {self.expr(role, env, active)}"
        env[role].append(result)
        return [store, f"{result}: At[int, {role}] = sum(self.l_{role}) % 89"]

    def make_function(self, active, env, depth):
        role = self.rng.choice(active)
        name, result = self.new(role), self.new(role)
        known = self.rng.choice(env[role])
        env[role].append(result)
        return [
            f"def {name}(n: int) -> int:",
            f"    return n + {known}",
            "",
            f"{result}: At[int, {role}] = {name}({self.rng.choice(env[role][:-1])})",
        ]

    def make_call(self, active, env, depth):
        fitting = [helper for helper in self.helpers if set(helper[1]) <= set(active)]
        if not fitting:
            return self.make_com(active, env, depth)
        name, roles, result, recursive = self.rng.choice(fitting)
        arguments = [self.expr(role, env, active, 1) for role in roles]
        if self.rng.random() < 0.3:
            arguments = [f"p_{role}={argument}" for role, argument in zip(roles, arguments, strict=True)]
        if recursive:
            arguments.insert(0, f"abs({self.rng.choice(env[roles[0]])}) % 4")
        return [f"{self.target(result, env)} = self.{name}({', '.join(arguments)})"]

    def make_both(self, active, env, depth):
        """A value of two roles, by which both decide."""
        if len(active) < 2 or depth == 0:
            return self.make_assign(active, env, depth)
        one, other = self.rng.sample(active, 2)
        name = self.new("S")
        limit = self.rng.randint(0, 4)
        out = [f"{name}: At[int, {one} | {other}] = {self.rng.randint(0, 4)} {self.at(one, other)}"]
        out += [f"if {name} > {limit}:", *indent(self.block([one, other], env, 2, depth - 1))]
        if self.rng.random() < 0.5:
            out += ["else:", *indent(self.block([one, other], env, 2, depth - 1))]
        return out

    def make_finally(self, active, env, depth):
        body = self.make_com(active, env, depth)
        role = self.rng.choice(active)
        return ["try:", *indent(body), "finally:", f"    self.f_{role} += 1"]

    def make_if(self, active, env, depth):
        decider = self.rng.choice(active)
        informed = self.some([role for role in active if role != decider])
        edges = self.tree(decider, informed)
        inside = [decider, *informed]
        labels = self.rng.sample(["ZERO", "ONE", "TWO"], 3)
        arms = self.rng.choice([2, 2, 3])
        out: list[str] = []
        for at in range(arms):
            head = "if" if at == 0 else "elif"
            head = f"{head} {self.condition(decider, env)}:" if at < arms - 1 else "else:"
            out.append(head)
            out += indent(self.select(edges, labels[at]) + self.block(inside, env, 3, depth - 1))
        return out

    def make_same(self, active, env, depth):
        """Branches that look alike to everyone but the one who decides."""
        if len(active) < 2:
            return self.make_assign(active, env, depth)
        decider, other = self.rng.sample(active, 2)
        channel = self.channel(decider, other)
        name = self.new(other)
        values = [self.expr(decider, env, [decider]) for _ in range(2)]
        out = [
            f"if {self.condition(decider, env)}:",
            f"    {name}: At[int, {other}] = {channel}.com(({values[0]}) {self.at(decider)})",
            "else:",
            f"    {name} = {channel}.com(({values[1]}) {self.at(decider)})",
        ]
        env[other].append(name)
        return out

    def make_match(self, active, env, depth):
        decider = self.rng.choice(active)
        informed = self.some([role for role in active if role != decider])
        edges = self.tree(decider, informed)
        out = [f"match {self.rng.choice(env[decider])} % 3:"]
        for pattern, label in (("0", "ZERO"), ("1", "ONE"), ("_", "TWO")):
            out.append(f"    case {pattern}:")
            body = self.select(edges, label) + self.block([decider, *informed], env, 2, depth - 1)
            out += indent(indent(body))
        return out

    def make_tick(self, active, env, depth):
        """A method without roles, which every role runs on its own copy of a field."""
        return [self.rng.choice(["self.tick()", "self.ticks += 1", "self.record.append(last)", "self.tick()"])]

    def make_tape(self, active, env, depth):
        """A list that every role has a copy of."""
        role = self.rng.choice(active)
        constant = self.rng.choice(["last", "self.ticks", "self.size", "2", "peek(tape)"])
        if self.rng.random() < 0.2:
            known = self.rng.choice(env[role])
            return [f"{self.target(role, env)} = {known} + last + peek(tape) + self.size"]
        return self.rng.choice(
            [
                [f"tape.append({constant})"],
                [f"push(tape, {constant})"],
                ["last = take(tape)"],
                ["last = tape.pop() if len(tape) > 1 else tape[0]"],
                [f"tape[0] = {constant} % 5"],
                ["last = peek(tape)"],
                ["other = tape", f"other.append({constant})"],
                [f"last = sum([n % 3 for n in tape]) + {constant}"],
            ]
        )

    def make_drain(self, active, env, depth):
        """A loop that all roles decide by their copies."""
        if depth == 0:
            return self.make_tape(active, env, depth)
        own = {role: list(names) for role, names in env.items()}
        body = self.make_com(active, own, depth)
        return ["while len(tape) > 2:", "    last = take(tape)", *indent(body)]

    def make_over(self, active, env, depth):
        if depth == 0:
            return self.make_tick(active, env, depth)
        name = self.new("V")
        self.shared.append(name)
        own = {role: list(names) for role, names in env.items()}
        body = self.make_com(active, own, depth)
        self.shared.remove(name)
        over = self.rng.choice(["tuple(tape)", "sorted(tape)", "range(peek(tape) % 3)"])
        return [f"for {name} in {over}:", *indent(body)]

    def make_attempt(self, active, env, depth):
        """What is raised is raised at one role, and handled there."""
        role = self.rng.choice(active)
        value = self.rng.choice(env[role])
        name = self.new(role)
        env[role].append(name)
        return [
            "try:",
            f"    {name}: At[int, {role}] = checked({value} * 100)",
            "except ValueError:",
            f"    {name} = {value} % 10",
        ]

    def make_while(self, active, env, depth):
        decider = self.rng.choice(active)
        informed = self.some([role for role in active if role != decider])
        edges = self.tree(decider, informed)
        count = self.new(decider)
        out = [f"{count}: At[int, {decider}] = abs({self.rng.choice(env[decider])}) % 4", f"while {count} > 0:"]
        body = [*self.select(edges, "MORE"), f"{count} -= 1"]
        out += indent(body + self.block([decider, *informed], env, 2, depth - 1))
        return out + self.select(edges, "STOP")

    def make_forever(self, active, env, depth):
        decider = self.rng.choice(active)
        informed = self.some([role for role in active if role != decider])
        edges = self.tree(decider, informed)
        count = self.new(decider)
        inside = self.block([decider, *informed], env, 2, depth - 1)
        return [
            f"{count}: At[int, {decider}] = abs({self.rng.choice(env[decider])}) % 4",
            "while True:",
            f"    if {count} <= 0:",
            *indent(indent([*self.select(edges, "STOP"), "break"])),
            *indent([*self.select(edges, "MORE"), f"{count} -= 1"]),
            *indent(inside),
        ]

    def make_for(self, active, env, depth):
        name = self.new("I")
        over = self.rng.choice(["range(2)", "range(3)", "STEPS", "(1, 0)"])
        self.shared.append(name)
        body = self.block(active, env, 2, depth - 1)
        # At the top level of `run` the last value may be used behind the loop.
        if depth < 2 or self.rng.random() < 0.5:
            self.shared.remove(name)
        return [f"for {name} in {over}:", *indent(body)]

    # Methods.

    def helper(self, at: int) -> list[str]:
        roles = self.rng.sample(self.roles, self.rng.randint(2, min(3, len(self.roles))))
        result = self.rng.choice(roles)
        env = {role: [f"p_{role}"] if role in roles else [] for role in self.roles}
        name = f"step{at}"
        parameters = [f"p_{role}: At[int, {role}]" for role in roles]
        recursive = self.rng.random() < 0.4
        if recursive:
            parameters.insert(0, f"left: At[int, {roles[0]}]")
        out = [f"def {name}(self, {', '.join(parameters)}) -> At[int, {result}]:"]
        if recursive:
            # Recursion, told from role to role.
            decider = roles[0]
            edges = self.tree(decider, roles[1:])
            out += indent(["if left > 0:"])
            body = self.select(edges, "ONE") + self.block(roles, env, 2, 1)
            arguments = ["left - 1", *[self.expr(role, env, roles, 1) for role in roles]]
            out += indent(indent([*body, f"return self.{name}({', '.join(arguments)})"]))
            out += indent(self.select(edges, "ZERO"))
        else:
            out += indent(self.block(roles, env, 3, 1))
        out += indent([f"return p_{result} + 0"])
        self.helpers.append((name, roles, result, recursive))
        return out

    def run(self) -> list[str]:
        env = {role: [f"x_{role}"] for role in self.roles}
        kind = self.rng.choice(["At[int, {}]", "Num[{}]"])
        parameters = ", ".join(f"x_{role}: {kind.format(role)}" for role in self.roles)
        results = ", ".join(f"At[int, {role}]" for role in self.roles)
        out = [f"def run(self, {parameters}) -> tuple[{results}]:"]
        body: list[str] = []
        self.replicates = self.rng.random() < 0.6
        if self.replicates:
            body += ["tape = [3, 1, 2]", "last = 1"]
            self.shared += ["last", "self.ticks"]
        for _ in range(self.rng.randint(2, 5)):
            body += self.statement(self.roles, env, 2)
        if self.rng.random() < 0.3:
            decider = self.rng.choice(self.roles)
            edges = self.tree(decider, [role for role in self.roles if role != decider])
            body.append(f"if {self.condition(decider, env)}:")
            early = ", ".join(f"{self.rng.choice(env[role])} + 1" for role in self.roles)
            body += indent([*self.select(edges, "STOP"), f"return {early}"])
            body += self.select(edges, "MORE")
            body += self.statement(self.roles, env, 1)
        if self.rng.random() < 0.2:
            # Nothing fails here; that a handler stands around messages must change nothing.
            one, other = self.rng.sample(self.roles, 2)
            sent = f"{self.channel(one, other)}.com({self.placed(one, env, [one, other], 1)})"
            body += ["try:", f"    self.f_{other} = {sent}"]
            body += ["except (ValueError, ChoreoError):", f"    self.f_{self.rng.choice([one, other])} = -1"]
        body.append("return " + ", ".join(f"{self.rng.choice(env[role])} + self.f_{role}" for role in self.roles))
        return out + indent(body)

    def text(self) -> str:
        channels = ["".join(pair).lower() for pair in combinations(self.roles, 2)]
        parameters = ", ".join(f"{name}: Channel[int, {name[0].upper()}, {name[1].upper()}]" for name in channels)
        roles = ", ".join(self.roles)
        out = [f"class {self.name}(Ch{len(self.roles)}[{roles}]):"]
        if self.modern:
            out = [f"class {self.name}[{', '.join(f'{role}: Role' for role in self.roles)}](Ch[{roles}]):"]
        init = [f"def __init__(self, {parameters}) -> None:"]
        init += indent([f"self.{name} = {name}" for name in channels])
        init += indent(["self.setup()"])
        init += indent([f"self.f_{role}: At[int, {role}] = {self.rng.randint(0, 9)}" for role in self.roles])
        init += indent([f"self.l_{role}: At[list[int], {role}] = [1, 2, 3]" for role in self.roles])
        shared = [
            ["def setup(self) -> None:", "    self.ticks = 0", "    self.record = [1]"],
            ["def tick(self) -> None:", "    self.ticks += 1", "    self.record.append(self.ticks % 3)"],
            ["@property", "def size(self) -> int:", "    return len(self.record) + self.ticks"],
        ]
        parts = [init, *shared, *[self.helper(at) for at in range(self.rng.randint(0, 2))], self.run()]
        for part in parts:
            out += [*indent(part), ""]
        return "\n".join(out).rstrip() + "\n"


def indent(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def well_formed(seed: int, count: int) -> tuple[str, list[tuple[str, list[str]]]]:
    """A file with several choreographies: its text, and their names and roles."""
    rng = random.Random(seed)
    made = [Choreography(rng, f"T{at}") for at in range(count)]
    text = PRELUDE + "".join("\n\n" + one.text() for one in made)
    return text, [(one.name, one.roles) for one in made]


def damaged(seed: int) -> tuple[str, str, list[str], str]:
    """A file with one choreography in which something is wrong: text, name, roles, and what was done."""
    rng = random.Random(seed)
    one = Choreography(rng, "T0")
    lines = one.text().splitlines()
    selects = [at for at, line in enumerate(lines) if ".select(" in line]
    messages = [at for at, line in enumerate(lines) if ".com(" in line]
    branches = [
        at for at, line in enumerate(lines) if line.strip() in ("else:", "break") or line.strip().startswith("elif")
    ]
    kind = rng.choice(
        [
            "unselect",
            "unselect",
            "relabel",
            "rerole",
            "rechannel",
            "unsay",
            "swap",
            "drop",
            "double",
            "delete",
            "delete",
            "repeat",
            "reorder",
            "rename",
            "outdent",
            "return",
            "absorb",
            "absorb",
            "nest",
        ]
    )
    body = [at for at, line in enumerate(lines) if line.startswith("        ")]
    if kind in ("unselect", "relabel", "double") and selects:
        at = rng.choice(selects)
        if kind == "unselect":
            lines[at] = re.sub(r"\S.*", "pass", lines[at])
        elif kind == "double":
            lines.insert(at, lines[at])
        else:
            lines[at] = re.sub(r"L\.\w+", "L." + rng.choice(["ZERO", "ONE", "TWO", "MORE", "STOP"]), lines[at])
    elif kind == "rerole":
        marked = [at for at, line in enumerate(lines) if "@ " in line]
        if marked:
            at = rng.choice(marked)
            lines[at] = re.sub(r"@ (?:\w\(\)|On\[\w\])", one.at(rng.choice(one.roles)), lines[at], count=1)
    elif kind == "rechannel" and messages + selects:
        at = rng.choice(messages + selects)
        pair = "".join(sorted(rng.sample(one.roles, 2))).lower()
        lines[at] = re.sub(r"self\.[a-e]{2}\b", f"self.{pair}", lines[at], count=1)
    elif kind == "unsay" and messages:
        at = rng.choice(messages)
        lines[at] = re.sub(r"self\.[a-e]{2}\.com", "", lines[at], count=1)
    elif kind == "swap" and len(selects) > 1:
        one_line, other = rng.sample(selects, 2)
        lines[one_line], lines[other] = (
            re.sub(r"\S.*", lines[other].strip(), lines[one_line]),
            re.sub(r"\S.*", lines[one_line].strip(), lines[other]),
        )
    elif kind == "drop" and branches:
        at = rng.choice(branches)
        lines[at] = re.sub(r"\S.*", "pass" if "break" in lines[at] else "if True:", lines[at])
    elif kind == "delete":
        del lines[rng.choice(body)]
    elif kind == "repeat":
        at = rng.choice(body)
        lines.insert(at, lines[at])
    elif kind == "reorder":
        at = rng.choice(body[:-1])
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    elif kind == "rename":
        names = sorted(set(re.findall(r"\b(?:[a-e]\d+|x_\w|p_\w|self\.f_\w)\b", "\n".join(lines))))
        at = rng.choice(body)
        lines[at] = re.sub(r"\b(?:[a-e]\d+|x_\w|p_\w)\b(?!:)", rng.choice(names), lines[at], count=1)
    elif kind == "outdent":
        deep = [at for at in body if lines[at].startswith("            ")]
        if deep:
            at = rng.choice(deep)
            lines[at] = lines[at][4:]
    elif kind == "absorb":
        # A change of what every role has, in an expression of one role.
        changes = [at for at, line in enumerate(lines) if "last = take(tape)" in line or "self.tick()" in line]
        if changes:
            at = rng.choice(changes)
            role = rng.choice(one.roles)
            what = rng.choice(["take(tape)", "tape.pop()", "(last := 2)", "[tape.append(n) or n for n in (1, 2)][0]"])
            lines[at] = re.sub(r"\S.*", f"self.f_{role} += {what}", lines[at])
    elif kind == "nest":
        # A change of what every role has, in a branch, a try or a loop of one role.
        changes = [at for at, line in enumerate(lines) if "tape." in line or "self.tick()" in line or "last = " in line]
        changes = [at for at in changes if not lines[at].strip().startswith(("if", "while", "for", "last = 1"))]
        if changes:
            at = rng.choice(changes)
            indentation = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
            role = rng.choice(one.roles)
            head = rng.choice([f"if self.f_{role} > 3:", f"for _ in range(self.f_{role} % 2):", "try:"])
            lines[at] = "    " + lines[at]
            lines.insert(at, f"{indentation}{head}")
            if head == "try:":
                lines.insert(at + 1, f"{indentation}    self.f_{role} = checked(self.f_{role})")
                lines[at + 3 : at + 3] = [f"{indentation}except ValueError:", f"{indentation}    last = 5"]
    elif kind == "return":
        at = rng.choice(body)
        indentation = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        values = ", ".join(f"x_{role}" for role in one.roles)
        lines.insert(at, f"{indentation}if x_{rng.choice(one.roles)} > 30:")
        lines.insert(at + 1, f"{indentation}    return {values}")
    return PRELUDE + "\n\n" + "\n".join(lines) + "\n", one.name, one.roles, kind
