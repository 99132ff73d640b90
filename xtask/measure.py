"""Runs a command and prints, as the last line of standard error, what it took.

usage: measure.py PROGRAM [ARGUMENT ...]
"""

import json
import os
import sys
import time

started = time.perf_counter()
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(pid, 0)
wall = time.perf_counter() - started
report = {
    "code": os.waitstatus_to_exitcode(status),
    "wall": wall,
    "cpu": used.ru_utime + used.ru_stime,
    "peak_mib": used.ru_maxrss / 1024,
}
print("\n" + json.dumps(report), file=sys.stderr)
