"""A dot product of embeddings of two sizes."""
from tensorflow import keras
from tensorflow.keras import layers

user = keras.Input((1,))
item = keras.Input((1,))
u = layers.Flatten()(layers.Embedding(100, 16)(user))
v = layers.Flatten()(layers.Embedding(200, 24)(item))  # instead: v = layers.Flatten()(layers.Embedding(200, 16)(item))
score = layers.Dot(axes=1)([u, v])
model = keras.Model([user, item], score)
