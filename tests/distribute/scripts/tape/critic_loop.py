"""A loop that draws from an iterator, a second model with a decaying schedule, a progress bar."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.utils import Progbar

real = np.random.normal(3.0, 0.5, (512, 2)).astype(np.float32)
data_iter = iter(tf.data.Dataset.from_tensor_slices(real).repeat().shuffle(512).batch(32))
gen = keras.Sequential([keras.layers.Dense(16, "relu"), keras.layers.Dense(2)])
critic = keras.Sequential([keras.layers.Dense(16, "relu"), keras.layers.Dense(1)])
schedule = keras.optimizers.schedules.ExponentialDecay(1e-3, decay_steps=50, decay_rate=0.9)
gen_opt = keras.optimizers.Adam(schedule, beta_1=0.5)
critic_opt = keras.optimizers.Adam(1e-3, beta_1=0.5)


@tf.function
def train_critic(x):
    z = tf.random.normal((tf.shape(x)[0], 4))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(gen(z))) - tf.reduce_mean(critic(x))
    critic_opt.minimize(loss, critic.trainable_variables, tape=tape)
    return loss


@tf.function
def train_generator(n):
    z = tf.random.normal((n, 4))
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(critic(gen(z)))
    gen_opt.minimize(loss, gen.trainable_variables, tape=tape)
    return loss


steps = 40
bar = Progbar(steps)
for step in range(steps):
    for _ in range(2):
        c_loss = train_critic(next(data_iter))
    g_loss = train_generator(32)
    bar.update(step + 1, values=[("c", c_loss), ("g", g_loss)])
print("mean of samples", gen(tf.random.normal((100, 4))).numpy().mean(0))
