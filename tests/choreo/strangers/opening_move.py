"""Tic-tac-toe as in ChoRus's examples: both players keep the board."""

from __future__ import annotations

from enum import Enum

import pytrope.choreo as pc
from pytrope.choreo import At, Channel, Role


class X(Role): ...


class O(Role): ...


class Go(Enum):
    ON = 1
    OVER = 2


Board = tuple[str, ...]


def winner(board: Board) -> str:
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    for a, b, c in lines:
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return "" if " " in board else "draw"


def first_free(board: Board) -> int:
    return board.index(" ")


def last_free(board: Board) -> int:
    return max(i for i, cell in enumerate(board) if cell == " ")


def put(board: Board, at: int, mark: str) -> Board:
    return (*board[:at], mark, *board[at + 1 :])


class TicTacToe(pc.Ch2[X, O]):
    def __init__(self, ch: Channel[int, X, O]) -> None:
        self.ch = ch

    def play(self) -> At[str, X | O]:
        board: At[Board, X | O] = (" ",) * 9
        while True:
            move: At[int, X] = first_free(board)
            theirs = self.ch.com(move)
            board_x: At[Board, X] = put(board, move, "X")
            board_o: At[Board, O] = put(board, theirs, "X")
            break
        return winner(board)


# run: TicTacToe.play
