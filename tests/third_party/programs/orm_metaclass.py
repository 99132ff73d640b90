"""Class machinery: descriptors, a metaclass, __init_subclass__, protocols, mixins, operators."""
from __future__ import annotations

import functools
from typing import Any, ClassVar, Protocol, runtime_checkable


class Field:
    def __init__(self, kind, *, default=None, required=False):
        self.kind = kind
        self.default = default
        self.required = required

    def __set_name__(self, owner, name):
        self.name = name
        self.slot = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return obj.__dict__.get(self.slot, self.default)

    def __set__(self, obj, value):
        if value is not None and not isinstance(value, self.kind):
            raise TypeError(f"{self.name} must be {self.kind.__name__}, not {type(value).__name__}")
        obj.__dict__[self.slot] = value

    def __delete__(self, obj):
        del obj.__dict__[self.slot]


class Text(Field):
    def __init__(self, max_length=80, **options):
        super().__init__(str, **options)
        self.max_length = max_length

    def __set__(self, obj, value):
        if value is not None and len(value) > self.max_length:
            raise ValueError(f"{self.name} is too long")
        super().__set__(obj, value)


class ModelMeta(type):
    registry: ClassVar[dict[str, type]] = {}

    def __new__(mcls, name, bases, namespace, table=None):
        cls = super().__new__(mcls, name, bases, namespace)
        inherited = {}
        for base in reversed(cls.__mro__):
            inherited.update({k: v for k, v in vars(base).items() if isinstance(v, Field)})
        cls.fields = inherited
        cls.table = table or name.lower() + "s"
        if bases:
            mcls.registry[name] = cls
        return cls

    def __len__(cls):
        return len(cls.fields)

    def __call__(cls, *args, **kwargs):
        instance = super().__call__(*args, **kwargs)
        instance.validate()
        return instance


class Model(metaclass=ModelMeta):
    id = Field(int)

    def __init__(self, **values):
        for name, value in values.items():
            if name not in self.fields:
                raise AttributeError(f"{type(self).__name__} has no field {name!r}")
            setattr(self, name, value)

    def validate(self):
        missing = [n for n, f in self.fields.items() if f.required and getattr(self, n) is None]
        if missing:
            raise ValueError(f"missing: {missing}")

    def insert_sql(self):
        names = [n for n in self.fields if getattr(self, n) is not None]
        marks = ", ".join("?" * len(names))
        return f"INSERT INTO {self.table} ({', '.join(names)}) VALUES ({marks})", [getattr(self, n) for n in names]


class Timestamped(Model):
    created = Text(default="now")


class User(Timestamped, table="people"):
    name = Text(20, required=True)
    age = Field(int, default=0)

    @functools.cached_property
    def initials(self):
        return "".join(w[0] for w in self.name.split())


class Plugin:
    plugins: ClassVar[dict[str, type[Plugin]]] = {}

    def __init_subclass__(cls, /, key=None, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.plugins[key or cls.__name__] = cls


class Upper(Plugin, key="up"):
    def run(self, text):
        return text.upper()


class Reverse(Plugin):
    def run(self, text):
        return text[::-1]


@runtime_checkable
class Runner(Protocol):
    def run(self, text: str) -> str: ...


@functools.total_ordering
class Money:
    __slots__ = ("amount", "currency")

    def __init__(self, amount: float, currency: str = "EUR"):
        self.amount, self.currency = amount, currency

    def _check(self, other: Any) -> Money:
        if isinstance(other, (int, float)):
            return Money(other, self.currency)
        if not isinstance(other, Money):
            return NotImplemented
        if other.currency != self.currency:
            raise ValueError("currencies differ")
        return other

    def __add__(self, other):
        other = self._check(other)
        return other if other is NotImplemented else Money(self.amount + other.amount, self.currency)

    __radd__ = __add__

    def __eq__(self, other):
        return isinstance(other, Money) and (self.amount, self.currency) == (other.amount, other.currency)

    def __lt__(self, other):
        return self.amount < self._check(other).amount

    def __hash__(self):
        return hash((self.amount, self.currency))

    def __bool__(self):
        return bool(self.amount)

    def __format__(self, spec):
        return f"{format(self.amount, spec or '.2f')} {self.currency}"

    def __getattr__(self, name):
        if name.startswith("as_"):
            return lambda: Money(self.amount, name[3:].upper())
        raise AttributeError(name)


user = User(name="Grace Hopper", age=45)
print(user.insert_sql(), user.initials, len(User), sorted(User.fields), User.name.max_length)
del user.age
print(user.age, user.created, ModelMeta.registry["User"].table)
for bad in ({"name": 5}, {"name": "x" * 30}, {"age": 3}, {"nme": "typo"}):
    try:
        User(**bad)
    except (TypeError, ValueError, AttributeError) as error:
        print(type(error).__name__, error)
print({k: p().run("abc") for k, p in Plugin.plugins.items()}, isinstance(Upper(), Runner), isinstance(3, Runner))
wallet = [Money(5), Money(2.5), Money(10)]
print(f"{sum(wallet)} {max(wallet):.0f} {min(wallet) <= 3} {bool(Money(0))}", len({Money(1), Money(1)}))
print(format(Money(3).as_usd(), ".1f"), Money(1) == 1, hasattr(Money(1), "colour"))
try:
    Money(1) + "x"
except TypeError as error:
    print(error)
