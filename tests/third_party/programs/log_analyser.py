"""Text processing: parse a web server's log with regular expressions and collections."""
import re
import textwrap
from collections import Counter, OrderedDict, defaultdict, namedtuple
from datetime import datetime
from itertools import groupby
from operator import attrgetter, itemgetter

LOG = textwrap.dedent(
    """\
    127.0.0.1 - - [10/Oct/2023:13:55:36 +0000] "GET /index.html HTTP/1.1" 200 2326 "-" "Mozilla/5.0"
    10.0.0.7 - ann [10/Oct/2023:13:55:40 +0000] "POST /login HTTP/1.1" 302 - "-" "curl/8.0"
    127.0.0.1 - - [10/Oct/2023:14:02:01 +0000] "GET /img/logo.png?v=2 HTTP/1.1" 404 153 "/index.html" "Mozilla/5.0"
    this line is garbage
    10.0.0.7 - ann [10/Oct/2023:14:02:05 +0000] "GET /report.pdf HTTP/1.1" 200 90211 "-" "curl/8.0"
    10.0.0.9 - - [11/Oct/2023:00:00:00 +0000] "GET /index.html HTTP/1.1" 500 12 "-" "bot"
    """
)

PATTERN = re.compile(
    r"""(?P<host>\S+)\ \S+\ (?P<user>\S+)\ \[(?P<time>[^\]]+)\]\ "
        (?P<method>[A-Z]+)\ (?P<path>\S+)\ [^"]*"\ (?P<status>\d{3})\ (?P<size>\d+|-)
        \ "(?P<referer>[^"]*)"\ "(?P<agent>[^"]*)" """.rstrip(),
    re.VERBOSE,
)

Hit = namedtuple("Hit", "host user time method path query status size agent")


def parse_line(line):
    m = PATTERN.match(line)
    if m is None:
        return None
    d = m.groupdict()
    path, _, query = d["path"].partition("?")
    return Hit(
        host=d["host"],
        user=None if d["user"] == "-" else d["user"],
        time=datetime.strptime(d["time"], "%d/%b/%Y:%H:%M:%S %z"),
        method=d["method"],
        path=path,
        query=dict(p.split("=", 1) for p in query.split("&")) if query else {},
        status=int(d["status"]),
        size=0 if d["size"] == "-" else int(d["size"]),
        agent=d["agent"],
    )


def parse(text):
    good, bad = [], []
    for number, line in enumerate(text.splitlines(), 1):
        hit = parse_line(line)
        (good if hit else bad).append(hit or (number, line))
    return good, bad


def human(size):
    for unit in ("B", "kB", "MB"):
        if size < 1024:
            return f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GB"


def table(rows, headers):
    rows = [tuple(map(str, r)) for r in rows]
    widths = [max(map(len, col)) for col in zip(headers, *rows)]
    fmt = "  ".join(f"{{:<{w}}}" for w in widths)
    yield fmt.format(*headers)
    yield "  ".join("-" * w for w in widths)
    for r in rows:
        yield fmt.format(*r)


def word_wrap_stats(text, stop=frozenset({"the", "is", "a"})):
    words = re.findall(r"[a-z']+", text.lower())
    lengths = defaultdict(set)
    for w in words:
        if w not in stop:
            lengths[len(w)].add(w)
    return OrderedDict(sorted(lengths.items(), reverse=True))


hits, bad = parse(LOG)
print(f"{len(hits)} hits, {len(bad)} bad: {bad[0][1]!r} at line {bad[0][0]}")
by_status = Counter(h.status // 100 for h in hits)
print(", ".join(f"{k}xx: {v}" for k, v in sorted(by_status.items())))

traffic = defaultdict(int)
for h in hits:
    traffic[h.host] += h.size
top = sorted(traffic.items(), key=itemgetter(1), reverse=True)
print("\n".join(table([(host, human(size)) for host, size in top], ["host", "traffic"])))

by_hour = {}
for hour, group in groupby(hits, key=lambda h: h.time.replace(minute=0, second=0)):
    group = list(group)
    by_hour[hour.strftime("%d %H:%M")] = (len(group), max(group, key=attrgetter("size")).path)
print(by_hour)

logo = next(h for h in hits if h.path.endswith(".png"))
print(logo.query.get("v", "?"), logo._asdict()["method"], [h.user or "anonymous" for h in hits])
masked = re.sub(r"(\d+)\.(\d+)\.\d+\.\d+", lambda m: f"{m[1]}.{m[2]}.*.*", hits[0].host)
print(masked, re.split(r"[,;]\s*", "a, b;c"), PATTERN.groups)
for length, words in word_wrap_stats("The quick brown fox is quicker than a lazy dog's tail").items():
    print(length, sorted(words))
first, *_, last = hits
print((last.time - first.time).total_seconds() // 3600, "hours")
