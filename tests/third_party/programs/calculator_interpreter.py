"""A little language: tokeniser, Pratt parser, tree-walking interpreter with functions, and a REPL over lists."""
import math
import operator
import re
from dataclasses import dataclass
from typing import Union

TOKEN = re.compile(r"\s*(?:(?P<num>\d+(?:\.\d*)?)|(?P<name>[A-Za-z_]\w*)|(?P<op>==|<=|>=|[-+*/^()=<>,?:]))")


class LangError(Exception):
    pass


@dataclass
class Num:
    value: float


@dataclass
class Name:
    id: str


@dataclass
class Bin:
    op: str
    left: "Expr"
    right: "Expr"


@dataclass
class Neg:
    operand: "Expr"


@dataclass
class Call:
    name: str
    args: list


@dataclass
class Cond:
    test: "Expr"
    yes: "Expr"
    no: "Expr"


Expr = Union[Num, Name, Bin, Neg, Call, Cond]

POWER = {"?": 1, "==": 2, "<": 2, ">": 2, "<=": 2, ">=": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 6}
OPS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "^": operator.pow,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


def tokenise(text):
    pos = 0
    text = text.rstrip()
    while pos < len(text):
        m = TOKEN.match(text, pos)
        if not m:
            raise LangError(f"unexpected {text[pos]!r} at {pos}")
        pos = m.end()
        yield m.lastgroup, m.group(m.lastgroup)
    yield "end", ""


class Parser:
    def __init__(self, text):
        self.tokens = list(tokenise(text))
        self.i = 0

    @property
    def current(self):
        return self.tokens[self.i]

    def advance(self):
        token = self.tokens[self.i]
        self.i += 1
        return token

    def expect(self, value):
        kind, got = self.advance()
        if got != value:
            raise LangError(f"expected {value!r}, got {got or kind!r}")

    def expression(self, level=0):
        left = self.prefix()
        while True:
            _, op = self.current
            power = POWER.get(op, -1)
            if power <= level:
                return left
            self.advance()
            if op == "?":
                yes = self.expression()
                self.expect(":")
                left = Cond(left, yes, self.expression(power - 1))
            else:
                left = Bin(op, left, self.expression(power - 1 if op == "^" else power))

    def prefix(self):
        kind, text = self.advance()
        if kind == "num":
            return Num(float(text))
        if kind == "name":
            if self.current[1] == "(":
                return Call(text, self.arguments())
            return Name(text)
        if text == "-":
            return Neg(self.expression(5))
        if text == "(":
            inner = self.expression()
            self.expect(")")
            return inner
        raise LangError(f"unexpected {text or 'end'}")

    def arguments(self):
        self.expect("(")
        args = []
        while self.current[1] != ")":
            args.append(self.expression())
            if self.current[1] == ",":
                self.advance()
        self.expect(")")
        return args


class Function:
    def __init__(self, name, params, body, interpreter):
        self.name, self.params, self.body, self.interpreter = name, params, body, interpreter

    def __call__(self, *args):
        if len(args) != len(self.params):
            raise LangError(f"{self.name} takes {len(self.params)} arguments, got {len(args)}")
        return self.interpreter.evaluate(self.body, {**self.interpreter.globals, **dict(zip(self.params, args))})


class Interpreter:
    def __init__(self):
        self.globals = {"pi": math.pi, "sqrt": math.sqrt, "max": max, "abs": abs}

    def evaluate(self, node, env):
        match node:
            case Num(value):
                return value
            case Name(id=name):
                if name not in env:
                    raise LangError(f"unknown name {name}")
                return env[name]
            case Neg(operand):
                return -self.evaluate(operand, env)
            case Bin(op, left, right):
                return OPS[op](self.evaluate(left, env), self.evaluate(right, env))
            case Cond(test, yes, no):
                return self.evaluate(yes if self.evaluate(test, env) else no, env)
            case Call(name, args):
                f = env.get(name)
                if not callable(f):
                    raise LangError(f"{name} is no function")
                return f(*(self.evaluate(a, env) for a in args))
            case _:
                raise TypeError(node)

    def run(self, line):
        if m := re.match(r"\s*def\s+(\w+)\s*\(([^)]*)\)\s*=(.*)$", line):
            name, params, body = m.groups()
            names = [p.strip() for p in params.split(",") if p.strip()]
            self.globals[name] = Function(name, names, Parser(body).expression(), self)
            return None
        if m := re.match(r"\s*([A-Za-z_]\w*)\s*=(?!=)(.*)$", line):
            value = self.evaluate(Parser(m[2]).expression(), self.globals)
            self.globals[m[1]] = value
            return value
        parser = Parser(line)
        tree = parser.expression()
        if parser.current[0] != "end":
            raise LangError(f"trailing {parser.current[1]!r}")
        return self.evaluate(tree, self.globals)


def repl(lines):
    interp = Interpreter()
    for line in lines:
        try:
            result = interp.run(line)
        except LangError as error:
            yield f"error: {error}"
        except (ZeroDivisionError, OverflowError) as error:
            yield f"{type(error).__name__}: {error}"
        except RecursionError:
            yield "too deep"
        else:
            if result is not None:
                yield f"{result:g}" if isinstance(result, float) else str(result)


program = [
    "x = 3 + 4 * 2",
    "-x ^ 2 / (1 - 5)",
    "def f(n) = n <= 1 ? 1 : n * f(n - 1)",
    "f(10)",
    "def hyp(a, b) = sqrt(a^2 + b^2)",
    "hyp(3, 4) == 5",
    "2 ^ 3 ^ 2",
    "f(1, 2)",
    "1 / 0",
    "y + 1",
    "3 $ 4",
    "(1 + 2",
    "max(1, x, pi)",
    "def loop(n) = loop(n + 1)",
    "loop(0)",
]
output = list(repl(program))
print(*output, sep="\n")
assert output[1] == "30.25" and output[2] == "3.6288e+06" and output[-1] == "too deep"
