"""A model that defines its own train_step."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Autoencoder(keras.Model):
    def __init__(self, latent, shape):
        super().__init__()
        self.encoder = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(latent, activation="relu")])
        self.decoder = keras.Sequential([keras.layers.Dense(int(np.prod(shape)), activation="sigmoid"), keras.layers.Reshape(shape)])
        self.tracker = keras.metrics.Mean(name="loss")

    def call(self, x):
        return self.decoder(self.encoder(x))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}


shape = (12, 12)
images = np.random.rand(20, 12, 12).astype("float32")
model = Autoencoder(16, shape)
model.compile(optimizer="adam")
model.fit(images, images, epochs=1, batch_size=10, verbose=0)
print(model(images).shape)
