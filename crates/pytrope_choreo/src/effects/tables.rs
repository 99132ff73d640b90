//! What is known of builtins, of methods of builtin values and of libraries.

use super::library_names::{is_pure_module, is_pure_path};

/// Builtins that depend on nothing but their arguments and change none of them; their results cannot change in place.
const FROZEN_RESULTS: &[&str] = &[
    "abs",
    "all",
    "any",
    "ascii",
    "bin",
    "bool",
    "bytes",
    "callable",
    "chr",
    "complex",
    "divmod",
    "float",
    "format",
    "hex",
    "int",
    "isinstance",
    "issubclass",
    "len",
    "oct",
    "ord",
    "pow",
    "range",
    "repr",
    "round",
    "slice",
    "str",
];

/// Builtins of the same kind whose results hold their arguments' items.
const ITEM_RESULTS: &[&str] = &[
    "dict",
    "enumerate",
    "filter",
    "frozenset",
    "list",
    "map",
    "max",
    "min",
    "reversed",
    "set",
    "sorted",
    "sum",
    "tuple",
    "zip",
];

/// Builtins that ask about a collection nothing that depends on the order of its items.
const ORDER_FREE: &[&str] = &["all", "any", "bool", "frozenset", "len", "max", "min", "set", "sorted", "isinstance"];

/// Builtins that depend on more than their arguments, or act on the world, and change none of their arguments.
const LEAVING_ARGUMENTS: &[&str] =
    &["dir", "getattr", "hasattr", "hash", "id", "input", "iter", "open", "print", "type", "vars"];

/// Methods of builtin values that only read.
const READING_METHODS: &[&str] = &[
    "as_integer_ratio",
    "as_posix",
    "bit_count",
    "bit_length",
    "capitalize",
    "casefold",
    "center",
    "conjugate",
    "copy",
    "count",
    "decode",
    "difference",
    "digest",
    "encode",
    "endswith",
    "expandtabs",
    "find",
    "findall",
    "format",
    "fullmatch",
    "get",
    "group",
    "groups",
    "hex",
    "hexdigest",
    "index",
    "intersection",
    "is_integer",
    "isalnum",
    "isalpha",
    "isascii",
    "isdecimal",
    "isdigit",
    "isdisjoint",
    "isidentifier",
    "islower",
    "isnumeric",
    "isoformat",
    "isoweekday",
    "isprintable",
    "isspace",
    "issubset",
    "issuperset",
    "istitle",
    "isupper",
    "items",
    "join",
    "keys",
    "limit_denominator",
    "ljust",
    "lower",
    "lstrip",
    "match",
    "most_common",
    "normalize",
    "partition",
    "quantize",
    "removeprefix",
    "removesuffix",
    "replace",
    "rfind",
    "rindex",
    "rjust",
    "rpartition",
    "rsplit",
    "rstrip",
    "search",
    "split",
    "splitlines",
    "startswith",
    "strip",
    "sub",
    "subn",
    "swapcase",
    "symmetric_difference",
    "title",
    "to_bytes",
    "toordinal",
    "total_seconds",
    "translate",
    "union",
    "upper",
    "values",
    "weekday",
    "zfill",
];

/// Reading methods that may return an item, a view or a copy of their receiver; the others return strings and numbers.
const ITEM_METHODS: &[&str] = &[
    "copy",
    "difference",
    "get",
    "group",
    "groups",
    "intersection",
    "items",
    "keys",
    "most_common",
    "symmetric_difference",
    "union",
    "values",
];

/// Methods of containers that change their receiver.
const CHANGING_METHODS: &[&str] = &[
    "add",
    "append",
    "appendleft",
    "clear",
    "difference_update",
    "discard",
    "extend",
    "extendleft",
    "insert",
    "intersection_update",
    "move_to_end",
    "pop",
    "popitem",
    "popleft",
    "remove",
    "reverse",
    "rotate",
    "setdefault",
    "sort",
    "subtract",
    "symmetric_difference_update",
    "update",
];

/// Functions that change their first argument and depend on nothing but their arguments.
const CHANGING_FUNCTIONS: &[&str] = &[
    "bisect.insort",
    "bisect.insort_left",
    "bisect.insort_right",
    "heapq.heapify",
    "heapq.heappop",
    "heapq.heappush",
    "heapq.heappushpop",
    "heapq.heapreplace",
    "operator.delitem",
    "operator.iadd",
    "operator.iand",
    "operator.iconcat",
    "operator.ifloordiv",
    "operator.ilshift",
    "operator.imatmul",
    "operator.imod",
    "operator.imul",
    "operator.ior",
    "operator.ipow",
    "operator.irshift",
    "operator.isub",
    "operator.itruediv",
    "operator.ixor",
    "operator.setitem",
];

