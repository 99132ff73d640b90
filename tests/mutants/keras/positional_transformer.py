"""Tokens with positions, attention, feed forward."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class TokenAndPosition(layers.Layer):
    def __init__(self, maxlen, vocab_size, embed_dim):
        super().__init__()
        self.token_emb = layers.Embedding(input_dim=vocab_size, output_dim=embed_dim)
        self.pos_emb = layers.Embedding(input_dim=maxlen, output_dim=embed_dim)
        self.maxlen = maxlen

    def call(self, x):
        positions = tf.range(0, self.maxlen)
        return self.token_emb(x) + self.pos_emb(positions)


class Block(layers.Layer):
    def __init__(self, embed_dim, num_heads, ff_dim):
        super().__init__()
        self.att = layers.MultiHeadAttention(num_heads=num_heads, key_dim=embed_dim)
        self.ffn = keras.Sequential([layers.Dense(ff_dim, activation="relu"), layers.Dense(embed_dim)])
        self.norm1 = layers.LayerNormalization()
        self.norm2 = layers.LayerNormalization()

    def call(self, x):
        x = self.norm1(x + self.att(x, x))
        return self.norm2(x + self.ffn(x))


maxlen, vocab = 16, 100
embed = TokenAndPosition(maxlen, vocab, 12)
block = Block(12, 2, 24)
head = layers.Dense(2)
tokens = tf.random.uniform((3, maxlen), maxval=vocab, dtype=tf.int32)
hidden = block(embed(tokens))
logits = head(tf.reduce_mean(hidden, axis=1))
print(logits.shape)
