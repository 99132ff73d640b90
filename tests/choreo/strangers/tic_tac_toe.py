"""Two players, after ChoRus: moves travel, either may end the game."""

from enum import Enum

from pytrope.choreo import At, Ch2, Channel, Role


class A(Role): ...


class B(Role): ...


class Turn(Enum):
    GO = 1
    OVER = 2


def winner(board: str) -> str:
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    for i, j, k in lines:
        if board[i] != "." and board[i] == board[j] == board[k]:
            return board[i]
    return ""


def place(board: str, at: int, mark: str) -> str:
    return board[:at] + mark + board[at + 1 :]


def free(board: str, wish: list[int]) -> int:
    for at in wish + list(range(9)):
        if board[at] == ".":
            return at
    raise ValueError("the board is full")


class TicTacToe(Ch2[A, B]):
    """ChoRus's example: two players, moves travel."""

    def __init__(self, ch: Channel[object, A, B]) -> None:
        self.ch = ch

    def run(self, mine: At[list[int], A], yours: At[list[int], B]) -> tuple[At[str, A], At[str, B]]:
        a: At[str, A] = "........."
        b: At[str, B] = "........."
        while True:
            move: At[int, A] = free(a, mine)
            a = place(a, move, "x")
            b = place(b, self.ch.com(move), "x")
            if winner(a) or "." not in a:
                self.ch.select(Turn.OVER @ A())
                break
            self.ch.select(Turn.GO @ A())
            reply: At[int, B] = free(b, yours)
            b = place(b, reply, "o")
            a = place(a, self.ch.com(reply), "o")
            if winner(b):
                self.ch.select(Turn.OVER @ B())
                break
            self.ch.select(Turn.GO @ B())
        return a, b


# run: TicTacToe.run A.mine=[0,4,8] B.yours=[1,2,5]
