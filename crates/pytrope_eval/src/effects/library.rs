//! What functions and methods of Python itself do beside giving a value: one table, where each declares its effects.
//!
//! What models do is seen when they run; what may be left out of a program of theirs is declared in `pytrope_models`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The declared effects of a function or method; without a declaration it may do anything.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Declared(u8);

/// Raises nothing on values of known types, whatever is in the object it is called on.
const TOTAL: u8 = 1;
/// Runs nothing of what it is given: neither functions nor special methods.
const RUNS_NOTHING: u8 = 1 << 1;
/// A method that looks at no item of what it is given or works on, so that no special method of an item runs.
const LOOKS_AT_NO_ITEM: u8 = 1 << 2;
/// Changes nothing of what it is given, if the special methods do not that it runs.
const CHANGES_NOTHING: u8 = 1 << 3;
/// Takes items one by one, with other code in between, or not all of them.
const TAKES_ONE_BY_ONE: u8 = 1 << 4;
/// Reads builtin values and gives one: where the value is not used, the call may go.
const ONLY_READS: u8 = 1 << 5;

impl Declared {
    pub fn is_total(self) -> bool {
        self.0 & TOTAL != 0
    }

    pub fn runs_nothing(self) -> bool {
        self.0 & RUNS_NOTHING != 0
    }

    pub fn looks_at_no_item(self) -> bool {
        self.0 & LOOKS_AT_NO_ITEM != 0
    }

    pub fn changes_nothing(self) -> bool {
        self.0 & CHANGES_NOTHING != 0
    }

    pub fn takes_one_by_one(self) -> bool {
        self.0 & TAKES_ONE_BY_ONE != 0
    }

    pub fn only_reads(self) -> bool {
        self.0 & ONLY_READS != 0
    }
}

/// What a function of this name declares.
pub fn function(name: &str) -> Declared {
    /// It is asked at every call of a builtin or a primitive of the models, most of which declare nothing.
    static BY_NAME: LazyLock<FxHashMap<&str, u8>> = LazyLock::new(|| FUNCTIONS.iter().copied().collect());
    BY_NAME.get(name).map_or_else(Declared::default, |effects| Declared(*effects))
}

/// What a method of a builtin type declares.
pub fn method(name: &str) -> Declared {
    declared(METHODS, name)
}

/// Whether no context manager of a top module of the standard library keeps an exception to itself.
pub fn leaves_exceptions(module: &str) -> bool {
    LEAVES_EXCEPTIONS.binary_search(&module).is_ok()
}

fn declared(table: &[(&str, u8)], name: &str) -> Declared {
    table
        .binary_search_by(|(known, _)| known.cmp(&name))
        .map_or_else(|_| Declared::default(), |at| Declared(table[at].1))
}

const FUNCTIONS: &[(&str, u8)] = &[
    ("abs", TOTAL | CHANGES_NOTHING | ONLY_READS),
    ("all", TAKES_ONE_BY_ONE | ONLY_READS),
    ("any", TAKES_ONE_BY_ONE | ONLY_READS),
    ("bool", CHANGES_NOTHING | ONLY_READS),
    ("callable", TOTAL | RUNS_NOTHING | ONLY_READS),
    ("delattr", RUNS_NOTHING),
    ("dir", RUNS_NOTHING),
    ("enumerate", TOTAL | RUNS_NOTHING | TAKES_ONE_BY_ONE),
    ("filter", TAKES_ONE_BY_ONE),
    ("float", CHANGES_NOTHING),
    ("format", CHANGES_NOTHING),
    ("frozenset", CHANGES_NOTHING),
    ("getattr", RUNS_NOTHING),
    ("hasattr", RUNS_NOTHING | ONLY_READS),
    ("hash", CHANGES_NOTHING),
    ("id", TOTAL | RUNS_NOTHING | CHANGES_NOTHING),
    ("int", CHANGES_NOTHING | ONLY_READS),
    ("isinstance", TOTAL | RUNS_NOTHING | CHANGES_NOTHING | ONLY_READS),
    ("issubclass", RUNS_NOTHING),
    ("iter", TAKES_ONE_BY_ONE),
    ("len", TOTAL | RUNS_NOTHING | CHANGES_NOTHING | ONLY_READS),
    ("list", ONLY_READS),
    ("map", TAKES_ONE_BY_ONE),
    ("max", ONLY_READS),
    ("min", ONLY_READS),
    ("next", RUNS_NOTHING | TAKES_ONE_BY_ONE),
    ("print", TOTAL),
    ("range", ONLY_READS),
    ("repr", TOTAL | CHANGES_NOTHING),
    ("reveal_type", RUNS_NOTHING),
    ("reversed", TAKES_ONE_BY_ONE),
    ("round", CHANGES_NOTHING),
    ("setattr", RUNS_NOTHING),
    ("signature", RUNS_NOTHING),
    ("sorted", ONLY_READS),
    ("str", CHANGES_NOTHING),
    ("sum", ONLY_READS),
    ("super", RUNS_NOTHING | CHANGES_NOTHING),
    ("tuple", CHANGES_NOTHING | ONLY_READS),
    ("type", RUNS_NOTHING | CHANGES_NOTHING | ONLY_READS),
    ("vars", RUNS_NOTHING),
    ("zip", TOTAL | RUNS_NOTHING | TAKES_ONE_BY_ONE),
];

