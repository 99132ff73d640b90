//! The command line tested by running the real binary, one file per topic.

mod baseline;
mod configuration;
mod discovery;
mod hostile_input;
mod levels;
mod project;
mod reference;
mod stdin;
mod streams;
mod watch;
