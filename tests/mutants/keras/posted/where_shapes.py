"""tf.where with branches that do not broadcast."""
import tensorflow as tf

x = tf.random.normal((3, 4))
print(tf.where(x > 0, x, tf.zeros((4, 3))))  # instead: print(tf.where(x > 0, x, tf.zeros((3, 4))))
