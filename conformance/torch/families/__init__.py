"""One module per family of operations; `rows()` yields the expressions of its table."""
