"""`abc`: abstract base classes are classes, abstract methods are methods."""

from _pytrope import unknown

ABCMeta = unknown("abc.ABCMeta may take any subclass")
abstractproperty = property


class ABC:
    __complete__ = True

    @classmethod
    def register(cls, subclass):
        return subclass


def abstractmethod(funcobj):
    return funcobj


def abstractclassmethod(funcobj):
    return classmethod(funcobj)


def abstractstaticmethod(funcobj):
    return staticmethod(funcobj)
