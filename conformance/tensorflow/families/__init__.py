"""Families of expressions."""
