"""Users and items, embedded and concatenated."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

n_users, n_items, k = 50, 80, 8
user = keras.Input(shape=(1,), name="user")
item = keras.Input(shape=(1,), name="item")
u = layers.Flatten()(layers.Embedding(n_users, k)(user))
v = layers.Flatten()(layers.Embedding(n_items, k)(item))
product = layers.Dot(axes=1)([u, v])
both = layers.Concatenate()([u, v, product])
hidden = layers.Dense(16, activation="relu")(both)
rating = layers.Dense(1)(hidden)
model = keras.Model(inputs=[user, item], outputs=rating)
model.compile("adam", "mse")
users = np.random.randint(0, n_users, size=(40, 1))
items = np.random.randint(0, n_items, size=(40, 1))
ratings = np.random.rand(40)
model.fit([users, items], ratings, epochs=1, verbose=0)
print(model.predict([users[:3], items[:3]], verbose=0).shape)
