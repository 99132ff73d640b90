"""A small library database: sqlite3, context managers, row factories, reports, binary files with struct."""
import datetime
import hashlib
import itertools
import sqlite3
import struct
import tempfile
import zlib
from contextlib import closing
from pathlib import Path

SCHEMA = """
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year INTEGER, author INTEGER REFERENCES author(id));
CREATE TABLE loan (book INTEGER, reader TEXT, due TEXT, PRIMARY KEY (book, reader));
"""
BOOKS = [
    ("Dune", 1965, "Herbert"),
    ("Emma", 1815, "Austen"),
    ("Persuasion", 1817, "Austen"),
    ("Ulysses", 1922, "Joyce"),
]


class Library:
    def __init__(self, path=":memory:"):
        self.db = sqlite3.connect(path)
        self.db.row_factory = sqlite3.Row
        self.db.executescript(SCHEMA)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.db.close()

    def author(self, name):
        row = self.db.execute("SELECT id FROM author WHERE name = ?", (name,)).fetchone()
        if row is not None:
            return row["id"]
        return self.db.execute("INSERT INTO author (name) VALUES (?)", (name,)).lastrowid

    def add(self, books):
        with self.db:
            self.db.executemany(
                "INSERT INTO book (title, year, author) VALUES (?, ?, ?)",
                ((title, year, self.author(name)) for title, year, name in books),
            )

    def lend(self, title, reader, days=14, today=None):
        today = today or datetime.date(2024, 1, 1)
        row = self.db.execute("SELECT id FROM book WHERE title LIKE ?", (title,)).fetchone()
        if not row:
            raise LookupError(title)
        due = today + datetime.timedelta(days=days)
        try:
            with self.db:
                self.db.execute("INSERT INTO loan VALUES (?, ?, ?)", (row[0], reader, due.isoformat()))
        except sqlite3.IntegrityError:
            return None
        return due

    def overdue(self, today):
        query = """SELECT b.title, l.reader, l.due FROM loan l JOIN book b ON b.id = l.book
                   WHERE l.due < :today ORDER BY l.due"""
        return [tuple(r) for r in self.db.execute(query, {"today": today.isoformat()})]

    def by_author(self):
        rows = self.db.execute(
            "SELECT a.name, b.title, b.year FROM book b JOIN author a ON a.id = b.author ORDER BY a.name, b.year"
        ).fetchall()
        return {name: [(r["title"], r["year"]) for r in group] for name, group in itertools.groupby(rows, key=lambda r: r["name"])}


HEADER = struct.Struct("<4sHI")
RECORD = struct.Struct("<Hh20s")


def save(path, books):
    body = b"".join(RECORD.pack(year, len(title), title.encode()[:20].ljust(20, b"\0")) for title, year, _ in books)
    packed = zlib.compress(body)
    with open(path, "wb") as f:
        f.write(HEADER.pack(b"LIB1", len(books), zlib.crc32(body)))
        f.write(packed)
    return f.closed


def read(path):
    with open(path, "rb") as f:
        magic, count, crc = HEADER.unpack(f.read(HEADER.size))
        if magic != b"LIB1":
            raise ValueError(f"bad magic {magic!r}")
        body = zlib.decompress(f.read())
    if zlib.crc32(body) != crc:
        raise ValueError("checksum")
    for year, length, title in RECORD.iter_unpack(body):
        yield title[:length].rstrip(b"\0").decode(), year
    assert len(body) == count * RECORD.size


def fingerprint(path):
    digest = hashlib.sha256()
    with open(path, "rb") as f:
        for block in iter(lambda: f.read(16), b""):
            digest.update(block)
    return digest.hexdigest()[:8]


with Library() as library:
    library.add(BOOKS)
    due = library.lend("dune", "Kim")
    again = library.lend("Dune", "Kim")
    print(due, again, library.lend("E%", "Lee", days=1))
    try:
        library.lend("Nothing", "Kim")
    except LookupError as e:
        print("no book", e)
    for title, reader, when in library.overdue(datetime.date(2024, 2, 1)):
        late = (datetime.date(2024, 2, 1) - datetime.date.fromisoformat(when)).days
        print(f"{title:<10} {reader} {late:>3} days late")
    catalogue = library.by_author()
print({k: len(v) for k, v in catalogue.items()}, min(y for books in catalogue.values() for _, y in books))

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "books.bin")
    print(save(path, BOOKS), path.stat().st_size, len(fingerprint(path)))
    restored = list(read(path))
    assert restored == [(t, y) for t, y, _ in BOOKS]
    data = bytearray(path.read_bytes())
    data[0:4] = b"XXXX"
    path.write_bytes(data)
    try:
        next(read(path))
    except ValueError as e:
        print(e)
with closing(sqlite3.connect(":memory:")) as db:
    (answer,) = db.execute("SELECT 6 * 7").fetchone()
    print(answer, memoryview(b"abc")[1], bytes(range(3)).hex(), int.from_bytes(b"\x01\x00", "big"))
