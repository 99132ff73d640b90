"""VGG blocks on colour images, by Keras fit on NumPy arrays."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models

rng = np.random.default_rng(30)
x_train = rng.random((257, 16, 16, 3)).astype("float32")
y_train = (x_train[:, 4, 4, 0] > 0.5).astype("int64")
x_test = rng.random((64, 16, 16, 3)).astype("float32")
y_test = (x_test[:, 4, 4, 0] > 0.5).astype("int64")

model = models.Sequential()
model.add(layers.Conv2D(8, 3, padding="same", activation="relu", input_shape=(16, 16, 3)))
model.add(layers.MaxPooling2D())
model.add(layers.Conv2D(8, 3, padding="same", activation="relu"))
model.add(layers.MaxPooling2D())
model.add(layers.Flatten())
model.add(layers.Dense(10))
model.summary()

model.compile(optimizer=tf.keras.optimizers.SGD(learning_rate=0.05, momentum=0.9),
              loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
              metrics=["accuracy"])
history = model.fit(x_train, y_train, epochs=4, batch_size=32,
                    validation_data=(x_test, y_test))
score = model.evaluate(x_test, y_test, verbose=0)
print("Test loss:", score[0])
model.save("vgg.h5")
