"""Finance: Black-Scholes, implied volatility, Monte Carlo with antithetic paths, Greeks."""
import math
from enum import Enum
from typing import NamedTuple

import numpy as np


class Kind(Enum):
    CALL = "call"
    PUT = "put"

    @property
    def sign(self):
        return 1 if self is Kind.CALL else -1


class Option(NamedTuple):
    strike: float
    expiry: float
    kind: Kind = Kind.CALL

    def payoff(self, spot):
        return np.maximum(self.kind.sign * (spot - self.strike), 0)


class Market(NamedTuple):
    spot: float
    rate: float
    vol: float


def norm_cdf(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def black_scholes(option: Option, market: Market) -> float:
    s, r, v = market
    sign = option.kind.sign
    root = v * math.sqrt(option.expiry)
    d1 = (math.log(s / option.strike) + (r + v * v / 2) * option.expiry) / root
    d2 = d1 - root
    return sign * (s * norm_cdf(sign * d1) - option.strike * math.exp(-r * option.expiry) * norm_cdf(sign * d2))


def implied_vol(option, market, price, tol=1e-8):
    lo, hi = 1e-4, 5.0
    while hi - lo > tol:
        mid = (lo + hi) / 2
        if black_scholes(option, market._replace(vol=mid)) > price:
            hi = mid
        else:
            lo = mid
    return (lo + hi) / 2


def simulate(option, market, paths=20_000, steps=50, seed=1):
    rng = np.random.default_rng(seed)
    dt = option.expiry / steps
    z = rng.standard_normal((paths // 2, steps))
    z = np.concatenate([z, -z])
    drift = (market.rate - market.vol**2 / 2) * dt
    log_returns = drift + market.vol * math.sqrt(dt) * z
    spots = market.spot * np.exp(np.cumsum(log_returns, axis=1))
    return np.insert(spots, 0, market.spot, axis=1)


def price_european(option, market):
    terminal = simulate(option, market)[:, -1]
    discounted = math.exp(-market.rate * option.expiry) * option.payoff(terminal)
    pairs = discounted.reshape(2, -1).mean(axis=0)
    return pairs.mean(), pairs.std(ddof=1) / math.sqrt(pairs.size)


def price_asian(option, market):
    average = simulate(option, market)[:, 1:].mean(axis=1)
    return math.exp(-market.rate * option.expiry) * option.payoff(average).mean()


def price_american(option, market):
    spots = simulate(option, market, paths=4000, steps=20)
    dt = option.expiry / 20
    cash = option.payoff(spots[:, -1])
    for k in range(spots.shape[1] - 2, 0, -1):
        cash = cash * math.exp(-market.rate * dt)
        s = spots[:, k]
        money = option.payoff(s) > 0
        if money.sum() < 10:
            continue
        basis = np.vander(s[money] / option.strike, 4)
        coef, *_ = np.linalg.lstsq(basis, cash[money], rcond=None)
        hold = basis @ coef
        now = option.payoff(s[money])
        cash[money] = np.where(now > hold, now, cash[money])
    return math.exp(-market.rate * dt) * cash.mean()


def greeks(option, market, h=1e-3):
    out = {}
    for name, step in {"spot": h * market.spot, "vol": h, "rate": h}.items():
        value = getattr(market, name)
        up = black_scholes(option, market._replace(**{name: value + step}))
        down = black_scholes(option, market._replace(**{name: value - step}))
        out[name] = (up - down) / (2 * step)
    return out


market = Market(spot=100.0, rate=0.03, vol=0.2)
options = [Option(95, 1.0), Option(105, 0.5, Kind.PUT), Option(strike=100, expiry=1.0, kind=Kind("put"))]
for opt in options:
    exact = black_scholes(opt, market)
    mc, err = price_european(opt, market)
    assert abs(mc - exact) < 5 * err + 0.02, (mc, exact)
    print(f"{opt.kind.name:<4} {opt.strike:>5} exact {exact:7.4f} mc {mc:7.4f}±{err:.4f}", end=" ")
    print(f"asian {price_asian(opt, market):.3f} iv {implied_vol(opt, market, exact):.4f}")
print({k: round(v, 3) for k, v in greeks(options[0], market).items()})
print(price_american(options[-1], market) >= black_scholes(options[-1], market) - 0.1)
