//! Tests written as Markdown prose with Python blocks.
