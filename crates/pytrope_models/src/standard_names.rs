//! Which names the modules of the standard library have, in any version and on any platform.
//!
//! `standard_names.txt` is written by `conformance/python/standard_names.py`, which asks several interpreters (Python 2.7 among them)
//! and the stubs of type checkers. Names with a leading underscore are not listed.

/// Whether a module is listed and lacks a name.
pub(crate) fn lacks_name(module: &str, name: &str) -> bool {
    let names = include_str!("standard_names.txt").lines().find_map(|line| {
        let (listed, names) = line.split_once(' ')?;
        (listed == module).then_some(names)
    });
    names.is_some_and(|names| names.split(' ').all(|listed| listed != name))
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
