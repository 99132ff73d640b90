//! What migrate and prune start from: an entry of a module, what is assumed of its parameters, and runs of it.

pub mod expression;
pub mod hints;
pub mod session;
pub mod target;

pub use expression::{Constant, Expression, Mentions};
pub use session::{Argument, EntryError, EntrySession, Outcome};
pub use target::Target;
