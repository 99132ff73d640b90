"""`contextlib`: the managers that matter for what is caught; generator-based ones are Unknown."""

from _pytrope import havoc, leaves_exceptions, standard, unknown


def contextmanager(func):
    leaves = leaves_exceptions(func)
    # It runs at every entry and exit.
    havoc(func)
    return standard() if leaves else unknown("contextlib.contextmanager")


asynccontextmanager = contextmanager
ExitStack = unknown("contextlib.ExitStack")
AsyncExitStack = unknown("contextlib.AsyncExitStack")
AbstractContextManager = unknown("contextlib.AbstractContextManager")
ContextDecorator = unknown("contextlib.ContextDecorator")
redirect_stdout = standard()
redirect_stderr = standard()
chdir = standard()


class suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        return None

    def __exit__(self, exctype, excinst, exctb):
        return unknown("contextlib.suppress may catch")


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *excinfo):
        return None


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *excinfo):
        return None
