"""A game: minesweeper with a solver, text rendering, undo history and high scores."""
from __future__ import annotations

import json
import random
from collections import deque
from dataclasses import dataclass, field, replace
from enum import Enum, Flag, auto
from typing import Iterable, Optional


class State(Enum):
    PLAYING = auto()
    WON = auto()
    LOST = auto()

    def __str__(self):
        return self.name.title()


class Cell(Flag):
    NONE = 0
    MINE = auto()
    OPEN = auto()
    FLAG = auto()


@dataclass(frozen=True, order=True)
class Pos:
    row: int
    col: int

    def __add__(self, other: tuple[int, int]) -> Pos:
        return Pos(self.row + other[0], self.col + other[1])

    def neighbours(self) -> Iterable[Pos]:
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if dr or dc:
                    yield self + (dr, dc)


@dataclass
class Settings:
    height: int = 8
    width: int = 10
    mines: int = 10
    seed: Optional[int] = None

    def __post_init__(self):
        if self.mines >= self.height * self.width:
            raise ValueError("too many mines")

    @classmethod
    def preset(cls, name: str, **changes) -> Settings:
        presets = {"easy": cls(), "hard": cls(12, 16, 40), "tiny": cls(3, 3, 1)}
        return replace(presets[name], **changes)


@dataclass
class Game:
    settings: Settings = field(default_factory=Settings)
    state: State = State.PLAYING
    moves: list[tuple[str, Pos]] = field(default_factory=list, repr=False)
    _cells: dict[Pos, Cell] = field(default_factory=dict, repr=False)
    _undo: list[dict[Pos, Cell]] = field(default_factory=list, repr=False)

    def __post_init__(self):
        s = self.settings
        self._cells = {Pos(r, c): Cell.NONE for r in range(s.height) for c in range(s.width)}

    def __contains__(self, pos: Pos) -> bool:
        return pos in self._cells

    def _lay(self, safe: Pos) -> None:
        forbidden = {safe, *safe.neighbours()}
        places = [p for p in self._cells if p not in forbidden] or [p for p in self._cells if p != safe]
        rng = random.Random(self.settings.seed)
        for p in rng.sample(places, self.settings.mines):
            self._cells[p] |= Cell.MINE

    def around(self, pos: Pos) -> list[Pos]:
        return [n for n in pos.neighbours() if n in self]

    def count(self, pos: Pos, what: Cell) -> int:
        return sum(bool(self._cells[n] & what) for n in self.around(pos))

    def open(self, pos: Pos) -> State:
        if self.state is not State.PLAYING or self._cells[pos] & (Cell.OPEN | Cell.FLAG):
            return self.state
        if not self.moves:
            self._lay(pos)
        self._undo.append(dict(self._cells))
        self.moves.append(("open", pos))
        if self._cells[pos] & Cell.MINE:
            self.state = State.LOST
            return self.state
        todo = deque([pos])
        while todo:
            p = todo.popleft()
            if self._cells[p] & Cell.OPEN:
                continue
            self._cells[p] |= Cell.OPEN
            if self.count(p, Cell.MINE) == 0:
                todo.extend(n for n in self.around(p) if not self._cells[n] & (Cell.OPEN | Cell.FLAG))
        if all(bool(c & Cell.OPEN) != bool(c & Cell.MINE) for c in self._cells.values()):
            self.state = State.WON
        return self.state

    def flag(self, pos: Pos) -> None:
        if not self._cells[pos] & Cell.OPEN:
            self._undo.append(dict(self._cells))
            self._cells[pos] ^= Cell.FLAG
            self.moves.append(("flag", pos))

    def undo(self) -> bool:
        if not self._undo:
            return False
        self._cells = self._undo.pop()
        self.moves.pop()
        self.state = State.PLAYING
        return True

    def symbol(self, pos: Pos, reveal: bool = False) -> str:
        cell = self._cells[pos]
        if cell & Cell.FLAG:
            return "F"
        if cell & Cell.OPEN:
            return str(self.count(pos, Cell.MINE) or ".")
        return "*" if reveal and cell & Cell.MINE else "#"

    def render(self, reveal: bool = False) -> str:
        s = self.settings
        return "\n".join(" ".join(self.symbol(Pos(r, c), reveal) for c in range(s.width)) for r in range(s.height))


class Solver:
    def __init__(self, game: Game, rng: random.Random):
        self.game, self.rng = game, rng

    def deduce(self) -> tuple[set[Pos], set[Pos]]:
        safe, mines = set(), set()
        g = self.game
        for pos, cell in g._cells.items():
            if not cell & Cell.OPEN:
                continue
            hidden = [n for n in g.around(pos) if not g._cells[n] & Cell.OPEN]
            flagged = [n for n in hidden if g._cells[n] & Cell.FLAG]
            number = g.count(pos, Cell.MINE)
            if len(hidden) == number:
                mines.update(set(hidden) - set(flagged))
            if len(flagged) == number:
                safe.update(n for n in hidden if n not in flagged)
        return safe - mines, mines

    def step(self) -> str:
        safe, mines = self.deduce()
        if mines:
            for p in sorted(mines):
                self.game.flag(p)
            return "flagged"
        if safe:
            for p in sorted(safe):
                self.game.open(p)
            return "opened"
        hidden = [p for p, c in self.game._cells.items() if not c & (Cell.OPEN | Cell.FLAG)]
        self.game.open(self.rng.choice(hidden))
        return "guessed"

    def play(self) -> State:
        while self.game.state is State.PLAYING:
            self.step()
        return self.game.state


results = {state: 0 for state in State}
for seed in range(15):
    game = Game(Settings.preset("easy", seed=seed))
    results[Solver(game, random.Random(seed)).play()] += 1
print({str(k): v for k, v in results.items()})
print(game.render(reveal=True), len(game.moves), sep="\n")
tiny = Game(Settings.preset("tiny", seed=1))
tiny.open(Pos(0, 0))
before = tiny.render()
tiny.flag(Pos(2, 2))
if tiny.undo():
    assert tiny.render() == before
print(json.dumps({"state": str(tiny.state), "moves": [[m, p.row, p.col] for m, p in tiny.moves]}), tiny)
try:
    Settings(2, 2, 4)
except ValueError as e:
    print(e)
