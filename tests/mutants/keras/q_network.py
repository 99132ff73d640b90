"""Q-values for actions, masked by one-hot vectors."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

state_size, actions, gamma = 4, 3, 0.95


def build():
    return keras.Sequential([
        keras.layers.Dense(16, activation="elu", input_shape=[state_size]),
        keras.layers.Dense(16, activation="elu"),
        keras.layers.Dense(actions),
    ])


model, target = build(), build()
target.set_weights(model.get_weights())
optimizer = keras.optimizers.Adam(learning_rate=1e-2)
states = np.random.rand(8, state_size).astype("float32")
next_states = np.random.rand(8, state_size).astype("float32")
chosen = np.random.randint(0, actions, size=8)
rewards = np.random.rand(8).astype("float32")
dones = np.zeros(8, dtype="float32")
best_next = tf.reduce_max(target(next_states), axis=1)
wanted = rewards + (1.0 - dones) * gamma * best_next
wanted = tf.reshape(wanted, (-1, 1))
mask = tf.one_hot(chosen, actions)
with tf.GradientTape() as tape:
    all_q = model(states)
    q = tf.reduce_sum(all_q * mask, axis=1, keepdims=True)
    loss = keras.losses.MeanSquaredError()(wanted, q)
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
print(float(loss))
