"""Cosine similarities of anchors and positives in a custom model."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class EmbeddingModel(keras.Model):
    def __init__(self, net, temperature=0.2):
        super().__init__()
        self.net = net
        self.temperature = temperature

    def train_step(self, data):
        if isinstance(data, tuple):
            data = data[0]
        anchors, positives = data[0], data[1]
        with tf.GradientTape() as tape:
            a = self.net(anchors, training=True)
            p = self.net(positives, training=True)
            similarities = tf.einsum("ae,pe->ap", a, p) / self.temperature
            labels = tf.range(tf.shape(similarities)[0])
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=similarities))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_variables))
        return {"loss": loss}


net = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(6), keras.layers.UnitNormalization()])
a = np.random.rand(8, 10).astype("float32")
b = np.random.rand(8, 10).astype("float32")
x, y = net(a), net(b)
similarity = tf.matmul(x, y, transpose_b=True)
near = tf.math.top_k(similarity, k=3).indices
model = EmbeddingModel(net)
print(similarity.shape, near.shape)
