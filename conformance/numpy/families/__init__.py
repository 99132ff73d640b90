"""Families of calls: each module offers `rows()`, which yields `(subject, source)` pairs."""
