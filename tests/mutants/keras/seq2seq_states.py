"""States of an encoder given to a decoder."""
import numpy as np
from tensorflow.keras.layers import Dense, Input, LSTM
from tensorflow.keras.models import Model

encoder_tokens, decoder_tokens, latent = 15, 18, 24
encoder_inputs = Input(shape=(None, encoder_tokens))
_, state_h, state_c = LSTM(latent, return_state=True)(encoder_inputs)
decoder_inputs = Input(shape=(None, decoder_tokens))
decoder_outputs, _, _ = LSTM(latent, return_sequences=True, return_state=True)(decoder_inputs, initial_state=[state_h, state_c])
decoder_outputs = Dense(decoder_tokens, activation="softmax")(decoder_outputs)
model = Model([encoder_inputs, decoder_inputs], decoder_outputs)
model.compile(optimizer="rmsprop", loss="categorical_crossentropy")
enc = np.random.rand(6, 9, encoder_tokens)
dec = np.random.rand(6, 7, decoder_tokens)
target = np.zeros((6, 7, decoder_tokens))
target[:, :, 0] = 1.0
model.fit([enc, dec], target, epochs=1, verbose=0)
print(model.predict([enc, dec], verbose=0).shape)
