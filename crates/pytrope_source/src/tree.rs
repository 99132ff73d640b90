//! The syntax tree: flat pools of nodes addressed by `u32` ids, with parents and byte ranges.
//!
//! `tree[id]` gives a node, `tree[list]` the slice a [`List`] stands for, `tree.text(name)` the
//! string behind a [`Str`]. Children always come by id, so that a tree is dropped without recursion
//! and can be shared between threads.

mod operators;
mod pools;

use std::borrow::Cow;
use std::marker::PhantomData;

use crate::stored::pool::Pool;
use crate::text::TextRange;
pub use operators::{BinaryOperator, BoolOperator, Comparison, UnaryOperator};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// An expression of a tree.
    ExprId
);
id!(
    /// A statement of a tree.
    StmtId
);
id!(
    /// A pattern of a `match` statement.
    PatternId
);
id!(
    /// An interned string of a tree: a name, an attribute, the value of a string literal. Equal strings of one tree have equal ids.
    Str
);

id!(
    /// The parameters of a lambda. They stand apart because they are large and lambdas are rare.
    ParametersId
);

/// A run of nodes in one of the tree's pools.
pub struct List<T> {
    pub(crate) start: u32,
    pub(crate) len: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> List<T> {
    pub const EMPTY: Self = Self::new(0, 0);

    pub(crate) const fn new(start: u32, len: u32) -> Self {
        // An empty list is the same wherever it was made.
        Self { start: if len == 0 { 0 } else { start }, len, kind: PhantomData }
    }

    pub const fn len(self) -> usize {
        self.len as usize
    }

    pub const fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for List<T> {}
impl<T> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.len) == (other.start, other.len)
    }
}
impl<T> Eq for List<T> {}
impl<T> std::fmt::Debug for List<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}+{}", self.start, self.len)
    }
}

/// What holds a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Parent {
    Module,
    Stmt(StmtId),
    Expr(ExprId),
}

#[derive(Clone, Copy, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub range: TextRange,
    pub parent: Parent,
}

#[derive(Clone, Copy, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub range: TextRange,
    pub parent: Parent,
}

#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    pub kind: PatternKind,
    pub range: TextRange,
}

/// A name as written, with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identifier {
    pub name: Str,
    pub range: TextRange,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Context {
    Load,
    Store,
    Del,
}

#[derive(Clone, Copy, Debug)]
pub enum ExprKind {
    BoolOp {
        op: BoolOperator,
        values: List<ExprId>,
    },
    Named {
        target: ExprId,
        value: ExprId,
    },
    BinOp {
        left: ExprId,
        op: BinaryOperator,
        right: ExprId,
    },
    UnaryOp {
        op: UnaryOperator,
        operand: ExprId,
    },
    Lambda {
        parameters: ParametersId,
        body: ExprId,
    },
    IfExp {
        test: ExprId,
        body: ExprId,
        orelse: ExprId,
    },
    Dict {
        items: List<DictItem>,
    },
    Set {
        elements: List<ExprId>,
    },
    ListComp {
        element: ExprId,
        generators: List<Comprehension>,
    },
    SetComp {
        element: ExprId,
        generators: List<Comprehension>,
    },
    /// A key of `None` is `{**value for …}` (Python 3.15).
    DictComp {
        key: Option<ExprId>,
        value: ExprId,
        generators: List<Comprehension>,
    },
    Generator {
        element: ExprId,
        generators: List<Comprehension>,
    },
    Await {
        value: ExprId,
    },
    Yield {
        value: Option<ExprId>,
    },
    YieldFrom {
        value: ExprId,
    },
    /// `left ops[0] comparators[0] ops[1] comparators[1] …`
    Compare {
        left: ExprId,
        ops: List<Comparison>,
        comparators: List<ExprId>,
    },
    Call {
        function: ExprId,
        arguments: Arguments,
    },
    /// An f-string; implicitly concatenated plain strings are literal parts of it.
    FString {
        parts: List<StringPart>,
    },
    /// A t-string (PEP 750).
    TString {
        parts: List<StringPart>,
    },
    Str(Str),
    /// The value of a bytes literal; its bytes are the code points of the string (all below 256).
    Bytes(Str),
    Int(i64),
    /// An integer beyond `i64`, as written without underscores (it may start with `0x`, `0o` or `0b`).
    BigInt(Str),
    Float(f64),
    /// An imaginary literal such as `2j`.
    Imaginary(f64),
    Bool(bool),
    None,
    Ellipsis,
    Attribute {
        value: ExprId,
        attribute: Identifier,
        context: Context,
    },
    Subscript {
        value: ExprId,
        index: ExprId,
        context: Context,
    },
    Starred {
        value: ExprId,
        context: Context,
    },
    Name {
        name: Str,
        context: Context,
    },
    List {
        elements: List<ExprId>,
        context: Context,
    },
    Tuple {
        elements: List<ExprId>,
        context: Context,
        parenthesized: bool,
    },
    Slice {
        lower: Option<ExprId>,
        upper: Option<ExprId>,
        step: Option<ExprId>,
    },
    /// A shell escape or magic of IPython used as a value.
    IpyEscape(Str),
}

