"""`huggingface_hub.dataclasses`: data classes whose fields are checked; a check of types changes nothing."""

from dataclasses import MISSING, fields
from functools import wraps

from _pytrope import closed_world, unknown


def strict(cls=None, *, accept_kwargs=False):
    if not closed_world():
        return unknown("huggingface_hub.dataclasses.strict")

    def wrap(cls):
        return _checked(_taking_more(cls) if accept_kwargs else cls)

    return wrap if cls is None else wrap(cls)


def _taking_more(cls):
    """The class with a constructor that stores fields by keyword and hands other keywords to `__post_init__`."""

    @wraps(cls.__init__)
    def __init__(self, *args, **kwargs):
        if args:
            raise ValueError(f"{cls.__name__} accepts only keyword arguments")
        for field in fields(cls):
            if field.name in kwargs:
                setattr(self, field.name, kwargs.pop(field.name))
            elif field.default is not MISSING:
                setattr(self, field.name, field.default)
            elif field.default_factory is not MISSING:
                setattr(self, field.name, field.default_factory())
            else:
                raise TypeError(f"Missing required field - '{field.name}'")
        self.__post_init__(**kwargs)

    def __post_init__(self, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)

    cls.__init__ = __init__
    if not hasattr(cls, "__post_init__"):
        cls.__post_init__ = __post_init__
    return cls


def _checked(cls):
    """The class with a constructor that runs all its methods called `validate_…`."""
    validators = [getattr(cls, name) for name in dir(cls) if name.startswith("validate_")]
    initial_init = cls.__init__

    def validate(self):
        for validator in validators:
            validator(self)

    @wraps(initial_init)
    def init_with_validate(self, *args, **kwargs):
        initial_init(self, *args, **kwargs)
        cls.validate(self)

    cls.validate = validate
    cls.__init__ = init_with_validate
    return cls


validated_field = unknown("a field with a validator")
as_validated_field = unknown("a field with a validator")
validate_typed_dict = unknown("a check of a dictionary")
