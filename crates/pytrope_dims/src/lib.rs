//! Exact integer mathematics of shapes: symbolic dimensions, constraints, and their decision procedure.
//!
//! The crate knows no Python, no files, no libraries. It promises three things: what it calls true
//! is true for every value of the symbols that the facts allow, what it calls false is false for
//! every such value, and what overflows `i128` or a budget is *open*, never wrong.
//!
//! - [`Dim`] is a canonical polynomial over symbols and `//`, `min`, `max`; equal polynomials are
//!   identical values. Its operations give `None` past `i128` and the size limits.
//! - [`Constraint`] compares two dimensions.
//! - [`Store`] holds what is known on one path: [`Store::declare`] a symbol, [`Store::assume`] a
//!   fact with the [`FactReason`] it came from, [`Store::decide`] a question, [`Store::join`] two paths,
//!   [`Store::forget`] symbols that die; [`Store::witness`] gives concrete sizes.
//! - [`Problem`] is a conjunction of boolean [`Formula`]s with reasons: [`Problem::solve`] gives a
//!   checked model, *unsat* (with [`Problem::explain`]) or *unknown*.
//! - [`gradual`] has gradual shape types and their relations, [`calculus`] the paper's calculus as a
//!   reference model, [`smt2`] the SMT-LIB files of problems.
//!
//! ```
//! use pytrope_dims::{Cmp, Dim, FactReason, Store, Sym, ThreeValued};
//! let (n, m) = (Dim::symbol(Sym(0)), Dim::symbol(Sym(1)));
//! let mut store = Store::new();
//! store.declare(Sym(0), 0);
//! store.declare(Sym(1), 0);
//! store.assume_compare(&m, Cmp::Eq, &n.plus_const(1).unwrap(), FactReason(7));
//! assert_eq!(store.compare(&m, Cmp::Eq, &n), ThreeValued::False);
//! ```
#![forbid(unsafe_code)]

pub mod calculus;
mod constraint;
mod dim;
pub mod effort;
mod formula;
pub mod gradual;
mod interval;
mod linear;
mod number;
pub mod smt2;
mod solver;
mod store;
mod symbol;
mod three_valued;

pub use constraint::{Cmp, Constraint, Relation};
pub use dim::{Atom, Dim, Monomial, python_floor_div, python_mod};
pub use formula::Formula;
pub use interval::Interval;
pub use solver::{Answer, Model, Problem};
pub use store::{Assumed, Store};
pub use symbol::{FactReason, Sym};
pub use three_valued::{Negate, ThreeValued};
