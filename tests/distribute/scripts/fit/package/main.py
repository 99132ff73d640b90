import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"

from src import config
from src.data import load_data
from src.model import Classifier
from src.plots import save_history


def run():
    (x_train, y_train), (x_test, y_test) = load_data(config.SAMPLES)
    classifier = Classifier(config.HIDDEN, config.RATE)
    history = classifier.train(x_train, y_train, config.EPOCHS, config.BATCH)
    save_history(history, "history.json")
    print("accuracy", classifier.evaluate(x_test, y_test))
    classifier.save("classifier.h5")


if __name__ == "__main__":
    run()
