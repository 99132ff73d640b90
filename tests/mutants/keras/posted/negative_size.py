"""Too much pooling for a small image."""
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Conv2D, MaxPooling2D

model = Sequential()
model.add(Conv2D(32, (5, 5), input_shape=(28, 28, 1)))
model.add(MaxPooling2D((2, 2)))
model.add(Conv2D(32, (5, 5)))
model.add(MaxPooling2D((2, 2)))
model.add(Conv2D(32, (5, 5)))
