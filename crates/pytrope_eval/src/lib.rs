//! The abstract interpreter of Python.
