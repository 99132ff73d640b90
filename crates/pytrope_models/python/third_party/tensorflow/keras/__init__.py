"""tf.keras is Keras."""

from keras import Input, Layer, Model, Sequential
