//! Names of the standard library that are the same in every process, and that depend on nothing but their arguments where they are
//! called.
//!
//! Invariant: the list is closed. A name that is missing may do anything.

/// Modules and the paths below them: what they call up is given by the arguments, which they do not change.
const PURE_NAMES: &[(&str, &[&str])] = &[
    ("abc", &["ABC", "ABCMeta", "abstractmethod"]),
    ("base64", &["a85decode", "a85encode", "b16decode", "b16encode", "b32decode", "b32encode", "b32hexdecode", "b32hexencode", "b64decode", "b64encode", "b85decode", "b85encode", "decodebytes", "encodebytes", "standard_b64decode", "standard_b64encode", "urlsafe_b64decode", "urlsafe_b64encode"]),
    ("binascii", &["Error", "Incomplete", "a2b_base64", "a2b_hex", "a2b_qp", "a2b_uu", "b2a_base64", "b2a_hex", "b2a_qp", "b2a_uu", "crc32", "crc_hqx", "hexlify", "unhexlify"]),
    ("bisect", &["bisect", "bisect_left", "bisect_right"]),
    ("calendar", &["FRIDAY", "MONDAY", "SATURDAY", "SUNDAY", "THURSDAY", "TUESDAY", "WEDNESDAY", "isleap", "leapdays", "monthrange", "timegm", "weekday"]),
    ("cmath", &["acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "e", "exp", "inf", "infj", "isclose", "isfinite", "isinf", "isnan", "log", "log10", "nan", "nanj", "phase", "pi", "polar", "rect", "sin", "sinh", "sqrt", "tan", "tanh", "tau"]),
    ("collections", &["ChainMap", "Counter", "OrderedDict", "deque", "namedtuple"]),
    ("colorsys", &["hls_to_rgb", "hsv_to_rgb", "rgb_to_hls", "rgb_to_hsv", "rgb_to_yiq", "yiq_to_rgb"]),
    ("contextlib", &["nullcontext", "suppress"]),
    ("copy", &["Error", "copy", "deepcopy", "replace"]),
    ("dataclasses", &["FrozenInstanceError", "InitVar", "asdict", "astuple", "dataclass", "field", "fields", "is_dataclass", "replace"]),
    ("datetime", &["UTC", "date", "date.fromisoformat", "date.fromordinal", "date.max", "date.min", "datetime", "datetime.combine", "datetime.fromisoformat", "datetime.max", "datetime.min", "time", "time.fromisoformat", "timedelta", "timedelta.max", "timedelta.min", "timezone", "timezone.utc"]),
    ("decimal", &["Clamped", "ConversionSyntax", "Decimal", "Decimal.from_float", "DecimalException", "DecimalTuple", "DivisionByZero", "DivisionImpossible", "DivisionUndefined", "FloatOperation", "HAVE_CONTEXTVAR", "HAVE_THREADS", "Inexact", "InvalidContext", "InvalidOperation", "MAX_EMAX", "MAX_PREC", "MIN_EMIN", "MIN_ETINY", "Overflow", "ROUND_05UP", "ROUND_CEILING", "ROUND_DOWN", "ROUND_FLOOR", "ROUND_HALF_DOWN", "ROUND_HALF_EVEN", "ROUND_HALF_UP", "ROUND_UP", "Rounded", "Subnormal", "Underflow"]),
    ("difflib", &["Differ", "HtmlDiff", "IS_CHARACTER_JUNK", "IS_LINE_JUNK", "Match", "SequenceMatcher", "context_diff", "diff_bytes", "get_close_matches", "ndiff", "restore", "unified_diff"]),
    ("enum", &["CONTINUOUS", "Enum", "Flag", "IntEnum", "IntFlag", "StrEnum", "auto", "unique"]),
    ("fractions", &["Fraction", "Fraction.from_decimal", "Fraction.from_float"]),
    ("functools", &["cmp_to_key", "partial", "reduce", "total_ordering"]),
    ("hashlib", &["blake2b", "blake2s", "md5", "new", "pbkdf2_hmac", "sha1", "sha224", "sha256", "sha384", "sha3_224", "sha3_256", "sha3_384", "sha3_512", "sha512", "shake_128", "shake_256"]),
    ("heapq", &["merge", "nlargest", "nsmallest"]),
    ("hmac", &["HMAC", "compare_digest", "digest", "new"]),
    ("html", &["escape", "unescape"]),
    ("itertools", &["accumulate", "batched", "chain", "chain.from_iterable", "combinations", "combinations_with_replacement", "compress", "count", "cycle", "dropwhile", "filterfalse", "groupby", "islice", "pairwise", "permutations", "product", "repeat", "starmap", "takewhile", "tee", "zip_longest"]),
    ("json", &["JSONDecodeError", "JSONDecoder", "JSONEncoder", "dumps", "loads"]),
    ("math", &["acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "comb", "copysign", "cos", "cosh", "degrees", "dist", "e", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "factorial", "floor", "fmod", "frexp", "fsum", "gamma", "gcd", "hypot", "inf", "isclose", "isfinite", "isinf", "isnan", "isqrt", "lcm", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "modf", "nan", "nextafter", "perm", "pi", "pow", "prod", "radians", "remainder", "sin", "sinh", "sqrt", "tan", "tanh", "tau", "trunc", "ulp"]),
    ("operator", &["abs", "add", "and_", "attrgetter", "concat", "contains", "countOf", "eq", "floordiv", "ge", "getitem", "gt", "index", "indexOf", "inv", "invert", "is_", "is_not", "itemgetter", "le", "length_hint", "lshift", "lt", "matmul", "mod", "mul", "ne", "neg", "not_", "or_", "pos", "pow", "rshift", "sub", "truediv", "truth", "xor"]),
    ("pathlib", &["PosixPath", "PurePath", "PurePosixPath", "PureWindowsPath"]),
    ("re", &["A", "ASCII", "DOTALL", "I", "IGNORECASE", "L", "LOCALE", "M", "MULTILINE", "Match", "NOFLAG", "Pattern", "RegexFlag", "S", "U", "UNICODE", "VERBOSE", "X", "compile", "error", "escape", "findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn", "template"]),
    ("statistics", &["NormalDist", "StatisticsError", "correlation", "covariance", "fmean", "geometric_mean", "harmonic_mean", "linear_regression", "mean", "median", "median_grouped", "median_high", "median_low", "mode", "multimode", "pstdev", "pvariance", "quantiles", "stdev", "variance"]),
    ("string", &["Formatter", "Template", "ascii_letters", "ascii_lowercase", "ascii_uppercase", "capwords", "digits", "hexdigits", "octdigits", "printable", "punctuation", "whitespace"]),
    ("struct", &["Struct", "calcsize", "error", "iter_unpack", "pack", "unpack", "unpack_from"]),
    ("textwrap", &["TextWrapper", "dedent", "fill", "indent", "shorten", "wrap"]),
    ("types", &["MappingProxyType", "NoneType", "SimpleNamespace"]),
    ("typing", &["Any", "Callable", "ClassVar", "Final", "Generic", "Literal", "NamedTuple", "NewType", "NoReturn", "Optional", "ParamSpec", "Protocol", "TypeVar", "TypedDict", "Union", "assert_never", "assert_type", "cast"]),
    ("typing_extensions", &["Generic", "NamedTuple", "NewType", "ParamSpec", "Protocol", "TypeVar", "TypedDict", "assert_never", "assert_type", "cast"]),
    ("unicodedata", &["UCD", "bidirectional", "category", "combining", "decimal", "decomposition", "digit", "east_asian_width", "is_normalized", "lookup", "mirrored", "name", "normalize", "numeric", "ucd_3_2_0", "unidata_version"]),
    ("urllib", &["parse.parse_qs", "parse.parse_qsl", "parse.quote", "parse.quote_plus", "parse.unquote", "parse.unquote_plus", "parse.urlencode", "parse.urljoin", "parse.urlparse", "parse.urlsplit"]),
    ("uuid", &["NAMESPACE_DNS", "NAMESPACE_OID", "NAMESPACE_URL", "NAMESPACE_X500", "UUID", "uuid3", "uuid5"]),
    ("zlib", &["DEFLATED", "DEF_BUF_SIZE", "DEF_MEM_LEVEL", "MAX_WBITS", "ZLIB_RUNTIME_VERSION", "ZLIB_VERSION", "Z_BEST_COMPRESSION", "Z_BEST_SPEED", "Z_BLOCK", "Z_DEFAULT_COMPRESSION", "Z_DEFAULT_STRATEGY", "Z_FILTERED", "Z_FINISH", "Z_FIXED", "Z_FULL_FLUSH", "Z_HUFFMAN_ONLY", "Z_NO_COMPRESSION", "Z_NO_FLUSH", "Z_PARTIAL_FLUSH", "Z_RLE", "Z_SYNC_FLUSH", "Z_TREES", "adler32", "compress", "compressobj", "crc32", "decompress", "decompressobj", "error"]),
];

/// Whether `module.name` is one of the names that depend on nothing but their arguments, and change none of them.
pub(crate) fn is_pure_path(path: &str) -> bool {
    path.split_once('.').is_some_and(|(module, name)| pure_names(module).contains(&name))
}

/// Whether a module has names of that kind: to import it changes nothing.
pub(crate) fn is_pure_module(module: &str) -> bool {
    !pure_names(module).is_empty()
}

fn pure_names(module: &str) -> &'static [&'static str] {
    let found = PURE_NAMES.binary_search_by(|(known, _)| known.cmp(&module));
    found.map_or(&[], |at| PURE_NAMES[at].1)
}

/// Decorators that leave what a function computes alone.
const PLAIN_DECORATORS: &[&str] = &[
    "abc.abstractmethod",
    "functools.cache",
    "functools.cached_property",
    "functools.lru_cache",
    "typing.final",
    "typing.no_type_check",
    "typing.overload",
    "typing.override",
    "typing.runtime_checkable",
    "typing_extensions.deprecated",
    "typing_extensions.final",
    "typing_extensions.overload",
    "typing_extensions.override",
    "typing_extensions.runtime_checkable",
    "warnings.deprecated",
];

/// Decorators of classes that leave what making an instance does to the class's text.
const PLAIN_CLASS_DECORATORS: &[&str] = &[
    "dataclasses.dataclass",
    "enum.unique",
    "functools.total_ordering",
    "typing.final",
    "typing.runtime_checkable",
    "typing_extensions.final",
    "typing_extensions.runtime_checkable",
];

/// Whether a decorator of a library, or a builtin one, leaves what a function computes alone.
pub(crate) fn is_plain_decorator(path: &str) -> bool {
    matches!(path, "classmethod" | "property" | "staticmethod") || PLAIN_DECORATORS.contains(&path)
}

pub(crate) fn is_plain_class_decorator(path: &str) -> bool {
    PLAIN_CLASS_DECORATORS.contains(&path)
}
