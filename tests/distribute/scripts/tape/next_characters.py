"""A text in sequences, batched twice, and a model's own `train_step` that a loop calls without `fit`."""
import tensorflow as tf

text = "pack my box with five dozen liquor jugs " * 40
letters = sorted(set(text))
codes = tf.constant([letters.index(letter) for letter in text])
sequences = tf.data.Dataset.from_tensor_slices(codes).batch(9, drop_remainder=True)
dataset = sequences.map(lambda part: (part[:-1], part[1:]))
dataset = dataset.shuffle(200).batch(8, drop_remainder=True)


class Reader(tf.keras.Model):
    def __init__(self, size):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(size, 12)
        self.rnn = tf.keras.layers.GRU(24, return_sequences=True)
        self.out = tf.keras.layers.Dense(size)

    def call(self, x, training=False):
        return self.out(self.rnn(self.embed(x)))


class Trained(Reader):
    @tf.function
    def train_step(self, batch):
        x, y = batch
        with tf.GradientTape() as tape:
            loss = self.loss(y, self(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return {"loss": loss}


model = Trained(len(letters))
model.compile(optimizer=tf.keras.optimizers.Adam(0.02), loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
mean = tf.keras.metrics.Mean()
for epoch in range(3):
    mean.reset_states()
    for number, (x, y) in enumerate(dataset):
        logs = model.train_step([x, y])
        mean.update_state(logs["loss"])
    print(epoch, float(mean.result()))
model.save_weights("reader")
