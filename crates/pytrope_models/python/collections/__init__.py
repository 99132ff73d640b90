"""`collections`: ordered dictionaries are dictionaries; the rest is Unknown."""

from _pytrope import unknown

namedtuple = unknown("collections.namedtuple")
defaultdict = unknown("collections.defaultdict")
Counter = unknown("collections.Counter")
deque = unknown("collections.deque")
ChainMap = unknown("collections.ChainMap")
UserDict = unknown("collections.UserDict")
UserList = unknown("collections.UserList")
UserString = unknown("collections.UserString")


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        value = self.pop(key)
        if last:
            self[key] = value
        else:
            rest = dict(self)
            self.clear()
            self[key] = value
            self.update(rest)
