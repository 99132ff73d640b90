//! What migrate and prune start from: an entry of a module, what is assumed of its parameters, and runs of it.

pub mod error;
pub mod expression;
pub mod hints;
pub mod session;
pub mod target;

pub use error::{EntryEnd, EntryError};
pub use expression::{EntryConstant, Expression, Mentions};
pub use session::{EntryArgument, EntrySession, SessionOutcome};
pub use target::{EntryTarget, PackageReading};
