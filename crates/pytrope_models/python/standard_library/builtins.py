"""The exceptions of Python, and what `x.__dict__` gives in a closed world; everything else of `builtins` is in Rust."""

from _pytrope import delete_own_attribute, own_attributes, unknown, update_own_attributes


class __InstanceDict__(unknown("the builtin dict")):
    """The dictionary of an instance: it shows the attributes that the instance has, and storing in it stores them."""

    def __init__(self, owner):
        self._owner = owner

    def _pytrope_entries(self):
        return own_attributes(self._owner)

    def __getitem__(self, key):
        return own_attributes(self._owner)[key]

    def __setitem__(self, key, value):
        update_own_attributes(self._owner, {key: value})

    def __delitem__(self, key):
        own_attributes(self._owner)[key]
        delete_own_attribute(self._owner, key)

    def __contains__(self, key):
        return key in own_attributes(self._owner)

    def __iter__(self):
        return iter(list(own_attributes(self._owner)))

    def __len__(self):
        return len(own_attributes(self._owner))

    def __bool__(self):
        return len(own_attributes(self._owner)) > 0

    def __eq__(self, other):
        return own_attributes(self._owner) == other

    def __or__(self, other):
        return own_attributes(self._owner) | other

    def keys(self):
        return own_attributes(self._owner).keys()

    def values(self):
        return own_attributes(self._owner).values()

    def items(self):
        return own_attributes(self._owner).items()

    def get(self, key, default=None):
        return own_attributes(self._owner).get(key, default)

    def copy(self):
        return own_attributes(self._owner)

    def pop(self, key, *default):
        value = own_attributes(self._owner).pop(key, *default)
        delete_own_attribute(self._owner, key)
        return value

    def setdefault(self, key, default=None):
        value = own_attributes(self._owner).setdefault(key, default)
        self[key] = value
        return value

    def update(self, *args, **entries):
        update_own_attributes(self._owner, dict(*args, **entries))

    def clear(self):
        for key in own_attributes(self._owner):
            delete_own_attribute(self._owner, key)


class BaseException:
    def __init__(self, *args, **kwargs):
        self.args = args

    def with_traceback(self, tb):
        return self

    def add_note(self, note):
        return None


class Exception(BaseException):
    pass


class GeneratorExit(BaseException):
    pass


class KeyboardInterrupt(BaseException):
    pass


class SystemExit(BaseException):
    pass


class BaseExceptionGroup(BaseException):
    pass


class ExceptionGroup(BaseExceptionGroup, Exception):
    pass


class ArithmeticError(Exception):
    pass


class FloatingPointError(ArithmeticError):
    pass


class OverflowError(ArithmeticError):
    pass


class ZeroDivisionError(ArithmeticError):
    pass


class AssertionError(Exception):
    pass


class AttributeError(Exception):
    pass


class BufferError(Exception):
    pass


class EOFError(Exception):
    pass


class ImportError(Exception):
    pass


class ModuleNotFoundError(ImportError):
    pass


class LookupError(Exception):
    pass


class IndexError(LookupError):
    pass


class KeyError(LookupError):
    pass


class MemoryError(Exception):
    pass


class NameError(Exception):
    pass


class UnboundLocalError(NameError):
    pass


class OSError(Exception):
    pass


class BlockingIOError(OSError):
    pass


class ChildProcessError(OSError):
    pass


class ConnectionError(OSError):
    pass


class BrokenPipeError(ConnectionError):
    pass


class ConnectionAbortedError(ConnectionError):
    pass


class ConnectionRefusedError(ConnectionError):
    pass


class ConnectionResetError(ConnectionError):
    pass


class FileExistsError(OSError):
    pass


class FileNotFoundError(OSError):
    pass


class InterruptedError(OSError):
    pass


class IsADirectoryError(OSError):
    pass


class NotADirectoryError(OSError):
    pass


class PermissionError(OSError):
    pass


class ProcessLookupError(OSError):
    pass


class TimeoutError(OSError):
    pass


class ReferenceError(Exception):
    pass


class RuntimeError(Exception):
    pass


class NotImplementedError(RuntimeError):
    pass


class RecursionError(RuntimeError):
    pass


class PythonFinalizationError(RuntimeError):
    pass


class StopAsyncIteration(Exception):
    pass


class StopIteration(Exception):
    pass


class SyntaxError(Exception):
    pass


class IndentationError(SyntaxError):
    pass


class TabError(IndentationError):
    pass


class SystemError(Exception):
    pass


class TypeError(Exception):
    pass


class ValueError(Exception):
    pass


class UnicodeError(ValueError):
    pass


class UnicodeDecodeError(UnicodeError):
    pass


class UnicodeEncodeError(UnicodeError):
    pass


class UnicodeTranslateError(UnicodeError):
    pass


class Warning(Exception):
    pass


class BytesWarning(Warning):
    pass


class DeprecationWarning(Warning):
    pass


class EncodingWarning(Warning):
    pass


class FutureWarning(Warning):
    pass


class ImportWarning(Warning):
    pass


class PendingDeprecationWarning(Warning):
    pass


class ResourceWarning(Warning):
    pass


class RuntimeWarning(Warning):
    pass


class SyntaxWarning(Warning):
    pass


class UnicodeWarning(Warning):
    pass


class UserWarning(Warning):
    pass


EnvironmentError = OSError
IOError = OSError
