"""Returns, volatility and crossings of moving averages."""
import numpy as np

rng = np.random.default_rng(40)
prices = 100 * np.exp(np.cumsum(rng.normal(0, 0.01, size=120)))
log_returns = np.diff(np.log(prices))
simple = prices[1:] / prices[:-1] - 1
gap = np.abs(log_returns - simple).max()


def rolling_mean(x, width):
    total = np.cumsum(np.concatenate(([0.0], x)))
    return (total[width:] - total[:-width]) / width


short = rolling_mean(prices, 5)
long = rolling_mean(prices, 20)
signal = np.sign(short[15:] - long)
changes = np.flatnonzero(np.diff(signal))
position = signal[:-1]
strategy = position * simple[19:]
windows = np.lib.stride_tricks.sliding_window_view(log_returns, 10)
volatility = windows.std(axis=1) * np.sqrt(252)
weeks = prices.reshape(24, 5)
ohlc = np.column_stack((weeks[:, 0], weeks.max(axis=1), weeks.min(axis=1), weeks[:, -1]))
print(ohlc.shape, volatility.shape, strategy.shape, gap < 0.01, len(changes) >= 0)
