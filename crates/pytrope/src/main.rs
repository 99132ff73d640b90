//! The command line of Pytrope.
fn main() {}
