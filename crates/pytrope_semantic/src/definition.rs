//! A definition: the place where a name is bound, and what is said there of its value.

use pytrope_source::TextRange;
use pytrope_source::scopes::ScopeId;
use pytrope_source::tree::{ExprId, StmtId};

/// A definition of a module; its number in [`crate::ModuleNames`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DefinitionId(pub u32);

/// What a definition says of the value it binds.
#[derive(Clone, Debug, PartialEq)]
pub enum DefinitionKind {
    /// `name = value`, also by unpacking a display: `a, b = 1, 2`.
    Value(ExprId),
    /// The `index`-th part of an unpacked value. A part of a part keeps the outermost place: `(x, y), z = load()`.
    Element(ExprId, usize),
    /// An element of an iterated value; `Some(i)` when the target unpacks it.
    Iteration(ExprId, Option<usize>),
    /// `with value as name`.
    Context(ExprId),
    /// `name += value`.
    Augmented(ExprId),
    /// A dotted module or a member of one: `import numpy as np` is `numpy`, `from .a import b` in `p.c` is `p.a.b`.
    Import(String),
    Function,
    Class,
    /// The `i`-th parameter, keyword-only ones last.
    Parameter(usize),
    /// `*args` or `**kwargs`.
    Spread,
    /// A parameter of a lambda.
    LambdaParameter,
    /// `except E as name`.
    Handler,
    /// A capture of a `match` pattern.
    Capture,
    /// `type name = …`.
    TypeAlias(ExprId),
    /// `name: T` without a value: it declares a local and binds nothing.
    Declaration(ExprId),
    /// `del name`.
    Deletion,
    /// A starred target.
    Starred,
    /// The display's parts cannot be told apart: `a, *b = x` gives `a`.
    Unpacked,
}

impl DefinitionKind {
    /// Whether the name has a value after it.
    pub fn binds_value(&self) -> bool {
        !matches!(self, Self::Declaration(_) | Self::Deletion)
    }
}

/// One place where a name is bound.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: Box<str>,
    /// The scope that the name is bound in.
    pub scope: ScopeId,
    /// The scope whose code binds it: another one under `global` and `nonlocal`, and for a walrus in a comprehension.
    pub site: ScopeId,
    pub stmt: StmtId,
    pub kind: DefinitionKind,
    /// The identifier.
    pub range: TextRange,
}
