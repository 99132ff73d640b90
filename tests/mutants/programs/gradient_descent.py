"""Linear regression by gradient descent, with a history of losses."""
import numpy as np

np.random.seed(0)
m = 100
x = 2 * np.random.rand(m, 1)
y = 4 + 3 * x + np.random.randn(m, 1)
X = np.c_[np.ones((m, 1)), x]
theta = np.random.randn(2, 1)
rate = 0.1
losses = []
for epoch in range(50):
    error = X.dot(theta) - y
    gradient = 2 / m * X.T.dot(error)
    theta = theta - rate * gradient
    losses.append(float(np.mean(error ** 2)))
history = np.array(losses)
new_x = np.array([[0.0], [2.0]])
new_X = np.c_[np.ones((2, 1)), new_x]
forecast = new_X.dot(theta)
line = np.concatenate([new_x, forecast], axis=1)
print(line.shape, history.shape, history[-1] < history[0])
