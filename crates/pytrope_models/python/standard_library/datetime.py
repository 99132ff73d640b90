"""`datetime`: which moments there are, and which operands and arguments are none; their values are not followed."""

from _pytrope import is_constant, is_unknown, require, some, standard, unknown

MINYEAR = 1
MAXYEAR = 9999
UTC = standard()


def _require_between(value, least, most, name):
    if is_constant(value) and isinstance(value, int):
        require(least <= value <= most, ValueError, f"{name} must be in {least}..{most}, not {value}")


def _days_of(year, month):
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _require_date(year, month, day):
    _require_between(year, 1, 9999, "year")
    _require_between(month, 1, 12, "month")
    if is_constant((year, month)) and isinstance(year, int) and isinstance(month, int):
        _require_between(day, 1, _days_of(year, month), "day")
    else:
        _require_between(day, 1, 31, "day")


def _require_time(hour, minute, second, microsecond):
    _require_between(hour, 0, 23, "hour")
    _require_between(minute, 0, 59, "minute")
    _require_between(second, 0, 59, "second")
    _require_between(microsecond, 0, 999999, "microsecond")


class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        for part in (days, seconds, microseconds, milliseconds, minutes, hours, weeks):
            require(
                not isinstance(part, (str, bytes, list, tuple, dict, type(None))),
                TypeError,
                "unsupported type for timedelta component",
                rule="wrong-arguments",
            )

    def __hash__(self):
        return some(int)

    def total_seconds(self):
        return some(float)

    def __add__(self, other):
        return _sum(self, other)

    def __radd__(self, other):
        return _sum(other, self)

    def __sub__(self, other):
        return _difference(self, other)

    def __rsub__(self, other):
        return _difference(other, self)

    def __eq__(self, other):
        return _comparison(other, timedelta)

    def __lt__(self, other):
        return _comparison(other, timedelta)

    def __le__(self, other):
        return _comparison(other, timedelta)

    def __gt__(self, other):
        return _comparison(other, timedelta)

    def __ge__(self, other):
        return _comparison(other, timedelta)


class tzinfo:
    pass


class timezone(tzinfo):
    utc = unknown("datetime.timezone.utc")

    def __init__(self, offset, name=None):
        pass


class _Made:
    @classmethod
    def _make(cls):
        return super().__new__(cls)


class date(_Made):
    def __new__(cls, year, month=None, day=None):
        if not is_unknown(year) and not isinstance(year, (str, bytes)):
            _require_date(year, month, day)
        return cls._make()

    def __hash__(self):
        return some(int)

    @classmethod
    def today(cls):
        return cls._make()

    def isoformat(self, *options, **named):
        return some(str)

    def strftime(self, format):
        return some(str)

    def weekday(self):
        return some(int)

    def isoweekday(self):
        return some(int)

    def toordinal(self):
        return some(int)

    def __add__(self, other):
        return _sum(self, other)

    def __radd__(self, other):
        return _sum(other, self)

    def __sub__(self, other):
        return _difference(self, other)

    def __rsub__(self, other):
        return _difference(other, self)

    def __eq__(self, other):
        return _comparison(other, date)

    def __lt__(self, other):
        return _comparison(other, date)

    def __le__(self, other):
        return _comparison(other, date)

    def __gt__(self, other):
        return _comparison(other, date)

    def __ge__(self, other):
        return _comparison(other, date)


_date = date


class datetime(date):
    def __new__(cls, year, month=None, day=None, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        if not is_unknown(year) and not isinstance(year, (str, bytes)):
            _require_date(year, month, day)
            _require_time(hour, minute, second, microsecond)
        return cls._make()

    @classmethod
    def now(cls, tz=None):
        return cls._make()

    @classmethod
    def utcnow(cls):
        return cls._make()

    def timestamp(self):
        return some(float)

    def date(self):
        return _date._make()


class time(_Made):
    def __new__(cls, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        if not isinstance(hour, (str, bytes)):
            _require_time(hour, minute, second, microsecond)
        return cls._make()


datetime_CAPI = standard()


def _is_no_moment(value):
    """Whether a value is one of a builtin type that no moment is added to, taken from or compared with."""
    return not is_unknown(value) and isinstance(
        value, (str, bytes, int, float, complex, list, tuple, dict, set, frozenset, type(None))
    )


def _sum(left, right):
    return NotImplemented if _is_no_moment(left) or _is_no_moment(right) else unknown("a moment or a duration")


def _difference(left, right):
    return NotImplemented if _is_no_moment(left) or _is_no_moment(right) else unknown("a moment or a duration")


def _comparison(other, kind):
    return NotImplemented if _is_no_moment(other) else unknown("how moments compare")
