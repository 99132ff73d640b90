"""Text processing: Markov chains, n-gram statistics, TF-IDF search, spelling correction, run-length and Huffman codes."""
import heapq
import random
import string
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from itertools import groupby, pairwise

import numpy as np

CORPUS = """It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness, it was the epoch of belief, it was the epoch of incredulity,
it was the season of Light, it was the season of Darkness, it was the spring of hope,
it was the winter of despair. We had everything before us, we had nothing before us.""".replace("\n", " ")


def words(text):
    table = str.maketrans("", "", string.punctuation)
    return text.lower().translate(table).split()


class Markov:
    def __init__(self, order=2):
        self.order = order
        self.table = defaultdict(Counter)

    def train(self, tokens):
        padded = ["<s>"] * self.order + list(tokens) + ["</s>"]
        for i in range(len(padded) - self.order):
            key = tuple(padded[i : i + self.order])
            self.table[key][padded[i + self.order]] += 1
        return self

    def generate(self, rng, limit=15):
        state = ("<s>",) * self.order
        out = []
        while len(out) < limit:
            choices = self.table[state]
            token = rng.choices(list(choices), weights=choices.values())[0]
            if token == "</s>":
                break
            out.append(token)
            state = state[1:] + (token,)
        return " ".join(out)

    def perplexity(self, tokens):
        logs = []
        state = ("<s>",) * self.order
        for t in tokens:
            seen = self.table.get(state, Counter())
            logs.append(np.log((seen[t] + 1) / (sum(seen.values()) + 100)))
            state = (*state[1:], t)
        return float(np.exp(-np.mean(logs)))


def huffman(text):
    heap = [[n, [c, ""]] for c, n in sorted(Counter(text).items())]
    heapq.heapify(heap)
    if len(heap) == 1:
        return {heap[0][1][0]: "0"}
    while len(heap) > 1:
        lo, hi = heapq.heappop(heap), heapq.heappop(heap)
        for pair in lo[1:]:
            pair[1] = "0" + pair[1]
        for pair in hi[1:]:
            pair[1] = "1" + pair[1]
        heapq.heappush(heap, [lo[0] + hi[0], *lo[1:], *hi[1:]])
    return dict(heap[0][1:])


def decode(bits, codes):
    reverse = {v: k for k, v in codes.items()}
    out, current = [], ""
    for b in bits:
        current += b
        if current in reverse:
            out.append(reverse[current])
            current = ""
    assert not current, "dangling bits"
    return "".join(out)


def rle(s):
    return "".join(f"{len(list(g))}{c}" for c, g in groupby(s))


def caesar(text, shift):
    def move(c):
        if c.isalpha():
            base = ord("A" if c.isupper() else "a")
            return chr((ord(c) - base + shift) % 26 + base)
        return c

    return "".join(map(move, text))


class Speller:
    def __init__(self, vocabulary):
        self.counts = Counter(vocabulary)
        self.words = []
        for w in self.counts:
            insort(self.words, w)

    def known(self, w):
        i = bisect_left(self.words, w)
        return i < len(self.words) and self.words[i] == w

    def edits(self, w):
        splits = [(w[:i], w[i:]) for i in range(len(w) + 1)]
        deletes = {a + b[1:] for a, b in splits if b}
        swaps = {a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1}
        replaces = {a + c + b[1:] for a, b in splits if b for c in string.ascii_lowercase}
        inserts = {a + c + b for a, b in splits for c in string.ascii_lowercase}
        return deletes | swaps | replaces | inserts

    def correct(self, w):
        if self.known(w):
            return w
        options = [e for e in self.edits(w) if self.known(e)]
        return max(options, key=lambda o: (self.counts[o], o), default=w)


def tfidf(documents):
    vocabulary = sorted({w for d in documents for w in words(d)})
    column = {w: j for j, w in enumerate(vocabulary)}
    tf = np.zeros((len(documents), len(vocabulary)))
    for i, d in enumerate(documents):
        for w, n in Counter(words(d)).items():
            tf[i, column[w]] = n
    idf = np.log((1 + len(documents)) / (1 + (tf > 0).sum(axis=0))) + 1
    matrix = tf * idf
    return column, matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def search(query, column, matrix):
    q = np.zeros(matrix.shape[1])
    for w in words(query):
        if w in column:
            q[column[w]] += 1
    return int(np.argmax(matrix @ q))


tokens = words(CORPUS)
print(len(tokens), Counter(tokens).most_common(2), Counter(pairwise(tokens)).most_common(1)[0][0])
model = Markov().train(tokens)
print(model.generate(random.Random(3)), model.perplexity(tokens) < model.perplexity(tokens[::-1]))
codes = huffman(CORPUS)
bits = "".join(codes[c] for c in CORPUS)
assert decode(bits, codes) == CORPUS
print(f"{len(bits) / (8 * len(CORPUS)):.0%} of the size, shortest code for {min(codes, key=lambda c: (len(codes[c]), c))!r}")
print(rle("aaabccd"), caesar(caesar("Hello, World", 3), -3), huffman("aaa"))
speller = Speller(tokens)
print([speller.correct(w) for w in ("tmes", "wisdmo", "best", "qqqq")])
sentences = [s.strip() for s in CORPUS.split(",") if s.strip()]
column, matrix = tfidf(sentences)
print(matrix.shape[0] == len(sentences), sentences[search("season of darkness", column, matrix)])
longest = max(tokens, key=len)
print(f"{longest:^20}|{longest:.5}|{len(longest):03d}|{'x' * 3!r:>7}|{1234567.891:,.1f}|{0.256:.1%}|{255:#x}")
print("{0}-{1}-{0} {name!s:>5}".format("a", "b", name="c"), "%-5s|%5.1f|%d%%" % ("ab", 3.14159, 50))
