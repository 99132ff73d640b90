"""MultiHeadAttention with a mask for another length."""
import tensorflow as tf

layer = tf.keras.layers.MultiHeadAttention(num_heads=2, key_dim=8)
x = tf.random.normal((2, 6, 16))
mask = tf.ones((2, 5, 5), dtype=tf.bool)  # instead: mask = tf.ones((2, 6, 6), dtype=tf.bool)
print(layer(x, x, attention_mask=mask).shape)
