//! Interned names: identifiers of all files share one table, so that frozen module states can be shared between threads.

use std::cell::RefCell;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

/// An interned identifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub u32);

/// Numbers by text. Every thread keeps what it has asked for, so that this is seldom locked.
static IDS: LazyLock<Mutex<FxHashMap<Arc<str>, u32>>> = LazyLock::new(|| {
    let mut ids = FxHashMap::default();
    for (text, id) in WELL_KNOWN.iter().zip(0..) {
        let text: Arc<str> = Arc::from(*text);
        ids.insert(Arc::clone(&text), id);
        let _ = slot(id).set(text);
    }
    Mutex::new(ids)
});

type NamePiece = Box<[OnceLock<Arc<str>>]>;

/// Texts by number, in pieces of doubling length that never move: reading them takes no lock.
static TEXTS: [OnceLock<NamePiece>; 22] = [const { OnceLock::new() }; 22];

/// The length of the first piece.
const FIRST_PIECE: u32 = 1024;

#[inline]
fn slot(id: u32) -> &'static OnceLock<Arc<str>> {
    let piece = (id / FIRST_PIECE + 1).ilog2();
    let before = FIRST_PIECE * ((1 << piece) - 1);
    let len = (FIRST_PIECE as usize) << piece;
    let texts = TEXTS[piece as usize].get_or_init(|| std::iter::repeat_with(OnceLock::new).take(len).collect());
    &texts[(id - before) as usize]
}

thread_local! {
    static SEEN: RefCell<FxHashMap<Arc<str>, u32>> = RefCell::new(FxHashMap::default());
}

impl Name {
    pub fn new(text: &str) -> Self {
        if let Some(id) = SEEN.with_borrow(|seen| seen.get(text).copied()) {
            return Self(id);
        }
        let (key, id) = intern(text);
        SEEN.with_borrow_mut(|seen| seen.insert(key, id));
        Self(id)
    }

    #[inline]
    pub fn text(self) -> &'static str {
        self.shared()
    }

    /// The text as strings of the program hold it.
    #[inline]
    pub fn shared(self) -> &'static Arc<str> {
        let slot = slot(self.0);
        if slot.get().is_none() {
            // Well-known names have numbers before anybody has asked for one.
            LazyLock::force(&IDS);
        }
        slot.get().expect("a number is given out after its text is kept")
    }

    pub fn is_dunder(self) -> bool {
        let text = self.text();
        text.len() > 4 && text.starts_with("__") && text.ends_with("__")
    }
}

fn intern(text: &str) -> (Arc<str>, u32) {
    let mut ids = IDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((key, &id)) = ids.get_key_value(text) {
        return (Arc::clone(key), id);
    }
    let id = ids.len() as u32;
    let key: Arc<str> = Arc::from(text);
    let _ = slot(id).set(Arc::clone(&key));
    ids.insert(Arc::clone(&key), id);
    (key, id)
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

macro_rules! well_known {
    ($($constant:ident = $text:literal,)*) => {
        static WELL_KNOWN: &[&str] = &[$($text),*];
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the variants only number the constants")]
        enum Position { $($constant),* }
        impl Name {
            $(pub const $constant: Name = Name(Position::$constant as u32);)*
        }
    };
}

well_known! {
    ALL = "__all__",
    BOOL = "__bool__",
    CALL = "__call__",
    CLASS = "__class__",
    CLASS_GETITEM = "__class_getitem__",
    COMPLETE = "__complete__",
    CONTAINS = "__contains__",
    DEL = "__del__",
    DELATTR = "__delattr__",
    DELITEM = "__delitem__",
    DICT = "__dict__",
    DOC = "__doc__",
    ENTER = "__enter__",
    EQ = "__eq__",
    EXIT = "__exit__",
    FILE = "__file__",
    FORMAT = "__format__",
    GE = "__ge__",
    GET = "__get__",
    GETATTR = "__getattr__",
    GETATTRIBUTE = "__getattribute__",
    GETITEM = "__getitem__",
    GT = "__gt__",
    HASH = "__hash__",
    INDEX = "__index__",
    INIT = "__init__",
    INIT_SUBCLASS = "__init_subclass__",
    INT = "__int__",
    FLOAT = "__float__",
    INVERT = "__invert__",
    ITER = "__iter__",
    LE = "__le__",
    LEN = "__len__",
    LT = "__lt__",
    METACLASS = "metaclass",
    MODULE = "__module__",
    NAME = "__name__",
    NE = "__ne__",
    NEG = "__neg__",
    NEW = "__new__",
    NEXT = "__next__",
    PATH = "__path__",
    POS = "__pos__",
    POST_INIT = "__post_init__",
    QUALNAME = "__qualname__",
    REPR = "__repr__",
    SELF = "self",
    SHAPE = "shape",
    SET = "__set__",
    SETATTR = "__setattr__",
    SETITEM = "__setitem__",
    SLOTS = "__slots__",
    STR = "__str__",
    SUPER = "super",
    ARGS = "args",
    REVEAL_TYPE = "reveal_type",
    WRAPPED = "__wrapped__",
    ANNOTATIONS = "__annotations__",
    MRO = "__mro__",
    BASES = "__bases__",
    UNDERSCORE = "_",
    BUILTINS = "__builtins__",
    AENTER = "__aenter__",
    AEXIT = "__aexit__",
    MATCH_ARGS = "__match_args__",
    SET_NAME = "__set_name__",
    REVERSED = "__reversed__",
    ABS = "__abs__",
    ROUND = "__round__",
    PACKAGE = "__package__",
    SPEC = "__spec__",
    LOADER = "__loader__",
    DEBUG = "__debug__",
    MISSING = "__missing__",
    FUNC = "__func__",
    BOUND_SELF = "__self__",
    PROPERTY = "property",
    SETTER = "setter",
    GETTER = "getter",
    DELETER = "deleter",
    CLASSCELL = "__classcell__",
    DEFAULT = "default",
    KEY = "key",
    ARRAY_UFUNC = "__array_ufunc__",
    ARRAY = "__array__",
    AITER = "__aiter__",
    ANEXT = "__anext__",
    PREPARE = "__prepare__",
    TYPE_CHECKING = "TYPE_CHECKING",
    AWAIT = "__await__",
    ABSTRACT = "__abstract__",
    SUBCLASSHOOK = "__subclasshook__",
    STORED_BY = "stored_by",
    KEEPS = "keeps",
}