impl ExprKind {
    /// Whether the expression is a literal of one token, which is the same value wherever it stands: `1.5`, `"a"`, `None`, `...`.
    pub fn is_literal(&self) -> bool {
        matches!(
            self,
            Self::Str(_)
                | Self::Bytes(_)
                | Self::Int(_)
                | Self::BigInt(_)
                | Self::Float(_)
                | Self::Imaginary(_)
                | Self::Bool(_)
                | Self::None
                | Self::Ellipsis
        )
    }
}

/// A key of `None` is `**value`.
#[derive(Clone, Copy, Debug)]
pub struct DictItem {
    pub key: Option<ExprId>,
    pub value: ExprId,
}

#[derive(Clone, Copy, Debug)]
pub struct Comprehension {
    pub target: ExprId,
    pub iter: ExprId,
    pub conditions: List<ExprId>,
    pub is_async: bool,
    pub range: TextRange,
}

/// Arguments in source order are not kept apart by kind in time: positional ones (with `Starred`) and keywords are evaluated left to right;
/// `range` covers the parentheses.
#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    pub positional: List<ExprId>,
    pub keywords: List<Keyword>,
    pub range: TextRange,
}

/// `name=value`, or `**value` when there is no name.
#[derive(Clone, Copy, Debug)]
pub struct Keyword {
    pub name: Option<Identifier>,
    pub value: ExprId,
    pub range: TextRange,
}

#[derive(Clone, Copy, Debug)]
pub enum StringPart {
    Literal(Str),
    Interpolation {
        value: ExprId,
        conversion: Conversion,
        /// `f"{x:>{width}}"`: the parts after the colon.
        format: Option<List<StringPart>>,
        /// `f"{x = }"`: the text shown before the value.
        debug: Option<Str>,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    None,
    Str,
    Ascii,
    Repr,
}

#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    pub positional_only: List<Parameter>,
    pub regular: List<Parameter>,
    pub vararg: Option<SpreadParameter>,
    pub keyword_only: List<Parameter>,
    pub kwarg: Option<SpreadParameter>,
    pub range: TextRange,
}

#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: Identifier,
    pub annotation: Option<ExprId>,
    pub default: Option<ExprId>,
    pub range: TextRange,
}

/// `*args` or `**kwargs`.
#[derive(Clone, Copy, Debug)]
pub struct SpreadParameter {
    pub name: Identifier,
    pub annotation: Option<ExprId>,
    pub range: TextRange,
}

