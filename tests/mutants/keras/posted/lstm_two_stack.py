import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Input((10, 4)),
    tf.keras.layers.LSTM(8),  # instead: tf.keras.layers.LSTM(8, return_sequences=True),
    tf.keras.layers.LSTM(4),
])
print(model.output_shape)
