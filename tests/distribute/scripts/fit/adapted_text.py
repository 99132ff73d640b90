"""A vocabulary that is learnt from all the training texts before they are divided."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

said = np.array(["warm kind words", "a kind smile!", "cold harsh words", "harsh, bitter tone"])
chosen = np.random.default_rng(5).integers(0, 4, 120)
texts, signs = said[chosen], (chosen < 2).astype("int64")
raw_train = tf.data.Dataset.from_tensor_slices((texts[:92], signs[:92])).batch(8)
raw_valid = tf.data.Dataset.from_tensor_slices((texts[92:], signs[92:])).batch(8)
vectorize = layers.TextVectorization(max_tokens=30, output_mode="int", output_sequence_length=4)
vectorize.adapt(raw_train.map(lambda text, sign: text))
print("words", len(vectorize.get_vocabulary()))


def encode(text, sign):
    return vectorize(tf.expand_dims(text, -1)), sign


train = raw_train.map(encode)
valid = raw_valid.map(encode)
train = train.cache().prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([layers.Embedding(31, 8), layers.GlobalAveragePooling1D(), layers.Dense(1)])
model.compile(loss=tf.keras.losses.BinaryCrossentropy(from_logits=True), optimizer=tf.keras.optimizers.Adam(0.05))
history = model.fit(
    train,
    validation_data=valid,
    epochs=4)
print(history.history["val_loss"][-1], model.evaluate(valid))
