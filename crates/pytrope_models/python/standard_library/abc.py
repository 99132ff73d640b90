"""`abc`: abstract base classes are classes, abstract methods are methods."""

from _pytrope import is_unknown, unknown

ABCMeta = unknown("abc.ABCMeta may take any subclass")
abstractproperty = property


class ABC:
    __complete__ = True

    # `register` belongs to the metaclass: a method of that name in any class of the order comes before it.
    @classmethod
    def register(cls, subclass):
        return unknown("the registered class")


def abstractmethod(funcobj):
    if not is_unknown(funcobj):
        funcobj.__isabstractmethod__ = True
    return funcobj


def abstractclassmethod(funcobj):
    return classmethod(funcobj)


def abstractstaticmethod(funcobj):
    return staticmethod(funcobj)
