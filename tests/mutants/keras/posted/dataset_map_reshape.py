"""A map function that reshapes images to a size with other elements."""
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices(tf.zeros((12, 784)))


def to_image(row):
    return tf.reshape(row, (28, 28, 3))  # instead: return tf.reshape(row, (28, 28, 1))


for batch in images.map(to_image).batch(4):
    print(batch.shape)
