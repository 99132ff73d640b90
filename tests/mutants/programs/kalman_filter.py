"""Tracking a moving object from noisy positions."""
import numpy as np

dt = 0.1
F = np.array([[1, 0, dt, 0], [0, 1, 0, dt], [0, 0, 1, 0], [0, 0, 0, 1]])
H = np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0]])
Q = 0.01 * np.eye(4)
R = 0.5 * np.eye(2)
x = np.zeros((4, 1))
P = np.eye(4)
rng = np.random.default_rng(25)
measurements = np.cumsum(rng.normal(0.1, 0.1, size=(30, 2)), axis=0)
estimates = []
for z in measurements:
    x = F @ x
    P = F @ P @ F.T + Q
    innovation = z.reshape(2, 1) - H @ x
    S = H @ P @ H.T + R
    K = P @ H.T @ np.linalg.inv(S)
    x = x + K @ innovation
    P = (np.eye(4) - K @ H) @ P
    estimates.append(x.ravel())
estimates = np.array(estimates)
error = estimates[:, :2] - measurements
rmse = np.sqrt((error ** 2).mean(axis=0))
print(estimates.shape, rmse.shape)
