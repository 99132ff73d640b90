"""A graph convolution written as a layer."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


class GraphConv(layers.Layer):
    def __init__(self, units, activation=None):
        super().__init__()
        self.units = units
        self.activation = tf.keras.activations.get(activation)

    def build(self, shapes):
        features = shapes[-1]
        self.kernel = self.add_weight(shape=(features, self.units), initializer="glorot_uniform", name="kernel")
        self.bias = self.add_weight(shape=(self.units,), initializer="zeros", name="bias")

    def call(self, nodes, adjacency=None):
        return self.activation(tf.matmul(adjacency, tf.matmul(nodes, self.kernel)) + self.bias)


n = 10
adjacency = np.eye(n, dtype="float32") + (np.random.rand(n, n) > 0.8)
adjacency = tf.constant(adjacency / adjacency.sum(axis=1, keepdims=True), dtype=tf.float32)
nodes = tf.random.normal((n, 4))
first = GraphConv(16, "relu")
second = GraphConv(3)
out = second(first(nodes, adjacency=adjacency), adjacency=adjacency)
labels = tf.constant(np.arange(n) % 3)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=out))
print(float(loss))
