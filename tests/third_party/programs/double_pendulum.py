"""Physics: the double pendulum by Runge-Kutta, energy as a check."""
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

G = 9.81


@dataclass(frozen=True)
class Pendulum:
    m1: float = 1.0
    m2: float = 1.0
    l1: float = 1.0
    l2: float = 1.0

    def derivative(self, t, state):
        th1, w1, th2, w2 = state
        d = th1 - th2
        M = np.array(
            [
                [(self.m1 + self.m2) * self.l1, self.m2 * self.l2 * np.cos(d)],
                [self.l1 * np.cos(d), self.l2],
            ]
        )
        rhs = np.array(
            [
                -self.m2 * self.l2 * w2**2 * np.sin(d) - (self.m1 + self.m2) * G * np.sin(th1),
                self.l1 * w1**2 * np.sin(d) - G * np.sin(th2),
            ]
        )
        a1, a2 = np.linalg.solve(M, rhs)
        return np.array([w1, a1, w2, a2])

    def energy(self, states):
        th1, w1, th2, w2 = states.T
        v1 = self.l1 * w1
        x2 = self.l1 * w1 * np.cos(th1) + self.l2 * w2 * np.cos(th2)
        y2 = self.l1 * w1 * np.sin(th1) + self.l2 * w2 * np.sin(th2)
        kinetic = 0.5 * self.m1 * v1**2 + 0.5 * self.m2 * (x2**2 + y2**2)
        h1 = -self.l1 * np.cos(th1)
        h2 = h1 - self.l2 * np.cos(th2)
        return kinetic + G * (self.m1 * h1 + self.m2 * h2)

    def positions(self, states):
        th1, th2 = states[:, 0], states[:, 2]
        p1 = np.column_stack([self.l1 * np.sin(th1), -self.l1 * np.cos(th1)])
        p2 = p1 + self.l2 * np.stack([np.sin(th2), -np.cos(th2)], axis=1)
        return p1, p2


@dataclass
class Trajectory:
    times: np.ndarray
    states: np.ndarray
    notes: list[str] = field(default_factory=list)

    def __len__(self):
        return len(self.times)

    def at(self, t):
        return np.array([np.interp(t, self.times, column) for column in self.states.T])


def rk4(f: Callable, y0, t_end: float, dt: float) -> Trajectory:
    steps = int(round(t_end / dt))
    ts = np.arange(steps + 1) * dt
    ys = np.empty((steps + 1, len(y0)))
    ys[0] = y0
    for k in range(steps):
        t, y = ts[k], ys[k]
        k1 = f(t, y)
        k2 = f(t + dt / 2, y + dt / 2 * k1)
        k3 = f(t + dt / 2, y + dt / 2 * k2)
        k4 = f(t + dt, y + dt * k3)
        ys[k + 1] = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return Trajectory(ts, ys)


def main():
    system = Pendulum(m2=0.5)
    start = np.radians([120.0, 0.0, -10.0, 0.0])
    run = rk4(system.derivative, start, t_end=2.0, dt=0.005)
    energy = system.energy(run.states)
    drift = np.abs(energy - energy[0]).max()
    run.notes.append(f"drift {drift:.2e}")
    assert drift < 1e-2
    p1, p2 = system.positions(run.states)
    arm = np.linalg.norm(p2 - p1, axis=1)
    assert np.allclose(arm, system.l2)
    nearby = rk4(system.derivative, start + [1e-6, 0, 0, 0], 2.0, 0.005)
    gap = np.linalg.norm(nearby.states - run.states, axis=-1)
    growth = np.polyfit(run.times[1:], np.log(gap[1:] + 1e-15), deg=1)[0]
    print(len(run), run.at(0.5).round(2), run.notes[-1], f"lyapunov about {growth:.2f}")


main()
