from enum import Enum

from pytrope.choreo import At, Ch3, Channel, Role


class A(Role): ...


class B(Role): ...


class C(Role): ...


class K(Enum):
    ROW = 1
    CELL = 2
    END = 3
    SKIP = 4


class Matrix(Ch3[A, B, C]):
    def __init__(self, ab: Channel[int, A, B], bc: Channel[int, B, C]) -> None:
        self.ab = ab
        self.bc = bc

    def send(self, rows: At[list[list[int]], A]) -> At[list[int], C]:
        sums: At[list[int], C] = []
        i: At[int, A] = 0
        while i < len(rows):
            self.ab.select(K.ROW @ A())
            self.bc.select(K.ROW @ B())
            row = rows[i]
            i += 1
            total: At[int, B] = 0
            j: At[int, A] = 0
            while j < len(row):
                self.ab.select(K.CELL @ A())
                cell = self.ab.com(row[j])
                j += 1
                if cell < 0:
                    continue
                total += cell
            self.ab.select(K.END @ A())
            if total > 100:
                self.bc.select(K.SKIP @ B())
            else:
                self.bc.select(K.CELL @ B())
                sums.append(self.bc.com(total))
        self.ab.select(K.END @ A())
        self.bc.select(K.END @ B())
        return sums


# run: Matrix.send A.rows="[[1,2],[-5,7],[200]]"
