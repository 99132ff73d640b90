"""VGG blocks on small colour images, with checkpoints."""
import os

import numpy as np
import tensorflow as tf


class VGG(tf.keras.Model):
    def __init__(self, num_classes, widths):
        super(VGG, self).__init__()
        self.blocks = [tf.keras.layers.Conv2D(w, 3, padding="same", activation="relu") for w in widths]
        self.norm = tf.keras.layers.LayerNormalization()
        self.pool = tf.keras.layers.MaxPool2D()
        self.flatten = tf.keras.layers.Flatten()
        self.classifier = tf.keras.layers.Dense(num_classes)

    def call(self, x, training=None):
        for block in self.blocks:
            x = self.pool(block(x))
        return self.classifier(self.flatten(self.norm(x)))


class VGG16(VGG):
    pass


def normalise(image, label):
    return image / 255.0, label


def main():
    rng = np.random.RandomState(4)
    images = rng.uniform(0, 255, (256, 16, 16, 3)).astype(np.float32)
    labels = (images[:, 5, 5, 0] > 127).astype(np.int64)
    dataset = tf.data.Dataset.from_tensor_slices((images, labels))
    dataset = dataset.map(normalise).shuffle(256).batch(32)

    network = VGG16(10, [8, 8])
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    opt = tf.keras.optimizers.SGD(learning_rate=0.01, momentum=0.9)
    checkpoint = tf.train.Checkpoint(model=network, optimizer=opt)
    prefix = os.path.join("checkpoints", "vgg")

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            value = loss_fn(y, network(x, training=True))
        gradients = tape.gradient(value, network.trainable_variables)
        opt.apply_gradients(zip(gradients, network.trainable_variables))
        return value

    for epoch in range(3):
        for x, y in dataset:
            value = step(x, y)
        path = checkpoint.save(file_prefix=prefix)
        print("epoch", epoch, float(value), "saved to", path)


if __name__ == "__main__":
    main()
