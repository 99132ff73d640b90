"""Several labels for each sample, with class weights in the loss."""
import numpy as np
import tensorflow as tf

features, classes = 20, 6
weights = tf.constant([1.0, 2.0, 1.0, 0.5, 3.0, 1.0])


def weighted_bce(y_true, y_pred):
    y_true = tf.cast(y_true, tf.float32)
    losses = -(y_true * tf.math.log(y_pred + 1e-7) + (1.0 - y_true) * tf.math.log(1.0 - y_pred + 1e-7))
    return tf.reduce_mean(losses * weights, axis=-1)


model = tf.keras.Sequential()
model.add(tf.keras.layers.Dense(32, activation="relu", input_shape=(features,)))
model.add(tf.keras.layers.BatchNormalization())
model.add(tf.keras.layers.Dense(classes, activation="sigmoid"))
model.compile(optimizer="rmsprop", loss=weighted_bce)
X = np.random.rand(30, features)
Y = (np.random.rand(30, classes) > 0.7).astype("float32")
model.fit(X, Y, epochs=1, verbose=0)
hits = tf.reduce_sum(tf.cast(model(X) > 0.5, tf.float32) * Y, axis=0)
print(hits.shape)
