"""Finance: prices with dates, moving-average crossover backtest, drawdown, efficient frontier, reports."""
import datetime as dt
from collections import OrderedDict

import numpy as np


def business_days(start, n):
    day = start
    while n:
        if day.weekday() < 5:
            yield day
            n -= 1
        day += dt.timedelta(days=1)


def random_prices(tickers, n, seed=0):
    rng = np.random.default_rng(seed)
    mu = np.linspace(2e-4, 8e-4, len(tickers))
    L = np.linalg.cholesky(0.3 * np.ones((len(tickers),) * 2) + 0.7 * np.eye(len(tickers)))
    shocks = rng.standard_normal((n, len(tickers))) @ L.T
    returns = mu + 0.01 * shocks
    return 100 * np.exp(np.vstack([np.zeros(len(tickers)), returns]).cumsum(axis=0))


def sma(x, window):
    c = np.cumsum(np.insert(x, 0, 0.0))
    out = np.full(len(x), np.nan)
    out[window - 1 :] = (c[window:] - c[:-window]) / window
    return out


def ewm(x, span):
    alpha = 2 / (span + 1)
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, x.shape[0]):
        out[i] = alpha * x[i] + (1 - alpha) * out[i - 1]
    return out


def crossover(prices, fast=10, slow=30):
    if fast >= slow:
        raise ValueError("fast must be shorter than slow")
    signal = np.where(sma(prices, fast) > sma(prices, slow), 1, 0)
    signal[: slow - 1] = 0
    return np.concatenate(([0], signal[:-1]))


class Backtest:
    def __init__(self, dates, prices, cost=0.0005):
        assert len(dates) == len(prices)
        self.dates, self.prices, self.cost = dates, prices, cost
        self.trades = []

    def run(self, position):
        r = np.diff(self.prices) / self.prices[:-1]
        turnover = np.abs(np.diff(position, prepend=0))
        for k in np.flatnonzero(turnover):
            self.trades.append((self.dates[k], "buy" if position[k] else "sell", self.prices[k]))
        pnl = position[1:] * r - self.cost * turnover[1:]
        return np.cumprod(1 + np.append(0.0, pnl))

    @staticmethod
    def drawdown(equity):
        peak = np.maximum.accumulate(equity)
        dd = 1 - equity / peak
        end = int(dd.argmax())
        begin = int(equity[: end + 1].argmax())
        return dd.max(), begin, end

    @staticmethod
    def sharpe(equity, periods=252):
        r = np.diff(np.log(equity))
        return np.sqrt(periods) * r.mean() / r.std() if r.std() else 0.0


def frontier(returns, points=5):
    mean = returns.mean(axis=0)
    cov = np.cov(returns.T)
    n = len(mean)
    ones = np.ones(n)
    kkt = np.zeros((n + 2, n + 2))
    kkt[:n, :n] = 2 * cov
    kkt[:n, n] = kkt[n, :n] = ones
    kkt[:n, n + 1] = kkt[n + 1, :n] = mean
    result = OrderedDict()
    for target in np.linspace(mean.min(), mean.max(), points):
        rhs = np.r_[np.zeros(n), 1.0, target]
        w = np.linalg.solve(kkt, rhs)[:n]
        result[float(target)] = (w, float(np.sqrt(w @ cov @ w)))
    return result


def monthly(dates, equity):
    buckets = {}
    for day, value in zip(dates, equity):
        buckets.setdefault((day.year, day.month), []).append(value)
    return {f"{y}-{m:02d}": vs[-1] / vs[0] - 1 for (y, m), vs in buckets.items()}


def main():
    tickers = ["AAA", "BBB", "CCC"]
    prices = random_prices(tickers, 250)
    dates = list(business_days(dt.date(2023, 1, 2), len(prices)))
    rows = []
    for k, ticker in enumerate(tickers):
        test = Backtest(dates, prices[:, k])
        equity = test.run(crossover(prices[:, k]))
        dd, begin, end = test.drawdown(equity)
        rows.append((ticker, equity[-1] - 1, test.sharpe(equity), dd, dates[begin], dates[end], len(test.trades)))
    header = ("ticker", "return", "sharpe", "drawdown")
    print("{:<8}{:>8}{:>8}{:>10}".format(*header))
    for name, ret, sharpe, dd, begin, end, trades in rows:
        print(f"{name:<8}{ret:>8.2%}{sharpe:>8.2f}{dd:>10.2%} {begin:%d %b} to {end.isoformat()} trades {trades}")
    best = max(rows, key=lambda r: r[2])[0]
    returns = np.diff(np.log(prices), axis=0)
    for target, (w, risk) in frontier(returns).items():
        assert abs(w.sum() - 1) < 1e-9
        print(f"{target * 252:7.2%} {risk * 252**0.5:7.2%}", dict(zip(tickers, w.round(2).tolist())))
    months = monthly(dates, prices[:, 0])
    worst = min(months, key=months.get)
    print(best, worst, f"{months[worst]:.1%}", ewm(prices, 20).shape, sma(prices[:, 0], 5)[4].round(2) > 0)
    beta = np.polyfit(returns.mean(axis=1), returns, 1)
    var95 = np.percentile(returns @ np.full(3, 1 / 3), 5)
    print(beta.shape, var95 < 0, np.tril(np.corrcoef(returns, rowvar=False), k=-1).sum() > 0)


if __name__ == "__main__":
    main()
