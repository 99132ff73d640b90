//! The three clients of the interpreter: check, migrate and prune.
