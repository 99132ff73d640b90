import tensorflow as tf
from tensorflow.keras import layers

ACCUMULATE = 4
features = tf.random.normal((256, 6))
labels = tf.reduce_sum(features, axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(256).batch(8)

model = tf.keras.models.Sequential()
model.add(layers.Dense(12, activation="tanh"))
model.add(layers.Dense(1))
model.build((None, 6))
opt = tf.keras.optimizers.SGD(learning_rate=0.05, momentum=0.9)
mse = tf.keras.losses.MeanSquaredError()
accumulated = [tf.zeros_like(v) for v in model.trainable_variables]
for epoch in range(5):
    for step, (x, y) in enumerate(dataset):
        with tf.GradientTape() as tape:
            loss = mse(y, model(x, training=True)) / ACCUMULATE
        grads = tape.gradient(loss, model.trainable_variables)
        accumulated = [a + g for a, g in zip(accumulated, grads)]
        if (step + 1) % ACCUMULATE == 0:
            opt.apply_gradients(zip(accumulated, model.trainable_variables))
            accumulated = [tf.zeros_like(v) for v in model.trainable_variables]
    print("epoch", epoch, "loss", float(loss * ACCUMULATE))
