"""Mean and variance of portfolios, and the least risky one."""
import numpy as np

rng = np.random.default_rng(39)
days, assets = 250, 4
returns = rng.normal(0.0005, 0.01, size=(days, assets))
mean = returns.mean(axis=0)
cov = np.cov(returns, rowvar=False)
weights = np.ones(assets) / assets
expected = weights @ mean
risk = np.sqrt(weights @ cov @ weights)
inverse = np.linalg.inv(cov)
ones = np.ones(assets)
least = inverse @ ones / (ones @ inverse @ ones)
trials = rng.random((500, assets))
trials /= trials.sum(axis=1, keepdims=True)
trial_means = trials @ mean
trial_risks = np.sqrt(np.einsum("ij,jk,ik->i", trials, cov, trials))
sharpe = trial_means / trial_risks
best = trials[np.argmax(sharpe)]
wealth = np.cumprod(1 + returns @ best)
drawdown = 1 - wealth / np.maximum.accumulate(wealth)
correlation = np.corrcoef(returns.T)
print(correlation.shape, drawdown.shape, least.sum(), expected < 1, risk > 0)
