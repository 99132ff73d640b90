"""Error handling: load settings from several places, validate, retry, chain exceptions, clean up, groups of errors."""
import configparser
import json
import logging
import os
import tempfile
import traceback
from contextlib import ExitStack, suppress
from pathlib import Path

logger = logging.getLogger("config")
logger.addHandler(logging.NullHandler())


class ConfigError(Exception):
    """Something is wrong with the settings."""

    def __init__(self, message, *, key=None, path=None):
        super().__init__(message)
        self.key = key
        self.path = path

    def __str__(self):
        where = f" in {self.path.name}" if self.path else ""
        return f"{self.args[0]}{where}" + (f" (key {self.key!r})" if self.key else "")


class MissingKey(ConfigError, KeyError):
    pass


DEFAULTS = {"host": "localhost", "port": 8080, "debug": False, "tags": []}
READERS = {}


def reader(*suffixes):
    def register(f):
        for s in suffixes:
            READERS[s] = f
        return f

    return register


@reader(".json")
def read_json(path):
    try:
        return json.loads(path.read_text())
    except json.JSONDecodeError as e:
        raise ConfigError(f"bad JSON at line {e.lineno}", path=path) from e


@reader(".ini", ".cfg")
def read_ini(path):
    parser = configparser.ConfigParser()
    parser.read(path)
    if not parser.sections():
        raise ConfigError("no sections", path=path)
    return {k: v for section in parser.sections() for k, v in parser[section].items()}


def coerce(key, value):
    kind = type(DEFAULTS[key])
    if isinstance(value, kind):
        return value
    if kind is bool:
        try:
            return {"yes": True, "true": True, "no": False, "false": False}[str(value).lower()]
        except KeyError:
            raise ConfigError(f"{value!r} is no boolean", key=key) from None
    if kind is list:
        return [p.strip() for p in str(value).split(",")]
    try:
        return kind(value)
    except (TypeError, ValueError) as e:
        raise ConfigError(f"cannot read {value!r} as {kind.__name__}", key=key) from e


def load(path, env=os.environ, required=()):
    path = Path(path)
    settings = dict(DEFAULTS)
    problems = []
    try:
        raw = READERS[path.suffix](path)
    except KeyError:
        raise ConfigError(f"no reader for {path.suffix!r}") from None
    except FileNotFoundError:
        logger.warning("%s is missing, using defaults", path)
        raw = {}
    else:
        logger.info("read %d settings", len(raw))
    for key, value in raw.items():
        if key not in DEFAULTS:
            problems.append(ConfigError("unknown key", key=key, path=path))
            continue
        try:
            settings[key] = coerce(key, value)
        except ConfigError as e:
            problems.append(e)
    for key in DEFAULTS:
        override = env.get(f"APP_{key.upper()}")
        if override is not None:
            settings[key] = coerce(key, override)
    for key in required:
        if settings.get(key) in (None, "", []):
            raise MissingKey("required setting is empty", key=key)
    if problems:
        first, *others = problems
        for p in others:
            logger.error("%s", p)
        raise first
    return settings


def retry(times, on=(OSError,)):
    def wrap(f):
        def inner(*args, **kwargs):
            last = None
            for n in range(times):
                try:
                    return f(*args, **kwargs)
                except on as e:
                    last = e
                    logger.debug("attempt %d failed", n + 1)
            raise RuntimeError(f"gave up after {times}") from last

        return inner

    return wrap


calls = []


@retry(3)
def flaky(n):
    calls.append(n)
    if len(calls) < n:
        raise ConnectionError("down")
    return "up"


def order_of_events():
    events = []
    for kind in (None, ValueError, KeyError, ZeroDivisionError):
        try:
            try:
                if kind:
                    raise kind("x")
            except ValueError:
                events.append("value")
            else:
                events.append("fine")
            finally:
                events.append("finally")
        except LookupError as e:
            events.append(type(e).__name__)
        except ArithmeticError:
            events.append("arithmetic")
            continue
        events.append("after")
    return events


def main():
    with tempfile.TemporaryDirectory() as tmp, ExitStack() as stack:
        stack.callback(calls.clear)
        folder = Path(tmp)
        files = {
            "good.json": '{"port": "9000", "tags": "a, b"}',
            "broken.json": '{"port": ',
            "wrong.ini": "[server]\nport = many\ndebug = maybe\n",
            "odd.toml": "",
            "empty.cfg": "",
        }
        for name, text in files.items():
            (folder / name).write_text(text)
        print(load(folder / "good.json", env={"APP_DEBUG": "yes"}))
        for name in ("broken.json", "wrong.ini", "odd.toml", "empty.cfg", "good.yaml"):
            try:
                load(folder / name, env={})
            except ConfigError as e:
                print(name, "->", e, "| cause:", type(e.__cause__).__name__)
        print(load(folder / "none.json", env={})["port"])
        try:
            load(folder / "none.json", env={}, required=["host", "tags"])
        except KeyError as e:
            print("missing", e.key, isinstance(e, ConfigError))
        with suppress(FileNotFoundError):
            (folder / "nothing").unlink()
        print(flaky(3), len(calls))
        try:
            flaky(100)
        except RuntimeError as e:
            assert isinstance(e.__cause__, ConnectionError)
            summary = traceback.format_exception_only(type(e), e)[-1].strip()
            print(summary)
    print(order_of_events(), calls)


if __name__ == "__main__":
    main()
