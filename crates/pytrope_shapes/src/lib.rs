//! The clients of the interpreter: check, migrate, prune and draw.
//!
//! Each takes sources and options and returns findings, edits and a report; none touches the outside
//! world except to read modules that the analysed files import. Start reading at [`check()`].

#![forbid(unsafe_code)]

mod blame;
mod causes;
pub mod check;
pub mod draw;
pub mod entry;
mod hosts;
pub mod incremental;
mod library_names;
pub mod migrate;
pub mod module_loader;
mod module_results;
pub mod prune;
mod roots;
pub mod shown;
pub mod statistics;
mod weak_evidence;

pub use pytrope_eval::interp::{ArrayKnowledge, BindingKind};

pub use check::{CheckOptions, Checked, check_files};
pub use incremental::IncrementalCheck;
pub use module_loader::{FileModuleLoader, Trees};
pub use shown::{ShownBinding, show_all_shapes, show_shapes};
