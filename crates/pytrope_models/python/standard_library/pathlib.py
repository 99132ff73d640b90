"""`pathlib`: paths are joined and asked for their parts; what they name is not known."""

from _pytrope import is_unknown, some, standard, unknown

UnsupportedOperation = standard()


def _is_no_path(value):
    return not is_unknown(value) and isinstance(
        value, (int, float, complex, bytes, list, tuple, dict, set, frozenset, type(None))
    )


class PurePath:
    # Every name that any version of Python has is below.
    __complete__ = True

    parts = standard()
    parents = standard()
    drive = standard()
    root = standard()
    anchor = standard()
    name = standard()
    suffix = standard()
    suffixes = standard()
    stem = standard()
    parser = standard()
    as_posix = standard()
    as_uri = standard()
    full_match = standard()
    match = standard()
    is_absolute = standard()
    is_relative_to = standard()
    is_reserved = standard()
    relative_to = standard()
    with_segments = standard()

    def __new__(cls, *args, **kwargs):
        for part in args:
            if _is_no_path(part):
                raise TypeError(f"expected str, bytes or os.PathLike object, not {type(part).__name__}")
        return cls._make()

    @classmethod
    def _make(cls):
        return super().__new__(cls)

    def __hash__(self):
        return some(int)

    def __eq__(self, other):
        return unknown("whether paths are equal")

    def __lt__(self, other):
        return unknown("how paths compare")

    def __le__(self, other):
        return unknown("how paths compare")

    def __gt__(self, other):
        return unknown("how paths compare")

    def __ge__(self, other):
        return unknown("how paths compare")

    def __str__(self):
        return some(str)

    def __fspath__(self):
        return some(str)

    def __bytes__(self):
        return some(bytes)

    def __reduce__(self):
        return unknown("the copy of a path")

    def __truediv__(self, key):
        return NotImplemented if _is_no_path(key) else _another(self)

    def __rtruediv__(self, key):
        return NotImplemented if _is_no_path(key) else _another(self)

    def __add__(self, other):
        return NotImplemented if _is_no_path(other) or isinstance(other, str) else unknown("a sum of a path")

    def __radd__(self, other):
        return NotImplemented if _is_no_path(other) or isinstance(other, str) else unknown("a sum of a path")

    @property
    def parent(self):
        return _another(self)

    def joinpath(self, *pathsegments):
        return _another(self)

    def with_name(self, name):
        return _another(self)

    def with_stem(self, stem):
        return _another(self)

    def with_suffix(self, suffix):
        return _another(self)


def _another(path):
    # A subclass says itself what it makes.
    return Path._make() if type(path) is Path else unknown("another path")


class PurePosixPath(PurePath):
    pass


class PureWindowsPath(PurePath):
    pass


class Path(PurePath):
    __complete__ = True

    info = standard()
    cwd = standard()
    home = standard()
    from_uri = standard()
    absolute = standard()
    expanduser = standard()
    resolve = standard()
    readlink = standard()
    rename = standard()
    replace = standard()
    copy = standard()
    copy_into = standard()
    move = standard()
    move_into = standard()
    exists = standard()
    is_block_device = standard()
    is_char_device = standard()
    is_dir = standard()
    is_fifo = standard()
    is_file = standard()
    is_junction = standard()
    is_mount = standard()
    is_socket = standard()
    is_symlink = standard()
    glob = standard()
    rglob = standard()
    iterdir = standard()
    walk = standard()
    stat = standard()
    lstat = standard()
    samefile = standard()
    owner = standard()
    group = standard()
    open = standard()
    read_bytes = standard()
    read_text = standard()
    write_bytes = standard()
    write_text = standard()
    chmod = standard()
    lchmod = standard()
    mkdir = standard()
    rmdir = standard()
    touch = standard()
    unlink = standard()
    symlink_to = standard()
    hardlink_to = standard()
    link_to = standard()
    # It was a context manager.
    __enter__ = standard()
    __exit__ = standard()


class PosixPath(Path):
    pass


class WindowsPath(Path):
    pass
