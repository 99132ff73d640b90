"""Runs a command and prints, as the last line of standard error, what it took.

usage: measure.py PROGRAM [ARGUMENT ...]
"""

import json
import os
import resource
import sys
import time

started = time.perf_counter()
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(pid, 0)
wall = time.perf_counter() - started
children = resource.getrusage(resource.RUSAGE_CHILDREN)
report = {
    "code": os.waitstatus_to_exitcode(status),
    "wall": wall,
    "cpu": children.ru_utime + children.ru_stime,
    "peak_mib": used.ru_maxrss / 1024,
}
print("\n" + json.dumps(report), file=sys.stderr)