/// Functions and classes whose results cannot change, or have no state that a program could look at.
const FROZEN_MAKERS: &[&str] = &[
    "collections.namedtuple",
    "datetime.date",
    "datetime.datetime",
    "datetime.time",
    "datetime.timedelta",
    "datetime.timezone",
    "decimal.Decimal",
    "enum.Enum",
    "fractions.Fraction",
    "operator.attrgetter",
    "operator.itemgetter",
    "operator.methodcaller",
    "pathlib.Path",
    "pathlib.PurePath",
    "re.compile",
    "string.Template",
    "struct.Struct",
    "typing.NamedTuple",
    "typing.NewType",
    "typing.ParamSpec",
    "typing.TypeVar",
    "typing.TypedDict",
    "uuid.UUID",
    "zoneinfo.ZoneInfo",
];

/// Functions of the standard library that set something for a whole process.
const PROCESS_SETTERS: &[&str] = &[
    "decimal.setcontext",
    "locale.setlocale",
    "os.chdir",
    "os.putenv",
    "os.umask",
    "os.unsetenv",
    "random.seed",
    "random.setstate",
    "socket.setdefaulttimeout",
    "sys.set_int_max_str_digits",
    "sys.setrecursionlimit",
    "sys.setswitchinterval",
    "time.tzset",
];

/// Functions of libraries that give tools of one process, and the methods by which a program learns nothing of their state.
const TOOL_MAKERS: &[(&str, &[&str])] = &[
    ("logging.getLogger", &["critical", "debug", "error", "exception", "info", "log", "warn", "warning"]),
    ("threading.Lock", &[]),
    ("threading.RLock", &[]),
];

/// Methods of arrays and tensors that leave the array as it is; their results may be views of it.
const ARRAY_METHODS: &[&str] = &[
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "astype",
    "clip",
    "conj",
    "cpu",
    "cumprod",
    "cumsum",
    "detach",
    "diagonal",
    "dim",
    "dot",
    "flatten",
    "float",
    "item",
    "matmul",
    "max",
    "mean",
    "min",
    "nonzero",
    "numel",
    "numpy",
    "permute",
    "prod",
    "ravel",
    "repeat",
    "reshape",
    "round",
    "size",
    "squeeze",
    "std",
    "sum",
    "swapaxes",
    "t",
    "take",
    "tobytes",
    "tolist",
    "trace",
    "transpose",
    "unsqueeze",
    "var",
    "view",
];

/// Methods of the ends of channels: they change the end, and leave what they send as it is.
const MESSAGE_METHODS: &[&str] = &[
    "allgather",
    "alltoall",
    "broadcast",
    "com",
    "first",
    "gather",
    "offer",
    "recv",
    "scatter",
    "select",
    "send",
    "share",
    "shift",
];

/// Libraries whose functions leave their arguments as they are, except those below and those told where to put the result.
const ARRAY_LIBRARIES: &[&str] = &["numpy", "scipy", "torch"];

/// Functions of theirs that make arrays of known contents.
const ARRAY_MAKERS: &[&str] = &[
    "arange",
    "array",
    "as_tensor",
    "asarray",
    "device",
    "dtype",
    "eye",
    "full",
    "full_like",
    "identity",
    "linspace",
    "ones",
    "ones_like",
    "tensor",
    "zeros",
    "zeros_like",
];

/// Names of theirs that are constants or types.
const ARRAY_NAMES: &[&str] = &[
    "ArrayLike",
    "NDArray",
    "Tensor",
    "bool",
    "bool_",
    "e",
    "float16",
    "float32",
    "float64",
    "inf",
    "int16",
    "int32",
    "int64",
    "int8",
    "nan",
    "ndarray",
    "newaxis",
    "pi",
    "uint8",
];

