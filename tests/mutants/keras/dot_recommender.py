"""Users and films in one space."""
import numpy as np
from tensorflow.keras.layers import Add, Dot, Embedding, Flatten, Input
from tensorflow.keras.models import Model

users, films, factors = 30, 50, 8
user = Input(shape=(1,))
film = Input(shape=(1,))
u = Embedding(users, factors)(user)
u = Flatten()(u)
f = Embedding(films, factors)(film)
f = Flatten()(f)
rating = Dot(axes=1)([u, f])
bias = Flatten()(Embedding(users, 1)(user))
rating = Add()([rating, bias])
model = Model([user, film], rating)
model.compile("adam", "mse")
who = np.random.randint(0, users, 20)
what = np.random.randint(0, films, 20)
stars = np.random.rand(20)
model.fit([who, what], stars, epochs=1, verbose=0)
print(model.predict([who[:3], what[:3]], verbose=0).shape)
