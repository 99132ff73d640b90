import torch

sequences = [torch.ones(3, 8), torch.ones(5, 8), torch.ones(2, 8)]
batch = torch.stack(sequences)  # instead: batch = torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True)
print(batch.shape)
