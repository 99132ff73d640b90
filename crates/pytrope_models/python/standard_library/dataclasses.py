"""`dataclasses`: classes whose constructor takes the annotated fields."""

from _pytrope import dataclass as _mark, unknown


class _MISSING_TYPE:
    pass


MISSING = _MISSING_TYPE()
KW_ONLY = unknown("dataclasses.KW_ONLY")
InitVar = unknown("dataclasses.InitVar")


def dataclass(
    cls=None,
    /,
    *,
    init=True,
    repr=True,
    eq=True,
    order=False,
    unsafe_hash=False,
    frozen=False,
    match_args=True,
    kw_only=False,
    slots=False,
    weakref_slot=False,
):
    if cls is None:

        def wrap(cls):
            made = _mark(cls, init, kw_only)
            if frozen is True:
                made.__setattr__ = _refuse_store
            return made

        return wrap
    made = _mark(cls, init, kw_only)
    if frozen is True:
        made.__setattr__ = _refuse_store
    return made


class FrozenInstanceError(AttributeError):
    pass


def _refuse_store(self, name, value):
    raise FrozenInstanceError(f"cannot assign to field '{name}'")


class Field:
    """What `field` was told; the decorator takes it out of the class."""

    def __init__(self, default, default_factory):
        self.default = default
        self.default_factory = default_factory


def field(
    *,
    default=MISSING,
    default_factory=MISSING,
    init=True,
    repr=True,
    hash=None,
    compare=True,
    metadata=None,
    kw_only=MISSING,
    doc=None,
):
    return Field(default, default_factory)


def replace(obj, /, **changes):
    return unknown("dataclasses.replace")


def fields(class_or_instance):
    return unknown("dataclasses.fields")


def asdict(obj, *, dict_factory=dict):
    return unknown("dataclasses.asdict")


def astuple(obj, *, tuple_factory=tuple):
    return unknown("dataclasses.astuple")


def is_dataclass(obj):
    return unknown("dataclasses.is_dataclass")


def make_dataclass(cls_name, fields, **options):
    return unknown("dataclasses.make_dataclass")


class FrozenInstanceError(AttributeError):
    pass
