"""Reductions, masks and gathers on plain tensors."""
import tensorflow as tf

scores = tf.random.normal((6, 5))
labels = tf.constant([0, 1, 2, 3, 4, 0])
probabilities = tf.nn.softmax(scores, axis=-1)
one_hot = tf.one_hot(labels, depth=5)
picked = tf.reduce_sum(probabilities * one_hot, axis=1)
gathered = tf.gather(probabilities, labels, axis=1, batch_dims=1)
best = tf.argmax(scores, axis=1)
confusion = tf.math.confusion_matrix(labels, best, num_classes=5)
mean, variance = tf.nn.moments(scores, axes=[0])
normalised = (scores - mean) / tf.sqrt(variance + 1e-6)
top = tf.math.top_k(normalised, k=3)
order = tf.argsort(picked, direction="DESCENDING")
ranked = tf.gather(scores, order)
weights = tf.linspace(0.0, 1.0, 5)
weighted = tf.linalg.matvec(ranked, weights)
print(picked.shape, gathered.shape, confusion.shape, top.values.shape, weighted.shape)
