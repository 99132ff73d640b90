"""`argparse`: the command line is not known: an option is any value of its type, or its default in a closed world."""

from _pytrope import closed_world, is_constant, is_unknown, require, some, unknown

SUPPRESS = "==SUPPRESS=="
OPTIONAL = "?"
ZERO_OR_MORE = "*"
ONE_OR_MORE = "+"
PARSER = "A..."
REMAINDER = "..."


class ArgumentError(Exception):
    pass


class ArgumentTypeError(Exception):
    pass


class Namespace:
    """The options of a run; what else was put there is not known."""

    # Whether a parser that was read whole has made it: then it has no other options.
    _pytrope_whole = False

    def __init__(self, **kwargs):
        for name, value in kwargs.items():
            setattr(self, name, value)

    def __getattr__(self, name):
        if self._pytrope_whole is True:
            require(False, AttributeError, f"'Namespace' object has no attribute '{name}'", rule="missing-attribute")
        return unknown("an option that is not listed")

    def __contains__(self, key):
        return bool(unknown("whether there is such an option"))


class HelpFormatter:
    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        return unknown("a property of a formatter")


class RawDescriptionHelpFormatter(HelpFormatter):
    pass


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    pass


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    pass


class MetavarTypeHelpFormatter(HelpFormatter):
    pass


class Action:
    def __init__(self, option_strings=None, dest=None, **kwargs):
        self.option_strings = option_strings
        self.dest = dest

    def __call__(self, parser, namespace, values, option_string=None):
        return unknown("what an action does")

    def __getattr__(self, name):
        return unknown("a property of an action")


class BooleanOptionalAction(Action):
    pass


class FileType:
    def __init__(self, mode="r", bufsize=-1, encoding=None, errors=None):
        pass


def either(first, second):
    if unknown("whether the option is given"):
        return first
    return second


def default_of(flags, options):
    """What an option is in a run that is given none."""
    action = options.get("action")
    if is_unknown(action) or options.get("required") or is_unknown(options.get("default")):
        return unknown("an option of the command line")
    if action == "store_true":
        return options.get("default", False)
    if action == "store_false":
        return options.get("default", True)
    if "default" not in options:
        for flag in flags:
            if not is_constant(flag) or not flag.startswith("-"):
                return unknown("an argument of the command line")
        return None
    default, kind = options["default"], options.get("type")
    if is_constant(default) and isinstance(default, str) and kind is not None and kind is not str:
        return kind(default)
    return default


def value_of(name, flags, options):
    """Any value that an option may have; sizes are shown by the option's name."""
    if closed_world():
        return default_of(flags, options)
    action = options.get("action")
    if is_unknown(action):
        return unknown("an option with an unknown action")
    if action in ("store_true", "store_false") or action is BooleanOptionalAction:
        given = bool(unknown("whether the option is given"))
        if "default" in options and options["default"] is None:
            return either(given, None)
        return given
    if action is not None and action != "store":
        return unknown("an option with an action of its own")
    if "nargs" in options:
        return unknown("an option with several values")
    kind = options.get("type")
    default = options.get("default")
    if kind is int or kind is float:
        if is_constant(default) and isinstance(default, int) and not isinstance(default, bool):
            return some(int, name) if kind is int else either(some(float), default)
        if is_constant(default) and isinstance(default, float) and kind is float:
            return some(float)
        return unknown("an option that may have its default")
    if kind is None or kind is str:
        if is_constant(default) and isinstance(default, str) and default != SUPPRESS:
            return some(str)
    return unknown("an option of the command line")


def name_of(flags, options):
    """The attribute that an option is kept in; None if that is not known."""
    dest = options.get("dest")
    if dest is not None:
        return dest if is_constant(dest) and isinstance(dest, str) else None
    for flag in flags:
        if not is_constant(flag) or not isinstance(flag, str):
            return None
    for flag in flags:
        if flag.startswith("--"):
            return flag.lstrip("-").replace("-", "_")
    if len(flags) == 0:
        return None
    # A positional argument keeps its name as it is written.
    return flags[0].lstrip("-").replace("-", "_") if flags[0].startswith("-") else flags[0]


# Actions that store in the attribute of their option and in no other.
KNOWN_ACTIONS = (
    None,
    "store",
    "store_true",
    "store_false",
    "store_const",
    "append",
    "append_const",
    "count",
    "extend",
    "help",
    "version",
)


def stores_elsewhere(options):
    """Whether the action of an option may store in other attributes too."""
    action = options.get("action")
    return is_unknown(action) or not is_constant(action) or action not in KNOWN_ACTIONS


class _Options:
    """What a parser and its groups share: the options, by the attribute they are kept in."""

    def __getattr__(self, name):
        return unknown("a property of a parser")

    def add_argument(self, *args, **kwargs):
        name = name_of(args, kwargs)
        if name is not None:
            self._options[name] = value_of(name, args, kwargs)
        is_read = is_constant(len(args)) and is_constant(len(kwargs)) and is_constant(name) and name is not None
        if not is_read or stores_elsewhere(kwargs):
            self._unread.append(name)
        return Action(dest=name)

    def add_argument_group(self, *args, **kwargs):
        return _Group(self._options, self._unread)

    def add_mutually_exclusive_group(self, *, required=False):
        return _Group(self._options, self._unread)

    def set_defaults(self, **kwargs):
        if not is_constant(len(kwargs)):
            self._unread.append("defaults")
        for name in kwargs:
            self._options[name] = unknown("an option whose default is set")


class _Group(_Options):
    def __init__(self, options, unread):
        self._options = options
        self._unread = unread


class ArgumentParser(_Options):
    def __init__(self, *args, **kwargs):
        self._options = {}
        # What may give the result attributes that are not among the options.
        self._unread = []
        if not is_constant(len(args)) or not is_constant(len(kwargs)) or len(args) > 3:
            self._unread.append("arguments")
        elif "parents" in kwargs or "prefix_chars" in kwargs:
            self._unread.append("parents")
        if "parents" in kwargs:
            self.description = unknown("a description")
        self.prog = unknown("the name of the program")

    def parse_args(self, args=None, namespace=None):
        if namespace is not None:
            return unknown("options in a namespace of the program")
        found = Namespace()
        for name, value in self._options.items():
            setattr(found, name, value)
        unread = len(self._unread)
        if is_constant(unread) and unread == 0 and is_constant(len(self._options)):
            found._pytrope_whole = True
        return found

    def parse_known_args(self, args=None, namespace=None):
        return self.parse_args(args, namespace), unknown("the rest of the command line")

    def parse_intermixed_args(self, args=None, namespace=None):
        return self.parse_args(args, namespace)

    def register(self, *args, **kwargs):
        self._unread.append("actions")

    def add_subparsers(self, **kwargs):
        self._unread.append("subparsers")
        return unknown("parsers of subcommands")

    def get_default(self, dest):
        return unknown("the default of an option")

    def print_help(self, file=None):
        return None

    def print_usage(self, file=None):
        return None

    def format_help(self):
        return some(str)

    def error(self, message):
        raise SystemExit(2)

    def exit(self, status=0, message=None):
        raise SystemExit(status)
