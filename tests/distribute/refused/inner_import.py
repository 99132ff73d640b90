"""refused: PT409"""
def train():
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(loss="mse")
    model.fit(tf.ones((8, 2)), tf.ones((8, 1)))


train()
