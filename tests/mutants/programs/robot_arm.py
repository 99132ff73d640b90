"""Forward kinematics with homogeneous transforms."""
import numpy as np


def rotation(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def transform(angle, length):
    T = np.eye(3)
    T[:2, :2] = rotation(angle)
    T[:2, 2] = rotation(angle) @ np.array([length, 0.0])
    return T


angles = np.array([0.3, 0.5, -0.2])
lengths = np.array([1.0, 0.8, 0.5])
pose = np.eye(3)
joints = np.zeros((4, 2))
for i in range(3):
    pose = pose @ transform(angles[i], lengths[i])
    joints[i + 1] = pose[:2, 2]
tip = joints[-1]
jacobian = np.zeros((2, 3))
for i in range(3):
    arm = tip - joints[i]
    jacobian[:, i] = [-arm[1], arm[0]]
target = np.array([1.5, 1.0])
step = np.linalg.pinv(jacobian) @ (target - tip)
angles = angles + 0.1 * step
points = np.hstack([joints, np.ones((4, 1))])
moved = points @ transform(0.1, 0.2).T
print(moved.shape, angles.shape)
