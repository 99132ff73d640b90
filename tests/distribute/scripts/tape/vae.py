"""A variational autoencoder; the step takes its model and optimizer as arguments."""
import numpy as np
import tensorflow as tf


class CVAE(tf.keras.Model):
    def __init__(self, latent_dim):
        super(CVAE, self).__init__()
        self.latent_dim = latent_dim
        self.encoder = tf.keras.Sequential([
            tf.keras.layers.InputLayer(input_shape=(8, 8, 1)),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(latent_dim + latent_dim),
        ])
        self.decoder = tf.keras.Sequential([
            tf.keras.layers.InputLayer(input_shape=(latent_dim,)),
            tf.keras.layers.Dense(64),
            tf.keras.layers.Reshape((8, 8, 1)),
        ])

    @tf.function
    def sample(self, eps=None):
        if eps is None:
            eps = tf.random.normal(shape=(4, self.latent_dim))
        return self.decode(eps, apply_sigmoid=True)

    def encode(self, x):
        mean, logvar = tf.split(self.encoder(x), num_or_size_splits=2, axis=1)
        return mean, logvar

    def reparameterize(self, mean, logvar):
        return tf.random.normal(shape=tf.shape(mean)) * tf.exp(logvar * 0.5) + mean

    def decode(self, z, apply_sigmoid=False):
        logits = self.decoder(z)
        if apply_sigmoid:
            return tf.sigmoid(logits)
        return logits


optimizer = tf.keras.optimizers.Adam(1e-2)


def compute_loss(model, x):
    mean, logvar = model.encode(x)
    x_logit = model.decode(model.reparameterize(mean, logvar))
    cross = tf.nn.sigmoid_cross_entropy_with_logits(logits=x_logit, labels=x)
    kl = -0.5 * tf.reduce_sum(1 + logvar - tf.square(mean) - tf.exp(logvar), axis=1)
    return tf.reduce_mean(tf.reduce_sum(cross, axis=[1, 2, 3]) + kl)


@tf.function
def train_step(model, x, optimizer):
    """One step; returns the loss."""
    with tf.GradientTape() as tape:
        loss = compute_loss(model, x)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


rng = np.random.default_rng(8)
train_images = (rng.random((256, 8, 8, 1)) > 0.7).astype("float32")
test_images = (rng.random((64, 8, 8, 1)) > 0.7).astype("float32")
train_dataset = tf.data.Dataset.from_tensor_slices(train_images).shuffle(256).batch(32)
test_dataset = tf.data.Dataset.from_tensor_slices(test_images).batch(32)

vae = CVAE(2)
for epoch in range(1, 5):
    for train_x in train_dataset:
        train_step(vae, train_x, optimizer)

    elbo = tf.keras.metrics.Mean()
    for test_x in test_dataset:
        elbo(compute_loss(vae, test_x))
    print("Epoch: {}, Test set ELBO: {}".format(epoch, -elbo.result()))

pictures = vae.sample()
np.save("samples.npy", pictures.numpy())
