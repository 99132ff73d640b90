"""The wrong tensor as input of the model."""
from tensorflow.keras import Input, Model
from tensorflow.keras.layers import Dense

input_a = Input(shape=(16,))
input_a_2 = Input(shape=(16,))
hidden = Dense(8)(input_a_2)
output = Dense(1)(hidden)
model = Model(inputs=input_a, outputs=output)
