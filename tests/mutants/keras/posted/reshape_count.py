import tensorflow as tf

x = tf.ones((2, 7, 7, 8))
flat = tf.reshape(x, (2, 400))  # instead: flat = tf.reshape(x, (2, 392))
print(flat.shape)
