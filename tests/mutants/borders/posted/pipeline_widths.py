"""A pipeline is fitted to a vector."""
import numpy as np
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

x = np.linspace(0, 1, 25)
y = np.sin(x)
model = make_pipeline(PolynomialFeatures(3), LinearRegression())
model.fit(x, y)  # instead: model.fit(x[:, None], y)
print(model.predict(x[:, None])[:3])
