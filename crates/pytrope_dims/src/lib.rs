//! Symbolic dimensions, constraints, their decision procedure, and gradual shape types.
