import pathlib

import tensorflow as tf
from tensorflow import keras

data_dir = pathlib.Path("animals")
train_ds = tf.keras.utils.image_dataset_from_directory(
    data_dir, validation_split=0.2, subset="training", seed=123, image_size=(8, 8), batch_size=8)
val_ds = tf.keras.utils.image_dataset_from_directory(
    data_dir, validation_split=0.2, subset="validation", seed=123, image_size=(8, 8), batch_size=8)
class_names = train_ds.class_names
print(class_names)
train_ds = train_ds.cache().shuffle(1000).prefetch(buffer_size=tf.data.AUTOTUNE)
val_ds = val_ds.cache().prefetch(buffer_size=tf.data.AUTOTUNE)
model = keras.Sequential([
    keras.layers.Rescaling(1. / 255, input_shape=(8, 8, 3)),
    keras.layers.Conv2D(4, 3, activation="relu"),
    keras.layers.Flatten(),
    keras.layers.Dense(len(class_names)),
])
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
history = model.fit(train_ds, validation_data=val_ds, epochs=3)
