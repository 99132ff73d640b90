"""Threads, queues, weak references, an event bus, a plugin registry, timers and an LRU cache class."""
import concurrent.futures
import functools
import queue
import threading
import weakref
from collections import OrderedDict, defaultdict
from contextlib import contextmanager
from typing import Callable, Generic, Iterator, TypeVar

K = TypeVar("K")
V = TypeVar("V")
_missing = object()


class LRU(Generic[K, V]):
    def __init__(self, capacity: int = 3) -> None:
        self.capacity = capacity
        self._data: "OrderedDict[K, V]" = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key: K, default=_missing):
        try:
            self._data.move_to_end(key)
        except KeyError:
            self.misses += 1
            if default is _missing:
                raise
            return default
        self.hits += 1
        return self._data[key]

    def put(self, key: K, value: V) -> None:
        self._data[key] = value
        self._data.move_to_end(key)
        while len(self._data) > self.capacity:
            self._data.popitem(last=False)

    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[K]:
        return iter(self._data)


class EventBus:
    def __init__(self):
        self._handlers = defaultdict(list)
        self._lock = threading.RLock()

    def on(self, name, handler=None, *, priority=0):
        if handler is None:
            return functools.partial(self.on, name, priority=priority)
        with self._lock:
            self._handlers[name].append((priority, handler))
            self._handlers[name].sort(key=lambda pair: -pair[0])
        return handler

    def emit(self, name, /, *args, **kwargs):
        results = []
        for _, handler in list(self._handlers.get(name, ())):
            out = handler(*args, **kwargs)
            if out is StopIteration:
                break
            results.append(out)
        return results

    @contextmanager
    def listening(self, name, handler):
        self.on(name, handler)
        try:
            yield self
        finally:
            self._handlers[name] = [(p, h) for p, h in self._handlers[name] if h is not handler]


class Worker(threading.Thread):
    def __init__(self, jobs, results):
        super().__init__(daemon=True)
        self.jobs, self.results = jobs, results

    def run(self):
        while (job := self.jobs.get()) is not None:
            n, f = job
            try:
                self.results[n] = f(n)
            except Exception as e:
                self.results[n] = repr(e)
            finally:
                self.jobs.task_done()


class Counter:
    _instances = weakref.WeakSet()

    def __init__(self):
        self.value = 0
        self._lock = threading.Lock()
        Counter._instances.add(self)

    def increment(self, by=1):
        with self._lock:
            self.value += by
            return self.value

    @classmethod
    def alive(cls):
        return len(cls._instances)


def memoise(cache: LRU) -> Callable:
    def decorate(f):
        @functools.wraps(f)
        def wrapper(*args):
            if args in cache:
                return cache.get(args)
            result = f(*args)
            cache.put(args, result)
            return result

        wrapper.cache = cache
        return wrapper

    return decorate


@memoise(LRU(50))
def fib(n):
    """The n-th Fibonacci number."""
    return n if n < 2 else fib(n - 1) + fib(n - 2)


bus = EventBus()
log = []


@bus.on("order", priority=1)
def audit(item, *, amount=1):
    log.append(f"{amount} x {item}")
    return "audited"


@bus.on("order")
def ship(item, amount=1):
    if amount > 10:
        return StopIteration
    return f"shipped {item}"


bus.on("order", lambda item, **kw: kw.get("amount", 0))
print(bus.emit("order", "book"), bus.emit("order", "pen", amount=99), bus.emit("nothing"), log)
with bus.listening("tick", log.append) as same:
    same.emit("tick", "tock")
print(bus.emit("tick", "late"), log[-1])

cache = LRU(2)
for k, v in zip("abc", range(3)):
    cache.put(k, v)
print(list(cache), cache.get("b"), cache.get("a", None), "a" in cache, cache.hits, cache.misses)
try:
    cache.get("zzz")
except KeyError as e:
    print("missing", e.args[0])
print(fib(40), fib.__name__, fib.__doc__, fib.cache.hits > 0)

jobs, results = queue.Queue(), {}
workers = [Worker(jobs, results) for _ in range(3)]
for w in workers:
    w.start()
for n in range(6):
    jobs.put((n, lambda k: 12 / (k - 3)))
jobs.join()
for _ in workers:
    jobs.put(None)
print([results[n] for n in sorted(results)])

counter = Counter()
with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
    futures = [pool.submit(counter.increment, by) for by in range(10)]
    done = sum(1 for f in concurrent.futures.as_completed(futures) if f.result() >= 0)
    squares = list(pool.map(lambda v: v**2, range(5)))
print(counter.value, done, squares, Counter.alive())
del counter
print(Counter.alive())
