"""A tensor is assigned to."""
import tensorflow as tf

state = tf.zeros((3,))
state[0] = 1.0  # instead: state = tf.tensor_scatter_nd_update(state, [[0]], [1.0])
print(state)
