//! Which names the modules of the standard library have, in any version and on any platform.
//!
//! `standard_names.txt` is written by `conformance/python/standard_names.py`, which asks several interpreters (Python 2.7 among them)
//! and the stubs of type checkers. Names with a leading underscore are not listed.

use std::sync::LazyLock;

use crate::name_tables::NameTable;

static MODULES: LazyLock<NameTable> = LazyLock::new(|| NameTable::of_lines(include_str!("standard_names.txt")));

/// Whether a module is listed and lacks a name.
pub(crate) fn lacks_name(module: &str, name: &str) -> bool {
    MODULES.lacks_name(module, name)
}

/// Whether a module is listed.
pub(crate) fn is_listed(module: &str) -> bool {
    include_str!("standard_names.txt").lines().any(|line| line.split(' ').next() == Some(module))
}

#[cfg(test)]
mod tests {
    use super::lacks_name;

    #[test]
    fn names_of_listed_modules_are_judged() {
        assert!(lacks_name("math", "squareroot"));
        assert!(!lacks_name("math", "sqrt"));
        assert!(!lacks_name("os", "startfile"), "Windows has it");
        assert!(!lacks_name("string", "letters"), "Python 2 has it");
        assert!(!lacks_name("numpy", "squareroot"), "no module of the standard library");
    }
}
