"""`__future__`: importing from it has its effect when the file is read."""

from _pytrope import unknown

annotations = unknown("a feature")
division = unknown("a feature")
absolute_import = unknown("a feature")
print_function = unknown("a feature")
unicode_literals = unknown("a feature")
generator_stop = unknown("a feature")
with_statement = unknown("a feature")
nested_scopes = unknown("a feature")
generators = unknown("a feature")
barry_as_FLUFL = unknown("a feature")
