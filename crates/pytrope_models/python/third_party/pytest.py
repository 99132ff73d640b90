"""`pytest`: what ends a test; the rest is not modelled."""


def skip(reason="", *, allow_module_level=False):
    raise SystemExit(reason)


def fail(reason="", pytrace=True):
    raise SystemExit(reason)


def xfail(reason=""):
    raise SystemExit(reason)


def exit(reason="", returncode=None):
    raise SystemExit(reason)
