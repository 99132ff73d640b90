import numpy as np
import tensorflow as tf
from tensorflow.keras import callbacks, layers, models, optimizers


class LossHistory(callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.losses = []

    def on_batch_end(self, batch, logs=None):
        self.losses.append(logs.get("loss"))

    def on_epoch_end(self, epoch, logs=None):
        print("\nlearning rate at epoch %d: %g" % (epoch, float(self.model.optimizer.learning_rate)))


def schedule(epoch, lr):
    return lr if epoch < 2 else lr * 0.5


def build(units, rate=1e-2):
    model = models.Sequential([layers.Dense(units, activation="relu"), layers.Dense(1, activation="sigmoid")])
    model.compile(loss="binary_crossentropy", optimizer=optimizers.SGD(learning_rate=rate, momentum=0.9, nesterov=True),
                  metrics=["accuracy", tf.keras.metrics.AUC()])
    return model


def main():
    x = np.random.rand(240, 5)
    y = (x[:, 0] > x[:, 1]).astype(int)
    split = int(len(x) * 0.8)
    x_train, x_val = x[:split], x[split:]
    y_train, y_val = y[:split], y[split:]
    history = LossHistory()
    model = build(8)
    model.fit(
        x_train, y_train, validation_data=(x_val, y_val), epochs=4, batch_size=12, shuffle=True,
        class_weight={0: 1.0, 1: 1.5},
        callbacks=[
            history,
            callbacks.LearningRateScheduler(schedule, verbose=1),
            callbacks.ReduceLROnPlateau(monitor="val_loss", factor=0.2, patience=3),
            callbacks.CSVLogger("log.csv"),
            callbacks.ModelCheckpoint("best.h5", monitor="val_accuracy", save_best_only=True),
            callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: print("val", logs["val_loss"])),
            callbacks.EarlyStopping(monitor="val_loss", patience=3, restore_best_weights=True),
            callbacks.TerminateOnNaN(),
        ],
    )
    print("steps seen:", len(history.losses))
    np.save("losses.npy", history.losses)


if __name__ == "__main__":
    main()
