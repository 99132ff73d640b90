from dataclasses import dataclass
from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class Boss(Role): ...


class Left(Role): ...


class Right(Role): ...


class Job(Enum):
    WORK = 1
    IDLE = 2
    STOP = 3


@dataclass
class Task:
    id: int
    payload: list[int]


class Pool(Ch3[Boss, Left, Right]):
    """Work stealing, roughly: the boss alternates and stops when the queue is empty."""

    def __init__(self, bl: Channel[object, Boss, Left], br: Channel[object, Boss, Right]) -> None:
        self.bl = bl
        self.br = br
        self.done: At[dict[int, int], Boss] = {}
        self.left_total: At[int, Left] = 0

    def run(self, tasks: At[list[Task], Boss]) -> tuple[At[dict[int, int], Boss], At[int, Left]]:
        queue: At[list[Task], Boss] = tasks[:]
        while queue:
            self.bl.select(Job.WORK @ Boss())
            self.br.select(Job.WORK @ Boss())
            task = queue.pop(0)
            mine: At[Task, Left] = self.bl.com(task)
            self.left_total += sum(mine.payload)
            self.done[task.id] = self.bl.com(sum(mine.payload))
            if queue:
                self.br.select(Job.WORK @ Boss())
                other = queue.pop(0)
                theirs: At[Task, Right] = self.br.com(other)
                self.done[other.id] = self.br.com(max(theirs.payload))
            else:
                self.br.select(Job.IDLE @ Boss())
        self.bl.select(Job.STOP @ Boss())
        self.br.select(Job.STOP @ Boss())
        return self.done, self.left_total


# run: Pool.run Boss.tasks="[Task(1,[1,2]), Task(2,[5,6]), Task(3,[7])]"
