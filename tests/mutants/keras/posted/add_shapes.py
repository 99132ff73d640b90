import tensorflow as tf

inputs = tf.keras.Input((32, 32, 3))
x = tf.keras.layers.Conv2D(16, 3, padding="same")(inputs)
y = tf.keras.layers.Conv2D(16, 3)(x)  # instead: y = tf.keras.layers.Conv2D(16, 3, padding="same")(x)
out = tf.keras.layers.Add()([x, y])
print(out.shape)
