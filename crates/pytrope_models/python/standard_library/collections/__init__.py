"""`collections`: ordered dictionaries, named tuples, and in a closed world default dictionaries and queues."""

from _pytrope import closed_world, is_constant, is_unknown, require, unknown

Counter = unknown("collections.Counter")
ChainMap = unknown("collections.ChainMap")
UserDict = unknown("collections.UserDict")
UserList = unknown("collections.UserList")
UserString = unknown("collections.UserString")


class OrderedDict(unknown("the builtin dict")):
    """A dictionary that keeps its entries in a plain one; whatever else dictionaries have is not known of it."""

    def __init__(self, *args, **entries):
        self._entries = dict(*args, **entries)

    def _pytrope_entries(self):
        return self._entries

    def __getitem__(self, key):
        return self._entries[key]

    def __setitem__(self, key, value):
        self._entries[key] = value

    def __delitem__(self, key):
        del self._entries[key]

    def __contains__(self, key):
        return key in self._entries

    def __iter__(self):
        return iter(list(self._entries))

    def __len__(self):
        return len(self._entries)

    def __bool__(self):
        return len(self._entries) > 0

    def keys(self):
        return self._entries.keys()

    def values(self):
        return self._entries.values()

    def items(self):
        return self._entries.items()

    def get(self, key, default=None):
        return self._entries.get(key, default)

    def pop(self, *args):
        return self._entries.pop(*args)

    def popitem(self, last=True):
        return unknown("which item is last")

    def setdefault(self, key, default=None):
        return self._entries.setdefault(key, default)

    def update(self, *args, **entries):
        self._entries.update(dict(*args, **entries))

    def clear(self):
        self._entries.clear()

    def copy(self):
        return OrderedDict(self._entries)

    def move_to_end(self, key, last=True):
        value = self._entries.pop(key)
        if last:
            self._entries[key] = value
        else:
            rest = dict(self._entries)
            self._entries.clear()
            self._entries[key] = value
            self._entries.update(rest)


class _DefaultDict(OrderedDict):
    def __init__(self, default_factory=None, *args, **entries):
        self.default_factory = default_factory
        self._entries = dict(*args, **entries)

    def __getitem__(self, key):
        if self.default_factory is None:
            return self._entries[key]
        if key not in self._entries:
            self._entries[key] = self.default_factory()
        return self._entries[key]

    def copy(self):
        return _DefaultDict(self.default_factory, self._entries)


class _Deque(unknown("the builtin deque")):
    """A queue that keeps its items in a list."""

    def __init__(self, iterable=(), maxlen=None):
        self.maxlen = maxlen
        self._kept = list(iterable) if maxlen is None else unknown("a queue of limited length")

    def append(self, item):
        self._kept.append(item)

    def appendleft(self, item):
        self._kept.insert(0, item)

    def pop(self):
        return self._kept.pop()

    def popleft(self):
        return self._kept.pop(0)

    def extend(self, items):
        self._kept.extend(items)

    def clear(self):
        self._kept.clear()

    def __getitem__(self, place):
        return self._kept[place]

    def __iter__(self):
        return iter(self._kept)

    def __len__(self):
        return len(self._kept)

    def __bool__(self):
        return len(self._kept) > 0


# Elsewhere such containers are there for others to fill.
defaultdict = _DefaultDict if closed_world() else unknown("collections.defaultdict")
deque = _Deque if closed_world() else unknown("collections.deque")


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if is_unknown(field_names) or not is_constant(field_names):
        return unknown("a named tuple whose fields are not known")
    names = field_names.replace(",", " ").split() if isinstance(field_names, str) else list(field_names)
    given = [] if defaults is None else list(defaults)

    class Record(unknown("the builtin tuple")):
        _fields = tuple(names)

        def __init__(self, *args, **entries):
            values = list(args)
            if not is_constant(len(values)):
                self._items = unknown("a named tuple of unknown values")
                for name in names:
                    setattr(self, name, unknown("a named tuple of unknown values"))
                return
            require(
                len(values) <= len(names),
                TypeError,
                f"{typename}.__new__() takes {len(names) + 1} positional arguments but {len(values) + 1} were given",
                rule="wrong-arguments",
            )
            for place in range(len(values), len(names)):
                if names[place] in entries:
                    values.append(entries[names[place]])
                elif place >= len(names) - len(given):
                    values.append(given[place - len(names) + len(given)])
                else:
                    require(
                        False,
                        TypeError,
                        f"{typename}.__new__() missing a required argument: '{names[place]}'",
                        rule="wrong-arguments",
                    )
            for name in entries:
                require(
                    name in names,
                    TypeError,
                    f"{typename}.__new__() got an unexpected keyword argument '{name}'",
                    rule="wrong-arguments",
                )
            self._items = tuple(values)
            for place in range(len(names)):
                setattr(self, names[place], values[place])

        def __getitem__(self, place):
            return self._items[place]

        def __iter__(self):
            return iter(self._items)

        def __len__(self):
            return len(names)

        def _asdict(self):
            return dict(zip(names, self._items))

        def _replace(self, **entries):
            return Record(**{**dict(zip(names, self._items)), **entries})

    return Record