const ARRAY_CHANGES: &[&str] =
    &["copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "shuffle", "step", "backward"];

pub(crate) fn is_pure_builtin(name: &str) -> bool {
    gives_frozen(name) || gives_items(name)
}

pub(crate) fn gives_frozen(name: &str) -> bool {
    FROZEN_RESULTS.contains(&name)
}

pub(crate) fn gives_items(name: &str) -> bool {
    ITEM_RESULTS.contains(&name)
}

/// Whether a builtin that is not pure may change what it is given.
pub(crate) fn changes_arguments(name: &str) -> bool {
    !LEAVING_ARGUMENTS.contains(&name)
}

/// Whether a builtin makes a text of what it is given.
pub(crate) fn shows_arguments(name: &str) -> bool {
    matches!(name, "ascii" | "format" | "repr" | "str")
}

/// Whether a builtin makes an iterator, which is shown by its address.
pub(crate) fn makes_iterator(name: &str) -> bool {
    matches!(name, "enumerate" | "filter" | "iter" | "map" | "object" | "reversed" | "zip")
}

/// Whether a builtin may be handed on: what calling it gives is determined by the arguments. All others may do anything.
pub(crate) fn is_same_builtin(name: &str) -> bool {
    is_pure_builtin(name)
        || is_exception_name(name)
        || matches!(
            name,
            "Ellipsis"
                | "NotImplemented"
                | "bytearray"
                | "classmethod"
                | "object"
                | "property"
                | "staticmethod"
                | "type"
        )
}

/// Whether a builtin is a class of exceptions.
pub(crate) fn is_exception_name(name: &str) -> bool {
    name.ends_with("Error")
        || name.ends_with("Exception")
        || name.ends_with("Warning")
        || matches!(
            name,
            "ExceptionGroup" | "BaseExceptionGroup" | "KeyboardInterrupt" | "StopIteration" | "SystemExit"
        )
}

pub(crate) fn ignores_order(name: &str) -> bool {
    ORDER_FREE.contains(&name)
}

pub(crate) fn is_reading_method(name: &str) -> bool {
    READING_METHODS.contains(&name)
}

pub(crate) fn is_item_method(name: &str) -> bool {
    ITEM_METHODS.contains(&name)
}

pub(crate) fn is_changing_method(name: &str) -> bool {
    CHANGING_METHODS.contains(&name)
}

/// Whether a function of a library makes an array that its arguments determine, and changes none of them.
pub(crate) fn makes_known_array(path: &str) -> bool {
    let mut parts = path.split('.');
    let (module, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    ARRAY_LIBRARIES.contains(&module) && ARRAY_MAKERS.contains(&name) && parts.next().is_none()
}

/// Whether reading `module.name` gives every process the same: pure names, names of array libraries, and classes, which are code. What
/// calling a class gives is another question.
pub(crate) fn is_same_name(path: &str) -> bool {
    let module = path.split('.').next().unwrap_or_default();
    let last = path.rsplit('.').next().unwrap_or_default();
    is_same_value(path)
        || path == module && is_pure_module(module)
        || !ARRAY_LIBRARIES.contains(&module) && is_class_name(last)
}

/// Whether calling `module.name` with the same arguments gives every process the same: a closed list.
pub(crate) fn gives_same(path: &str) -> bool {
    is_same_value(path) || makes_frozen(path)
}

/// Whether a name is written like that of a class, and not like that of a constant.
pub(crate) fn is_class_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

/// Whether `module.name` as a value is the same in every process, also when it is called later: a closed list.
pub(crate) fn is_same_value(path: &str) -> bool {
    let module = path.split('.').next().unwrap_or_default();
    let last = path.rsplit('.').next().unwrap_or_default();
    is_pure_path(path)
        || ARRAY_LIBRARIES.contains(&module) && (ARRAY_MAKERS.contains(&last) || ARRAY_NAMES.contains(&last))
}

/// Whether a function of a library gives a number, a text or bytes.
pub(crate) fn gives_plain_value(path: &str) -> bool {
    let (module, name) = path.split_once('.').unwrap_or_default();
    is_pure_path(path)
        && match module {
            "math" | "cmath" | "base64" | "binascii" | "bisect" | "colorsys" | "html" | "string" | "unicodedata" => {
                true
            }
            "statistics" => !matches!(name, "NormalDist" | "multimode" | "quantiles"),
            "calendar" => name != "monthcalendar",
            "hmac" => matches!(name, "compare_digest" | "digest"),
            "json" => name == "dumps",
            "struct" => matches!(name, "calcsize" | "pack" | "unpack" | "unpack_from"),
            "textwrap" => name != "wrap",
            "urllib" => matches!(
                name.rsplit('.').next(),
                Some("quote" | "quote_plus" | "unquote" | "unquote_plus" | "urlencode" | "urljoin")
            ),
            "zlib" => matches!(name, "adler32" | "compress" | "crc32" | "decompress"),
            _ => false,
        }
}

pub(crate) fn is_changing_path(path: &str) -> bool {
    CHANGING_FUNCTIONS.contains(&path)
}

/// Whether what `module.name` gives cannot change.
pub(crate) fn makes_frozen(path: &str) -> bool {
    FROZEN_MAKERS.contains(&path)
}

/// Whether calling `module.name` sets something for a whole process, which other functions of the module depend on.
pub(crate) fn sets_process(path: &str) -> bool {
    PROCESS_SETTERS.contains(&path)
}

/// The methods of what `module.name` gives that show nothing of its state, if it gives a logger or a lock.
pub(crate) fn tool_methods(path: &str) -> Option<&'static [&'static str]> {
    TOOL_MAKERS.iter().find(|(known, _)| *known == path).map(|(_, methods)| *methods)
}

pub(crate) fn is_message_method(name: &str) -> bool {
    MESSAGE_METHODS.contains(&name)
}

pub(crate) fn is_array_method(name: &str) -> bool {
    ARRAY_METHODS.contains(&name)
}

/// Whether a function of a library leaves its arguments as they are, though its result may depend on more.
pub(crate) fn reads_arguments(path: &str) -> bool {
    let mut parts = path.split('.');
    let module = parts.next().unwrap_or_default();
    let last = parts.next_back().unwrap_or_default();
    ARRAY_LIBRARIES.contains(&module) && !last.ends_with('_') && !ARRAY_CHANGES.contains(&last)
}
