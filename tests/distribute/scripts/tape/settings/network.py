import tensorflow as tf
from settings import rate


def make():
    return tf.keras.Sequential([tf.keras.layers.Dense(1)]), tf.keras.optimizers.SGD(rate)


def describe(model):
    """Never called: this file changes only where training needs it."""
    print(model)
