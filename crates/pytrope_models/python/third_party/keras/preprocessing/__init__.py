"""keras.preprocessing: images and sequences. A name that is not here is Unknown."""

from _pytrope import unknown

from keras.utils import image_dataset_from_directory, timeseries_dataset_from_array


def __getattr__(name):
    return unknown(name)
