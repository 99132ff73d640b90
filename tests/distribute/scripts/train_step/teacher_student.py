"""A teacher that is fitted as Keras does, and a student with a step of its own."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Student(keras.Model):
    def __init__(self, inner, teacher):
        super().__init__()
        self.inner, self.teacher = inner, teacher

    def compile(self, optimizer, hard, soft, share=0.1):
        super().compile(optimizer=optimizer)
        self.hard, self.soft, self.share = hard, soft, share

    def train_step(self, data):
        x, y = data
        told = self.teacher(x, training=False)
        with tf.GradientTape() as tape:
            said = self.inner(x, training=True)
            loss = self.share * self.hard(y, said)
            loss += (1 - self.share) * self.soft(tf.nn.softmax(told), tf.nn.softmax(said))
        variables = self.inner.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss}


def network(units):
    return keras.Sequential([keras.Input(shape=(6,)), keras.layers.Dense(units, "relu"), keras.layers.Dense(3)])


x = np.random.rand(120, 6).astype("float32")
y = x[:, :3].argmax(axis=1)
cross_entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
teacher = network(32)
teacher.compile(optimizer="adam", loss=cross_entropy)
teacher.fit(x, y, epochs=3, batch_size=10)
student = Student(network(8), teacher)
student.compile(
    optimizer=keras.optimizers.Adam(0.01),
    hard=cross_entropy,
    soft=keras.losses.KLDivergence(),
)
student.fit(x, y, epochs=3, batch_size=10)
print("trained", float(tf.norm(teacher.trainable_variables[0])))
