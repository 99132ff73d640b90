import torch
import torch.nn as nn
import torch.nn.functional as F

CONTEXT_SIZE = 2
EMBEDDING_DIM = 10
sentence = "When forty winters shall besiege thy brow and dig deep trenches in thy beauty".split()
ngrams = [([sentence[i - j - 1] for j in range(CONTEXT_SIZE)], sentence[i]) for i in range(CONTEXT_SIZE, len(sentence))]
vocab = set(sentence)
word_to_ix = {word: i for i, word in enumerate(vocab)}


class NGramLanguageModeler(nn.Module):
    def __init__(self, vocab_size, embedding_dim, context_size):
        super(NGramLanguageModeler, self).__init__()
        self.embeddings = nn.Embedding(vocab_size, embedding_dim)
        self.linear1 = nn.Linear(context_size * embedding_dim, 128)
        self.linear2 = nn.Linear(128, vocab_size)

    def forward(self, inputs):
        embeds = self.embeddings(inputs).view((1, -1))
        out = F.relu(self.linear1(embeds))
        out = self.linear2(out)
        return F.log_softmax(out, dim=1)


losses = []
loss_function = nn.NLLLoss()
model = NGramLanguageModeler(len(vocab), EMBEDDING_DIM, CONTEXT_SIZE)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
for epoch in range(2):
    total_loss = 0
    for context, target in ngrams:
        context_idxs = torch.tensor([word_to_ix[w] for w in context], dtype=torch.long)
        model.zero_grad()
        log_probs = model(context_idxs)
        loss = loss_function(log_probs, torch.tensor([word_to_ix[target]], dtype=torch.long))
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
    losses.append(total_loss)

table = nn.Embedding(20, 6)
anchors = table(torch.tensor([1, 2, 3]))
positives = table(torch.tensor([4, 5, 6]))
similarity = F.normalize(anchors, dim=1) @ F.normalize(positives, dim=1).T
contrast = F.cross_entropy(similarity / 0.1, torch.arange(3))
triplet = nn.TripletMarginLoss()(anchors, positives, table(torch.tensor([7, 8, 9])))
cosine = F.cosine_similarity(anchors, positives)
print(contrast.item(), triplet.item(), cosine.shape)
