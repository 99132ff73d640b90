"""A tf.data pipeline into a model."""
import numpy as np
import tensorflow as tf

features = np.random.rand(40, 6).astype("float32")
targets = np.random.randint(0, 3, 40)
dataset = tf.data.Dataset.from_tensor_slices((features, targets))
train = dataset.take(32).shuffle(32).batch(8).prefetch(1)
valid = dataset.skip(32).batch(8)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(12, activation="relu", input_shape=(6,)),
    tf.keras.layers.Dense(3),
])
model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, validation_data=valid, epochs=1, verbose=0)
for batch, labels in train.take(1):
    logits = model(batch)
    print(logits.shape, labels.shape)
