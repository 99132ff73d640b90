"""torch.nn.modules.rnn: the classes of `torch.nn` that are defined there."""

from .._recurrent import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNBase, RNNCell, RNNCellBase
