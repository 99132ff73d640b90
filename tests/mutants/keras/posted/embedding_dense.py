import tensorflow as tf

model = tf.keras.Sequential()
model.add(tf.keras.layers.Input((12,)))
model.add(tf.keras.layers.Embedding(1000, 16))
model.add(tf.keras.layers.Conv2D(8, 3))  # instead: model.add(tf.keras.layers.Conv1D(8, 3))
print(model.output_shape)
