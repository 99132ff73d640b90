"""`pathlib`: paths are joined and asked for their parts; what they name is not known."""

from _pytrope import is_unknown, some, unknown

UnsupportedOperation = unknown("pathlib.UnsupportedOperation")


def _is_no_path(value):
    return not is_unknown(value) and isinstance(
        value, (int, float, complex, bytes, list, tuple, dict, set, frozenset, type(None))
    )


class PurePath:
    # Every name that any version of Python has is below.
    __complete__ = True

    parts = unknown("the parts of a path")
    parents = unknown("the folders around a path")
    drive = unknown("the drive of a path")
    root = unknown("the root of a path")
    anchor = unknown("the anchor of a path")
    name = unknown("the name of a path")
    suffix = unknown("the suffix of a path")
    suffixes = unknown("the suffixes of a path")
    stem = unknown("the stem of a path")
    parser = unknown("how paths are read")
    as_posix = unknown("a path as a text")
    as_uri = unknown("a path as a text")
    full_match = unknown("whether a path matches")
    match = unknown("whether a path matches")
    is_absolute = unknown("whether a path is absolute")
    is_relative_to = unknown("whether a path is relative")
    is_reserved = unknown("whether a path is reserved")
    relative_to = unknown("a relative path")
    with_segments = unknown("a path")

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

    info = unknown("what a path names")
    cwd = unknown("the current folder")
    home = unknown("the home folder")
    from_uri = unknown("a path")
    absolute = unknown("a path")
    expanduser = unknown("a path")
    resolve = unknown("a path")
    readlink = unknown("a path")
    rename = unknown("a path")
    replace = unknown("a path")
    copy = unknown("a path")
    copy_into = unknown("a path")
    move = unknown("a path")
    move_into = unknown("a path")
    exists = unknown("what a path names")
    is_block_device = unknown("what a path names")
    is_char_device = unknown("what a path names")
    is_dir = unknown("what a path names")
    is_fifo = unknown("what a path names")
    is_file = unknown("what a path names")
    is_junction = unknown("what a path names")
    is_mount = unknown("what a path names")
    is_socket = unknown("what a path names")
    is_symlink = unknown("what a path names")
    glob = unknown("the files that match")
    rglob = unknown("the files that match")
    iterdir = unknown("what a folder holds")
    walk = unknown("what a folder holds")
    stat = unknown("what a path names")
    lstat = unknown("what a path names")
    samefile = unknown("what a path names")
    owner = unknown("who owns a file")
    group = unknown("who owns a file")
    open = unknown("a file")
    read_bytes = unknown("what a file holds")
    read_text = unknown("what a file holds")
    write_bytes = unknown("the length of what was written")
    write_text = unknown("the length of what was written")
    chmod = unknown("a change of a file")
    lchmod = unknown("a change of a file")
    mkdir = unknown("a change of a folder")
    rmdir = unknown("a change of a folder")
    touch = unknown("a change of a file")
    unlink = unknown("a change of a folder")
    symlink_to = unknown("a change of a folder")
    hardlink_to = unknown("a change of a folder")
    link_to = unknown("a change of a folder")
    # It was a context manager.
    __enter__ = unknown("a path")
    __exit__ = unknown("a path")


class PosixPath(Path):
    pass


class WindowsPath(Path):
    pass
