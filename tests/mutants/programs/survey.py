"""Group means and standardised scores of survey answers."""
import numpy as np

rng = np.random.default_rng(48)
people, questions = 24, 5
answers = rng.integers(1, 6, size=(people, questions))
group = np.repeat([0, 1, 2], people // 3)
means = np.array([answers[group == g].mean(axis=0) for g in range(3)])
centred = answers - means[group]
overall = answers.mean()
between = ((means - answers.mean(axis=0)) ** 2).sum() * (people / 3)
within = (centred ** 2).sum()
z = (answers - answers.mean(axis=0)) / (answers.std(axis=0) + 1e-9)
alpha = questions / (questions - 1) * (1 - z.var(axis=0).sum() / z.sum(axis=1).var())
counts = np.zeros((questions, 5), dtype=int)
for q in range(questions):
    counts[q] = np.bincount(answers[:, q] - 1, minlength=5)
share = counts / counts.sum(axis=1, keepdims=True)
cumulative = share.cumsum(axis=1)
median = (cumulative >= 0.5).argmax(axis=1) + 1
print(means.shape, median.shape, between > 0, within > 0, alpha < 2)