#[derive(Clone, Copy, Debug)]
pub enum StmtKind {
    FunctionDef(FunctionDefinition),
    ClassDef(ClassDefinition),
    Return {
        value: Option<ExprId>,
    },
    Delete {
        targets: List<ExprId>,
    },
    TypeAlias {
        name: ExprId,
        type_params: List<TypeParam>,
        value: ExprId,
    },
    Assign {
        targets: List<ExprId>,
        value: ExprId,
    },
    AugAssign {
        target: ExprId,
        op: BinaryOperator,
        value: ExprId,
    },
    /// `simple`: the target is a bare name without parentheses.
    AnnAssign {
        target: ExprId,
        annotation: ExprId,
        value: Option<ExprId>,
        simple: bool,
    },
    For {
        target: ExprId,
        iter: ExprId,
        body: List<StmtId>,
        orelse: List<StmtId>,
        is_async: bool,
    },
    While {
        test: ExprId,
        body: List<StmtId>,
        orelse: List<StmtId>,
    },
    /// `elif` and `else` stand in `clauses`, in order.
    If {
        test: ExprId,
        body: List<StmtId>,
        clauses: List<Clause>,
    },
    With {
        items: List<WithItem>,
        body: List<StmtId>,
        is_async: bool,
    },
    Match {
        subject: ExprId,
        cases: List<Case>,
    },
    Raise {
        exception: Option<ExprId>,
        cause: Option<ExprId>,
    },
    Try {
        body: List<StmtId>,
        handlers: List<Handler>,
        orelse: List<StmtId>,
        finalbody: List<StmtId>,
        is_star: bool,
    },
    Assert {
        test: ExprId,
        message: Option<ExprId>,
    },
    Import {
        names: List<Alias>,
    },
    ImportFrom {
        module: Option<Identifier>,
        names: List<Alias>,
        level: u32,
    },
    Global {
        names: List<Identifier>,
    },
    Nonlocal {
        names: List<Identifier>,
    },
    Expr {
        value: ExprId,
    },
    Pass,
    Break,
    Continue,
    /// A magic or shell line of IPython.
    IpyEscape(Str),
}

#[derive(Clone, Copy, Debug)]
pub struct FunctionDefinition {
    pub name: Identifier,
    pub is_async: bool,
    pub decorators: List<ExprId>,
    pub type_params: List<TypeParam>,
    pub parameters: Parameters,
    pub returns: Option<ExprId>,
    pub body: List<StmtId>,
}

#[derive(Clone, Copy, Debug)]
pub struct ClassDefinition {
    pub name: Identifier,
    pub decorators: List<ExprId>,
    pub type_params: List<TypeParam>,
    /// Bases are positional; `metaclass=` and the like are keywords. `None` without parentheses.
    pub arguments: Option<Arguments>,
    pub body: List<StmtId>,
}

/// `elif test:` or, without a test, `else:`.
#[derive(Clone, Copy, Debug)]
pub struct Clause {
    pub test: Option<ExprId>,
    pub body: List<StmtId>,
    pub range: TextRange,
}

#[derive(Clone, Copy, Debug)]
pub struct WithItem {
    pub context: ExprId,
    pub target: Option<ExprId>,
    pub range: TextRange,
}

#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub pattern: PatternId,
    pub guard: Option<ExprId>,
    pub body: List<StmtId>,
    pub range: TextRange,
}

#[derive(Clone, Copy, Debug)]
pub struct Handler {
    pub class: Option<ExprId>,
    pub name: Option<Identifier>,
    pub body: List<StmtId>,
    pub range: TextRange,
}

/// `name as asname`; the name of an `import` may be dotted.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    pub name: Identifier,
    pub asname: Option<Identifier>,
    pub range: TextRange,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeParamKind {
    TypeVar,
    TypeVarTuple,
    ParamSpec,
}

#[derive(Clone, Copy, Debug)]
pub struct TypeParam {
    pub name: Identifier,
    pub kind: TypeParamKind,
    pub bound: Option<ExprId>,
    pub default: Option<ExprId>,
    pub range: TextRange,
}

#[derive(Clone, Copy, Debug)]
pub enum PatternKind {
    Value(ExprId),
    /// `None`, `True` or `False`.
    Singleton(Option<bool>),
    Sequence(List<PatternId>),
    Mapping {
        keys: List<ExprId>,
        patterns: List<PatternId>,
        rest: Option<Identifier>,
    },
    Class {
        class: ExprId,
        positional: List<PatternId>,
        keywords: List<PatternKeyword>,
    },
    Star(Option<Identifier>),
    /// `pattern as name`; without a pattern a capture, without both `_`.
    As {
        pattern: Option<PatternId>,
        name: Option<Identifier>,
    },
    Or(List<PatternId>),
}

#[derive(Clone, Copy, Debug)]
pub struct PatternKeyword {
    pub name: Identifier,
    pub pattern: PatternId,
}

