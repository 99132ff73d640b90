"""Simulation and games: life, elementary automata, a forest fire, snake on a grid, all in text."""
import random
from collections import deque
from enum import IntEnum, auto

import numpy as np


def life_step(world):
    neighbours = sum(
        np.roll(np.roll(world, dy, axis=0), dx, axis=1) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)
    )
    return ((neighbours == 3) | (world & (neighbours == 2))).astype(world.dtype)


def from_text(text):
    return np.array([[int(c == "#") for c in row] for row in text.split()])


def show(grid, symbols=".#"):
    return "\n".join("".join(symbols[v] for v in row) for row in grid)


def elementary(rule, width=31, steps=15):
    table = np.array([(rule >> k) & 1 for k in range(8)], dtype=np.uint8)
    row = np.zeros(width, dtype=np.uint8)
    row[width // 2] = 1
    history = [row]
    for _ in range(steps - 1):
        index = 4 * np.roll(row, 1) + 2 * row + np.roll(row, -1)
        row = table[index]
        history.append(row)
    return np.vstack(history)


class Cell(IntEnum):
    EMPTY = 0
    TREE = auto()
    FIRE = auto()


class Forest:
    def __init__(self, shape=(20, 30), density=0.6, seed=4):
        self.rng = np.random.default_rng(seed)
        self.grid = np.where(self.rng.random(shape) < density, Cell.TREE, Cell.EMPTY)
        self.grid[:, 0] = np.where(self.grid[:, 0] == Cell.TREE, Cell.FIRE, self.grid[:, 0])
        self.history = [self.count(Cell.FIRE)]

    def count(self, kind):
        return int((self.grid == kind).sum())

    def step(self):
        burning = np.pad(self.grid == Cell.FIRE, 1)
        near = burning[:-2, 1:-1] | burning[2:, 1:-1] | burning[1:-1, :-2] | burning[1:-1, 2:]
        new = self.grid.copy()
        new[self.grid == Cell.FIRE] = Cell.EMPTY
        new[(self.grid == Cell.TREE) & near] = Cell.FIRE
        self.grid = new
        self.history.append(self.count(Cell.FIRE))

    def burn(self):
        while self.history[-1]:
            self.step()
        return len(self.history) - 1


class Snake:
    MOVES = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}

    def __init__(self, height=6, width=8, rng=None):
        self.height, self.width = height, width
        self.rng = rng or random.Random(1)
        self.body = deque([(height // 2, 2), (height // 2, 1)])
        self.food = None
        self.place_food()
        self.score = 0
        self.alive = True

    def place_food(self):
        free = [(r, c) for r in range(self.height) for c in range(self.width) if (r, c) not in self.body]
        self.food = self.rng.choice(free) if free else None

    def move(self, key):
        if not self.alive:
            raise RuntimeError("the snake is dead")
        dr, dc = self.MOVES[key]
        r, c = self.body[0]
        head = (r + dr, c + dc)
        if not (0 <= head[0] < self.height and 0 <= head[1] < self.width) or head in self.body:
            self.alive = False
            return
        self.body.appendleft(head)
        if head == self.food:
            self.score += 1
            self.place_food()
        else:
            self.body.pop()

    def greedy(self):
        if self.food is None:
            return "R"
        (r, c), (fr, fc) = self.body[0], self.food
        wishes = []
        if fr != r:
            wishes.append("U" if fr < r else "D")
        if fc != c:
            wishes.append("L" if fc < c else "R")
        for key in wishes + list(self.MOVES):
            dr, dc = self.MOVES[key]
            p = r + dr, c + dc
            if p not in self.body and 0 <= p[0] < self.height and 0 <= p[1] < self.width:
                return key
        return wishes[0]

    def __str__(self):
        rows = [["."] * self.width for _ in range(self.height)]
        for r, c in self.body:
            rows[r][c] = "o"
        if self.food:
            fr, fc = self.food
            rows[fr][fc] = "*"
        return "\n".join(map("".join, rows))


glider = from_text(".#.... ..#... ###... ...... ...... ......")
world = glider
for _ in range(24):
    world = life_step(world)
assert (world == np.roll(glider, (6, 6), axis=(0, 1))).all()
print(show(world))
triangle = elementary(90)
print(show(triangle[:4], " x"), triangle.shape, triangle.sum(axis=1)[:4])
forest = Forest()
steps = forest.burn()
print("burnt out after", steps, "peak", max(forest.history), "left", forest.count(Cell.TREE))
snake = Snake()
for turn in range(200):
    snake.move(snake.greedy())
    if not snake.alive:
        break
print(snake, snake.score, len(snake.body) == snake.score + 2, sep="\n")
