"""refused: PT411"""
import tensorflow as tf
from elsewhere import stream

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(loss="mse")
model.fit(stream())
