import tensorflow as tf

a = tf.keras.Input((16,))
b = tf.keras.Input((4, 8))
merged = tf.keras.layers.Concatenate()([a, b])  # instead: merged = tf.keras.layers.Concatenate()([a, tf.keras.layers.Flatten()(b)])
model = tf.keras.Model([a, b], tf.keras.layers.Dense(1)(merged))
print(model.output_shape)
