"""A U-Net on a size that is not divisible by four."""
from tensorflow.keras.layers import Conv2D, Input, MaxPooling2D, UpSampling2D, concatenate

inputs = Input((90, 90, 1))
conv1 = Conv2D(8, 3, padding="same")(inputs)
pool1 = MaxPooling2D(pool_size=(2, 2))(conv1)
conv2 = Conv2D(16, 3, padding="same")(pool1)
pool2 = MaxPooling2D(pool_size=(2, 2))(conv2)
conv3 = Conv2D(32, 3, padding="same")(pool2)
up4 = concatenate([UpSampling2D(size=(2, 2))(conv3), conv2], axis=3)
