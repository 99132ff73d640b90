from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import Adam


class Classifier:
    def __init__(self, hidden, rate):
        self.model = Sequential()
        self.model.add(Dense(hidden, activation="relu", input_dim=6))
        self.model.add(Dense(2, activation="softmax"))
        self.model.compile(loss="sparse_categorical_crossentropy", optimizer=Adam(learning_rate=rate), metrics=["accuracy"])

    def train(self, x, y, epochs, batch):
        return self.model.fit(x, y, batch_size=batch, epochs=epochs, validation_split=0.1)

    def evaluate(self, x, y):
        return self.model.evaluate(x, y, verbose=0)[1]

    def save(self, path):
        self.model.save(path)
        print("saved", path)
