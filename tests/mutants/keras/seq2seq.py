"""An encoder and a decoder with shared states."""
import numpy as np
from tensorflow.keras.layers import LSTM, Dense, Input
from tensorflow.keras.models import Model

latent = 16
encoder_inputs = Input(shape=(None, 20))
encoder = LSTM(latent, return_state=True)
encoder_outputs, state_h, state_c = encoder(encoder_inputs)
encoder_states = [state_h, state_c]
decoder_inputs = Input(shape=(None, 25))
decoder_lstm = LSTM(latent, return_sequences=True, return_state=True)
decoder_outputs, _, _ = decoder_lstm(decoder_inputs, initial_state=encoder_states)
decoder_dense = Dense(25, activation="softmax")
decoder_outputs = decoder_dense(decoder_outputs)
model = Model([encoder_inputs, decoder_inputs], decoder_outputs)
model.compile(optimizer="rmsprop", loss="categorical_crossentropy")
source = np.zeros((4, 7, 20), dtype="float32")
shifted = np.zeros((4, 9, 25), dtype="float32")
target = np.zeros((4, 9, 25), dtype="float32")
model.fit([source, shifted], target, batch_size=2, epochs=1, verbose=0)
