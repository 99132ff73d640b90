"""refused: PT402"""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
print(model(tf.ones((1, 2))))
