"""Monthly tables from daily measurements."""
import numpy as np

rng = np.random.default_rng(52)
years, months, days = 3, 12, 30
season = 10 * np.sin(2 * np.pi * np.arange(months) / 12)
temperature = 15 + season[None, :, None] + rng.normal(size=(years, months, days))
rain = rng.gamma(2.0, 2.0, size=(years, months, days))
monthly = temperature.mean(axis=2)
climate = monthly.mean(axis=0)
anomaly = monthly - climate
warmest = climate.argmax()
yearly = rain.sum(axis=(1, 2))
dry = (rain < 1).sum(axis=2)
extremes = np.stack([temperature.min(axis=(0, 2)), temperature.max(axis=(0, 2))], axis=1)
spread = extremes[:, 1] - extremes[:, 0]
flat_t, flat_r = temperature.reshape(-1), rain.reshape(-1)
r = np.corrcoef(flat_t, flat_r)[0, 1]
design = np.column_stack([np.ones(months), np.cos(2 * np.pi * np.arange(months) / 12), np.sin(2 * np.pi * np.arange(months) / 12)])
coefficients, *_ = np.linalg.lstsq(design, climate, rcond=None)
fitted = design @ coefficients
print(anomaly.shape, dry.shape, spread.shape, fitted.shape, yearly.shape, abs(r) <= 1, warmest < 12)
