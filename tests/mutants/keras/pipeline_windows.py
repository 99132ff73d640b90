"""A tf.data pipeline that cuts a series into windows."""
import tensorflow as tf

length, window, batch = 60, 10, 4
series = tf.sin(tf.range(length, dtype=tf.float32) / 5.0)
dataset = tf.data.Dataset.from_tensor_slices(series)
dataset = dataset.window(window + 1, shift=1, drop_remainder=True)
dataset = dataset.flat_map(lambda part: part.batch(window + 1))
dataset = dataset.map(lambda part: (part[:-1], part[-1:]))
dataset = dataset.shuffle(20).batch(batch).prefetch(1)
model = tf.keras.Sequential([tf.keras.Input(shape=(window,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(loss="mse", optimizer="adam")
model.fit(dataset, epochs=1, verbose=0)
for x, y in dataset.take(1):
    print(model(x).shape, y.shape)
