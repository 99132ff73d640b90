"""A training loop with a gradient tape and metrics."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.SGD(learning_rate=0.05)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
metric = tf.keras.metrics.SparseCategoricalAccuracy()
features = tf.random.normal((64, 8))
labels = tf.random.uniform((64,), maxval=3, dtype=tf.int32)
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(64).batch(16)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = loss_fn(y, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    metric.update_state(y, logits)
    return loss


for epoch in range(2):
    for x, y in dataset:
        loss = train_step(x, y)
print(float(loss), float(metric.result()))
