"""One network for two images."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, Model, Input


def embedding_network():
    inp = Input((20, 20, 1))
    x = layers.Conv2D(4, (5, 5), activation="tanh")(inp)
    x = layers.AveragePooling2D(pool_size=(2, 2))(x)
    x = layers.Flatten()(x)
    x = layers.Dense(10, activation="tanh")(x)
    return Model(inp, x)


network = embedding_network()
left = Input((20, 20, 1))
right = Input((20, 20, 1))
difference = layers.Subtract()([network(left), network(right)])
output = layers.Dense(1, activation="sigmoid")(difference)
siamese = Model(inputs=[left, right], outputs=output)
siamese.compile(loss="binary_crossentropy", optimizer="adam")
a = np.random.rand(6, 20, 20, 1)
b = np.random.rand(6, 20, 20, 1)
same = np.array([0, 1, 0, 1, 1, 0])
siamese.fit([a, b], same, epochs=1, verbose=0)
