"""A feature extractor without pooling goes straight to a fixed-size weight."""
import numpy as np
import tensorflow as tf

base = tf.keras.applications.MobileNetV2(input_shape=(96, 96, 3), include_top=False, weights=None)
model = tf.keras.Sequential([base, tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(2)])
batch = np.zeros((1, 64, 64, 3), dtype="float32")  # instead: batch = np.zeros((1, 96, 96, 3), dtype="float32")
print(model.predict(batch, verbose=0).shape)
