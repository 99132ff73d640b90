//! The abstract interpreter of Python: values, heap, state, statements, calls.
//!
//! It reads a program as Python does, on abstract values: constants where they are known, symbolic
//! integers, Unknown where nothing is. An operation that raises for every value its operands may have
//! is a finding, unless something around it catches the exception. It knows no library: what
//! `numpy.dot` does is a model file that it interprets like any other module.
//!
//! Start reading at [`interp`] (fork, join, raise), then `exec` (statements) and `expr` (expressions).
//! [`Program`] holds the modules of a run; [`analysis`] says what of a module is run.

#![forbid(unsafe_code)]
#![expect(
    clippy::single_match_else,
    clippy::unused_self,
    clippy::unnecessary_wraps,
    clippy::needless_pass_by_value,
    clippy::wrong_self_convention,
    reason = "the methods of the interpreter share one shape, so that a dispatch reads as a table"
)]

pub mod analysis;
mod attributes;
mod builtin_types;
mod builtins;
mod call_summaries;
mod calls;
mod classes;
pub mod code;
mod compare;
pub mod cond;
pub mod constants;
pub mod effects;
mod escape;
mod exec;
mod expr;
mod hints;
pub mod interp;
mod items;
pub mod join;
mod lazy;
mod modules;
pub mod names;
pub mod native;
pub mod object;
mod observed_bindings;
mod operators;
mod possible;
pub mod program;
mod ranks;
mod recency;
mod renaming;
pub mod settings;
mod sharing;
mod show;
mod special_methods;
pub mod state;
pub mod symbols;
pub mod value;

pub use calls::{DataField, settle_fields};
pub use cond::Cond;
pub use interp::{
    Addresses, Analysis, BranchEvent, CallEvent, Flow, Interp, Limits, Observer, RequireEvent, Run, RunReport,
    Unreachable,
};
pub use names::Name;
pub use native::{CallArgs, Native, OpenTail};
pub use object::{Array, Inherited, Lifting, Object, Shape};
pub use operators::{from_const, to_const};
pub use program::{EvaluatedModule, ModuleLoader, ModuleRequest, ModuleSource, Program};
pub use state::State;
pub use value::{Addr, BuiltinType, IntoValue, Reason, Seq, Value};
