"""`re`: what regular expressions find in texts that are known, and the groups of a match where the pattern is known.

Texts are searched only where an entry is the whole program.
"""

from _pytrope import closed_world, is_constant, is_unknown, regex_groups, regex_matches, some, unknown


class error(Exception):
    pass


PatternError = error


def _require_kind(pattern, string):
    """Texts are searched with patterns that are texts, bytes with bytes."""
    text = pattern.pattern if isinstance(pattern, Pattern) else pattern
    if isinstance(text, str) and isinstance(string, bytes):
        raise TypeError("cannot use a string pattern on a bytes-like object")
    if isinstance(text, bytes) and isinstance(string, str):
        raise TypeError("cannot use a bytes pattern on a string-like object")


def _groups(pattern):
    """A name or None for each group of a pattern; Unknown where it is not known."""
    if isinstance(pattern, Pattern):
        return pattern._groups
    if not isinstance(pattern, str) or not is_constant(pattern):
        return unknown("the groups of a regular expression")
    groups = regex_groups(pattern)
    if isinstance(groups, str):
        raise error(groups)
    return groups


def _found(pattern, string, mode, flags=0):
    """`(names, matches)`, or Unknown."""
    text = pattern.pattern if isinstance(pattern, Pattern) else pattern
    chosen = pattern.flags if isinstance(pattern, Pattern) else flags
    if not closed_world() or is_unknown(text) or is_unknown(string) or is_unknown(chosen):
        return unknown("what a regular expression finds")
    if not is_constant(chosen) or chosen != 0:
        return unknown("what a regular expression with flags finds")
    return regex_matches(text, string, mode)


def _first(pattern, string, mode, flags=0):
    _require_kind(pattern, string)
    found = _found(pattern, string, mode, flags)
    if is_unknown(found):
        groups = _groups(pattern)
        if is_unknown(groups):
            return unknown("whether a regular expression matches")
        return OpenMatch(string, groups) if some(bool) else None
    if len(found[1]) == 0:
        return None
    return Match(string, found[0], found[1][0])


class Match:
    def __init__(self, string, names, spans):
        self.string = string
        self._names = names
        self._spans = spans

    def _place(self, group):
        if isinstance(group, str):
            if group not in self._names:
                raise IndexError("no such group")
            return self._names.index(group)
        if group < 0 or group >= len(self._spans):
            raise IndexError("no such group")
        return group

    def _text(self, group, default=None):
        span = self._spans[self._place(group)]
        return default if span is None else self.string[span[0] : span[1]]

    def group(self, *groups):
        if len(groups) == 0:
            return self._text(0)
        if len(groups) == 1:
            return self._text(groups[0])
        return tuple([self._text(group) for group in groups])

    def __getitem__(self, group):
        return self._text(group)

    def groups(self, default=None):
        return tuple([self._text(k, default) for k in range(1, len(self._spans))])

    def groupdict(self, default=None):
        return {name: self._text(name, default) for name in self._names if name is not None}

    def span(self, group=0):
        span = self._spans[self._place(group)]
        return (-1, -1) if span is None else span

    def start(self, group=0):
        return self.span(group)[0]

    def end(self, group=0):
        return self.span(group)[1]


class OpenMatch(Match):
    """A match in a text that is not known: it has the groups of its pattern."""

    def __init__(self, string, groups):
        self.string = string
        self._names = (None,) + groups
        self._spans = (None,) * len(self._names)

    def _text(self, group, default=None):
        if not is_unknown(group) and isinstance(group, (int, str)):
            self._place(group)
        return unknown("what a group matched")

    def groups(self, default=None):
        return tuple([unknown("what a group matched") for _ in self._names[1:]])

    def groupdict(self, default=None):
        return {name: unknown("what a group matched") for name in self._names if name is not None}

    def span(self, group=0):
        return some(int), some(int)


class Pattern:
    def __init__(self, pattern, flags):
        self.pattern = pattern
        self.flags = flags
        self._groups = _groups(pattern)

    def match(self, string, *place):
        return unknown("a part of a text") if place else _first(self, string, "match")

    def fullmatch(self, string, *place):
        return unknown("a part of a text") if place else _first(self, string, "fullmatch")

    def search(self, string, *place):
        return unknown("a part of a text") if place else _first(self, string, "search")

    def split(self, string, maxsplit=0):
        return split(self, string, maxsplit)

    def findall(self, string, *place):
        return unknown("a part of a text") if place else findall(self, string)

    def finditer(self, string, *place):
        return unknown("a part of a text") if place else finditer(self, string)

    def sub(self, repl, string, count=0):
        return sub(self, repl, string, count)


def compile(pattern, flags=0):
    if not closed_world():
        groups = _groups(pattern)
        if is_unknown(groups) or is_unknown(flags):
            return unknown("a regular expression")
    elif is_unknown(pattern) or is_unknown(flags):
        return unknown("a regular expression")
    return pattern if isinstance(pattern, Pattern) else Pattern(pattern, flags)


def match(pattern, string, flags=0):
    return _first(pattern, string, "match", flags)


def fullmatch(pattern, string, flags=0):
    return _first(pattern, string, "fullmatch", flags)


def search(pattern, string, flags=0):
    return _first(pattern, string, "search", flags)


def findall(pattern, string, flags=0):
    _require_kind(pattern, string)
    _groups(pattern)
    found = _found(pattern, string, "all", flags)
    if is_unknown(found):
        return unknown("what a regular expression finds")
    made = []
    for spans in found[1]:
        one = Match(string, found[0], spans)
        if len(spans) == 1:
            made.append(one.group())
        elif len(spans) == 2:
            made.append(one._text(1, ""))
        else:
            made.append(one.groups(""))
    return made


def finditer(pattern, string, flags=0):
    _require_kind(pattern, string)
    _groups(pattern)
    found = _found(pattern, string, "all", flags)
    if is_unknown(found):
        return unknown("what a regular expression finds")
    return iter([Match(string, found[0], spans) for spans in found[1]])


def split(pattern, string, maxsplit=0, flags=0):
    _require_kind(pattern, string)
    _groups(pattern)
    found = _found(pattern, string, "all", flags)
    if is_unknown(found) or is_unknown(maxsplit):
        return unknown("the parts of a text")
    parts = []
    start = 0
    matches = found[1] if maxsplit == 0 else found[1][:maxsplit]
    for spans in matches:
        parts.append(string[start : spans[0][0]])
        parts.extend(Match(string, found[0], spans).groups())
        start = spans[0][1]
    parts.append(string[start:])
    return parts


def sub(pattern, repl, string, count=0, flags=0):
    _require_kind(pattern, string)
    _groups(pattern)
    found = _found(pattern, string, "all", flags)
    if is_unknown(found) or is_unknown(repl) or is_unknown(count):
        return unknown("a text with parts replaced")
    if isinstance(repl, str) and "\\" in repl:
        return unknown("a text with parts substituted")
    made = ""
    start = 0
    matches = found[1] if count == 0 else found[1][:count]
    for spans in matches:
        made = made + string[start : spans[0][0]]
        made = made + (repl if isinstance(repl, str) else repl(Match(string, found[0], spans)))
        start = spans[0][1]
    return made + string[start:]


def escape(pattern):
    return unknown("a regular expression")
