"""Watches one operation of a file while code runs: was it reached, did it raise, did it go through?

The operation is a span of the source. CPython says for each instruction which span it belongs to, so that an operation is
told from others on its line.
"""

import re
import sys

TOOL = 4
QUOTED = re.compile(r"'([^']*)'")


def agrees(finding, classes, message):
    """Whether an exception says what the finding says: its class, and the names in its message."""
    if finding["raises"] not in classes:
        return False
    names = set(QUOTED.findall(finding["message"]))
    return all(name.split(".")[-1] in message for name in names)


class Watch:
    def __init__(self, path, finding):
        self.path = path
        self.finding = finding
        self.span = tuple(finding["span"])
        self.last = None
        # What happened, in order: ("raised", class, message) or ("passed",).
        self.events = []
        self.lines = 0
        self.spans = {}

    def offsets(self, code):
        """The offsets of the instructions of the operation in a code object."""
        if code not in self.spans:
            found = set()
            for at, span in enumerate(code.co_positions()):
                line, end_line, column, end_column = span
                if (line, column, end_line, end_column) == self.span:
                    found.add(at * 2)
            self.spans[code] = found
        return self.spans[code]

    def covers(self, code):
        if code.co_filename != self.path:
            return False
        lines = [line for _, _, line in code.co_lines() if line is not None]
        return bool(lines) and min(lines) <= self.span[0] <= max(lines)

    def start(self):
        monitoring = sys.monitoring
        monitoring.use_tool_id(TOOL, "pytrope")
        events = monitoring.events
        monitoring.register_callback(TOOL, events.PY_START, self.enter)
        monitoring.register_callback(TOOL, events.PY_RETURN, self.left)
        monitoring.register_callback(TOOL, events.INSTRUCTION, self.instruction)
        monitoring.register_callback(TOOL, events.RAISE, self.raised)
        monitoring.set_events(TOOL, events.PY_START | events.RAISE)

    def stop(self):
        sys.monitoring.set_events(TOOL, 0)
        sys.monitoring.free_tool_id(TOOL)

    def enter(self, code, _offset):
        if self.covers(code) and self.offsets(code):
            events = sys.monitoring.events
            sys.monitoring.set_local_events(TOOL, code, events.INSTRUCTION | events.PY_RETURN)
        return sys.monitoring.DISABLE

    def instruction(self, code, offset):
        if self.last is not None and offset not in self.offsets(code):
            self.last = None
            if len(self.events) < 1000:
                self.events.append(("passed",))
        if offset in self.offsets(code):
            self.last = offset

    def left(self, code, _offset, _value):
        if self.last is not None and self.offsets(code):
            self.last = None
            self.events.append(("passed",))

    def raised(self, code, offset, error):
        if code.co_filename == self.path and self.last is not None and offset in self.offsets(code):
            self.last = None
            names = [base.__name__ for base in type(error).__mro__]
            self.events.append(("raised", names, str(error)[:300]))

    def verdict(self):
        """What the events say of the claim that the operation always raises."""
        right = [event for event in self.events if event[0] == "raised" and agrees(self.finding, event[1], event[2])]
        if any(event[0] == "passed" for event in self.events):
            return "refuted", "the operation was run and raised nothing"
        if right:
            return "confirmed", right[0][2]
        if self.events:
            return "not shown", f"raised {self.events[0][1][0]}: {self.events[0][2]}"
        return None
