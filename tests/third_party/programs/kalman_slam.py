"""Robotics: an extended Kalman filter that tracks a robot and its landmarks, with a pure-pursuit controller."""
import math
from dataclasses import dataclass

import numpy as np


def wrap(a):
    return (a + np.pi) % (2 * np.pi) - np.pi


@dataclass
class Measurement:
    landmark: int
    range: float
    bearing: float

    def __iter__(self):
        yield from (self.range, self.bearing)


class Robot:
    def __init__(self, pose, landmarks, rng):
        self.pose = np.array(pose, dtype=float)
        self.landmarks = landmarks
        self.rng = rng

    def drive(self, v, w, dt):
        x, y, th = self.pose
        noise = self.rng.normal(0, [0.02, 0.01])
        v, w = np.array([v, w]) + noise
        self.pose = np.array([x + v * dt * math.cos(th), y + v * dt * math.sin(th), wrap(th + w * dt)])

    def sense(self, reach=8.0):
        seen = []
        for i, (lx, ly) in enumerate(self.landmarks):
            dx, dy = lx - self.pose[0], ly - self.pose[1]
            r = math.hypot(dx, dy)
            if r <= reach:
                b = wrap(math.atan2(dy, dx) - self.pose[2])
                seen.append(Measurement(i, r + self.rng.normal(0, 0.1), b + self.rng.normal(0, 0.02)))
        return seen


class EkfSlam:
    def __init__(self, n):
        self.n = n
        self.mu = np.zeros(3 + 2 * n)
        self.sigma = np.eye(3 + 2 * n) * 1e6
        self.sigma[:3, :3] = 0
        self.known = [False] * n
        self.R = np.diag([0.05, 0.05, 0.02]) ** 2
        self.Q = np.diag([0.1, 0.02]) ** 2

    def predict(self, v, w, dt):
        th = self.mu[2]
        self.mu[0] += v * dt * np.cos(th)
        self.mu[1] += v * dt * np.sin(th)
        self.mu[2] = wrap(th + w * dt)
        G = np.eye(len(self.mu))
        G[0, 2] = -v * dt * np.sin(th)
        G[1, 2] = v * dt * np.cos(th)
        F = np.hstack([np.eye(3), np.zeros((3, 2 * self.n))])
        self.sigma = G @ self.sigma @ G.T + F.T @ self.R @ F

    def update(self, z):
        r, b = z
        j = 3 + 2 * z.landmark
        if not self.known[z.landmark]:
            angle = b + self.mu[2]
            self.mu[j : j + 2] = self.mu[:2] + r * np.array([np.cos(angle), np.sin(angle)])
            self.known[z.landmark] = True
        delta = self.mu[j : j + 2] - self.mu[:2]
        q = delta @ delta
        root = np.sqrt(q)
        expected = np.array([root, wrap(np.arctan2(delta[1], delta[0]) - self.mu[2])])
        low = np.array(
            [
                [-root * delta[0], -root * delta[1], 0, root * delta[0], root * delta[1]],
                [delta[1], -delta[0], -q, -delta[1], delta[0]],
            ]
        ) / q
        H = np.zeros((2, len(self.mu)))
        H[:, [0, 1, 2, j, j + 1]] = low
        S = H @ self.sigma @ H.T + self.Q
        K = self.sigma @ H.T @ np.linalg.inv(S)
        innovation = np.array([r, b]) - expected
        innovation[1] = wrap(innovation[1])
        self.mu = self.mu + K @ innovation
        self.sigma = (np.eye(len(self.mu)) - K @ H) @ self.sigma
        return float(innovation @ np.linalg.solve(S, innovation))

    @property
    def map(self):
        return self.mu[3:].reshape(-1, 2)


def pursue(pose, path, index, lookahead=1.0):
    while index < len(path) - 1 and np.hypot(*(path[index] - pose[:2])) < lookahead:
        index += 1
    heading = math.atan2(path[index][1] - pose[1], path[index][0] - pose[0])
    return index, 2 * wrap(heading - pose[2])


def ellipse(cov, k=2.0):
    values, vectors = np.linalg.eigh(cov)
    major = vectors[:, -1]
    return k * np.sqrt(values[::-1]), math.atan2(major[1], major[0])


rng = np.random.default_rng(12)
landmarks = np.array([[2.0, 3.0], [6.0, -1.0], [8.0, 4.0], [-2.0, 5.0]])
robot = Robot((0, 0, 0), landmarks, rng)
slam = EkfSlam(len(landmarks))
angles = np.linspace(0, 2 * np.pi, 25)
path = np.stack((4 + 4 * np.sin(angles), 4 - 4 * np.cos(angles)), axis=-1)
index, log, nis = 0, [], []
for step in range(120):
    index, w = pursue(slam.mu[:3], path, index)
    robot.drive(1.0, w, 0.2)
    slam.predict(1.0, w, 0.2)
    for z in robot.sense():
        nis.append(slam.update(z))
    log.append((robot.pose.copy(), slam.mu[:3].copy()))

true, estimated = (np.array(rows) for rows in zip(*log))
error = np.linalg.norm(true[:, :2] - estimated[:, :2], axis=1)
print("steps", true.shape, "rms", np.sqrt((error**2).mean()).round(2), "nis", round(float(np.mean(nis)), 1))
seen = np.array(slam.known)
print("map error", np.abs(slam.map[seen] - landmarks[seen]).max().round(1), "unseen", (~seen).sum())
axes, tilt = ellipse(slam.sigma[:2, :2])
print(axes.shape, -np.pi <= tilt <= np.pi)
