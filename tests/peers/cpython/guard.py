"""Does work in a child process that may take only its share of memory and of processor time."""

import os
import pickle
import resource
import signal
import sys
import time
import traceback

# What the child may take besides what Python itself has mapped, and for one job.
MEMORY = 1 << 30
SECONDS = 20
# How a child ends that has no room left, and one in which something of ours is wrong.
NO_ROOM, BROKEN = 3, 4


def guarded(jobs, work):
    """The results of `work` for each job, in order, as `(result, None)`; `(None, why)` for one that was cut off."""
    results = []
    while len(results) < len(jobs):
        done, why = one_child(jobs[len(results) :], work)
        results += [(result, None) for result in done]
        if why is not None:
            results.append((None, why))
    return results


def one_child(jobs, work):
    """What a child got done, and why it did not get through the job after that."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os._exit(in_child(jobs, work, writing))
    os.close(writing)
    done = []
    with os.fdopen(reading, "rb") as results:
        try:
            while len(done) < len(jobs):
                done.append(pickle.load(results))  # noqa: S301
        except (EOFError, pickle.UnpicklingError):
            pass
    _, status = os.waitpid(child, 0)
    if len(done) == len(jobs):
        return done, None
    if os.WIFSIGNALED(status):
        return done, "time" if os.WTERMSIG(status) == signal.SIGXCPU else f"signal {os.WTERMSIG(status)}"
    if os.WEXITSTATUS(status) == NO_ROOM:
        return done, "memory"
    sys.exit(f"the child that judges programs ended with {os.WEXITSTATUS(status)}")


def in_child(jobs, work, writing):
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            mapped = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, mapped + MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with os.fdopen(writing, "wb") as results:
            for job in jobs:
                limit = int(time.process_time()) + SECONDS
                resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))
                pickle.dump(work(job), results)
                results.flush()
    except MemoryError:
        return NO_ROOM
    except BaseException:  # noqa: BLE001 - whatever it is, the parent must hear of it and nothing may unwind into its code
        traceback.print_exc()
        return BROKEN
    return 0
