"""Features and labels of different length are sliced together."""
import numpy as np
import tensorflow as tf

features = np.zeros((100, 4), dtype="float32")
labels = np.zeros(99, dtype="int32")  # instead: labels = np.zeros(100, dtype="int32")
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(10)
for batch, target in dataset.take(1):
    print(batch.shape, target.shape)