const METHODS: &[(&str, u8)] = &[
    ("add", TOTAL),
    ("append", TOTAL | LOOKS_AT_NO_ITEM),
    ("appendleft", LOOKS_AT_NO_ITEM),
    ("bit_length", TOTAL),
    ("clear", TOTAL | LOOKS_AT_NO_ITEM),
    ("copy", TOTAL | LOOKS_AT_NO_ITEM),
    ("count", ONLY_READS),
    ("discard", TOTAL),
    ("endswith", TOTAL | ONLY_READS),
    ("extend", LOOKS_AT_NO_ITEM),
    ("get", TOTAL),
    ("index", ONLY_READS),
    ("insert", TOTAL | LOOKS_AT_NO_ITEM),
    ("is_integer", TOTAL),
    ("items", TOTAL | LOOKS_AT_NO_ITEM | ONLY_READS),
    ("keys", TOTAL | LOOKS_AT_NO_ITEM | ONLY_READS),
    ("lower", TOTAL | ONLY_READS),
    ("lstrip", TOTAL),
    ("popleft", LOOKS_AT_NO_ITEM),
    ("reverse", TOTAL | LOOKS_AT_NO_ITEM),
    ("rstrip", TOTAL),
    ("setdefault", TOTAL),
    ("startswith", TOTAL | ONLY_READS),
    ("strip", TOTAL),
    ("title", TOTAL),
    ("upper", TOTAL | ONLY_READS),
    ("values", TOTAL | LOOKS_AT_NO_ITEM | ONLY_READS),
];

/// Modules of the standard library none of whose managers keeps an exception to itself, in order.
const LEAVES_EXCEPTIONS: &[&str] = &[
    "asyncio",
    "bz2",
    "codecs",
    "concurrent",
    "csv",
    "decimal",
    "fileinput",
    "gzip",
    "http",
    "importlib",
    "io",
    "logging",
    "lzma",
    "mmap",
    "multiprocessing",
    "os",
    "pathlib",
    "selectors",
    "shelve",
    "shutil",
    "socket",
    "sqlite3",
    "ssl",
    "subprocess",
    "tarfile",
    "tempfile",
    "threading",
    "urllib",
    "wave",
    "zipfile",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [FUNCTIONS, METHODS] {
            assert!(table.is_sorted_by(|(a, _), (b, _)| a < b));
        }
        assert!(LEAVES_EXCEPTIONS.is_sorted());
    }

    #[test]
    fn what_is_not_declared_may_do_anything() {
        assert_eq!(function("exec"), Declared::default());
        assert!(!method("sort").is_total() && !method("pop").only_reads());
        assert!(function("len").is_total() && function("len").runs_nothing());
        // A function of a method's name declares nothing by that.
        assert!(method("index").only_reads() && !function("index").only_reads());
    }
}
