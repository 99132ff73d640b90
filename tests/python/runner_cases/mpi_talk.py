"""Two ranks of MPI that play two roles; started by ``mpiexec -n 2``."""

import sys

from mpi4py import MPI
from pytrope.choreo import Session, play
from pytrope.choreo.mpi import open_mpi_end

RANKS = {"A": 0, "B": 1}
role = next(name for name, rank in RANKS.items() if rank == MPI.COMM_WORLD.Get_rank())
peer = "B" if role == "A" else "A"
end = open_mpi_end(role, peer, ranks=RANKS, session=Session(name="mpi", choreography="c", deadline=60))


def program() -> object:
    if role == "A":
        end.send([1.0, 2.0, 3.0], site=1)
        end.send(b"x" * 1_000_000, site=2)
        return end.recv(site=3)
    numbers = end.recv(site=1)
    assert len(end.recv(site=2)) == 1_000_000
    end.send(sum(numbers), site=3)
    return len(numbers)


# One write: ranks share a standard output, which may be unbuffered.
sys.stdout.write(f"{role} got {play(role, program, [end])}\n")
sys.stdout.flush()
