"""Async code: a crawler over a pretend network, with queues, semaphores, timeouts and async generators."""
import asyncio
import contextlib
import time
from dataclasses import dataclass, field

SITE = {
    "/": ["/a", "/b", "/slow"],
    "/a": ["/b", "/c"],
    "/b": ["/"],
    "/c": ["/missing"],
    "/slow": [],
}


class NotFound(LookupError):
    pass


@dataclass
class Page:
    url: str
    links: list = field(default_factory=list)
    took: float = 0.0


class Clock:
    def __init__(self):
        self.laps = {}

    @contextlib.asynccontextmanager
    async def measure(self, name):
        start = time.perf_counter()
        try:
            yield self
        finally:
            self.laps[name] = time.perf_counter() - start


async def fetch(url):
    await asyncio.sleep(0.2 if url == "/slow" else 0.001)
    try:
        return Page(url, SITE[url])
    except KeyError:
        raise NotFound(url) from None


async def fetch_with_retry(url, attempts=3, timeout=0.05):
    for attempt in range(1, attempts + 1):
        try:
            return await asyncio.wait_for(fetch(url), timeout)
        except asyncio.TimeoutError:
            if attempt == attempts:
                return None
            await asyncio.sleep(0)


class Crawler:
    def __init__(self, workers=2):
        self.queue = asyncio.Queue()
        self.pages = {}
        self.errors = []
        self.workers = workers
        self._seen = set()

    def enqueue(self, url):
        if url not in self._seen:
            self._seen.add(url)
            self.queue.put_nowait(url)

    async def worker(self, name):
        while True:
            url = await self.queue.get()
            try:
                page = await fetch_with_retry(url)
                if page is None:
                    self.errors.append((url, "timeout"))
                else:
                    self.pages[url] = page
                    for link in page.links:
                        self.enqueue(link)
            except NotFound as e:
                self.errors.append((e.args[0], "missing"))
            finally:
                self.queue.task_done()

    async def run(self, start):
        self.enqueue(start)
        tasks = [asyncio.create_task(self.worker(f"w{i}")) for i in range(self.workers)]
        await self.queue.join()
        for t in tasks:
            t.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return self.pages

    def __aiter__(self):
        return self._walk()

    async def _walk(self):
        for url in sorted(self.pages):
            await asyncio.sleep(0)
            yield self.pages[url]


async def ticker(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


async def main():
    clock = Clock()
    crawler = Crawler(workers=3)
    async with clock.measure("crawl") as c:
        pages = await crawler.run("/")
        assert c is clock
    print(sorted(pages), sorted(crawler.errors))
    print([p.url async for p in crawler if p.links], clock.laps["crawl"] > 0)
    total = 0
    async for tick in ticker(5):
        if tick == 3:
            break
        total += tick
    results = await asyncio.gather(fetch("/a"), fetch("/nowhere"), return_exceptions=True)
    ok = [r for r in results if not isinstance(r, Exception)]
    print(total, len(ok), type(results[1]).__name__)
    semaphore = asyncio.Semaphore(2)

    async def limited(k):
        async with semaphore:
            await asyncio.sleep(0)
            return k * k

    print(await asyncio.gather(*(limited(k) for k in range(4))))
    with contextlib.suppress(asyncio.CancelledError):
        task = asyncio.ensure_future(asyncio.sleep(10))
        task.cancel()
        await task
    event = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.call_soon(event.set)
    await event.wait()


asyncio.run(main())
