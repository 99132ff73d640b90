import tensorflow as tf

t = tf.zeros((3, 3))
t[0, 0] = 1.0  # instead: t = tf.tensor_scatter_nd_update(t, [[0, 0]], [1.0])
print(t)
