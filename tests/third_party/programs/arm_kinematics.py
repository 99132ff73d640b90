"""Robotics: homogeneous transforms, a planar arm, inverse kinematics with a damped Jacobian."""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


def rot_z(theta):
    c, s = math.cos(theta), math.sin(theta)
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])


def trans(x=0.0, y=0.0, z=0.0):
    T = np.eye(4)
    T[:3, 3] = [x, y, z]
    return T


def quaternion_to_matrix(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


@dataclass
class Joint:
    length: float
    low: float = -math.pi
    high: float = math.pi

    def clamp(self, angle: float) -> float:
        return min(max(angle, self.low), self.high)


class Arm:
    def __init__(self, joints: list[Joint]):
        if not joints:
            raise ValueError("an arm needs joints")
        self.joints = joints
        self.q = np.zeros(len(joints))

    @classmethod
    def uniform(cls, n: int, length: float = 1.0) -> Arm:
        return cls([Joint(length, -2.5, 2.5) for _ in range(n)])

    @property
    def reach(self) -> float:
        return sum(j.length for j in self.joints)

    def frames(self, q=None):
        q = self.q if q is None else q
        T = np.eye(4)
        result = [T]
        for angle, joint in zip(q, self.joints):
            T = T @ rot_z(angle) @ trans(x=joint.length)
            result.append(T)
        return result

    def tip(self, q=None):
        return self.frames(q)[-1][:2, 3]

    def jacobian(self):
        frames = self.frames()
        tip = frames[-1][:3, 3]
        columns = []
        for T in frames[:-1]:
            axis = T[:3, 2]
            columns.append(np.cross(axis, tip - T[:3, 3])[:2])
        return np.array(columns).T

    def solve(self, target, iterations=200, damping=0.1):
        target = np.asarray(target, dtype=float)
        for step in range(iterations):
            error = target - self.tip()
            if np.linalg.norm(error) < 1e-4:
                return step
            J = self.jacobian()
            dq = J.T @ np.linalg.solve(J @ J.T + damping**2 * np.eye(2), error)
            self.q = np.array([j.clamp(a) for j, a in zip(self.joints, self.q + dq)])
        return None


def interpolate(a, b, n):
    s = np.linspace(0, 1, n)[:, None]
    smooth = 3 * s**2 - 2 * s**3
    return (1 - smooth) * a + smooth * b


arm = Arm.uniform(3)
arm.q[:] = 0.3
print("reach", arm.reach, "tip", arm.tip().round(3))
steps = arm.solve((1.5, 1.2))
if steps is None:
    print("not reached")
else:
    print("reached in", steps, "steps", arm.tip().round(3))

start = arm.q.copy()
arm.solve((0.5, 2.0))
path = interpolate(start, arm.q, 20)
tips = np.array([arm.tip(q) for q in path])
length = np.linalg.norm(np.diff(tips, axis=0), axis=1).sum()
print(path.shape, tips.shape, round(length, 2))

numeric = np.zeros((2, 3))
eps = 1e-6
for k in range(3):
    dq = np.zeros(3)
    dq[k] = eps
    numeric[:, k] = (arm.tip(arm.q + dq) - arm.tip(arm.q - dq)) / (2 * eps)
assert np.allclose(numeric, arm.jacobian(), atol=1e-5)

R = quaternion_to_matrix(np.array([0.9, 0.1, 0.2, 0.3]))
assert np.allclose(R @ R.T, np.eye(3)) and np.isclose(np.linalg.det(R), 1)
cloud = np.random.default_rng(0).normal(size=(10, 3))
pose = np.block([[R, np.array([[1.0], [2.0], [3.0]])], [np.zeros((1, 3)), np.ones((1, 1))]])
homogeneous = np.c_[cloud, np.ones(len(cloud))]
moved = (pose @ homogeneous.T).T[:, :3]
back = (moved - pose[:3, 3]) @ R
print(np.abs(back - cloud).max() < 1e-12)