/// One file's tree.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub(crate) body: Option<List<StmtId>>,
    pub(crate) exprs: Pool<Expr>,
    pub(crate) stmts: Pool<Stmt>,
    pub(crate) patterns: Vec<Pattern>,
    pub(crate) expr_ids: Vec<ExprId>,
    pub(crate) stmt_ids: Vec<StmtId>,
    pub(crate) pattern_ids: Vec<PatternId>,
    pub(crate) dict_items: Vec<DictItem>,
    pub(crate) comprehensions: Vec<Comprehension>,
    pub(crate) keywords: Vec<Keyword>,
    pub(crate) string_parts: Vec<StringPart>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) lambdas: Vec<Parameters>,
    pub(crate) comparisons: Vec<Comparison>,
    pub(crate) clauses: Vec<Clause>,
    pub(crate) with_items: Vec<WithItem>,
    pub(crate) cases: Vec<Case>,
    pub(crate) handlers: Vec<Handler>,
    pub(crate) aliases: Vec<Alias>,
    pub(crate) identifiers: Vec<Identifier>,
    pub(crate) type_params: Vec<TypeParam>,
    pub(crate) pattern_keywords: Vec<PatternKeyword>,
    pub(crate) strings: Strings,
}

/// The interned strings of a tree, in one buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strings {
    pub(crate) buffer: Cow<'static, str>,
    pub(crate) ends: Vec<u32>,
}

impl Strings {
    #[inline]
    fn get(&self, id: Str) -> &str {
        let start = if id.0 == 0 { 0 } else { self.ends[id.index() - 1] };
        &self.buffer[start as usize..self.ends[id.index()] as usize]
    }
}

impl Tree {
    /// The module's statements.
    pub fn body(&self) -> List<StmtId> {
        self.body.unwrap_or(List::EMPTY)
    }

    /// The string behind an interned id.
    #[inline]
    pub fn text(&self, id: Str) -> &str {
        self.strings.get(id)
    }

    /// How many interned strings there are: ids run from 0 to this.
    pub fn string_count(&self) -> usize {
        self.strings.ends.len()
    }

    /// All strings in id order.
    pub fn strings(&self) -> impl Iterator<Item = &str> {
        (0..self.strings.ends.len() as u32).map(|i| self.text(Str(i)))
    }

    pub fn expr_count(&self) -> usize {
        self.exprs.len()
    }

    pub fn stmt_count(&self) -> usize {
        self.stmts.len()
    }

    /// All expressions, parents before children.
    pub fn expr_ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len() as u32).map(ExprId)
    }

    pub fn stmt_ids(&self) -> impl Iterator<Item = StmtId> + use<> {
        (0..self.stmts.len() as u32).map(StmtId)
    }

    /// The statement an expression belongs to.
    pub fn stmt_of(&self, expr: ExprId) -> Option<StmtId> {
        let mut parent = self[expr].parent;
        loop {
            match parent {
                Parent::Module => return None,
                Parent::Stmt(stmt) => return Some(stmt),
                Parent::Expr(expr) => parent = self[expr].parent,
            }
        }
    }

    /// The statement whose suite a statement stands in.
    pub fn enclosing(&self, stmt: StmtId) -> Option<StmtId> {
        match self[stmt].parent {
            Parent::Stmt(outer) => Some(outer),
            Parent::Module | Parent::Expr(_) => None,
        }
    }

    /// The name of a `Name` expression.
    pub fn as_name(&self, expr: ExprId) -> Option<Str> {
        match self[expr].kind {
            ExprKind::Name { name, .. } => Some(name),
            _ => None,
        }
    }

    /// `a.b.c` as its parts, when the expression is a plain dotted name.
    pub fn dotted(&self, expr: ExprId) -> Option<Vec<&str>> {
        let mut parts = Vec::new();
        let mut at = expr;
        loop {
            match self[at].kind {
                ExprKind::Attribute { value, attribute, .. } => {
                    parts.push(self.text(attribute.name));
                    at = value;
                }
                ExprKind::Name { name, .. } => {
                    parts.push(self.text(name));
                    parts.reverse();
                    return Some(parts);
                }
                _ => return None,
            }
        }
    }
}
