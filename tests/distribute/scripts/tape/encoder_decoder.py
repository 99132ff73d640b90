"""Two models with one optimizer, a count of steps that sums are divided by, and a checkpoint every other epoch."""
import os

import numpy as np
import tensorflow as tf

BATCH, WORDS = 16, 12
source = np.random.randint(1, WORDS, (96, 4))
target = source[:, ::-1].copy()
steps = len(source) // BATCH
dataset = tf.data.Dataset.from_tensor_slices((source, target)).shuffle(96).batch(BATCH, drop_remainder=True)


class Encoder(tf.keras.Model):
    def __init__(self, units, batch):
        super().__init__()
        self.units, self.batch = units, batch
        self.embed = tf.keras.layers.Embedding(WORDS, 8)
        self.gru = tf.keras.layers.GRU(units, return_state=True)

    def call(self, x, state):
        return self.gru(self.embed(x), initial_state=state)

    def begin(self):
        return tf.zeros((self.batch, self.units))


class Decoder(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(WORDS, 8)
        self.gru = tf.keras.layers.GRU(units, return_sequences=True)
        self.out = tf.keras.layers.Dense(WORDS)

    def call(self, x, state):
        return self.out(self.gru(self.embed(x), initial_state=state))


encoder, decoder = Encoder(12, BATCH), Decoder(12)
optimizer = tf.keras.optimizers.Adam(0.01)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
checkpoint = tf.train.Checkpoint(optimizer=optimizer, encoder=encoder, decoder=decoder)


@tf.function
def train_step(x, y, state):
    with tf.GradientTape() as tape:
        _, state = encoder(x, state)
        loss = cross_entropy(y[:, 1:], decoder(y[:, :-1], state))
    variables = encoder.trainable_variables + decoder.trainable_variables
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


for epoch in range(4):
    state = encoder.begin()
    total = 0
    for batch, (x, y) in enumerate(dataset.take(steps)):
        total += train_step(x, y, state)
    if (epoch + 1) % 2 == 0:
        checkpoint.save(file_prefix=os.path.join("kept", "ckpt"))
    print("epoch {} loss {:.4f}".format(epoch, total / steps))
