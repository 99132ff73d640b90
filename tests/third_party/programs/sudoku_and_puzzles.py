"""Puzzles: sudoku by constraint propagation, n-queens, knapsack, coin change, Hanoi, magic squares."""
import sys
from functools import cache
from itertools import permutations

ROWS, COLS = "ABCDEFGHI", "123456789"


def cross(a, b):
    return [x + y for x in a for y in b]


SQUARES = cross(ROWS, COLS)
UNITLIST = (
    [cross(ROWS, c) for c in COLS]
    + [cross(r, COLS) for r in ROWS]
    + [cross(rs, cs) for rs in ("ABC", "DEF", "GHI") for cs in ("123", "456", "789")]
)
UNITS = {s: [u for u in UNITLIST if s in u] for s in SQUARES}
PEERS = {s: set(sum(UNITS[s], [])) - {s} for s in SQUARES}
assert len(SQUARES) == 81 and all(len(PEERS[s]) == 20 for s in SQUARES)


def parse_grid(grid):
    values = {s: COLS for s in SQUARES}
    chars = [c for c in grid if c in COLS or c in "0."]
    if len(chars) != 81:
        raise ValueError(f"{len(chars)} cells")
    for s, d in zip(SQUARES, chars):
        if d in COLS and not assign(values, s, d):
            return False
    return values


def assign(values, s, d):
    others = values[s].replace(d, "")
    if all(eliminate(values, s, d2) for d2 in others):
        return values
    return False


def eliminate(values, s, d):
    if d not in values[s]:
        return values
    values[s] = values[s].replace(d, "")
    if len(values[s]) == 0:
        return False
    elif len(values[s]) == 1:
        d2 = values[s]
        if not all(eliminate(values, s2, d2) for s2 in PEERS[s]):
            return False
    for u in UNITS[s]:
        places = [s2 for s2 in u if d in values[s2]]
        if len(places) == 0:
            return False
        elif len(places) == 1:
            if not assign(values, places[0], d):
                return False
    return values


def search(values):
    if values is False:
        return False
    if all(len(values[s]) == 1 for s in SQUARES):
        return values
    n, s = min((len(values[s]), s) for s in SQUARES if len(values[s]) > 1)
    for d in values[s]:
        result = search(assign(values.copy(), s, d))
        if result:
            return result
    return False


def queens(n):
    def place(row, cols, diag1, diag2, board):
        if row == n:
            solutions.append(tuple(board))
            return
        for c in range(n):
            if c in cols or row + c in diag1 or row - c in diag2:
                continue
            place(row + 1, cols | {c}, diag1 | {row + c}, diag2 | {row - c}, board + [c])

    solutions = []
    place(0, frozenset(), frozenset(), frozenset(), [])
    return solutions


def knapsack(items, capacity):
    best = [[0] * (capacity + 1) for _ in range(len(items) + 1)]
    for i, (_, weight, value) in enumerate(items, start=1):
        for c in range(capacity + 1):
            best[i][c] = best[i - 1][c]
            if weight <= c:
                best[i][c] = max(best[i][c], best[i - 1][c - weight] + value)
    chosen, c = [], capacity
    for i in range(len(items), 0, -1):
        if best[i][c] != best[i - 1][c]:
            name, weight, _ = items[i - 1]
            chosen.append(name)
            c -= weight
    return best[-1][-1], chosen


@cache
def change(amount, coins):
    if amount == 0:
        return 1
    if amount < 0 or not coins:
        return 0
    return change(amount - coins[0], coins) + change(amount, coins[1:])


def hanoi(n, src="A", dst="C", via="B"):
    if n:
        yield from hanoi(n - 1, src, via, dst)
        yield src, dst
        yield from hanoi(n - 1, via, dst, src)


def edit_distance(a, b):
    previous = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        current = [i]
        for j, cb in enumerate(b, 1):
            current.append(min(previous[j] + 1, current[-1] + 1, previous[j - 1] + (ca != cb)))
        previous = current
    return previous[-1]


def send_more_money():
    letters = "SENDMORY"
    for digits in permutations(range(10), len(letters)):
        if digits[4] != 1:
            continue
        table = dict(zip(letters, digits))
        if table["S"] == 0:
            continue

        def number(word):
            return int("".join(str(table[c]) for c in word))

        if number("SEND") + number("MORE") == number("MONEY"):
            return table
    return None


grid = """
4.....8.5 .3....... ...7.....
.2.....6. ....8.4.. ....1....
...6.3.7. 5..2..... 1.4......
"""
solution = search(parse_grid(grid))
print(*("".join(solution[r + c] for c in COLS) for r in ROWS), sep="\n")
print(len(queens(6)), queens(4)[0], len(queens(3)))
print(knapsack([("map", 9, 150), ("water", 15, 200), ("tent", 11, 70), ("food", 7, 160)], 30))
print(change(100, (50, 25, 10, 5, 1)), len(list(hanoi(5))), edit_distance("kitten", "sitting"))
print(send_more_money())
sys.setrecursionlimit(max(sys.getrecursionlimit(), 2000))
