import tensorflow as tf

a = tf.constant([1, 2, 3])
b = tf.constant([0.5, 0.5, 0.5])
print(a * b)  # instead: print(tf.cast(a, tf.float32) * b)
