import tensorflow as tf

inputs = tf.keras.Input((100,))
x = tf.keras.layers.Dense(7 * 7 * 16)(inputs)
x = tf.keras.layers.Reshape((7, 7, 32))(x)  # instead: x = tf.keras.layers.Reshape((7, 7, 16))(x)
x = tf.keras.layers.Conv2DTranspose(8, 3, strides=2, padding="same")(x)
print(x.shape)
