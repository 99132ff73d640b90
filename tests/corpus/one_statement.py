"""Runs the statement of one line of a file with some names, and prints the class of what it raises.

    python one_statement.py FILE LINE PROGRAM

PROGRAM binds the names.
"""

import ast
import sys

path, line, program = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with open(path, encoding="utf-8") as file:
    tree = ast.parse(file.read())
simple = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not hasattr(node, "body")]
statement = next(node for node in simple if node.lineno <= line <= node.end_lineno)
names = {}
exec(program, names)
try:
    exec(compile(ast.Module([statement], []), path, "exec"), names)
except Exception as error:
    print(type(error).__name__)
