"""A variable is assigned a value of another shape."""
import tensorflow as tf

state = tf.Variable(tf.zeros((2, 3)))
update = tf.ones((3, 2))  # instead: update = tf.ones((2, 3))
state.assign_add(update)
print(state.numpy())
