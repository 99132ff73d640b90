"""`dataclasses`: classes whose constructor takes the annotated fields."""

from _pytrope import closed_world, dataclass as _mark, deep_copy, fields_of, is_constant, is_unknown, unknown


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
                made.__setattr__ = _refuse_stores(made)
            return made

        return wrap
    made = _mark(cls, init, kw_only)
    if frozen is True:
        made.__setattr__ = _refuse_stores(made)
    return made


class FrozenInstanceError(AttributeError):
    pass


def _refuse_stores(frozen):
    """The `__setattr__` of a frozen class. Instances of classes below it that are not frozen take attributes that
    are no fields."""

    described = fields_of(frozen)
    names = () if is_unknown(described) or described is False else tuple([field[0] for field in described])

    def refuse(self, name, value):
        if type(self) is frozen or name in names:
            raise FrozenInstanceError(f"cannot assign to field '{name}'")
        object.__setattr__(self, name, value)

    return refuse


class Field:
    """What `field` was told; the decorator takes it out of the class."""

    def __init__(self, default, default_factory, name=None, init=True, metadata=None):
        self.default = default
        self.default_factory = default_factory
        self.name = name
        self.init = init
        self.metadata = {} if metadata is None else metadata


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
    return Field(default, default_factory, metadata=metadata)


def replace(obj, /, **changes):
    described = fields_of(obj) if closed_world() else unknown("the attributes of a data class may change")
    if is_unknown(described) or described is False:
        return unknown("the fields of the data class are not known")
    given = {}
    for name, taken, *_ in described:
        if taken and name not in changes:
            given[name] = getattr(obj, name)
    return type(obj)(**given, **changes)


def fields(class_or_instance):
    described = fields_of(class_or_instance) if closed_world() else unknown("the attributes of a data class may change")
    if is_unknown(described) or described is False:
        return unknown("the fields of the data class are not known")
    made = []
    for name, taken, has_default, default, has_factory, factory, metadata in described:
        default, factory = default if has_default else MISSING, factory if has_factory else MISSING
        made.append(Field(default, factory, name, taken, metadata))
    return tuple(made)


def asdict(obj, *, dict_factory=dict):
    described = fields_of(obj) if closed_world() else unknown("the attributes of a data class may change")
    if is_unknown(described) or described is False:
        return unknown("the fields of the data class are not known")
    return dict_factory([(field[0], _as_plain(getattr(obj, field[0]), dict_factory)) for field in described])


def _as_plain(value, dict_factory):
    """What `asdict` makes of a value: data classes become dictionaries, containers of them are made anew."""
    if is_constant(value):
        return deep_copy(value)
    described = fields_of(value)
    if is_unknown(described):
        return unknown("whether a value is a data class is not known")
    if described is not False:
        return asdict(value, dict_factory=dict_factory)
    if type(value) is list:
        return [_as_plain(item, dict_factory) for item in value]
    if type(value) is tuple:
        return tuple([_as_plain(item, dict_factory) for item in value])
    if type(value) is dict:
        return {key: _as_plain(item, dict_factory) for key, item in value.items()}
    return deep_copy(value)


def astuple(obj, *, tuple_factory=tuple):
    described = fields_of(obj) if closed_world() else unknown("the attributes of a data class may change")
    if is_unknown(described) or described is False:
        return unknown("the fields of the data class are not known")
    return tuple_factory([deep_copy(getattr(obj, field[0])) for field in described])


def is_dataclass(obj):
    described = fields_of(obj) if closed_world() else unknown("the attributes of a data class may change")
    if is_unknown(described):
        return unknown("whether it is a data class is not known")
    return described is not False


def make_dataclass(cls_name, fields, **options):
    return unknown("dataclasses.make_dataclass")
