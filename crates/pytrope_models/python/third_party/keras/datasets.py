"""keras.datasets: arrays of documented sizes."""

from _pytrope import array, unknown


def _pairs(train, test, sample, labels):
    from numpy import ndarray

    return (
        (array(ndarray, (train,) + sample, "uint8"), array(ndarray, (train,) + labels, "uint8")),
        (array(ndarray, (test,) + sample, "uint8"), array(ndarray, (test,) + labels, "uint8")),
    )


class mnist:
    @staticmethod
    def load_data(path="mnist.npz"):
        return _pairs(60000, 10000, (28, 28), ())


class fashion_mnist:
    @staticmethod
    def load_data():
        return _pairs(60000, 10000, (28, 28), ())


class cifar10:
    @staticmethod
    def load_data():
        return _pairs(50000, 10000, (32, 32, 3), (1,))


class cifar100:
    @staticmethod
    def load_data(label_mode="fine"):
        return _pairs(50000, 10000, (32, 32, 3), (1,))


class boston_housing:
    @staticmethod
    def load_data(path="boston_housing.npz", test_split=0.2, seed=113):
        return unknown("houses")


class imdb:
    @staticmethod
    def load_data(*args, **kwargs):
        return unknown("reviews")

    @staticmethod
    def get_word_index(*args, **kwargs):
        return unknown("words")


class reuters(imdb):
    pass
