"""One trunk, two heads."""
import numpy as np
from tensorflow.keras import Model
from tensorflow.keras.layers import Dense, Input

inp = Input(shape=(12,))
trunk = Dense(16, activation="relu")(inp)
price = Dense(1, name="price")(trunk)
kind = Dense(4, activation="softmax", name="kind")(trunk)
model = Model(inputs=inp, outputs=[price, kind])
model.compile(optimizer="adam", loss=["mse", "categorical_crossentropy"])
x = np.random.rand(10, 12)
y_price = np.random.rand(10, 1)
y_kind = np.eye(4)[np.random.randint(0, 4, 10)]
model.fit(x, [y_price, y_kind], epochs=1, verbose=0)
prices, kinds = model.predict(x, verbose=0)
print(prices.shape, kinds.shape)
