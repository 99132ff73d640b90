//! One-process training scripts become distributed ones.
