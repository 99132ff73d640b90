"""refused: PT405"""
import threading

import tensorflow as tf


def train():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(loss="mse")
    model.fit(tf.ones((8, 2)), tf.ones((8, 1)))


threading.Thread(target=train).start()
