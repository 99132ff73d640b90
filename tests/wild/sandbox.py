"""Runs a program that is not trusted: no network, nothing written outside a folder of its own, limits of time and memory.

As root on Linux the child gets namespaces of its own: no network device, the file system read-only, a fresh `/tmp`. Elsewhere,
and besides, an audit hook in the child (`forbid`) refuses writing, sockets and other programs.
"""

import os
import resource
import signal
import subprocess
import sys
import tempfile

MEMORY = 6 << 30
SECONDS = 90

# Run by a shell inside the new namespaces; a fresh /tmp hides the old one, so that nothing judged may lie below it.
INSIDE = (
    "mount --make-rprivate / && mount -o remount,bind,ro / 2>/dev/null; "
    "mount -t tmpfs -o size=512m tmpfs /tmp && mount -t tmpfs tmpfs /dev/shm 2>/dev/null; "
    'cd /tmp && export HOME=/tmp && exec "$@"'
)


def has_namespaces(cache=[]):  # noqa: B006
    if not cache:
        probe = ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", "mount --make-rprivate /"]
        try:
            cache.append(subprocess.run(probe, capture_output=True, timeout=20).returncode == 0)
        except (OSError, subprocess.TimeoutExpired):
            cache.append(False)
    return cache[0]


def limits():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.setsid()


def run(command, text, seconds=SECONDS):
    """What a command prints when it is given a text, or None if it did not end well; `why` says why."""
    if has_namespaces():
        command = ["unshare", "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", INSIDE, "sh", *command]
    environment = {key: os.environ[key] for key in ("PATH", "LANG") if key in os.environ}
    environment.update(PYTHONDONTWRITEBYTECODE="1", MPLBACKEND="Agg", OMP_NUM_THREADS="1", PYTHONHASHSEED="0")
    environment.update(QT_QPA_PLATFORM="offscreen", TOKENIZERS_PARALLELISM="false", CUDA_VISIBLE_DEVICES="")
    with tempfile.TemporaryDirectory() as folder:
        child = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=folder, env=environment, preexec_fn=limits, text=True, errors="replace",
        )  # fmt: skip
        try:
            out, _ = child.communicate(text, timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return None, "time"
    return (out, None) if child.returncode == 0 else (out or None, f"exit {child.returncode}")


# Events of Python's audit hooks that judged code has no business with.
FORBIDDEN = ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn",
             "os.fork", "os.forkpty", "os.kill", "os.killpg", "os.remove", "os.rmdir", "os.rename", "os.truncate", "os.chmod", "os.chown",
             "os.link", "os.symlink", "os.mkdir", "shutil.rmtree", "webbrowser.open", "ctypes.dlopen.never")  # fmt: skip


class Refused(BaseException):
    """The judged code wanted to do what it may not."""


def forbid():
    """From here on this process neither writes outside its working directory nor talks to anyone."""
    home = os.path.realpath(os.getcwd())

    def inside(path):
        try:
            path = os.path.realpath(os.fspath(path))
        except TypeError:
            return True
        path = os.fsdecode(path)
        return path.startswith((home, "/dev/null", "/tmp"))  # noqa: S108

    def hook(event, arguments):
        if event == "open":
            path, _, flags = arguments
            writes = isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
            if writes and isinstance(path, (str, bytes, os.PathLike)) and not inside(path):
                raise PermissionError(f"sandbox: {path} is not written")
        elif event in FORBIDDEN:
            if event.startswith(("os.re", "os.rm", "os.tr", "os.ch", "os.li", "os.sy", "os.mk", "shutil")) and inside(arguments[0]):
                return
            raise PermissionError(f"sandbox: {event}")

    sys.addaudithook(hook)
