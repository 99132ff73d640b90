"""A head on a frozen base, then both with a tenth of the rate, by models that are compiled twice."""
import numpy as np
import tensorflow as tf

labels = np.random.randint(0, 2, 128).astype("float32")
images = (np.random.rand(128, 8, 8, 1) + labels[:, None, None, None]).astype("float32")
train = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(128).batch(16)
valid = tf.data.Dataset.from_tensor_slices((images[:32], labels[:32])).batch(16)
train = train.prefetch(tf.data.AUTOTUNE)
base = tf.keras.Sequential([tf.keras.layers.Conv2D(4, 3, activation="relu", input_shape=(8, 8, 1))])
base.trainable = False
inputs = tf.keras.Input(shape=(8, 8, 1))
pooled = tf.keras.layers.GlobalAveragePooling2D()(base(inputs, training=False))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(pooled))
rate = 0.01
loss = tf.keras.losses.BinaryCrossentropy(from_logits=True)
model.compile(optimizer=tf.keras.optimizers.Adam(learning_rate=rate), loss=loss)
print("before", model.evaluate(valid))
history = model.fit(train,
                    epochs=2,
                    validation_data=valid)
base.trainable = True
model.compile(loss=loss,
              optimizer=tf.keras.optimizers.RMSprop(learning_rate=rate/10),
              metrics=["accuracy"])
model.fit(train, epochs=4, initial_epoch=history.epoch[-1], validation_data=valid)
model.save("tuned.keras")
