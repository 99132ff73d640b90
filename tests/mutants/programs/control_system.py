"""A linear control system: discretising, an LQR gain, simulation and an observer."""
import numpy as np


def expm(M, terms=12):
    total, power = np.eye(len(M)), np.eye(len(M))
    for k in range(1, terms):
        power = power @ M / k
        total = total + power
    return total


def lqr(A, B, Q, R, rounds=100):
    P = Q
    for _ in range(rounds):
        K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        P = Q + A.T @ P @ (A - B @ K)
    return K, P


dt = 0.05
Ac = np.array([[0, 1, 0, 0], [0, -0.1, 2.0, 0], [0, 0, 0, 1], [0, -0.3, 20.0, 0]])
Bc = np.array([[0.0], [1.0], [0.0], [2.0]])
block = np.zeros((5, 5))
block[:4, :4] = Ac
block[:4, 4:] = Bc
step = expm(block * dt)
A, B = step[:4, :4], step[:4, 4:]
C = np.array([[1.0, 0, 0, 0], [0, 0, 1.0, 0]])
K, P = lqr(A, B, np.diag([1.0, 1, 10, 10]), np.array([[0.5]]))
L = lqr(A.T, C.T, np.eye(4), 0.1 * np.eye(2))[0].T
steps = 100
x = np.array([0.0, 0, 0.1, 0])
estimate = np.zeros(4)
states = np.zeros((steps, 4))
inputs = np.zeros((steps, 1))
for k in range(steps):
    u = -K @ estimate
    y = C @ x
    estimate = A @ estimate + B @ u + L @ (y - C @ estimate)
    x = A @ x + B @ u
    states[k] = x
    inputs[k] = u
cost = np.einsum("ti,ij,tj->", states, np.eye(4), states) + (inputs**2).sum()
poles = np.linalg.eigvals(A - B @ K)
controllability = np.hstack([np.linalg.matrix_power(A, k) @ B for k in range(4)])
overshoot = np.abs(states[:, [0, 2]]).max(axis=0)
print(K.shape, L.shape, controllability.shape, overshoot.shape, np.abs(poles).max())
