//! What libraries do: model files in Python, and the primitives they stand on.
//!
//! `python/` holds the model files, embedded in the binary; [`library`] finds them by dotted name,
//! [`primitives`] holds what the module `_pytrope` offers them, [`arrays`] the part of it about shapes;
//! [`effects`] says what functions of models do beside giving a value, `standard_names` which names modules of Python itself have,
//! `library_names` those of PyTorch and NumPy.

#![forbid(unsafe_code)]
#![expect(clippy::unnecessary_wraps, reason = "primitives have the signature that `Native` asks for")]

pub mod arrays;
pub mod effects;
pub mod library;
mod library_names;
mod name_tables;
pub mod primitives;
mod standard_names;

pub use library::Library;
