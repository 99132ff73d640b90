"""Runs a program under CPython and keeps which operations were reached, with which calls around them, and how it ended."""

import ast
import collections
import dis
import io
import random
import sys
from contextlib import redirect_stdout

STEPS = 20_000
FILE = "<program>"


class TooLong(BaseException):
    """The program does too much to be judged."""


class Run:
    """One run: the names it ended with, or the error; and what it met on the way."""

    def __init__(self):
        self.names = {}
        self.failed = None
        # (span, lines of the calls around it, innermost first) → how often; span is (line, end line, column, end column).
        self.reached = collections.Counter()
        self.raised = collections.defaultdict(list)
        self.lines = set()
        # Where the error that ended the run was raised.
        self.end = None
        # Why the run says nothing: it did too much.
        self.cut_off = None


def small(value, depth=0):
    """Whether a value is small enough to be compared."""
    if isinstance(value, int):
        return value.bit_length() < 2000
    if isinstance(value, str):
        return len(value) < 500
    if depth > 6:
        return False
    if isinstance(value, dict):
        return len(value) < 60 and all(small(item, depth + 1) for item in value.values())
    return not isinstance(value, (list, tuple, set)) or (len(value) < 60 and all(small(item, depth + 1) for item in value))


def positions(code, cache={}):  # noqa: B006
    if code not in cache:
        cache[code] = list(code.co_positions())
    return cache[code]


def calls_around(frame):
    lines = []
    frame = frame.f_back
    while frame is not None:
        if frame.f_code.co_filename == FILE:
            lines.append(frame.f_lineno)
        frame = frame.f_back
    return tuple(lines)


def spans(code):
    """Every span of an instruction that does something: loading a name can raise nothing but that it is not there."""
    found = set()
    for instruction in dis.get_instructions(code):
        if not instruction.opname.startswith(("LOAD_NAME", "LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_CONST", "STORE_NAME", "STORE_FAST", "STORE_GLOBAL", "STORE_DEREF", "PUSH_NULL", "COPY", "SWAP")):
            found.add(tuple(instruction.positions))
    for constant in code.co_consts:
        if hasattr(constant, "co_positions"):
            found |= spans(constant)
    return found


def unpackings(code):
    """The spans of the instructions that unpack, by line."""
    found = collections.defaultdict(set)
    for instruction in dis.get_instructions(code):
        if instruction.opname.startswith("UNPACK"):
            found[instruction.positions.lineno].add(tuple(instruction.positions))
    for constant in code.co_consts:
        if hasattr(constant, "co_positions"):
            for line, inner in unpackings(constant).items():
                found[line] |= inner
    return found


def loop_spans(text):
    """The span of each `for` statement, by that of what it iterates over: CPython gives the taking of items the whole statement."""
    span = lambda node: (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset)  # noqa: E731
    return {span(node.iter): span(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.For)}


def execute(code, seed, watched, wanted=None):
    """Runs a program; with `wanted`, a set of spans, the visits of those are counted."""
    run = Run()
    steps = 0

    def trace(frame, event, argument):
        nonlocal steps
        if frame.f_code.co_filename != FILE:
            return None
        if event == "call" and wanted is not None:
            frame.f_trace_opcodes = True
        elif event == "line":
            steps += 1
            run.lines.add(frame.f_lineno)
            names = frame.f_globals
            if steps > STEPS or (steps % 7 == 0 and any(not small(names.get(name, 0)) for name in watched)):
                raise TooLong
        elif event == "opcode":
            span = positions(frame.f_code)[frame.f_lasti // 2]
            if span in wanted:
                run.reached[span, calls_around(frame)] += 1
        elif event == "exception" and issubclass(argument[0], (MemoryError, RecursionError)):
            # The program may catch it, and would go on in a way that depends on the machine.
            run.cut_off = "recursion" if issubclass(argument[0], RecursionError) else "memory"
        elif event == "exception" and wanted is not None:
            span = positions(frame.f_code)[frame.f_lasti // 2]
            run.raised[span, calls_around(frame)].append(class_name(argument[0]))
        return trace

    run.names = {"__name__": "program"}
    random.seed(seed)
    sys.settrace(trace)
    try:
        with redirect_stdout(io.StringIO()):
            exec(code, run.names)  # noqa: S102
    except TooLong:
        run.cut_off = "length"
    except Exception as error:
        run.failed = error
        run.end = innermost(error)
    finally:
        sys.settrace(None)
    if not all(small(run.names.get(name, 0)) for name in watched):
        run.cut_off = run.cut_off or "length"
    return run


def class_name(kind):
    """The name of a class of exceptions; NumPy's private ones go by that of the public class they derive from."""
    while kind.__module__ == "numpy._core._exceptions":
        kind = kind.__base__
    return kind.__name__


def innermost(error):
    """The span of the innermost operation of the program that an error came through."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            found = positions(trace.tb_frame.f_code)[trace.tb_lasti // 2]
        trace = trace.tb_next
    return found
