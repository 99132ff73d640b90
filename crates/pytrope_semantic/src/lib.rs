//! What the names of Python modules mean: one semantic layer for the interpreter, `distribute` and `choreo`.
//!
//! It stands on the scopes that the interpreter runs by ([`pytrope_source::scopes`]) and adds what static tools ask:
//!
//! - [`ModuleNames`]: every definition of a module by scope and name, what a name means where it is read, its uses,
//!   the attributes of classes, and what an imported name is called where it comes from;
//! - [`ReachingDefinitions`]: which definitions may hold where a name is read (flow-sensitive, per activation);
//! - [`ModuleTable`] and [`resolve_member`]: definitions across modules, through imports and re-exports.
//!
//! ```
//! use pytrope_semantic::{DefinitionKind, ModuleNames, ReachingDefinitions};
//! use pytrope_source::{ScopedTree, SourceFile, parse, tree::ExprKind};
//!
//! let file = SourceFile::from_text("a.py", "x = 1\nif c:\n    x = 2\nprint(x)\n");
//! let scoped = ScopedTree::of(parse(&file).tree, &file);
//! let names = ModuleNames::of(&scoped.tree, &scoped.scopes, "a", false);
//! let reaching = ReachingDefinitions::of(&scoped.tree, &scoped.scopes, &names);
//! let read = scoped.tree.expr_ids().filter(|&e| file.slice(scoped.tree[e].range) == "x").last().unwrap();
//! assert_eq!(reaching.at(read).len(), 2);
//! assert!(!reaching.may_be_unbound(read));
//! ```
//!
//! Invariants: a definition belongs to the scope that Python binds the name in (`global` and `nonlocal` are followed);
//! nothing here evaluates anything, and nothing knows a library.

#![forbid(unsafe_code)]

mod builtins;
mod collect;
mod definition;
mod flow;
mod names;
mod project;
mod scoping;
mod state;

pub use builtins::{is_builtin, is_predefined};
pub use definition::{Definition, DefinitionId, DefinitionKind};
pub use flow::ReachingDefinitions;
pub use names::ModuleNames;
pub use project::{ModuleTable, resolve_member};
pub use pytrope_source::scopes::{ScopeId, ScopeInfo, ScopeKind, Scopes};
pub use scoping::{enclosing_function, scope_of_expr, scope_of_stmt};
