"""A game: tic-tac-toe with minimax, scripted players and a scoreboard."""
import random
from abc import ABC, abstractmethod
from functools import lru_cache

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
EMPTY = " "


class IllegalMove(Exception):
    def __init__(self, cell, reason):
        super().__init__(f"cell {cell}: {reason}")
        self.cell = cell


class Board:
    def __init__(self, cells=None):
        self.cells = list(cells) if cells else [EMPTY] * 9

    def play(self, cell, mark):
        if not 0 <= cell < 9:
            raise IllegalMove(cell, "off the board")
        if self.cells[cell] != EMPTY:
            raise IllegalMove(cell, "taken")
        self.cells[cell] = mark

    @property
    def free(self):
        return [i for i, c in enumerate(self.cells) if c == EMPTY]

    @property
    def winner(self):
        return winner_of("".join(self.cells))

    def __str__(self):
        rows = [self.cells[i : i + 3] for i in (0, 3, 6)]
        return "\n-+-+-\n".join("|".join(r) for r in rows)


@lru_cache(maxsize=None)
def winner_of(cells):
    for a, b, c in LINES:
        if cells[a] != EMPTY and cells[a] == cells[b] == cells[c]:
            return cells[a]
    if EMPTY not in cells:
        return "draw"
    return None


@lru_cache(maxsize=None)
def minimax(cells, mark, me):
    result = winner_of(cells)
    if result is not None:
        if result == "draw":
            return 0, None
        return (1 if result == me else -1), None
    other = "O" if mark == "X" else "X"
    best, best_move = (-2 if mark == me else 2), None
    for i, c in enumerate(cells):
        if c != EMPTY:
            continue
        child = cells[:i] + mark + cells[i + 1 :]
        value, _ = minimax(child, other, me)
        if (mark == me and value > best) or (mark != me and value < best):
            best, best_move = value, i
    return best, best_move


class Player(ABC):
    wins = 0

    def __init__(self, mark, name=None):
        self.mark = mark
        self.name = name or type(self).__name__

    @abstractmethod
    def choose(self, board):
        """The cell to play."""

    def __repr__(self):
        return f"<{self.name} {self.mark}>"


class RandomPlayer(Player):
    def __init__(self, mark, rng):
        super().__init__(mark)
        self.rng = rng

    def choose(self, board):
        return self.rng.choice(board.free)


class PerfectPlayer(Player):
    def choose(self, board):
        _, move = minimax("".join(board.cells), self.mark, self.mark)
        return move


class ScriptedPlayer(Player):
    def __init__(self, mark, script):
        super().__init__(mark, name="script")
        self._script = iter(script)

    def choose(self, board):
        return next(self._script, board.free[0])


def match(first, second, verbose=False):
    board = Board()
    players = [first, second]
    turn = 0
    while board.winner is None:
        player = players[turn % 2]
        try:
            board.play(player.choose(board), player.mark)
        except IllegalMove as problem:
            if verbose:
                print(player, "lost a turn:", problem, problem.cell)
        turn += 1
        if verbose:
            print(board, end="\n\n")
    if board.winner != "draw":
        champion = next(p for p in players if p.mark == board.winner)
        champion.wins += 1
    return board.winner


rng = random.Random(5)
perfect, rand = PerfectPlayer("X"), RandomPlayer("O", rng)
tally = {"X": 0, "O": 0, "draw": 0}
for game in range(20):
    pair = (perfect, rand) if game % 2 == 0 else (rand, perfect)
    tally[match(*pair)] += 1
print(tally, perfect.wins, Player.wins)
assert tally["O"] == 0
print(match(ScriptedPlayer("X", [0, 0, 9, 3, 6]), ScriptedPlayer("O", [1, 4, 5, 2]), verbose=False))
print(winner_of.cache_info().hits > 0, [p for p in (perfect, rand)])
