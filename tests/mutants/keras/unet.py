"""A small U-Net."""
import numpy as np
from tensorflow.keras.layers import Conv2D, Conv2DTranspose, Input, MaxPooling2D, concatenate
from tensorflow.keras.models import Model


def double(x, filters):
    x = Conv2D(filters, (3, 3), activation="relu", padding="same")(x)
    return Conv2D(filters, (3, 3), activation="relu", padding="same")(x)


inputs = Input((32, 32, 3))
c1 = double(inputs, 4)
p1 = MaxPooling2D(pool_size=(2, 2))(c1)
c2 = double(p1, 8)
p2 = MaxPooling2D(pool_size=(2, 2))(c2)
c3 = double(p2, 16)
u4 = Conv2DTranspose(8, (2, 2), strides=(2, 2), padding="same")(c3)
u4 = concatenate([u4, c2], axis=3)
c4 = double(u4, 8)
u5 = Conv2DTranspose(4, (2, 2), strides=(2, 2), padding="same")(c4)
u5 = concatenate([u5, c1], axis=3)
c5 = double(u5, 4)
outputs = Conv2D(1, (1, 1), activation="sigmoid")(c5)
model = Model(inputs=[inputs], outputs=[outputs])
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
X = np.random.rand(4, 32, 32, 3)
Y = np.random.randint(0, 2, (4, 32, 32, 1)).astype("float32")
model.fit(X, Y, batch_size=2, epochs=1, verbose=0)
