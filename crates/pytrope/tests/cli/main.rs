//! The command line tested by running the real binary, one file per topic.

mod across_files;
mod baseline;
mod configuration;
mod discovery;
mod distribute;
mod hostile_input;
mod interpreter;
mod interrupts;
mod levels;
mod manners;
mod mcp;
mod pictures;
mod project;
mod reference;
mod rewriters;
mod rule_pages;
mod server;
mod shapes;
mod solve;
mod stdin;
mod streams;
mod watch;
mod wild;
